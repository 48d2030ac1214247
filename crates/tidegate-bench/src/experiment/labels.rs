//! The labels engine: all forms on whole sets and on generated maps that grow. Distance,
//! turning points and every tile; every answer checked against the scenario's length.

use std::hint::black_box;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::generate::{Kind, generate, problems::problems};
use tidegate::grid::scen_file::Problem;
use tidegate::labels::{Form, LabelOptions, LabelScratch, Labels};
use tidegate::{Grid, Movement, Path, Tile};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::{Times, wall_seconds};

/// One form on one map; times in microseconds, least of three rounds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The set, or `generated`.
    pub set: String,
    /// The map, or the side of the generated one.
    pub map: String,
    /// `auto`, `fast` or `small`.
    pub form: String,
    /// Why it was refused; then all that follows is 0.
    pub refused: String,
    /// Problems.
    pub problems: usize,
    /// Tight corners.
    pub corners: usize,
    /// Mean entries of a block.
    pub entries: f64,
    /// Bytes.
    pub bytes: usize,
    /// Seconds to build, on all cores.
    pub build_s: f64,
    /// Mean time of a distance.
    pub distance_us: f64,
    /// Mean time of the turning points.
    pub turns_us: f64,
    /// Mean time of every tile.
    pub path_us: f64,
    /// p99 of that.
    pub path_p99_us: f64,
    /// Mean tiles of a path.
    pub tiles: f64,
}

/// The experiment.
pub struct LabelForms;

impl Experiment for LabelForms {
    fn name(&self) -> &'static str {
        "labels"
    }

    fn about(&self) -> &'static str {
        "labels: all forms, what is asked of them, how they grow"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let cases = lab.cases(&["sc1", "bg512", "dao", "mazes", "rooms", "random"])?;
        let cases = cases.iter().filter(|c| c.has_problems());
        let step = if lab.scale.quick { 3 } else { 1 };
        let sides: &[u32] = if lab.scale.quick { &[128, 256] } else { &[256, 512, 1024, 2048] };
        let maps = cases.map(|c| format!("{}/{}", c.set, c.map)).step_by(step);
        Ok(maps.chain(sides.iter().map(|side| format!("generated/{side}"))).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let (set, map) = unit.split_once('/').context("a set and a map")?;
        let (grid, asked, budget) = if set == "generated" {
            let side = map.parse()?;
            let made = generate(Kind::Rts, side, side, 1 + lab.seed)?;
            let grid = made.grid(Movement::NoCornerCutting);
            let asked = problems(&grid, "rts", lab.count(500), 1 + lab.seed);
            (grid, asked, 1 << 30)
        } else {
            let case = lab.case(unit)?;
            let grid = case.grid(Movement::NoCornerCutting)?;
            let all = case.problems(&grid)?;
            let every = lab.every(all.len());
            let asked = all.into_iter().step_by(every).collect();
            (grid, asked, LabelOptions::default().budget_bytes)
        };
        for (name, form) in [("auto", Form::Auto), ("fast", Form::Fast), ("small", Form::Small)] {
            let options = LabelOptions { form, budget_bytes: budget, ..LabelOptions::default() };
            let (build_s, labels) = wall_seconds(|| Labels::build(&grid, &options));
            let (set, map, form) = (set.to_string(), map.to_string(), name.to_string());
            let row = Row { set, map, form, build_s, ..Row::default() };
            let row = match labels {
                Ok(labels) => measure(row, &grid, &asked, &labels)?,
                Err(error) => Row { refused: error.to_string(), ..row },
            };
            rows.push(&row)?;
        }
        Ok(())
    }
}

fn measure(row: Row, grid: &Grid, asked: &[Problem], labels: &Labels) -> Result<Row> {
    let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
    let mut turns: Vec<Tile> = Vec::new();
    let mut times = [(); 3].map(|()| Times::new(asked.len()));
    let mut tiles = 0;
    for round in 0..3 {
        for (n, p) in asked.iter().enumerate() {
            times[0].take(n, || {
                black_box(labels.distance(p.start, p.goal, &mut scratch));
            });
        }
        for (n, p) in asked.iter().enumerate() {
            times[1].take(n, || {
                labels.turning_points(p.start, p.goal, &mut scratch, &mut turns);
            });
        }
        for (n, p) in asked.iter().enumerate() {
            let mut cost = None;
            times[2].take(n, || cost = labels.path(p.start, p.goal, &mut scratch, &mut path));
            if round > 0 {
                continue;
            }
            tiles += path.tiles().len();
            match cost {
                Some(cost) => {
                    path.check_answer(grid, p.start, p.goal, cost)?;
                    let compared = p.compare(path.length().value());
                    ensure!(compared.is_eq(), "{p:?}: {}", path.length().value());
                }
                None => ensure!(p.is_unreachable(), "no path for {p:?}"),
            }
        }
    }
    Ok(Row {
        problems: asked.len(),
        corners: labels.corners(),
        entries: labels.mean_entries(),
        bytes: labels.bytes(),
        distance_us: times[0].mean(),
        turns_us: times[1].mean(),
        path_us: times[2].mean(),
        path_p99_us: times[2].p99(),
        tiles: tiles as f64 / asked.len().max(1) as f64,
        ..row
    })
}
