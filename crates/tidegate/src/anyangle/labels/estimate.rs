//! Knowing when not to: what labels of walks would take, from samples.

use super::graph::BendGraph;
use crate::grid::{CellId, Grid};
use crate::hubs::{CornerSearch, HubGraph, Links};
use crate::labels::{Form, LabelOptions, LabelsError};
use crate::rng::Rng;
use crate::threads;

/// Tiles whose labels are sampled.
const SAMPLES: usize = 64;

/// What labels would take.
pub(super) struct Estimate {
    /// Blocks of 4 x 4 tiles, as if all free tiles lay together.
    blocks: f64,
    corners: f64,
    /// The mean size of a tile's label.
    label: f64,
}

impl Estimate {
    /// Samples the labels of a map whose corners are numbered by rank.
    pub(super) fn new(grid: &Grid, graph: &BendGraph, links: &Links, seed: u64) -> Estimate {
        let cells: Vec<usize> = grid.free_cells().map(CellId::index).collect();
        let mut rng = Rng::new(seed ^ 0x5A17);
        let picked: Vec<usize> = (0..SAMPLES).filter_map(|_| rng.pick(&cells).copied()).collect();
        let space = || (CornerSearch::new(graph.len()), vec![0; graph.len()]);
        let sizes = threads::map(picked.len(), graph.len(), space, |(search, best), n| {
            let tile = grid.tile(CellId::from_index(picked[n]));
            let connected = links.of(picked[n]).iter();
            let connected = connected.map(|&corner| (corner, graph.approach(tile, corner)));
            // A corner stands in the label if none on the way there has a higher rank.
            let mut size = 0_usize;
            search.run(graph, connected, usize::MAX, |corner, parent| {
                let above = best.get(parent as usize).copied().unwrap_or(u32::MAX);
                best[corner as usize] = corner.min(above);
                size += usize::from(corner < above);
            });
            size
        });
        Estimate {
            blocks: cells.len() as f64 / 16.0,
            corners: graph.len() as f64,
            label: sizes.iter().sum::<usize>() as f64 / sizes.len().max(1) as f64,
        }
    }

    pub(super) fn debug(&self) {
        let a = self.blocks * self.label;
        eprintln!(
            "EST blocks {} label {} corners {} bl {a} cl {}",
            self.blocks,
            self.label,
            self.corners,
            self.corners * self.label
        );
    }

    /// The memory of the labels, in bytes. Tiles of a block share most of what they need; the
    /// factors were measured on five sets of maps.
    pub(super) fn bytes(&self, form: Form) -> u64 {
        let of_block = match form {
            Form::Small => SMALL,
            _ => FAST,
        };
        (self.blocks * self.label * of_block + self.corners * self.label * TREES) as u64
    }

    /// The form to build.
    pub(super) fn choose(&self, options: &LabelOptions) -> Result<Form, LabelsError> {
        let budget = options.budget_bytes;
        let fits = |form: Form| self.bytes(form) <= budget;
        match options.form {
            Form::Auto if fits(Form::Fast) => Ok(Form::Fast),
            Form::Auto if fits(Form::Small) => Ok(Form::Small),
            Form::Auto => Err(LabelsError::TooLarge { estimate: self.bytes(Form::Small), budget }),
            form if fits(form) => Ok(form),
            form => Err(LabelsError::TooLarge { estimate: self.bytes(form), budget }),
        }
    }
}

/// Bytes for each tile of a label: in blocks, by form, and in trees.
const FAST: f64 = 16.0;
const SMALL: f64 = 8.0;
const TREES: f64 = 5.0;
