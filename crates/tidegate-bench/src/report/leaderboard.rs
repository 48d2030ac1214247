//! The leaderboard: every engine on every set.

use std::collections::BTreeMap;

use anyhow::Result;

use super::html::{Section, bytes, counted, folded, h3, num, p, plots, table, unit};
use crate::experiment::engines::{Row, SETS};
use crate::histogram::Histogram;
use crate::notebook::Record;
use crate::plot::{Axis, Plot, Series};

/// One engine on one set.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    pub(super) engine: String,
    pub(super) promises_best: bool,
    /// Maps of the set, and those that the engine can be built for.
    pub(super) maps: usize,
    pub(super) built: usize,
    pub(super) problems: f64,
    pub(super) us: f64,
    pub(super) expanded: f64,
    pub(super) reexpanded: f64,
    pub(super) length: f64,
    /// Mean of length over least length.
    pub(super) ratio: f64,
    pub(super) build_s: f64,
    pub(super) bytes: f64,
    pub(super) times: Histogram,
}

impl Standing {
    /// Mean excess over the least length.
    pub(super) fn error(&self) -> String {
        if self.promises_best { "0".into() } else { unit((self.ratio - 1.0) * 100.0, 2, "%") }
    }

    pub(super) fn p99(&self) -> f64 {
        self.times.micros_at(0.99)
    }
}

/// The standings of a set over the maps that `keep` keeps, quickest first.
pub(super) fn standings(rows: &[Row], set: &str, keep: impl Fn(&str) -> bool) -> Vec<Standing> {
    let mut by_engine: BTreeMap<&str, Standing> = BTreeMap::new();
    let mut found: BTreeMap<&str, f64> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.set == set && keep(&r.map)) {
        let s = by_engine.entry(&row.engine).or_default();
        s.engine.clone_from(&row.engine);
        s.promises_best = row.promises_best;
        s.maps += 1;
        if row.problems == 0 {
            continue;
        }
        let n = row.problems as f64;
        s.built += 1;
        s.problems += n;
        s.us += row.mean_us * n;
        s.expanded += row.mean_expanded * n;
        s.reexpanded += row.mean_reexpanded * n;
        s.length += row.mean_length * row.found as f64;
        s.ratio += row.mean_ratio * row.found as f64;
        s.build_s += row.build_s;
        s.bytes += row.index_bytes as f64;
        s.times.merge(&row.times);
        *found.entry(&row.engine).or_default() += row.found as f64;
    }
    let mut all: Vec<Standing> = by_engine
        .into_iter()
        .map(|(engine, mut s)| {
            let (n, maps) = (s.problems, s.built as f64);
            let found = found.get(engine).copied().unwrap_or(0.0);
            for sum in [&mut s.us, &mut s.expanded, &mut s.reexpanded] {
                *sum /= n;
            }
            for sum in [&mut s.length, &mut s.ratio] {
                *sum /= found;
            }
            for sum in [&mut s.build_s, &mut s.bytes] {
                *sum /= maps;
            }
            s
        })
        .collect();
    all.sort_by(|a, b| a.us.total_cmp(&b.us));
    all
}

/// One engine's standing.
pub(super) fn of<'a>(all: &'a [Standing], engine: &str) -> Option<&'a Standing> {
    all.iter().find(|s| s.engine == engine && s.built > 0)
}

