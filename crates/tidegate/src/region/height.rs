//! Height: which gates are ramps, and which of their sides is the higher one.
//!
//! Heights are a layer of bytes that the caller brings, one for every tile; what they count is
//! the game's affair. Zones and gates do not depend on them.

use super::Regions;
use crate::decompose::{GateId, Place, ZoneId};
use crate::grid::{CellId, Grid, Tile};

/// How many steps behind a gate its side is looked at.
const NEAR: u32 = 12;

/// The height of every tile of a map.
///
/// ```
/// use tidegate::decompose::{Decomposition, GateLine, Source};
/// use tidegate::region::{Heights, Regions};
/// use tidegate::{Grid, Tile};
/// // A plateau on the left, a plain on the right, a ramp between them.
/// let grid = Grid::from_rows(&["....#.....", "..........", "....#....."]).unwrap();
/// assert!(Heights::new(&grid, vec![0; 31]).is_err(), "31 heights for 30 tiles");
/// let heights = Heights::from_fn(&grid, |tile| [2, 1, 0][(tile.x.max(3) - 3).min(2) as usize]);
/// let line = GateLine::new(Tile::new(4, 1), Tile::new(4, 1), Source::Manual);
/// let parts = Decomposition::from_gates(&grid, [line]).unwrap();
/// let regions = Regions::new(&grid, &parts);
/// let ramp = regions.ramp(parts.gates()[0].id(), &heights).unwrap();
/// assert_eq!(Some(ramp.upper()), regions.zone_of(Tile::new(0, 0)));
/// assert_eq!(ramp.rise(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heights {
    width: u32,
    height: u32,
    values: Vec<u8>,
}

/// Why bytes are no heights of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{got} heights for a map of {width} x {height} tiles")]
pub struct HeightsError {
    /// How many bytes there are.
    pub got: usize,
    /// Columns of the map.
    pub width: u32,
    /// Rows of the map.
    pub height: u32,
}

impl Heights {
    /// The heights of all tiles in row order, walls included.
    pub fn new(grid: &Grid, values: Vec<u8>) -> Result<Heights, HeightsError> {
        let (width, height) = (grid.width(), grid.height());
        if values.len() != grid.tiles() {
            return Err(HeightsError { got: values.len(), width, height });
        }
        Ok(Heights { width, height, values })
    }

    /// The heights by a function of the tile.
    pub fn from_fn(grid: &Grid, height: impl Fn(Tile) -> u8) -> Heights {
        let cells = (0..grid.tiles()).map(CellId::from_index);
        let values = cells.map(|cell| height(grid.tile(cell))).collect();
        Heights { width: grid.width(), height: grid.height(), values }
    }

    /// The height of a tile.
    #[inline]
    pub fn at(&self, cell: CellId) -> u8 {
        self.values[cell.index()]
    }
}

/// A gate between zones of different heights. See [`Regions::ramp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ramp {
    gate: GateId,
    upper: (ZoneId, u8),
    lower: (ZoneId, u8),
}

impl Ramp {
    /// The gate.
    pub fn gate(&self) -> GateId {
        self.gate
    }

    /// The zone on the higher side.
    pub fn upper(&self) -> ZoneId {
        self.upper.0
    }

    /// The zone on the lower side.
    pub fn lower(&self) -> ZoneId {
        self.lower.0
    }

    /// How much higher the higher side is.
    pub fn rise(&self) -> u8 {
        self.upper.1 - self.lower.1
    }
}

impl Regions<'_> {
    /// The height of a gate's side: the commonest among the tiles of the zone at most twelve
    /// steps from the gate, the lower of equally common ones. `None` if the zone does not lie
    /// beside the gate.
    ///
    /// # Panics
    /// If there is no gate of this number, or the heights are those of a map of another size.
    pub fn side_height(&self, gate: GateId, zone: ZoneId, heights: &Heights) -> Option<u8> {
        let map = (self.grid.width(), self.grid.height());
        assert_eq!((heights.width, heights.height), map, "heights of this map");
        let gate = self.gate(gate);
        gate.zones().binary_search(&zone).ok()?;
        let mut counts = [0u32; 256];
        let mut seen: std::collections::HashSet<CellId> = gate.tiles().iter().copied().collect();
        let mut front: Vec<CellId> = gate.tiles().to_vec();
        for _ in 0..NEAR {
            let beside = front.iter().flat_map(|&cell| self.grid.neighbours(cell));
            let inside = |&cell: &CellId| self.parts.place(cell) == Place::Zone(zone);
            let next: Vec<CellId> = beside.map(|(next, _)| next).filter(inside).collect();
            front = next.into_iter().filter(|&cell| seen.insert(cell)).collect();
            front.iter().for_each(|&cell| counts[usize::from(heights.at(cell))] += 1);
        }
        // Of equal ones the last is the greatest: so from the highest to the lowest.
        (0..=u8::MAX).rev().max_by_key(|&height| counts[usize::from(height)])
    }

    /// Whether a gate is a ramp: two zones lie beside it, and their heights behind it differ
    /// ([`Regions::side_height`]). [`Heights`] has an example.
    ///
    /// # Panics
    /// If there is no gate of this number, or the heights are those of a map of another size.
    pub fn ramp(&self, gate: GateId, heights: &Heights) -> Option<Ramp> {
        let &[a, b] = self.gate(gate).zones() else { return None };
        let side = |zone| Some((zone, self.side_height(gate, zone, heights)?));
        let (a, b) = (side(a)?, side(b)?);
        let (upper, lower) = if a.1 > b.1 { (a, b) } else { (b, a) };
        (upper.1 > lower.1).then_some(Ramp { gate, upper, lower })
    }

    /// All gates that are ramps, by number.
    ///
    /// # Panics
    /// If the heights are those of a map of another size.
    pub fn ramps(&self, heights: &Heights) -> Vec<Ramp> {
        self.parts.live_gates().filter_map(|gate| self.ramp(gate.id(), heights)).collect()
    }
}
