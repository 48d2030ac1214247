//! `astar` beside the `pathfinding` crate's A*, in one run on the same problems.
//!
//! Same rule of movement, same integer costs, same octile estimate. Answers are checked
//! before times are printed.
//!
//! ```text
//! cargo run --release -p tidegate-bench --example peers -- [SUITE] [EVERY]
//! ```

use anyhow::{Context as _, Result, ensure};
use tidegate::engine::{self, Ask, Engine, Observe, Promise};
use tidegate::heuristic::Octile;
use tidegate::search::Stats;
use tidegate::{Answer, Index, Movement, Outcome, Path, Query, QueryError, Scratch};
use tidegate_bench::record::Tally;
use tidegate_bench::run::{Job, run_map};
use tidegate_bench::suite::Suite;

const MAPS: [(&str, [&str; 5]); 2] = [
    ("sc1", ["AcrosstheCape", "ArcticStation", "Aurora", "BigGameHunters", "CatwalkAlley"]),
    ("bg512", ["AR0011SR", "AR0071SR", "AR0300SR", "AR0400SR", "AR0602SR"]),
];

/// The `pathfinding` crate as an engine.
struct Peer;

impl Engine for Peer {
    fn name(&self) -> &'static str {
        "pathfinding"
    }

    fn about(&self) -> &'static str {
        "astar of the pathfinding crate"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn find(
        &self,
        ask: &Ask<'_>,
        _: &mut Scratch,
        path: &mut Path,
        _: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let grid = ask.index.grid();
        let octile = Octile::new(grid, ask.query.goal);
        let mut stats = Stats::default();
        let found = pathfinding::prelude::astar(
            &ask.start,
            |&cell| {
                stats.expanded += 1;
                grid.neighbours(cell).map(|(next, direction)| (next, direction.cost()))
            },
            |&cell| octile.from(grid.tile(cell)),
            |&cell| cell == ask.goal,
        );
        let outcome = match found {
            Some((cells, cost)) => {
                cells.into_iter().for_each(|cell| path.push(grid.tile(cell)));
                Outcome::Found(cost)
            }
            None => Outcome::Unreachable,
        };
        Ok(Answer { outcome, stats })
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let suite = arguments.next().unwrap_or_else(|| "../shared/bench".into());
    let every = arguments.next().map_or(Ok(20), |k| k.parse()).context("EVERY is a number")?;
    let suite = Suite::open(suite)?;
    let engines: [&dyn Engine; 2] = [engine::ASTAR, &Peer];
    for (set, maps) in MAPS {
        let mut tally = Tally::default();
        let mut bytes = Vec::new();
        for case in suite.cases(&[set.into()], &maps.map(String::from))? {
            let grid = case.grid(Movement::default())?;
            let problems = case.problems(&grid)?;
            let job = Job {
                set,
                map: &case.map,
                grid: &grid,
                problems: &problems,
                every,
                engines: &engines,
            };
            run_map(&job, |row, _, reference| {
                tally.add(row, reference);
                Ok(())
            })?;
            bytes.push(scratch_per_tile(&job));
        }
        let promises = engines.map(|e| (e.name(), e.promise()));
        ensure!(tally.failures(&promises).is_empty(), "{:?}", tally.failures(&promises));
        let all: Vec<_> = tally.summaries().into_iter().filter(|s| s.map == "*").collect();
        let [ours, theirs] = &all[..] else { anyhow::bail!("two engines were run") };
        println!("{set}, {} problems on {} maps, all optimal", ours.problems, maps.len());
        for s in [ours, theirs] {
            let rate = s.mean_expanded / s.mean_nanos * 1e3;
            let (micros, nodes) = (s.mean_nanos / 1e3, s.mean_expanded);
            println!(
                "  {:<12} {micros:>10.1} µs {nodes:>9.0} expansions {rate:>6.2} M/s",
                s.engine
            );
        }
        println!("  {:.2} times faster", theirs.mean_nanos / ours.mean_nanos);
        println!("  scratch: {:.1} bytes per tile", bytes.iter().sum::<f64>() / bytes.len() as f64);
    }
    Ok(())
}

/// Bytes of scratch per tile after the map's problems were answered.
fn scratch_per_tile(job: &Job<'_>) -> f64 {
    let index = Index::new(job.grid.clone());
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for problem in job.problems.iter().step_by(job.every) {
        let query = Query::new(problem.start, problem.goal);
        let _ = index.find(engine::ASTAR, &query, &mut scratch, &mut path);
    }
    scratch.bytes() as f64 / job.grid.tiles() as f64
}
