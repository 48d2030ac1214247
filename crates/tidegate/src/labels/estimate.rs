//! Knowing when not to: what labels would take, from samples, before they are built.
//!
//! One Dijkstra search from a tile tells the exact size of that tile's label: carry
//! along, for each corner, the best rank on all its shortest paths; a corner that is
//! itself the best stands in the label. A few dozen tiles give the mean.

use super::build::Form;
use super::links::Survey;
use crate::grid::{CellId, Grid};
use crate::hubs::{CornerSearch, Links};
use crate::rng::Rng;
use crate::taut::CornerGraph;
use crate::threads;

/// Tiles whose label sizes are sampled.
const SAMPLES: usize = 48;
/// Corners whose connections are sampled.
const CORNERS: usize = 256;

/// What labels would take.
pub(super) struct Estimate {
    tiles: usize,
    width: u32,
    height: u32,
    corners: usize,
    free: usize,
    /// The mean size of a tile's label.
    pub(super) label: f64,
}

impl Estimate {
    /// The least memory, in bytes, that building takes for the connections of tiles.
    pub(super) fn before_joining(survey: &Survey<'_>) -> u64 {
        let corners = survey.corners.len();
        let step = corners.div_ceil(CORNERS).max(1);
        let sampled: Vec<usize> = (0..corners).step_by(step).collect();
        let counts =
            threads::map(sampled.len(), 64, || (), |(), n| survey.connections(sampled[n]) as u64);
        // Eight bytes each: once by corner, once by tile.
        8 * counts.iter().sum::<u64>() * step as u64
    }

    /// The memory of the labels, in bytes.
    pub(super) fn bytes(&self, form: Form) -> u64 {
        // Tiles of a block share most of what they need; measured on all bench sets.
        let (share, side) = match form {
            Form::Small => (3.2, 8),
            _ => (1.6, 4),
        };
        let blocks = self.width.div_ceil(side) as f64 * f64::from(self.height.div_ceil(side));
        let used = blocks * (self.free as f64 / self.tiles as f64).sqrt();
        let entries = used * self.label * share;
        (12.0 * entries + 4.4 * self.label * self.corners as f64) as u64 + 4 * self.tiles as u64
    }
}

/// Samples the labels of a map whose corners are numbered by rank.
pub(super) fn estimate(grid: &Grid, graph: &CornerGraph, links: &Links, seed: u64) -> Estimate {
    let cells: Vec<usize> = grid.free_cells().map(CellId::index).collect();
    let mut rng = Rng::new(seed ^ 0x5A17);
    let picked: Vec<usize> = (0..SAMPLES).filter_map(|_| rng.pick(&cells).copied()).collect();
    let space = || (CornerSearch::new(graph.len()), vec![0; graph.len()]);
    let sizes = threads::map(picked.len(), graph.len(), space, |(search, best), n| {
        let cell = picked[n];
        let tile = grid.tile(CellId::from_index(cell));
        let connected =
            links.of(cell).iter().map(|&corner| (corner, graph.to_corner(tile, corner)));
        let mut size = 0_usize;
        search.run(graph, connected, usize::MAX, |corner, parent| {
            let above = best.get(parent as usize).copied().unwrap_or(u32::MAX);
            best[corner as usize] = corner.min(above);
            size += usize::from(corner < above);
        });
        size
    });
    Estimate {
        tiles: grid.tiles(),
        width: grid.width(),
        height: grid.height(),
        corners: graph.len(),
        free: cells.len(),
        label: sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64,
    }
}

#[cfg(all(test, feature = "generate"))]
mod tests {
    use super::super::build::join;
    use super::super::{LabelOptions, Labels};
    use super::*;
    use crate::generate::{Kind, generate};
    use crate::grid::Movement;
    use crate::hubs::order;
    use crate::taut::Rules;

    #[test]
    fn estimates_are_within_a_factor_of_two() {
        let movement = Movement::NoCornerCutting;
        for kind in [Kind::Rts, Kind::Rooms, Kind::Caves, Kind::Maze] {
            let grid = generate(kind, 200, 180, 5).unwrap().grid(movement);
            for form in [Form::Fast, Form::Small] {
                let options = LabelOptions { form, effort: 200_000, ..LabelOptions::default() };
                let (graph, mut links) = join(&grid, &options, Rules::of(movement)).unwrap();
                let effort = (options.effort, options.seed);
                let order = order(&grid, &graph, &links, |t, c| graph.to_corner(t, c), effort);
                let graph = graph.renamed(&order);
                links.rename(&order);
                let estimated = estimate(&grid, &graph, &links, options.seed).bytes(form) as f64;
                let made = Labels::build(&grid, &options).unwrap().bytes() as f64;
                println!(
                    "{kind} {form:?}: estimated {estimated}, made {made}, {:.2}",
                    estimated / made
                );
                assert!(
                    estimated < 2.0 * made && made < 2.0 * estimated,
                    "{kind} {form:?}: {estimated} {made}"
                );
            }
        }
    }
}
