//! Edits as a game makes them: walls built, walls broken through, gates closed, and all of it
//! taken back after a while, so that a map that is edited for hours stays near what it was.

use std::collections::VecDeque;

use tidegate::index::Change;
use tidegate::rng::Rng;
use tidegate::{Direction, Grid, Index, Tile};

/// Edits that stand at once; beyond them the oldest are taken back.
const MOST_MADE: usize = 300;

/// Chooses what to build, break through and take back.
#[derive(Clone, Debug)]
pub struct Walls {
    rng: Rng,
    original: Grid,
    made: VecDeque<Vec<Tile>>,
}

impl Walls {
    /// Edits of this map; another seed, other edits.
    pub fn new(original: &Grid, seed: u64) -> Walls {
        Walls { rng: Rng::new(seed), original: original.clone(), made: VecDeque::new() }
    }

    /// The next edit of the map as it is now. With `only_walls` nothing is opened and no gate
    /// is closed on purpose, which most tables can follow.
    pub fn next(&mut self, index: &Index, only_walls: bool) -> Vec<Change> {
        let choice = if only_walls { 3 } else { self.rng.below(8) };
        if self.made.len() > MOST_MADE || (choice > 3 && !self.made.is_empty()) {
            let count = 2 + self.rng.below(3);
            let back = self.made.drain(..count.min(self.made.len())).flatten();
            return back.map(|tile| change(tile, self.original.is_free(tile))).collect();
        }
        let (tiles, free) = match choice {
            0 => (self.gate(index), false),
            1 | 2 => (self.line(index.grid(), false), true),
            _ => (self.line(index.grid(), true), false),
        };
        self.made.push_back(tiles.clone());
        tiles.into_iter().map(|tile| change(tile, free)).collect()
    }

    /// All tiles of a gate.
    fn gate(&mut self, index: &Index) -> Vec<Tile> {
        let lines = index.decomposition().map(|parts| parts.lines().collect::<Vec<_>>());
        let line = lines.as_ref().and_then(|lines| self.rng.pick(lines));
        line.map(|line| line.tiles().collect()).unwrap_or_default()
    }

    /// Three to five tiles in a line: free ones from a free tile, or walls beside it.
    fn line(&mut self, grid: &Grid, free: bool) -> Vec<Tile> {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let length = self.rng.between(3, 5);
        for _ in 0..100_000 {
            let (x, y) = (self.rng.below(width) as i32, self.rng.below(height) as i32);
            if !grid.is_free_at(x, y) {
                continue;
            }
            let (dx, dy) = Direction::ALL[self.rng.below(4)].delta();
            let far = if free { 0..length } else { 1..length + 1 };
            let tile = |n: i32| {
                let (x, y) = (u16::try_from(x + n * dx).ok()?, u16::try_from(y + n * dy).ok()?);
                let tile = Tile::new(x, y);
                (grid.contains(tile) && grid.is_free(tile) == free).then_some(tile)
            };
            let tiles: Vec<Tile> = far.map_while(tile).collect();
            if !tiles.is_empty() {
                return tiles;
            }
        }
        Vec::new()
    }
}

fn change(tile: Tile, free: bool) -> Change {
    if free { Change::Free(tile) } else { Change::Wall(tile) }
}

/// A free tile to ask for: any of these, or every other time one near a tile that was edited.
pub fn end(grid: &Grid, free: &[tidegate::CellId], recent: &[Tile], rng: &mut Rng) -> Option<Tile> {
    const NEAR: i32 = 3;
    let near = rng.pick(recent).copied().filter(|_| rng.chance(50));
    let beside = near.and_then(|tile| {
        let mut far = |from: u16| u16::try_from(i32::from(from) + rng.between(-NEAR, NEAR)).ok();
        let tile = Tile::new(far(tile.x)?, far(tile.y)?);
        (grid.contains(tile) && grid.is_free(tile)).then_some(tile)
    });
    beside.or_else(|| rng.pick(free).map(|&cell| grid.tile(cell)))
}
