//! Table 3.1 of the thesis: gates and seconds of the water-level decomposition, at full and
//! at low resolution.

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::decompose::water::Water;
use tidegate::decompose::{Decomposition, WaterOptions, WaterStages};
use tidegate::depth::DepthMap;
use tidegate::{Movement, Tile};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::least_micros;

/// A gate counts as found again if a gate's middle lies this near.
const NEAR: f64 = 8.0;

/// One map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Gate clusters: what the table counts.
    pub clusters: usize,
    /// Gates before cleaning.
    pub raw: usize,
    /// Gates.
    pub gates: usize,
    /// Zones.
    pub zones: usize,
    /// The whole decomposition in milliseconds.
    pub ms: f64,
    /// Of that, the depth map.
    pub depth_ms: f64,
    /// Of that, the rising water.
    pub water_ms: f64,
    /// The depth map by the plain scan.
    pub naive_depth_ms: f64,
    /// Gates found on a map four times smaller.
    pub low_gates: usize,
    /// Of the gates, found again there.
    pub found_again: usize,
    /// Milliseconds at that resolution.
    pub low_ms: f64,
}

/// The experiment.
pub struct Gates;

impl Experiment for Gates {
    fn name(&self) -> &'static str {
        "gates"
    }

    fn about(&self) -> &'static str {
        "thesis table 3.1: gates and times of the water-level decomposition"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        lab.maps(&["sc1", "bg512"])
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let grid = case.grid(Movement::default())?;
        let options = WaterOptions::default();
        let stages = WaterStages::new(&grid, &options);
        let (us, parts) = least_micros(3, || Decomposition::water(&grid, &options));
        let (depth_us, depth) = least_micros(3, || DepthMap::new(&grid));
        let (water_us, _) = least_micros(3, || Water::rise(&grid, &depth));
        let (naive_us, oracle) = least_micros(1, || DepthMap::naive(&grid));
        ensure!(depth == oracle, "the fast depth map differs from the plain scan");
        let small = options.with_lowres(4);
        let (low_us, low) = least_micros(3, || Decomposition::water(&grid, &small));
        for parts in [&parts, &low] {
            parts.check(&grid).map_err(|v| anyhow::anyhow!("{v}"))?;
        }
        let middles: Vec<Tile> = low.lines().map(|line| line.middle()).collect();
        let near = |a: Tile, b: Tile| {
            let (dx, dy) = (f64::from(a.x.abs_diff(b.x)), f64::from(a.y.abs_diff(b.y)));
            dx.hypot(dy) <= NEAR
        };
        let again = |middle: Tile| middles.iter().any(|&m| near(m, middle));
        let found_again = parts.lines().filter(|line| again(line.middle())).count();
        rows.push(&Row {
            set: case.set,
            map: case.map,
            width: grid.width(),
            height: grid.height(),
            clusters: stages.clusters.len(),
            raw: stages.raw(&grid).gates().len(),
            gates: parts.gates().len(),
            zones: parts.live_zones().count(),
            ms: us / 1e3,
            depth_ms: depth_us / 1e3,
            water_ms: water_us / 1e3,
            naive_depth_ms: naive_us / 1e3,
            low_gates: low.gates().len(),
            found_again,
            low_ms: low_us / 1e3,
        })
        .context("one row a map")
    }
}
