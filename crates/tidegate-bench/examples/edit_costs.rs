//! What it costs to follow changes of the map, table by table.
//!
//! ```text
//! cargo run --release -p tidegate-bench --example edit_costs [MAP...]
//! ```
//!
//! Without arguments on generated maps of 512, 1024 and 2048 tiles a side, else on the
//! given files. Each column is [`Index::edit`] of an index that has this table alone, so it
//! holds the map and its components too: the first column. Every edit is made and then
//! undone, both are counted. Times are those of this thread.

use std::hint::black_box;

use anyhow::{Result, ensure};
use tidegate::engine::{self, Engine};
use tidegate::generate::{Kind, generate};
use tidegate::grid::component::Components;
use tidegate::grid::{CellId, Grid, Movement, Tile, TileMap};
use tidegate::hpa::Hpa;
use tidegate::index::{Change, TableState};
use tidegate::rng::Rng;
use tidegate::{Index, Path, Query, Scratch};
use tidegate_bench::stopwatch::{least_micros, micros, wall_seconds};

/// Edits of each kind, and as many undone.
const EDITS: usize = 300;

/// An index with one table, which follows edits.
struct Column {
    name: &'static str,
    index: Index,
    build_s: f64,
}

const ENGINES: [&dyn Engine; 5] =
    [engine::JPS, engine::HPA, engine::CORNERS, engine::LABELS, engine::DIFFERENTIAL];

fn columns(grid: &Grid) -> Vec<Column> {
    let plain = Index::new(grid.clone());
    let mut columns = vec![Column { name: "map", index: plain.clone(), build_s: 0.0 }];
    let mut zones = plain.clone();
    let (build_s, _) = wall_seconds(|| _ = zones.decompose());
    for engine in ENGINES {
        let mut index = plain.clone();
        let (build_s, built) = wall_seconds(|| index.prepare(engine));
        match built {
            Ok(()) => columns.push(Column { name: engine.name(), index, build_s }),
            Err(error) => println!("{error}"),
        }
    }
    columns.push(Column { name: "zones", index: zones, build_s });
    // Nothing is shared: an edit must not pay for a copy.
    drop(plain);
    for column in &mut columns {
        column.index.edit([Change::wall((0, 0))]).expect("inside");
        column.index.edit([Change::free((0, 0))]).expect("inside");
    }
    columns
}

impl Column {
    /// Microseconds to follow an edit.
    fn edit(&mut self, tiles: &[Tile], free: bool) -> f64 {
        let change = |&tile| if free { Change::Free(tile) } else { Change::Wall(tile) };
        let changes: Vec<Change> = tiles.iter().map(change).collect();
        let (time, report) = micros(|| self.index.edit(black_box(changes)));
        drop(report.expect("inside the map"));
        time
    }

