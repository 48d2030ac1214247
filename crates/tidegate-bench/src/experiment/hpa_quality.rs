//! HPA* on the scenario sets: error before and after smoothing, time of the whole path and
//! of the first move, beside A*.

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tidegate::cost::Cost;
use tidegate::hpa::{Hpa, HpaScratch, Options, Smoothing};
use tidegate::{Movement, Path, Query, Scratch, engine};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::{least_micros, wall_seconds};

/// One engine on one map: sums over its problems.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// `hpa` or `hpa-paper`.
    pub engine: String,
    /// Problems.
    pub problems: usize,
    /// Length over the best, before smoothing.
    pub ratio_before: f64,
    /// Length over the best, after smoothing.
    pub ratio_after: f64,
    /// The worst of those (no sum).
    pub worst_after: f64,
    /// Microseconds of the whole path.
    pub us: f64,
    /// Microseconds to the first move.
    pub first_move_us: f64,
    /// Microseconds of A*.
    pub astar_us: f64,
    /// Seconds to build.
    pub build_s: f64,
    /// Bytes.
    pub bytes: usize,
}

/// The experiment.
pub struct Quality;

impl Experiment for Quality {
    fn name(&self) -> &'static str {
        "hpa-quality"
    }

    fn about(&self) -> &'static str {
        "HPA* on scenarios: error before and after smoothing, first move"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        lab.maps(&["sc1", "bg512", "dao"])
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let index = lab.index(unit, Movement::NoCornerCutting)?;
        let (grid, case) = (index.grid(), lab.case(unit)?);
        let problems = case.problems(grid)?;
        let every = lab.every(problems.len()).max(if lab.scale.quick { 1 } else { 10 });
        let mut small = HpaScratch::new();
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for (name, options) in [("hpa", Options::default()), ("hpa-paper", Options::paper())] {
            let (build_s, hpa) = wall_seconds(|| Hpa::build(grid, &options));
            let hpa = hpa?;
            let rough = hpa.clone().with_smoothing(Smoothing::Off);
            let mut row = Row {
                set: case.set.clone(),
                map: case.map.clone(),
                engine: name.into(),
                build_s,
                bytes: hpa.bytes(),
                ..Row::default()
            };
            for problem in problems.iter().step_by(every) {
                let (start, goal) = (problem.start, problem.goal);
                let query = Query::new(start, goal);
                let (time, answer) =
                    least_micros(2, || index.find(engine::ASTAR, &query, &mut scratch, &mut path));
                let Some(best) = answer?.cost().filter(|&cost| cost > Cost::ZERO) else { continue };
                row.problems += 1;
                row.astar_us += time;
                let ratio = |cost: Cost| f64::from(cost.get()) / f64::from(best.get());
                let cost = rough.planner(grid).find(start, goal, &mut small, &mut path);
                row.ratio_before += ratio(cost.context("no path")?);
                let planner = hpa.planner(grid);
                let find = || planner.find(start, goal, &mut small, &mut path);
                let (time, cost) = least_micros(2, find);
                let cost = cost.context("no path")?;
                path.check_answer(grid, start, goal, cost)?;
                row.us += time;
                row.ratio_after += ratio(cost);
                row.worst_after = row.worst_after.max(ratio(cost));
                let first = || {
                    let start = planner.anchor(start, &mut small)?;
                    let goal = planner.anchor(goal, &mut small)?;
                    let mut journey = planner.journey(&start, &goal, &mut small).ok()??;
                    Some(journey.next(planner, &mut small))
                };
                row.first_move_us += least_micros(2, first).0;
            }
            rows.push(&row)?;
        }
        Ok(())
    }
}
