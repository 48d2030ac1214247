//! The differential estimate (ALT): a landmark's distances to two tiles differ by no
//! more than the way between them.

use super::landmarks::Landmarks;
use crate::cost::Cost;
use crate::grid::{CellId, Grid, Tile};
use crate::search::Heuristic;
use crate::search::Octile;

/// The largest difference over all landmarks, or octile if that is more. Consistent.
#[derive(Clone, Copy, Debug)]
pub struct Differential<'a> {
    grid: &'a Grid,
    octile: Octile<'a>,
    landmarks: &'a Landmarks,
    goal: &'a [Cost],
}

impl<'a> Differential<'a> {
    /// The estimate towards `goal`, a tile of the grid the landmarks were built for.
    pub fn new(grid: &'a Grid, landmarks: &'a Landmarks, goal: CellId) -> Differential<'a> {
        let octile = Octile::new(grid, grid.tile(goal));
        Differential { grid, octile, landmarks, goal: landmarks.of(goal) }
    }

    /// The estimate from a tile, given as cell and coordinates.
    #[inline]
    pub fn from(&self, cell: CellId, tile: Tile) -> Cost {
        let differences = self.landmarks.of(cell).iter().zip(self.goal);
        differences.fold(self.octile.from(tile), |most, (a, b)| most.max(a.abs_diff(*b)))
    }
}

impl Heuristic<Cost> for Differential<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let cell = CellId::from_index(node as usize);
        Some(self.from(cell, self.grid.tile(cell)))
    }
}
