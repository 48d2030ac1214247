//! Figures 5, 6 and 7 of the HPA* paper: effort and error by length of the path, on 100
//! random solvable pairs of each of the 120 Baldur's Gate maps, by the paper's rule of
//! movement and settings.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::cost::Cost;
use tidegate::hpa::{Hpa, HpaScratch, Options, Smoothing};
use tidegate::{Index, Movement, Path, Scratch, engine};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::least_micros;

/// Paths are put together by this many tiles of length.
pub const BIN: f64 = 25.0;
/// Maps in a unit of work.
const TOGETHER: usize = 10;

/// Sums over the problems of a unit with paths of similar length, by number of levels;
/// level 0 is plain A*.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// First map of the unit.
    pub unit: String,
    /// Paths of [`BIN`] times this length or a little more.
    pub bin: usize,
    /// Levels of abstraction.
    pub levels: usize,
    /// Problems.
    pub problems: usize,
    /// Expansions.
    pub expanded: f64,
    /// Of those, in the main search.
    pub main: f64,
    /// Of those, to insert start and goal.
    pub insertion: f64,
    /// Of those, to refine the path.
    pub refinement: f64,
    /// Microseconds.
    pub us: f64,
    /// Percent over the best before smoothing.
    pub before: f64,
    /// Percent over the best after smoothing.
    pub after: f64,
}

/// The units: the first of every ten maps.
pub(super) fn units(lab: &Lab) -> Result<Vec<String>> {
    let step = if lab.scale.quick { 1 } else { TOGETHER };
    Ok(lab.maps(&["bgmaps"])?.into_iter().step_by(step).collect())
}

/// The maps of a unit, each with its number among all maps.
pub(super) fn maps_of(lab: &Lab, unit: &str) -> Result<Vec<(usize, String)>> {
    let maps = lab.maps(&["bgmaps"])?;
    let first = maps.iter().position(|map| map == unit).context("no such unit")?;
    let count = if lab.scale.quick { 1 } else { TOGETHER };
    Ok(maps.into_iter().enumerate().skip(first).take(count).collect())
}

/// The experiment.
pub struct Effort;

impl Experiment for Effort {
    fn name(&self) -> &'static str {
        "hpa-effort"
    }

    fn about(&self) -> &'static str {
        "HPA* figures 5 to 7: effort and error by length of the path"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        units(lab)
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let mut sums = BTreeMap::new();
        for (number, map) in maps_of(lab, unit)? {
            let index = lab.index(&map, Movement::OneSideFree)?;
            measure(lab, &index, number as u64, &mut sums)?;
        }
        for ((bin, levels), row) in sums {
            rows.push(&Row { unit: unit.into(), bin, levels, ..row })?;
        }
        Ok(())
    }
}

fn measure(
    lab: &Lab,
    index: &Index,
    seed: u64,
    sums: &mut BTreeMap<(usize, usize), Row>,
) -> Result<()> {
    let grid = index.grid();
    let graph = |levels| Hpa::build(grid, &Options { levels: Some(levels), ..Options::paper() });
    let smooth = [graph(1)?, graph(2)?, graph(3)?];
    let rough = smooth.clone().map(|hpa| hpa.with_smoothing(Smoothing::Off));
    let (mut scratch, mut small, mut path) = (Scratch::new(), HpaScratch::new(), Path::new());
    for query in lab.pairs(index, seed, lab.count(100))? {
        let (start, goal) = (query.start, query.goal);
        let (us, answer) =
            least_micros(2, || index.find(engine::ASTAR, &query, &mut scratch, &mut path));
        let answer = answer?;
        let best = answer.cost().context("a solvable pair")?;
        let bin = (path.length().value() / BIN) as usize;
        let mut add = |levels: usize, one: Row| {
            let row = sums.entry((bin, levels)).or_default();
            row.problems += 1;
            row.expanded += one.expanded;
            row.main += one.main;
            row.insertion += one.insertion;
            row.refinement += one.refinement;
            row.us += one.us;
            row.before += one.before;
            row.after += one.after;
        };
        let expanded = answer.stats.expanded as f64;
        add(0, Row { expanded, main: expanded, us, ..Row::default() });
        let percent = |cost: Cost| (f64::from(cost.get()) / f64::from(best.get()) - 1.0) * 100.0;
        let mut first = None;
        for (level, (rough, smooth)) in rough.iter().zip(&smooth).enumerate() {
            let cost = smooth.planner(grid).find(start, goal, &mut small, &mut path);
            let after = cost.context("a solvable pair")?;
            path.check_answer(grid, start, goal, after)?;
            let planner = rough.planner(grid);
            let (us, cost) = least_micros(2, || planner.find(start, goal, &mut small, &mut path));
            let cost = cost.context("a solvable pair")?;
            ensure!(*first.get_or_insert(cost) == cost, "the cost depends on the levels");
            let effort = small.effort();
            add(
                level + 1,
                Row {
                    expanded: effort.total().expanded as f64,
                    main: effort.main.expanded as f64,
                    insertion: effort.insertion.expanded as f64,
                    refinement: effort.refinement.expanded as f64,
                    us,
                    before: percent(cost),
                    after: percent(after),
                    ..Row::default()
                },
            );
        }
    }
    Ok(())
}
