//! What it costs to follow changes of the map, table by table.
//!
//! ```text
//! cargo run --release -p tidegate-bench --example edit_costs [MAP...]
//! ```
//!
//! Without arguments on generated maps of 512, 1024 and 2048 tiles a side, else on the
//! given files. Every edit is made and then undone, both are counted; at the end every
//! table is compared with a fresh one. Times are those of this thread.

use std::hint::black_box;

use anyhow::{Result, ensure};
use tidegate::generate::{Kind, generate};
use tidegate::grid::component::Components;
use tidegate::grid::{CellId, Grid, Movement, Tile, TileMap};
use tidegate::hpa::{Hpa, Options};
use tidegate::jps::JpsMap;
use tidegate::rng::Rng;
use tidegate_bench::stopwatch::{least_micros, micros};

/// Edits of each kind, and as many undone.
const EDITS: usize = 300;

/// A map with everything that follows its changes.
struct Tables {
    grid: Grid,
    components: Components,
    jps: JpsMap,
    hpa: Hpa,
}

/// The tables in the order of the columns.
const NAMES: [&str; 4] = ["grid", "components", "jps", "hpa"];

impl Tables {
    fn of(grid: Grid) -> Result<Tables> {
        let components = Components::of(&grid);
        let (jps, hpa) = (JpsMap::new(&grid)?, Hpa::build(&grid, &Options::default())?);
        Ok(Tables { grid, components, jps, hpa })
    }

    /// Microseconds of each table to follow an edit.
    fn edit(&mut self, tiles: &[Tile], free: bool) -> [f64; NAMES.len()] {
        let Tables { grid, components, jps, hpa } = self;
        let set = |&tile: &Tile| _ = black_box(grid.set_free(tile, free));
        let (set, ()) = micros(|| tiles.iter().for_each(set));
        let (grid, tiles) = (&*grid, black_box(tiles));
        [
            set,
            micros(|| components.update(grid, tiles)).0,
            micros(|| jps.update(grid, tiles)).0,
            micros(|| hpa.repair(grid, tiles)).0,
        ]
    }

    fn check(&self) -> Result<()> {
        ensure!(self.components == Components::of(&self.grid), "components differ from a flood");
        let hpa = Hpa::build(&self.grid, &Options::default())?;
        ensure!(self.hpa.same_graph(&hpa), "the repaired graph differs from a fresh one");
        Ok(())
    }
}

/// Chooses the tiles of an edit, to be turned into the other state.
type Choose = fn(&Grid, &mut Rng) -> Vec<Tile>;

const KINDS: [(&str, Choose); 6] = [
    ("one tile", |grid, rng| vec![random_tile(grid, rng)]),
    ("one tile by a wall", |grid, rng| vec![tile_by_wall(grid, rng)]),
    ("10 scattered tiles", |grid, rng| (0..10).map(|_| random_tile(grid, rng)).collect()),
    ("wall of 8", |grid, rng| {
        let first = tile_by_wall(grid, rng);
        let along = |i| Tile::new(first.x.saturating_add(i), first.y);
        (0..8).map(along).collect()
    }),
    ("breach of 3 x 2", |grid, rng| {
        let first = tile_by_wall(grid, rng);
        let tile = |i: u16| Tile::new(first.x.saturating_add(i / 2), first.y.saturating_sub(i % 2));
        (0..6).map(tile).collect()
    }),
    ("cut the map in two", |grid, rng| {
        let x = (grid.width() as usize / 4 + rng.below(grid.width() as usize / 2)) as u16;
        (0..grid.height() as u16).map(|y| Tile::new(x, y)).collect()
    }),
];

fn random_tile(grid: &Grid, rng: &mut Rng) -> Tile {
    let side = |side: u32, rng: &mut Rng| rng.below(side as usize) as u16;
    Tile::new(side(grid.width(), rng), side(grid.height(), rng))
}

fn tile_by_wall(grid: &Grid, rng: &mut Rng) -> Tile {
    loop {
        let tile = random_tile(grid, rng);
        let open = grid.cell(tile).map_or(0, |cell| grid.moves(cell).count_ones());
        if grid.is_free(tile) && open < 8 {
            return tile;
        }
    }
}

