//! The edges of a graph of corners, side by side.

use crate::cost::Cost;

/// An edge to another corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge<L = Cost> {
    pub(crate) to: u32,
    pub(crate) cost: L,
}

/// The edges of all corners.
pub(crate) struct Edges<L> {
    first: Vec<u32>,
    edges: Vec<Edge<L>>,
}

impl<L: Copy> Edges<L> {
    /// From a list for every corner.
    pub(crate) fn new(lists: Vec<Vec<Edge<L>>>) -> Edges<L> {
        let mut first = vec![0];
        let mut edges = Vec::with_capacity(lists.iter().map(Vec::len).sum());
        for list in lists {
            edges.extend(list);
            first.push(edges.len() as u32);
        }
        Edges { first, edges }
    }

    #[inline]
    pub(crate) fn of(&self, corner: u32) -> &[Edge<L>] {
        &self.edges[self.first[corner as usize] as usize..self.first[corner as usize + 1] as usize]
    }

    /// The same with corner `order[i]` renamed to `i`.
    pub(crate) fn renamed(&self, order: &[u32]) -> Edges<L> {
        let mut name = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            name[old as usize] = new as u32;
        }
        let mut first = vec![0];
        let mut edges = Vec::with_capacity(self.edges.len());
        for &old in order {
            let renamed = |e: &Edge<L>| Edge { to: name[e.to as usize], cost: e.cost };
            let begin = edges.len();
            edges.extend(self.of(old).iter().map(renamed));
            edges[begin..].sort_unstable_by_key(|e| e.to);
            first.push(edges.len() as u32);
        }
        Edges { first, edges }
    }
}