    fn check(&self) -> Result<()> {
        let grid = self.index.grid();
        let fresh = Components::of(grid);
        ensure!(self.index.components() == &fresh, "components differ from a flood");
        if let Some(hpa) = Hpa::in_index(&self.index, "hpa") {
            let fresh = Hpa::build(grid, hpa.options())?;
            ensure!(hpa.same_graph(&fresh), "the repaired graph differs from a fresh one");
        }
        for (_, state) in self.index.table_states().filter(|(_, s)| *s == TableState::Stale) {
            println!("{}: {state} at the end", self.name);
        }
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
    let mut columns = columns(&grid);
    print!("{:22}", "median / p99 µs");
    columns.iter().for_each(|column| print!("{:>18}", column.name));
    println!();
    for (kind, choose) in KINDS {
        let mut rng = Rng::new(7);
        let mut times = vec![Vec::new(); columns.len()];
        let edits = if kind.starts_with("cut") { EDITS / 10 } else { EDITS };
        for _ in 0..edits {
            let grid = columns[0].index.grid();
            let mut tiles = choose(grid, &mut rng);
            // What can be undone by one call: tiles that are all free, or all wall.
            let free = grid.is_free(tiles[0]);
            tiles.retain(|&tile| grid.contains(tile) && grid.is_free(tile) == free);
            tiles.sort();
            tiles.dedup();
            for free in [!free, free] {
                let each = columns.iter_mut().zip(&mut times);
                each.for_each(|(column, times)| times.push(column.edit(&tiles, free)));
            }
        }
        print!("{kind:22}");
        for times in &mut times {
            times.sort_by(f64::total_cmp);
            print!("{:>18}", format!("{:.1} / {:.1}", at(times, 0.5), at(times, 0.99)));
        }
        println!();
    }
    print!("{:22}", "built from nothing, s");
    columns.iter().for_each(|column| print!("{:>18.3}", column.build_s));
    println!();
    columns.iter().try_for_each(Column::check)?;
    questions(&columns[0].index)?;
    columns.iter().filter(|c| ["corners", "labels"].contains(&c.name)).try_for_each(walled_in)?;
    println!();
    Ok(())
}

/// The walls of a closed square around the middle of the map.
fn square(grid: &Grid, radius: u16) -> (Tile, Vec<Tile>) {
    let middle = Tile::new(grid.width() as u16 / 2, grid.height() as u16 / 2);
    let mut wall = Vec::new();
    for i in 0..=2 * radius {
        let (x, y) = (middle.x - radius, middle.y - radius);
        let sides = [(x + i, y), (x + i, y + 2 * radius), (x, y + i), (x + 2 * radius, y + i)];
        wall.extend(sides.map(Tile::from));
    }
    (middle, wall)
}

/// What it costs to ask whether there is a way, and where to go if there is none.
fn questions(index: &Index) -> Result<()> {
    let grid = index.grid();
    let mut rng = Rng::new(3);
    let mut tile = || random_tile(grid, &mut rng);
    let pairs: Vec<_> = (0..10_000).map(|_| (tile(), tile())).collect();
    let reachable = |pairs: &[(Tile, Tile)]| {
        pairs.iter().filter(|pair| index.reachable(pair.0, pair.1)).count()
    };
    let (time, _) = least_micros(20, || reachable(black_box(&pairs)));
    println!("reachable: {:.1} ns", time * 1e3 / pairs.len() as f64);
    for radius in [3_u16, 20, 100] {
        let mut index = index.clone();
        let (middle, wall) = square(index.grid(), radius);
        index.edit(wall.into_iter().map(Change::Wall))?;
        let Some(from) = largest_component(&index) else { continue };
        let mut times = Vec::new();
        for _ in 0..1000 {
            let mut coordinate =
                |at: u16| at - radius + 1 + rng.below(2 * usize::from(radius) - 1) as u16;
            let to = Tile::new(coordinate(middle.x), coordinate(middle.y));
            let (time, found) = micros(|| index.nearest_reachable(from, black_box(to)));
            ensure!(found.is_some_and(|found| found != to), "{to} is walled in");
            times.push(time);
        }
        times.sort_by(f64::total_cmp);
        let (half, most) = (at(&times, 0.5), at(&times, 0.99));
        println!("nearest_reachable, {radius} tiles to the wall: {half:.1} / {most:.1} µs");
    }
    let (time, _) = least_micros(5, || Components::of(grid));
    println!("components from nothing: {time:.0} µs; a clone of the index: {:.2} µs", {
        least_micros(1000, || black_box(index.clone())).0
    });
    Ok(())
}

fn largest_component(index: &Index) -> Option<Tile> {
    let (grid, components) = (index.grid(), index.components());
    let largest = (0..components.sizes().len()).max_by_key(|&n| components.sizes()[n]);
    let inside = |cell: &CellId| components.number(*cell) == largest.map(|n| n as u32);
    grid.free_cells().find(inside).map(|cell| grid.tile(cell))
}

/// A thousand units sent to a goal that is walled in, and to the inside of a wall: the tile
/// to go to instead, and the path there.
fn walled_in(column: &Column) -> Result<()> {
    let mut index = column.index.clone();
    let (middle, wall) = square(index.grid(), 12);
    index.edit(wall.iter().copied().map(Change::Wall))?;
    index.edit([Change::free(middle)])?;
    let Some(home) = largest_component(&index) else { return Ok(()) };
    let grid = index.grid();
    let outside: Vec<Tile> = grid
        .free_cells()
        .map(|cell| grid.tile(cell))
        .filter(|&tile| index.reachable(home, tile))
        .collect();
    let (mut rng, mut scratch, mut path) = (Rng::new(9), Scratch::new(), Path::new());
    for (what, goal) in [("a walled-in goal", middle), ("the inside of a wall", wall[5])] {
        let mut times = Vec::new();
        for _ in 0..1000 {
            let unit = outside[rng.below(outside.len())];
            let (time, found) = micros(|| {
                let to = index.nearest_reachable(unit, goal)?;
                let query = Query::new(unit, to);
                index.find(engine::AUTO, &query, &mut scratch, &mut path).ok()?.cost()
            });
            ensure!(found.is_some(), "{unit} is free");
            times.push(time);
        }
        times.sort_by(f64::total_cmp);
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let name = column.name;
        println!("1,000 units to {what}, {name}: {mean:.1} µs each, p99 {:.1}", at(&times, 0.99));
    }
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
