//! Asking the labels of walks: straight on where the goal is seen, else the least sum over shared
//! hubs, and among sums that rounding cannot tell apart the walk that is shortest.

use super::super::Walk;
use super::super::point::Point;
use super::super::scan::sees;
use super::AngleLabels;
use super::graph::point;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::hubs::{Block, HubScratch, HubStore, NOTHING, split};

/// Sums that differ by more than this are of walks that differ the same way: each is of four lengths,
/// each rounded by at most a half.
const TIE: u64 = 4;

/// The memory of queries: one per thread, for any number of maps.
#[derive(Clone, Debug, Default)]
pub struct AngleScratch {
    hubs: HubScratch,
    /// Entries of the goal that may give the least sum, with their sums.
    tied: Vec<(u64, u32)>,
    corners: Vec<Tile>,
    other: Vec<Tile>,
}

impl AngleScratch {
    /// Memory that grows to fit the labels it is used with.
    pub fn new() -> AngleScratch {
        AngleScratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let corners = self.corners.capacity() + self.other.capacity();
        self.hubs.bytes() + 16 * self.tied.capacity() + 4 * corners
    }
}

impl AngleLabels {
    /// The length of the shortest walk between the centres of two tiles; `None` if there is none.
    pub fn distance(&self, start: Tile, goal: Tile, scratch: &mut AngleScratch) -> Option<f64> {
        let (from, to) = (Point::from(start), Point::from(goal));
        if !self.route(start, goal, scratch)? {
            return Some(from.distance(to));
        }
        Some(length(from, &scratch.corners, to))
    }

    /// The shortest walk between the centres of two tiles; `None` if there is none.
    pub fn find(&self, start: Tile, goal: Tile, scratch: &mut AngleScratch) -> Option<Walk> {
        let mut walk = Walk::default();
        self.find_into(start, goal, scratch, &mut walk).then_some(walk)
    }

    /// Like [`AngleLabels::find`], into a walk whose memory is used again; false if there is none.
    pub fn find_into(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut AngleScratch,
        walk: &mut Walk,
    ) -> bool {
        walk.points.clear();
        let Some(bends) = self.route(start, goal, scratch) else { return false };
        walk.points.push(start.into());
        if bends {
            walk.points.extend(scratch.corners.iter().map(|&corner| point(corner)));
        }
        if goal != start {
            walk.points.push(goal.into());
        }
        true
    }

    /// Whether the shortest walk bends; then its corners are in the scratch. `None` if there is none.
    #[inline]
    fn route(&self, start: Tile, goal: Tile, scratch: &mut AngleScratch) -> Option<bool> {
        if !self.is_free(start) || !self.is_free(goal) {
            return None;
        }
        if sees(&self.angle.plane, start.into(), goal.into()) {
            return Some(false);
        }
        let from = self.hubs.block_of(start)?;
        let to = self.hubs.block_of(goal)?;
        std::hint::black_box(from.0.touch() | to.0.touch());
        self.approach(start, from, &mut scratch.hubs.vias[..]);
        self.hubs.spread(&from.0, &mut scratch.hubs);
        self.approach(goal, to, &mut scratch.hubs.vias[..]);
        let found = self.choose(start, from, goal, to.0, scratch);
        HubStore::clean(&from.0, &mut scratch.hubs);
        found.map(|()| true)
    }

    #[inline]
    fn is_free(&self, tile: Tile) -> bool {
        self.hubs.contains(tile) && self.angle.plane.is_free(tile.x.into(), tile.y.into())
    }

    /// The costs to all vias of a tile's block, infinite for those it does not see.
    #[inline]
    fn approach(&self, tile: Tile, from: (Block<'_>, u32), vias: &mut [Cost]) {
        // In halves of a tile.
        let (x, y) = (2 * i32::from(tile.x) + 1, 2 * i32::from(tile.y) + 1);
        let unit = f64::from(1_u32 << (self.bits - 1));
        HubStore::approach(from, vias, |via| {
            let (dx, dy) =
                (f64::from(2 * i32::from(via.x) - x), f64::from(2 * i32::from(via.y) - y));
            Cost::new(((dx * dx + dy * dy).sqrt() * unit + 0.5) as u32)
        });
    }

    /// Writes the corners of the shortest walk over shared hubs into the scratch.
    #[inline]
    fn choose(
        &self,
        start: Tile,
        from: (Block<'_>, u32),
        goal: Tile,
        to: Block<'_>,
        scratch: &mut AngleScratch,
    ) -> Option<()> {
        let (hubs, vias) = (&scratch.hubs.hubs[..], &*scratch.hubs.vias);
        let mut best = u64::from(INFINITY);
        scratch.tied.clear();
        for (n, (&key, &cost)) in (0_u32..).zip(to.keys.iter().zip(to.costs)) {
            let (hub, via) = split(key);
            let before = hubs.get(hub).copied().unwrap_or(NOTHING);
            let sum = (before >> 32) + u64::from(vias[via]) + u64::from(cost);
            if sum <= best + TIE {
                best = best.min(sum);
                scratch.tied.push((sum, n));
            }
        }
        if best >= u64::from(INFINITY) {
            return None;
        }
        scratch.tied.retain(|&(sum, _)| sum <= best + TIE);
        let AngleScratch { hubs, tied, corners, other } = scratch;
        let reached = |n: u32| hubs.hubs[split(to.keys[n as usize]).0];
        if let [(_, n)] = tied[..] {
            let near = reached(n) as u32 as usize;
            // The start may have others for the same hub: they stand beside each other.
            let hub = |n: usize| from.0.keys.get(n).map(|&key| split(key).0);
            let alone = hub(near) != hub(near + 1) && (near == 0 || hub(near) != hub(near - 1));
            if alone {
                corners.clear();
                self.hubs
                    .append_corners(self.hubs.places((&from.0, near), (&to, n as usize))?, corners);
                return Some(());
            }
        }
        // The costs to the start's vias again: those of the goal lie there now.
        self.approach(start, from, &mut hubs.vias[..]);
        let mut least = f64::INFINITY;
        for &(_, n) in tied.iter() {
            let before = hubs.hubs[split(to.keys[n as usize]).0] >> 32;
            let hub = split(to.keys[n as usize]).0;
            let begin = from.0.keys.partition_point(|&key| split(key).0 < hub);
            for (near, &key) in from.0.keys.iter().enumerate().skip(begin) {
                let (of, via) = split(key);
                if of != hub {
                    break;
                }
                let sum = u64::from(hubs.vias[via]) + u64::from(from.0.costs[near]);
                if sum > before + TIE {
                    continue;
                }
                other.clear();
                self.hubs
                    .append_corners(self.hubs.places((&from.0, near), (&to, n as usize))?, other);
                let whole = length(start.into(), other, goal.into());
                if whole < least {
                    least = whole;
                    std::mem::swap(corners, other);
                }
            }
        }
        (least < f64::INFINITY).then_some(())
    }
}

/// How long a walk over these corners is.
fn length(start: Point, corners: &[Tile], goal: Point) -> f64 {
    let (mut at, mut sum) = (start, 0.0);
    for corner in corners.iter().map(|&corner| point(corner)).chain([goal]) {
        sum += at.distance(corner);
        at = corner;
    }
    sum
}
