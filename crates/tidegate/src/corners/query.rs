//! Two searches up the hierarchy, one from each end, until they meet on the best way.
//!
//! Each side goes on with the corner that promises the shortest path: what it cost to get
//! there and the empty-map distance to the other end. A side goes only where a taut path
//! can turn, and ends when nothing left promises less than the best meeting so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Corners;
use super::unpack::Leg;
use crate::cost::{Cost, INFINITY};
use crate::grid::{Movement, Tile};
use crate::search::{NO_PARENT, Observer, Stats};
use crate::taut::direction;
use crate::taut::walk::unpack;

/// No corner: the mark of the first corner on a way.
pub(super) const NONE: u32 = u32::MAX;

/// What a side knows of a corner.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Label {
    cost: u32,
    /// The corner before it, or [`NONE`].
    pub(super) from: u32,
    /// The classes in which the search may go on.
    turns: u16,
    /// The query that wrote this.
    generation: u16,
}

/// The memory of a query: make one for each thread and keep it.
#[derive(Clone, Debug, Default)]
pub struct CornerScratch {
    /// By corner, what the two sides know.
    pub(super) labels: Vec<[Label; 2]>,
    generation: u16,
    /// By side, corners with the least length they promise.
    open: [BinaryHeap<Reverse<u64>>; 2],
    /// Corners of the hierarchy on the way, for unpacking.
    pub(super) chain: Vec<u32>,
    pub(super) stack: Vec<Leg>,
    pub(super) turns: Vec<Tile>,
    /// Of the corners expanded from the start: the one nearest to the goal, with its
    /// estimate and cost.
    pub(super) nearest: Option<(Cost, u32, u32)>,
    pub(super) stats: Stats,
}

impl CornerScratch {
    /// Memory that grows to fit the map it is first used with.
    pub fn new() -> CornerScratch {
        CornerScratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let open: usize = self.open.iter().map(BinaryHeap::capacity).sum();
        self.labels.capacity() * size_of::<[Label; 2]>()
            + 8 * open
            + size_of::<Leg>() * self.stack.capacity()
            + 4 * (self.chain.capacity() + self.turns.capacity())
    }

    /// Makes all labels old.
    fn begin(&mut self, corners: usize) {
        if self.labels.len() < corners {
            self.labels.resize(corners, Default::default());
        }
        if self.generation == u16::MAX {
            self.labels.fill(Default::default());
            self.generation = 0;
        }
        self.generation += 1;
        self.open.iter_mut().for_each(BinaryHeap::clear);
        self.nearest = None;
        self.stats = Stats::default();
    }
}

/// How a path goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// Start and goal see each other.
    Direct(Cost),
    /// The two searches met at this corner.
    Over(Cost, u32),
    /// There is none below the limit.
    Nowhere,
    /// The observer said stop.
    Stopped,
}

impl Route {
    pub(super) fn cost(self) -> Option<Cost> {
        match self {
            Route::Direct(cost) | Route::Over(cost, _) => Some(cost),
            _ => None,
        }
    }
}

impl Corners {
    /// The length of a shortest path; `None` where there is none, be it that a tile is
    /// wall or outside the map.
    pub fn distance(&self, start: Tile, goal: Tile, scratch: &mut CornerScratch) -> Option<Cost> {
        self.route(start, goal, INFINITY, scratch, &mut ()).cost()
    }

    /// How a shortest path goes, if it costs less than the limit.
    #[inline]
    pub(super) fn route<O: Observer<Cost> + ?Sized>(
        &self,
        start: Tile,
        goal: Tile,
        limit: Cost,
        scratch: &mut CornerScratch,
        observer: &mut O,
    ) -> Route {
        scratch.begin(self.hierarchy.corners.len());
        if !self.bits.is_free(start) || !self.bits.is_free(goal) {
            return Route::Nowhere;
        }
        if self.bits.sees(self.movement, start, goal) {
            let cost = self.movement.estimate(start, goal);
            return if cost < limit { Route::Direct(cost) } else { Route::Nowhere };
        }
        let four = |a, b| Movement::FourConnected.estimate(a, b).get();
        let octile = |a: Tile, b| a.octile(b).get();
        match self.movement {
            Movement::FourConnected => self.meet([start, goal], limit, scratch, observer, four),
            _ => self.meet([start, goal], limit, scratch, observer, octile),
        }
    }

