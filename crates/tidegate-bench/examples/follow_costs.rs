//! How long a decomposition takes to follow an edit of its map, against making it again.
//!
//! `cargo run --profile quick -p tidegate-bench --example follow_costs [folder]` generates strategy maps
//! of 512, 1024 and 2048 tiles a side, changes one tile or ten scattered ones at a time (half
//! of them beside a wall or a gate, where it matters), and prints median, p99 and the longest
//! of `follow`. With a folder it also draws zones before and after a few edits there.

use std::path::Path;
use std::time::{Duration, Instant};

use tidegate::decompose::{Decomposition, WaterOptions};
use tidegate::draw::{self, DrawOptions};
use tidegate::generate::{Kind, generate};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Tile};

const EDITS: usize = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("| side | tiles an edit | median µs | p99 µs | longest µs | made again ms |");
    println!("|---|---|---|---|---|---|");
    for side in [512, 1024, 2048] {
        for tiles in [1, 10] {
            measure(side, tiles)?;
        }
    }
    match std::env::args_os().nth(1) {
        Some(folder) => draw_edits(Path::new(&folder)),
        None => Ok(()),
    }
}

fn measure(side: u32, tiles: usize) -> Result<(), Box<dyn std::error::Error>> {
    let mut grid = generate(Kind::Rts, side, side, 7)?.grid(Movement::default());
    let begun = Instant::now();
    let mut parts = Decomposition::water(&grid, &WaterOptions::default());
    let made = begun.elapsed();
    let mut rng = Rng::new(u64::from(side) + tiles as u64);
    let mut times: Vec<Duration> = Vec::with_capacity(EDITS);
    for _ in 0..EDITS {
        let changed: Vec<Tile> = (0..tiles).map(|_| tile(&grid, &parts, &mut rng)).collect();
        for &tile in &changed {
            grid.set_free(tile, !grid.is_free(tile));
        }
        let begun = Instant::now();
        parts.follow(&grid, &changed);
        times.push(begun.elapsed());
    }
    parts.check(&grid)?;
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 1000].as_micros();
    let ms = made.as_secs_f64() * 1e3;
    println!("| {side} | {tiles} | {} | {} | {} | {ms:.0} |", at(500), at(990), at(1000));
    Ok(())
}

/// A tile to change: any, or one beside a wall, or one on or beside a gate.
fn tile(grid: &Grid, parts: &Decomposition, rng: &mut Rng) -> Tile {
    let any = |rng: &mut Rng| {
        let side = |length: u32, rng: &mut Rng| rng.below(length as usize) as u16;
        Tile::new(side(grid.width(), rng), side(grid.height(), rng))
    };
    let beside = |tile: Tile, rng: &mut Rng| {
        let near = |v: u16, most: u32, rng: &mut Rng| {
            (i32::from(v) + rng.between(-1, 1)).clamp(0, most as i32 - 1) as u16
        };
        Tile::new(near(tile.x, grid.width(), rng), near(tile.y, grid.height(), rng))
    };
    match rng.below(4) {
        0 => {
            // Walk east to where wall and ground meet.
            let from = any(rng);
            let differs = |x: &u16| grid.is_free(Tile::new(*x, from.y)) != grid.is_free(from);
            let x = (from.x..grid.width() as u16).find(differs).unwrap_or(from.x);
            Tile::new(x, from.y)
        }
        1 => match rng.pick(parts.gates()) {
            Some(gate) if !gate.is_gone() => beside(gate.line().middle(), rng),
            _ => any(rng),
        },
        _ => any(rng),
    }
}

/// Zones before and after: walls across a choke point, breaches in walls, a wall through a zone.
fn draw_edits(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    let mut grid = generate(Kind::Rts, 160, 160, 7)?.grid(Movement::default());
    let mut parts = Decomposition::water(&grid, &WaterOptions::default());
    let options = DrawOptions::default().with_scale(6).with_labels(true);
    let draw = |name: &str,
                grid: &Grid,
                parts: &Decomposition|
     -> Result<(), Box<dyn std::error::Error>> {
        let picture = draw::zones(grid, parts, &options)?;
        Ok(std::fs::write(folder.join(name), picture.to_png()?)?)
    };
    draw("0-before.png", &grid, &parts)?;
    // A wall on half of the widest gate.
    let line = parts.lines().max_by_key(|line| line.width()).ok_or("no gate")?;
    let wall: Vec<Tile> = line.tiles().take(line.width() as usize / 2).collect();
    wall.iter().for_each(|&tile| _ = grid.set_free(tile, false));
    println!("half of the widest gate walled up: {:?}", parts.follow(&grid, &wall));
    draw("1-half-a-gate.png", &grid, &parts)?;
    // Every gate of the largest zone walled up.
    let zone = parts.live_zones().max_by_key(|zone| zone.area()).ok_or("no zone")?;
    let gates = zone.gates().iter().map(|gate| &parts.gates()[gate.index()]);
    let wall: Vec<Tile> = gates.flat_map(|gate| gate.tiles()).map(|&c| grid.tile(c)).collect();
    wall.iter().for_each(|&tile| _ = grid.set_free(tile, false));
    println!("the largest zone walled in: {:?}", parts.follow(&grid, &wall));
    draw("2-walled-in.png", &grid, &parts)?;
    // Breaches: eastwards from ground through walls of up to twelve tiles, two tiles high.
    let mut rng = Rng::new(5);
    for breach in 0..12 {
        let mut opened = Vec::new();
        while opened.is_empty() {
            let (x, y) = (rng.below(140) as u16, rng.below(150) as u16);
            let ahead: Vec<bool> = (x..x + 14).map(|x| grid.is_free(Tile::new(x, y))).collect();
            let walls = ahead[1..].iter().take_while(|free| !**free).count();
            if ahead[0] && (1..=12).contains(&walls) {
                let row = |y: u16| (x..x + walls as u16 + 1).map(move |x| Tile::new(x, y));
                opened = row(y).chain(row(y + 1)).filter(|&tile| !grid.is_free(tile)).collect();
            }
        }
        opened.iter().for_each(|&tile| _ = grid.set_free(tile, true));
        let changes = parts.follow(&grid, &opened);
        println!(
            "breach {breach} at {}: gates came {:?}, merged {:?}",
            opened[0], changes.gates_came, changes.merged
        );
    }
    draw("3-breaches.png", &grid, &parts)?;
    // A wall through the largest zone, then a door in it.
    let zone = parts.live_zones().max_by_key(|zone| zone.area()).ok_or("no zone")?.id();
    let inside = |tile: &Tile| {
        let cell = grid.cell(*tile).map(|cell| parts.place(cell));
        cell == Some(tidegate::decompose::Place::Zone(zone))
    };
    let middle = grid.tile(parts.zones()[zone.index()].first());
    let wall: Vec<Tile> = (0..160).map(|y| Tile::new(middle.x, y)).filter(inside).collect();
    wall.iter().for_each(|&tile| _ = grid.set_free(tile, false));
    println!("a wall through the largest zone: {:?}", parts.follow(&grid, &wall));
    draw("4-wall.png", &grid, &parts)?;
    let door = &wall[wall.len() / 2..wall.len() / 2 + 3.min(wall.len() / 2)];
    door.iter().for_each(|&tile| _ = grid.set_free(tile, true));
    println!("a door in it: {:?}", parts.follow(&grid, door));
    draw("5-door.png", &grid, &parts)?;
    Ok(())
}
