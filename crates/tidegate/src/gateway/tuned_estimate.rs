//! The larger of what gates and landmarks say, where there are such: consistent, for both are.

use super::{Consistent, ConsistentScratch, ZoneDistances};
use crate::cost::Cost;
use crate::differential::{Differential, Landmarks};
use crate::grid::{CellId, Grid, Tile};
use crate::search::{Heuristic, Octile};

/// The estimate towards one goal.
#[derive(Debug)]
pub struct TunedEstimate<'a> {
    grid: &'a Grid,
    octile: Octile<'a>,
    zones: Option<Consistent<'a>>,
    landmarks: Option<Differential<'a>>,
}

impl<'a> TunedEstimate<'a> {
    pub(super) fn new(
        grid: &'a Grid,
        zones: Option<&'a ZoneDistances>,
        landmarks: Option<&'a Landmarks>,
        goal: CellId,
        scratch: &'a mut ConsistentScratch,
    ) -> TunedEstimate<'a> {
        TunedEstimate {
            grid,
            octile: Octile::new(grid, grid.tile(goal)),
            zones: zones.map(|zones| Consistent::new(grid, zones, goal, scratch)),
            landmarks: landmarks.map(|landmarks| Differential::new(grid, landmarks, goal)),
        }
    }

    /// The estimate from a tile; `None` if the goal cannot be reached from it.
    #[inline]
    pub fn from(&mut self, cell: CellId, tile: Tile) -> Option<Cost> {
        let most = match &self.landmarks {
            Some(landmarks) => landmarks.from(cell, tile),
            None => self.octile.from(tile),
        };
        match &mut self.zones {
            Some(zones) => zones.from(cell, tile).map(|cost| cost.max(most)),
            None => Some(most),
        }
    }
}

impl Heuristic<Cost> for TunedEstimate<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let cell = CellId::from_index(node as usize);
        self.from(cell, self.grid.tile(cell))
    }
}
