//! What `corners` takes beside `jps`, `labels` and `astar`, in one run, and what a repair
//! costs:
//!
//! ```text
//! cargo run --release -p tidegate-bench --example corner_costs -- [--labels] [--edits N] MAP...
//! ```
//!
//! A map is a file with its scenario beside it in `../scenarios`, or `rts:SIDE:SEED` for a
//! generated one (with random problems). Every answer is compared with that of `jps` and
//! every path is walked. With `--edits N`, N tiles (and N times ten) are changed, and the
//! time of a repair is reported (processor time); every 50th repaired table is compared with jps.

use std::time::Instant;

use tidegate::corners::{CornerScratch, Corners};
use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::grid::component::Components;
use tidegate::jps::JpsMap;
use tidegate::labels::LiveLabels;
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, Tile, engine};
use tidegate_bench::stopwatch::micros;

const PROBLEMS: usize = 1000;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let with_labels = args.iter().any(|a| a == "--labels");
    args.retain(|a| a != "--labels");
    let mut edits = 0;
    if let Some(at) = args.iter().position(|a| a == "--edits") {
        edits = args.get(at + 1).ok_or("--edits N")?.parse()?;
        args.drain(at..at + 2);
    }
    println!(
        "map,corners,arcs,MB,build s,distance us,p99,turns us,tiles us,p99,jps us,astar us,labels us,expanded,wrong"
    );
    for arg in &args {
        let mut parts = arg.split(':');
        let grid = if parts.next() == Some("rts") {
            let side = parts.next().unwrap_or("512").parse()?;
            let seed = parts.next().unwrap_or("1").parse()?;
            generate(Kind::Rts, side, side, seed)?.grid(Movement::NoCornerCutting)
        } else {
            let map = TileMap::read_any(&std::fs::read(arg)?, "map")?;
            map.grid(Movement::NoCornerCutting)
        };
        let name = arg.rsplit('/').next().unwrap_or(arg);
        measure(name, grid.clone(), with_labels)?;
        if edits > 0 {
            repair(name, grid, edits)?;
        }
    }
    Ok(())
}

/// Random pairs of tiles that reach each other.
fn problems(grid: &Grid, count: usize, seed: u64) -> Vec<(Tile, Tile)> {
    let components = Components::of(grid);
    let free: Vec<_> = grid.free_cells().collect();
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        if let (Some(&a), Some(&b)) = (rng.pick(&free), rng.pick(&free))
            && components.connected(a, b)
        {
            found.push((grid.tile(a), grid.tile(b)));
        }
    }
    found
}

/// Mean and 99th percentile, in microseconds, of the least time of each problem.
fn time(problems: &[(Tile, Tile)], mut ask: impl FnMut(Tile, Tile)) -> (f64, f64) {
    let mut least = vec![f64::MAX; problems.len()];
    for _ in 0..ROUNDS {
        for (&(a, b), least) in problems.iter().zip(&mut least) {
            let begin = Instant::now();
            ask(a, b);
            *least = least.min(begin.elapsed().as_secs_f64() * 1e6);
        }
    }
    let mean = least.iter().sum::<f64>() / least.len() as f64;
    least.sort_by(f64::total_cmp);
    (mean, least[least.len() * 99 / 100])
}

fn measure(name: &str, grid: Grid, with_labels: bool) -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let corners = match Corners::build(&grid) {
        Ok(corners) => corners,
        Err(error) => {
            println!("{name},refused after {:.2} s: {error}", begin.elapsed().as_secs_f64());
            return Ok(());
        }
    };
    let build = begin.elapsed().as_secs_f64();
    let problems = problems(&grid, PROBLEMS, 7);
    let mut index = Index::new(grid);
    index.build::<JpsMap>(&())?;
    let labels = with_labels && index.build::<LiveLabels>(&Default::default()).is_ok();
    let (mut scratch, mut space) = (Scratch::new(), CornerScratch::new());
    let (mut path, mut turns) = (Path::new(), Vec::new());
    let mut wrong = 0;
    for &(a, b) in &problems {
        let cost = index.distance(engine::JPS, &Query::new(a, b), &mut scratch)?;
        let found = corners.path(a, b, &mut space, &mut path);
        let walked = path.check(index.grid()).ok();
        wrong += usize::from(found != cost || walked != cost.map(|c| u64::from(c.get())));
    }
    let distance = time(&problems, |a, b| {
        corners.distance(a, b, &mut space);
    });
    let turning = time(&problems, |a, b| {
        corners.turning_points(a, b, &mut space, &mut turns);
    });
    let tiles = time(&problems, |a, b| {
        corners.path(a, b, &mut space, &mut path);
    });
    let mut of = |engine, problems: &[(Tile, Tile)]| {
        time(problems, |a, b| drop(index.find(engine, &Query::new(a, b), &mut scratch, &mut path)))
    };
    let jps = of(engine::JPS, &problems);
    let astar = of(engine::ASTAR, &problems[..50]);
    let labels = if labels { of(engine::LABELS, &problems).0 } else { f64::NAN };
    index.prepare(engine::CORNERS)?;
    let mut expanded = 0;
    for &(a, b) in &problems {
        let query = Query::new(a, b);
        let answer = index.find(engine::CORNERS, &query, &mut scratch, &mut path)?;
        expanded += answer.stats.expanded;
    }
    println!(
        "{name},{},{},{:.2},{build:.3},{:.2},{:.1},{:.2},{:.2},{:.1},{:.1},{:.0},{labels:.2},{:.0},{wrong}",
        corners.corners(),
        corners.arcs(),
        corners.bytes() as f64 / 1e6,
        distance.0,
        distance.1,
        turning.0,
        tiles.0,
        tiles.1,
        jps.0,
        astar.0,
        expanded as f64 / PROBLEMS as f64,
    );
    Ok(())
}

/// Times repairs: single tiles near walls, then ten scattered ones at once.
fn repair(name: &str, mut grid: Grid, edits: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut corners = Corners::build(&grid)?;
    let mut rng = Rng::new(3);
    let mut space = CornerScratch::new();
    for count in [1, 10] {
        let (mut times, mut wrong, mut asked, mut rebuilt) = (Vec::new(), 0, 0, 0);
        for edit in 0..edits {
            let mut changed = Vec::new();
            while changed.len() < count {
                let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
                let tile = Tile::new(x as u16, y as u16);
                let near = |d: (i32, i32)| {
                    grid.is_free_at(x as i32 + d.0, y as i32 + d.1) != grid.is_free(tile)
                };
                if [(1, 0), (0, 1), (-1, 0), (0, -1)].into_iter().any(near) {
                    grid.set_free(tile, !grid.is_free(tile));
                    changed.push(tile);
                }
            }
            let (time, done) = micros(|| corners.update(&grid, &changed));
            done?;
            times.push(time);
            if edit % 50 == 49 {
                let mut index = Index::new(grid.clone());
                index.build::<JpsMap>(&())?;
                let mut scratch = Scratch::new();
                for (a, b) in problems(&grid, 20, edit as u64) {
                    let cost = index.distance(engine::JPS, &Query::new(a, b), &mut scratch)?;
                    wrong += usize::from(corners.distance(a, b, &mut space) != cost);
                    asked += 1;
                }
            }
            if corners.is_aged() {
                corners = Corners::build(&grid)?;
                rebuilt += 1;
            }
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{name}: repair of {count}: median {:.0} us, p99 {:.0} us, {edits} edits, {rebuilt} rebuilds, {wrong} of {asked} answers wrong",
            times[times.len() / 2],
            times[times.len() * 99 / 100],
        );
    }
    Ok(())
}
