//! What it costs to spread a search over frames, and to straighten a path, in one run:
//!
//! ```text
//! cargo run --release -p tidegate-bench --example slice_costs -- MAP...
//! ```
//!
//! Random problems. Each is asked in one run and in slices of several sizes, side by side
//! (processor time, the least of a few rounds); answers, paths and expansions are compared.
//! Then the paths are straightened, and the lengths of all of them summed up.

use tidegate::engine::Engine;
use tidegate::grid::TileMap;
use tidegate::grid::component::Components;
use tidegate::rng::Rng;
use tidegate::straighten::{LineRule, Sight, Waypoints};
use tidegate::{Index, Movement, Path, Query, Scratch, Slice, SlicedSearch, Tile, engine};
use tidegate_bench::stopwatch::{least_micros, micros};

const ENGINES: [&dyn Engine; 4] =
    [engine::ASTAR, engine::DIFFERENTIAL, engine::GATEWAY_CONSISTENT, engine::GATEWAY];
const SLICES: [u64; 3] = [100, 1_000, 10_000];
const PROBLEMS: usize = 40;
/// Even, so that both ways are first equally often.
const ROUNDS: usize = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let maps: Vec<String> = std::env::args().skip(1).collect();
    if maps.is_empty() {
        return Err("name at least one map".into());
    }
    println!("map,engine,slice,slices,us one run,us in slices,ratio,longest slice us,kB,differ");
    let mut lines = Vec::new();
    for file in &maps {
        let map = TileMap::read_any(&std::fs::read(file)?, "map")?;
        let mut index = Index::new(map.grid(Movement::NoCornerCutting));
        for engine in ENGINES {
            index.prepare(engine)?;
        }
        let name = file.rsplit('/').next().unwrap_or(file);
        let problems = problems(&index);
        for engine in ENGINES {
            for expansions in SLICES {
                slices(name, &index, engine, expansions, &problems)?;
            }
        }
        lines.push(straighten(name, &index, &problems)?);
    }
    println!("\nmap,rule,tiles a path,waypoints,turning points,us a path,length to path");
    lines.into_iter().flatten().for_each(|line| println!("{line}"));
    Ok(())
}

/// Random pairs of tiles that reach each other.
fn problems(index: &Index) -> Vec<(Tile, Tile)> {
    let (grid, components) = (index.grid(), Components::of(index.grid()));
    let free: Vec<_> = grid.free_cells().collect();
    let mut rng = Rng::new(7);
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

fn slices(
    name: &str,
    index: &Index,
    engine: &'static dyn Engine,
    expansions: u64,
    problems: &[(Tile, Tile)],
) -> Result<(), Box<dyn std::error::Error>> {
    let (mut scratch, mut whole, mut path) = (Scratch::new(), Path::new(), Path::new());
    let mut search = SlicedSearch::new(index, engine, &Query::new(problems[0].0, problems[0].0))?;
    let (mut one_run, mut in_slices, mut longest) = (0.0, 0.0, 0.0_f64);
    let (mut count, mut differ) = (0, 0);
    for &(start, goal) in problems {
        let query = Query::new(start, goal);
        let mut least = [f64::MAX; 2];
        // Whoever comes second finds the map in the cache, so they take turns.
        for round in 0..ROUNDS {
            let mut answers = [None; 2];
            for way in [round % 2, 1 - round % 2] {
                search.restart(index, engine, &query)?;
                let (time, answer) = match way {
                    0 => micros(|| index.find(engine, &query, &mut scratch, &mut whole)),
                    _ => micros(|| {
                        loop {
                            count += 1;
                            match search.run(index, expansions, &mut path) {
                                Ok(Slice::Paused(_)) => {}
                                Ok(Slice::Done(done)) => break Ok(done),
                                Err(error) => break Err(error),
                            }
                        }
                    }),
                };
                least[way] = least[way].min(time);
                answers[way] = Some(answer?);
            }
            differ += usize::from(answers[0] != answers[1] || path != whole);
        }
        // Slice by slice, apart: to look at the clock takes as long as a short slice.
        let mut slowest = f64::MAX;
        for _ in 0..ROUNDS {
            let mut most = 0.0_f64;
            loop {
                let (time, slice) = micros(|| search.run(index, expansions, &mut path));
                most = most.max(time);
                if let Slice::Done(_) = slice? {
                    break;
                }
            }
            slowest = slowest.min(most);
        }
        (one_run, in_slices) = (one_run + least[0], in_slices + least[1]);
        longest = longest.max(slowest);
    }
    let each = |sum: f64| sum / problems.len() as f64;
    println!(
        "{name},{},{expansions},{},{:.1},{:.1},{:.4},{longest:.1},{},{differ}",
        engine.name(),
        count / ROUNDS,
        each(one_run),
        each(in_slices),
        in_slices / one_run,
        search.bytes() / 1000,
    );
    Ok(())
}

fn straighten(
    name: &str,
    index: &Index,
    problems: &[(Tile, Tile)],
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut lines = Vec::new();
    for rule in [LineRule::Square, LineRule::Point] {
        let sight = Sight::new(index.grid()).with_rule(rule);
        let mut walk = Waypoints::new();
        let (mut tiles, mut waypoints, mut turns, mut time) = (0, 0, 0, 0.0);
        let (mut length, mut straight) = (0.0, 0.0);
        for &(start, goal) in problems {
            let path = index.path(start, goal)?.ok_or("the ends are connected")?;
            let (least, done) = least_micros(ROUNDS, || sight.straighten(&path, &mut walk));
            done?;
            time += least;
            tiles += path.len();
            waypoints += walk.len();
            turns += path.turning_points().count();
            (length, straight) = (length + path.length().value(), straight + walk.length());
        }
        let each = |sum: usize| sum as f64 / problems.len() as f64;
        lines.push(format!(
            "{name},{rule:?},{:.1},{:.1},{:.1},{:.2},{:.4}",
            each(tiles),
            each(waypoints),
            each(turns),
            time / problems.len() as f64,
            straight / length
        ));
    }
    Ok(lines)
}
