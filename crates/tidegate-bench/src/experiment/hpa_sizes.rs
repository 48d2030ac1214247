//! Table 2 of the HPA* paper: mean sizes of the graphs of the 120 Baldur's Gate maps.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tidegate::Movement;
use tidegate::hpa::{Hpa, Options, Placement};

use super::{Experiment, Lab};
use crate::notebook::Rows;

/// One map, reading and level; level 0 is the tiles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The map.
    pub map: String,
    /// Which reading of the paper.
    pub reading: String,
    /// The level.
    pub level: usize,
    /// Nodes.
    pub nodes: usize,
    /// Edges between clusters; on level 0 all edges.
    pub inter_edges: usize,
    /// Edges inside clusters.
    pub intra_edges: usize,
}

/// The readings: the one that fits, and the paper's text to the letter.
fn readings() -> [(&'static str, Options); 2] {
    let placement = Placement::MiddleOrEnds { wide: 6, inset: 0 };
    [("hpa-paper", Options::paper()), ("by the letter", Options { placement, ..Options::paper() })]
}

/// The experiment.
pub struct Sizes;

impl Experiment for Sizes {
    fn name(&self) -> &'static str {
        "hpa-sizes"
    }

    fn about(&self) -> &'static str {
        "HPA* table 2: sizes of the abstract graphs"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        lab.maps(&["bgmaps"])
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let grid = lab.case(unit)?.grid(Movement::OneSideFree)?;
        let row = |reading: &str, level, nodes, inter_edges, intra_edges| Row {
            map: unit.into(),
            reading: reading.into(),
            level,
            nodes,
            inter_edges,
            intra_edges,
        };
        let steps: u32 = grid.free_cells().map(|cell| grid.moves(cell).count_ones()).sum();
        rows.push(&row("tiles", 0, grid.free_tiles(), steps as usize / 2, 0))?;
        for (name, options) in readings() {
            let hpa = Hpa::build(&grid, &Options { levels: Some(3), ..options })?;
            for (level, size) in hpa.sizes().iter().enumerate() {
                rows.push(&row(name, level + 1, size.nodes, size.inter_edges, size.intra_edges))?;
            }
        }
        Ok(())
    }
}
