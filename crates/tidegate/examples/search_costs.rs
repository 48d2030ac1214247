//! What an expansion costs: A* and its kin on the problems of maps.
//!
//! ```text
//! cargo run --release -p tidegate --example search_costs -- ENGINE MAP...
//! ```
//!
//! A map is a file of the Moving AI collection with its scenario beside it (`maps/SET/X.map` and
//! `scenarios/SET/X.map.scen`). Sixty problems of each, spread over all lengths, the quietest of nine rounds, one
//! thread. To compare two versions of the library, run their programs in turns; expansions must be the same.

use std::time::Instant;

use tidegate::grid::{TileMap, scen_file};
use tidegate::{Index, Movement, Path, Query, Scratch, engine};

const PROBLEMS: usize = 60;
const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("usage: search_costs ENGINE MAP...")?;
    let engine = engine::by_name(&name).ok_or("no such engine")?;
    println!("map,problems,expansions,ns an expansion,us a problem");
    for file in arguments {
        let map = TileMap::parse(&std::fs::read(&file)?)?;
        let mut index = Index::new(map.grid(Movement::default()));
        index.prepare(engine)?;
        let scenario = format!("{}.scen", file.replace("/maps/", "/scenarios/"));
        let problems = scen_file::parse(&std::fs::read(scenario)?)?;
        let step = problems.len().div_ceil(PROBLEMS).max(1);
        let asked: Vec<_> = problems.iter().step_by(step).map(|p| (p.start, p.goal)).collect();
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let (mut best, mut expanded) = (f64::INFINITY, 0);
        for _ in 0..ROUNDS {
            expanded = 0;
            let clock = Instant::now();
            for &(start, goal) in &asked {
                let answer =
                    index.find(engine, &Query::new(start, goal), &mut scratch, &mut path)?;
                expanded += answer.stats.expanded;
            }
            best = best.min(clock.elapsed().as_secs_f64());
        }
        let short = file.rsplit('/').next().unwrap_or(&file);
        println!(
            "{short},{},{expanded},{:.1},{:.1}",
            asked.len(),
            best * 1e9 / expanded.max(1) as f64,
            best * 1e6 / asked.len() as f64
        );
    }
    Ok(())
}
