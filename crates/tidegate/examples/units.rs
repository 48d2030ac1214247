//! What a thousand units cost in one tick, by each way of asking; and what units of several
//! sizes cost in memory and after edits.
//!
//! `cargo run --profile quick -p tidegate --example units [MAP]`

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use tidegate::batch::Batch;
use tidegate::engine::{self, Engine};
use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::rng::Rng;
use tidegate::world::{Profile, World};
use tidegate::{Blocked, Grid, Index, Query, Scratch, Tile};

fn main() -> Result<(), Box<dyn Error>> {
    let map = match std::env::args().nth(1) {
        Some(path) => TileMap::parse(&std::fs::read(path)?)?,
        None => generate(Kind::Rts, 512, 512, 1)?,
    };
    let grid = map.grid(Default::default());
    println!("{} x {} tiles, {} free", grid.width(), grid.height(), grid.free_tiles());
    orders(&grid)?;
    sizes(&map)?;
    doors(&map)
}

fn free_tiles(grid: &Grid, count: usize, rng: &mut Rng) -> Vec<Tile> {
    let mut tiles = Vec::new();
    while tiles.len() < count {
        let x = rng.below(grid.width() as usize) as u16;
        let tile = Tile::new(x, rng.below(grid.height() as usize) as u16);
        if grid.is_free(tile) {
            tiles.push(tile);
        }
    }
    tiles
}

/// Milliseconds of the quickest of some runs.
fn least_ms(mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed().as_secs_f64() * 1e3
    };
    (0..7).map(time).fold(f64::INFINITY, f64::min)
}

/// A thousand units, one goal, one tick.
fn orders(grid: &Grid) -> Result<(), Box<dyn Error>> {
    let mut index = Index::new(grid.clone());
    let mut rng = Rng::new(5);
    let component = |tile: Tile, goal: Tile| index.reachable(tile, goal);
    let all = free_tiles(grid, 5_000, &mut rng);
    let goal = all[0];
    let units: Vec<Tile> = all.into_iter().filter(|&t| component(t, goal)).take(1_000).collect();
    let queries: Vec<Query<'_>> = units.iter().map(|&unit| Query::new(unit, goal)).collect();
    let blocked = Blocked::new(units.iter().copied().filter(|&unit| unit != goal));
    let around: Vec<Query<'_>> = queries.iter().map(|q| q.with_blocked(&blocked)).collect();
    println!("\n1,000 units to one goal, ms a tick     1 thread  2 threads  around each other");
    for name in ["labels", "corners", "jps", "hpa", "differential", "astar"] {
        let engine: &dyn Engine = engine::by_name(name).ok_or("unknown engine")?;
        index.prepare(engine)?;
        let times = [1, 2].map(|threads| {
            let mut batch = Batch::with_threads(threads);
            least_ms(|| index.find_batch(engine, &queries, &mut batch))
        });
        let mut batch = Batch::with_threads(1);
        let apart = least_ms(|| index.find_batch(engine, &around, &mut batch));
        println!("  whole paths, {name:<14} {:>18.2} {:>10.2} {apart:>10.2}", times[0], times[1]);
    }
    let mut scratch = Scratch::new();
    let steps = least_ms(|| {
        for query in &queries {
            black_box(index.next_step(engine::AUTO, query, &mut scratch)).ok();
        }
    });
    println!("  next_step, auto {:>29.2}", steps);
    let distances = least_ms(|| {
        black_box(index.distances(goal, &units, None, &mut scratch)).ok();
    });
    println!("  distances alone {distances:>29.2}");
    Ok(())
}

/// Four sizes: tables of each, beside those of one.
fn sizes(map: &TileMap) -> Result<(), Box<dyn Error>> {
    let mut world = World::from_map(map);
    let ids: Vec<_> =
        (1..=4).map(|size| world.add(Profile::new().entering(b".G").of_size(size))).collect();
    println!("\nsize  free tiles  jps MB  corners MB  labels MB");
    let mut first = [0.0; 3];
    let mut sums = [0.0; 3];
    for (n, &id) in ids.iter().enumerate() {
        let engines = [engine::JPS, engine::CORNERS, engine::LABELS];
        let mut megabytes = [0.0; 3];
        for (bytes, engine) in megabytes.iter_mut().zip(engines) {
            match world.prepare(id, engine) {
                Ok(()) => *bytes = engine.bytes(world.index_of(id)) as f64 / 1e6,
                Err(error) => println!("      {error}"),
            }
        }
        if n == 0 {
            first = megabytes;
        }
        sums.iter_mut().zip(megabytes).for_each(|(sum, bytes)| *sum += bytes);
        let [jps, corners, labels] = megabytes;
        let free = world.index_of(id).grid().free_tiles();
        println!("{:>4} {free:>11} {jps:>7.2} {corners:>11.2} {labels:>10.2}", n + 1);
    }
    let ratio = |n: usize| sums[n] / first[n];
    println!("all, times one {:>9.2} {:>11.2} {:>10.2}", ratio(0), ratio(1), ratio(2));
    Ok(())
}

/// Three sizes and the doors of two sides: what an edit costs for all six.
fn doors(map: &TileMap) -> Result<(), Box<dyn Error>> {
    for engine in [engine::JPS, engine::LABELS] {
        let mut world = World::from_map(map);
        for side in [b'1', b'2'] {
            for size in 1..=3 {
                let id = world.add(Profile::new().entering([b'.', b'G', side]).of_size(size));
                world.prepare(id, engine)?;
            }
        }
        let mut rng = Rng::new(9);
        let ground = map.grid(Default::default());
        let mut times = Vec::new();
        for tile in free_tiles(&ground, 300, &mut rng) {
            // A door for one side, then a wall, then open again.
            for class in [b'1' + rng.below(2) as u8, b'@', b'.'] {
                let begin = Instant::now();
                world.edit([(tile, class)])?;
                times.push(begin.elapsed().as_secs_f64() * 1e6);
            }
        }
        times.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize];
        let name = engine.name();
        println!(
            "\nan edit of one tile for 3 sizes x 2 sides with {name}: median {:.1} µs, p99 {:.1} µs",
            at(0.5),
            at(0.99)
        );
    }
    Ok(())
}
