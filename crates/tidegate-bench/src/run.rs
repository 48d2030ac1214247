//! Running engines over problems: interleaved, single-threaded, answers first.
//!
//! Engines take turns of 32 problems: often enough that a busy moment of the machine hits all
//! of them, seldom enough that a turn finds the caches as a game would, full of the engine's
//! own tables instead of the others'.

use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use tidegate::engine::{Engine, Promise};
use tidegate::grid::scen_file::Problem;
use tidegate::{Grid, Index, Path, Query, Scratch, Tile};

use crate::check::{Reference, Status, Verdict, judge};

/// Problems that an engine answers before the next one has its turn.
const TURN: usize = 32;

/// One line of the CSV: one problem, one engine. The order of the fields is a contract.
#[derive(Clone, Debug, Serialize)]
pub struct Row<'a> {
    /// The set.
    pub set: &'a str,
    /// The map.
    pub map: &'a str,
    /// Number of the problem in its scenario, from 0.
    pub problem: usize,
    /// Column of the start.
    pub start_x: u16,
    /// Row of the start.
    pub start_y: u16,
    /// Column of the goal.
    pub goal_x: u16,
    /// Row of the goal.
    pub goal_y: u16,
    /// The engine.
    pub engine: &'static str,
    /// The file's length.
    pub reference: f64,
    /// Our length with 8 decimals; empty without a path.
    pub length: String,
    /// Straight steps.
    pub straight: u32,
    /// Diagonal steps.
    pub diagonal: u32,
    /// Nodes expanded, the goal included.
    pub expanded: u64,
    /// Of those, again.
    pub reexpanded: u64,
    /// Nodes put on the open list.
    pub generated: u64,
    /// Time of the query alone.
    pub nanos: u64,
    /// What the answer is worth.
    pub status: Status,
    /// What is wrong with it; not a column, see [`crate::record::write_reason`].
    #[serde(skip)]
    pub reason: Option<String>,
}

/// An engine on one map: what it took to build, or why it cannot.
#[derive(Clone, Debug)]
pub struct Built {
    /// Its name.
    pub engine: &'static str,
    /// Its promise.
    pub promise: Promise,
    /// Seconds to build its tables.
    pub seconds: f64,
    /// Bytes of its tables.
    pub bytes: usize,
    /// Why it was left out on this map.
    pub refused: Option<String>,
}

/// What is run on one map.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The set's name.
    pub set: &'a str,
    /// The map's name.
    pub map: &'a str,
    /// The map.
    pub grid: &'a Grid,
    /// All problems of the scenario.
    pub problems: &'a [Problem],
    /// Take every so manieth problem.
    pub every: usize,
    /// The engines.
    pub engines: &'a [&'a dyn Engine],
}

/// What became of a map.
#[derive(Clone, Debug)]
pub struct MapRun {
    /// The engines as built.
    pub built: Vec<Built>,
    /// Whether the oracle's lengths stood in for the file's.
    pub oracle: bool,
}

/// Builds the engines and puts every problem to each of them in turn. `each` gets every
/// row with its path and its reference length.
pub fn run_map(
    job: &Job<'_>,
    each: impl FnMut(&Row<'_>, &Path, f64) -> Result<()>,
) -> Result<MapRun> {
    run_on(&mut Index::new(job.grid.clone()), job, each)
}

/// Like [`run_map`], on an index of the map that may hold some tables already.
pub fn run_on(
    index: &mut Index,
    job: &Job<'_>,
    mut each: impl FnMut(&Row<'_>, &Path, f64) -> Result<()>,
) -> Result<MapRun> {
    let built: Vec<Built> = job.engines.iter().map(|e| build(*e, index)).collect();
    let ready: Vec<&dyn Engine> = job
        .engines
        .iter()
        .zip(&built)
        .filter(|(_, b)| b.refused.is_none())
        .map(|(e, _)| *e)
        .collect();
    let taken: Vec<(usize, &Problem)> =
        job.problems.iter().enumerate().step_by(job.every.max(1)).collect();
    let problems: Vec<&Problem> = taken.iter().map(|(_, p)| *p).collect();
    let reference = Reference::choose(job.grid, job.problems, &problems);
    let mut scratches: Vec<Scratch> = ready.iter().map(|_| Scratch::new()).collect();
    let mut path = Path::new();
    if let Some(first) = problems.first() {
        // One unmeasured query each, so that no engine pays for its first touch of memory.
        for (engine, scratch) in ready.iter().zip(&mut scratches) {
            let _ = index.find(*engine, &Query::new(first.start, first.goal), scratch, &mut path);
        }
    }
    for (turn, problems) in taken.chunks(TURN).enumerate() {
        for i in 0..ready.len() {
            // Another one goes first every time.
            let i = (i + turn) % ready.len();
            let (engine, scratch) = (ready[i], &mut scratches[i]);
            for (n, &(number, problem)) in (turn * TURN..).zip(problems) {
                let query = Query::new(problem.start, problem.goal);
                let clock = Instant::now();
                let answer = index.find(engine, &query, scratch, &mut path);
                let nanos = clock.elapsed().as_nanos() as u64;
                let Verdict { status, reason } =
                    judge(job.grid, problem, n, &reference, &answer, &path);
                let found = answer.as_ref().is_ok_and(|a| a.cost().is_some());
                let length = path.length();
                let stats = answer.map(|a| a.stats).unwrap_or_default();
                let (Tile { x: start_x, y: start_y }, Tile { x: goal_x, y: goal_y }) =
                    (problem.start, problem.goal);
                let row = Row {
                    set: job.set,
                    map: job.map,
                    problem: number,
                    start_x,
                    start_y,
                    goal_x,
                    goal_y,
                    engine: engine.name(),
                    reference: problem.length,
                    length: if found { format!("{:.8}", length.value()) } else { String::new() },
                    straight: length.straight,
                    diagonal: length.diagonal,
                    expanded: stats.expanded,
                    reexpanded: stats.reexpanded,
                    generated: stats.generated,
                    nanos,
                    status,
                    reason,
                };
                each(&row, &path, reference.length(problem, n))?;
            }
        }
    }
    Ok(MapRun { built, oracle: matches!(reference, Reference::Oracle(_)) })
}

fn build(engine: &dyn Engine, index: &mut Index) -> Built {
    let clock = Instant::now();
    let result = index.prepare(engine);
    Built {
        engine: engine.name(),
        promise: engine.promise(),
        seconds: clock.elapsed().as_secs_f64(),
        bytes: engine.bytes(index),
        refused: result.err().map(|e| e.to_string()),
    }
}
