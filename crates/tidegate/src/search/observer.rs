//! Watching a search without changing it, or telling it when to stop.

use std::ops::ControlFlow;

/// Notified of every event of a search. All defaults are empty, and the unit type `()`
/// watches nothing, so a search that nobody watches pays nothing.
pub trait Observer<W> {
    /// A node was put on the open list, reached over `parent` at cost `g`, with the
    /// estimate `h` still to go. A source's parent is [`super::NO_PARENT`].
    #[inline]
    fn generate(&mut self, node: u32, parent: u32, g: W, h: W) {
        let _ = (node, parent, g, h);
    }

    /// A node is about to be expanded. `Break` ends the search.
    #[inline]
    fn expand(&mut self, node: u32, g: W, h: W) -> ControlFlow<()> {
        let _ = (node, g, h);
        ControlFlow::Continue(())
    }

    /// Work that is no expansion was done, worth so many of them. `Break` ends the query.
    #[inline]
    fn spend(&mut self, expansions: u64) -> ControlFlow<()> {
        let _ = expansions;
        ControlFlow::Continue(())
    }
}

impl<W> Observer<W> for () {}

/// Calls a closure with every node that is expanded and its cost.
pub(crate) struct Each<F>(pub(crate) F);

impl<W, F: FnMut(u32, W) -> ControlFlow<()>> Observer<W> for Each<F> {
    #[inline]
    fn expand(&mut self, node: u32, g: W, _: W) -> ControlFlow<()> {
        (self.0)(node, g)
    }
}

/// Stops a search before it expands more than so many nodes.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Expansions still allowed.
    pub left: u64,
}

impl<W> Observer<W> for Budget {
    #[inline]
    fn expand(&mut self, _: u32, _: W, _: W) -> ControlFlow<()> {
        if self.left == 0 {
            return ControlFlow::Break(());
        }
        self.left -= 1;
        ControlFlow::Continue(())
    }

    #[inline]
    fn spend(&mut self, expansions: u64) -> ControlFlow<()> {
        let enough = expansions <= self.left;
        self.left = self.left.saturating_sub(expansions);
        if enough { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Remembers the expanded node that seems nearest to the goal: least estimate, then
/// least cost, then smaller number. A unit can set out for it when time runs out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nearest<W> {
    /// Estimate, cost and node of the best so far.
    pub best: Option<(W, W, u32)>,
}

impl<W: super::Weight> Observer<W> for Nearest<W> {
    #[inline]
    fn expand(&mut self, node: u32, g: W, h: W) -> ControlFlow<()> {
        let key = |(h, g, node): (W, W, u32)| (h, g, node);
        let (new, old) = (key((h, g, node)), self.best.map(key));
        if old.is_none_or(|old| new.partial_cmp(&old).is_some_and(|o| o.is_lt())) {
            self.best = Some((h, g, node));
        }
        ControlFlow::Continue(())
    }
}

/// One thing that happened in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<W> {
    /// A node was put on the open list.
    Generate {
        /// The node.
        node: u32,
        /// Where it was reached from; [`super::NO_PARENT`] for a source.
        parent: u32,
        /// Cost so far.
        g: W,
        /// Estimate of the rest.
        h: W,
    },
    /// A node was expanded.
    Expand {
        /// The node.
        node: u32,
        /// Cost so far.
        g: W,
        /// Estimate of the rest.
        h: W,
    },
}

/// Writes down everything that happens, to be played back. Past `limit` events the
/// search goes on unrecorded.
#[derive(Clone, Debug)]
pub struct Recorder<W> {
    /// What happened, in order.
    pub events: Vec<Event<W>>,
    /// The most events to keep.
    pub limit: usize,
    /// How many events there were, those not kept included.
    pub seen: u64,
}

impl<W> Recorder<W> {
    /// Keeps at most `limit` events.
    pub fn new(limit: usize) -> Recorder<W> {
        Recorder { events: Vec::new(), limit, seen: 0 }
    }

    /// The nodes in the order they were expanded, repeats included.
    pub fn expanded(&self) -> impl Iterator<Item = u32> + '_ {
        self.events.iter().filter_map(|event| match event {
            Event::Expand { node, .. } => Some(*node),
            Event::Generate { .. } => None,
        })
    }

    fn keep(&mut self, event: Event<W>) {
        self.seen += 1;
        if self.events.len() < self.limit {
            self.events.push(event);
        }
    }
}

impl<W> Observer<W> for Recorder<W> {
    fn generate(&mut self, node: u32, parent: u32, g: W, h: W) {
        self.keep(Event::Generate { node, parent, g, h });
    }

    fn expand(&mut self, node: u32, g: W, h: W) -> ControlFlow<()> {
        self.keep(Event::Expand { node, g, h });
        ControlFlow::Continue(())
    }
}
