//! What a run leaves behind: summaries per set, map and engine; paths as JSON lines.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use tidegate::engine::Promise;
use tidegate::{Path, Tile};

use crate::check::Status;
use crate::run::{Built, Row};

/// All of one engine's answers on one map (or on a whole set), in figures.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The set.
    pub set: String,
    /// The map; `*` for the whole set.
    pub map: String,
    /// The engine.
    pub engine: &'static str,
    /// Problems put to it.
    pub problems: usize,
    /// Mean length of the paths found.
    pub mean_length: f64,
    /// Mean number of expansions.
    pub mean_expanded: f64,
    /// Mean number of re-expansions.
    pub mean_reexpanded: f64,
    /// Mean time.
    pub mean_nanos: f64,
    /// Median time.
    pub p50_nanos: u64,
    /// Time that 99 of 100 queries stay below.
    pub p99_nanos: u64,
    /// Longest time.
    pub max_nanos: u64,
    /// Seconds to build its tables.
    pub build_seconds: f64,
    /// Bytes of its tables.
    pub index_bytes: usize,
    /// Share of the paths found that are optimal.
    pub share_optimal: f64,
    /// Mean of length / reference over the paths found.
    pub mean_ratio: f64,
    /// How many answers of each kind.
    pub statuses: BTreeMap<&'static str, usize>,
}

/// Gathers rows into summaries.
#[derive(Debug, Default)]
pub struct Tally {
    groups: BTreeMap<(String, String, usize), Group>,
    engines: Vec<&'static str>,
}

#[derive(Debug, Default)]
struct Group {
    nanos: Vec<u64>,
    length: f64,
    expanded: u64,
    reexpanded: u64,
    found: usize,
    ratio: f64,
    rated: usize,
    statuses: BTreeMap<Status, usize>,
    seconds: f64,
    bytes: usize,
    maps: usize,
}

impl Tally {
    /// Takes a row in, with the reference length it was judged by.
    pub fn add(&mut self, row: &Row<'_>, reference: f64) {
        let engine = self.engine(row.engine);
        for map in [row.map, "*"] {
            let group = self.groups.entry((row.set.into(), map.into(), engine)).or_default();
            group.nanos.push(row.nanos);
            group.expanded += row.expanded;
            group.reexpanded += row.reexpanded;
            *group.statuses.entry(row.status).or_default() += 1;
            if let Ok(length) = row.length.parse::<f64>() {
                group.length += length;
                group.found += 1;
                if reference > 0.0 {
                    group.ratio += length / reference;
                    group.rated += 1;
                }
            }
        }
    }

    /// Takes in what an engine took to build on a map.
    pub fn add_built(&mut self, set: &str, map: &str, built: &Built) {
        if built.refused.is_some() {
            return;
        }
        let engine = self.engine(built.engine);
        for map in [map, "*"] {
            let group = self.groups.entry((set.into(), map.into(), engine)).or_default();
            group.seconds += built.seconds;
            group.bytes += built.bytes;
            group.maps += 1;
        }
    }

    fn engine(&mut self, name: &'static str) -> usize {
        self.engines.iter().position(|&e| e == name).unwrap_or_else(|| {
            self.engines.push(name);
            self.engines.len() - 1
        })
    }

