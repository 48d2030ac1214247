//! The estimate that needs nothing: the cost on an empty map.

use super::Heuristic;
use crate::cost::{Cost, manhattan, octile};
use crate::grid::{CellId, Grid, Movement, Tile};

/// Distance to the goal as if there were no walls: octile, or Manhattan where
/// diagonal steps are not allowed. Consistent.
#[derive(Clone, Copy, Debug)]
pub struct Octile<'g> {
    grid: &'g Grid,
    goal: Tile,
    diagonal: bool,
}

impl<'g> Octile<'g> {
    /// The estimate towards `goal`.
    pub fn new(grid: &'g Grid, goal: Tile) -> Octile<'g> {
        Octile { grid, goal, diagonal: grid.movement() != Movement::FourConnected }
    }

    /// The estimate from a tile.
    #[inline]
    pub fn from(&self, tile: Tile) -> Cost {
        let (dx, dy) = (tile.x.abs_diff(self.goal.x).into(), tile.y.abs_diff(self.goal.y).into());
        if self.diagonal { octile(dx, dy) } else { manhattan(dx, dy) }
    }

    /// The estimate from a node of the grid's space.
    #[inline]
    pub fn at(&self, node: u32) -> Cost {
        self.from(self.grid.tile(CellId::from_index(node as usize)))
    }
}

impl Heuristic<Cost> for Octile<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        Some(self.at(node))
    }
}
