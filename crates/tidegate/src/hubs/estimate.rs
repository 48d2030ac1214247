//! Knowing when not to: what labels would take, from samples.
//!
//! One Dijkstra search from a tile tells its label exactly: carry along, for each corner, the best rank on
//! any shortest way there, and the vias that these ways begin with; a corner that is itself the best stands
//! in the label. A block needs, for each hub, few vias that serve all its tiles. Of the tiles of a block some
//! are searched from, which nearly tells what all of them need.

use super::block::{LARGE, Layout, Most, SMALL};
use super::length::HubGraph;
use super::links::Links;
use super::sample::{RankSearch, Sample, label_sizes};
use crate::cost::STRAIGHT;
use crate::grid::{CellId, Grid, Tile};
use crate::rng::Rng;
use crate::threads;

/// Blocks that are sampled at least, and at most.
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
            label_sizes(graph, links, &length, (tiles[n], corners[n]), search)
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
