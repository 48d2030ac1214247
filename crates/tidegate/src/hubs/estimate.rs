//! Knowing when not to: what labels would take, from samples.
//!
//! One Dijkstra search from a tile tells its label exactly: carry along, for each corner, the best rank on
//! any shortest way there, and the vias that these ways begin with; a corner that is itself the best stands
//! in the label. A block needs, for each hub, few vias that serve all its tiles. Of the tiles of a block some
//! are searched from, which nearly tells what all of them need.

use super::block::{Layout, Parts};
use super::length::HubGraph;
use super::links::Links;
use super::sample::{RankSearch, Sample, label_sizes};
use crate::grid::{CellId, Grid, Tile};
use crate::rng::Rng;
use crate::threads;

/// About how many corners all searches together settle: at first, and if the labels might not fit.
const WORK: [usize; 2] = [600_000, 4_000_000];
/// One of so many goes into the entries of corners.
const CORNERS: usize = 8;
/// Labels of less than this share of the budget fit, even if the first look was wrong by half.
const SURELY: f64 = 0.5;
/// Blocks that are sampled at least, and at most.
const SAMPLES: [usize; 2] = [4, 160];
/// Words in the trees for each entry of a corner: places and links.
const TREES: f64 = 1.5;

/// What labels would take, by form: fast and small.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    bytes: [u64; 2],
    /// Corners that searches have settled.
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
    /// Samples the labels of a map whose corners are numbered by rank; searches for
    /// the entries of single tiles and corners settle about `work[0]` corners, those for whole blocks `work[1]`.
    pub(super) fn new<G: HubGraph>(
        grid: &Grid,
        graph: &G,
        links: &Links,
        length: impl Fn(Tile, u32) -> G::Length + Sync,
        (work, seed): ([usize; 2], u64),
    ) -> Density {
        let cells: Vec<CellId> = grid.free_cells().collect();
        if cells.is_empty() || graph.len() == 0 {
            return Density::default();
        }
        let mut rng = Rng::new(seed ^ 0x5A17);
        let mut tile = || grid.tile(cells[rng.below(cells.len())]);
        let count = |work: usize, searches: usize| {
            (work / (searches * graph.len())).clamp(SAMPLES[0], SAMPLES[1])
        };
        let (many, few) = (count(work[0], 2), count(work[1], Sample::SEARCHES));
        let blocks: Vec<Tile> = (0..few).map(|_| tile()).collect();
        let tiles: Vec<Tile> = (0..many).map(|_| tile()).collect();
        let corners: Vec<u32> = (0..many).map(|_| rng.below(graph.len()) as u32).collect();
        let search = || RankSearch::new(graph.len());
        let sizes = threads::map(many, graph.len(), search, |search, n| {
            label_sizes(grid, graph, links, &length, (tiles[n], corners[n]), search)
        });
        let few = if work[1] == 0 { 0 } else { few };
        let samples = threads::map(few, graph.len(), search, |search, n| {
            Sample::new(grid, graph, links, &length, blocks[n], search)
        });
        // A block is picked as often as it has free tiles.
        let each = |form: usize, of: fn(&Sample, usize) -> f64| {
            let sum: f64 = samples.iter().map(|sample| of(sample, form) / sample.free[form]).sum();
            sum / few.max(1) as f64
        };
        let forms = |of: fn(&Sample, usize) -> f64| [each(0, of), each(1, of)];
        let settled = sizes.iter().map(|size| size.1).chain(samples.iter().map(|s| s.settled));
        Density {
            blocks: forms(|_, _| 1.0),
            vias: forms(|sample, form| sample.vias[form]),
            entries: forms(|sample, form| sample.entries[form]),
            corners: graph.len() as f64 / cells.len() as f64,
            sizes: [0, 1].map(|n| sizes.iter().map(|size| size.0[n]).sum::<f64>() / many as f64),
            settled: settled.sum(),
        }
    }

    /// What labels of a map of this density take.
    pub(super) fn estimate(&self, grid: &Grid) -> Estimate {
        let free = grid.free_tiles() as f64;
        let corners = self.corners * free;
        let trees = corners * self.sizes[1] * TREES;
        // The largest tree has nearly all corners.
        let wide = corners * TREES > 65_536.0;
        let bytes = [2, 3].map(|shift: u32| {
            let form = usize::from(shift > 2);
            let (via, entry) = item_bytes(Layout { shift, wide });
            let blocks = f64::from(grid.width().div_ceil(1 << shift))
                * f64::from(grid.height().div_ceil(1 << shift));
            let held = 4.0 * self.blocks[form] + via * self.vias[form] + entry * self.entries[form];
            // Every block has its place; every hub has its tree and its tile.
            (free * held + 4.0 * blocks + 8.0 * corners + 4.0 * trees) as u64
        });
        Estimate { bytes, settled: self.settled }
    }
}

impl Estimate {
    /// Samples the labels of a map whose corners are numbered by rank; the more, the less they differ from
    /// the budget.
    pub(crate) fn new<G: HubGraph>(
        grid: &Grid,
        graph: &G,
        links: &Links,
        length: impl Fn(Tile, u32) -> G::Length + Sync,
        (budget, seed): (u64, u64),
    ) -> Estimate {
        let by = |work: usize| {
            let work = [work / CORNERS, work];
            Density::new(grid, graph, links, &length, (work, seed)).estimate(grid)
        };
        let first = by(WORK[0]);
        if (first.bytes[0] as f64) < SURELY * budget as f64 {
            return first;
        }
        let second = by(WORK[1]);
        Estimate { settled: first.settled + second.settled, ..second }
    }

    /// With what is held besides.
    pub(crate) fn plus(self, bytes: usize) -> Estimate {
        Estimate { bytes: self.bytes.map(|sum| sum + bytes as u64), ..self }
    }

    /// The memory of the labels, in bytes, in blocks of 2^shift tiles a side.
    pub(crate) fn bytes(&self, shift: u32) -> u64 {
        self.bytes[usize::from(shift > 2)]
    }
}

/// The bytes of a via and of an entry: those of a hundred.
fn item_bytes(layout: Layout) -> (f64, f64) {
    let words = |vias: usize, entries: usize| {
        let parts = Parts { vias: vec![(0, 0); vias], entries: vec![(0, 0, 0, 0); entries] };
        parts.encode(layout).map_or(0.0, |words| words.len() as f64)
    };
    (0.04 * (words(100, 0) - words(0, 0)), 0.04 * (words(0, 100) - words(0, 0)))
}
