//! The few figures that matter: what the documents reached, what is reached here, and how.
//! The page's head, its table of findings and the README's block are made of them.

use anyhow::Result;

use super::html::{num, percent, text_table};
use super::leaderboard::{Standing, of, sets, standings};
use super::printed::{GATES, SUMMARIES};
use crate::experiment::{engines, gates, hpa_effort, hpa_quality, sectors};
use crate::notebook::Notebook;

/// A finding: what was asked, their answer, ours, how, and the record it comes from.
pub(super) struct Finding {
    pub(super) what: &'static str,
    pub(super) theirs: String,
    pub(super) ours: String,
    pub(super) how: &'static str,
    pub(super) record: &'static str,
}

/// Everything that can be said from the records at hand.
pub(super) fn findings(notebook: &Notebook) -> Result<Vec<Finding>> {
    let mut all = Vec::new();
    if let Some(record) = notebook.read("engines")? {
        from_engines(&record.rows()?, &mut all);
    }
    if let Some(record) = notebook.read("gates")? {
        from_gates(&record.rows()?, &mut all);
    }
    if let Some(record) = notebook.read("hpa-effort")? {
        from_effort(&record.rows()?, &mut all);
    }
    if let Some(record) = notebook.read("hpa-quality")? {
        from_quality(&record.rows()?, &mut all);
    }
    if let Some(record) = notebook.read("sectors")? {
        from_sectors(&record.rows()?, &mut all);
    }
    Ok(all)
}

pub(super) fn findings_table(findings: &[Finding]) -> String {
    let line = |f: &Finding| {
        vec![f.what.into(), f.theirs.clone(), f.ours.clone(), f.how.into(), f.record.into()]
    };
    let lines: Vec<Vec<String>> = findings.iter().map(line).collect();
    text_table(&["", "the documents", "here", "how", "record"], &lines)
}

fn from_engines(rows: &[engines::Row], all: &mut Vec<Finding>) {
    let record = "engines.csv";
    for summary in SUMMARIES.iter().filter(|s| matches!(s.table, "4.1" | "4.4")) {
        let standing = standings(rows, summary.set, |_| true);
        let (Some(like), Some(astar), Some(gates)) = (
            of(&standing, "like-thesis"),
            of(&standing, "astar"),
            of(&standing, "gateway-consistent"),
        ) else {
            continue;
        };
        let saved = |base: f64, value: f64| percent(1.0 - value / base);
        all.push(Finding {
            what: if summary.set == "sc1" {
                "Expansions saved by gates, StarCraft"
            } else {
                "Expansions saved by gates, Baldur's Gate II"
            },
            theirs: saved(summary.octile.1, summary.gateway.1),
            ours: format!(
                "{} (over exact A*: {})",
                saved(like.expanded, gates.expanded),
                saved(astar.expanded, gates.expanded)
            ),
            how: "exact integer costs; true distances inside zones, so that nothing is expanded twice; \
                  decompositions mended by an objective instead of by hand",
            record,
        });
    }
    if let Some(set) = sets(rows).first() {
        let standing = standings(rows, set, |_| true);
        let best = |s: &&Standing| s.promises_best && s.engine != "auto" && s.built == s.maps;
        if let (Some(best), Some(astar)) = (standing.iter().find(best), of(&standing, "astar")) {
            all.push(Finding {
                what: "A whole optimal path",
                theirs: "0.43\u{a0}s with gates on StarCraft maps (table 4.3)".into(),
                ours: format!(
                    "{}\u{a0}µs by {} on {set}, p99 {}\u{a0}µs; A* {}\u{a0}µs",
                    num(best.us),
                    best.engine,
                    num(best.p99()),
                    num(astar.us)
                ),
                how: "true distances carried to their end: hub labels over tight corners",
                record,
            });
        }
    }
}

fn from_gates(rows: &[gates::Row], all: &mut Vec<Finding>) {
    let theirs = |map: &str| GATES.iter().find(|(name, ..)| *name == map);
    let (mut ms, mut seconds, mut maps) = (0.0, 0.0, 0.0);
    for row in rows {
        if let Some((_, _, time, _)) = theirs(&row.map) {
            (ms, seconds, maps) = (ms + row.ms, seconds + time, maps + 1.0);
        }
    }
    if maps == 0.0 {
        return;
    }
    all.push(Finding {
        what: "Decomposing a map",
        theirs: format!("{}\u{a0}s (table 3.1)", num(seconds / maps)),
        ours: format!("{}\u{a0}ms on the same {maps} maps", num(ms / maps)),
        how: "only discs at the steps of the logarithm matter; walls counted by prefix sums",
        record: "gates.csv",
    });
}

fn from_effort(rows: &[hpa_effort::Row], all: &mut Vec<Finding>) {
    let of = || rows.iter().filter(|r| r.levels == 1);
    let count = of().map(|r| r.problems).sum::<usize>() as f64;
    if count == 0.0 {
        return;
    }
    all.push(Finding {
        what: "HPA* as published: error after smoothing",
        theirs: "within 1\u{a0}%".into(),
        ours: format!("{:.2}\u{a0}%", of().map(|r| r.after).sum::<f64>() / count),
        how: "the paper's own settings, one reading of its entrances",
        record: "hpa-effort.csv",
    });
}

fn from_quality(rows: &[hpa_quality::Row], all: &mut Vec<Finding>) {
    let of = || rows.iter().filter(|r| r.engine == "hpa");
    let count = of().map(|r| r.problems).sum::<usize>() as f64;
    if count == 0.0 {
        return;
    }
    let sum = |value: fn(&hpa_quality::Row) -> f64| of().map(value).sum::<f64>();
    all.push(Finding {
        what: "HPA* tuned: error, and time against A*",
        theirs: "within 1\u{a0}%, up to 10 times faster".into(),
        ours: format!(
            "{:.2}\u{a0}%, {} times faster",
            (sum(|r| r.ratio_after) / count - 1.0) * 100.0,
            num(sum(|r| r.astar_us) / sum(|r| r.us))
        ),
        how: "transitions spread along entrances, edges that nothing needs pruned, ways kept, smoothing \
              in windows",
        record: "hpa-quality.csv",
    });
}

fn from_sectors(rows: &[sectors::Row], all: &mut Vec<Finding>) {
    let mean = |engine: &str| {
        let of = || rows.iter().filter(|r| r.regime == "scaled" && r.engine == engine);
        of().map(|r| r.error).sum::<f64>() / of().count() as f64
    };
    let (maat, zones) = (mean("maat"), mean("maat-zones"));
    if maat.is_finite() && zones.is_finite() {
        all.push(Finding {
            what: "Paths under bounds of time: error",
            theirs: "at most 8\u{a0}%".into(),
            ours: format!("{zones:.1}\u{a0}% over zones and gates, {maat:.1}\u{a0}% as published"),
            how: "sub-goals are gates with true distances instead of centroids of triangles",
            record: "sectors.csv",
        });
    }
}
