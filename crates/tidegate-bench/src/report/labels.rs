//! The labels engine: both forms, and how they grow.

use std::collections::BTreeMap;

use anyhow::Result;

use super::html::{Section, Sheet, bytes, folded, h3, num, p, plots};
use crate::experiment::engines::SETS;
use crate::experiment::labels::Row;
use crate::notebook::Record;
use crate::plot::{Axis, Plot, Series};

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<Row> = record.rows()?;
    let (grown, real): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|r| r.set == "generated");
    let mut html = p(
        "Hub labels over tight corners answer with a whole optimal path. Both forms are exact; the small \
         one shares labels among 8 x 8 tiles. Times are the least of three rounds over all problems.",
    );
    html += &by_set(&rows).html();
    html += &h3("How they grow: generated strategy maps by side");
    html += &by_map(&grown).html();
    html += &plots(&[
        growth(&grown, "Microseconds of a query by side of the map", "µs", |r| {
            [("distance", r.distance_us), ("every tile", r.path_us)]
        }),
        growth(&grown, "Bytes and seconds to build by side of the map", "MB, s", |r| {
            [("MB", r.bytes as f64 / 1e6), ("s to build", r.build_s)]
        }),
    ]);
    html += &folded(&format!("Map by map ({})", real.len()), &by_map(&real).html());
    Ok(Section { id: "labels", title: "Labels: the fastest exact engine", html })
}

/// Both forms, means over the maps of a set.
pub(super) fn by_set(rows: &[Row]) -> Sheet {
    let mut sets: BTreeMap<(usize, &str, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.set != "generated") {
        let place = SETS.iter().position(|set| *set == row.set).unwrap_or(SETS.len());
        sets.entry((place, &row.set, &row.form)).or_default().push(row);
    }
    let line = |((_, set, form), rows): (&(usize, &str, &str), &Vec<&Row>)| {
        let built: Vec<&&Row> = rows.iter().filter(|r| r.refused.is_empty()).collect();
        let n = built.iter().map(|r| r.problems).sum::<usize>() as f64;
        let each = |value: fn(&Row) -> f64| {
            num(built.iter().map(|r| value(r) * r.problems as f64).sum::<f64>() / n)
        };
        let a_map = |value: fn(&Row) -> f64| {
            built.iter().map(|r| value(r)).sum::<f64>() / built.len() as f64
        };
        let most = |value: fn(&Row) -> f64| built.iter().map(|r| value(r)).fold(0.0, f64::max);
        vec![
            format!("{set}: {form}"),
            format!("{} of {}", built.len(), rows.len()),
            num(n),
            each(|r| r.distance_us),
            each(|r| r.turns_us),
            each(|r| r.path_us),
            num(most(|r| r.path_p99_us / r.path_us)),
            bytes(a_map(|r| r.bytes as f64)),
            bytes(most(|r| r.bytes as f64)),
            num(a_map(|r| r.build_s)),
            num(a_map(|r| r.entries)),
        ]
    };
    let header = vec![
        "set: form",
        "maps built",
        "problems",
        "distance µs",
        "turning points µs",
        "every tile µs",
        "p99 / mean at most",
        "index",
        "largest",
        "build s",
        "entries a block",
    ];
    Sheet { header, lines: sets.iter().map(line).collect() }
}

/// Both forms, a line a map.
pub(super) fn by_map(rows: &[&Row]) -> Sheet {
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
    let header = vec![
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
    Sheet { header, lines: rows.iter().map(line).collect() }
}

/// Two values of both forms by the side of the map.
fn growth(
    rows: &[&Row],
    title: &str,
    unit: &str,
    values: fn(&Row) -> [(&'static str, f64); 2],
) -> (String, String) {
    let mut series: Vec<Series> = Vec::new();
    for row in rows.iter().filter(|r| r.refused.is_empty()) {
        for (what, value) in values(row) {
            let name = format!("{what}, {}", row.form);
            let at = series.iter().position(|s| s.name == name).unwrap_or_else(|| {
                series.push(Series { name, colour: series.len(), ..Series::default() });
                series.len() - 1
            });
            series[at].points.push((row.map.parse().unwrap_or(f64::NAN), value));
        }
    }
    let plot =
        Plot { title: title.into(), x: Axis::log("tiles a side"), y: Axis::log(unit), series };
    (title.into(), plot.lines())
}
