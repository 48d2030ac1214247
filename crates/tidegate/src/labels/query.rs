//! Asking the labels: the least sum over the hubs that start and goal share.
//!
//! The start's block is spread into an array by hub, the goal's block is scanned against
//! it, and the array is cleaned again: no sorting, no merging, few branches.

use super::Labels;
use super::block::{Block, MAX_VIAS, VIA_BITS};
use crate::cost::{Cost, INFINITY};
use crate::grid::{Movement, Tile};
use crate::taut::walk::unpack;

/// The memory of a query: make one for each thread and keep it.
#[derive(Clone, Debug)]
pub struct LabelScratch {
    /// For each hub the distance from the start (upper half) and the start's entry that
    /// gives it (lower half); [`NOTHING`] between queries.
    hubs: Vec<u64>,
    vias: Box<[Cost; MAX_VIAS]>,
    /// Turning points of the path that is being written.
    pub(super) turns: Vec<Tile>,
}

/// A hub that the start does not reach.
const NOTHING: u64 = (INFINITY.get() as u64) << 32;

impl Default for LabelScratch {
    fn default() -> LabelScratch {
        LabelScratch::new()
    }
}

impl LabelScratch {
    /// Memory that grows to fit the labels it is first used with.
    pub fn new() -> LabelScratch {
        let vias = Box::new([INFINITY; MAX_VIAS]);
        LabelScratch { hubs: Vec::new(), vias, turns: Vec::new() }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        8 * self.hubs.capacity() + 4 * MAX_VIAS + 4 * self.turns.capacity()
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

#[inline]
fn split(key: u32) -> (usize, usize) {
    ((key >> VIA_BITS) as usize, key as usize & (MAX_VIAS - 1))
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
        if !self.contains(start) || !self.contains(goal) {
            return None;
        }
        if self.sight.sees(start, goal) {
            return Some((self.movement.estimate(start, goal), LabelRoute::Direct));
        }
        let from = self.block_of(start)?;
        let to = self.block_of(goal)?;
        std::hint::black_box(from.0.touch() | to.0.touch());
        self.spread(start, from, scratch);
        let found = self.scan(goal, to, scratch);
        let route = found.and_then(|(cost, near, far)| {
            let (hub, _) = split(*to.0.keys.get(far)?);
            let start = self.trees.start(hub as u32);
            let near = start.checked_add(from.0.position(near)?)?;
            let far = start.checked_add(to.0.position(far)?)?;
            Some((cost, LabelRoute::Hub { near, far }))
        });
        clean(&from.0, scratch);
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
        let from = if self.contains(start) { self.block_of(start) } else { None };
        let Some(from) = from else {
            goals.iter().for_each(|_| tell(None));
            return;
        };
        self.spread(start, from, scratch);
        for &goal in goals {
            tell(if !self.contains(goal) {
                None
            } else if self.sight.sees(start, goal) {
                Some(self.movement.estimate(start, goal))
            } else {
                let to = self.block_of(goal);
                to.and_then(|to| self.scan(goal, to, scratch)).map(|(cost, ..)| cost)
            });
        }
        clean(&from.0, scratch);
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
        if let Some(from) = self.block_of(tile).filter(|_| self.contains(tile)) {
            self.spread(tile, from, scratch);
            for &key in from.0.keys {
                let (hub, _) = split(key);
                if let Some(best) = scratch.hubs.get_mut(hub).filter(|best| **best < NOTHING) {
                    list.push((hub as u32, Cost::new((*best >> 32) as u32)));
                    *best = NOTHING;
                }
            }
            clean(&from.0, scratch);
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
        let from = if self.contains(start) { self.block_of(start) } else { None };
        let Some(from) = from else {
            goals.for_each(|_| tell(INFINITY));
            return;
        };
        self.spread(start, from, scratch);
        let hubs = &scratch.hubs[..];
        for (goal, list) in goals {
            let mut least = INFINITY;
            for &(hub, cost) in list {
                let before = hubs.get(hub as usize).copied().unwrap_or(NOTHING) >> 32;
                least = least.min(Cost::new(before as u32) + cost);
            }
            let estimate = self.movement.estimate(start, goal);
            tell(if least > estimate && self.sight.sees(start, goal) { estimate } else { least });
        }
        clean(&from.0, scratch);
    }

    #[inline]
    pub(super) fn contains(&self, tile: Tile) -> bool {
        u32::from(tile.x) < self.width && u32::from(tile.y) < self.height
    }

    /// Works out the costs from a tile to all vias of its block, infinite for those it
    /// may not use.
    #[inline]
    fn approach(&self, tile: Tile, from: (Block<'_>, u32), vias: &mut [Cost]) {
        if self.movement == Movement::FourConnected {
            approach_by(from, vias, |via| Movement::FourConnected.estimate(tile, via));
        } else {
            approach_by(from, vias, |via| tile.octile(via));
        }
    }

    /// Writes the start's distances to hubs into the array.
    #[inline]
    fn spread(&self, start: Tile, from: (Block<'_>, u32), scratch: &mut LabelScratch) {
        if scratch.hubs.len() < self.corners as usize {
            scratch.hubs.resize(self.corners as usize, NOTHING);
        }
        self.approach(start, from, &mut scratch.vias[..]);
        let (hubs, vias) = (&mut scratch.hubs[..], &*scratch.vias);
        for (entry, (&key, &cost)) in (0_u64..).zip(from.0.keys.iter().zip(from.0.costs)) {
            let (hub, via) = split(key);
            // Two infinities fit 32 bits, so a via that is not open only stays above.
            let reached = u64::from(vias[via].get() + cost) << 32 | entry;
            if let Some(best) = hubs.get_mut(hub) {
                *best = reached.min(*best);
            }
        }
    }

    /// The least sum over shared hubs, and the entries of start and goal that give it.
    #[inline]
    fn scan(
        &self,
        goal: Tile,
        to: (Block<'_>, u32),
        scratch: &mut LabelScratch,
    ) -> Option<(Cost, usize, usize)> {
        self.approach(goal, to, &mut scratch.vias[..]);
        let (hubs, vias) = (&scratch.hubs[..], &*scratch.vias);
        let mut best = u64::from(INFINITY);
        let mut found = None;
        for (n, (&key, &cost)) in to.0.keys.iter().zip(to.0.costs).enumerate() {
            let (hub, via) = split(key);
            let before = hubs.get(hub).copied().unwrap_or(NOTHING);
            let sum = (before >> 32) + u64::from(vias[via]) + u64::from(cost);
            if sum < best {
                best = sum;
                found = Some((before as u32 as usize, n));
            }
        }
        found.map(|(near, far)| (Cost::new(best as u32), near, far))
    }
}

/// The costs to all vias of a block, each by `cost` or infinite.
#[inline]
fn approach_by((block, lane): (Block<'_>, u32), mut out: &mut [Cost], cost: impl Fn(Tile) -> Cost) {
    for (tiles, masks, bit) in block.vias(lane) {
        let (costs, rest) = out.split_at_mut(tiles.len().min(out.len()));
        out = rest;
        for ((&via, &mask), to_via) in tiles.iter().zip(masks).zip(costs) {
            // All ones where the via is open: chosen without a branch.
            let open = 0_u32.wrapping_sub(mask >> bit & 1);
            *to_via = Cost::new((cost(unpack(via)).get() & open) | (INFINITY.get() & !open));
        }
    }
}

/// Makes the array empty again.
#[inline]
fn clean(from: &Block<'_>, scratch: &mut LabelScratch) {
    for &key in from.keys {
        if let Some(best) = scratch.hubs.get_mut(split(key).0) {
            *best = NOTHING;
        }
    }
}
