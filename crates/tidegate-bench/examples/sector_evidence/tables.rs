//! What came out, by map and by path length; tables and figures made of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use tidegate::cost::STRAIGHT;
use tidegate::sector::{Bounds, Tally};

use crate::chart::{Series, line_chart};

/// Paths are put together by this many tiles of length.
const BIN: u32 = 50;

/// One query by one engine.
pub(crate) struct Trial {
    pub(crate) optimal: u32,
    pub(crate) cost: u32,
    pub(crate) expanded: u64,
    pub(crate) nanos: u64,
}

/// Sums over queries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    queries: f64,
    error: f64,
    expanded: f64,
    nanos: f64,
}

impl Sums {
    fn add(&mut self, trial: &Trial) {
        self.queries += 1.0;
        self.error += (f64::from(trial.cost) / f64::from(trial.optimal) - 1.0) * 100.0;
        self.expanded += trial.expanded as f64;
        self.nanos += trial.nanos as f64;
    }

    fn error(&self) -> f64 {
        self.error / self.queries
    }

    fn expanded(&self) -> f64 {
        self.expanded / self.queries
    }

    fn micros(&self) -> f64 {
        self.nanos / self.queries / 1_000.0
    }
}

/// One engine on one map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    sums: Sums,
    pub(crate) tally: Tally,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) sectors: usize,
    pub(crate) prepare_seconds: f64,
}

type Key = (String, String, String, String);

/// All results.
#[derive(Default)]
pub(crate) struct Book {
    /// By regime, set, map and engine.
    rows: BTreeMap<Key, Row>,
    /// By regime, engine and bin of path length.
    bins: BTreeMap<(String, String, u32), Sums>,
}

/// The page of one regime and map.
pub(crate) struct Sheet<'a> {
    book: &'a mut Book,
    regime: String,
    set: String,
    map: String,
}

impl Sheet<'_> {
    pub(crate) fn row(&mut self, engine: &str) -> &mut Row {
        let key = (self.regime.clone(), self.set.clone(), self.map.clone(), engine.into());
        self.book.rows.entry(key).or_default()
    }

    pub(crate) fn add(&mut self, engine: &str, trial: &Trial) {
        self.row(engine).sums.add(trial);
        let bin = trial.optimal / STRAIGHT / BIN;
        let bins = &mut self.book.bins;
        bins.entry((self.regime.clone(), engine.into(), bin)).or_default().add(trial);
    }
}