    /// The figures, by set, map and engine; `*` sums up a set. Build time and bytes of
    /// a whole set are means per map.
    pub fn summaries(&self) -> Vec<Summary> {
        let summary = |((set, map, engine), group): (&(String, String, usize), &Group)| {
            let mut nanos = group.nanos.clone();
            nanos.sort_unstable();
            let count = nanos.len().max(1) as f64;
            let at = |share: f64| {
                let last = nanos.len().saturating_sub(1);
                nanos.get((last as f64 * share).round() as usize).copied().unwrap_or(0)
            };
            let found = group.found.max(1) as f64;
            let optimal = group.statuses.get(&Status::Optimal).copied().unwrap_or(0);
            Summary {
                set: set.clone(),
                map: map.clone(),
                engine: self.engines[*engine],
                problems: nanos.len(),
                mean_length: group.length / found,
                mean_expanded: group.expanded as f64 / count,
                mean_reexpanded: group.reexpanded as f64 / count,
                mean_nanos: nanos.iter().sum::<u64>() as f64 / count,
                p50_nanos: at(0.5),
                p99_nanos: at(0.99),
                max_nanos: at(1.0),
                build_seconds: group.seconds / group.maps.max(1) as f64,
                index_bytes: group.bytes / group.maps.max(1),
                share_optimal: optimal as f64 / found,
                mean_ratio: group.ratio / group.rated.max(1) as f64,
                statuses: group.statuses.iter().map(|(s, n)| (s.name(), *n)).collect(),
            }
        };
        self.groups.iter().map(summary).collect()
    }

    /// What must not be: paths that are no paths, paths shorter than possible, longer ones
    /// from engines that promise the best, and engines that answered nothing at all.
    pub fn failures(&self, promises: &[(&'static str, Promise)]) -> Vec<String> {
        let mut failures = Vec::new();
        for ((set, map, engine), group) in self.groups.iter().filter(|((_, m, _), _)| m != "*") {
            let name = self.engines[*engine];
            let promise = promises.iter().find(|(engine, _)| *engine == name);
            let promise = promise.map_or(Promise::Approximate, |(_, promise)| *promise);
            for (status, count) in group.statuses.iter().filter(|(s, _)| s.breaks(promise)) {
                failures.push(format!("{set}/{map}, {name}: {count} {}", status.name()));
            }
        }
        for (number, name) in self.engines.iter().enumerate() {
            let groups = self.groups.iter().filter(|((_, m, e), _)| m == "*" && *e == number);
            let (mut asked, mut errors) = (0, 0);
            for (_, group) in groups {
                asked += group.nanos.len();
                errors += group.statuses.get(&Status::Error).copied().unwrap_or(0);
            }
            if asked > 0 && asked == errors {
                failures.push(format!("{name}: every answer is an error ({errors} of {asked})"));
            }
        }
        if self.groups.values().all(|group| group.nanos.is_empty()) {
            failures.push("nothing was measured: no engine was asked anything".into());
        }
        failures
    }
}

/// The columns of a file of reasons. Their order is a contract.
pub const REASON_COLUMNS: [&str; 10] = [
    "set", "map", "problem", "start_x", "start_y", "goal_x", "goal_y", "engine", "status", "reason",
];

/// Writes why an answer is not the best as a row; nothing if it is.
pub fn write_reason<W: Write>(out: &mut csv::Writer<W>, row: &Row<'_>) -> csv::Result<()> {
    let Some(reason) = &row.reason else { return Ok(()) };
    let [start_x, start_y, goal_x, goal_y] =
        [row.start_x, row.start_y, row.goal_x, row.goal_y].map(|n| n.to_string());
    out.write_record([
        row.set,
        row.map,
        &row.problem.to_string(),
        &start_x,
        &start_y,
        &goal_x,
        &goal_y,
        row.engine,
        row.status.name(),
        reason,
    ])
}

/// Writes one path as a JSON line.
pub fn write_path(out: &mut impl Write, row: &Row<'_>, path: &Path) -> Result<()> {
    #[derive(Serialize)]
    struct Line<'a> {
        set: &'a str,
        map: &'a str,
        problem: usize,
        engine: &'a str,
        path: Vec<[u16; 2]>,
    }
    let path = path.tiles().iter().map(|&Tile { x, y }| [x, y]).collect();
    let (set, map, problem, engine) = (row.set, row.map, row.problem, row.engine);
    serde_json::to_writer(&mut *out, &Line { set, map, problem, engine, path })?;
    out.write_all(b"\n")?;
    Ok(())
}
