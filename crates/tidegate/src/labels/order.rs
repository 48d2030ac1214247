//! The order of hubs: first the corners that most shortest paths pass.
//!
//! Shortest-path trees are sampled at three scales: whole trees, trees cut after a few
//! thousand corners, and small ones. Then corners are taken greedily by how many pairs
//! (root, corner of the tree) they cover that no earlier corner covered. The order
//! decides how small the labels are, never whether they are right.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::graph::{CornerGraph, Links};
use crate::cost::Cost;
use crate::grid::{Grid, Tile};
use crate::rng::Rng;
use crate::search::{Blind, BucketQueue, Each, SearchScratch, Space, search};
use crate::threads;

/// A tree's node without parent, and "no node".
const NONE: u32 = u32::MAX;
/// How many corners the trees of each scale have at most, and their share (of 4) of
/// all nodes sampled.
const SCALES: [(usize, usize); 3] = [(usize::MAX, 2), (2048, 1), (128, 1)];

/// Corners and the lines between them, to be searched.
struct Corners<'a>(&'a CornerGraph);

impl Space for Corners<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        self.0.edges(node).iter().for_each(|edge| visit(edge.to, edge.cost));
    }
}

/// The memory of one search on corners, for any number of them.
#[derive(Default)]
pub(super) struct CornerSearch {
    scratch: SearchScratch<Cost, BucketQueue>,
    sources: Vec<(u32, Cost)>,
    settled: Vec<u32>,
}

impl CornerSearch {
    /// Calls `settle(corner, parent)` for the corners nearest to a tile, nearest first, at
    /// most `limit` of them. Corners reached first have no parent ([`NONE`]).
    pub(super) fn run(
        &mut self,
        graph: &CornerGraph,
        (tile, connected): (Tile, &[u32]),
        limit: usize,
        mut settle: impl FnMut(u32, u32),
    ) {
        let source =
            |&corner: &u32| (corner, graph.movement.estimate(tile, graph.tiles[corner as usize]));
        self.sources.clear();
        self.sources.extend(connected.iter().map(source));
        self.settled.clear();
        let mut until_limit = Each(|corner, _| {
            self.settled.push(corner);
            if self.settled.len() == limit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let (space, scratch) = (Corners(graph), &mut self.scratch);
        search(&space, &self.sources, |_| false, &mut Blind, scratch, &mut until_limit);
        for &corner in &self.settled {
            settle(corner, self.scratch.parent(corner).unwrap_or(NONE));
        }
    }
}

/// Sampled trees, their nodes one after the other, parents before children.
struct Forest {
    corner: Vec<u32>,
    parent: Vec<u32>,
}

/// All corners, most useful hub first. `effort` is the number of tree nodes to sample.
pub(super) fn order(
    grid: &Grid,
    graph: &CornerGraph,
    links: &Links,
    effort: usize,
    seed: u64,
) -> Vec<u32> {
    let forest = sample(grid, graph, links, effort, seed);
    greedy(&forest, graph.len())
}

fn sample(grid: &Grid, graph: &CornerGraph, links: &Links, effort: usize, seed: u64) -> Forest {
    let mut forest = Forest { corner: Vec::new(), parent: Vec::new() };
    let connected = |cell: &usize| !links.of(*cell).is_empty();
    let cells: Vec<usize> = grid.free_cells().map(|c| c.index()).filter(connected).collect();
    let mut rng = Rng::new(seed);
    for (limit, share) in SCALES {
        let size = limit.min(graph.len()).max(1);
        let count = (effort * share / 4).div_ceil(size);
        let roots: Vec<usize> = if count < cells.len() {
            (0..count).filter_map(|_| rng.pick(&cells).copied()).collect()
        } else {
            cells.clone()
        };
        let space = || (CornerSearch::default(), vec![NONE; graph.len()]);
        let trees = threads::map(roots.len(), size, space, |(search, place), n| {
            let cell = crate::CellId::from_index(roots[n]);
            let root = (grid.tile(cell), links.of(roots[n]));
            let mut nodes = Vec::new();
            search.run(graph, root, limit, |corner, parent| {
                place[corner as usize] = nodes.len() as u32;
                let above = if parent == NONE { NONE } else { place[parent as usize] };
                nodes.push((corner, above));
            });
            nodes
        });
        for tree in trees {
            let base = forest.corner.len() as u32;
            for (corner, above) in tree {
                forest.corner.push(corner);
                forest.parent.push(if above == NONE { NONE } else { base + above });
            }
        }
    }
    forest
}

/// Takes corners by what they still cover; what a corner covers leaves the trees.
fn greedy(forest: &Forest, corners: usize) -> Vec<u32> {
    let nodes = forest.corner.len();
    let mut size = vec![1_u32; nodes];
    let mut child = vec![NONE; nodes];
    let mut sibling = vec![NONE; nodes];
    let mut first = vec![0_usize; corners + 1];
    for n in (0..nodes).rev() {
        let above = forest.parent[n];
        if above != NONE {
            size[above as usize] += size[n];
            sibling[n] = child[above as usize];
            child[above as usize] = n as u32;
        }
        first[forest.corner[n] as usize + 1] += 1;
    }
    let mut covers = vec![0_u64; corners];
    (0..corners).for_each(|c| first[c + 1] += first[c]);
    let mut next = first.clone();
    let mut places = vec![0_u32; nodes];
    for n in 0..nodes {
        let corner = forest.corner[n] as usize;
        covers[corner] += u64::from(size[n]);
        places[next[corner]] = n as u32;
        next[corner] += 1;
    }
    let mut heap: BinaryHeap<(u64, Reverse<u32>)> =
        (0..corners).map(|c| (covers[c], Reverse(c as u32))).collect();
    let mut order = Vec::with_capacity(corners);
    let mut stack = Vec::new();
    while let Some((known, Reverse(corner))) = heap.pop() {
        let now = covers[corner as usize];
        if now < known {
            heap.push((now, Reverse(corner)));
            continue;
        }
        order.push(corner);
        for &n in &places[first[corner as usize]..first[corner as usize + 1]] {
            let gone = size[n as usize];
            if gone == 0 {
                continue;
            }
            let mut above = forest.parent[n as usize];
            while above != NONE {
                size[above as usize] -= gone;
                covers[forest.corner[above as usize] as usize] -= u64::from(gone);
                above = forest.parent[above as usize];
            }
            stack.push(n);
            while let Some(n) = stack.pop() {
                covers[forest.corner[n as usize] as usize] -= u64::from(size[n as usize]);
                size[n as usize] = 0;
                let mut below = child[n as usize];
                while below != NONE {
                    if size[below as usize] != 0 {
                        stack.push(below);
                    }
                    below = sibling[below as usize];
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two trees by hand:  0 -> 1 -> {2, 3}  and  1 -> 3.
    #[test]
    fn greedy_takes_what_covers_most_and_forgets_what_is_covered() {
        let forest =
            Forest { corner: vec![0, 1, 2, 3, 1, 3], parent: vec![NONE, 0, 1, 1, NONE, 4] };
        // Covered at first: 0: 4, 1: 3 + 2, 2: 1, 3: 1 + 1. After 1, only 0 itself is left.
        assert_eq!(greedy(&forest, 5), [1, 0, 2, 3, 4]);
    }
}
