//! The labels engine: both forms, and how they grow.

use std::collections::BTreeMap;

use anyhow::Result;

use super::html::{Section, bytes, folded, h3, num, p, table};
use crate::experiment::labels::Row;
use crate::notebook::Record;

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<Row> = record.rows()?;
    let (grown, real): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|r| r.set == "generated");
    let mut html = p(
        "Hub labels over tight corners answer with a whole optimal path. Both forms are exact; the small \
         one shares labels among 8 x 8 tiles. Times are the least of three rounds over all problems.",
    );
    let mut sets: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in real.iter().copied() {
        sets.entry((&row.set, &row.form)).or_default().push(row);
    }
    let header = [
        "set: form",
        "maps built",
        "problems",
        "distance µs",
        "turning points µs",
        "every tile µs",
        "index",
        "build s",
        "entries a block",
    ];
    let line = |((set, form), rows): (&(&str, &str), &Vec<&Row>)| {
        let built: Vec<&&Row> = rows.iter().filter(|r| r.refused.is_empty()).collect();
        let n = built.iter().map(|r| r.problems).sum::<usize>() as f64;
        let each = |value: fn(&Row) -> f64| {
            num(built.iter().map(|r| value(r) * r.problems as f64).sum::<f64>() / n)
        };
        let a_map = |value: fn(&Row) -> f64| {
            built.iter().map(|r| value(r)).sum::<f64>() / built.len() as f64
        };
        vec![
            format!("{set}: {form}"),
            format!("{} of {}", built.len(), rows.len()),
            num(n),
            each(|r| r.distance_us),
            each(|r| r.turns_us),
            each(|r| r.path_us),
            bytes(a_map(|r| r.bytes as f64)),
            num(a_map(|r| r.build_s)),
            num(a_map(|r| r.entries)),
        ]
    };
    html += &table("", &header, &sets.iter().map(line).collect::<Vec<_>>());
    let header = [
        "map: form",
        "corners",
        "index",
        "build s",
        "distance µs",
        "turning points µs",
        "every tile µs",
        "p99 µs",
        "tiles a path",
    ];
    let line = |r: &&Row| {
        let name = format!("{}/{}: {}", r.set, r.map, r.form);
        if !r.refused.is_empty() {
            return vec![name, format!("refused: {}", r.refused)];
        }
        vec![
            name,
            num(r.corners as f64),
            bytes(r.bytes as f64),
            num(r.build_s),
            num(r.distance_us),
            num(r.turns_us),
            num(r.path_us),
            num(r.path_p99_us),
            num(r.tiles),
        ]
    };
    html += &h3("How they grow: generated strategy maps by side");
    html += &table("", &header, &grown.iter().map(line).collect::<Vec<_>>());
    let lines: Vec<Vec<String>> = real.iter().map(line).collect();
    html += &folded(&format!("Map by map ({})", lines.len()), &table("", &header, &lines));
    Ok(Section { id: "labels", title: "Labels: the fastest exact engine", html })
}
