//! Observers that pass on to another what they see, changed.

use std::ops::ControlFlow;

use super::Observer;
use crate::cost::Cost;

/// Tells an observer of cells instead of the small numbers of a search inside.
#[derive(Debug)]
pub struct NodesToCells<'a, O: ?Sized, F> {
    /// Who is notified.
    pub inner: &'a mut O,
    /// The cell of a node.
    pub cell: F,
}

impl<O: Observer<Cost> + ?Sized, F: Fn(u32) -> u32> Observer<Cost> for NodesToCells<'_, O, F> {
    #[inline]
    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        let none = parent == super::NO_PARENT;
        let parent = if none { parent } else { (self.cell)(parent) };
        self.inner.generate((self.cell)(node), parent, g, h);
    }

    #[inline]
    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        self.inner.expand((self.cell)(node), g, h)
    }

    #[inline]
    fn spend(&mut self, expansions: u64) -> ControlFlow<()> {
        self.inner.spend(expansions)
    }
}

/// Ends a search that cannot beat a cost already found.
#[derive(Debug)]
pub struct BelowCost<'a, O: ?Sized> {
    /// Who is notified.
    pub inner: &'a mut O,
    /// What has to be beaten.
    pub best: Cost,
    /// Whether that ended the search.
    pub beaten: bool,
}

impl<O: Observer<Cost> + ?Sized> Observer<Cost> for BelowCost<'_, O> {
    #[inline]
    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        self.inner.generate(node, parent, g, h);
    }

    #[inline]
    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        if g + h >= self.best {
            self.beaten = true;
            return ControlFlow::Break(());
        }
        self.inner.expand(node, g, h)
    }

    #[inline]
    fn spend(&mut self, expansions: u64) -> ControlFlow<()> {
        self.inner.spend(expansions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::NO_PARENT;

    #[derive(Default)]
    struct Notes(Vec<(u32, u32)>);

    impl Observer<Cost> for Notes {
        fn generate(&mut self, node: u32, parent: u32, _: Cost, _: Cost) {
            self.0.push((node, parent));
        }

        fn expand(&mut self, node: u32, _: Cost, _: Cost) -> ControlFlow<()> {
            self.0.push((node, node));
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn cells_are_told_in_the_place_of_nodes() {
        let mut notes = Notes::default();
        let mut through = NodesToCells { inner: &mut notes, cell: |n| n + 10 };
        through.generate(1, NO_PARENT, Cost::ZERO, Cost::ZERO);
        through.generate(2, 1, Cost::ZERO, Cost::ZERO);
        assert!(through.expand(2, Cost::ZERO, Cost::ZERO).is_continue());
        assert_eq!(notes.0, [(11, NO_PARENT), (12, 11), (12, 12)]);
    }
}
