//! What the thesis printed map by map (appendix A and table 4.5), taken from the suite's
//! folder `tables/` so that a report can be drawn from records alone.

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use super::{Experiment, Lab};
use crate::notebook::Rows;

/// A row of the published tables.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The table: `A` for A.1 to A.4, `4.5` for Aurora.
    pub table: String,
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// `octile` or `gateway`.
    pub heuristic: String,
    /// `automatic` or `manual-fix`.
    pub decomposition: String,
    /// Searches.
    pub searches: f64,
    /// Mean length.
    pub mean_length: f64,
    /// Mean expansions.
    pub mean_expanded: f64,
    /// Mean re-expansions.
    pub mean_reexpanded: f64,
    /// Mean time in seconds.
    pub mean_s: f64,
}

#[derive(Deserialize)]
struct Appendix {
    map: String,
    set: String,
    heuristic: String,
    decomposition: String,
    avg_len: f64,
    avg_time_s: f64,
    avg_expanded: f64,
    avg_reexpanded: f64,
    searches: f64,
}

#[derive(Deserialize)]
struct AuroraLine {
    searches: f64,
    heuristic: String,
    avg_len: f64,
    avg_time_s: f64,
    avg_expanded: f64,
}

const FILES: [&str; 2] = ["thesis-appendix-A.csv", "thesis-table-4.5-aurora.csv"];

/// The experiment, which is but reading.
pub struct Published;

impl Experiment for Published {
    fn name(&self) -> &'static str {
        "published"
    }

    fn about(&self) -> &'static str {
        "the thesis's figures per map, from the suite's folder tables/"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let there = FILES.iter().filter(|name| lab.suite.table(name).is_some());
        Ok(there.map(|name| name.to_string()).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let path = lab.suite.table(unit).context("the table was there a moment ago")?;
        let shown = || path.display().to_string();
        let mut file = csv::Reader::from_path(&path).with_context(shown)?;
        if unit == FILES[0] {
            for line in file.deserialize() {
                let a: Appendix = line.with_context(shown)?;
                rows.push(&Row {
                    table: "A".into(),
                    set: a.set,
                    map: a.map,
                    heuristic: a.heuristic,
                    decomposition: a.decomposition,
                    searches: a.searches,
                    mean_length: a.avg_len,
                    mean_expanded: a.avg_expanded,
                    mean_reexpanded: a.avg_reexpanded,
                    mean_s: a.avg_time_s,
                })?;
            }
            return Ok(());
        }
        for line in file.deserialize() {
            let a: AuroraLine = line.with_context(shown)?;
            let mended = a.heuristic.contains("manually");
            rows.push(&Row {
                table: "4.5".into(),
                set: "sc1".into(),
                map: "Aurora".into(),
                heuristic: a.heuristic.split(' ').next().unwrap_or_default().into(),
                decomposition: if mended { "manual-fix" } else { "automatic" }.into(),
                searches: a.searches,
                mean_length: a.avg_len,
                mean_expanded: a.avg_expanded,
                mean_reexpanded: f64::NAN,
                mean_s: a.avg_time_s,
            })?;
        }
        Ok(())
    }
}
