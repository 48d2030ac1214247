//! Watching a search without changing it, or telling it when to stop.

use std::ops::ControlFlow;

/// Told of every event of a search. All defaults are empty, and the unit type `()`
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
}

impl<W> Observer<W> for () {}

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
