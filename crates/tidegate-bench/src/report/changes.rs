//! Maps that change.

use anyhow::Result;

use super::html::{Section, Sheet, h3, num, p};
use crate::notebook::Record;
use crate::ticks::TickRow;

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<TickRow> = record.rows()?;
    let played: Vec<&TickRow> = rows.iter().filter(|row| row.refused.is_none()).collect();
    let sum = |value: fn(&TickRow) -> usize| played.iter().map(|row| value(row)).sum::<usize>();
    let (edits, queries, wrong) = (sum(|r| r.edits), sum(|r| r.queries), sum(|r| r.wrong));
    let mut html = p(&format!(
        "A game is played on each map: in every third tick walls of three to five tiles are built, \
         blown up or broken through, and 40 units ask for paths in every tick. {} edits, {} answers, \
         {} wrong; the judge is jps on an index that is made from nothing after each edit. Where edits \
         have overtaken an engine's tables, another one answers in its place.",
        num(edits as f64),
        num(queries as f64),
        num(wrong as f64)
    ));
    for of_map in rows.chunk_by(|a, b| (&a.set, &a.map) == (&b.set, &b.map)) {
        html += &h3(&format!("{}/{}", of_map[0].set, of_map[0].map));
        html += &by_engine(of_map).html();
    }
    Ok(Section { id: "changes", title: "Maps that change", html })
}

/// A line an engine.
pub(super) fn by_engine(rows: &[TickRow]) -> Sheet {
    let line = |row: &TickRow| match &row.refused {
        Some(why) => vec![row.engine.clone(), format!("refused: {why}")],
        None => vec![
            row.engine.clone(),
            num(row.build_s),
            num(row.edit_us),
            num(row.edit_p99_us),
            num(row.query_us),
            num(row.query_p99_us),
            num(row.tick_us / 1e3),
            num(row.tick_p99_us / 1e3),
            format!("{:.0} %", 100.0 * row.in_place),
            format!("{:.1} %", 100.0 * row.searched),
            row.states.clone(),
        ],
    };
    let header = vec![
        "engine",
        "build s",
        "edit µs",
        "p99",
        "query µs",
        "p99",
        "tick ms",
        "p99",
        "in place",
        "took a search",
        "tables at the end",
    ];
    Sheet { header, lines: rows.iter().map(line).collect() }
}
