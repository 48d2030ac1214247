//! Everything on maps that grow, with the powers of the number of tiles that fit.

use anyhow::Result;

use super::html::{Section, Sheet, bytes, num, p, plots};
use crate::experiment::growth::Row;
use crate::notebook::Record;
use crate::plot::{Axis, Plot, Series, power};

/// A figure of a row: what it is, its unit, how it is taken (0 where there is none) and written.
struct Figure {
    title: &'static str,
    unit: &'static str,
    of: fn(&Row) -> f64,
    text: fn(f64) -> String,
}

const FIGURES: [Figure; 4] = [
    Figure {
        title: "Seconds of processor time to build, one thread",
        unit: "s",
        of: |r| r.build_s,
        text: num,
    },
    Figure { title: "Tables", unit: "bytes", of: |r| r.bytes as f64, text: bytes },
    Figure {
        title: "Rise of memory while building",
        unit: "bytes",
        of: |r| r.peak_bytes as f64,
        text: bytes,
    },
    Figure { title: "Microseconds of a query", unit: "µs", of: |r| r.us, text: num },
];

const ABOUT: &str = "Generated strategy maps, each twice as wide as the one before, seed 1; 50 random problems a map, \
     every tile written, answers compared with those of jps. The last column is the power of the number of free \
     tiles that fits best by least squares on logarithms (n log n has about 1.07 over this range). What rests on a \
     decomposition is counted without it. Where labels are refused, the estimate stands in brackets, with the time \
     that it took to know.";

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<Row> = record.rows()?;
    let mut html = p(ABOUT);
    for figure in &FIGURES {
        html += &p(&format!("{}:", figure.title));
        html += &by_part(&rows, figure).html();
    }
    html += &p("Rise of memory while building, for each byte of the finished tables:");
    html += &working(&rows).html();
    html += &plots(&FIGURES.each_ref().map(|figure| plot(&rows, figure)));
    Ok(Section { id: "growth", title: "Large worlds: how everything grows", html })
}

/// The same for a document.
pub(super) fn text(rows: &[Row]) -> String {
    let mut text = format!("{ABOUT}\n");
    for figure in &FIGURES {
        text += &format!("\n{}:\n\n{}", figure.title, by_part(rows, figure).markdown());
    }
    let working = working(rows).markdown();
    text + "\nRise of memory while building, for each byte of the finished tables:\n\n" + &working
}

/// What comes once for each of the rows, in their order.
fn once<T: PartialEq>(rows: &[Row], of: impl Fn(&Row) -> T) -> Vec<T> {
    let mut known = Vec::new();
    for value in rows.iter().map(of) {
        if !known.contains(&value) {
            known.push(value);
        }
    }
    known
}

/// A line a part, a column a side.
fn sheet(
    rows: &[Row],
    last: Option<&'static str>,
    cell: impl Fn(&Row) -> String,
    end: impl Fn(&[&Row]) -> Option<String>,
) -> Sheet {
    let sides = once(rows, |r| r.side);
    let header = [""].into_iter().chain(sides.iter().map(|&side| name(side))).chain(last);
    let line = |part: &String| {
        let of: Vec<&Row> = rows.iter().filter(|r| r.part == *part).collect();
        let at = |side: &u32| of.iter().find(|r| r.side == *side);
        let cells = sides.iter().map(|side| at(side).map_or("–".into(), |r| cell(r)));
        let end = last.map(|_| end(&of).unwrap_or("–".into()));
        [part.clone()].into_iter().chain(cells).chain(end).collect()
    };
    let lines = once(rows, |r| r.part.clone()).iter().map(line).collect();
    Sheet { header: header.collect(), lines }
}

/// The name of a column.
fn name(side: u32) -> &'static str {
    const NAMES: [(u32, &str); 7] = [
        (128, "128"),
        (256, "256"),
        (512, "512"),
        (1024, "1024"),
        (2048, "2048"),
        (4096, "4096"),
        (8192, "8192"),
    ];
    NAMES.iter().find(|(known, _)| *known == side).map_or("other", |(_, name)| name)
}

fn by_part(rows: &[Row], figure: &Figure) -> Sheet {
    let cell = |row: &Row| match (figure.of)(row) {
        0.0 => "–".into(),
        value if row.refused.is_empty() => (figure.text)(value),
        value => format!("({})", (figure.text)(value)),
    };
    let fitted = |of: &[&Row]| {
        let points = of.iter().filter(|r| r.refused.is_empty() && (figure.of)(r) > 0.0);
        power(points.map(|r| (r.free_tiles as f64, (figure.of)(r))))
            .map(|power| format!("{power:.2}"))
    };
    sheet(rows, Some("power"), cell, fitted)
}

/// The memory of a build over that of what is built.
fn working(rows: &[Row]) -> Sheet {
    let built: Vec<Row> = rows.iter().filter(|r| r.bytes > 0).cloned().collect();
    let cell = |r: &Row| match r.peak_bytes {
        0 => "–".into(),
        _ if !r.refused.is_empty() => "–".into(),
        peak => num(peak as f64 / r.bytes as f64),
    };
    sheet(&built, None, cell, |_| None)
}

fn plot(rows: &[Row], figure: &Figure) -> (String, String) {
    let series = once(rows, |r| r.part.clone()).into_iter().enumerate().map(|(colour, part)| {
        let of = rows.iter().filter(|r| r.part == part && r.refused.is_empty());
        // What is shown as nothing in the table is not drawn either.
        let shown =
            |&(_, value): &(f64, f64)| value > 0.0 && (figure.text)(value) != (figure.text)(1e-9);
        let points = of.map(|r| (f64::from(r.side), (figure.of)(r))).filter(shown);
        Series { name: part.clone(), colour, points: points.collect(), ..Series::default() }
    });
    let series = series.filter(|series| !series.points.is_empty()).collect();
    let (x, y) = (Axis::log("tiles a side"), Axis::log(figure.unit));
    let plot = Plot { title: figure.title.into(), x, y, series };
    (figure.title.into(), plot.lines())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(side: u32, part: &str, us: f64) -> Row {
        let free_tiles = (side * side) as usize;
        Row {
            side,
            free_tiles,
            part: part.into(),
            us,
            bytes: 100,
            peak_bytes: 250,
            ..Row::default()
        }
    }

    #[test]
    fn powers_are_of_tiles_and_without_what_was_refused() {
        let mut rows = vec![row(512, "a", 3.0), row(1024, "a", 12.0), row(512, "b", 1.0)];
        rows.push(Row { refused: "too large".into(), bytes: 7_000_000, ..row(2048, "a", 0.0) });
        let times = by_part(&rows, &FIGURES[3]);
        assert_eq!(times.header, ["", "512", "1024", "2048", "power"]);
        assert_eq!(times.lines[0], ["a", "3", "12", "–", "1.00"]);
        assert_eq!(times.lines[1], ["b", "1", "–", "–", "–"]);
        assert_eq!(by_part(&rows, &FIGURES[1]).lines[0][3], "(7 MB)");
        assert_eq!(working(&rows).lines[0], ["a", "2.50", "2.50", "–"]);
    }
}
