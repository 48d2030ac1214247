//! The dead-end estimate: octile, but nothing that lies off every way to the goal.

use super::dead_ends::{DeadEndScratch, DeadEnds};
use crate::cost::Cost;
use crate::decompose::{Decomposition, Place};
use crate::grid::{CellId, Grid};
use crate::search::{Heuristic, Octile};

/// Octile where a best way may lead, `None` elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct DeadEnd<'a> {
    grid: &'a Grid,
    decomposition: &'a Decomposition,
    tree: &'a DeadEnds,
    octile: Octile<'a>,
    relevant: &'a [bool],
}

impl<'a> DeadEnd<'a> {
    /// The estimate for the way from `start` to `goal`. It is not sound when tiles are
    /// blocked: an excursion into a dead end may then be the only way around.
    pub fn new(
        grid: &'a Grid,
        decomposition: &'a Decomposition,
        tree: &'a DeadEnds,
        (start, goal): (CellId, CellId),
        scratch: &'a mut DeadEndScratch,
    ) -> DeadEnd<'a> {
        let (from, to) = (decomposition.place(start), decomposition.place(goal));
        let relevant = tree.relevant(from, to, scratch);
        let octile = Octile::new(grid, grid.tile(goal));
        DeadEnd { grid, decomposition, tree, octile, relevant }
    }
}

impl Heuristic<Cost> for DeadEnd<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let cell = CellId::from_index(node as usize);
        let place = self.tree.number(self.decomposition.place(cell))?;
        self.relevant[place].then(|| self.octile.from(self.grid.tile(cell)))
    }
    /// A best way through the tip of a dead end is dropped for one along its gate. What
    /// is dropped lies in zones, and only gates have tiles of other places beside them
    /// (if a neighbouring gate tile is dropped, so is this tile).
    #[inline]
    fn drops_beside(&self, node: u32) -> bool {
        let place = self.decomposition.place(CellId::from_index(node as usize));
        matches!(place, Place::Gate(_))
    }
}
