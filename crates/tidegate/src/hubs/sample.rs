//! How many entries single tiles and corners have, found by searches.
//!
//! One Dijkstra search from a tile tells its label exactly: carry along, for each corner, the best rank on any
//! shortest way there; a corner that is itself the best stands in the label.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::length::{HubGraph, Length};
use super::links::Links;
use crate::grid::Tile;

/// A corner during a search.
#[derive(Clone, Copy)]
struct Node<L> {
    distance: L,
    /// The best rank on any shortest way, without the corner itself.
    best: u32,
}

/// The memory of one Dijkstra search on corners, reset after each use. Unlike
/// [`CornerSearch`](super::order::CornerSearch) it looks at all shortest ways to a corner.
pub(super) struct RankSearch<L: Length> {
    nodes: Vec<Node<L>>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<L::Key>>,
}

impl<L: Length> RankSearch<L> {
    pub(super) fn new(corners: usize) -> RankSearch<L> {
        let node = Node { distance: L::INFINITY, best: u32::MAX };
        RankSearch { nodes: vec![node; corners], touched: Vec::new(), open: BinaryHeap::new() }
    }

    #[inline]
    fn offer(&mut self, corner: u32, new: Node<L>) {
        let known = &mut self.nodes[corner as usize];
        if new.distance < known.distance {
            if known.distance == L::INFINITY {
                self.touched.push(corner);
            }
            *known = new;
            self.open.push(Reverse(new.distance.key(corner)));
        } else if new.distance == known.distance {
            known.best = known.best.min(new.best);
        }
    }

    /// How many hubs stand in the label of what is connected to these corners, given with their distances,
    /// and how many corners were settled to know.
    fn run(
        &mut self,
        graph: &impl HubGraph<Length = L>,
        from: impl Iterator<Item = (u32, L)>,
    ) -> (usize, usize) {
        for (corner, distance) in from {
            self.offer(corner, Node { distance, best: u32::MAX });
        }
        let (mut hubs, mut settled) = (0, 0);
        while let Some(Reverse(key)) = self.open.pop() {
            let (distance, corner) = L::of_key(key);
            let Node { distance: known, best } = self.nodes[corner as usize];
            if distance > known {
                continue;
            }
            settled += 1;
            hubs += usize::from(corner < best);
            let best = best.min(corner);
            for edge in graph.edges(corner) {
                let distance = distance.plus(edge.cost).min(L::INFINITY);
                self.offer(edge.to, Node { distance, best });
            }
        }
        for corner in self.touched.drain(..) {
            self.nodes[corner as usize].distance = L::INFINITY;
        }
        (hubs, settled)
    }
}

/// How many entries a tile and a corner have, and how many corners were settled to know.
pub(super) fn label_sizes<G: HubGraph>(
    graph: &G,
    links: &Links,
    length: &impl Fn(Tile, u32) -> G::Length,
    (tile, corner): (Tile, u32),
    search: &mut RankSearch<G::Length>,
) -> ([f64; 2], usize) {
    let of_tile = links.of(tile).map(|corner| (corner, length(tile, corner)));
    let tile = search.run(graph, of_tile);
    let corner = search.run(graph, std::iter::once((corner, Length::ZERO)));
    ([tile.0 as f64, corner.0 as f64], tile.1 + corner.1)
}
