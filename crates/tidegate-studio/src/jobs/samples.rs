//! What a change did to a sample of problems: expansions and time, before and after.

use std::cmp::Ordering;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::engine::Engine;
use tidegate::generate::problems::problems as make_problems;
use tidegate::{Index, Path, Query, Scratch, Tile};
use web_time::Instant;

use super::{Job, Made};
use crate::api_error::ApiResult;
use crate::document::{Document, Scene};
use crate::times::Times;

/// What the map is compared with.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Against {
    /// Before the last change.
    Previous,
    /// As it was opened.
    Opened,
}

/// The most problems of a sample.
const MAX_SAMPLE: usize = 2_000;
/// The sample is run so often before and after, by turns, unless it takes too long.
const PASSES: usize = 7;
const TOO_LONG: Duration = Duration::from_secs(6);

/// One problem on one state.
#[derive(Clone, Debug)]
struct Run {
    expanded: u64,
    micros: f64,
    length: Option<f64>,
    /// Microseconds when it was done again.
    times: Vec<f64>,
}

impl Run {
    fn tell(self) -> Value {
        let micros = if self.times.is_empty() { vec![self.micros] } else { self.times };
        let micros = Times::of(micros).micros;
        json!({ "expanded": self.expanded, "micros": micros, "length": self.length })
    }
}

/// Answers a sample of problems on the state before and on the one of now.
pub(crate) fn samples(
    job: &Job,
    document: &Document,
    (now, version): (&Scene, u64),
    against: Against,
    engine: &'static dyn Engine,
    count: usize,
) -> ApiResult<Made> {
    let before = match against {
        Against::Previous => document.previous()?,
        Against::Opened => document.opened()?,
    };
    let sample = sample(document, count.clamp(1, MAX_SAMPLE));
    job.expect(sample.len() + 2 + PASSES);
    let old = document.build(engine, &before, || job.go_on())?;
    job.step()?;
    let new = document.build(engine, now, || job.go_on())?;
    job.step()?;
    let mut scratches = [Scratch::new(), Scratch::new()];
    let mut rows: Vec<(usize, Query<'_>, [Run; 2])> = Vec::with_capacity(sample.len());
    let mut skipped = 0;
    // Once without a clock, so that memory is warm.
    for (n, start, goal) in sample {
        job.step()?;
        let query = Query::new(start, goal);
        // Problems that begin or end on a painted wall cannot be compared.
        let runs =
            [(&old, 0), (&new, 1)].map(|(index, i)| run(index, engine, &query, &mut scratches[i]));
        match runs {
            [Some(one), Some(other)] => rows.push((n, query, [one, other])),
            _ => skipped += 1,
        }
    }
    let began = Instant::now();
    let mut passes = [Vec::new(), Vec::new()];
    while passes[0].len() < PASSES && (passes[0].is_empty() || began.elapsed() < TOO_LONG) {
        job.step()?;
        let mut sums = [0.0; 2];
        for (_, query, runs) in &mut rows {
            job.go_on()?;
            for (i, index) in [&old, &new].into_iter().enumerate() {
                if let Some(again) = run(index, engine, query, &mut scratches[i]) {
                    sums[i] += again.micros;
                    runs[i].times.push(again.micros);
                }
            }
        }
        passes.iter_mut().zip(sums).for_each(|(all, sum)| all.push(sum));
    }
    let sides: Vec<Times> = passes.into_iter().map(Times::of).collect();
    let of = |i: usize| {
        let mut side = json!(sides[i]);
        side["expanded"] = rows.iter().map(|(.., runs)| runs[i].expanded).sum::<u64>().into();
        side
    };
    let count = |wanted: Ordering| {
        let order = |runs: &[Run; 2]| runs[1].expanded.cmp(&runs[0].expanded);
        rows.iter().filter(|(.., runs)| order(runs) == wanted).count()
    };
    let (before, after) = (of(0), of(1));
    let (better, worse, same) =
        (count(Ordering::Less), count(Ordering::Greater), count(Ordering::Equal));
    let rows = rows.into_iter().map(|(n, query, [one, other])| {
        let (start, goal) = (query.start, query.goal);
        json!({
            "n": n,
            "from": [start.x, start.y],
            "to": [goal.x, goal.y],
            "before": one.tell(),
            "after": other.tell(),
        })
    });
    let value = json!({
        "engine": engine.name(),
        "against": if against == Against::Previous { "previous" } else { "opened" },
        "version": version,
        "rows": rows.collect::<Vec<_>>(),
        "before": before,
        "after": after,
        "better": better,
        "worse": worse,
        "same": same,
        "skipped": skipped,
    });
    Ok(Made { value, file: None })
}

fn run(
    index: &Index,
    engine: &dyn Engine,
    query: &Query<'_>,
    scratch: &mut Scratch,
) -> Option<Run> {
    let mut path = Path::new();
    let clock = Instant::now();
    let answer = index.find(engine, query, scratch, &mut path).ok()?;
    let micros = clock.elapsed().as_secs_f64() * 1e6;
    let length = answer.cost().map(|_| path.length().value());
    Some(Run { expanded: answer.stats.expanded, micros, length, times: Vec::new() })
}

/// Problems spread over the scenario with their numbers, or made ones.
fn sample(document: &Document, count: usize) -> Vec<(usize, Tile, Tile)> {
    let problems = document.problems();
    if problems.is_empty() {
        let made = make_problems(document.index().grid(), &document.name, count, 1);
        return made.iter().enumerate().map(|(n, p)| (n, p.start, p.goal)).collect();
    }
    let count = count.min(problems.len());
    let spread = (0..count).map(|i| i * problems.len() / count);
    spread.map(|n| (n, problems[n].start, problems[n].goal)).collect()
}
