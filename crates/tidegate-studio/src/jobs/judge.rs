//! All problems of a map as one engine does them: which are done badly, and how badly.

use std::time::Duration;

use serde_json::{Value, json};
use tidegate::engine::Engine;
use tidegate::grid::scen_file::Problem;
use tidegate::{Path, Query, Scratch};
use tidegate_bench::check::{Reference, Status, Verdict, judge as verdict};
use web_time::Instant;

use super::{Job, Made};
use crate::api_error::{ApiError, ApiResult};
use crate::document::{Document, Scene};
use crate::times::Times;

/// Problems that take less are timed by so many more runs.
const QUICK: Duration = Duration::from_millis(20);
const RUNS: usize = 3;

/// Puts every so manieth problem to an engine and judges the answers.
pub(crate) fn judge(
    job: &Job,
    document: &Document,
    scene: &Scene,
    version: u64,
    engine: &'static dyn Engine,
    every: usize,
) -> ApiResult<Made> {
    let problems = document.problems();
    if problems.is_empty() {
        return Err(ApiError::refused("this map has no problems: load a scenario, or make some"));
    }
    let taken: Vec<(usize, &Problem)> = problems.iter().enumerate().step_by(every).collect();
    job.expect(taken.len() + 1);
    let index = document.build(engine, scene, || job.go_on())?;
    job.step()?;
    let only: Vec<&Problem> = taken.iter().map(|(_, problem)| *problem).collect();
    let reference = if document.walls_differ(scene.grid()) {
        Reference::oracle(scene.grid(), &only)
    } else {
        Reference::choose(scene.grid(), &problems, &only)
    };
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let mut rows: Vec<Value> = Vec::with_capacity(taken.len());
    let (mut expanded, mut micros) = (0.0, 0.0);
    let (mut optimal, mut longer, mut wrong) = (0, 0, 0);
    for (n, &(number, problem)) in taken.iter().enumerate() {
        let query = Query::new(problem.start, problem.goal);
        let clock = Instant::now();
        let answer = index.find(engine, &query, &mut scratch, &mut path);
        let first = clock.elapsed();
        let Verdict { status, reason } =
            verdict(scene.grid(), problem, n, &reference, &answer, &path);
        match status {
            Status::Optimal | Status::Unreachable => optimal += 1,
            Status::Longer => longer += 1,
            Status::Shorter | Status::Invalid => wrong += 1,
            Status::Error => {}
        }
        let stats = answer.map(|a| a.stats).unwrap_or_default();
        // Sectors adapt to every query, so theirs is the one time that counts.
        let adapts = tidegate_sectors::sectors(&scratch, engine.name()).is_some();
        let time = if first < QUICK && !adapts {
            let again = || index.find(engine, &query, &mut scratch, &mut path).map(drop);
            Times::measure(RUNS, again).map_or(0.0, |times| times.micros)
        } else {
            first.as_secs_f64() * 1e6
        };
        let (length, best) = (path.length().value(), reference.length(problem, n));
        rows.push(json!({
            "n": number,
            "status": status.name(),
            "reason": reason,
            "length": length,
            "reference": best,
            "ratio": if best > 0.0 { length / best } else { 1.0 },
            "steps": path.tiles().len(),
            "expanded": stats.expanded,
            "micros": time,
        }));
        expanded += stats.expanded as f64;
        micros += time;
        job.step()?;
    }
    let count = rows.len() as f64;
    let value = json!({
        "version": version,
        "engine": engine.name(),
        "rows": rows,
        "mean_expanded": expanded / count,
        "mean_micros": micros / count,
        "optimal": optimal,
        "longer": longer,
        "wrong": wrong,
    });
    Ok(Made { value, file: None })
}
