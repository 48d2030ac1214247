//! What the estimates on gates cost and bring: build, bytes and loading; landmarks at equal
//! memory; the share of a search that goes into the estimate (the thesis, section 4.2,
//! profiled 2.5 % for octile and 15 % for its gateway heuristic).

use std::hint::black_box;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};
use tidegate::cost::Cost;
use tidegate::engine::{self, Engine};
use tidegate::gateway::{ConsistentScratch, TunedDistances};
use tidegate::grid::scen_file::Problem;
use tidegate::search::Octile;
use tidegate::search::{BucketQueue, GridSpace, Heuristic, SearchScratch, search};
use tidegate::{CellId, Index, Movement, Path, Query, Scratch};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::{Times, least_micros, wall_seconds};

/// One map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// Problems.
    pub problems: usize,
    /// Seconds to build `gateway-consistent`.
    pub build_s: f64,
    /// Seconds to load it from a file.
    pub load_s: f64,
    /// Bytes of `gateway`.
    pub gateway_bytes: usize,
    /// Bytes of `gateway-consistent`.
    pub consistent_bytes: usize,
    /// Landmarks that take as much memory, rounded up.
    pub landmarks: usize,
    /// Mean expansions of `astar`.
    pub astar: f64,
    /// Mean expansions of `gateway`.
    pub gateway: f64,
    /// Mean expansions of `gateway-consistent`.
    pub consistent: f64,
    /// Mean expansions with that many landmarks.
    pub differential: f64,
    /// Mean microseconds of `gateway-consistent`, the least of three rounds.
    #[serde(default)]
    pub consistent_us: f64,
    /// The same with that many landmarks; the two take turns, problem by problem.
    #[serde(default)]
    pub differential_us: f64,
    /// Share of the time that the octile estimate takes.
    pub octile_share: f64,
    /// Share of the time that the estimate of `gateway-consistent` takes.
    pub consistent_share: f64,
}

/// The experiment.
pub struct Estimates;

impl Experiment for Estimates {
    fn name(&self) -> &'static str {
        "estimates"
    }

    fn about(&self) -> &'static str {
        "what estimates on gates cost and bring, beside landmarks at equal memory"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        let units = lab.maps(&["sc1", "bg512"])?;
        Ok(units.into_iter().step_by(if lab.scale.quick { 1 } else { 4 }).collect())
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let grid = case.grid(Movement::default())?;
        let all = case.problems(&grid)?;
        let every = lab.every(all.len()).max(if lab.scale.quick { 1 } else { 10 });
        let problems: Vec<Problem> = all.into_iter().step_by(every).collect();
        let mut index = Index::new(grid);
        index.prepare(engine::GATEWAY)?;
        let (build_s, built) = wall_seconds(|| index.prepare(engine::GATEWAY_CONSISTENT));
        built?;
        let consistent_bytes = engine::GATEWAY_CONSISTENT.bytes(&index);
        let file = index.to_bytes();
        let (load_s, loaded) =
            wall_seconds(|| Index::from_bytes_with(&file, tidegate_sectors::ENGINES));
        ensure!(loaded?.to_bytes() == file, "the file changed on its way");
        let landmarks = consistent_bytes.div_ceil(4 * index.grid().tiles()).max(1);
        let mut rival = Index::new(index.grid().clone());
        rival.build::<tidegate::differential::Landmarks>(
            &tidegate::differential::LandmarkOptions { count: landmarks },
        )?;
        let (octile_share, consistent_share) =
            shares(&index, &problems).context("the tables were built")?;
        index.prepare(engine::JPS)?;
        let expanded = |engine| mean_expanded(&index, engine, &problems);
        let [consistent_us, differential_us] = race(&index, &rival, &problems)?;
        rows.push(&Row {
            set: case.set,
            map: case.map,
            problems: problems.len(),
            build_s,
            load_s,
            gateway_bytes: engine::GATEWAY.bytes(&index),
            consistent_bytes,
            landmarks,
            astar: expanded(engine::ASTAR),
            gateway: expanded(engine::GATEWAY),
            consistent: expanded(engine::GATEWAY_CONSISTENT),
            differential: mean_expanded(&rival, engine::DIFFERENTIAL, &problems),
            consistent_us,
            differential_us,
            octile_share,
            consistent_share,
        })
    }
}

