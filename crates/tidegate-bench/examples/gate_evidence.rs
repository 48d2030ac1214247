//! What the estimates on gates cost and bring, map by map: build, bytes and loading;
//! landmarks at equal memory; the share of a search that goes into the estimate.
//!
//! `cargo run --profile quick -p tidegate-bench --example gate_evidence -- SUITE SET EVERY MAP...`

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use tidegate::engine::{self, Engine};
use tidegate::grid::scen_file::Problem;
use tidegate::heuristic::{Consistent, ConsistentScratch, Octile};
use tidegate::search::{BucketQueue, GridSpace, Heuristic, SearchScratch, search};
use tidegate::{CellId, Index, Movement, Path, Query, Scratch};
use tidegate_bench::suite::Suite;

fn mean_expanded(index: &Index, engine: &dyn Engine, problems: &[Problem]) -> f64 {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let expanded = problems.iter().filter_map(|p| {
        let query = Query::new(p.start, p.goal);
        Some(index.find(engine, &query, &mut scratch, &mut path).ok()?.stats.expanded)
    });
    expanded.sum::<u64>() as f64 / problems.len().max(1) as f64
}

/// Seconds that a search by this estimate takes, and that the estimates of it take when
/// they are asked alone, in the same order: the least of a few rounds each.
fn seconds<H: Heuristic<u32>>(
    index: &Index,
    (start, goal): (CellId, CellId),
    scratch: &mut SearchScratch<u32, BucketQueue>,
    asked: &mut Vec<u32>,
    estimate: &mut H,
) -> [f64; 2] {
    let space = GridSpace::new(index.grid());
    let is_goal = |node| node == goal.index() as u32;
    let sources = [(start.index() as u32, 0)];
    let mut seen = Asked { inner: &mut *estimate, nodes: asked };
    seen.nodes.clear();
    search(&space, &sources, is_goal, &mut seen, scratch, &mut ());
    let mut least = [f64::INFINITY; 2];
    for _ in 0..3 {
        let clock = Instant::now();
        black_box(search(&space, &sources, is_goal, estimate, scratch, &mut ()));
        least[0] = least[0].min(clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        asked.iter().for_each(|&node| _ = black_box(estimate.estimate(node)));
        least[1] = least[1].min(clock.elapsed().as_secs_f64());
    }
    least
}

/// Writes down which nodes an estimate is asked about.
struct Asked<'a, H> {
    inner: &'a mut H,
    nodes: &'a mut Vec<u32>,
}

impl<H: Heuristic<u32>> Heuristic<u32> for Asked<'_, H> {
    fn estimate(&mut self, node: u32) -> Option<u32> {
        self.nodes.push(node);
        self.inner.estimate(node)
    }
}

/// The share of the run time that the estimates take: octile and gateway-consistent.
fn shares(index: &Index, problems: &[Problem]) -> Option<(f64, f64)> {
    let (grid, tables) = (index.grid(), index.zone_distances()?);
    let (mut tiles, mut asked) = (SearchScratch::new(), Vec::new());
    let mut gates = ConsistentScratch::default();
    let mut times = [[0.0; 2]; 2];
    for problem in problems {
        let ends = (grid.cell(problem.start)?, grid.cell(problem.goal)?);
        let mut octile = Octile::new(grid, problem.goal);
        let [all, alone] = seconds(index, ends, &mut tiles, &mut asked, &mut octile);
        times[0] = [times[0][0] + all, times[0][1] + alone];
        let mut calm = Consistent::new(grid, tables, ends.1, &mut gates);
        let [all, alone] = seconds(index, ends, &mut tiles, &mut asked, &mut calm);
        times[1] = [times[1][0] + all, times[1][1] + alone];
    }
    Some((times[0][1] / times[0][0], times[1][1] / times[1][0]))
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: gate_evidence SUITE SET EVERY MAP...";
    let [suite, set, every, maps @ ..] = &args[..] else { anyhow::bail!(usage) };
    let every: usize = every.parse().context(usage)?;
    println!(
        "map | gateway build s, KB | consistent build s, KB | load s (times faster) | expanded: astar gateway consistent | landmarks at equal memory: count, expanded | estimate's share: octile, consistent"
    );
    for case in Suite::open(suite)?.cases(std::slice::from_ref(set), maps)? {
        let grid = case.grid(Movement::default())?;
        let problems: Vec<Problem> = case.problems(&grid)?.into_iter().step_by(every).collect();
        let mut index = Index::new(grid.clone());
        let clock = Instant::now();
        index.prepare(engine::GATEWAY)?;
        let gateway_seconds = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        index.prepare(engine::GATEWAY_CONSISTENT)?;
        let seconds = clock.elapsed().as_secs_f64();
        let bytes = engine::GATEWAY_CONSISTENT.bytes(&index);
        let file = index.to_bytes();
        let clock = Instant::now();
        let loaded = Index::from_bytes(&file)?;
        let load = clock.elapsed().as_secs_f64();
        ensure!(loaded.to_bytes() == file, "the file changed on its way");
        let count = (bytes / (4 * grid.tiles())).max(1);
        let mut rival = Index::new(grid.clone());
        rival.build_landmarks(count)?;
        let share = shares(&index, &problems).unwrap_or_default();
        println!(
            "{} | {gateway_seconds:.2} {} | {seconds:.2} {} | {load:.4} ({:.0}) | {:.0} {:.0} {:.0} | {count} {:.0} | {:.1} % {:.1} %",
            case.map,
            engine::GATEWAY.bytes(&index) / 1024,
            bytes / 1024,
            (gateway_seconds + seconds) / load,
            mean_expanded(&index, engine::ASTAR, &problems),
            mean_expanded(&index, engine::GATEWAY, &problems),
            mean_expanded(&index, engine::GATEWAY_CONSISTENT, &problems),
            mean_expanded(&rival, engine::DIFFERENTIAL, &problems),
            share.0 * 100.0,
            share.1 * 100.0,
        );
    }
    Ok(())
}