fn at(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

fn measure(name: &str, grid: Grid) -> Result<()> {
    println!("{name}: {} x {}, {} free tiles", grid.width(), grid.height(), grid.free_tiles());
    let mut tables = Tables::of(grid)?;
    print!("{:22}", "median / p99 µs");
    NAMES.iter().for_each(|name| print!("{name:>18}"));
    println!();
    for (kind, choose) in KINDS {
        let mut rng = Rng::new(7);
        let mut times = [const { Vec::new() }; NAMES.len()];
        let edits = if kind.starts_with("cut") { EDITS / 10 } else { EDITS };
        for _ in 0..edits {
            let mut tiles = choose(&tables.grid, &mut rng);
            // What can be undone by one call: tiles that are all free, or all wall.
            let free = tables.grid.is_free(tiles[0]);
            tiles.retain(|&tile| tables.grid.contains(tile) && tables.grid.is_free(tile) == free);
            tiles.sort();
            tiles.dedup();
            for free in [!free, free] {
                let taken = tables.edit(&tiles, free);
                times.iter_mut().zip(taken).for_each(|(times, time)| times.push(time));
            }
        }
        print!("{kind:22}");
        for times in &mut times {
            times.sort_by(f64::total_cmp);
            print!("{:>18}", format!("{:.1} / {:.1}", at(times, 0.5), at(times, 0.99)));
        }
        println!();
    }
    tables.check()?;
    questions(&tables)
}

/// What it costs to ask, and to copy.
fn questions(tables: &Tables) -> Result<()> {
    let Tables { grid, components, .. } = tables;
    let mut rng = Rng::new(3);
    let mut cell = || CellId::from_index(rng.below(grid.tiles()));
    let pairs: Vec<_> = (0..10_000).map(|_| (cell(), cell())).collect();
    let connected = |pairs: &[(CellId, CellId)]| {
        pairs.iter().filter(|pair| components.connected(pair.0, pair.1)).count()
    };
    let (time, _) = least_micros(20, || connected(black_box(&pairs)));
    println!("connected: {:.1} ns", time * 1e3 / pairs.len() as f64);

    // A goal in the middle of a closed square, asked for from the largest component.
    for radius in [3_u16, 20, 100] {
        let (mut grid, mut components) = (grid.clone(), components.clone());
        let middle = Tile::new(grid.width() as u16 / 2, grid.height() as u16 / 2);
        let mut wall = Vec::new();
        for i in 0..=2 * radius {
            let (x, y) = (middle.x - radius, middle.y - radius);
            let sides = [(x + i, y), (x + i, y + 2 * radius), (x, y + i), (x + 2 * radius, y + i)];
            wall.extend(sides.map(Tile::from));
        }
        wall.iter().for_each(|&tile| _ = grid.set_free(tile, false));
        components.update(&grid, &wall);
        let largest = (0..components.sizes().len()).max_by_key(|&n| components.sizes()[n]);
        let inside = |cell: &CellId| components.number(*cell) == largest.map(|n| n as u32);
        let Some(from) = grid.free_cells().find(inside).map(|cell| grid.tile(cell)) else {
            continue;
        };
        let mut times = Vec::new();
        for _ in 0..1000 {
            let mut coordinate =
                |at: u16| at - radius + 1 + rng.below(2 * usize::from(radius) - 1) as u16;
            let to = Tile::new(coordinate(middle.x), coordinate(middle.y));
            let (time, found) = micros(|| components.nearest_reachable(&grid, from, black_box(to)));
            ensure!(found.is_some_and(|found| found != to), "{to} is walled in");
            times.push(time);
        }
        times.sort_by(f64::total_cmp);
        let (half, most) = (at(&times, 0.5), at(&times, 0.99));
        println!("nearest_reachable, {radius} tiles to the wall: {half:.1} / {most:.1} µs");
    }
    let (time, _) = least_micros(5, || components.clone());
    println!("a copy of the components: {time:.0} µs, {} bytes", components.bytes());
    let (time, _) = least_micros(5, || Components::of(grid));
    println!("components from scratch: {time:.0} µs\n");
    Ok(())
}

fn main() -> Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let map = TileMap::parse(&std::fs::read(file)?)?;
        measure(file, map.grid(Movement::default()))?;
    }
    if files.is_empty() {
        for side in [512, 1024, 2048] {
            let map = generate(Kind::Rts, side, side, 1)?;
            measure("rts", map.grid(Movement::default()))?;
        }
    }
    Ok(())
}
