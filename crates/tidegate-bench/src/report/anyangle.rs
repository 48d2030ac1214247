//! Walks at any angle beside paths of steps.

use anyhow::Result;

use super::html::{Section, Sheet, bytes, num, p};
use crate::experiment::anyangle::Row;
use crate::experiment::engines::SETS;
use crate::notebook::Record;

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<Row> = record.rows()?;
    let mut html = p(
        "Shortest walks of straight lines, exact, by A* over the corners that see each other and from \
         hub labels over them. Times are the least of three rounds; a length is that of the walk's own \
         points, so it takes as long as the walk.",
    );
    html += &by_set(&rows).html();
    html += &p("How much longer paths are than the shortest walk:");
    html += &longer(&rows).html();
    Ok(Section { id: "anyangle", title: "Walks at any angle", html })
}

/// The sets in the order of the report, with their rows of one way.
fn sets<'a>(rows: &'a [Row], way: &str) -> Vec<(&'a str, Vec<&'a Row>)> {
    let of = |set: &&str| rows.iter().filter(|row| row.set == **set && row.way == way).collect();
    let mut names: Vec<&str> = rows.iter().map(|row| row.set.as_str()).collect();
    names.sort_by_key(|name| SETS.iter().position(|set| set == name).unwrap_or(SETS.len()));
    names.dedup();
    names.iter().map(|set| (*set, of(set))).collect()
}

/// Every way, means over the maps of a set.
pub(super) fn by_set(rows: &[Row]) -> Sheet {
    let mut lines = Vec::new();
    for way in ["search", "auto", "fast", "small"] {
        for (set, rows) in sets(rows, way).into_iter().filter(|(_, rows)| !rows.is_empty()) {
            let built: Vec<&&Row> = rows.iter().filter(|row| row.refused.is_empty()).collect();
            let problems = built.iter().map(|row| row.problems).sum::<usize>() as f64;
            let each = |value: fn(&Row) -> f64| {
                let sum: f64 = built.iter().map(|row| value(row) * row.problems as f64).sum();
                num(sum / problems)
            };
            let a_map = |value: fn(&Row) -> f64| {
                built.iter().map(|row| value(row)).sum::<f64>() / built.len() as f64
            };
            let most = |value: fn(&Row) -> f64| built.iter().map(|r| value(r)).fold(0.0, f64::max);
            lines.push(vec![
                format!("{set}: {way}"),
                format!("{} of {}", built.len(), rows.len()),
                num(problems),
                each(|row| row.distance_us),
                each(|row| row.walk_us),
                num(most(|row| row.walk_p99_us)),
                each(|row| row.points_us),
                bytes(a_map(|row| row.bytes as f64)),
                bytes(most(|row| row.bytes as f64)),
                num(a_map(|row| row.build_s)),
            ]);
        }
    }
    let header = vec![
        "set: way",
        "maps built",
        "problems",
        "length µs",
        "walk µs",
        "p99 µs at most",
        "between points µs",
        "memory",
        "largest",
        "build s",
    ];
    Sheet { header, lines }
}

/// How much longer paths are.
pub(super) fn longer(rows: &[Row]) -> Sheet {
    let line = |(set, rows): (&str, Vec<&Row>)| {
        let sum = |value: fn(&Row) -> f64| rows.iter().map(|row| value(row)).sum::<f64>();
        let walked = sum(|row| row.walked);
        let more = |length: f64| format!("{:.2} %", 100.0 * (length / walked - 1.0));
        vec![set.into(), more(sum(|row| row.stepped)), more(sum(|row| row.pulled))]
    };
    let lines = sets(rows, "search").into_iter().map(line).collect();
    Sheet { header: vec!["set", "steps", "steps pulled tight"], lines }
}
