//! Prominence: how much narrower a gate is than the ground on both its sides.

use super::Regions;
use crate::decompose::{Decomposition, GateId, Place, ZoneId};
use crate::depth;

impl Regions<'_> {
    /// How wide the ground of a zone is: the diameter, in tiles, of the largest disc that fits
    /// into it. Walls and gates are in its way. At least 1.
    ///
    /// # Panics
    /// If there is no zone of this number.
    pub fn breadth(&self, zone: ZoneId) -> f64 {
        self.breadths.get_or_init(|| breadths(self.parts))[zone.index()]
    }

    /// How prominent a gate is: how many times wider than the gate is long the ground of the
    /// zones beside it is ([`Regions::breadth`]), on the narrower side. A door between two
    /// halls has a high one; at 1 the gate is as long as the narrower zone is wide, as in an
    /// even corridor; below 1 it is no choke point. 0 if it separates nothing.
    ///
    /// # Panics
    /// If there is no gate of this number.
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::Regions;
    /// use tidegate::{Grid, Tile};
    /// let (hall, door) = (".....#.......", ".............");
    /// let grid = Grid::from_rows(&[hall, hall, door, hall, hall]).unwrap();
    /// let line = GateLine::new(Tile::new(5, 2), Tile::new(5, 2), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [line]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// assert_eq!(regions.prominence(parts.gates()[0].id()), 5.0);
    /// ```
    pub fn prominence(&self, gate: GateId) -> f64 {
        let gate = self.gate(gate);
        if !gate.separates() {
            return 0.0;
        }
        let breadths = gate.zones().iter().map(|&zone| self.breadth(zone));
        breadths.fold(f64::INFINITY, f64::min) / gate.line().span()
    }
}

/// By zone: the diameter of the largest disc inside.
fn breadths(parts: &Decomposition) -> Vec<f64> {
    let inside = parts.distances();
    let mut deepest = vec![0; parts.zones().len()];
    parts.for_runs(|place, tiles| {
        if let Place::Zone(zone) = place {
            deepest[zone.index()] = depth::greatest(&inside[tiles]).max(deepest[zone.index()]);
        }
    });
    deepest.into_iter().map(depth::disc_width).collect()
}
