//! One fixed program of edits, builds apart, late adoptions, files and queries: all that it
//! makes, as hashes that must be the same on every machine and with any number of threads.

use std::fmt::Write as _;

use tidegate::index::Built;
use tidegate::rng::Rng;
use tidegate::{Blocked, CellId, Grid, Index, Path, Query, Scratch};
use tidegate_sectors::ENGINES;

use crate::walls::{Walls, end};

/// Edits of a program.
const EDITS: usize = 24;
/// After so many edits tables are built apart; they are adopted two edits later.
const BUILD_EVERY: usize = 4;
/// After so many edits the index is written and read, and goes on as it was read.
const FILE_EVERY: usize = 7;
/// Queries to every engine after each edit.
const QUERIES: usize = 3;

/// What each engine was asked and said, in words.
struct Asking {
    rng: Rng,
    scratch: Scratch,
    path: Path,
    said: Vec<String>,
}

impl Asking {
    fn ask(&mut self, index: &Index, recent: &[tidegate::Tile]) {
        let grid = index.grid();
        let free: Vec<CellId> = grid.free_cells().collect();
        for (engine, said) in ENGINES.iter().zip(&mut self.said) {
            for _ in 0..QUERIES {
                let rng = &mut self.rng;
                let (Some(start), Some(goal)) =
                    (end(grid, &free, recent, rng), end(grid, &free, recent, rng))
                else {
                    continue;
                };
                let count = if rng.chance(25) { 20 } else { 0 };
                let some = (0..count).filter_map(|_| rng.pick(&free).map(|&cell| grid.tile(cell)));
                let blocked = Blocked::new(some.filter(|&tile| tile != goal).collect::<Vec<_>>());
                let mut query = Query::new(start, goal).with_blocked(&blocked);
                query.partial = rng.chance(20);
                let answer = index.find(*engine, &query, &mut self.scratch, &mut self.path);
                let tiles = if answer.is_ok() { self.path.tiles() } else { &[] };
                let _ = writeln!(said, "{start} {goal} {answer:?} {tiles:?}");
            }
        }
    }
}

/// Runs the program on a map: lines of a name and a hash, behind the name of the map.
pub fn replay(name: &str, grid: &Grid) -> String {
    let mut index = Index::new(grid.clone());
    let mut told = String::new();
    for engine in ENGINES {
        let _ = writeln!(told, "{} {:?}", engine.name(), index.prepare(*engine));
    }
    let said = vec![String::new(); ENGINES.len()];
    let mut asking = Asking { rng: Rng::new(2), scratch: Scratch::new(), path: Path::new(), said };
    let (mut walls, mut pending) = (Walls::new(grid, 1), Vec::<Built>::new());
    for n in 1..=EDITS {
        let changes = walls.next(&index, (n / BUILD_EVERY).is_multiple_of(2));
        let recent: Vec<_> = changes.iter().map(|change| change.tile()).collect();
        let _ = writeln!(told, "{:?}", index.edit(changes));
        if n % BUILD_EVERY == 2 {
            for built in std::mem::take(&mut pending) {
                let name = built.kind().name;
                let _ = writeln!(told, "{name} adopted: {:?}", index.adopt(built));
            }
        }
        if n % BUILD_EVERY == 0 {
            for kind in index.want_rebuild() {
                match index.clone().build_again_apart(kind) {
                    Ok(built) => pending.push(built),
                    Err(error) => _ = writeln!(told, "{}: {error}", kind.name),
                }
            }
        }
        asking.ask(&index, &recent);
        if n % FILE_EVERY == 0 {
            let bytes = index.to_bytes();
            let _ = writeln!(told, "file {}", blake3::hash(&bytes));
            match Index::from_bytes_with(&bytes, ENGINES) {
                Ok(read) => index = read,
                Err(error) => _ = writeln!(told, "{error}"),
            }
        }
    }
    let mut lines = String::new();
    let _ = writeln!(lines, "{name} edited index {}", blake3::hash(&index.to_bytes()));
    let _ = writeln!(lines, "{name} edited told {}", blake3::hash(told.as_bytes()));
    for (engine, said) in ENGINES.iter().zip(&asking.said) {
        let hash = blake3::hash(said.as_bytes());
        let _ = writeln!(lines, "{name} edited {} {hash}", engine.name());
    }
    lines
}
