//! Table 3 of the HPA* paper: mean lengths of open lists.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tidegate::hpa::{Hpa, HpaScratch, OpenMeter, Options, Piece, Smoothing};
use tidegate::{Movement, Path, Scratch, engine};

use super::{Experiment, Lab, hpa_effort};
use crate::notebook::Rows;

/// The searches in the order of the table.
pub const SEARCHES: [&str; 4] = ["low level", "main", "insertion", "refinement"];

/// One kind of search over a unit's maps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// First map of the unit.
    pub unit: String,
    /// Which search.
    pub search: String,
    /// Maps in the unit.
    pub maps: usize,
    /// Mean length of its open list.
    pub mean_open: f64,
}

/// The experiment.
pub struct Open;

impl Experiment for Open {
    fn name(&self) -> &'static str {
        "hpa-open"
    }

    fn about(&self) -> &'static str {
        "HPA* table 3: lengths of open lists"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        hpa_effort::units(lab)
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let mut meters: [OpenMeter; 4] = Default::default();
        let maps = hpa_effort::maps_of(lab, unit)?;
        for (number, map) in &maps {
            let index = lab.index(map, Movement::OneSideFree)?;
            let hpa = Hpa::build(index.grid(), &Options::paper())?.with_smoothing(Smoothing::Off);
            let planner = hpa.planner(index.grid());
            let mut small = HpaScratch::new();
            let (mut scratch, mut path) = (Scratch::new(), Path::new());
            for query in lab.pairs(&index, *number as u64, lab.count(100))? {
                let [low, main, insertion, refinement] = &mut meters;
                index.find_observed(engine::ASTAR, &query, &mut scratch, &mut path, Some(low))?;
                let start = planner.anchor_watched(query.start, &mut small, insertion);
                let goal = planner.anchor_watched(query.goal, &mut small, insertion);
                let (Some(start), Some(goal)) = (start, goal) else { continue };
                let journey = planner.journey_watched(&start, &goal, &mut small, main)?;
                let Some(mut journey) = journey else { continue };
                while let Piece::Walk(_) = journey.next_watched(planner, &mut small, refinement) {}
            }
        }
        for (search, meter) in SEARCHES.iter().zip(&meters) {
            rows.push(&Row {
                unit: unit.into(),
                search: search.to_string(),
                maps: maps.len(),
                mean_open: meter.mean(),
            })?;
        }
        Ok(())
    }
}
