//! A whole path in one call.

use super::insert::Anchor;
use super::plan::{Halt, Planner, Route, Work};
use super::refine::{Ends, Stretch};
use super::stats::Effort;
use crate::cost::Cost;
use crate::grid::Tile;
use crate::path::Path;
use crate::search::Observer;

/// The memory of running plans: one per thread, for any number of maps.
#[derive(Clone, Debug, Default)]
pub struct HpaScratch {
    pub(crate) work: Work,
    pub(crate) start: Anchor,
    pub(crate) goal: Anchor,
    pub(super) route: Route,
    stack: Vec<Stretch>,
    /// Which clusters a search under a cost layer may enter.
    pub(super) open: Vec<bool>,
    tiles: Vec<Tile>,
}

impl HpaScratch {
    /// Empty; it grows to what is asked.
    pub fn new() -> HpaScratch {
        HpaScratch::default()
    }

    /// The work behind the last path, or behind everything done for journeys since the
    /// last call of [`HpaScratch::clear_effort`].
    pub fn effort(&self) -> &Effort {
        &self.work.effort
    }

    /// The way of the last query from its start as far as it was refined.
    pub(crate) fn refined(&self) -> &[Tile] {
        &self.tiles
    }

    /// Counts from zero again.
    pub fn clear_effort(&mut self) {
        self.work.begin();
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let ends = self.start.bytes() + self.goal.bytes();
        let route = 4 * self.route.nodes.capacity() + size_of::<Stretch>() * self.stack.capacity();
        self.work.bytes()
            + ends
            + route
            + self.open.capacity()
            + size_of::<Tile>() * self.tiles.capacity()
    }
}

impl Planner<'_> {
    /// Finds a path between two free tiles, refined and smoothed, and writes it into
    /// `path`. Returns its cost, or `None` if there is no path or an end is a wall.
    pub fn find(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut HpaScratch,
        path: &mut Path,
    ) -> Option<Cost> {
        path.clear();
        if !self.grid.is_free(start) || !self.grid.is_free(goal) {
            return None;
        }
        self.find_watched(start, goal, scratch, path, &mut ()).ok()
    }

    /// Finds a path between two free tiles while an observer watches, and adds it to
    /// `path`, which must be empty.
    pub(crate) fn find_watched(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut HpaScratch,
        path: &mut Path,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<Cost, Halt> {
        let HpaScratch { work, start: from, goal: to, route, stack, tiles, .. } = scratch;
        work.begin();
        tiles.clear();
        tiles.push(start);
        self.insert(start, from, work, observer)?;
        self.insert(goal, to, work, observer)?;
        self.plan(from, to, route, work, observer)?;
        self.unroll(route, stack);
        let ends = Ends { start: from, goal: to };
        while self.refine_next(ends, stack, work, tiles, observer)? {}
        let cost = self.hpa.options.smoothing.apply(self.grid, tiles, work, observer)?;
        tiles.iter().for_each(|&tile| path.push(tile));
        Ok(cost)
    }
}
