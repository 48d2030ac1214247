//! What labels of a large map would take, before anything of it is joined: from windows of two sizes.
//!
//! The labels of a tile grow with the map by a power of its side. Windows of the map that are labelled by
//! themselves tell the power and where it begins; so a map of any size is judged by a bounded amount of work
//! and memory.

use super::estimate::{Density, Estimate};
use super::length::HubGraph;
use super::links::Links;
use super::order::order;
use super::prune::{CornerLabels, label};
use super::square::BlockSource;
use crate::grid::{Grid, Tile};
use crate::rng::Rng;
use crate::threads;

/// Maps of fewer corners are judged as a whole; the large window has about so many.
const CORNERS: f64 = 24_000.0;
/// What share of the corners of the large window the windows of each size have, how many windows there are,
/// about how many corners the searches in each settle, and whether blocks are made.
const SIZES: [(f64, usize, usize, bool); 2] =
    [(0.25, 2, 600_000, true), (1.0, 1, 2_000_000, false)];
/// Blocks grow a little faster than tiles: measured on generated maps of four kinds.
const MORE: f64 = 1.2;
/// The most entries that the corners of a window may have in all.
const ENTRIES: usize = 12_000_000;
/// Free tiles around which the corners of a map are counted, and the side of that window.
const COUNTED: (usize, u32) = (16, 64);

/// How the corners of a map are joined and measured.
pub(crate) trait Joined: Sync {
    type Graph: HubGraph;

    /// How many corners a map has.
    fn corners(&self, grid: &Grid) -> usize;

    /// The graph of its corners and the connections of its tiles; `None` if there are too many.
    fn join(&self, grid: &Grid) -> Option<(Self::Graph, Links)>;

    /// The graph with corner `order[i]` renamed to `i`.
    fn renamed(graph: Self::Graph, order: &[u32]) -> Self::Graph;

    /// How far it is from a tile to a corner that it is connected to.
    fn length(graph: &Self::Graph, tile: Tile, corner: u32) -> LengthOf<Self>;

    /// What blocks are made from, if lengths fit it.
    fn source<'a>(
        &'a self,
        grid: &'a Grid,
        graph: &'a Self::Graph,
        links: &'a Links,
        labels: &'a CornerLabels<LengthOf<Self>>,
    ) -> Option<impl BlockSource>;
}

type LengthOf<J> = <<J as Joined>::Graph as HubGraph>::Length;

impl Estimate {
    /// What the labels of a map with many corners would take; `None` for few, of which
    /// [some blocks](super::fit) are made.
    pub(crate) fn ahead<J: Joined>(grid: &Grid, joined: &J, by: (usize, u64)) -> Option<Estimate> {
        Estimate::ahead_from(grid, joined, by, CORNERS)
    }

    /// The same with large windows of another number of corners.
    pub(crate) fn ahead_from<J: Joined>(
        grid: &Grid,
        joined: &J,
        (effort, seed): (usize, u64),
        large: f64,
    ) -> Option<Estimate> {
        if grid.tiles() as f64 <= large {
            return None;
        }
        let windows = Windows { grid, seed };
        let counts = windows
            .each(COUNTED.0, COUNTED.1, |window| (joined.corners(window), window.free_tiles()));
        let (corners, free) = counts.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let density = corners as f64 / free.max(1) as f64;
        let all = density * grid.free_tiles() as f64;
        if all <= large {
            return None;
        }
        // By the side of a square of the same area.
        let side = (grid.tiles() as f64).sqrt();
        let sizes = SIZES.map(|(share, count, work, blocks)| {
            let of_window = (side * (share * large / all).sqrt()).ceil().max(1.0);
            let samples = windows.each(count, of_window as u32, |window| {
                sample(window, joined, (effort as f64 / all, work, seed), blocks)
            });
            let sides: f64 = samples.iter().map(|(_, tiles)| tiles.sqrt()).sum();
            (sides / count as f64, mean(samples.into_iter().map(|(density, _)| density)))
        });
        let [(low, few), (high, many)] = &sizes;
        // Blocks need what their tiles need, so their entries grow about as those of tiles do.
        let power = (side / low).ln() / (high / low).ln();
        let growth = [0, 1].map(|n| match (many.sizes[n] / few.sizes[n]).max(1.0) {
            growth if growth.is_finite() => growth.powf(power),
            _ => 1.0,
        });
        let entries = few.entries.map(|entries| entries * growth[0] * MORE);
        let sizes = [0, 1].map(|n| few.sizes[n] * growth[n]);
        let settled = few.settled + many.settled;
        Some(Density { entries, sizes, corners: density, settled, ..*few }.estimate(grid))
    }
}

