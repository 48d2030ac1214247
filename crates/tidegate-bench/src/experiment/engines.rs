//! All engines on all sets: what the leaderboard and the thesis's tables 4.1 to 4.4 and
//! A.1 to A.4 are made of.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::Movement;
use tidegate::engine::{Engine, Promise};

use super::{Experiment, Lab};
use crate::histogram::Histogram;
use crate::notebook::Rows;
use crate::record::Tally;
use crate::run::{Job, run_map};
use crate::thesis::LikeThesis;

/// The sets with scenarios.
pub const SETS: [&str; 7] = ["sc1", "bg512", "dao", "wc3maps512", "mazes", "rooms", "random"];

/// Of sets that no document prints numbers for, every tenth problem is taken.
const SAMPLED: [&str; 5] = ["dao", "wc3maps512", "mazes", "rooms", "random"];

/// One engine on one map.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// The engine.
    pub engine: String,
    /// Whether it promises the best path.
    pub promises_best: bool,
    /// Problems put to it; 0 if it cannot be built for this map.
    pub problems: usize,
    /// Paths found.
    pub found: usize,
    /// Of those, of exactly the least length.
    pub optimal: usize,
    /// Mean length of the paths found.
    pub mean_length: f64,
    /// Mean of length / least length.
    pub mean_ratio: f64,
    /// Mean expansions.
    pub mean_expanded: f64,
    /// Mean re-expansions.
    pub mean_reexpanded: f64,
    /// Mean time in microseconds.
    pub mean_us: f64,
    /// Longest time in microseconds.
    pub max_us: f64,
    /// Seconds to build its tables.
    pub build_s: f64,
    /// Bytes of its tables.
    pub index_bytes: usize,
    /// How many queries took how long.
    pub times: Histogram,
}

/// The experiment.
pub struct Engines;

impl Experiment for Engines {
    fn name(&self) -> &'static str {
        "engines"
    }

    fn about(&self) -> &'static str {
        "all engines: leaderboard; thesis tables 4.1 to 4.4, A.1 to A.4; a tenth of sets without tables"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        // Mazes, rooms and random maps take long to prepare.
        let cases = lab.cases(if lab.scale.quick { &SETS[..3] } else { &SETS })?;
        let with_problems = cases.iter().filter(|c| c.has_problems());
        Ok(with_problems.map(|c| format!("{}/{}", c.set, c.map)).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let grid = case.grid(Movement::default())?;
        let problems = case.problems(&grid)?;
        let thesis = LikeThesis;
        let engines: Vec<&dyn Engine> = std::iter::once(&thesis as &dyn Engine)
            .chain(tidegate_sectors::ENGINES.iter().copied())
            .collect();
        let share = if SAMPLED.contains(&&*case.set) && !lab.scale.quick { 10 } else { 1 };
        let job = Job {
            set: &case.set,
            map: &case.map,
            grid: &grid,
            problems: &problems,
            every: share * lab.every(problems.len()),
            engines: &engines,
        };
        let mut tally = Tally::default();
        let mut times = vec![Histogram::default(); engines.len()];
        let run = run_map(&job, |row, _, reference| {
            tally.add(row, reference);
            if let Some(at) = engines.iter().position(|e| e.name() == row.engine) {
                times[at].add(row.nanos);
            }
            Ok(())
        })?;
        let promises: Vec<_> = engines.iter().map(|e| (e.name(), e.promise())).collect();
        let failures = tally.failures(&promises);
        ensure!(failures.is_empty(), "wrong answers: {}", failures.join("; "));
        let summaries = tally.summaries();
        for (built, times) in run.built.iter().zip(times) {
            let mut row = Row {
                set: case.set.clone(),
                map: case.map.clone(),
                engine: built.engine.into(),
                promises_best: built.promise == Promise::Optimal,
                build_s: built.seconds,
                index_bytes: built.bytes,
                times,
                ..Row::default()
            };
            let of = summaries.iter().find(|s| s.map != "*" && s.engine == built.engine);
            if let Some(s) = of.filter(|_| built.refused.is_none()) {
                let count = |name: &str| s.statuses.get(name).copied().unwrap_or(0);
                row.problems = s.problems;
                row.optimal = count("optimal");
                row.found = count("optimal") + count("longer");
                row.mean_length = s.mean_length;
                row.mean_ratio = s.mean_ratio;
                row.mean_expanded = s.mean_expanded;
                row.mean_reexpanded = s.mean_reexpanded;
                row.mean_us = s.mean_nanos / 1e3;
                row.max_us = s.max_nanos as f64 / 1e3;
            }
            rows.push(&row)?;
        }
        Ok(())
    }
}
