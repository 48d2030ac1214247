//! `corners` on maps that grow, with the powers of the side that fit.

use anyhow::Result;

use super::html::{Section, Sheet, bytes, num, p, plots};
use crate::experiment::corner_growth::Row;
use crate::notebook::Record;
use crate::plot::{Axis, Plot, Series, power};

/// A figure of a row: its name, and how to take it.
type Figure = (&'static str, fn(&Row) -> f64);

const QUERIES: [Figure; 4] = [
    ("distance", |r| r.distance_us),
    ("turning points", |r| r.turns_us),
    ("every tile", |r| r.path_us),
    ("every tile by jps", |r| r.jps_us),
];
const TABLES: [Figure; 2] = [("MB", |r| r.bytes as f64 / 1e6), ("s to build", |r| r.build_s)];
const COUNTS: [Figure; 3] = [
    ("corners", |r| r.corners as f64),
    ("arcs", |r| r.arcs as f64),
    ("corners expanded", |r| r.expanded),
];

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<Row> = record.rows()?;
    let mut html = p(
        "A contraction hierarchy over the corners of generated strategy maps, each twice as wide as the \
         one before, beside jps, which has no tables. Every answer was compared with that of jps. Times \
         are the least of three rounds; building is processor time on one core.",
    );
    html += &by_side(&rows).html();
    let powers = [&QUERIES[..], &TABLES, &COUNTS].concat();
    let fitted: Vec<String> = (powers.iter())
        .filter_map(|(name, value)| Some(format!("{name} {}", num(exponent(&rows, *value)?))))
        .collect();
    if !fitted.is_empty() {
        html += &p(&format!(
            "The power of the side that fits best (area grows by the power 2): {}.",
            fitted.join(", ")
        ));
    }
    html += &plots(&[
        growth(&rows, "Microseconds of a query by side of the map", "µs", &QUERIES),
        growth(&rows, "Bytes and seconds to build by side of the map", "MB, s", &TABLES),
    ]);
    Ok(Section { id: "corners", title: "Corners: exact answers on maps that grow", html })
}

/// A line a map.
pub(super) fn by_side(rows: &[Row]) -> Sheet {
    let line = |r: &Row| {
        vec![
            format!("{0} x {0}", r.side),
            num(r.corners as f64),
            num(r.arcs as f64),
            bytes(r.bytes as f64),
            num(r.build_s),
            num(r.expanded),
            num(r.distance_us),
            num(r.turns_us),
            num(r.path_us),
            num(r.path_p99_us),
            num(r.jps_us),
            num(r.tiles),
        ]
    };
    let header = vec![
        "map",
        "corners",
        "arcs",
        "index",
        "build s",
        "expanded",
        "distance µs",
        "turning points µs",
        "every tile µs",
        "p99 µs",
        "jps µs",
        "tiles a path",
    ];
    Sheet { header, lines: rows.iter().map(line).collect() }
}

/// The slope of the line through the logarithms, by least squares; none for fewer than two
/// maps or figures that are not above 0.
fn exponent(rows: &[Row], value: fn(&Row) -> f64) -> Option<f64> {
    power(rows.iter().map(|r| (f64::from(r.side), value(r))))
}

fn growth(rows: &[Row], title: &str, unit: &str, figures: &[Figure]) -> (String, String) {
    let series = figures.iter().enumerate().map(|(colour, (name, value))| Series {
        name: (*name).into(),
        colour,
        points: rows.iter().map(|r| (f64::from(r.side), value(r))).collect(),
        ..Series::default()
    });
    let (x, y) = (Axis::log("tiles a side"), Axis::log(unit));
    let plot = Plot { title: title.into(), x, y, series: series.collect() };
    (title.into(), plot.lines())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_found() {
        let row = |side: u32| Row { side, path_us: f64::from(side).powf(1.5), ..Row::default() };
        let rows = [row(256), row(512), row(1024)];
        assert!((exponent(&rows, |r| r.path_us).unwrap() - 1.5).abs() < 1e-9);
        // Nothing was measured, or only one map.
        assert_eq!(exponent(&rows, |r| r.build_s), None);
        assert_eq!(exponent(&rows[..1], |r| r.path_us), None);
    }
}