/// The labels of one window by themselves, and how many tiles it has; `effort` is for each corner.
fn sample<J: Joined>(
    window: &Grid,
    joined: &J,
    (effort, work, seed): (f64, usize, u64),
    blocks: bool,
) -> (Density, f64) {
    let tiles = window.tiles() as f64;
    let Some((graph, mut links)) = joined.join(window) else { return (Density::default(), tiles) };
    let effort = (effort * graph.len() as f64) as usize;
    let length = |tile, corner| J::length(&graph, tile, corner);
    let order = order(&graph, &links, length, (effort, seed));
    let graph = J::renamed(graph, &order);
    links.rename(&order);
    let length = |tile, corner| J::length(&graph, tile, corner);
    let sizes = Density::sizes(window, &graph, &links, length, (work, seed));
    if !blocks {
        return (sizes, tiles);
    }
    let Ok(labels) = label(&graph, ENTRIES) else { return (sizes, tiles) };
    let source = joined.source(window, &graph, &links, &labels);
    (source.map_or(sizes, |source| sizes.with_blocks(&source)), tiles)
}

fn mean(all: impl ExactSizeIterator<Item = Density>) -> Density {
    let share = 1.0 / all.len().max(1) as f64;
    let add = |a: [f64; 2], b: [f64; 2]| [a[0] + share * b[0], a[1] + share * b[1]];
    all.fold(Density::default(), |sum, one| Density {
        blocks: add(sum.blocks, one.blocks),
        vias: add(sum.vias, one.vias),
        entries: add(sum.entries, one.entries),
        corners: sum.corners + share * one.corners,
        sizes: add(sum.sizes, one.sizes),
        settled: sum.settled + one.settled,
    })
}

/// Square windows around free tiles of a map.
struct Windows<'a> {
    grid: &'a Grid,
    seed: u64,
}

impl Windows<'_> {
    fn each<T: Send>(&self, count: usize, side: u32, work: impl Fn(&Grid) -> T + Sync) -> Vec<T> {
        let (grid, mut rng) = (self.grid, Rng::new(self.seed ^ u64::from(side)));
        let (width, height) = (grid.width().min(side), grid.height().min(side));
        let corners: Vec<(u16, u16)> = (0..count)
            .map(|_| {
                let middle = free_tile(grid, &mut rng);
                let begin = |at: u16, side: u32, all: u32| {
                    (u32::from(at).saturating_sub(side / 2)).min(all - side) as u16
                };
                (begin(middle.x, width, grid.width()), begin(middle.y, height, grid.height()))
            })
            .collect();
        let tiles = (width * height) as usize;
        let windows = threads::map(
            count,
            tiles,
            || (),
            |(), n| {
                let (x, y) = corners[n];
                let free = |dx: u32, dy: u32| grid.is_free(Tile::new(x + dx as u16, y + dy as u16));
                Grid::from_fn(width, height, grid.movement(), free).ok().map(|window| work(&window))
            },
        );
        windows.into_iter().flatten().collect()
    }
}

/// A free tile, or some tile where hardly any is free.
fn free_tile(grid: &Grid, rng: &mut Rng) -> Tile {
    let mut tile = Tile::default();
    for _ in 0..1_000 {
        let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
        tile = Tile::new(x as u16, y as u16);
        if grid.is_free(tile) {
            break;
        }
    }
    tile
}