fn mean_expanded(index: &Index, engine: &dyn Engine, problems: &[Problem]) -> f64 {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let expanded = problems.iter().filter_map(|p| {
        let query = Query::new(p.start, p.goal);
        Some(index.find(engine, &query, &mut scratch, &mut path).ok()?.stats.expanded)
    });
    expanded.sum::<u64>() as f64 / problems.len().max(1) as f64
}

/// Mean microseconds of `gateway-consistent` and of `differential`, in turns; both must answer
/// as `jps` does.
fn race(index: &Index, rival: &Index, problems: &[Problem]) -> Result<[f64; 2]> {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let mut times = [Times::new(problems.len()), Times::new(problems.len())];
    for _ in 0..3 {
        for (n, problem) in problems.iter().enumerate() {
            let query = Query::new(problem.start, problem.goal);
            let best = index.distance(engine::JPS, &query, &mut scratch)?;
            let runners = [(index, engine::GATEWAY_CONSISTENT), (rival, engine::DIFFERENTIAL)];
            for ((index, engine), times) in runners.into_iter().zip(&mut times) {
                let mut answer = None;
                times.take_either(n, || {
                    answer = Some(index.find(engine, &query, &mut scratch, &mut path))
                });
                let cost = answer.context("an answer")??.cost();
                ensure!(cost == best, "{} for {query:?}: {cost:?}, not {best:?}", engine.name());
            }
        }
    }
    Ok(times.map(|times| times.mean()))
}

/// Writes down which nodes an estimate is asked about.
struct Asked<'a, H> {
    inner: &'a mut H,
    nodes: &'a mut Vec<u32>,
}

impl<H: Heuristic<Cost>> Heuristic<Cost> for Asked<'_, H> {
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        self.nodes.push(node);
        self.inner.estimate(node)
    }
}

/// Microseconds that a search by this estimate takes, and that the estimates of it take when
/// they are asked alone, in the same order: the least of three rounds each.
fn times<H: Heuristic<Cost>>(
    index: &Index,
    (start, goal): (CellId, CellId),
    scratch: &mut SearchScratch<Cost, BucketQueue>,
    asked: &mut Vec<u32>,
    estimate: &mut H,
) -> [f64; 2] {
    let space = GridSpace::new(index.grid());
    let is_goal = |node| node == goal.index() as u32;
    let sources = [(start.index() as u32, Cost::ZERO)];
    asked.clear();
    let mut seen = Asked { inner: &mut *estimate, nodes: &mut *asked };
    search(&space, &sources, is_goal, &mut seen, scratch, &mut ());
    let whole = least_micros(3, || {
        black_box(search(&space, &sources, is_goal, estimate, scratch, &mut ()));
    });
    let alone = least_micros(3, || {
        asked.iter().for_each(|&node| _ = black_box(estimate.estimate(node)));
    });
    [whole.0, alone.0]
}

/// The share of the run time that the estimates take: octile and gateway-consistent.
fn shares(index: &Index, problems: &[Problem]) -> Option<(f64, f64)> {
    let (grid, tables) = (index.grid(), index.table::<TunedDistances>()?);
    let (mut tiles, mut asked) = (SearchScratch::new(), Vec::new());
    let mut gates = ConsistentScratch::default();
    let mut sums = [[0.0; 2]; 2];
    for problem in problems {
        let ends = (grid.cell(problem.start)?, grid.cell(problem.goal)?);
        let mut octile = Octile::new(grid, problem.goal);
        let plain = times(index, ends, &mut tiles, &mut asked, &mut octile);
        let mut calm = tables.estimate(grid, ends.1, &mut gates);
        let calm = times(index, ends, &mut tiles, &mut asked, &mut calm);
        for (sum, one) in sums.iter_mut().zip([plain, calm]) {
            *sum = [sum[0] + one[0], sum[1] + one[1]];
        }
    }
    Some((sums[0][1] / sums[0][0], sums[1][1] / sums[1][0]))
}
