//! The scenario sets: quality before and after smoothing, times, sizes, against `astar`.

use std::time::Instant;

use anyhow::{Context as _, Result};
use tidegate::hpa::{Hpa, HpaScratch, Options, Smoothing};
use tidegate::{Index, Movement, Path, Query, Scratch, engine};

use crate::{Run, micros, processor_nanos};

/// How often `hpa` answers the batch that `astar` answers once, in the comparison by
/// processor time: its clock is coarse.
const REPEATS: u32 = 20;

/// Sums over the problems of a set.
#[derive(Clone, Copy, Default)]
struct Sums {
    before: f64,
    after: f64,
    worst: f64,
    complete: f64,
    first_move: f64,
    build: f64,
    bytes: f64,
}

pub(crate) fn show(run: &Run) -> Result<()> {
    let mut csv = "set,engine,problems,maps,ratio_before,ratio_after,worst_after,micros,micros_first_move,micros_astar,times_faster,build_seconds_per_map,megabytes_per_map\n".to_string();
    for set in ["sc1", "bg512", "dao"] {
        let engines = [("hpa", Options::default()), ("hpa-paper", Options::paper())];
        let (mut sums, mut astar, mut problems) = ([Sums::default(); 2], 0.0, 0);
        let cases = run.suite.cases(&[set.into()], &[])?;
        let mut processor = [0.0; 2];
        for case in &cases {
            let index = Index::new(case.grid(Movement::NoCornerCutting)?);
            let grid = index.grid();
            let mut graphs = Vec::new();
            for ((_, options), sum) in engines.iter().zip(&mut sums) {
                let clock = Instant::now();
                let hpa = Hpa::build(grid, options)?;
                sum.build += clock.elapsed().as_secs_f64();
                sum.bytes += hpa.bytes() as f64;
                graphs.push((hpa.clone().with_smoothing(Smoothing::Off), hpa));
            }
            let (mut scratch, mut small, mut path) =
                (Scratch::new(), HpaScratch::new(), Path::new());
            for problem in case.problems(grid)?.iter().step_by(run.every) {
                let (start, goal) = (problem.start, problem.goal);
                let query = Query::new(start, goal);
                let (time, answer) =
                    micros(2, || index.find(engine::ASTAR, &query, &mut scratch, &mut path));
                let Some(best) = answer?.cost().filter(|&cost| cost > 0) else { continue };
                astar += time;
                problems += 1;
                for ((rough, smooth), sum) in graphs.iter().zip(&mut sums) {
                    let planner = rough.planner(grid);
                    let cost =
                        planner.find(start, goal, &mut small, &mut path).context("no path")?;
                    sum.before += f64::from(cost) / f64::from(best);
                    let planner = smooth.planner(grid);
                    let find = || planner.find(start, goal, &mut small, &mut path);
                    let (time, cost) = micros(2, find);
                    let cost = cost.context("no path")?;
                    path.check_answer(grid, start, goal, cost)?;
                    let ratio = f64::from(cost) / f64::from(best);
                    (sum.after, sum.worst) = (sum.after + ratio, sum.worst.max(ratio));
                    sum.complete += time;
                    let first = || {
                        let start = planner.anchor(start, &mut small)?;
                        let goal = planner.anchor(goal, &mut small)?;
                        let mut journey = planner.journey(&start, &goal, &mut small).ok()??;
                        Some(journey.next(planner, &mut small))
                    };
                    sum.first_move += micros(2, first).0;
                }
            }
            let every = run.every * 10;
            let batch: Vec<_> = case.problems(grid)?.into_iter().step_by(every).collect();
            let clock = processor_nanos().unwrap_or(0.0);
            for problem in &batch {
                let query = Query::new(problem.start, problem.goal);
                index.find(engine::ASTAR, &query, &mut scratch, &mut path)?;
            }
            let middle = processor_nanos().unwrap_or(0.0);
            for problem in (0..REPEATS).flat_map(|_| &batch) {
                let planner = graphs[0].1.planner(grid);
                planner.find(problem.start, problem.goal, &mut small, &mut path);
            }
            let end = processor_nanos().unwrap_or(0.0);
            processor[0] += middle - clock;
            processor[1] += (end - middle) / f64::from(REPEATS);
        }
        let (n, maps) = (f64::from(problems), cases.len() as f64);
        println!("{set}: {problems} problems on {} maps, astar {:.1} µs", cases.len(), astar / n);
        if processor[1] > 0.0 {
            let times = processor[0] / processor[1];
            println!(
                "  hpa by processor time on every {}th problem: {times:.1} times faster than astar",
                run.every * 10
            );
        }
        for ((name, _), sum) in engines.iter().zip(&sums) {
            println!(
                "  {name:9} ratio {:.5} before, {:.5} after smoothing, worst {:.3}; {:.1} µs ({:.1} times faster), first move {:.1} µs; build {:.3} s, {:.2} MB a map",
                sum.before / n,
                sum.after / n,
                sum.worst,
                sum.complete / n,
                astar / sum.complete,
                sum.first_move / n,
                sum.build / maps,
                sum.bytes / maps / 1e6
            );
            csv += &format!(
                "{set},{name},{problems},{maps},{:.6},{:.6},{:.4},{:.2},{:.2},{:.2},{:.2},{:.4},{:.3}\n",
                sum.before / n,
                sum.after / n,
                sum.worst,
                sum.complete / n,
                sum.first_move / n,
                astar / n,
                astar / sum.complete,
                sum.build / maps,
                sum.bytes / maps / 1e6
            );
        }
    }
    run.write("sets.csv", &csv)
}
