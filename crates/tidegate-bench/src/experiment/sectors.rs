//! The MAAT paper's experiment, its figures 6 and 7: HPA*, DSMA and MAAT on random pairs,
//! by the rule of movement of the paper.

mod contest;

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tidegate::Movement;
use tidegate::cost::{Cost, STRAIGHT};

use super::{Experiment, Lab};
use crate::notebook::Rows;
pub use contest::Regime;

/// Paths are put together by this many tiles of length.
pub const BIN: u32 = 50;

/// One engine on one map under one kind of bounds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The kind of bounds.
    pub regime: String,
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// The engine.
    pub engine: String,
    /// Queries.
    pub queries: u64,
    /// Mean percent over the best path.
    pub error: f64,
    /// Mean expansions.
    pub expanded: f64,
    /// Mean microseconds.
    pub us: f64,
    /// Queries below the lower bound.
    pub below: u64,
    /// Queries above the upper bound.
    pub above: u64,
    /// Queries answered by plain A*.
    pub direct: u64,
    /// Sectors in use at the end.
    pub sectors: usize,
    /// Splits and merges.
    pub changes: u64,
    /// Changes taken back while preparing.
    pub reverts: u64,
    /// Microseconds of all changes together; 0 where expansions are the clock.
    pub change_us: f64,
    /// Lower bound at the end, in ticks; 0 for engines without bounds.
    pub lower: u64,
    /// Upper bound at the end.
    pub upper: u64,
    /// Seconds to prepare.
    pub prepare_s: f64,
    /// The same by length of the best path.
    pub bins: Bins,
}

/// One query by one engine.
struct Trial {
    optimal: Cost,
    cost: Cost,
    expanded: u64,
    nanos: u64,
}

/// Sums over queries: count, percent over the best, expansions, microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums(pub [f64; 4]);

impl Sums {
    fn add(&mut self, trial: &Trial) {
        let error = (f64::from(trial.cost.get()) / f64::from(trial.optimal.get()) - 1.0) * 100.0;
        let one = [1.0, error, trial.expanded as f64, trial.nanos as f64 / 1e3];
        self.0.iter_mut().zip(one).for_each(|(sum, value)| *sum += value);
    }

    /// Takes in another's sums.
    pub fn merge(&mut self, other: &Sums) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, value)| *sum += value);
    }
}

/// Sums by length of the best path in units of [`BIN`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Bins(pub BTreeMap<u32, Sums>);

impl From<Bins> for String {
    fn from(bins: Bins) -> String {
        let bin = |(bin, Sums([count, error, expanded, us])): (&u32, &Sums)| {
            format!("{bin}:{count}:{error:.3}:{expanded}:{us:.2}")
        };
        bins.0.iter().map(bin).collect::<Vec<_>>().join(" ")
    }
}

impl TryFrom<String> for Bins {
    type Error = String;

    fn try_from(text: String) -> Result<Bins, String> {
        let bin = |word: &str| {
            let (bin, sums) = word.split_once(':')?;
            let sums: Vec<f64> = sums.split(':').filter_map(|n| n.parse().ok()).collect();
            Some((bin.parse().ok()?, Sums(sums.try_into().ok()?)))
        };
        let bins: Option<BTreeMap<u32, Sums>> = text.split_whitespace().map(bin).collect();
        bins.map(Bins).ok_or_else(|| format!("no sums by length: {text:?}"))
    }
}

/// The engines' rows of one map and regime.
#[derive(Default)]
struct Sheet(BTreeMap<&'static str, (Sums, Row)>);

impl Sheet {
    fn row(&mut self, engine: &'static str) -> &mut Row {
        &mut self.0.entry(engine).or_default().1
    }

    fn add(&mut self, engine: &'static str, trial: &Trial) {
        let (sums, row) = self.0.entry(engine).or_default();
        sums.add(trial);
        row.bins.0.entry(trial.optimal.get() / STRAIGHT.get() / BIN).or_default().add(trial);
    }
}

/// The experiment.
pub struct Sectors;

impl Experiment for Sectors {
    fn name(&self) -> &'static str {
        "sectors"
    }

    fn about(&self) -> &'static str {
        "MAAT figures 6 and 7: HPA*, DSMA, MAAT and zones under bounds of time"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        lab.maps(&["dao", "wc3maps512", "random"])
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let index = lab.index(unit, Movement::OneSideFree)?;
        let zones = contest::zones(&index);
        for regime in Regime::ALL {
            let mut sheet = Sheet::default();
            let (pairs, seed) = (lab.count(1_000), lab.seed);
            contest::compete(&index, &zones, regime, pairs, seed, &mut sheet)?;
            for (engine, (Sums([count, error, expanded, us]), row)) in sheet.0 {
                rows.push(&Row {
                    regime: regime.name().into(),
                    set: case.set.clone(),
                    map: case.map.clone(),
                    engine: engine.into(),
                    queries: count as u64,
                    error: error / count,
                    expanded: expanded / count,
                    us: us / count,
                    ..row
                })?;
            }
        }
        Ok(())
    }
}
