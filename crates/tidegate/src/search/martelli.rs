//! Martelli's order for estimates that are not consistent.
//!
//! With such an estimate a node can be expanded again and again, in the worst case
//! exponentially often. Martelli's algorithm B bounds that: let F be the largest f
//! expanded so far; whatever is open below F is expanded by least g alone, because no
//! estimate there can be trusted more than F itself.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{BucketQueue, Open};
use crate::cost::Cost;

/// Least f first, then larger g, then smaller node number; but entries below the
/// largest f popped so far come first of all, by least g, then smaller node number.
#[derive(Clone, Debug, Default)]
pub struct MartelliQueue {
    /// Entries at or above `highest`.
    ahead: BucketQueue,
    /// Entries below it.
    behind: BinaryHeap<Reverse<(Cost, u32)>>,
    highest: Cost,
}

impl Open<Cost> for MartelliQueue {
    fn clear(&mut self, nodes: usize) {
        self.ahead.clear(nodes);
        self.behind.clear();
        self.highest = Cost::ZERO;
    }

    #[inline]
    fn push(&mut self, f: Cost, g: Cost, node: u32) {
        if f < self.highest {
            self.behind.push(Reverse((g, node)));
        } else {
            self.ahead.push(f, g, node);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(Cost, u32)> {
        if let Some(Reverse(entry)) = self.behind.pop() {
            return Some(entry);
        }
        let (f, g, node) = self.ahead.pop_with_f()?;
        self.highest = f;
        Some((g, node))
    }

    fn len(&self) -> usize {
        self.ahead.len() + self.behind.len()
    }

    fn bytes(&self) -> usize {
        self.ahead.bytes() + self.behind.capacity() * size_of::<(Cost, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_below_the_highest_f_comes_by_least_g() {
        let mut open = MartelliQueue::default();
        open.clear(10);
        let push = |open: &mut MartelliQueue, f, g, node| {
            open.push(Cost::new(f), Cost::new(g), node);
        };
        push(&mut open, 50_000, 10_000, 1);
        push(&mut open, 60_000, 10_000, 2);
        push(&mut open, 60_000, 30_000, 3);
        assert_eq!(open.pop(), Some((Cost::new(10_000), 1)));
        assert_eq!(open.pop(), Some((Cost::new(30_000), 3)), "larger g among equal f");
        push(&mut open, 55_000, 40_000, 4);
        push(&mut open, 20_000, 5_000, 5);
        push(&mut open, 58_000, 5_000, 6);
        assert_eq!(open.len(), 4);
        assert_eq!(open.pop(), Some((Cost::new(5_000), 5)));
        assert_eq!(open.pop(), Some((Cost::new(5_000), 6)));
        assert_eq!(open.pop(), Some((Cost::new(40_000), 4)));
        assert_eq!(open.pop(), Some((Cost::new(10_000), 2)));
        assert_eq!(open.pop(), None);
    }
}
