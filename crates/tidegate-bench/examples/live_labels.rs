//! Labels that follow a changing map beside `jps`, `corners` that are repaired, and labels
//! built again:
//!
//! ```text
//! cargo run --release -p tidegate-bench --example live_labels -- [--rebuild] MAP...
//! ```
//!
//! Edits are walls of 1 to 8 tiles, breaches through walls of up to 6 tiles, or both in turn.
//! `follow` is timed at each edit. Then random problems are asked, and every answer is
//! compared with that of jps on the new map and walked. The times are the least of some
//! rounds in turns; "live or corners" asks corners where the labels do not know.

use std::hint::black_box;
use std::time::Instant;

use tidegate::corners::{CornerScratch, Corners};
use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::grid::component::Components;
use tidegate::labels::{LabelScratch, Labels, LiveAnswer, LiveLabels, LiveScratch};
use tidegate::rng::Rng;
use tidegate::{Direction, Grid, Index, Movement, Path, Query, Scratch, Tile, engine};

const PROBLEMS: usize = 2000;
const ROUNDS: usize = 3;
/// How many edits corners are repaired after; beyond, they are built again.
const REPAIRS: usize = 100;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let rebuild = args.iter().any(|a| a == "--rebuild");
    args.retain(|a| a != "--rebuild");
    println!(
        "map,edits,k,closed,opened,known %,shorter,wrong,live us,p99,live or corners us,corners us,jps us,labels us,follow us,p99,most,corners update us,p99,bytes"
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
        let live = LiveLabels::new(&grid, Labels::build(&grid, &Default::default())?);
        let corners = Corners::build(&grid)?;
        for edits in ["walls", "breaches", "both"] {
            for count in [1, 10, 100, 1000] {
                measure(name, grid.clone(), live.clone(), corners.clone(), edits, count, rebuild)?;
            }
        }
    }
    Ok(())
}

/// A wall of 1 to 8 tiles on free ground.
fn wall(grid: &Grid, rng: &mut Rng) -> Vec<Tile> {
    loop {
        let at = any(grid, rng);
        let direction = Direction::ALL[rng.below(4)];
        let tiles: Vec<Tile> = line(at, direction).take(rng.between(1, 8) as usize).collect();
        if tiles.iter().all(|&tile| grid.is_free(tile)) {
            return tiles;
        }
    }
}

/// The wall tiles between two free ones, at most 6.
fn breach(grid: &Grid, rng: &mut Rng) -> Vec<Tile> {
    loop {
        let at = any(grid, rng);
        if !grid.is_free(at) {
            continue;
        }
        let direction = Direction::ALL[rng.below(4)];
        let walls =
            line(at, direction).skip(1).take_while(|&t| grid.contains(t) && !grid.is_free(t));
        let walls: Vec<Tile> = walls.take(7).collect();
        let beyond = line(at, direction).nth(walls.len() + 1);
        if (1..7).contains(&walls.len()) && beyond.is_some_and(|tile| grid.is_free(tile)) {
            return walls;
        }
    }
}

fn any(grid: &Grid, rng: &mut Rng) -> Tile {
    let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
    Tile::new(x as u16, y as u16)
}

/// A tile and those behind it in a direction.
fn line(at: Tile, direction: Direction) -> impl Iterator<Item = Tile> {
    let (dx, dy) = direction.delta();
    (0..20).map_while(move |n| {
        let x = at.x.checked_add_signed((n * dx) as i16)?;
        Some(Tile::new(x, at.y.checked_add_signed((n * dy) as i16)?))
    })
}

fn problems(grid: &Grid, seed: u64) -> Vec<(Tile, Tile)> {
    let components = Components::of(grid);
    let free: Vec<_> = grid.free_cells().collect();
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < PROBLEMS {
        if let (Some(&a), Some(&b)) = (rng.pick(&free), rng.pick(&free))
            && components.connected(a, b)
        {
            found.push((grid.tile(a), grid.tile(b)));
        }
    }
    found
}

