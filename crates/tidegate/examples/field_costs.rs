//! What goal fields and cost layers take on this machine:
//! `cargo run --release -p tidegate --example field_costs [MAP...]`.
//!
//! Each figure is the least of repeated runs, so that what else runs on the machine matters
//! little; answers of engines are compared. Names of maps in the Moving AI format may be
//! given; without any, generated ones are used.

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use tidegate::cost::{Cost, Extra, INFINITY, STRAIGHT};
use tidegate::engine::Engine;
use tidegate::field::{FieldQuery, GoalField};
use tidegate::generate::{Kind, generate};
use tidegate::grid::{Area, CostLayer, TileMap};
use tidegate::index::Near;
use tidegate::rng::Rng;
use tidegate::search::{Blind, BucketQueue, GridSpace, SearchScratch, search};
use tidegate::{Blocked, Grid, Index, Movement, Path, Query, Scratch, Tile, engine};

type Failure = Box<dyn std::error::Error>;

/// Prints a line; who closes the pipe has read enough.
fn say(line: impl std::fmt::Display) -> std::io::Result<()> {
    writeln!(std::io::stdout(), "{line}")
}

fn main() -> Result<(), Failure> {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    match run() {
        Err(error) if error.downcast_ref().is_some_and(closed) => Ok(()),
        other => other,
    }
}

fn run() -> Result<(), Failure> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut maps = Vec::new();
    for name in &names {
        let bytes = std::fs::read(name).map_err(|error| format!("{name}: {error}"))?;
        let map = TileMap::parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
        maps.push((name.clone(), map.grid(Movement::default())));
    }
    if maps.is_empty() {
        for (kind, side) in [(Kind::Rts, 512), (Kind::Rts, 1024), (Kind::Rooms, 512)] {
            let map = generate(kind, side, side, 7)?;
            maps.push((format!("{kind:?} {side} x {side}"), map.grid(Movement::default())));
        }
        let open = Grid::from_fn(512, 512, Movement::default(), |_, _| true)?;
        maps.push(("open 512 x 512".into(), open));
    }
    for (name, grid) in maps {
        fields(&name, grid)?;
    }
    discs(&generate(Kind::Rts, 200, 200, 7)?.grid(Movement::default()))?;
    for kind in [Kind::Rts, Kind::Rooms, Kind::Maze] {
        for side in [200, 512] {
            paths(kind, generate(kind, side, side, 7)?.grid(Movement::default()))?;
        }
    }
    Ok(())
}

/// The least time of a run, in microseconds.
fn micros(runs: usize, mut run: impl FnMut()) -> f64 {
    let times = (0..runs).map(|_| {
        // Where other programs run, who has rested is not interrupted so soon.
        std::thread::sleep(Duration::from_micros(if runs > 10 { 2000 } else { 0 }));
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e6
    });
    times.fold(f64::INFINITY, f64::min)
}

fn free_tiles(grid: &Grid, count: usize, seed: u64) -> Vec<Tile> {
    let cells: Vec<_> = grid.free_cells().collect();
    let mut rng = Rng::new(seed);
    (0..count).filter_map(|_| rng.pick(&cells).map(|&cell| grid.tile(cell))).collect()
}

fn danger(grid: &Grid, discs: usize, seed: u64) -> CostLayer {
    let (mut layer, mut rng) = (CostLayer::new(grid), Rng::new(seed));
    for tile in free_tiles(grid, discs, seed) {
        let extra = Extra::from_hundredths(100 + rng.below(900) as u16);
        layer.add(&Area::disc(tile, 12.0), extra);
    }
    layer
}

fn fields(name: &str, grid: Grid) -> Result<(), Failure> {
    let index = Index::new(grid);
    let grid = index.grid();
    let goals = free_tiles(grid, 1, 1);
    let units = free_tiles(grid, 1000, 2);
    let layer = danger(grid, 40, 3);
    let mut field = GoalField::new();
    let plain = FieldQuery::new(&goals);
    let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
    let start = grid.cell(goals[0]).ok_or("outside")?.index() as u32;
    let space = GridSpace::new(grid);
    let loop_time = micros(15, || {
        let sources = [(start, Cost::ZERO)];
        black_box(search(&space, &sources, |_| false, &mut Blind, &mut scratch, &mut ()));
    });
    let mut filled = Ok(());
    let plain_time = micros(31, || filled = field.fill(&index, &plain));
    filled?;
    let costs = (0..grid.tiles() as u32).map(|node| scratch.cost(node).unwrap_or(INFINITY));
    assert!(costs.eq(field.costs().iter().copied()), "the field differs from the loop");
    let mut steps = Vec::new();
    let steps_time = micros(15, || field.next_steps_into(black_box(&mut steps)));
    let read_time = micros(31, || {
        for &unit in &units {
            black_box(field.next_step(unit));
        }
    });
    let mut filled = Ok(());
    let near = units.iter().copied().filter(|unit| unit.octile(goals[0]).tiles() < 60.0);
    let near: Vec<Tile> = near.collect();
    let until_time = micros(31, || filled = field.fill(&index, &plain.until(&near)));
    let others: Vec<Tile> = units.iter().copied().filter(|&unit| unit != goals[0]).collect();
    let blocked = Blocked::new(others);
    let blocked_time = micros(15, || filled = field.fill(&index, &plain.with_blocked(&blocked)));
    let costs_time = micros(15, || filled = field.fill(&index, &plain.with_costs(&layer)));
    filled?;
    say(format_args!(
        "{name}: {} free tiles\n  field {:.2} ms ({:.2} with the general loop, {:.1} x); with 40 discs of \
         danger {:.2} ms; around 1000 blocked tiles {:.2} ms; until {} units within 60 tiles {:.2} ms",
        grid.free_tiles(),
        plain_time / 1e3,
        loop_time / 1e3,
        loop_time / plain_time,
        costs_time / 1e3,
        blocked_time / 1e3,
        near.len(),
        until_time / 1e3,
    ))?;
    say(format_args!(
        "  next steps of all tiles {:.2} ms, of 1000 units {read_time:.1} µs",
        steps_time / 1e3
    ))?;
    Ok(())
}

