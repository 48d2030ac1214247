//! What the side of clusters does to HPA*: building, memory, repair after one tile, queries.
//!
//! ```text
//! cargo run --profile quick -p tidegate-bench --example hpa_clusters -- MAP... SIDE...
//! ```
//!
//! For each map in the Moving AI format, or each side length (a generated strategy map). Queries are random
//! pairs, asked in turns with `jps`, least of five rounds; repairs are of one tile closed and opened again.

use anyhow::{Context as _, Result, ensure};
use tidegate::engine;
use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::hpa::{Hpa, HpaScratch, Options};
use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Index, Movement, Path, Query, Scratch};
use tidegate_bench::stopwatch::{Times, micros, wall_seconds};

const PROBLEMS: usize = 60;
const EDITS: usize = 150;

fn map(name: &str) -> Result<Grid> {
    if let Ok(side) = name.parse::<u32>() {
        return Ok(generate(Kind::Rts, side, side, 1)?.grid(Movement::NoCornerCutting));
    }
    let bytes = std::fs::read(name).with_context(|| name.to_string())?;
    Ok(TileMap::parse(&bytes)?.grid(Movement::NoCornerCutting))
}

fn settings() -> Vec<(String, Options)> {
    let usual = Options::default();
    [16, 24, 32, 48, 64]
        .map(|cluster| (format!("clusters of {cluster}"), Options { cluster, ..usual }))
        .into_iter()
        .collect()
}

fn median_and_p99(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

fn main() -> Result<()> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    ensure!(!names.is_empty(), "give the names of maps, or side lengths");
    println!("map, setting: build s, MB, repair µs median / p99, query µs, % longer, jps µs");
    for name in &names {
        let mut grid = map(name)?;
        let short = std::path::Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let mut index = Index::new(grid.clone());
        index.prepare(engine::JPS)?;
        let cells: Vec<CellId> = grid.free_cells().collect();
        let mut rng = Rng::new(3);
        let mut queries = Vec::new();
        while queries.len() < PROBLEMS {
            let (a, b) = (cells[rng.below(cells.len())], cells[rng.below(cells.len())]);
            if a != b && index.components().connected(a, b) {
                queries.push(Query::new(grid.tile(a), grid.tile(b)));
            }
        }
        let (mut scratch, mut path, mut space) = (Scratch::new(), Path::new(), HpaScratch::new());
        let mut by_jps = Times::new(PROBLEMS);
        let settings = settings();
        let mut contest = Vec::new();
        for (setting, options) in &settings {
            let (build_s, hpa) = wall_seconds(|| Hpa::build(&grid, options));
            contest.push((setting, hpa?, build_s, Times::new(PROBLEMS), 0.0));
        }
        for round in 0..5 {
            for (n, query) in queries.iter().enumerate() {
                let mut best = None;
                by_jps.take(n, || {
                    best = index.find(engine::JPS, query, &mut scratch, &mut path).ok();
                });
                let best = best.and_then(|answer| answer.cost()).context("a path")?;
                for (_, hpa, _, times, longer) in &mut contest {
                    let planner = hpa.planner(&grid);
                    let mut cost = None;
                    let (start, goal) = (query.start, query.goal);
                    times.take(n, || cost = planner.find(start, goal, &mut space, &mut path));
                    let cost = cost.context("a path")?;
                    if round == 0 {
                        path.check_answer(&grid, start, goal, cost)?;
                        *longer += f64::from(cost.get()) / f64::from(best.get()) - 1.0;
                    }
                }
            }
        }
        for (setting, mut hpa, build_s, times, longer) in contest {
            let bytes = hpa.bytes();
            let mut repairs = Vec::new();
            let mut rng = Rng::new(9);
            for _ in 0..EDITS {
                let tile = grid.tile(cells[rng.below(cells.len())]);
                for free in [false, true] {
                    grid.set_free(tile, free);
                    repairs.push(micros(|| hpa.repair(&grid, &[tile])).0);
                }
            }
            let (median, p99) = median_and_p99(repairs);
            println!(
                "{short}, {setting}: {build_s:.3}, {:.2}, {median:.0} / {p99:.0}, {:.1}, {:.3}, {:.1}",
                bytes as f64 / 1e6,
                times.mean(),
                100.0 * longer / PROBLEMS as f64,
                by_jps.mean()
            );
        }
    }
    Ok(())
}
