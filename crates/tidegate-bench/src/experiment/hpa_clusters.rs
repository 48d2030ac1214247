//! Figure 8 of the HPA* paper: what an abstract path costs, by size of the clusters.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tidegate::hpa::{Hpa, HpaScratch, Options, Smoothing};
use tidegate::{Movement, Path};

use super::{Experiment, Lab, hpa_effort};
use crate::notebook::Rows;

const SIZES: [u32; 10] = [5, 8, 10, 12, 15, 20, 25, 30, 35, 40];

/// Sums over the problems of a unit, for one size of clusters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// First map of the unit.
    pub unit: String,
    /// Tiles along the side of a cluster.
    pub cluster: u32,
    /// Problems.
    pub problems: usize,
    /// Expansions of the main search.
    pub main: f64,
    /// Expansions to insert start and goal.
    pub insertion: f64,
}

/// The experiment.
pub struct Clusters;

impl Experiment for Clusters {
    fn name(&self) -> &'static str {
        "hpa-clusters"
    }

    fn about(&self) -> &'static str {
        "HPA* figure 8: effort by size of the clusters"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        hpa_effort::units(lab)
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let mut sums = SIZES.map(|_| (0, 0.0, 0.0));
        for (number, map) in hpa_effort::maps_of(lab, unit)? {
            let index = lab.index(&map, Movement::OneSideFree)?;
            let pairs = lab.pairs(&index, number as u64, lab.count(100))?;
            let (mut scratch, mut path) = (HpaScratch::new(), Path::new());
            for (cluster, sum) in SIZES.into_iter().zip(&mut sums) {
                let smoothing = Smoothing::Off;
                let options = Options { cluster, smoothing, ..Options::paper() };
                let hpa = Hpa::build(index.grid(), &options)?;
                for query in &pairs {
                    let planner = hpa.planner(index.grid());
                    planner.find(query.start, query.goal, &mut scratch, &mut path);
                    sum.0 += 1;
                    sum.1 += scratch.effort().main.expanded as f64;
                    sum.2 += scratch.effort().insertion.expanded as f64;
                }
            }
        }
        for (cluster, (problems, main, insertion)) in SIZES.into_iter().zip(sums) {
            rows.push(&Row { unit: unit.into(), cluster, problems, main, insertion })?;
        }
        Ok(())
    }
}
