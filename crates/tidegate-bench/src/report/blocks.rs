//! Figures for documents: the same tables as on the page, as Markdown, each with the record it
//! comes from.

use anyhow::{Context as _, Result, bail};

use super::html::{Sheet, bytes, counted, num};
use super::leaderboard::{Standing, of, sets, standings};
use super::{anyangle, better, checks, corners, growth, labels, sectors, zones};
use crate::experiment::{anyangle as walk_ways, engines, labels as label_forms, peers};
use crate::notebook::{Notebook, Record};

/// The names of all blocks; but for `findings`, those of their records.
const NAMES: [&str; 11] = [
    "anyangle",
    "engines",
    "findings",
    "gates",
    "regions",
    "labels",
    "corner-growth",
    "growth",
    "sectors",
    peers::NAME,
    "properties",
];

/// The block of this name.
pub(super) fn block(name: &str, notebook: &Notebook) -> Result<String> {
    if name == "findings" {
        return findings(notebook);
    }
    if !NAMES.contains(&name) {
        bail!("no block {name:?}; there are: {}", NAMES.join(", "));
    }
    let record = notebook.read(name)?.with_context(|| {
        format!("there is no record of {name} in {}; make it first", notebook.folder().display())
    })?;
    let text = match name {
        "anyangle" => walks(&record.rows()?),
        "engines" => leaders(&record.rows()?),
        "gates" => zones::known(&record.rows()?),
        "regions" => zones::undrawn(&record.rows()?),
        "labels" => forms(&record.rows()?),
        "corner-growth" => corners::by_side(&record.rows()?).markdown(),
        "growth" => growth::text(&record.rows()?),
        "sectors" => sectors::summary(&record.rows()?).markdown(),
        "properties" => checks::properties(&record.rows()?).markdown(),
        _ => checks::peers(&record.rows()?).markdown(),
    };
    Ok(format!("{text}\n{}\n", source(&record)))
}

/// What made a record.
fn source(record: &Record) -> String {
    let head = &record.head;
    format!(
        "Measured {} on {} ({} threads, {}), commit {}; {}. Record: `{}.csv`.",
        head.date,
        head.machine.processor,
        head.machine.threads,
        head.machine.system,
        head.commits.join(", "),
        head.scale,
        head.experiment
    )
}

/// The engines on the first two sets, quickest first.
fn leaders(rows: &[engines::Row]) -> String {
    let header = vec![
        "engine",
        "mean µs",
        "p99 µs",
        "faster than A*",
        "expanded",
        "error",
        "tables, mean a map",
        "build s",
    ];
    let mut texts = Vec::new();
    for set in sets(rows).iter().take(2) {
        let all = standings(rows, set, |_| true);
        let Some(astar) = of(&all, "astar") else { continue };
        let shown =
            |s: &&Standing| s.built > 0 && !matches!(s.engine.as_str(), "auto" | "like-thesis");
        let line = |s: &Standing| {
            vec![
                format!("`{}`", s.engine),
                num(s.us),
                num(s.p99()),
                format!("{} x", num(astar.us / s.us)),
                num(s.expanded),
                s.error(),
                bytes(s.bytes),
                num(s.build_s),
            ]
        };
        let lines = all.iter().filter(shown).map(line).collect();
        texts.push(format!(
            "**{set}**: {}, {}, every path checked\n\n{}",
            counted(astar.maps, "map"),
            counted(astar.problems as usize, "problem"),
            Sheet { header: header.clone(), lines }.markdown()
        ));
    }
    texts.join("\n")
}

/// Labels by set, and how they grow.
fn forms(rows: &[label_forms::Row]) -> String {
    let grown: Vec<&label_forms::Row> = rows.iter().filter(|r| r.set == "generated").collect();
    format!(
        "{}\nGenerated strategy maps by side:\n\n{}",
        labels::by_set(rows).markdown(),
        labels::by_map(&grown).markdown()
    )
}

/// Walks by set, and how much longer paths are.
fn walks(rows: &[walk_ways::Row]) -> String {
    let (ways, longer) = (anyangle::by_set(rows).markdown(), anyangle::longer(rows).markdown());
    format!("{ways}\nHow much longer paths are than the shortest walk:\n\n{longer}")
}

/// The findings, each with its record.
fn findings(notebook: &Notebook) -> Result<String> {
    let line = |f: &better::Finding| {
        let record = format!("`{}`", f.record);
        vec![f.what.into(), f.theirs.clone(), f.ours.clone(), f.how.into(), record]
    };
    let lines = better::findings(notebook)?.iter().map(line).collect();
    Ok(Sheet { header: vec!["", "the documents", "here", "how", "record"], lines }.markdown())
}
