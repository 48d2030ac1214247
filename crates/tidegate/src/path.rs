//! A way over the map, tile by tile, that can be checked against it.

use crate::cost::{Cost, Length};
use crate::grid::{Blocked, CellId, CostLayer, Direction, Grid, Tile};

/// A path: every tile from start to goal. Keep one and reuse it: engines clear it and
/// write into it, so that a game loop allocates nothing.
#[derive(Default)]
pub struct Path {
    /// The path, and behind it what longer ones have left: memory that can be written to
    /// without being filled first.
    memory: Vec<Tile>,
    len: usize,
}

/// Copies the tiles, not the memory behind them.
impl Clone for Path {
    fn clone(&self) -> Path {
        Path::from_tiles(self.tiles().to_vec())
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        self.tiles() == other.tiles()
    }
}

impl Eq for Path {}

impl std::fmt::Debug for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Path").field("tiles", &self.tiles()).finish()
    }
}

/// Why something is not a path on a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It has no tiles.
    #[error("the path is empty")]
    Empty,
    /// A tile is a wall or outside the map.
    #[error("step {step}: tile {tile} is a wall or outside the map")]
    Wall {
        /// Number of the tile on the path, from 0.
        step: usize,
        /// The tile.
        tile: Tile,
    },
    /// A step is not legal under the map's rule of movement.
    #[error("step {step}: from {from} to {to} is not a legal step")]
    Step {
        /// Number of the step, from 1.
        step: usize,
        /// Where it leaves.
        from: Tile,
        /// Where it arrives.
        to: Tile,
    },
    /// The path begins or ends somewhere else.
    #[error("the path goes from {first} to {last}, not from {start} to {goal}")]
    Ends {
        /// First tile of the path.
        first: Tile,
        /// Last tile of the path.
        last: Tile,
        /// Where it should begin.
        start: Tile,
        /// Where it should end.
        goal: Tile,
    },
    /// The cost that was claimed is not that of the steps.
    #[error("the path costs {found}, not {}", claimed.get())]
    Cost {
        /// Sum over the steps.
        found: u64,
        /// What was claimed.
        claimed: Cost,
    },
}

/// A path reads like the slice of its tiles.
impl std::ops::Deref for Path {
    type Target = [Tile];

    fn deref(&self) -> &[Tile] {
        self.tiles()
    }
}

impl<'a> IntoIterator for &'a Path {
    type Item = &'a Tile;
    type IntoIter = std::slice::Iter<'a, Tile>;

    fn into_iter(self) -> Self::IntoIter {
        self.tiles().iter()
    }
}

impl IntoIterator for Path {
    type Item = Tile;
    type IntoIter = std::vec::IntoIter<Tile>;

    fn into_iter(mut self) -> Self::IntoIter {
        self.memory.truncate(self.len);
        self.memory.into_iter()
    }
}

impl Path {
    /// An empty path to be written into.
    pub fn new() -> Path {
        Path::default()
    }

    /// The path over these tiles. Nothing is checked; see [`Path::check`].
    pub fn from_tiles(tiles: Vec<Tile>) -> Path {
        Path { len: tiles.len(), memory: tiles }
    }

    /// Every tile, start and goal included.
    #[inline]
    pub fn tiles(&self) -> &[Tile] {
        &self.memory[..self.len]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.memory.capacity() * size_of::<Tile>()
    }

    /// Forgets the tiles and keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds one tile at the end.
    #[inline]
    pub fn push(&mut self, tile: Tile) {
        match self.memory.get_mut(self.len) {
            Some(free) => *free = tile,
            None => self.memory.push(tile),
        }
        self.len += 1;
    }

    /// Writes the path in bulk: `write` fills the memory from its beginning and returns how
    /// many tiles the path has, or `None` if there is too little; then room for as many as
    /// `room` says is made, and it writes again.
    #[inline(always)]
    pub(crate) fn write(
        &mut self,
        room: impl FnOnce() -> usize,
        write: impl Fn(&mut [Tile]) -> Option<usize>,
    ) {
        let written = write(&mut self.memory).or_else(|| {
            self.make_room(room());
            write(&mut self.memory)
        });
        self.len = written.unwrap_or(0);
    }

    /// Memory for so many tiles.
    #[cold]
    fn make_room(&mut self, count: usize) {
        if self.memory.len() < count {
            self.memory.resize(count, Tile::default());
        }
    }

    /// Turns the path around.
    pub fn reverse(&mut self) {
        self.memory[..self.len].reverse();
    }

    /// Keeps the first `count` tiles.
    pub fn truncate(&mut self, count: usize) {
        self.len = self.len.min(count);
    }

    /// Walks from the last tile straight on to `to`, which must lie in one of the eight
    /// directions from it; every tile on the way is added.
    #[inline]
    pub fn run_to(&mut self, to: Tile) {
        let Some(&from) = self.tiles().last() else { return self.push(to) };
        let (dx, dy) = (delta(from.x, to.x), delta(from.y, to.y));
        let count = from.x.abs_diff(to.x).max(from.y.abs_diff(to.y));
        let at = |i: u16| {
            let (sx, sy) = (i.wrapping_mul(dx), i.wrapping_mul(dy));
            Tile::new(from.x.wrapping_add(sx), from.y.wrapping_add(sy))
        };
        let end = self.len + usize::from(count);
        if self.memory.len() < end {
            self.make_room(end);
        }
        for (i, free) in self.memory[self.len..end].iter_mut().enumerate() {
            *free = at(i as u16 + 1);
        }
        self.len = end;
    }

