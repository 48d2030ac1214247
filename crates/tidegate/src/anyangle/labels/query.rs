//! Asking the labels of walks: straight on where the goal is seen, else the least sum over shared
//! hubs, and among sums that rounding cannot tell apart the walk that is shortest.

use super::super::Walk;
use super::super::point::Point;
use super::super::scan::sees;
use super::AngleLabels;
use super::graph::point;
use super::points::PointScratch;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::hubs::{Block, HubScratch, HubStore, ViaCosts};

/// Sums that differ by more than this are of walks that differ the same way: each is of four lengths,
/// each rounded by at most a half.
pub(super) const TIE: u64 = 4;

/// The memory of queries: one per thread, for any number of maps.
#[derive(Clone, Debug, Default)]
pub struct AngleScratch {
    pub(super) hubs: HubScratch,
    /// The costs to the vias of the start.
    start_vias: ViaCosts,
    /// Sums that may be the least, with the entries of start and goal that give them.
    tied: Vec<(u64, u32, u32)>,
    pub(super) corners: Vec<Tile>,
    pub(super) other: Vec<Tile>,
    pub(super) points: PointScratch,
}

impl AngleScratch {
    /// Memory that grows to fit the labels it is used with.
    pub fn new() -> AngleScratch {
        AngleScratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let corners = self.corners.capacity() + self.other.capacity();
        self.hubs.bytes() + self.points.bytes() + 16 * self.tied.capacity() + 4 * corners
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
        self.hubs.touch(start, goal);
        if sees(&self.angle.plane, start.into(), goal.into()) {
            return Some(false);
        }
        let from = self.hubs.block_of(start)?;
        let to = self.hubs.block_of(goal)?;
        self.approach(start, from, &mut scratch.hubs);
        self.hubs.spread(&from.0, &mut scratch.hubs);
        std::mem::swap(&mut scratch.hubs.vias, &mut scratch.start_vias);
        self.approach(goal, to, &mut scratch.hubs);
        let found = self.choose(start, from.0, goal, to.0, scratch);
        HubStore::clean(&from.0, &mut scratch.hubs);
        found.map(|()| true)
    }

    #[inline]
    fn is_free(&self, tile: Tile) -> bool {
        self.hubs.contains(tile) && self.angle.plane.is_free(tile.x.into(), tile.y.into())
    }

    /// The costs to all vias of a tile's block, infinite for those it does not see.
    #[inline]
    fn approach(&self, tile: Tile, from: (Block<'_>, u32), scratch: &mut HubScratch) {
        // In halves of a tile.
        let (x, y) = (2 * i32::from(tile.x) + 1, 2 * i32::from(tile.y) + 1);
        let unit = f64::from(1_u32 << (self.bits - 1));
        self.hubs.approach(from, scratch, |via| {
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
        from: Block<'_>,
        goal: Tile,
        to: Block<'_>,
        scratch: &mut AngleScratch,
    ) -> Option<()> {
        let AngleScratch { hubs, start_vias, tied, corners, other, .. } = scratch;
        let mut best = u64::from(INFINITY);
        tied.clear();
        HubStore::each_sum(&to, hubs, |near, far, sum| {
            if sum <= best + TIE {
                best = best.min(sum);
                tied.push((sum, near as u32, far as u32));
            }
        });
        if best >= u64::from(INFINITY) {
            return None;
        }
        tied.retain(|&(sum, ..)| sum <= best + TIE);
        // The start may reach a hub over several vias that rounding cannot tell apart either.
        for n in 0..tied.len() {
            let (sum, near, far) = tied[n];
            let hub = from.hub(near as usize)?;
            let reached = hubs.hubs[hub as usize] >> 32;
            let layout = from.layout;
            let begin = from.keys.partition_point(|&key| layout.hub(key) < hub);
            let same = from.keys[begin..].iter().take_while(|&&key| layout.hub(key) == hub);
            for (n, (&key, &cost)) in (begin..).zip(same.zip(&from.costs[begin..])) {
                let via = u64::from(start_vias[layout.via(key)]);
                let other = via + u64::from(layout.cost(cost));
                if n as u32 != near && other <= reached + TIE {
                    tied.push((sum, n as u32, far));
                }
            }
            let implied = from.vias.binary_search(&hub).ok();
            if let Some(via) = implied.filter(|&via| u64::from(start_vias[via]) <= reached + TIE) {
                let n = (from.keys.len() + via) as u32;
                if n != near {
                    tied.push((sum, n, far));
                }
            }
        }
        let corners_of = |&(_, near, far): &(u64, u32, u32), out: &mut Vec<Tile>| {
            out.clear();
            let places = self.hubs.places((&from, near as usize), (&to, far as usize))?;
            self.hubs.append_corners(places, out);
            Some(())
        };
        if let [only] = &tied[..] {
            return corners_of(only, corners);
        }
        let mut least = f64::INFINITY;
        for pair in tied.iter() {
            corners_of(pair, other)?;
            let whole = length(start.into(), other, goal.into());
            if whole < least {
                least = whole;
                std::mem::swap(corners, other);
            }
        }
        (least < f64::INFINITY).then_some(())
    }
}

/// How long a walk over these corners is.
pub(super) fn length(start: Point, corners: &[Tile], goal: Point) -> f64 {
    let (mut at, mut sum) = (start, 0.0);
    for corner in corners.iter().map(|&corner| point(corner)).chain([goal]) {
        sum += at.distance(corner);
        at = corner;
    }
    sum
}
