//! Changes of the map: what a repair of the HPA* graph costs against a rebuild.

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::hpa::{Hpa, Options};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement};
use tidegate_testkit::maps;

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::wall_seconds;

/// One map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The map.
    pub map: String,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Edits of one tile each.
    pub edits: usize,
    /// Mean microseconds of a repair.
    pub repair_us: f64,
    /// Microseconds of a rebuild.
    pub rebuild_us: f64,
}

const SCATTERED: &str = "scattered walls 20 %";

/// The experiment.
pub struct Edits;

impl Experiment for Edits {
    fn name(&self) -> &'static str {
        "hpa-edits"
    }

    fn about(&self) -> &'static str {
        "HPA*: repair after a change against a rebuild"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let maps = lab.maps(&["sc1"])?;
        let sides = |unit: &str| -> Result<u32> {
            let grid = lab.case(unit)?.grid(Movement::NoCornerCutting)?;
            Ok(grid.width().min(grid.height()))
        };
        let mut largest: Option<(u32, String)> = None;
        for map in maps {
            let side = sides(&map)?;
            if largest.as_ref().is_none_or(|(known, _)| side > *known) {
                largest = Some((side, map));
            }
        }
        let (_, map) = largest.context("a suite without maps")?;
        Ok(vec![map, SCATTERED.into()])
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let movement = Movement::NoCornerCutting;
        let mut grid = if unit == SCATTERED {
            let (side, mut rng) = (if lab.scale.quick { 256 } else { 1024 }, Rng::new(1));
            Grid::from_fn(side, side, movement, |_, _| !rng.chance(20))?
        } else {
            lab.case(unit)?.grid(movement)?
        };
        let options = Options::default();
        let (rebuild_s, hpa) = wall_seconds(|| Hpa::build(&grid, &options));
        let (mut hpa, mut rng, mut sum) = (hpa?, Rng::new(7), 0.0);
        let edits = 100;
        for _ in 0..edits {
            let tile = *maps::free_tiles(&grid, 1, &mut rng).first().context("a free tile")?;
            grid.set_free(tile, false);
            sum += wall_seconds(|| hpa.repair(&grid, &[tile])).0 * 1e6;
        }
        ensure!(hpa.same_graph(&Hpa::build(&grid, &options)?), "repair differs from rebuild");
        let (map, width, height) = (unit.to_string(), grid.width(), grid.height());
        let (repair_us, rebuild_us) = (sum / edits as f64, rebuild_s * 1e6);
        rows.push(&Row { map, width, height, edits, repair_us, rebuild_us })
    }
}
