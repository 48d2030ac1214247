//! The MAAT paper's figures 6 and 7.

use std::collections::BTreeMap;

use anyhow::Result;

use super::html::{Section, Sheet, num, p, percent, plots};
use crate::experiment::sectors::{BIN, Regime, Row, Sums};
use crate::notebook::Record;
use crate::plot::{Axis, Plot, Series};

const ENGINES: [&str; 5] = ["astar", "hpa", "dsma", "maat", "maat-zones"];

pub(super) fn section(record: &Record) -> Result<Section> {
    let rows: Vec<Row> = record.rows()?;
    let mut html = p(
        "Random pairs that the planners were not prepared on, the paper's rule of movement, HPA* with \
         three levels and without smoothing as its rival. The paper reports paths at most 8 % too long, \
         84 % of the queries inside MAAT's bounds and 33 % inside DSMA's, 0.2 ms for a change of MAAT's \
         sectors and 1.3 ms for DSMA's, and bounds fitted from 1 and 3 ms to 0.8 and 8.4 ms.",
    );
    html += &summary(&rows).html();
    for regime in Regime::ALL {
        let of: Vec<&Row> = rows.iter().filter(|r| r.regime == regime.name()).collect();
        if !of.is_empty() {
            html += &plots(&figures(regime, &of));
        }
    }
    html += &p(
        "The published quality does not come out: centroids of triangles are not on the way, and the \
         abstract search does not know walls. With zones as sectors and gates as sub-goals the same \
         method keeps its promise (maat-zones).",
    );
    Ok(Section { id: "sectors", title: "MAAT and DSMA: sectors under bounds of time", html })
}

fn words(regime: Regime) -> &'static str {
    match regime {
        Regime::Paper => "1 to 3 ms",
        Regime::Scaled => "1,000 to 3,000 expansions",
        Regime::ScaledTime => "as much in time",
    }
}

pub(super) fn summary(rows: &[Row]) -> Sheet {
    let mut lines = Vec::new();
    for regime in Regime::ALL {
        for engine in ENGINES {
            let of: Vec<&Row> =
                rows.iter().filter(|r| r.regime == regime.name() && r.engine == engine).collect();
            let mean = |value: &dyn Fn(&Row) -> f64| {
                of.iter().map(|r| value(r)).sum::<f64>() / of.len() as f64
            };
            let Some(worst) = of.iter().max_by(|a, b| a.error.total_cmp(&b.error)) else {
                continue;
            };
            let adaptive = worst.upper > 0;
            let only = |text: String| if adaptive { text } else { "–".into() };
            let share = |count: u64, r: &Row| count as f64 / r.queries.max(1) as f64;
            let changes: u64 = of.iter().map(|r| r.changes).sum();
            let change_us = of.iter().map(|r| r.change_us).sum::<f64>() / changes.max(1) as f64;
            lines.push(vec![
                format!("{}: {engine}", words(regime)),
                format!("{:.2}\u{a0}%", mean(&|r| r.error)),
                if worst.error > 0.0 {
                    format!("{:.1}\u{a0}% ({})", worst.error, worst.map)
                } else {
                    "0".into()
                },
                num(mean(&|r| r.expanded)),
                num(mean(&|r| r.us)),
                of.iter().filter(|r| r.error > 8.0).count().to_string(),
                only(percent(mean(&|r| 1.0 - share(r.below + r.above, r)))),
                only(percent(mean(&|r| 1.0 - share(r.above, r)))),
                only(percent(mean(&|r| share(r.direct, r)))),
                if adaptive && change_us > 0.0 { num(change_us) } else { "–".into() },
                only(format!(
                    "{} to {}",
                    num(mean(&|r| r.lower as f64)),
                    num(mean(&|r| r.upper as f64))
                )),
            ]);
        }
    }
    let header = vec![
        "bounds: engine",
        "error, mean of maps",
        "worst map",
        "expanded",
        "µs",
        "maps above 8 %",
        "inside the bounds",
        "not above",
        "by plain A*",
        "µs a change",
        "bounds at the end, ticks",
    ];
    Sheet { header, lines }
}

fn figures(regime: Regime, rows: &[&Row]) -> Vec<(String, String)> {
    let mut sums: BTreeMap<(usize, u32), Sums> = BTreeMap::new();
    for row in rows {
        let Some(engine) = ENGINES.iter().position(|e| *e == row.engine) else { continue };
        for (&bin, sum) in &row.bins.0 {
            sums.entry((engine, bin)).or_default().merge(sum);
        }
    }
    let most = sums.values().map(|s| s.0[0]).fold(0.0, f64::max);
    let few = 20f64.min(most / 4.0);
    [
        (2, "Figure 6a: nodes expanded", "nodes"),
        (3, "Figure 6b: time to plan", "µs"),
        (1, "Figure 7: error", "percent"),
    ]
    .map(|(value, title, unit)| {
        let title = format!("{title}; bounds: {}", words(regime));
        let series = ENGINES.iter().enumerate().filter_map(|(colour, engine)| {
            let of = sums.iter().filter(|((e, _), s)| *e == colour && s.0[0] >= few);
            let middle = |bin: u32| f64::from(bin * BIN + BIN / 2);
            let points: Vec<(f64, f64)> =
                of.map(|((_, bin), s)| (middle(*bin), s.0[value] / s.0[0])).collect();
            let name = engine.to_string();
            (!points.is_empty()).then_some(Series { name, colour, points, ..Series::default() })
        });
        let plot = Plot {
            title: title.clone(),
            x: Axis::linear("length of the best path"),
            y: Axis::linear(unit),
            series: series.collect(),
        };
        (title, plot.lines())
    })
    .to_vec()
}
