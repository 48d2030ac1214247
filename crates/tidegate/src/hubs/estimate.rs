//! Knowing when not to: what labels would take, from samples.
//!
//! The labels of a window are made, and those of some of its blocks; of a larger window only how many entries some
//! of its tiles and corners have.

use super::block::{LARGE, Layout, Most, SMALL};
use super::block_build::held;
use super::length::HubGraph;
use super::links::Links;
use super::sample::{RankSearch, label_sizes};
use super::square::BlockSource;
use crate::cost::STRAIGHT;
use crate::grid::{CellId, Grid, Tile};
use crate::rng::Rng;
use crate::threads;

/// Tiles and corners that are sampled at least, and at most.
const SAMPLES: [usize; 2] = [4, 160];
/// Words in the trees for each entry of a corner: places and links.
const TREES: f64 = 1.5;

/// What labels would take, by form: fast and small.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    bytes: [u64; 2],
    /// Corners that searches have settled.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test bounds it"))]
    pub(crate) settled: usize,
}

/// What labels hold, for each free tile of the map; pairs are by form.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Density {
    /// Blocks that are not empty.
    pub(super) blocks: [f64; 2],
    pub(super) vias: [f64; 2],
    pub(super) entries: [f64; 2],
    pub(super) corners: f64,
    /// The mean entries of a tile and of a corner.
    pub(super) sizes: [f64; 2],
    /// Corners settled to learn this.
    pub(super) settled: usize,
}

impl Density {
    /// Of a map whose corners are numbered by rank: how many entries tiles and corners have, from searches that
    /// settle about `work` corners.
    pub(super) fn sizes<G: HubGraph>(
        grid: &Grid,
        graph: &G,
        links: &Links,
        length: impl Fn(Tile, u32) -> G::Length + Sync,
        (work, seed): (usize, u64),
    ) -> Density {
        let cells: Vec<CellId> = grid.free_cells().collect();
        if cells.is_empty() || graph.len() == 0 {
            return Density::default();
        }
        let mut rng = Rng::new(seed ^ 0x5A17);
        let count = (work / (2 * graph.len())).clamp(SAMPLES[0], SAMPLES[1]);
        let picked: Vec<(Tile, u32)> = (0..count)
            .map(|_| (grid.tile(cells[rng.below(cells.len())]), rng.below(graph.len()) as u32))
            .collect();
        let search = || RankSearch::new(graph.len());
        let sizes = threads::map(count, graph.len(), search, |search, n| {
            label_sizes(graph, links, &length, picked[n], search)
        });
        Density {
            corners: graph.len() as f64 / cells.len() as f64,
            sizes: [0, 1].map(|n| sizes.iter().map(|size| size.0[n]).sum::<f64>() / count as f64),
            settled: sizes.iter().map(|size| size.1).sum(),
            ..Density::default()
        }
    }

    /// The same with what blocks hold, from some of them.
    pub(super) fn with_blocks(self, source: &impl BlockSource) -> Density {
        let free = source.grid().free_tiles().max(1) as f64;
        let Some(held) = held(source) else { return self };
        let each = |n: usize| held.map(|form| form[n] / free);
        Density { blocks: each(0), vias: each(1), entries: each(2), ..self }
    }

    /// What labels of a map of this density take.
    pub(super) fn estimate(&self, grid: &Grid) -> Estimate {
        let free = grid.free_tiles() as f64;
        let corners = self.corners * free;
        let trees = corners * self.sizes[1] * TREES;
        // The largest tree has nearly all corners, and paths may be longer than the map is wide.
        let far = f64::from(grid.width() + grid.height()) * f64::from(STRAIGHT.get());
        let most = Most {
            hub: corners as u32,
            via: 255,
            cost: far.min(f64::from(i32::MAX)) as u32,
            position: (corners * TREES) as u32,
        };
        let entry = Layout::fitting(SMALL, most).entry_bytes() as f64;
        let bytes = [SMALL, LARGE].map(|shift| {
            let form = usize::from(shift > SMALL);
            let via = [6.0, 12.0][form];
            let blocks = f64::from(grid.width().div_ceil(1 << SMALL))
                * f64::from(grid.height().div_ceil(1 << SMALL));
            let held = 4.0 * self.blocks[form] + via * self.vias[form] + entry * self.entries[form];
            // Every block has its place; every hub has its tree and its tile.
            (free * held + 4.0 * blocks + 8.0 * corners + 4.0 * trees) as u64
        });
        Estimate { bytes, settled: self.settled }
    }
}

impl Estimate {
    /// The memory of the labels, in bytes, in blocks of 2^shift tiles a side.
    pub(crate) fn bytes(&self, shift: u32) -> u64 {
        self.bytes[usize::from(shift > 2)]
    }
}
