//! Asking the labels: straight on where the goal is seen, else the least sum over shared hubs.

use super::Labels;
use crate::cost::{Cost, INFINITY};
use crate::grid::{Movement, Tile};
use crate::hubs::{Block, HubScratch, HubStore, NOTHING, Shared};

/// The memory of a query: make one for each thread and keep it.
#[derive(Clone, Debug, Default)]
pub struct LabelScratch {
    hubs: HubScratch,
    /// Turning points of the path that is being written.
    pub(super) turns: Vec<Tile>,
}

impl LabelScratch {
    /// Memory that grows to fit the labels it is first used with.
    pub fn new() -> LabelScratch {
        LabelScratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.hubs.bytes() + 4 * self.turns.capacity()
    }
}

/// Hubs, and the distance to each.
pub(super) type HubList = std::sync::Arc<[(u32, Cost)]>;

/// How a path goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelRoute {
    /// Start and goal see each other.
    Direct,
    /// By way of a hub: where the first and the last corner stand in the hub's tree.
    Hub { near: u32, far: u32 },
}

impl Labels {
    /// The length of a shortest path; `None` where there is none, be it that a tile is
    /// wall or outside the map.
    pub fn distance(&self, start: Tile, goal: Tile, scratch: &mut LabelScratch) -> Option<Cost> {
        self.route(start, goal, scratch).map(|(cost, _)| cost)
    }

    /// The length of a shortest path and how it goes.
    #[inline]
    pub(super) fn route(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut LabelScratch,
    ) -> Option<(Cost, LabelRoute)> {
        if !self.hubs.contains(start) || !self.hubs.contains(goal) {
            return None;
        }
        self.hubs.touch(start, goal);
        if self.sight.sees(start, goal) {
            return Some((self.movement.estimate(start, goal), LabelRoute::Direct));
        }
        let from = self.hubs.block_of(start)?;
        let to = self.hubs.block_of(goal)?;
        self.spread(start, from, scratch);
        let found = self.scan(goal, to, scratch);
        let route = found.and_then(|(cost, near, far)| {
            let (near, far) = self.hubs.places((&from.0, near), (&to.0, far))?;
            Some((cost, LabelRoute::Hub { near, far }))
        });
        HubStore::clean(&from.0, &mut scratch.hubs);
        route
    }

    /// Calls `tell` with the distance from the start to each goal.
    pub(super) fn each_distance(
        &self,
        start: Tile,
        goals: &[Tile],
        scratch: &mut LabelScratch,
        mut tell: impl FnMut(Option<Cost>),
    ) {
        let from = if self.hubs.contains(start) { self.hubs.block_of(start) } else { None };
        let Some(from) = from else {
            goals.iter().for_each(|_| tell(None));
            return;
        };
        self.spread(start, from, scratch);
        for &goal in goals {
            tell(if !self.hubs.contains(goal) {
                None
            } else if self.sight.sees(start, goal) {
                Some(self.movement.estimate(start, goal))
            } else {
                let to = self.hubs.block_of(goal);
                to.and_then(|to| self.scan(goal, to, scratch)).map(|(cost, ..)| cost)
            });
        }
        HubStore::clean(&from.0, &mut scratch.hubs);
    }

    /// The distances from one tile to many, infinite where there is no way.
    pub(super) fn costs_from(
        &self,
        start: Tile,
        goals: &[Tile],
        scratch: &mut LabelScratch,
        out: &mut Vec<Cost>,
    ) {
        out.clear();
        self.each_distance(start, goals, scratch, |cost| out.push(cost.unwrap_or(INFINITY)));
    }

    /// The hubs of one tile and its distances to them: what a tile that is asked about again
    /// and again keeps.
    pub(super) fn hubs_of(&self, tile: Tile, scratch: &mut LabelScratch) -> HubList {
        let mut list = Vec::new();
        if let Some(from) = self.hubs.block_of(tile).filter(|_| self.hubs.contains(tile)) {
            self.spread(tile, from, scratch);
            HubStore::each_hub(&from.0, |hub| {
                let best = scratch.hubs.hubs.get_mut(hub as usize);
                if let Some(best) = best.filter(|best| **best < NOTHING) {
                    list.push((hub, Cost::new((*best >> 32) as u32)));
                    *best = NOTHING;
                }
            });
            HubStore::clean(&from.0, &mut scratch.hubs);
        }
        list.into()
    }

    /// The distances from one tile to tiles whose hubs are known.
    pub(super) fn costs_to_listed<'a>(
        &self,
        start: Tile,
        goals: impl Iterator<Item = (Tile, &'a [(u32, Cost)])>,
        scratch: &mut LabelScratch,
        mut tell: impl FnMut(Cost),
    ) {
        let from = if self.hubs.contains(start) { self.hubs.block_of(start) } else { None };
        let Some(from) = from else {
            goals.for_each(|_| tell(INFINITY));
            return;
        };
        self.spread(start, from, scratch);
        let hubs = &scratch.hubs.hubs[..];
        for (goal, list) in goals {
            let mut least = INFINITY;
            for &(hub, cost) in list {
                let before = hubs.get(hub as usize).copied().unwrap_or(NOTHING) >> 32;
                least = least.min(Cost::new(before as u32) + cost);
            }
            let estimate = self.movement.estimate(start, goal);
            tell(if least > estimate && self.sight.sees(start, goal) { estimate } else { least });
        }
        HubStore::clean(&from.0, &mut scratch.hubs);
    }

    /// Works out the costs from a tile to all vias of its block, infinite for those it
    /// may not use.
    #[inline]
    fn approach(&self, tile: Tile, from: (Block<'_>, u32), scratch: &mut HubScratch) {
        if self.movement == Movement::FourConnected {
            let four = Movement::FourConnected;
            self.hubs.approach(from, scratch, |via| four.estimate(tile, via));
        } else {
            self.hubs.approach(from, scratch, |via| tile.octile(via));
        }
    }

    /// Writes the start's distances to hubs into the array.
    #[inline]
    fn spread(&self, start: Tile, from: (Block<'_>, u32), scratch: &mut LabelScratch) {
        self.approach(start, from, &mut scratch.hubs);
        self.hubs.spread(&from.0, &mut scratch.hubs);
    }

    /// The least sum over shared hubs, and the entries of start and goal that give it.
    #[inline]
    fn scan(&self, goal: Tile, to: (Block<'_>, u32), scratch: &mut LabelScratch) -> Option<Shared> {
        self.approach(goal, to, &mut scratch.hubs);
        HubStore::scan(&to.0, &scratch.hubs)
    }
}
