//! Thousands of edits of a map that a decomposition follows:
//! `cargo run --profile quick -p tidegate --example follow -- MAP [EDITS] [SEED]`.
//!
//! Buildings and breaches come at random places, half of them at gates, and go again: single
//! tiles, strokes of up to nine tiles, blocks, whole gates closed; at most forty at a time, so that
//! the map stays the map. MAP is a file in the Moving AI format, or a side length
//! for a generated strategy map. After every edit the decomposition is checked in full. Printed
//! are the shares of numbers that stay, and what following takes.

use std::io::Write;
use std::time::Instant;

use tidegate::decompose::{GateLine, WaterOptions};
use tidegate::generate::{Kind, generate};
use tidegate::grid::TileMap;
use tidegate::rng::Rng;
use tidegate::{Decomposition, Grid, Movement, Tile};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let closed = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    match run() {
        Err(error) if error.downcast_ref().is_some_and(closed) => Ok(()),
        other => other,
    }
}

fn map(name: &str) -> Result<Grid, Failure> {
    if let Ok(side) = name.parse::<u32>() {
        return Ok(generate(Kind::Rts, side, side, 1)?.grid(Movement::NoCornerCutting));
    }
    let bytes = std::fs::read(name).map_err(|error| format!("{name}: {error}"))?;
    let map = TileMap::parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
    Ok(map.grid(Movement::NoCornerCutting))
}

/// At most so many changes are there at a time.
const MOST: usize = 40;

/// The tiles of a building or, if they become free, of a breach.
fn building(grid: &Grid, parts: &Decomposition, rng: &mut Rng) -> (Vec<Tile>, bool) {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let lines: Vec<GateLine> = parts.lines().collect();
    let gate = if rng.chance(50) { rng.pick(&lines).copied() } else { None };
    let (x, y) = match gate {
        Some(line) => {
            let middle = line.middle();
            let near = |v: u16, rng: &mut Rng| i32::from(v) + rng.between(-4, 4);
            (near(middle.x, rng), near(middle.y, rng))
        }
        None => (rng.between(0, width - 1), rng.between(0, height - 1)),
    };
    let spots: Vec<(i32, i32)> = match (rng.below(4), gate) {
        (0, _) => vec![(x, y)],
        (1, _) => {
            let (dx, dy) = (rng.between(-1, 1), rng.between(-1, 1));
            (0..rng.between(1, 9)).map(|i| (x + i * dx, y + i * dy)).collect()
        }
        (2, Some(line)) => line.tiles().map(|t| (t.x.into(), t.y.into())).collect(),
        _ => (0..12).map(|i| (x + i % 4, y + i / 4)).collect(),
    };
    let inside = |&(x, y): &(i32, i32)| x >= 0 && y >= 0 && x < width && y < height;
    let tiles = spots.into_iter().filter(inside).map(|(x, y)| Tile::new(x as u16, y as u16));
    (tiles.collect(), rng.chance(50))
}

fn run() -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let names: Vec<String> = std::env::args().skip(1).collect();
    let name = names.first().ok_or("give the name of a map, or a side length")?;
    let number = |i: usize, usual: u64| names.get(i).map_or(Ok(usual), |text| text.parse());
    let (edits, seed) = (number(1, 10_000)?, number(2, 1)?);
    let mut grid = map(name)?;
    let mut parts = Decomposition::water(&grid, &WaterOptions::default());
    let count = |parts: &Decomposition| (parts.live_zones().count(), parts.live_gates().count());
    let (zones_at_start, gates_at_start) = (parts.zones().len(), parts.gates().len());
    writeln!(out, "before: zones and gates {:?}", count(&parts))?;
    let mut rng = Rng::new(seed);
    let (mut micros, mut tiles_changed) = (Vec::new(), 0);
    let mut there: Vec<(Vec<Tile>, bool)> = Vec::new();
    let (mut zones_kept, mut gates_kept) = (0.0, 0.0);
    for edit in 0..edits {
        let goes = there.len() == MOST || (!there.is_empty() && rng.chance(50));
        let (mut tiles, free) = if goes {
            let (tiles, free) = there.swap_remove(rng.below(there.len()));
            (tiles, !free)
        } else {
            building(&grid, &parts, &mut rng)
        };
        tiles.retain(|&tile| grid.is_free(tile) != free && grid.set_free(tile, free));
        if !goes {
            there.push((tiles.clone(), free));
        }
        tiles_changed += tiles.len();
        let zones = parts.zones().iter().filter(|zone| !zone.is_gone()).count();
        let gates = parts.live_gates().count();
        let start = Instant::now();
        let changes = parts.follow(&grid, &tiles);
        micros.push(start.elapsed().as_secs_f64() * 1e6);
        parts.check(&grid).map_err(|violation| format!("edit {edit}: {violation}"))?;
        let stay = |went: usize, of: usize| 1.0 - went as f64 / of.max(1) as f64;
        zones_kept += stay(changes.zones_went.len(), zones);
        gates_kept += stay(changes.gates_went.len(), gates);
    }
    micros.sort_by(f64::total_cmp);
    let all = edits.max(1) as f64;
    let alive = |gone: usize, of: usize| 100.0 * (1.0 - gone as f64 / of.max(1) as f64);
    let zones_gone = parts.zones()[..zones_at_start].iter().filter(|zone| zone.is_gone()).count();
    let gates_gone = parts.gates()[..gates_at_start].iter().filter(|gate| gate.is_gone()).count();
    writeln!(out, "after: zones and gates {:?}", count(&parts))?;
    writeln!(out, "{edits} edits of {tiles_changed} tiles in all, every one checked: none wrong")?;
    writeln!(
        out,
        "numbers that stay, by edit: zones {:.3} %, gates {:.3} %",
        100.0 * zones_kept / all,
        100.0 * gates_kept / all
    )?;
    writeln!(
        out,
        "of the first zones and pockets {:.1} % are still there, of the first gates {:.1} %",
        alive(zones_gone, zones_at_start),
        alive(gates_gone, gates_at_start)
    )?;
    let at = |share: f64| micros.get((share * (all - 1.0)) as usize).copied().unwrap_or(0.0);
    writeln!(
        out,
        "an edit takes {:.0} us (mean; median {:.0}, 99 of 100 below {:.0}, longest {:.0})",
        micros.iter().sum::<f64>() / all,
        at(0.5),
        at(0.99),
        at(1.0)
    )?;
    Ok(())
}
