//! Labels of corners by pruned landmark labelling: each corner keeps its distances to
//! the hubs that no higher-ranked corner replaces.
//!
//! Corners are numbered by rank, the best hub being 0. The labels are canonical: hub h
//! stands in the label of v exactly if no corner of higher rank lies on any shortest
//! path from h to v. So they do not depend on how the work is cut up: roots are searched
//! in batches side by side, each pruned by what earlier batches left, and then cleaned
//! in rank order by what the batch itself found.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::length::{HubGraph, Length};
use super::tree::HubTrees;
use crate::threads;

/// One hub of a corner's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<L> {
    pub(crate) hub: u32,
    pub(crate) cost: L,
    /// Where the corner stands in the hub's tree.
    pub(crate) position: u32,
    /// What was remembered of the first edges of all shortest paths to the hub (nothing at the
    /// hub).
    pub(crate) first: u16,
}

/// The labels of all corners, hubs in rank order, and the trees of all hubs.
pub(crate) struct CornerLabels<L> {
    pub(crate) labels: Vec<Vec<Entry<L>>>,
    pub(crate) trees: HubTrees,
    /// No distance between corners that are connected at all is above twice this.
    pub(crate) radius: L,
}

/// A corner reached from a root.
struct Reached<L> {
    corner: u32,
    cost: L,
    first: u16,
    /// Where the corner before it stands in the same list.
    parent: u32,
}

/// Why labelling stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A distance is above [`Length::LIMIT`].
    Long,
    /// There are more entries than allowed.
    Many,
}

/// Labels all corners of a graph numbered by rank; gives up above `limit` entries.
pub(crate) fn label<G: HubGraph>(graph: &G, limit: usize) -> Result<CornerLabels<G::Length>, Stop> {
    let n = graph.len();
    let mut made = CornerLabels {
        labels: vec![Vec::new(); n],
        trees: HubTrees::default(),
        radius: Length::ZERO,
    };
    let mut cleaner = Cleaner { to_hub: vec![Length::INFINITY; n], place: vec![u32::MAX; n] };
    let mut total = 0;
    let mut done = 0;
    while done < n {
        // Small batches first: the first hubs prune nearly everything that follows.
        let batch = (done / 8).clamp(1, 1024).min(n - done);
        let found = threads::map(
            batch,
            (n - done) / 8,
            || Pruned::new(n),
            |space, i| space.search(graph, &made.labels, (done + i) as u32),
        );
        let begin = done as u32;
        for (i, reached) in found.into_iter().enumerate() {
            total += cleaner.keep(graph, &mut made, begin, begin + i as u32, reached?);
        }
        if total > limit {
            return Err(Stop::Many);
        }
        done += batch;
    }
    // They have grown entry by entry.
    made.labels.iter_mut().for_each(Vec::shrink_to_fit);
    Ok(made)
}

/// The memory of one pruned search.
struct Pruned<L: Length> {
    distance: Vec<L>,
    first: Vec<u16>,
    parent: Vec<u32>,
    place: Vec<u32>,
    to_hub: Vec<L>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<L::Key>>,
}

impl<L: Length> Pruned<L> {
    fn new(corners: usize) -> Pruned<L> {
        Pruned {
            distance: vec![L::INFINITY; corners],
            first: vec![0; corners],
            parent: vec![0; corners],
            place: vec![0; corners],
            to_hub: vec![L::INFINITY; corners],
            touched: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    fn search(
        &mut self,
        graph: &impl HubGraph<Length = L>,
        labels: &[Vec<Entry<L>>],
        root: u32,
    ) -> Result<Vec<Reached<L>>, Stop> {
        for entry in &labels[root as usize] {
            self.to_hub[entry.hub as usize] = entry.cost;
        }
        let mut reached = Vec::new();
        let mut long = false;
        self.distance[root as usize] = L::ZERO;
        self.first[root as usize] = 0;
        self.touched.push(root);
        self.open.push(Reverse(L::ZERO.key(root)));
        while let Some(Reverse(key)) = self.open.pop() {
            let (cost, corner) = L::of_key(key);
            if cost > self.distance[corner as usize] {
                continue;
            }
            let covers = |e: &Entry<L>| self.to_hub[e.hub as usize].plus(e.cost) <= cost;
            if labels[corner as usize].iter().any(covers) {
                continue;
            }
            self.place[corner as usize] = reached.len() as u32;
            let parent = if corner == root { root } else { self.parent[corner as usize] };
            let parent = self.place[parent as usize];
            let first = graph.first_edges(self.first[corner as usize]);
            reached.push(Reached { corner, cost, first, parent });
            // A corner of higher rank covers all that lies behind it.
            for edge in graph.edges(corner).iter().filter(|e| e.to > root) {
                let to = edge.to as usize;
                let further = cost.plus(edge.cost);
                long |= further > L::LIMIT;
                if further < self.distance[to] {
                    if self.distance[to] == L::INFINITY {
                        self.touched.push(edge.to);
                    }
                    self.distance[to] = further;
                    self.first[to] = 0;
                    self.parent[to] = corner;
                    self.open.push(Reverse(further.key(edge.to)));
                }
                if further == self.distance[to] {
                    self.first[to] |= graph.first_edge(edge.to, corner);
                }
            }
        }
        for corner in self.touched.drain(..) {
            self.distance[corner as usize] = L::INFINITY;
        }
        for entry in &labels[root as usize] {
            self.to_hub[entry.hub as usize] = L::INFINITY;
        }
        if long { Err(Stop::Long) } else { Ok(reached) }
    }
}

/// Turns what a batch found into canonical labels and trees.
struct Cleaner<L> {
    to_hub: Vec<L>,
    place: Vec<u32>,
}

impl<L: Length> Cleaner<L> {
    /// Keeps what hubs of the same batch (from `begin`) before `root` do not cover.
    /// Returns how many entries were kept.
    fn keep(
        &mut self,
        graph: &impl HubGraph<Length = L>,
        made: &mut CornerLabels<L>,
        begin: u32,
        root: u32,
        reached: Vec<Reached<L>>,
    ) -> usize {
        let of_batch = |label: &[Entry<L>]| label.partition_point(|e| e.hub < begin);
        let own = &made.labels[root as usize];
        let own: Vec<Entry<L>> = own[of_batch(own)..].to_vec();
        for entry in &own {
            self.to_hub[entry.hub as usize] = entry.cost;
        }
        let mut nodes = Vec::with_capacity(reached.len());
        let mut kept = Vec::with_capacity(reached.len());
        // A kept corner's parent is kept too: what covers the parent covers the corner.
        for (n, r) in reached.iter().enumerate() {
            let label = &made.labels[r.corner as usize];
            let covers = |e: &Entry<L>| self.to_hub[e.hub as usize].plus(e.cost) <= r.cost;
            if label[of_batch(label)..].iter().any(covers) {
                continue;
            }
            let parent = self.place[reached[r.parent as usize].corner as usize];
            self.place[r.corner as usize] = nodes.len() as u32;
            nodes.push((graph.place(r.corner), if n == 0 { 0 } else { parent }));
            kept.push(r);
            made.radius = made.radius.max(r.cost);
        }
        for entry in &own {
            self.to_hub[entry.hub as usize] = L::INFINITY;
        }
        let positions = made.trees.add(&nodes);
        for (r, position) in kept.iter().zip(positions) {
            let entry = Entry { hub: root, cost: r.cost, position, first: r.first };
            made.labels[r.corner as usize].push(entry);
        }
        kept.len()
    }
}
