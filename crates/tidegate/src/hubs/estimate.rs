//! Knowing when not to: what labels would take, from samples.
//!
//! One Dijkstra search from a tile tells its label exactly: carry along, for each corner, the best rank on
//! the way there; a corner that is itself the best stands in the label. What a block needs is what its
//! tiles need together, and the tiles at its corners need nearly all of that.

use std::collections::BTreeSet;

use super::length::{HubGraph, Length};
use super::links::Links;
use super::order::CornerSearch;
use crate::grid::{CellId, Grid, Tile};
use crate::rng::Rng;
use crate::threads;

/// Blocks that are sampled in each form; fewer where there are many corners.
const SAMPLES: usize = 24;
/// So many corners may all searches together settle.
const WORK: usize = 8_000_000;
/// Bytes of an entry, and of a via by form.
const ENTRY: f64 = 10.0;
const VIA: [f64; 2] = [6.0, 12.0];
/// Bytes in the trees for each entry of a corner.
const TREES: f64 = 4.6;

/// What labels would take.
pub(crate) struct Estimate {
    /// By form, fast and small.
    bytes: [u64; 2],
}

impl Estimate {
    /// Samples the labels of a map whose corners are numbered by rank. `more`, by form, is for what the
    /// tiles between those at the corners of a block need besides, and for hubs that are entered by way
    /// of several vias.
    pub(crate) fn new<G: HubGraph>(
        grid: &Grid,
        graph: &G,
        links: &Links,
        length: impl Fn(Tile, u32) -> G::Length + Sync,
        seed: u64,
        more: [f64; 2],
    ) -> Estimate {
        let cells: Vec<CellId> = grid.free_cells().collect();
        let mut rng = Rng::new(seed ^ 0x5A17);
        let samples = SAMPLES.min(1 + WORK / (8 * graph.len().max(1)));
        let picked: Vec<Tile> =
            (0..samples).filter_map(|_| rng.pick(&cells).map(|&cell| grid.tile(cell))).collect();
        let space = || (CornerSearch::new(graph.len()), vec![0; graph.len()]);
        let bytes = [4_u16, 8].map(|side| {
            let blocks = threads::map(picked.len(), graph.len(), space, |(search, best), n| {
                Sample::new(grid, graph, links, &length, (picked[n], side), search, best)
            });
            let form = usize::from(side == 8);
            let mean = |of: fn(&Sample) -> f64| {
                // A block is picked as often as it has free tiles.
                let weights: f64 = blocks.iter().map(|block| 1.0 / block.free).sum();
                blocks.iter().map(|block| of(block) / block.free).sum::<f64>() / weights.max(1e-9)
            };
            let used = cells.len() as f64 / mean(|block| block.free).max(1.0);
            let one = mean(|block| block.entries) * more[form] * ENTRY
                + mean(|block| block.vias) * VIA[form];
            let all = grid.tiles() as f64 / f64::from(side * side);
            used * (one + 4.0) + 4.0 * all
        });
        let step = graph.len().div_ceil(samples).max(1);
        let corners: Vec<u32> = (0..graph.len() as u32).step_by(step).collect();
        let sizes = threads::map(corners.len(), graph.len(), space, |(search, best), n| {
            let from = std::iter::once((corners[n], Length::ZERO));
            let mut size = 0_usize;
            each_hub(graph, from, search, best, |_| size += 1);
            size
        });
        let label = sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64;
        let trees = TREES * label * graph.len() as f64;
        Estimate { bytes: bytes.map(|bytes| (bytes + trees) as u64) }
    }

    /// With what is held besides.
    pub(crate) fn plus(self, bytes: usize) -> Estimate {
        Estimate { bytes: self.bytes.map(|sum| sum + bytes as u64) }
    }

    /// The memory of the labels, in bytes, in blocks of 2^shift tiles a side.
    pub(crate) fn bytes(&self, shift: u32) -> u64 {
        self.bytes[usize::from(shift > 2)]
    }
}

/// Calls `visit` with every hub in the label of what is connected to these corners.
fn each_hub<G: HubGraph>(
    graph: &G,
    connected: impl Iterator<Item = (u32, G::Length)>,
    search: &mut CornerSearch<G::Length>,
    best: &mut [u32],
    mut visit: impl FnMut(u32),
) {
    search.run(graph, connected, usize::MAX, |corner, parent| {
        let above = best.get(parent as usize).copied().unwrap_or(u32::MAX);
        best[corner as usize] = corner.min(above);
        if corner < above {
            visit(corner);
        }
    });
}

/// What a block needs, as far as its corner tiles tell.
struct Sample {
    /// Free tiles.
    free: f64,
    vias: f64,
    /// Hubs that are no vias.
    entries: f64,
}

impl Sample {
    fn new<G: HubGraph>(
        grid: &Grid,
        graph: &G,
        links: &Links,
        length: &impl Fn(Tile, u32) -> G::Length,
        (tile, side): (Tile, u16),
        search: &mut CornerSearch<G::Length>,
        best: &mut [u32],
    ) -> Sample {
        let (x, y) = (tile.x / side * side, tile.y / side * side);
        let tiles = (0..side * side).map(|n| Tile::new(x + n % side, y + n / side));
        let free: Vec<Tile> = tiles.filter(|&tile| grid.is_free(tile)).collect();
        let links_of = |tile: Tile| grid.cell(tile).map_or(&[][..], |cell| links.of(cell.index()));
        let vias: BTreeSet<u32> = free.iter().flat_map(|&tile| links_of(tile)).copied().collect();
        // The first and the last of the first and the last row.
        let (top, bottom) = (free[0].y, free[free.len() - 1].y);
        let row = |y: u16| free.iter().filter(move |tile| tile.y == y);
        let corners: BTreeSet<Tile> = [top, bottom]
            .into_iter()
            .flat_map(|y| [row(y).next(), row(y).next_back()])
            .flatten()
            .copied()
            .collect();
        let mut hubs = BTreeSet::new();
        for &tile in &corners {
            let connected = links_of(tile).iter();
            let connected = connected.map(|&corner| (corner, length(tile, corner)));
            each_hub(graph, connected, search, best, |hub| {
                hubs.insert(hub);
            });
        }
        Sample {
            free: free.len() as f64,
            vias: vias.len() as f64,
            entries: hubs.difference(&vias).count() as f64,
        }
    }
}
