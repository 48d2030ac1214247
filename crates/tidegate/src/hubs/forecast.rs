//! What labels of a large map would take, before anything of it is joined: from one window and its quarters.
//!
//! What tiles need grows with the map by a power of its side. The labels of a window are made, and those of its
//! four quarters, each by itself: the same ground at two sizes tells the power. So a map of any size is judged
//! by a bounded amount of work and memory.

use super::estimate::{Density, Estimate};
use super::length::HubGraph;
use super::links::Links;
use super::order::order;
use super::prune::{CornerLabels, label};
use super::square::BlockSource;
use crate::grid::{Grid, Tile};
use crate::rng::Rng;

/// Maps of fewer corners are judged as a whole.
const CORNERS: f64 = 24_000.0;
/// The most entries that the corners of a window may have in all.
const ENTRIES: usize = 12_000_000;
/// What labels of whole maps take beyond that: fitted on seven generated maps of four kinds.
const MORE: f64 = 1.07;
/// How many windows are compared with the map, and every how many tiles.
const COMPARED: (usize, usize) = (32, 4);
/// The power by which entries grow on most maps, how much that counts beside the power of this one, and the
/// least and the most that it may be.
const USUAL: f64 = 0.5;
const TRUST: f64 = 0.25;
const POWERS: (f64, f64) = (0.1, 0.9);

/// How the corners of a map are joined and measured.
pub(crate) trait Joined: Sync {
    type Graph: HubGraph;
    /// The share of the corners of a map that is just too large to be judged as a whole that the window has.
    const WINDOW: f64;

    /// Where the corners of a map lie.
    fn corners(&self, grid: &Grid) -> Vec<Tile>;

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

    /// The same for maps of more than another number of corners.
    pub(crate) fn ahead_from<J: Joined>(
        grid: &Grid,
        joined: &J,
        (effort, seed): (usize, u64),
        many: f64,
    ) -> Option<Estimate> {
        if grid.tiles() as f64 <= many {
            return None;
        }
        let corners = joined.corners(grid);
        let all = corners.len() as f64;
        if all <= many {
            return None;
        }
        let by = (effort as f64 / all, seed);
        // By the side of a square of the same area.
        let side = (grid.tiles() as f64).sqrt();
        let of_window = (side * (J::WINDOW * many / all).sqrt()).ceil().max(2.0) as u32;
        let window = typical(grid, &corners, of_window, seed)?;
        let whole = sample(&window, joined, by);
        let (width, height) = (window.width() / 2, window.height() / 2);
        let quarters = [(0, 0), (width, 0), (0, height), (width, height)].map(|begin| {
            cut(&window, begin, (width, height)).map(|quarter| sample(&quarter, joined, by))
        });
        let quarters = Density::mean(quarters.into_iter().flatten());
        let more = side / (window.tiles() as f64).sqrt();
        let grown = |large: f64, small: f64| {
            let power = (large / small).log2();
            let power = if power.is_finite() { power } else { USUAL };
            let power = TRUST * USUAL + (1.0 - TRUST) * power;
            MORE * large * more.powf(power.clamp(POWERS.0, POWERS.1))
        };
        let entries = [0, 1].map(|n| grown(whole.entries[n], quarters.entries[n]));
        let trees = grown(whole.trees, quarters.trees);
        let most = whole.most.map(|most| most.grown(more, all / whole.corners.max(1.0)));
        let density = Density { entries, trees, most, corners: all, ..whole };
        Some(density.estimate(grid, whole.corners + quarters.corners))
    }
}

/// The labels of a window by themselves; the effort is for each corner.
fn sample<J: Joined>(window: &Grid, joined: &J, (effort, seed): (f64, u64)) -> Density {
    let Some((graph, mut links)) = joined.join(window) else { return Density::default() };
    let effort = (effort * graph.len() as f64) as usize;
    let length = |tile, corner| J::length(&graph, tile, corner);
    let order = order(&graph, &links, length, (effort, seed));
    let graph = J::renamed(graph, &order);
    links.rename(&order);
    let Ok(labels) = label(&graph, ENTRIES) else {
        return Density::at_least(graph.len(), ENTRIES);
    };
    let source = joined.source(window, &graph, &links, &labels);
    source.map_or_else(Density::default, |source| Density::of(&source))
}

/// Of some square windows that one whose corners and free tiles are nearest to those of the map.
fn typical(grid: &Grid, corners: &[Tile], side: u32, seed: u64) -> Option<Grid> {
    let mut rng = Rng::new(seed ^ 0x5A17);
    let (width, height) = (grid.width().min(side), grid.height().min(side));
    let area = f64::from(width) * f64::from(height) / grid.tiles() as f64;
    let wished = [corners.len() as f64 * area, grid.free_tiles() as f64 * area];
    let mut counts: Vec<((u32, u32), [f64; 2])> = (0..COMPARED.0)
        .map(|_| {
            let x = rng.below((grid.width() - width) as usize + 1) as u32;
            let y = rng.below((grid.height() - height) as usize + 1) as u32;
            let rows = (y..y + height).step_by(COMPARED.1);
            let tiles = rows.flat_map(|y| (x..x + width).step_by(COMPARED.1).map(move |x| (x, y)));
            let free = tiles.filter(|&(x, y)| grid.is_free(Tile::new(x as u16, y as u16))).count();
            ((x, y), [0.0, (free * COMPARED.1 * COMPARED.1) as f64])
        })
        .collect();
    for corner in corners {
        let (x, y) = (u32::from(corner.x), u32::from(corner.y));
        for (begin, count) in &mut counts {
            let inside = x.wrapping_sub(begin.0) < width && y.wrapping_sub(begin.1) < height;
            count[0] += f64::from(u8::from(inside));
        }
    }
    let far = |count: &[f64; 2]| -> f64 {
        (0..2).map(|n| ((count[n] + 1.0) / (wished[n] + 1.0)).ln().abs()).sum()
    };
    let nearest = counts.iter().min_by(|a, b| far(&a.1).total_cmp(&far(&b.1)));
    nearest.and_then(|&(begin, _)| cut(grid, begin, (width, height)))
}

/// A window of a map.
fn cut(grid: &Grid, (x, y): (u32, u32), (width, height): (u32, u32)) -> Option<Grid> {
    let free = |dx: u32, dy: u32| grid.is_free(Tile::new((x + dx) as u16, (y + dy) as u16));
    Grid::from_fn(width, height, grid.movement(), free).ok()
}