/// The least time of each problem, in microseconds.
fn times(problems: &[(Tile, Tile)], mut ask: impl FnMut(Tile, Tile)) -> Vec<f64> {
    let mut least = vec![f64::MAX; problems.len()];
    for _ in 0..ROUNDS {
        for (&(a, b), least) in problems.iter().zip(&mut least) {
            *least = least.min(micros(|| ask(a, b)).1);
        }
    }
    least
}

fn micros<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begin = Instant::now();
    let result = work();
    (result, begin.elapsed().as_secs_f64() * 1e6)
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

fn percentile(times: &[f64], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or(0.0)
}

fn measure(
    name: &str,
    mut grid: Grid,
    mut live: LiveLabels,
    mut corners: Corners,
    edits: &str,
    count: usize,
    rebuild: bool,
) -> Result<(), Failure> {
    let mut rng = Rng::new(5);
    let (mut follow, mut update) = (Vec::new(), Vec::new());
    for n in 0..count {
        let opens = edits == "breaches" || (edits == "both" && n % 2 == 1);
        let tiles = if opens { breach(&grid, &mut rng) } else { wall(&grid, &mut rng) };
        tiles.iter().for_each(|&tile| {
            grid.set_free(tile, opens);
        });
        follow.push(micros(|| live.follow(&grid, &tiles)).1);
        if n < REPAIRS {
            let (updated, time) = micros(|| corners.update(&grid, &tiles));
            updated?;
            update.push(time);
        }
    }
    if count > REPAIRS {
        match Corners::build(&grid) {
            Ok(built) => corners = built,
            Err(error) => println!("{name},{edits},{count},{error}"),
        }
    }
    let problems = problems(&grid, 7);
    let mut index = Index::new(grid);
    index.prepare(engine::JPS)?;
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let (mut space, mut corner_space) = (LiveScratch::new(), CornerScratch::new());
    let mut old = LabelScratch::new();
    let grid = index.grid().clone();
    let (mut known, mut shorter, mut wrong) = (Vec::new(), 0, 0);
    for &(a, b) in &problems {
        let truth = index.distance(engine::JPS, &Query::new(a, b), &mut scratch)?;
        let answer = live.path(&grid, a, b, &mut space, &mut path);
        known.push(answer != LiveAnswer::Unknown);
        if let LiveAnswer::Found(cost) = answer {
            let legal = path.check_answer(&grid, a, b, cost).is_ok();
            wrong += usize::from(Some(cost) != truth || !legal);
            let before = live.labels().distance(a, b, &mut old);
            shorter += usize::from(before.is_none_or(|before| cost < before));
        }
        wrong += usize::from(truth.is_none());
    }
    let lively = times(&problems, |a, b| {
        black_box(live.path(&grid, a, b, &mut space, &mut path));
    });
    let both = times(&problems, |a, b| {
        if live.path(&grid, a, b, &mut space, &mut path) == LiveAnswer::Unknown {
            black_box(corners.path(a, b, &mut corner_space, &mut path));
        }
    });
    let cornered = times(&problems, |a, b| {
        black_box(corners.path(a, b, &mut corner_space, &mut path));
    });
    let jumped = times(&problems, |a, b| {
        let _ = black_box(index.find(engine::JPS, &Query::new(a, b), &mut scratch, &mut path));
    });
    let mut labelled = Vec::new();
    if rebuild {
        let labels = Labels::build(&grid, &Default::default())?;
        labelled = times(&problems, |a, b| {
            black_box(labels.path(a, b, &mut old, &mut path));
        });
    }
    let share = 100.0 * known.iter().filter(|&&k| k).count() as f64 / known.len() as f64;
    println!(
        "{name},{edits},{count},{},{},{share:.1},{shorter},{wrong},{:.2},{:.1},{:.2},{:.2},{:.1},{:.2},{:.0},{:.0},{:.0},{:.0},{:.0},{}",
        live.closed(),
        live.opened(),
        mean(&lively),
        percentile(&lively, 99),
        mean(&both),
        mean(&cornered),
        mean(&jumped),
        mean(&labelled),
        percentile(&follow, 50),
        percentile(&follow, 99),
        percentile(&follow, 100),
        percentile(&update, 50),
        percentile(&update, 99),
        live.bytes() - live.labels().bytes(),
    );
    Ok(())
}
