//! What the index costs besides its engines: finding a table and a scratch, and a clone.
//!
//! ```text
//! cargo run --release -p tidegate-bench --example index_costs
//! ```
//!
//! Every table is built and every engine has asked before, so that the lists to be looked
//! through are as long as they get. The least of several rounds is printed.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use tidegate::labels::{LiveLabels, LiveScratch};
use tidegate::{Index, Movement, Path, Query, Scratch};
use tidegate_bench::suite;

const ROUNDS: usize = 20;

fn least(times: u32, mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let clock = Instant::now();
        (0..times).for_each(|_| work());
        clock.elapsed().as_secs_f64() * 1e9 / f64::from(times)
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<()> {
    let (name, map, _) = suite::bundled()[0];
    let map = tidegate::grid::TileMap::parse(map)?;
    let mut index = Index::new(map.grid(Movement::default()));
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let free: Vec<_> = index.grid().free_cells().map(|cell| index.grid().tile(cell)).collect();
    let query = Query::new(free[0], free[free.len() / 2]);
    for engine in tidegate_sectors::ENGINES {
        index.prepare(*engine)?;
        index.find(*engine, &query, &mut scratch, &mut path)?;
    }
    println!(
        "{name}: {} tables, {} engines",
        index.tables().count(),
        tidegate_sectors::ENGINES.len()
    );
    let lookup = least(100_000, || {
        black_box(black_box(&index).table::<LiveLabels>());
        black_box(black_box(&mut scratch).slot::<LiveScratch>());
    });
    println!("finding the table and the scratch of labels: {lookup:.1} ns");
    let clone = least(10_000, || drop(black_box(black_box(&index).clone())));
    println!("Index::clone and drop: {clone:.0} ns");
    Ok(())
}