    #[inline]
    fn meet<O: Observer<Cost> + ?Sized>(
        &self,
        ends: [Tile; 2],
        limit: Cost,
        scratch: &mut CornerScratch,
        observer: &mut O,
        estimate: impl Fn(Tile, Tile) -> u32,
    ) -> Route {
        let CornerScratch { labels, generation, open, nearest, stats, .. } = scratch;
        let generation = *generation;
        let labels = &mut labels[..];
        let corners = &self.hierarchy.corners[..];
        let cell = |tile: Tile| u32::from(tile.y) * self.width + u32::from(tile.x);
        let mut best = (limit.get(), NONE);
        for side in 0..2 {
            let (end, other) = (ends[side], ends[1 - side]);
            let mut queue = std::mem::take(&mut open[side]).into_vec();
            self.vias.each(end, |n| {
                let corner = &corners[n as usize];
                let cost = estimate(end, corner.tile);
                let arrive = direction(end, corner.tile);
                let turns = self.rules.departures(corner.pattern, arrive) & corner.leaves;
                let label = &mut labels[n as usize];
                label[side] = Label { cost, from: NONE, turns, generation };
                let met = label[1 - side];
                if met.generation == generation && met.cost + cost < best.0 {
                    best = (met.cost + cost, n);
                }
                let left = estimate(corner.tile, other);
                if turns != 0 && cost + left < best.0 {
                    queue.push(Reverse(u64::from(cost + left) << 32 | u64::from(n)));
                    let (g, h) = (Cost::new(cost), Cost::new(left));
                    observer.generate(cell(corner.tile), NO_PARENT, g, h);
                }
            });
            stats.generated += queue.len() as u64;
            open[side] = BinaryHeap::from(queue);
        }
        loop {
            let key = |side: usize| open[side].peek().map_or(u64::MAX, |key| key.0);
            let keys = [key(0), key(1)];
            let side = usize::from(keys[1] < keys[0]);
            let (bound, n) = ((keys[side] >> 32) as u32, keys[side] as u32);
            if bound >= best.0 {
                break;
            }
            open[side].pop();
            let label = labels[n as usize][side];
            let corner = &corners[n as usize];
            let left = estimate(corner.tile, ends[1 - side]);
            // It became cheaper, and was expanded, after this entry was made.
            if label.cost + left != bound {
                continue;
            }
            let (g, h) = (Cost::new(label.cost), Cost::new(left));
            if observer.expand(cell(corner.tile), g, h).is_break() {
                return Route::Stopped;
            }
            stats.expanded += 1;
            let open_now = open[0].len() + open[1].len() + 1;
            stats.peak_open = stats.peak_open.max(open_now as u64);
            if side == 0 {
                let here = (h, label.cost, n);
                *nearest = Some(nearest.map_or(here, |known| known.min(here)));
            }
            for arc in self.hierarchy.up.get(n) {
                let cost = label.cost + arc.cost;
                if arc.leave & label.turns == 0 || cost >= best.0 {
                    continue;
                }
                let left = estimate(unpack(arc.tile), ends[1 - side]);
                if cost + left >= best.0 {
                    continue;
                }
                let known = &mut labels[arc.to as usize];
                let mine = &mut known[side];
                if mine.generation == generation && mine.cost <= cost {
                    // Of equally short ways all turns count.
                    if mine.cost < cost || mine.turns | arc.turns == mine.turns {
                        continue;
                    }
                    mine.turns |= arc.turns;
                } else {
                    *mine = Label { cost, from: n, turns: arc.turns, generation };
                    let met = known[1 - side];
                    if met.generation == generation && met.cost + cost < best.0 {
                        best = (met.cost + cost, arc.to);
                    }
                }
                if arc.turns != 0 {
                    open[side].push(Reverse(u64::from(cost + left) << 32 | u64::from(arc.to)));
                    stats.generated += 1;
                    let (g, h) = (Cost::new(cost), Cost::new(left));
                    observer.generate(cell(unpack(arc.tile)), cell(corner.tile), g, h);
                }
            }
        }
        if best.1 == NONE { Route::Nowhere } else { Route::Over(Cost::new(best.0), best.1) }
    }
}
