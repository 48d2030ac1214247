//! The labels of one block, found by searches: what an [estimate](super::Estimate) is made of.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::length::{HubGraph, Length};
use super::links::Links;
use crate::grid::{Grid, Tile};

/// A corner during a search.
#[derive(Clone, Copy)]
struct Node<L> {
    distance: L,
    /// The best rank on any shortest way, without the corner itself.
    best: u32,
    /// The vias that these ways begin with.
    vias: u128,
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
        let node = Node { distance: L::INFINITY, best: u32::MAX, vias: 0 };
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
            known.vias |= new.vias;
        }
    }

    /// Calls `visit` with every hub in the label of what is connected to these corners, and the vias of the
    /// ways there; `from` has each corner with its distance and its bit among the vias. Returns how many
    /// corners were settled.
    fn run(
        &mut self,
        graph: &impl HubGraph<Length = L>,
        from: impl Iterator<Item = (u32, L, u128)>,
        mut visit: impl FnMut(u32, u128),
    ) -> usize {
        for (corner, distance, vias) in from {
            self.offer(corner, Node { distance, best: u32::MAX, vias });
        }
        let mut settled = 0;
        while let Some(Reverse(key)) = self.open.pop() {
            let (distance, corner) = L::of_key(key);
            let Node { distance: known, best, vias } = self.nodes[corner as usize];
            if distance > known {
                continue;
            }
            settled += 1;
            if corner < best {
                visit(corner, vias);
            }
            let best = best.min(corner);
            for edge in graph.edges(corner) {
                let distance = distance.plus(edge.cost).min(L::INFINITY);
                self.offer(edge.to, Node { distance, best, vias });
            }
        }
        for corner in self.touched.drain(..) {
            self.nodes[corner as usize].distance = L::INFINITY;
        }
        settled
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
    let of_tile = links.of(tile).map(|corner| (corner, length(tile, corner), 0));
    let mut sizes = [0_u32; 2];
    let mut settled = search.run(graph, of_tile, |_, _| sizes[0] += 1);
    let of_corner = std::iter::once((corner, Length::ZERO, 0));
    settled += search.run(graph, of_corner, |_, _| sizes[1] += 1);
    (sizes.map(f64::from), settled)
}

/// What the blocks around a tile need, as far as some of their tiles tell; by form, fast and small.
#[derive(Default)]
pub(super) struct Sample {
    /// Free tiles.
    pub(super) free: [f64; 2],
    pub(super) vias: [f64; 2],
    pub(super) entries: [f64; 2],
    /// Corners settled.
    pub(super) settled: usize,
}

/// A hub of a tile: the hub, the tile's bit, the vias of the ways there.
type Hub = (u32, u64, u128);

impl Sample {
    /// At most so many searches make a sample: half the tiles of the block of 16, a third of those around it.
    pub(super) const SEARCHES: usize = 24;

    pub(super) fn new<G: HubGraph>(
        grid: &Grid,
        graph: &G,
        links: &Links,
        length: &impl Fn(Tile, u32) -> G::Length,
        tile: Tile,
        search: &mut RankSearch<G::Length>,
    ) -> Sample {
        let mut sample = Sample::default();
        let free_of = |side: u16| -> Vec<Tile> {
            let (x, y) = (tile.x / side * side, tile.y / side * side);
            let tiles = (0..side * side).map(|n| Tile::new(x + n % side, y + n / side));
            tiles.filter(|&tile| grid.is_free(tile)).collect()
        };
        let blocks = [free_of(4), free_of(8)];
        let all = blocks
            .each_ref()
            .map(|free| free.iter().flat_map(|&tile| links.of(tile)).collect::<BTreeSet<u32>>());
        // Numbers for vias; beyond 128 they are used again.
        let vias: Vec<u32> = all[1].iter().copied().collect();
        let bit = |corner: u32| 1_u128 << (vias.partition_point(|&via| via < corner) % 128);
        let mut hubs: Vec<Hub> = Vec::new();
        let mut inner = 0_u64;
        // Every so manieth of the free tiles, in another column from row to row.
        let some = |free: &mut dyn Iterator<Item = Tile>, step: usize| -> Vec<Tile> {
            let kept = free.enumerate().filter(|(n, tile)| (n + usize::from(tile.y)) % step == 0);
            kept.map(|(_, tile)| tile).collect()
        };
        let is_near = |other: &Tile| (other.x / 4, other.y / 4) == (tile.x / 4, tile.y / 4);
        let mut near = some(&mut blocks[0].iter().copied(), 2);
        if near.is_empty() {
            near.push(tile);
        }
        let far = some(&mut blocks[1].iter().copied().filter(|tile| !is_near(tile)), 3);
        for (n, &tile) in near.iter().chain(&far).enumerate() {
            let from = links.of(tile).map(|corner| (corner, length(tile, corner), bit(corner)));
            let lane = 1_u64 << n;
            inner |= if n < near.len() { lane } else { 0 };
            sample.settled += search.run(graph, from, |hub, vias| hubs.push((hub, lane, vias)));
        }
        hubs.sort_unstable_by_key(|&(hub, ..)| hub);
        let of_via = |hub: u32| vias.binary_search(&hub).map_or(0, |n| 1_u128 << (n % 128));
        for form in 0..2 {
            let lanes = if form == 0 { inner } else { u64::MAX };
            let (entries, used) = chosen(&hubs, lanes, of_via);
            let tiles = if form == 0 { &near[..] } else { &[&near[..], &far[..]].concat() };
            let seen: BTreeSet<u32> = tiles.iter().flat_map(|&t| links.of(t)).collect();
            sample.free[form] = blocks[form].len() as f64;
            sample.entries[form] = entries as f64;
            let used = f64::from(used) / (seen.len().clamp(1, 128) as f64);
            sample.vias[form] = all[form].len() as f64 * used.min(1.0);
        }
        sample
    }
}

/// How many entries serve these lanes, and by how many vias. For each hub, vias are taken by how many lanes
/// they still serve; that a via is a hub itself needs no entry.
fn chosen(hubs: &[Hub], lanes: u64, of_via: impl Fn(u32) -> u128) -> (usize, u32) {
    let (mut entries, mut used) = (0, 0_u128);
    for hub in hubs.chunk_by(|a, b| a.0 == b.0) {
        let itself = of_via(hub[0].0);
        let mut open: Vec<u128> =
            hub.iter().filter(|(_, lane, _)| lane & lanes != 0).map(|&(_, _, vias)| vias).collect();
        while !open.is_empty() {
            let mut best = (0, 0);
            let mut left = open.iter().fold(0, |all, vias| all | vias);
            while left != 0 {
                let via = left & left.wrapping_neg();
                left &= left - 1;
                let serves = open.iter().filter(|vias| **vias & via != 0).count();
                if serves > best.0 {
                    best = (serves, via);
                }
            }
            if best.0 == 0 {
                break;
            }
            open.retain(|vias| vias & best.1 == 0);
            used |= best.1;
            entries += usize::from(best.1 != itself);
        }
    }
    (entries, used.count_ones())
}