impl Book {
    pub(crate) fn of(&mut self, regime: &str, set: &str, map: &str) -> Sheet<'_> {
        Sheet { book: self, regime: regime.into(), set: set.into(), map: map.into() }
    }

    pub(crate) fn write(&self, out: &Path) -> Result<()> {
        self.write_maps(&out.join("maps.csv"))?;
        self.write_lengths(&out.join("lengths.csv"))?;
        let figures = [
            ("figure-6a", "Nodes expanded", "nodes expanded", Sums::expanded as fn(&Sums) -> f64),
            ("figure-6b", "Time to plan", "microseconds", Sums::micros),
            ("figure-7", "Percent error", "error in %", Sums::error),
        ];
        for regime in self.regimes() {
            for (name, title, unit, value) in figures {
                let title = format!("{title} by length of the best path, bounds: {regime}");
                let chart =
                    line_chart(&title, "length in tiles", unit, &self.lines(&regime, value));
                std::fs::write(out.join(format!("{name}-{regime}.svg")), chart)?;
            }
        }
        Ok(())
    }

    fn regimes(&self) -> Vec<String> {
        let mut regimes: Vec<String> = self.rows.keys().map(|key| key.0.clone()).collect();
        regimes.dedup();
        regimes
    }

    /// One line per engine; a bin with fewer than 20 paths says nothing and is left out.
    fn lines(&self, regime: &str, value: fn(&Sums) -> f64) -> Vec<Series> {
        let engines: BTreeSet<&String> = self.rows.keys().map(|key| &key.3).collect();
        let mut lines: Vec<Series> = Vec::new();
        for ((_, engine, bin), sums) in self.bins.iter().filter(|(key, _)| key.0 == regime) {
            if lines.last().is_none_or(|line| line.name != *engine) {
                let colour = engines.iter().position(|e| *e == engine).unwrap_or(0);
                lines.push(Series { name: engine.clone(), colour, points: Vec::new() });
            }
            if let Some(line) = lines.last_mut().filter(|_| sums.queries >= 20.0) {
                line.points.push((f64::from(bin * BIN + BIN / 2), value(sums)));
            }
        }
        lines
    }

    fn write_maps(&self, file: &Path) -> Result<()> {
        let mut csv = csv::Writer::from_path(file)?;
        csv.write_record([
            "regime",
            "set",
            "map",
            "engine",
            "queries",
            "mean_error_percent",
            "mean_expanded",
            "mean_us",
            "inside",
            "below",
            "above",
            "plain_astar",
            "sectors",
            "splits",
            "merges",
            "prepare_reverts",
            "us_per_change",
            "us_note_per_query",
            "lower",
            "upper",
            "prepare_seconds",
        ])?;
        for ((regime, set, map, engine), row) in &self.rows {
            let (sums, tally, queries) = (&row.sums, &row.tally, row.sums.queries);
            let share = |count: u64| format!("{:.4}", count as f64 / queries);
            let adaptive = row.bounds.is_some();
            let wall = adaptive && regime != "scaled";
            let only = |on: bool, text: String| if on { text } else { String::new() };
            let bound =
                |of: fn(Bounds) -> u64| row.bounds.map_or(String::new(), |b| of(b).to_string());
            csv.write_record([
                regime.clone(),
                set.clone(),
                map.clone(),
                engine.clone(),
                queries.to_string(),
                format!("{:.3}", sums.error()),
                format!("{:.1}", sums.expanded()),
                format!("{:.2}", sums.micros()),
                only(adaptive, format!("{:.4}", tally.inside())),
                only(adaptive, share(tally.below)),
                only(adaptive, share(tally.above)),
                only(adaptive, share(tally.direct)),
                only(adaptive, row.sectors.to_string()),
                only(adaptive, tally.splits.to_string()),
                only(adaptive, tally.merges.to_string()),
                only(adaptive, tally.reverts.to_string()),
                only(wall, format!("{:.3}", micros_per_change(tally))),
                only(wall, format!("{:.3}", tally.note_ticks as f64 / queries / 1_000.0)),
                bound(Bounds::lower),
                bound(Bounds::upper),
                only(adaptive, format!("{:.3}", row.prepare_seconds)),
            ])?;
        }
        Ok(csv.flush()?)
    }

    fn write_lengths(&self, file: &Path) -> Result<()> {
        let mut csv = csv::Writer::from_path(file)?;
        csv.write_record([
            "regime",
            "engine",
            "length_from",
            "queries",
            "mean_expanded",
            "mean_us",
            "mean_error_percent",
        ])?;
        for ((regime, engine, bin), sums) in &self.bins {
            csv.write_record([
                regime.clone(),
                engine.clone(),
                (bin * BIN).to_string(),
                sums.queries.to_string(),
                format!("{:.1}", sums.expanded()),
                format!("{:.2}", sums.micros()),
                format!("{:.3}", sums.error()),
            ])?;
        }
        Ok(csv.flush()?)
    }

    /// Means over maps, by regime and engine: the worst map beside the mean.
    pub(crate) fn summary(&self) -> String {
        let mut groups: BTreeMap<(&str, &str), Vec<(&str, &Row)>> = BTreeMap::new();
        for ((regime, _, map, engine), row) in &self.rows {
            groups.entry((regime, engine)).or_default().push((map, row));
        }
        let mut text = String::from(
            "| regime | engine | error % | worst map | expanded | us | inside | not above | plain A* | changes | us/change | us/note |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for ((regime, engine), rows) in groups {
            let mean = |value: &dyn Fn(&Row) -> f64| {
                rows.iter().map(|(_, row)| value(row)).sum::<f64>() / rows.len() as f64
            };
            let error = |row: &Row| row.sums.error();
            let worst = rows.iter().max_by(|a, b| error(a.1).total_cmp(&error(b.1)));
            let worst =
                worst.map_or(String::new(), |(map, row)| format!("{map} {:.1}", error(row)));
            let mut all = Tally::default();
            for (_, row) in &rows {
                all.splits += row.tally.splits;
                all.merges += row.tally.merges;
                all.split_ticks += row.tally.split_ticks;
                all.merge_ticks += row.tally.merge_ticks;
            }
            let _ = writeln!(
                text,
                "| {regime} | {engine} | {:.2} | {worst} | {:.0} | {:.0} | {:.3} | {:.3} | {:.3} | {} | {:.2} | {:.2} |",
                mean(&error),
                mean(&|row| row.sums.expanded()),
                mean(&|row| row.sums.micros()),
                mean(&|row| row.tally.inside()),
                mean(&|row| 1.0 - row.tally.above as f64 / row.sums.queries),
                mean(&|row| row.tally.direct as f64 / row.sums.queries),
                all.splits + all.merges,
                if regime == "scaled" { 0.0 } else { micros_per_change(&all) },
                mean(&|row| row.tally.note_ticks as f64 / row.sums.queries / 1_000.0),
            );
        }
        text
    }
}

fn micros_per_change(tally: &Tally) -> f64 {
    let changes = (tally.splits + tally.merges).max(1);
    (tally.split_ticks + tally.merge_ticks) as f64 / changes as f64 / 1_000.0
}
