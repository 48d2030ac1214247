//! Walks between any two points from labels: the corners that a point sees are found when it is asked,
//! and stand for its vias.
//!
//! Blocks know about centres of tiles only, so this needs the labels of the corners themselves. They are in
//! the trees of the hubs, and are drawn out of them when a point is first asked.

use std::sync::OnceLock;

use super::super::Walk;
use super::super::point::Point;
use super::super::scan::{Cones, scan, sees};
use super::AngleLabels;
use super::blocks::stored;
use super::graph::{Span, point};
use super::query::{AngleScratch, TIE, length};
use crate::cost::INFINITY;
use crate::grid::Tile;
use crate::hubs::{Length, NOTHING};

/// One hub of a corner.
#[derive(Clone, Copy, Debug)]
struct OfCorner {
    hub: u32,
    cost: u32,
    /// Where the corner stands in the trees.
    position: u32,
}

/// The labels of all corners, which are numbered row by row.
#[derive(Clone, Debug, Default)]
pub(super) struct CornerLists {
    first: Vec<u32>,
    entries: Vec<OfCorner>,
}

/// Made when first needed; all are equal, for the rest of the labels says what is in them.
#[derive(Clone, Debug, Default)]
pub(super) struct LazyLists(OnceLock<CornerLists>);

impl PartialEq for LazyLists {
    fn eq(&self, _: &LazyLists) -> bool {
        true
    }
}

impl Eq for LazyLists {}

impl LazyLists {
    pub(super) fn bytes(&self) -> usize {
        let bytes = |lists: &CornerLists| 4 * lists.first.len() + 12 * lists.entries.len();
        self.0.get().map_or(0, bytes)
    }
}

impl CornerLists {
    fn new(labels: &AngleLabels) -> CornerLists {
        let plane = &labels.angle.plane;
        let number = |corner: Tile| plane.rank(corner.x.into(), corner.y.into());
        let mut lists: Vec<Vec<OfCorner>> = vec![Vec::new(); plane.bend_count()];
        labels.hubs.trees.each_node(
            |before, corner, length: Span| length.plus(Span::between(point(before), point(corner))),
            |hub, corner, length, position| {
                let cost = stored(length, labels.bits);
                lists[number(corner)].push(OfCorner { hub, cost, position });
            },
        );
        let mut first = vec![0];
        let mut entries = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        for list in lists {
            entries.extend(list);
            first.push(entries.len() as u32);
        }
        CornerLists { first, entries }
    }

    fn of(&self, corner: u32) -> std::ops::Range<usize> {
        self.first[corner as usize] as usize..self.first[corner as usize + 1] as usize
    }
}

/// The memory of queries between points.
#[derive(Clone, Debug, Default)]
pub(super) struct PointScratch {
    cones: Cones,
    /// The corners that the start and the goal see, and how far they are.
    near: Vec<(u32, u32)>,
    far: Vec<(u32, u32)>,
    /// Sums that may be the least, with the hub and the entry of the goal.
    tied: Vec<(u64, u32, u32)>,
}

impl PointScratch {
    pub(super) fn bytes(&self) -> usize {
        let pairs = self.near.capacity() + self.far.capacity();
        self.cones.bytes() + 8 * pairs + 16 * self.tied.capacity()
    }
}

impl AngleLabels {
    /// The shortest walk between two points, into a walk whose memory is used again; false if there is
    /// none. Between the centres of tiles [`AngleLabels::find_into`] is quicker.
    pub fn find_between(
        &self,
        start: Point,
        goal: Point,
        scratch: &mut AngleScratch,
        walk: &mut Walk,
    ) -> bool {
        walk.points.clear();
        if !self.angle.is_free(start) || !self.angle.is_free(goal) {
            return false;
        }
        let straight = sees(&self.angle.plane, start, goal);
        if !straight && self.choose_between(start, goal, scratch).is_none() {
            return false;
        }
        walk.points.push(start);
        if !straight {
            walk.points.extend(scratch.corners.iter().map(|&corner| point(corner)));
        }
        if walk.points.last() != Some(&goal) {
            walk.points.push(goal);
        }
        if walk.points.len() > 2 && walk.points[0] == walk.points[1] {
            // The start is itself the first corner.
            walk.points.remove(0);
        }
        true
    }

    /// Writes the corners of the shortest walk into the scratch.
    fn choose_between(&self, start: Point, goal: Point, scratch: &mut AngleScratch) -> Option<()> {
        let lists = self.lists.0.get_or_init(|| CornerLists::new(self));
        let plane = &self.angle.plane;
        let AngleScratch { hubs, corners, other, points, .. } = scratch;
        let PointScratch { cones, near, far, tied } = points;
        for (from, seen) in [(start, &mut *near), (goal, &mut *far)] {
            seen.clear();
            scan(plane, from, cones, &mut |column, row| {
                let to = Point::corner(column, row);
                let cost = stored(Span::between(from, to), self.bits);
                seen.push((plane.rank(column, row) as u32, cost));
            });
        }
        let hubs = &mut hubs.hubs;
        if hubs.len() < self.hubs.corners as usize {
            hubs.resize(self.hubs.corners as usize, NOTHING);
        }
        for &(corner, cost) in near.iter() {
            for n in lists.of(corner) {
                let entry = lists.entries[n];
                let reached = u64::from(cost + entry.cost) << 32 | n as u64;
                let best = &mut hubs[entry.hub as usize];
                *best = reached.min(*best);
            }
        }
        let mut best = u64::from(INFINITY);
        tied.clear();
        for &(corner, cost) in far.iter() {
            for n in lists.of(corner) {
                let entry = lists.entries[n];
                let sum = (hubs[entry.hub as usize] >> 32) + u64::from(cost + entry.cost);
                if sum <= best + TIE && sum < u64::from(INFINITY) {
                    best = best.min(sum);
                    tied.push((sum, entry.hub, n as u32));
                }
            }
        }
        tied.retain(|&(sum, ..)| sum <= best + TIE);
        let mut least = f64::INFINITY;
        for &(_, hub, far) in tied.iter() {
            let reached = hubs[hub as usize] >> 32;
            for &(corner, cost) in near.iter() {
                for entry in &lists.entries[lists.of(corner)] {
                    if entry.hub != hub || u64::from(cost + entry.cost) > reached + TIE {
                        continue;
                    }
                    other.clear();
                    let places = (entry.position, lists.entries[far as usize].position);
                    self.hubs.append_corners(places, other);
                    let whole = length(start, other, goal);
                    if whole < least {
                        least = whole;
                        std::mem::swap(corners, other);
                    }
                }
            }
        }
        for &(corner, _) in near.iter() {
            for entry in &lists.entries[lists.of(corner)] {
                hubs[entry.hub as usize] = NOTHING;
            }
        }
        (least < f64::INFINITY).then_some(())
    }
}
