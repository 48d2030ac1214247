//! The order of hubs: first the corners that most shortest paths pass.
//!
//! Shortest-path trees are sampled at three scales: whole trees, trees cut after a few
//! thousand corners, and small ones. Then corners are taken greedily by how many pairs
//! (root, corner of the tree) they cover that no earlier corner covered. The order
//! decides how small the labels are, never whether they are right.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::length::{HubGraph, Length};
use super::links::Links;
use crate::grid::Tile;
use crate::rng::Rng;
use crate::threads;

/// A tree's node without parent, and "no node".
const NONE: u32 = u32::MAX;
/// How many corners the trees of each scale have at most, and their share (of 4) of
/// all nodes sampled.
const SCALES: [(usize, usize); 3] = [(usize::MAX, 2), (2048, 1), (128, 1)];

/// The most nodes of sampled trees for each corner: more hardly make labels smaller.
const A_CORNER: usize = 200;

/// The memory of one Dijkstra search on corners, reset after each use.
///
/// Not the loop of [`crate::search`], which settles the same corners in the same order:
/// with it, building labels took up to 8 % longer with buckets and up to 20 % with a heap
/// (maps of 512 x 512 tiles). Here an entry is one number, and costs lie side by side.
pub(crate) struct CornerSearch<L: Length> {
    distance: Vec<L>,
    parent: Vec<u32>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<L::Key>>,
}

impl<L: Length> CornerSearch<L> {
    pub(crate) fn new(corners: usize) -> CornerSearch<L> {
        CornerSearch {
            distance: vec![L::INFINITY; corners],
            parent: vec![NONE; corners],
            touched: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    fn offer(&mut self, corner: u32, cost: L, parent: u32) {
        let known = &mut self.distance[corner as usize];
        if cost < *known {
            if *known == L::INFINITY {
                self.touched.push(corner);
            }
            *known = cost;
            self.parent[corner as usize] = parent;
            self.open.push(Reverse(cost.key(corner)));
        }
    }

    /// Calls `settle(corner, parent)` for the corners nearest to a tile that is connected to
    /// these, nearest first, at most `limit` of them. Corners reached first have no parent
    /// ([`NONE`]).
    pub(crate) fn run(
        &mut self,
        graph: &impl HubGraph<Length = L>,
        connected: impl Iterator<Item = (u32, L)>,
        limit: usize,
        mut settle: impl FnMut(u32, u32),
    ) {
        for (corner, cost) in connected {
            self.offer(corner, cost, NONE);
        }
        let mut settled = 0;
        while let Some(Reverse(key)) = self.open.pop() {
            let (cost, corner) = L::of_key(key);
            if cost > self.distance[corner as usize] {
                continue;
            }
            settle(corner, self.parent[corner as usize]);
            settled += 1;
            if settled == limit {
                break;
            }
            for edge in graph.edges(corner) {
                self.offer(edge.to, cost.plus(edge.cost).min(L::INFINITY), corner);
            }
        }
        self.open.clear();
        for corner in self.touched.drain(..) {
            self.distance[corner as usize] = L::INFINITY;
        }
    }
}

/// Sampled trees, their nodes one after the other, parents before children.
struct Forest {
    corner: Vec<u32>,
    parent: Vec<u32>,
}

/// All corners, most useful hub first. `length` is how far it is from a tile to a corner that it
/// is connected to, `effort` the number of tree nodes to sample; more than [`A_CORNER`] times the
/// corners are not.
pub(crate) fn order<G: HubGraph>(
    graph: &G,
    links: &Links,
    length: impl Fn(Tile, u32) -> G::Length + Sync,
    (effort, seed): (usize, u64),
) -> Vec<u32> {
    let effort = effort.min(A_CORNER * graph.len());
    let forest = sample(graph, links, length, (effort, seed));
    greedy(&forest, graph.len())
}

fn sample<G: HubGraph>(
    graph: &G,
    links: &Links,
    length: impl Fn(Tile, u32) -> G::Length + Sync,
    (effort, seed): (usize, u64),
) -> Forest {
    let mut forest = Forest { corner: Vec::new(), parent: Vec::new() };
    // Roots are picked along a curve that fills the map, one from each piece of it, so that no
    // part of the map is left out by chance: as good as twice as many picked from all.
    let tiles = links.tiles();
    let mut rng = Rng::new(seed);
    for (limit, share) in SCALES {
        let size = limit.min(graph.len()).max(1);
        let count = (effort * share / 4).div_ceil(size);
        let roots: Vec<Tile> = if count < tiles.len() {
            let piece = |n: usize| n * tiles.len() / count;
            (0..count).map(|n| tiles[piece(n) + rng.below(piece(n + 1) - piece(n))]).collect()
        } else {
            tiles.clone()
        };
        let space = || (CornerSearch::new(graph.len()), vec![NONE; graph.len()]);
        let trees = threads::map(roots.len(), size, space, |(search, place), n| {
            let tile = roots[n];
            let connected = links.of(tile).map(|corner| (corner, length(tile, corner)));
            let mut nodes = Vec::new();
            search.run(graph, connected, limit, |corner, parent| {
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
