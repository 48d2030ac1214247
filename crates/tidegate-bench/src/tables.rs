//! The thesis's tables 4.1 to 4.5 and A.1 to A.4 with our figures beside them.
//!
//! Both baselines are run: `like-thesis`, the reading of plain A* that reproduces the
//! published counts, and `astar` with exact costs. The published figures are read from
//! `tables/thesis-appendix-A.csv` and `tables/thesis-table-4.5-aurora.csv` of the suite.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path as FilePath;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use tidegate::Movement;
use tidegate::engine::{self, Engine};

use crate::check::Status;
use crate::run::{Job, run_map};
use crate::suite::Suite;
use crate::thesis::LikeThesis;

/// A row of the published appendix.
#[derive(Clone, Debug, Deserialize)]
struct Published {
    map: String,
    set: String,
    heuristic: String,
    decomposition: String,
    avg_time_s: f64,
    avg_expanded: f64,
    avg_reexpanded: f64,
    searches: f64,
}

/// A row of the published table of the Aurora map.
#[derive(Clone, Debug, Deserialize)]
struct Aurora {
    searches: u32,
    heuristic: String,
    avg_len: f64,
    avg_expanded: f64,
}

/// Sums over problems.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    problems: f64,
    length: f64,
    expanded: f64,
    again: f64,
    seconds: f64,
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        self.problems += other.problems;
        self.length += other.length;
        self.expanded += other.expanded;
        self.again += other.again;
        self.seconds += other.seconds;
    }

    fn mean(&self, total: f64) -> f64 {
        total / self.problems.max(1.0)
    }
}

const ENGINES: [&str; 4] = ["like-thesis", "astar", "gateway", "gateway-consistent"];
/// The scenario buckets that table 4.5 was made from, told by its numbers of searches
/// and mean lengths: ten problems for every four steps of length.
const AURORA: [(f64, f64); 6] = [
    (804.0, 812.0),
    (404.0, 484.0),
    (604.0, 644.0),
    (804.0, 824.0),
    (1004.0, 1008.0),
    (1192.0, 1200.0),
];

/// Runs every `every`-th problem of both sets and writes the tables.
pub fn write(suite: &FilePath, every: usize, out: &mut impl Write) -> Result<()> {
    let published: Vec<Published> = read(suite, "thesis-appendix-A.csv")?;
    let aurora: Vec<Aurora> = read(suite, "thesis-table-4.5-aurora.csv")?;
    let like_thesis = LikeThesis::default();
    let engines: [&dyn Engine; 4] =
        [&like_thesis, engine::ASTAR, engine::GATEWAY, engine::GATEWAY_CONSISTENT];
    writeln!(out, "Every {every}th problem; lengths in tiles, times in microseconds.")?;
    for (set, names) in [("sc1", "A.1 and A.2"), ("bg512", "A.3 and A.4")] {
        let mut maps: BTreeMap<String, [Sum; 4]> = BTreeMap::new();
        let mut buckets = [[Sum::default(); 4]; AURORA.len()];
        for case in Suite::open(suite)?.cases(&[set.to_owned()], &[])? {
            let grid = case.grid(Movement::default())?;
            let problems = case.problems(&grid)?;
            let job = Job {
                set,
                map: &case.map,
                grid: &grid,
                problems: &problems,
                every,
                engines: &engines,
            };
            let sums = maps.entry(case.map.clone()).or_default();
            run_map(&job, |row, _, reference| {
                ensure!(
                    row.status == Status::Optimal,
                    "{} problem {}: {} is {:?}",
                    row.map,
                    row.problem,
                    row.engine,
                    row.status
                );
                let Some(at) = ENGINES.iter().position(|&e| e == row.engine) else {
                    return Ok(());
                };
                let one = Sum {
                    problems: 1.0,
                    length: reference,
                    expanded: row.expanded as f64,
                    again: row.reexpanded as f64,
                    seconds: row.nanos as f64 / 1e9,
                };
                sums[at].add(&one);
                for (bucket, (low, high)) in buckets.iter_mut().zip(AURORA) {
                    if case.map == "Aurora" && (low..high).contains(&reference) {
                        bucket[at].add(&one);
                    }
                }
                Ok(())
            })?;
        }
        appendix(out, names, set, &maps, &published)?;
        if set == "sc1" {
            let lost = lost_maps(&published);
            summary(out, "4.1: all 30 StarCraft maps", set, &maps, &published, "automatic", &[])?;
            summary(out, "4.2: the 21 best maps", set, &maps, &published, "automatic", &lost)?;
            summary(out, "4.3: some maps mended", set, &maps, &published, "manual-fix", &[])?;
            aurora_table(out, &buckets, &aurora)?;
        } else {
            summary(out, "4.4: Baldur's Gate II", set, &maps, &published, "automatic", &[])?;
        }
    }
    Ok(())
}

fn read<T: for<'de> Deserialize<'de>>(suite: &FilePath, name: &str) -> Result<Vec<T>> {
    let path = suite.join("tables").join(name);
    let mut file = csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
    let rows: Result<Vec<T>, _> = file.deserialize().collect();
    rows.with_context(|| path.display().to_string())
}

