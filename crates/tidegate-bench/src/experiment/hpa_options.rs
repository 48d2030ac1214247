//! What each option of HPA* is worth, on a sample of sc1 and on ground of varying cost.

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tidegate::cost::{Cost, Factor};
use tidegate::hpa::{Hpa, HpaScratch, Options as Settings, Placement, Smoothing};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, engine};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::{least_micros, wall_seconds};

/// One setting on one map: sums over its problems.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// `plain` or `terrain`.
    pub ground: String,
    /// The map.
    pub map: String,
    /// The setting.
    pub option: String,
    /// Problems.
    pub problems: usize,
    /// Length over the best.
    pub ratio: f64,
    /// Microseconds.
    pub us: f64,
    /// Microseconds of A*.
    pub astar_us: f64,
    /// Expansions of the main search.
    pub main: f64,
    /// All expansions.
    pub expanded: f64,
    /// Seconds to build.
    pub build_s: f64,
    /// Bytes.
    pub bytes: usize,
}

/// The experiment.
pub struct Options;

impl Experiment for Options {
    fn name(&self) -> &'static str {
        "hpa-options"
    }

    fn about(&self) -> &'static str {
        "what each option of HPA* is worth, also on ground of varying cost"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let step = if lab.scale.quick { 2 } else { 4 };
        let plain = lab.maps(&["sc1"])?.into_iter().step_by(step).map(|m| format!("plain:{m}"));
        let dao = lab.maps(&["dao"])?.into_iter();
        let step = if lab.scale.quick { 2 } else { 1 };
        Ok(plain.chain(dao.step_by(step).map(|m| format!("terrain:{m}"))).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let (ground, map) = unit.split_once(':').context("ground and map")?;
        let case = lab.case(map)?;
        let grid = case.grid(Movement::NoCornerCutting)?;
        let problems = case.problems(&grid)?;
        let (grid, candidates) = match ground {
            "plain" => (grid, plain_candidates()),
            _ => (with_patches(grid, lab.seed), terrain_candidates()),
        };
        let index = Index::new(grid);
        let (grid, mut path) = (index.grid(), Path::new());
        let (mut scratch, mut small) = (Scratch::new(), HpaScratch::new());
        let mut contest = Vec::new();
        for (name, settings) in &candidates {
            let (build_s, hpa) = wall_seconds(|| Hpa::build(grid, settings));
            let (hpa, ground, map) = (hpa?, ground.into(), map.into());
            let (option, bytes) = (name.to_string(), hpa.bytes());
            contest.push((hpa, Row { ground, map, option, build_s, bytes, ..Row::default() }));
        }
        let every = lab.every(problems.len()).max(if lab.scale.quick { 1 } else { 50 });
        for problem in problems.iter().step_by(every) {
            let (start, goal) = (problem.start, problem.goal);
            let query = Query::new(start, goal);
            let (astar_us, answer) =
                least_micros(2, || index.find(engine::ASTAR, &query, &mut scratch, &mut path));
            let Some(best) = answer?.cost().filter(|&cost| cost > Cost::ZERO) else { continue };
            for (hpa, row) in &mut contest {
                let find = || hpa.planner(grid).find(start, goal, &mut small, &mut path);
                let (us, cost) = least_micros(2, find);
                let cost = cost.context("no path")?;
                path.check_answer(grid, start, goal, cost)?;
                row.problems += 1;
                row.ratio += f64::from(cost.get()) / f64::from(best.get());
                row.us += us;
                row.astar_us += astar_us;
                row.main += small.effort().main.expanded as f64;
                row.expanded += small.effort().total().expanded as f64;
            }
        }
        contest.iter().try_for_each(|(_, row)| rows.push(row))
    }
}

fn plain_candidates() -> Vec<(&'static str, Settings)> {
    let base = Settings::default();
    let ends = Placement::MiddleOrEnds { wide: 6, inset: 0 };
    let lines = |reach| Settings { smoothing: Smoothing::Lines { reach }, ..base };
    let windows = Smoothing::Windows { reach: 16, margin: 4 };
    vec![
        ("default", base),
        ("paper, 1 level", Settings::paper()),
        ("paper, 3 levels", Settings { levels: Some(3), ..Settings::paper() }),
        ("paper + ways kept", Settings { keep_ways: true, ..Settings::paper() }),
        ("ends only", Settings { placement: ends, ..base }),
        ("gap 8", Settings { placement: Placement::Spread { wide: 8, gap: 8 }, ..base }),
        ("all edges", Settings { prune: false, ..base }),
        ("ways searched", Settings { keep_ways: false, ..base }),
        ("no direct search next door", Settings { adjacent: false, ..base }),
        ("1 level", Settings { levels: Some(1), ..base }),
        ("2 levels", Settings { levels: Some(2), ..base }),
        ("3 levels", Settings { levels: Some(3), ..base }),
        ("clusters of 16", Settings { cluster: 16, ..base }),
        ("clusters of 24", Settings { cluster: 24, ..base }),
        ("clusters of 48", Settings { cluster: 48, ..base }),
        ("no smoothing", Settings { smoothing: Smoothing::Off, ..base }),
        ("lines, reach 32", lines(32)),
        ("lines, reach 128", lines(128)),
        ("lines, no limit", lines(u32::MAX)),
        ("windows 16, margin 4", Settings { smoothing: windows, ..base }),
    ]
}

fn terrain_candidates() -> Vec<(&'static str, Settings)> {
    let base = Settings::default();
    let windows = |reach, margin| Smoothing::Windows { reach, margin };
    vec![
        ("default", base),
        ("paper", Settings::paper()),
        ("no smoothing", Settings { smoothing: Smoothing::Off, ..base }),
        ("windows 12, margin 4", Settings { smoothing: windows(12, 4), ..base }),
        ("windows 24, margin 8", Settings { smoothing: windows(24, 8), ..base }),
        ("clusters of 16, windows 12", Settings { cluster: 16, smoothing: windows(12, 4), ..base }),
    ]
}

/// Patches of 9 x 9 tiles whose ground costs 1, 1.5, 2 or 3 times the ordinary.
fn with_patches(grid: Grid, seed: u64) -> Grid {
    let (mut rng, width) = (Rng::new(seed), grid.width() as usize);
    let across = width.div_ceil(9);
    let patches = across * (grid.height() as usize).div_ceil(9);
    let kinds = [100, 100, 150, 200, 300];
    let patches: Vec<u16> = (0..patches).map(|_| kinds[rng.below(kinds.len())]).collect();
    let factor = |cell: usize| patches[cell / width / 9 * across + cell % width / 9];
    let factor = |cell| Factor::from_hundredths(factor(cell)).unwrap_or(Factor::ONE);
    let factors = (0..grid.tiles()).map(factor).collect();
    grid.with_factors(factors)
}
