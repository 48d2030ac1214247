//! THE loop: best-first search over any space, with any estimate, watched by anyone.
//!
//! A* on tiles, Dijkstra floods from many sources, hierarchical searches and the exact
//! replay of published experiments are all this loop with another [`Space`],
//! [`Heuristic`] or [`Observer`]. It keeps one invariant: when a goal is popped, its
//! cost is the least there is, provided the estimate never exceeds the truth. Estimates
//! may be inconsistent: a node that is reached again at less cost is expanded again.
//! Whatever the estimate, the cost of the goal is that of the way back from it.
//!
//! The order of expansion is total: least f first, then larger g, then smaller node
//! number. So a search expands the same nodes on every machine.

mod chunks;
mod martelli;
mod observer;
mod octile;
mod open;
mod scratch;
mod slice;
mod space;
mod through;
mod weight;

use std::ops::ControlFlow;

pub use martelli::MartelliQueue;
pub(crate) use observer::Each;
pub use observer::{Budget, Event, Nearest, Observer, Recorder};
pub use octile::Octile;
pub use open::{BucketQueue, HeapQueue, Open};
pub use scratch::{NO_PARENT, SearchScratch};
pub(crate) use slice::Slice;
pub use space::{BlockedSpace, CostSpace, GridSpace, Space};
pub use through::{BelowCost, NodesToCells};
pub use weight::Weight;

/// An estimate of the cost still to go.
pub trait Heuristic<W> {
    /// The estimate at a node; `None` if no best way to the goal need lead over it, so
    /// that the node is dropped. Asked at most once per node and search.
    fn estimate(&mut self, node: u32) -> Option<W>;

    /// Whether a neighbour of the node may be dropped although it lies on a best way
    /// (because there is another). Then every step from the node is taken, also those
    /// that such a neighbour would make as well.
    #[inline]
    fn drops_beside(&self, node: u32) -> bool {
        let _ = node;
        false
    }
}

impl<W, F: FnMut(u32) -> Option<W>> Heuristic<W> for F {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<W> {
        self(node)
    }
}

/// No knowledge at all: turns the loop into Dijkstra's algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl<W: Weight> Heuristic<W> for Blind {
    #[inline]
    fn estimate(&mut self, _: u32) -> Option<W> {
        Some(W::ZERO)
    }
}

/// How much work a search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes popped and expanded; the goal counts, repeats count, a node at which the
    /// observer said stop does not.
    pub expanded: u64,
    /// Of those, nodes that had been expanded before.
    pub reexpanded: u64,
    /// Nodes put on the open list, again each time they got cheaper.
    pub generated: u64,
    /// The most entries the open list held.
    pub peak_open: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.expanded += other.expanded;
        self.reexpanded += other.reexpanded;
        self.generated += other.generated;
        self.peak_open = self.peak_open.max(other.peak_open);
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End<W> {
    /// A goal was popped: this node, at the cost of the way back from it, which is the
    /// least if the estimate never exceeds the truth.
    Goal(u32, W),
    /// Everything that can be reached was expanded.
    Exhausted,
    /// The observer said stop.
    Stopped,
    /// Something could only be reached at a cost beyond [`Weight::LIMIT`].
    TooFar,
}

/// Runs the loop from `sources` (nodes with their cost so far) until `is_goal` accepts
/// a popped node. The scratch then holds costs and parents of everything reached.
pub fn search<S, H, Q, O>(
    space: &S,
    sources: &[(u32, S::Weight)],
    is_goal: impl FnMut(u32) -> bool,
    heuristic: &mut H,
    scratch: &mut SearchScratch<S::Weight, Q>,
    observer: &mut O,
) -> (End<S::Weight>, Stats)
where
    S: Space,
    H: Heuristic<S::Weight>,
    Q: Open<S::Weight>,
    O: Observer<S::Weight> + ?Sized,
{
    let mut run = Run::default();
    let end = run.go_on::<false, _, _, _, _>(
        space,
        sources,
        is_goal,
        heuristic,
        scratch,
        observer,
        u64::MAX,
    );
    (end.unwrap_or(End::Stopped), run.stats)
}

/// A search before its beginning or under way: what the loop knows besides the open list and
/// the records, which are in its scratch. It may rest between two expansions for as long as
/// nobody else searches with that scratch. Whoever goes on with it may have made the
/// estimate again meanwhile: every node is asked about once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub(crate) stats: Stats,
    too_far: bool,
    has_begun: bool,
}

impl Run {
    /// THE loop. If it `PAUSES`, for at most so many expansions; `None` if the search has not
    /// ended by then. One that does not pays nothing for it.
    #[expect(clippy::too_many_arguments)]
    pub(crate) fn go_on<const PAUSES: bool, S, H, Q, O>(
        &mut self,
        space: &S,
        sources: &[(u32, S::Weight)],
        mut is_goal: impl FnMut(u32) -> bool,
        heuristic: &mut H,
        scratch: &mut SearchScratch<S::Weight, Q>,
        observer: &mut O,
        expansions: u64,
    ) -> Option<End<S::Weight>>
    where
        S: Space,
        H: Heuristic<S::Weight>,
        Q: Open<S::Weight>,
        O: Observer<S::Weight> + ?Sized,
    {
        let begins = !self.has_begun;
        if begins {
            scratch.begin(space.nodes());
            self.has_begun = true;
        }
        let Run { mut stats, mut too_far, .. } = *self;
        let (records, open) = scratch.split();
        for &(node, g) in sources.iter().filter(|_| begins) {
            if let Some(h) = records.improve(node, g, NO_PARENT, heuristic) {
                stats.generated += 1;
                observer.generate(node, NO_PARENT, g, h);
                open.push(g + h, g, node);
            }
        }
        let rest_at = stats.expanded.saturating_add(expansions);
        let end = loop {
            if PAUSES && stats.expanded >= rest_at {
                break None;
            }
            let Some((g, node)) = open.pop() else {
                break Some(if too_far { End::TooFar } else { End::Exhausted });
            };
            let Some((again, parent)) = records.close(node, g) else { continue };
            if observer.expand(node, g, records.h(node)) == ControlFlow::Break(()) {
                break Some(End::Stopped);
            }
            stats.expanded += 1;
            stats.reexpanded += u64::from(again);
            if is_goal(node) {
                break Some(End::Goal(node, records.settle(space, node, g)));
            }
            let parent = if heuristic.drops_beside(node) { NO_PARENT } else { parent };
            space.successors(node, parent, |next, step| {
                let g = g + step;
                if g > S::Weight::LIMIT {
                    too_far = true;
                } else if let Some(h) = records.improve(next, g, node, heuristic) {
                    stats.generated += 1;
                    observer.generate(next, node, g, h);
                    open.push(g + h, g, next);
                }
            });
            stats.peak_open = stats.peak_open.max(open.len() as u64);
        };
        (self.stats, self.too_far) = (stats, too_far);
        end
    }
}
