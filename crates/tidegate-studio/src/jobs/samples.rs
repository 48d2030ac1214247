//! What a change did to a sample of problems: expansions and time, before and after.

use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::engine::Engine;
use tidegate::generate::problems::problems as make_problems;
use tidegate::{Index, Path, Query, Scratch, Tile};

use super::{Job, Made};
use crate::document::{Document, Scene};
use crate::fault::Answer;

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
/// Every problem is timed so often; the least counts.
const RUNS: usize = 3;

/// One problem on one state.
#[derive(Clone, Copy, Debug)]
struct Run {
    expanded: u64,
    micros: f64,
    length: Option<f64>,
}

impl Run {
    fn tell(self) -> Value {
        json!({ "expanded": self.expanded, "micros": self.micros, "length": self.length })
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
) -> Answer<Made> {
    let before = match against {
        Against::Previous => document.previous()?,
        Against::Opened => document.opened(),
    };
    let sample = sample(document, count.clamp(1, MAX_SAMPLE));
    job.expect(sample.len() + 2);
    let old = document.tables.build(engine, &before)?;
    job.step()?;
    let new = document.tables.build(engine, now)?;
    job.step()?;
    let mut scratches = [Scratch::new(), Scratch::new()];
    let mut rows: Vec<Value> = Vec::with_capacity(sample.len());
    let (mut sums, mut better, mut worse, mut same) = ([(0u64, 0.0); 2], 0, 0, 0);
    let mut skipped = 0;
    for (n, start, goal) in sample {
        job.step()?;
        let query = Query::new(start, goal);
        // Problems that begin or end on a painted wall cannot be compared.
        let runs =
            [(&old, 0), (&new, 1)].map(|(index, i)| run(index, engine, &query, &mut scratches[i]));
        let [Some(one), Some(other)] = runs else {
            skipped += 1;
            continue;
        };
        for (sum, run) in sums.iter_mut().zip([one, other]) {
            *sum = (sum.0 + run.expanded, sum.1 + run.micros);
        }
        match other.expanded.cmp(&one.expanded) {
            std::cmp::Ordering::Less => better += 1,
            std::cmp::Ordering::Greater => worse += 1,
            std::cmp::Ordering::Equal => same += 1,
        }
        rows.push(json!({
            "n": n,
            "from": [start.x, start.y],
            "to": [goal.x, goal.y],
            "before": one.tell(),
            "after": other.tell(),
        }));
    }
    let sum = |i: usize| json!({ "expanded": sums[i].0, "micros": sums[i].1 });
    let value = json!({
        "engine": engine.name(),
        "against": if against == Against::Previous { "previous" } else { "opened" },
        "version": version,
        "rows": rows,
        "before": sum(0),
        "after": sum(1),
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
    let mut least: Option<Run> = None;
    for _ in 0..RUNS {
        let clock = Instant::now();
        let answer = index.find(engine, query, scratch, &mut path).ok()?;
        let micros = clock.elapsed().as_secs_f64() * 1e6;
        let length = answer.cost().map(|_| path.length().value());
        let first = least.get_or_insert(Run { expanded: answer.stats.expanded, micros, length });
        first.micros = first.micros.min(micros);
    }
    least
}

/// Problems spread over the scenario with their numbers, or made ones.
fn sample(document: &Document, count: usize) -> Vec<(usize, Tile, Tile)> {
    let problems = document.problems();
    if problems.is_empty() {
        let made = make_problems(&document.grid(), &document.name, count, 1);
        return made.iter().enumerate().map(|(n, p)| (n, p.start, p.goal)).collect();
    }
    let count = count.min(problems.len());
    let spread = (0..count).map(|i| i * problems.len() / count);
    spread.map(|n| (n, problems[n].start, problems[n].goal)).collect()
}