/// The published row of a map; a mended decomposition is preferred if `kind` asks for it.
fn find<'a>(
    rows: &'a [Published],
    set: &str,
    map: &str,
    what: &str,
    kind: &str,
) -> Option<&'a Published> {
    let of = |kind: &str| {
        rows.iter().find(|r| {
            r.set == set && r.map == map && r.heuristic == what && r.decomposition == kind
        })
    };
    of(kind).or_else(|| of("automatic"))
}

/// The maps on which the published gateway search took longer than plain A*, or nearly:
/// the nine that table 4.2 leaves out are those with the least gain.
fn lost_maps(rows: &[Published]) -> Vec<String> {
    let mut gains: Vec<(f64, String)> = Vec::new();
    for row in rows.iter().filter(|r| r.set == "sc1" && r.heuristic == "octile") {
        if row.decomposition == "automatic"
            && let Some(gateway) = find(rows, "sc1", &row.map, "gateway", "automatic")
        {
            gains.push((row.avg_time_s / gateway.avg_time_s, row.map.clone()));
        }
    }
    gains.sort_by(|a, b| a.0.total_cmp(&b.0));
    gains.into_iter().take(9).map(|(_, map)| map).collect()
}

fn appendix(
    out: &mut impl Write,
    names: &str,
    set: &str,
    maps: &BTreeMap<String, [Sum; 4]>,
    published: &[Published],
) -> Result<()> {
    writeln!(out, "\nTables {names} ({set}): mean expansions (re-expansions)\n")?;
    writeln!(
        out,
        "| map | problems | length | thesis octile | like-thesis | astar | thesis gateway | gateway | gateway-consistent | time gained |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    for (map, sums) in maps {
        let octile = find(published, set, map, "octile", "automatic");
        let gateway = find(published, set, map, "gateway", "automatic");
        let number =
            |row: Option<&Published>| row.map_or("-".into(), |r| format!("{:.0}", r.avg_expanded));
        let again = gateway.map_or(String::new(), |r| format!(" ({:.0})", r.avg_reexpanded));
        let ours = |i: usize| sums[i].mean(sums[i].expanded);
        writeln!(
            out,
            "| {map} | {} | {:.1} | {} | {:.0} | {:.0} | {}{again} | {:.0} ({:.0}) | {:.0} | {:.2} |",
            sums[1].problems,
            sums[1].mean(sums[1].length),
            number(octile),
            ours(0),
            ours(1),
            number(gateway),
            ours(2),
            sums[2].mean(sums[2].again),
            ours(3),
            sums[1].seconds / sums[3].seconds,
        )?;
    }
    Ok(())
}

fn summary(
    out: &mut impl Write,
    title: &str,
    set: &str,
    maps: &BTreeMap<String, [Sum; 4]>,
    published: &[Published],
    kind: &str,
    without: &[String],
) -> Result<()> {
    let mut total = [Sum::default(); 4];
    // Published means: expansions and seconds, weighed by the number of searches.
    let mut theirs = [[0.0; 3]; 2];
    for (map, sums) in maps.iter().filter(|(map, _)| !without.contains(map)) {
        total.iter_mut().zip(sums).for_each(|(total, sum)| total.add(sum));
        for (mean, what) in theirs.iter_mut().zip(["octile", "gateway"]) {
            if let Some(row) = find(published, set, map, what, kind) {
                mean[0] += row.searches;
                mean[1] += row.searches * row.avg_expanded;
                mean[2] += row.searches * row.avg_time_s;
            }
        }
    }
    writeln!(out, "\nTable {title}\n")?;
    writeln!(
        out,
        "| | mean length | mean expanded | again | mean time | speed-up over its baseline |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for (mean, what) in theirs.iter().zip(["thesis octile", "thesis gateway"]) {
        let count = mean[0].max(1.0);
        writeln!(
            out,
            "| {what} | | {:.0} | | {:.0} | {:.2} |",
            mean[1] / count,
            mean[2] / count * 1e6,
            theirs[0][2] / mean[2].max(1e-9)
        )?;
    }
    for (sum, engine) in total.iter().zip(ENGINES) {
        writeln!(
            out,
            "| {engine} | {:.2} | {:.0} | {:.0} | {:.0} | {:.2} |",
            sum.mean(sum.length),
            sum.mean(sum.expanded),
            sum.mean(sum.again),
            sum.mean(sum.seconds) * 1e6,
            total[1].seconds / sum.seconds,
        )?;
    }
    Ok(())
}

fn aurora_table(
    out: &mut impl Write,
    buckets: &[[Sum; 4]; AURORA.len()],
    published: &[Aurora],
) -> Result<()> {
    writeln!(out, "\nTable 4.5: Aurora by length, mean expansions\n")?;
    writeln!(
        out,
        "| length | searches | thesis octile | automatic gates | mended gates | our searches | like-thesis | astar | gateway | gateway-consistent |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    for (group, sums) in published.chunks(3).zip(buckets) {
        let theirs = |what: &str| {
            let row = group.iter().find(|r| r.heuristic.contains(what));
            row.map_or("-".into(), |r| format!("{:.0}", r.avg_expanded))
        };
        let Some(first) = group.first() else { continue };
        write!(
            out,
            "| {:.0} | {} | {} | {} | {} | {} |",
            first.avg_len,
            first.searches,
            theirs("octile"),
            theirs("automatic"),
            theirs("manually"),
            sums[1].problems
        )?;
        for sum in sums {
            write!(out, " {:.0} |", sum.mean(sum.expanded))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