/// The sets in the record, in the order of the report.
pub(super) fn sets(rows: &[Row]) -> Vec<String> {
    let mut sets: Vec<String> = SETS.iter().map(|s| s.to_string()).collect();
    for row in rows {
        if !sets.contains(&row.set) {
            sets.push(row.set.clone());
        }
    }
    sets.retain(|set| rows.iter().any(|row| row.set == *set));
    sets
}

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<Row> = record.rows()?;
    let mut html = p(
        "Every engine answers the same problems, in turns of 32, in one thread. Each path is checked tile by \
         tile and compared with the known least length before its time counts. Of sets that no document \
         prints numbers for, every tenth problem is taken. Times are per query, \
         on the wall; build times use all cores; bytes and build times are means per map. like-thesis is plain A* in the arithmetic of the \
         thesis; auto takes the best that is built.",
    );
    for (i, set) in sets(&rows).iter().enumerate() {
        let all = standings(&rows, set, |_| true);
        let (Some(first), Some(astar)) = (all.first(), of(&all, "astar")) else { continue };
        let (maps, problems) = (first.maps, astar.problems as usize);
        let title = format!("{set}: {}, {}", counted(maps, "map"), counted(problems, "problem"));
        let lines: Vec<Vec<String>> = all.iter().map(|s| line(s, astar)).collect();
        let header = [
            "engine",
            "mean µs",
            "p99 µs",
            "faster than astar",
            "expanded",
            "error",
            "index",
            "build s",
            "promise",
            "maps",
        ];
        let drawn = plots(&[
            (format!("{set}: time against memory; lower left is better"), pareto(set, &all)),
            (format!("{set}: share of queries answered within a time"), within(set, &all)),
        ]);
        let content = table("", &header, &lines) + &drawn;
        html += &if i == 0 { h3(&title) + &content } else { folded(&title, &content) };
    }
    Ok(Section { id: "engines", title: "Leaderboard: all engines on all sets", html })
}

fn line(s: &Standing, astar: &Standing) -> Vec<String> {
    let promise = if s.promises_best { "optimal" } else { "approximate" };
    if s.built == 0 {
        let mut cells = vec!["–".to_string(); 10];
        cells[0].clone_from(&s.engine);
        (cells[8], cells[9]) = (promise.into(), format!("0 of {}", s.maps));
        return cells;
    }
    let maps = if s.built == s.maps { "all".into() } else { format!("{} of {}", s.built, s.maps) };
    vec![
        s.engine.clone(),
        num(s.us),
        num(s.p99()),
        format!("{} x", num(astar.us / s.us)),
        num(s.expanded),
        s.error(),
        if s.engine == "auto" { "labels'".into() } else { bytes(s.bytes) },
        num(s.build_s),
        promise.into(),
        maps,
    ]
}

/// Mean time against bytes, with the line of engines that none beats in both.
fn pareto(set: &str, all: &[Standing]) -> String {
    // A table of nothing has no place on a logarithmic axis.
    let at = |s: &Standing| (s.us, s.bytes.max(1e3));
    let group = |best: bool, name: &str, colour| {
        let chosen: Vec<&Standing> = all
            .iter()
            .filter(|s| s.built > 0 && s.promises_best == best)
            .filter(|s| !matches!(s.engine.as_str(), "auto" | "like-thesis"))
            .collect();
        Series {
            name: name.into(),
            colour,
            points: chosen.iter().map(|s| at(s)).collect(),
            words: chosen.iter().map(|s| s.engine.clone()).collect(),
            joined: false,
        }
    };
    let (exact, near) = (group(true, "optimal", 0), group(false, "approximate", 1));
    let mut front = exact.points.clone();
    front.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut least = f64::INFINITY;
    front.retain(|&(_, bytes)| {
        let better = bytes < least;
        least = least.min(bytes);
        better
    });
    let front = Series {
        name: "no optimal engine beats these in both".into(),
        colour: 2,
        points: front,
        words: Vec::new(),
        joined: true,
    };
    Plot {
        title: format!("Mean time of a query against bytes of tables on {set}"),
        x: Axis::log("mean time of a query, µs"),
        y: Axis::log("bytes of tables a map (1000: none)"),
        series: vec![front, exact, near],
    }
    .dots()
}

/// How many queries are answered within a time.
fn within(set: &str, all: &[Standing]) -> String {
    let shown =
        ["labels", "jps", "hpa", "gateway-consistent", "maat-zones", "differential", "astar"];
    let series = shown.iter().enumerate().filter_map(|(colour, engine)| {
        let standing = of(all, engine)?;
        let shares = standing.times.shares().into_iter();
        let points = shares.map(|(us, share)| (us, share * 100.0)).collect();
        Some(Series { name: engine.to_string(), colour, points, ..Series::default() })
    });
    Plot {
        title: format!("Share of queries answered within a time on {set}"),
        x: Axis::log("µs"),
        y: Axis::linear("percent of queries"),
        series: series.collect(),
    }
    .lines()
}