    /// Start, goal, and the tiles where the direction changes.
    ///
    /// ```
    /// use tidegate::{Path, Tile};
    /// let mut path = Path::new();
    /// for (x, y) in [(0, 0), (3, 3), (7, 3)] {
    ///     path.run_to(Tile::new(x, y));
    /// }
    /// assert_eq!(path.tiles().len(), 8);
    /// let turns: Vec<Tile> = path.turning_points().collect();
    /// assert_eq!(turns, [Tile::new(0, 0), Tile::new(3, 3), Tile::new(7, 3)]);
    /// ```
    pub fn turning_points(&self) -> impl Iterator<Item = Tile> + '_ {
        let tiles = self.tiles();
        let step = |i: usize| {
            let (a, b) = (tiles[i], tiles[i + 1]);
            (b.x.wrapping_sub(a.x), b.y.wrapping_sub(a.y))
        };
        let last = tiles.len().saturating_sub(1);
        (0..tiles.len())
            .filter(move |&i| i == 0 || i == last || step(i - 1) != step(i))
            .map(|i| tiles[i])
    }

    /// How many straight and diagonal steps it has.
    pub fn length(&self) -> Length {
        let diagonal = |w: &&[Tile]| w[0].x != w[1].x && w[0].y != w[1].y;
        let diagonal = self.tiles().windows(2).filter(diagonal).count() as u32;
        let steps = self.len.saturating_sub(1) as u32;
        Length { straight: steps - diagonal, diagonal }
    }

    /// How many tiles from the start on can be walked around blocked tiles: all of them, if
    /// the path touches none. A path of the grid alone; the start itself may be blocked.
    pub fn clear_of(&self, grid: &Grid, blocked: &Blocked) -> usize {
        let is_legal = |step: &[Tile]| {
            let (dx, dy) = (
                i32::from(step[1].x) - i32::from(step[0].x),
                i32::from(step[1].y) - i32::from(step[0].y),
            );
            match (grid.cell(step[0]), Direction::from_delta(dx, dy)) {
                (Some(cell), Some(direction)) => {
                    blocked.moves(grid, step[0], grid.moves(cell)) & direction.mask() != 0
                }
                _ => false,
            }
        };
        let legal = self.tiles().windows(2).take_while(|step| is_legal(step)).count();
        self.len.min(legal + 1)
    }

    /// Checks every tile and every step against the map's rule of movement and returns
    /// the cost, factors included.
    pub fn check(&self, grid: &Grid) -> Result<u64, PathError> {
        self.check_steps(grid, |from, to, direction| grid.step_cost(from, to, direction))
    }

    /// Like [`Path::check`], with what a layer adds: what the path costs under it.
    ///
    /// # Panics
    /// If the layer is for maps of another size.
    pub fn check_under(&self, grid: &Grid, layer: &CostLayer) -> Result<u64, PathError> {
        assert!(layer.fits(grid), "the layer is for maps of another size");
        let factor = |cell| layer.factor(grid, cell);
        self.check_steps(grid, |from, to, direction| {
            factor(from).step(factor(to), direction.cost())
        })
    }

    fn check_steps(
        &self,
        grid: &Grid,
        step_cost: impl Fn(CellId, CellId, Direction) -> Cost,
    ) -> Result<u64, PathError> {
        let first = *self.tiles().first().ok_or(PathError::Empty)?;
        let mut at = grid.cell(first).filter(|&c| grid.is_free_cell(c));
        let mut sum = 0;
        for (i, pair) in self.tiles().windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let cell = at.ok_or(PathError::Wall { step: i, tile: from })?;
            let next = grid.cell(to).filter(|&c| grid.is_free_cell(c));
            let next = next.ok_or(PathError::Wall { step: i + 1, tile: to })?;
            let (dx, dy) =
                (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
            let direction = Direction::from_delta(dx, dy)
                .filter(|d| grid.moves(cell) & d.mask() != 0)
                .ok_or(PathError::Step { step: i + 1, from, to })?;
            sum += u64::from(step_cost(cell, next, direction));
            at = Some(next);
        }
        at.ok_or(PathError::Wall { step: 0, tile: first })?;
        Ok(sum)
    }

    /// Checks that this is a legal path from `start` to `goal` of exactly this cost.
    pub fn check_answer(
        &self,
        grid: &Grid,
        start: Tile,
        goal: Tile,
        claimed: Cost,
    ) -> Result<(), PathError> {
        let found = self.check(grid)?;
        let (first, last) = (self.tiles()[0], self.tiles()[self.len - 1]);
        if (first, last) != (start, goal) {
            return Err(PathError::Ends { first, last, start, goal });
        }
        if found != u64::from(claimed) {
            return Err(PathError::Cost { found, claimed });
        }
        Ok(())
    }
}

/// −1, 0 or 1 (wrapped) towards `to`.
fn delta(from: u16, to: u16) -> u16 {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => u16::MAX,
    }
}
