//! Side by side with the crate `hierarchical_pathfinding` 0.5 (chunks of 32) on sc1.
//!
//! That crate counts every step as one, diagonal or not, and lets diagonal steps pass
//! between walls. So it is run twice: with its Moore neighbourhood as it comes (the
//! lengths of its paths are then measured with diagonal steps as √2 and compared with the
//! optimum of the stricter rule, which can only flatter it), and with its Manhattan
//! neighbourhood, whose rule and costs are exactly our `FourConnected`.

use anyhow::Result;
use hierarchical_pathfinding::prelude::*;
use tidegate::hpa::{Hpa, HpaScratch, Options};
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, Tile, engine};

use crate::{Run, micros, processor_nanos};

#[derive(Clone, Copy, Default)]
struct Sums {
    problems: u32,
    ours: f64,
    theirs: f64,
    ours_ratio: f64,
    theirs_ratio: f64,
    illegal: u32,
    ours_build: f64,
    theirs_build: f64,
    ours_processor: f64,
    theirs_processor: f64,
}

/// How often we answer the batch that they answer once: the clock of processor time is
/// coarse.
const REPEATS: u32 = 10;

pub(crate) fn show(run: &Run) -> Result<()> {
    let mut sums = [Sums::default(); 2];
    for case in run.suite.cases(&["sc1".into()], &[])? {
        let grid = case.grid(Movement::NoCornerCutting)?;
        let problems = case.problems(&grid)?;
        let ends = |p: &tidegate::grid::scen_file::Problem| (p.start, p.goal);
        let pairs: Vec<_> = problems.iter().step_by(run.every).map(ends).collect();
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let four = grid.clone().with_movement(Movement::FourConnected);
        let moore = MooreNeighborhood::new(width, height);
        compare(grid, moore, &pairs, &mut sums[0])?;
        let manhattan = ManhattanNeighborhood::new(width, height);
        compare(four, manhattan, &pairs, &mut sums[1])?;
    }
    let mut csv = "neighbourhood,problems,micros_ours,micros_theirs,times_faster,error_ours_percent,error_theirs_percent,error_share,their_illegal_paths,build_ours_seconds,build_theirs_seconds\n".to_string();
    for (name, s) in ["Moore", "Manhattan"].iter().zip(&sums) {
        let n = f64::from(s.problems);
        let error = |sum: f64| (sum / n - 1.0) * 100.0;
        let (ours, theirs) = (error(s.ours_ratio), error(s.theirs_ratio));
        println!(
            "  {name:9} {} problems: ours {:.1} µs, {ours:.3} % too long; theirs {:.1} µs, {theirs:.3} % too long, {} paths with illegal steps: {:.1} times faster, 1/{:.0} of the error; build {:.1} s against {:.1} s",
            s.problems,
            s.ours / n,
            s.theirs / n,
            s.illegal,
            s.theirs / s.ours,
            theirs / ours,
            s.ours_build,
            s.theirs_build
        );
        if s.ours_processor > 0.0 {
            let times = s.theirs_processor / s.ours_processor;
            println!("            by processor time on a third of them: {times:.1} times faster");
        }
        csv += &format!(
            "{name},{},{:.2},{:.2},{:.2},{ours:.4},{theirs:.4},{:.5},{},{:.2},{:.2}\n",
            s.problems,
            s.ours / n,
            s.theirs / n,
            s.theirs / s.ours,
            ours / theirs,
            s.illegal,
            s.ours_build,
            s.theirs_build
        );
    }
    run.write("peer.csv", &csv)
}

fn compare(
    grid: Grid,
    neighbourhood: impl Neighborhood + Sync,
    pairs: &[(Tile, Tile)],
    sums: &mut Sums,
) -> Result<()> {
    let index = Index::new(grid);
    let grid = index.grid();
    let size = (grid.width() as usize, grid.height() as usize);
    let cost = |(x, y): (usize, usize)| {
        if grid.is_free(Tile::new(x as u16, y as u16)) { 1 } else { -1 }
    };
    let (time, theirs) = micros(1, || {
        PathCache::new(size, cost, neighbourhood.clone(), PathCacheConfig::with_chunk_size(32))
    });
    sums.theirs_build += time / 1e6;
    let (time, hpa) = micros(1, || Hpa::build(grid, &Options::default()));
    sums.ours_build += time / 1e6;
    let (hpa, point) = (hpa?, |t: Tile| (usize::from(t.x), usize::from(t.y)));
    let (mut scratch, mut small, mut path) = (Scratch::new(), HpaScratch::new(), Path::new());
    for &(start, goal) in pairs {
        let answer =
            index.find(engine::ASTAR, &Query::new(start, goal), &mut scratch, &mut path)?;
        let Some(best) = answer.cost().filter(|&cost| cost > 0) else { continue };
        let planner = hpa.planner(grid);
        let (time, ours) = micros(2, || planner.find(start, goal, &mut small, &mut path));
        path.check_answer(grid, start, goal, ours.unwrap_or(0))?;
        let (their_time, found) = micros(2, || {
            let found = theirs.find_path(point(start), point(goal), cost)?;
            Some(found.resolve(cost))
        });
        let Some(found) = found else { continue };
        let tile = |&(x, y): &(usize, usize)| Tile::new(x as u16, y as u16);
        let tiles = std::iter::once(start).chain(found.iter().map(tile)).collect();
        let their_path = Path::from_tiles(tiles);
        sums.problems += 1;
        (sums.ours, sums.theirs) = (sums.ours + time, sums.theirs + their_time);
        sums.ours_ratio += f64::from(ours.unwrap_or(0)) / f64::from(best);
        sums.theirs_ratio += their_path.length().cost() as f64 / f64::from(best);
        sums.illegal += u32::from(their_path.check(grid).is_err());
    }
    let batch: Vec<_> = pairs.iter().step_by(3).collect();
    let clock = processor_nanos().unwrap_or(0.0);
    for (start, goal) in &batch {
        let found = theirs.find_path(point(*start), point(*goal), cost);
        std::hint::black_box(found.map(|found| found.resolve(cost)));
    }
    let middle = processor_nanos().unwrap_or(0.0);
    for (start, goal) in (0..REPEATS).flat_map(|_| &batch) {
        hpa.planner(grid).find(*start, *goal, &mut small, &mut path);
    }
    let end = processor_nanos().unwrap_or(0.0);
    sums.theirs_processor += middle - clock;
    sums.ours_processor += (end - middle) / f64::from(REPEATS);
    Ok(())
}
