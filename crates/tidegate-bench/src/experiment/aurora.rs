//! The thesis's table 4.5: the Aurora map, by length of the path.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::Movement;
use tidegate::engine::{self, Engine};

use super::{Experiment, Lab};
use crate::check::Status;
use crate::notebook::Rows;
use crate::run::{Job, run_map};
use crate::thesis::LikeThesis;

/// The scenario buckets that the table was made from, known by its numbers of searches and
/// mean lengths: ten problems for every four steps of length.
pub const BUCKETS: [(f64, f64); 6] = [
    (804.0, 812.0),
    (404.0, 484.0),
    (604.0, 644.0),
    (804.0, 824.0),
    (1004.0, 1008.0),
    (1192.0, 1200.0),
];

/// One engine on one bucket of problems.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Which of [`BUCKETS`].
    pub bucket: usize,
    /// The engine.
    pub engine: String,
    /// Searches.
    pub problems: usize,
    /// Mean length of the best path.
    pub mean_length: f64,
    /// Mean expansions.
    pub mean_expanded: f64,
    /// Mean time in microseconds.
    pub mean_us: f64,
}

/// The experiment.
pub struct Aurora;

impl Experiment for Aurora {
    fn name(&self) -> &'static str {
        "aurora"
    }

    fn about(&self) -> &'static str {
        "thesis table 4.5: the Aurora map by length of the path"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        Ok(if lab.has("sc1/Aurora") { vec!["sc1/Aurora".into()] } else { Vec::new() })
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let grid = case.grid(Movement::default())?;
        let mut problems = case.problems(&grid)?;
        let inside = |length: f64, (low, high): (f64, f64)| (low..high).contains(&length);
        problems.retain(|p| BUCKETS.iter().any(|&b| inside(p.length, b)));
        let thesis = LikeThesis;
        let engines: [&dyn Engine; 4] =
            [&thesis, engine::ASTAR, engine::GATEWAY, engine::GATEWAY_CONSISTENT];
        let every = if lab.scale.quick { 10 } else { 1 };
        let (set, map) = (&*case.set, &*case.map);
        let job = Job { set, map, grid: &grid, problems: &problems, every, engines: &engines };
        let mut sums = vec![[0.0; 4]; BUCKETS.len() * engines.len()];
        run_map(&job, |row, _, reference| {
            ensure!(row.status == Status::Optimal, "{}: {:?}", row.engine, row.status);
            let engine = engines.iter().position(|e| e.name() == row.engine).unwrap_or(0);
            for (n, &bucket) in BUCKETS.iter().enumerate() {
                if inside(reference, bucket) {
                    let sum = &mut sums[n * engines.len() + engine];
                    let one = [1.0, reference, row.expanded as f64, row.nanos as f64 / 1e3];
                    sum.iter_mut().zip(one).for_each(|(sum, value)| *sum += value);
                }
            }
            Ok(())
        })?;
        for (n, [count, length, expanded, us]) in sums.into_iter().enumerate() {
            let (problems, count) = (count as usize, count.max(1.0));
            rows.push(&Row {
                bucket: n / engines.len(),
                engine: engines[n % engines.len()].name().into(),
                problems,
                mean_length: length / count,
                mean_expanded: expanded / count,
                mean_us: us / count,
            })?;
        }
        Ok(())
    }
}
