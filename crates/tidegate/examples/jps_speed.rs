//! `jps` beside `astar` on the same problems, in turns, in one process; every cost is
//! compared before a time is printed.
//!
//! ```text
//! cargo run -p tidegate --profile quick --example jps_speed -- BENCH EVERY SET/MAP...
//! ```
//!
//! BENCH holds `maps/SET/MAP.map` and `scenarios/SET/MAP.map.scen`; of each scenario
//! every EVERY-th problem is taken.

use std::error::Error;
use std::time::{Duration, Instant};

use tidegate::grid::{TileMap, scen_file};
use tidegate::jps::{Jps, JpsMap};
use tidegate::search::{End, Stats};
use tidegate::{Index, Movement, Path, Query, Scratch, engine};

/// Each problem is answered so often by `jps`, so that its time can be measured.
const ROUNDS: u32 = 8;

#[derive(Default)]
struct Sum {
    time: Duration,
    problems: u32,
    expanded: u64,
    generated: u64,
}

/// Time that this thread has spent on a processor, where the system tells (Linux), else
/// the clock's: on a busy machine the clock mostly measures the others.
fn spent(since: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|t| t.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

impl Sum {
    fn mean(&self) -> f64 {
        self.time.as_secs_f64() * 1e6 / f64::from(self.problems.max(1))
    }

    fn add(&mut self, stats: Stats) {
        self.problems += 1;
        self.expanded += stats.expanded;
        self.generated += stats.generated;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let zero = Instant::now();
    let mut args = std::env::args().skip(1);
    let bench = args.next().ok_or("usage: jps_speed BENCH EVERY SET/MAP...")?;
    let every: usize = args.next().ok_or("EVERY is missing")?.parse()?;
    println!("map                      problems   astar µs    jps µs   ratio  expanded generated");
    let (mut all_astar, mut all_jps) = (Sum::default(), Sum::default());
    for name in args {
        let file = std::fs::read(format!("{bench}/maps/{name}.map"))?;
        let grid = TileMap::parse(&file)?.grid(Movement::NoCornerCutting);
        let file = std::fs::read(format!("{bench}/scenarios/{name}.map.scen"))?;
        let problems = scen_file::parse(&file)?;
        let problems: Vec<_> =
            problems.iter().step_by(every.max(1)).filter(|p| !p.is_unreachable()).collect();
        let map = JpsMap::new(&grid)?;
        let index = Index::new(grid);
        let grid = index.grid();
        let (mut scratch, mut jps, mut path) = (Scratch::new(), Jps::new(), Path::new());
        let (mut astar, mut jump) = (Sum::default(), Sum::default());
        // A dozen problems by one, then the same by the other: both see the same machine.
        for problems in problems.chunks(12) {
            let mut costs = Vec::new();
            let begin = spent(zero);
            for problem in problems {
                let query = Query::new(problem.start, problem.goal);
                let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path)?;
                astar.add(answer.stats);
                costs.push(answer.cost());
            }
            let middle = spent(zero);
            let mut found = Vec::new();
            for _ in 0..ROUNDS {
                found.clear();
                for problem in problems {
                    let ends = grid.cell(problem.start).zip(grid.cell(problem.goal));
                    let (start, goal) = ends.ok_or("a problem of another map")?;
                    let (end, stats) = jps.search(&map, grid, start, goal, &mut ());
                    jps.write_path(&map, grid, goal, &mut path);
                    found.push((end, stats));
                }
            }
            astar.time += middle - begin;
            jump.time += (spent(zero) - middle) / ROUNDS;
            for ((problem, (end, stats)), cost) in problems.iter().zip(found).zip(costs) {
                jump.add(stats);
                if !matches!((end, cost), (End::Goal(_, a), Some(b)) if a == b) {
                    return Err(format!("{name}: {} to {}", problem.start, problem.goal).into());
                }
            }
        }
        print(&name, &astar, &jump);
        for (all, one) in [(&mut all_astar, astar), (&mut all_jps, jump)] {
            all.time += one.time;
            all.problems += one.problems;
            all.expanded += one.expanded;
            all.generated += one.generated;
        }
    }
    print("all", &all_astar, &all_jps);
    Ok(())
}

fn print(name: &str, astar: &Sum, jps: &Sum) {
    let n = u64::from(jps.problems.max(1));
    println!(
        "{name:<24} {n:>8} {:>10.1} {:>9.2} {:>7.1} {:>9} {:>9}",
        astar.mean(),
        jps.mean(),
        astar.mean() / jps.mean(),
        jps.expanded / n,
        jps.generated / n
    );
}