fn discs(grid: &Grid) -> Result<(), Failure> {
    let centres = free_tiles(grid, 1000, 4);
    let mut layer = CostLayer::new(grid);
    let extra = Extra::from_hundredths(7);
    let mut time = |what: &str, add: &dyn Fn(&mut CostLayer, Tile)| {
        let each = micros(31, || {
            layer.clear();
            centres.iter().for_each(|&centre| add(&mut layer, centre));
        });
        say(format_args!("  {what} {:.2} µs", each / centres.len() as f64))
    };
    say(format_args!("Cost layer of {} x {} tiles, radius 12", grid.width(), grid.height()))?;
    time("disc", &|layer, centre| layer.add(&Area::disc(centre, 12.0), extra))?;
    time("hollow disc", &|layer, centre| layer.add(&Area::ring(centre, 8.0, 12.0), extra))?;
    time("disc that falls off", &|layer, centre| layer.add_falling(centre, 12.0, extra))?;
    let square = |c: Tile| [(0, 0), (21, 0), (21, 21), (0, 21)].map(|(x, y)| (c.x + x, c.y + y));
    time("square of 22 as a polygon", &|layer, centre| {
        layer.add(&Area::Polygon(&square(centre).map(Tile::from)), extra);
    })?;
    let full = danger(grid, 400, 5);
    let mut layer = full.clone();
    say(format_args!("  fade all of it {:.1} µs", micros(101, || layer.fade(0.999))))?;
    let (index, mut scratch) = (Index::new(grid.clone()), Scratch::new());
    for (what, near) in
        [("as the crow flies", Near::Radius(12.0)), ("by walking", Near::Walk(12 * STRAIGHT))]
    {
        let each = micros(31, || {
            for &unit in &centres {
                let _ = black_box(index.cheapest_within(unit, near, &full, None, &mut scratch));
            }
        });
        let each = each / centres.len() as f64;
        say(format_args!("  cheapest tile within 12 {what} {each:.2} µs"))?;
    }
    let times = (0..101).map(|_| {
        layer.clone_from(&full);
        micros(1, || layer.clear())
    });
    say(format_args!("  clear all of it {:.1} µs", times.fold(f64::INFINITY, f64::min)))?;
    Ok(())
}

/// Paths while costs change: discs added, all faded, before every tenth query.
fn paths(kind: Kind, grid: Grid) -> Result<(), Failure> {
    let engines: [&dyn Engine; 5] = [
        engine::ASTAR,
        engine::DIFFERENTIAL,
        engine::GATEWAY_CONSISTENT,
        engine::GATEWAY_DIFFERENTIAL,
        engine::HPA,
    ];
    let mut index = Index::new(grid);
    for engine in engines {
        index.prepare(engine)?;
    }
    let ends = free_tiles(index.grid(), 800, 6);
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for (what, discs) in [("a few", 10), ("many", 60)] {
        let side = index.grid().width();
        say(format_args!("Paths on {kind:?} {side} x {side}, {what} discs of danger:"))?;
        let mut best = None;
        for engine in engines {
            let mut layer = danger(index.grid(), discs, 7);
            let (mut time, mut expanded, mut sum) = (0.0, 0, 0);
            let mut times = Vec::new();
            for (n, pair) in ends.chunks_exact(2).enumerate() {
                if n % 10 == 0 {
                    layer.fade(0.9);
                    layer.add(&Area::disc(pair[0], 12.0), Extra::from_hundredths(300));
                    layer.add(&Area::disc(pair[1], 6.0), Extra::from_hundredths(150));
                }
                let query = Query::new(pair[0], pair[1]).with_costs(&layer);
                let answer = index.find(engine, &query, &mut scratch, &mut path)?;
                let took = micros(4, || {
                    let _ = black_box(index.find(engine, &query, &mut scratch, &mut path));
                });
                time += took;
                times.push(took);
                expanded += answer.stats.expanded;
                sum += answer.cost().map_or(0, u64::from);
            }
            times.sort_by(f64::total_cmp);
            let count = times.len();
            say(format_args!(
                "  {:22} mean {:5.0} µs, median {:5.0}, 99 % within {:5.0}, most {:5.0}; {:6.0} \
                 expansions; {:.2} % longer than the best",
                engine.name(),
                time / count as f64,
                times[count / 2],
                times[count * 99 / 100],
                times[count - 1],
                expanded as f64 / count as f64,
                100.0 * (sum as f64 / *best.get_or_insert(sum) as f64 - 1.0),
            ))?;
            let exact = engine.promise() == engine::Promise::Optimal;
            assert!(!exact || best == Some(sum), "the engines differ");
        }
    }
    Ok(())
}
