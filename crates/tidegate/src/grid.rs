//! The map to search: which tiles are free, which steps are legal, what they cost.
//!
//! A [`Grid`] is complete when it exists: the legal steps of every tile are worked out
//! once, as one byte per tile, and every search, flood fill and check reads that byte.
//! Everything outside the map is wall.

#[cfg(feature = "png")]
pub mod any_file;
pub mod blocked;
pub mod component;
pub mod cost_layer;
mod flood;
#[cfg(feature = "png")]
pub mod image_file;
pub mod map_file;
mod other_map;
pub mod scen_file;
pub(crate) mod turns;

use std::fmt;

use fixedbitset::FixedBitSet;

use crate::cost::{self, Cost, DIAGONAL, Factor, STRAIGHT};
pub use blocked::Blocked;
pub use cost_layer::{Area, CostLayer, OtherSize};
pub(crate) use cost_layer::{is_within, tiles_of_disc};
pub(crate) use flood::flood;
pub use map_file::TileMap;
pub use other_map::{OtherMap, Revision};

/// The longest side of a map.
pub const MAX_SIDE: u32 = 65_535;
/// The most tiles of a map (2^28): what 32-bit ids and today's memory hold with ease.
pub const MAX_TILES: u64 = 1 << 28;

/// A place on the map; (0, 0) is the top left tile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tile {
    /// Column, counted from the left.
    pub x: u16,
    /// Row, counted from the top.
    pub y: u16,
}

impl Tile {
    /// The tile in column `x` and row `y`.
    pub const fn new(x: u16, y: u16) -> Tile {
        Tile { x, y }
    }

    /// The octile cost to `other` on an empty map.
    #[inline]
    pub fn octile(self, other: Tile) -> Cost {
        cost::octile(self.x.abs_diff(other.x).into(), self.y.abs_diff(other.y).into())
    }
}

impl From<(u16, u16)> for Tile {
    fn from((x, y): (u16, u16)) -> Tile {
        Tile { x, y }
    }
}

impl From<[u16; 2]> for Tile {
    fn from([x, y]: [u16; 2]) -> Tile {
        Tile { x, y }
    }
}

impl From<Tile> for (u16, u16) {
    fn from(tile: Tile) -> (u16, u16) {
        (tile.x, tile.y)
    }
}

/// Why a text is no tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no tile: write a column and a row from 0 to 65535, such as 12,34")]
pub struct TileError(String);

/// `12,34`, as [`Tile`] is displayed; blanks around the numbers do not matter.
///
/// ```
/// use tidegate::Tile;
/// assert_eq!("12, 34".parse(), Ok(Tile::new(12, 34)));
/// assert!("12".parse::<Tile>().is_err());
/// ```
impl std::str::FromStr for Tile {
    type Err = TileError;

    fn from_str(text: &str) -> Result<Tile, TileError> {
        let number = |part: &str| part.trim().parse().ok();
        let tile = text.split_once(',').and_then(|(x, y)| Some(Tile::new(number(x)?, number(y)?)));
        tile.ok_or_else(|| TileError(text.chars().take(40).collect()))
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The number of a tile in row order, the index of every per-tile table. Only a
/// [`Grid`] makes them from tiles, so an id is inside the map it came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(u32);

impl CellId {
    /// The id with this number.
    #[inline]
    pub const fn from_index(index: usize) -> CellId {
        CellId(index as u32)
    }

    /// The id as an index into per-tile tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Which steps are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Movement {
    /// Eight neighbours; a diagonal step needs both tiles beside it free. The rule of
    /// the Moving AI benchmarks.
    #[default]
    NoCornerCutting,
    /// Eight neighbours; a diagonal step needs at least one of the tiles beside it
    /// free. The rule of the HPA* and MAAT papers.
    OneSideFree,
    /// Four neighbours.
    FourConnected,
}

impl Movement {
    /// All rules, in the order of their numbers in files.
    pub const ALL: [Movement; 3] =
        [Movement::NoCornerCutting, Movement::OneSideFree, Movement::FourConnected];

    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Movement::NoCornerCutting => "no-corner-cutting",
            Movement::OneSideFree => "one-side-free",
            Movement::FourConnected => "four-connected",
        }
    }

    /// The rule of this name.
    pub fn from_name(name: &str) -> Option<Movement> {
        Movement::ALL.into_iter().find(|m| m.name() == name)
    }

    /// The cost between two tiles on an empty map under this rule.
    #[inline]
    pub fn estimate(self, a: Tile, b: Tile) -> Cost {
        let (dx, dy) = (a.x.abs_diff(b.x).into(), a.y.abs_diff(b.y).into());
        match self {
            Movement::FourConnected => cost::manhattan(dx, dy),
            _ => cost::octile(dx, dy),
        }
    }
}

impl fmt::Display for Movement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One of the eight directions. The four straight ones come first; a direction and its
/// opposite are two apart within their four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// East.
    E,
    /// South.
    S,
    /// West.
    W,
    /// North.
    N,
    /// South-east.
    SE,
    /// South-west.
    SW,
    /// North-west.
    NW,
    /// North-east.
    NE,
}

impl Direction {
    /// All eight, in the order of their bits in a move mask.
    pub const ALL: [Direction; 8] = {
        use Direction::*;
        [E, S, W, N, SE, SW, NW, NE]
    };

    /// The direction with this bit number (taken modulo 8).
    #[inline]
    pub const fn from_bit(bit: u32) -> Direction {
        Direction::ALL[(bit & 7) as usize]
    }

    /// This direction's bit in a move mask.
    #[inline]
    pub const fn mask(self) -> u8 {
        1 << self as u8
    }

    /// Column and row change of one step.
    #[inline]
    pub const fn delta(self) -> (i32, i32) {
        const DX: [i32; 8] = [1, 0, -1, 0, 1, -1, -1, 1];
        const DY: [i32; 8] = [0, 1, 0, -1, 1, 1, -1, -1];
        (DX[self as usize], DY[self as usize])
    }

    /// The direction of a step by (dx, dy), each −1, 0 or 1 and not both 0.
    pub fn from_delta(dx: i32, dy: i32) -> Option<Direction> {
        let is_step = dx.abs() <= 1 && dy.abs() <= 1 && (dx, dy) != (0, 0);
        is_step.then(|| Direction::of(dx, dy))
    }

    /// The direction of a step by (dx, dy).
    #[inline]
    pub(crate) const fn of(dx: i32, dy: i32) -> Direction {
        use Direction::*;
        const BY_DELTA: [Direction; 16] = [NW, N, NE, E, W, E, E, E, SW, S, SE, E, E, E, E, E];
        BY_DELTA[((dy + 1) << 2 | (dx + 1)) as usize & 15]
    }

    /// Whether a step changes both row and column.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The way back.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize & 4) | ((self as usize + 2) & 3)]
    }

    /// This direction turned clockwise by so many eighths of a full turn.
    #[inline]
    pub(crate) const fn turned(self, eighths: i32) -> Direction {
        let (quarter, diagonal) = (self as i32 & 3, self as i32 >> 2);
        let turned = (2 * quarter + diagonal + eighths).rem_euclid(8);
        Direction::from_bit((turned >> 1 | (turned & 1) << 2) as u32)
    }

    /// What a step costs on ordinary ground.
    #[inline]
    pub const fn cost(self) -> Cost {
        if self.is_diagonal() { DIAGONAL } else { STRAIGHT }
    }
}

/// What identifies a map: its size, walls, movement rule and cost factors, as a hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

/// Why a grid cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A side is zero or too long, or there are too many tiles.
    #[error(
        "a map of {width} x {height} tiles is not supported: sides from 1 to {MAX_SIDE}, at most {MAX_TILES} tiles"
    )]
    Size {
        /// Columns asked for.
        width: u64,
        /// Rows asked for.
        height: u64,
    },
}

/// Checks a map's size before anything is allocated for it.
pub fn check_size(width: u64, height: u64) -> Result<(u32, u32), GridError> {
    let side = 1..=u64::from(MAX_SIDE);
    if side.contains(&width) && side.contains(&height) && width * height <= MAX_TILES {
        Ok((width as u32, height as u32))
    } else {
        Err(GridError::Size { width, height })
    }
}

/// A map ready to be searched. See the [module](self) for what it keeps.
///
/// ```
/// use tidegate::{Grid, Movement, Tile};
/// let grid = Grid::from_rows(&["..#.", "....", "#..."]).unwrap();
/// assert!(grid.is_free(Tile::new(0, 0)));
/// assert!(!grid.is_free(Tile::new(2, 0)));
/// // The diagonal step past the wall at (2, 0) would cut its corner:
/// assert!(!grid.is_legal_step(Tile::new(1, 0), Tile::new(2, 1)));
/// let loose = grid.with_movement(Movement::OneSideFree);
/// assert!(loose.is_legal_step(Tile::new(1, 0), Tile::new(2, 1)));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Grid {
    width: u32,
    height: u32,
    /// 2^60 / width, rounded up: turns the division in `tile` into a multiplication.
    reciprocal: u64,
    movement: Movement,
    free: FixedBitSet,
    free_tiles: usize,
    moves: Vec<u8>,
    factors: Option<Vec<Factor>>,
    /// How many tiles have a factor other than one.
    uneven: usize,
    /// Over the free tiles, for [`Revision`].
    sum: u64,
}

impl Grid {
    /// A grid of the given size; `free` says of each tile (x, y) whether it can be entered.
    pub fn from_fn(
        width: u32,
        height: u32,
        movement: Movement,
        mut free: impl FnMut(u32, u32) -> bool,
    ) -> Result<Grid, GridError> {
        check_size(width.into(), height.into())?;
        let tiles = width as usize * height as usize;
        let mut bits = FixedBitSet::with_capacity(tiles);
        for y in 0..height {
            for x in 0..width {
                bits.set((y * width + x) as usize, free(x, y));
            }
        }
        let mut grid = Grid {
            width,
            height,
            reciprocal: (1 << 60) / u64::from(width) + 1,
            movement,
            free_tiles: bits.count_ones(..),
            free: bits,
            moves: vec![0; tiles],
            factors: None,
            uneven: 0,
            sum: 0,
        };
        grid.sum = grid.free.ones().fold(0, |sum, tile| sum ^ other_map::share(tile));
        grid.refresh_moves(0, 0, width, height);
        Ok(grid)
    }

    /// A grid drawn in text, one string per row: `.`, `G` and `S` are free, all else is wall.
    pub fn from_rows<S: AsRef<str>>(rows: &[S]) -> Result<Grid, GridError> {
        let width = rows.first().map_or(0, |r| r.as_ref().len()) as u32;
        let free = |x: u32, y: u32| {
            let letter = rows[y as usize].as_ref().as_bytes().get(x as usize);
            letter.is_some_and(|&l| map_file::is_free_letter(l))
        };
        Grid::from_fn(width, rows.len() as u32, Movement::default(), free)
    }

    /// The same tiles under another rule of movement.
    pub fn with_movement(mut self, movement: Movement) -> Grid {
        if self.movement != movement {
            self.movement = movement;
            self.refresh_moves(0, 0, self.width, self.height);
        }
        self
    }

    /// The same map with a cost factor for every tile, in row order. Factors that are
    /// all one are dropped: the ground is then uniform.
    ///
    /// # Panics
    /// If there is not exactly one factor per tile.
    pub fn with_factors(mut self, factors: Vec<Factor>) -> Grid {
        assert_eq!(factors.len(), self.tiles(), "one factor per tile");
        self.uneven = factors.iter().filter(|&&f| f != Factor::ONE).count();
        self.factors = (self.uneven > 0).then_some(factors);
        self
    }

    /// The cost factor of a tile; one outside the map.
    pub fn factor(&self, tile: Tile) -> Factor {
        let factor = |cell: CellId| self.factors.as_ref().map(|factors| factors[cell.index()]);
        self.cell(tile).and_then(factor).unwrap_or(Factor::ONE)
    }

    /// Gives a tile another cost factor. With the last factor other than one the ground
    /// is uniform again. Returns whether anything changed.
    pub fn set_factor(&mut self, tile: Tile, factor: Factor) -> bool {
        let old = self.factor(tile);
        let Some(cell) = self.cell(tile).filter(|_| old != factor) else { return false };
        let tiles = self.tiles();
        let factors = self.factors.get_or_insert_with(|| vec![Factor::ONE; tiles]);
        factors[cell.index()] = factor;
        self.uneven += usize::from(factor != Factor::ONE);
        self.uneven -= usize::from(old != Factor::ONE);
        if self.uneven == 0 {
            self.factors = None;
        }
        true
    }

    /// Columns.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Number of tiles, walls included.
    #[inline]
    pub fn tiles(&self) -> usize {
        self.moves.len()
    }

    /// Number of free tiles.
    #[inline]
    pub fn free_tiles(&self) -> usize {
        self.free_tiles
    }

    /// The rule of movement.
    #[inline]
    pub fn movement(&self) -> Movement {
        self.movement
    }

    /// The cost factors in row order, unless the ground is uniform.
    #[inline]
    pub fn factors(&self) -> Option<&[Factor]> {
        self.factors.as_deref()
    }

    /// One bit per tile in row order, set where the tile is free.
    #[inline]
    pub fn free_bits(&self) -> &FixedBitSet {
        &self.free
    }

    /// Whether the tile lies inside the map.
    #[inline]
    pub fn contains(&self, tile: Tile) -> bool {
        u32::from(tile.x) < self.width && u32::from(tile.y) < self.height
    }

    /// The number of a tile; `None` outside the map.
    #[inline]
    pub fn cell(&self, tile: Tile) -> Option<CellId> {
        self.contains(tile).then_some(CellId(u32::from(tile.y) * self.width + u32::from(tile.x)))
    }

    /// The tile with this number.
    #[inline]
    pub fn tile(&self, cell: CellId) -> Tile {
        // Exact because ids lie below 2^28 and widths below 2^16.
        let y = ((u128::from(cell.0) * u128::from(self.reciprocal)) >> 60) as u32;
        Tile { x: (cell.0 - y * self.width) as u16, y: y as u16 }
    }

    /// Whether the tile is inside the map and free.
    #[inline]
    pub fn is_free(&self, tile: Tile) -> bool {
        self.is_free_at(tile.x.into(), tile.y.into())
    }

    /// Whether the tile of this number is free.
    #[inline]
    pub fn is_free_cell(&self, cell: CellId) -> bool {
        self.free.contains(cell.index())
    }

    /// Whether there is a free tile at these coordinates; outside the map is wall.
    #[inline]
    pub fn is_free_at(&self, x: i32, y: i32) -> bool {
        // A negative number becomes one that is larger than every side.
        (x as u32) < self.width
            && (y as u32) < self.height
            && self.free.contains((y as u32 * self.width + x as u32) as usize)
    }

    /// All free cells in row order.
    pub fn free_cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.free.ones().map(CellId::from_index)
    }

    /// The legal steps from a tile: bit `d` is set where [`Direction::from_bit`]`(d)` may
    /// be taken. Zero on walls.
    #[inline]
    pub fn moves(&self, cell: CellId) -> u8 {
        self.moves[cell.index()]
    }

    /// The legal steps from every tile, in row order.
    #[inline]
    pub(crate) fn all_moves(&self) -> &[u8] {
        &self.moves
    }

    /// The cell one step away. The step must be legal (or at least stay on the map).
    #[inline]
    pub fn step(&self, cell: CellId, direction: Direction) -> CellId {
        let (dx, dy) = direction.delta();
        CellId((cell.0 as i32 + dy * self.width as i32 + dx) as u32)
    }

    /// The cells that one legal step reaches, with the step's direction.
    #[inline]
    pub fn neighbours(&self, cell: CellId) -> impl Iterator<Item = (CellId, Direction)> + '_ {
        Bits(self.moves(cell)).map(move |bit| {
            let direction = Direction::from_bit(bit);
            (self.step(cell, direction), direction)
        })
    }

    /// What a legal step costs here, cost factors included.
    #[inline]
    pub fn step_cost(&self, from: CellId, to: CellId, direction: Direction) -> Cost {
        match &self.factors {
            None => direction.cost(),
            Some(f) => f[from.index()].step(f[to.index()], direction.cost()),
        }
    }

    /// Whether one legal step leads from `a` to `b`.
    pub fn is_legal_step(&self, a: Tile, b: Tile) -> bool {
        let (dx, dy) = (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
        match (self.cell(a), Direction::from_delta(dx, dy)) {
            (Some(cell), Some(direction)) => self.moves(cell) & direction.mask() != 0,
            _ => false,
        }
    }

    /// Makes a tile free or wall. The legal steps around it follow at once.
    /// Returns whether anything changed.
    pub fn set_free(&mut self, tile: Tile, free: bool) -> bool {
        let Some(cell) = self.cell(tile) else { return false };
        if self.free.contains(cell.index()) == free {
            return false;
        }
        self.free.set(cell.index(), free);
        self.free_tiles = if free { self.free_tiles + 1 } else { self.free_tiles - 1 };
        self.sum ^= other_map::share(cell.index());
        let (x, y) = (u32::from(tile.x), u32::from(tile.y));
        self.refresh_moves(
            x.saturating_sub(1),
            y.saturating_sub(1),
            (x + 2).min(self.width),
            (y + 2).min(self.height),
        );
        true
    }

    /// What identifies this map: size, walls, rule and factors.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = blake3::Hasher::new();
        hash.update(b"tidegate grid 1");
        hash.update(&self.width.to_le_bytes());
        hash.update(&self.height.to_le_bytes());
        hash.update(&[self.movement as u8]);
        let mut row = vec![0u8; self.width as usize];
        for y in 0..self.height as usize {
            let first = y * self.width as usize;
            for (x, byte) in row.iter_mut().enumerate() {
                *byte = self.free.contains(first + x).into();
            }
            hash.update(&row);
        }
        for factor in self.factors.iter().flatten() {
            hash.update(&factor.hundredths().to_le_bytes());
        }
        Fingerprint(*hash.finalize().as_bytes())
    }

    /// Works out the legal steps of the tiles with x0 <= x < x1, y0 <= y < y1.
    fn refresh_moves(&mut self, x0: u32, y0: u32, x1: u32, y1: u32) {
        let legal = &MOVES[self.movement as usize];
        let mut moves = std::mem::take(&mut self.moves);
        for y in y0..y1 {
            let free = |x: i32, dy| usize::from(self.is_free_at(x, y as i32 + dy));
            // Three tiles of a column as bits; three columns make a window.
            let column = |x: i32| free(x, -1) << 2 | free(x, 0) << 1 | free(x, 1);
            let mut window = column(x0 as i32 - 1) << 3 | column(x0 as i32);
            for x in x0..x1 {
                window = window << 3 & 0x1ff | column(x as i32 + 1);
                moves[(y * self.width + x) as usize] = legal[window];
            }
        }
        self.moves = moves;
    }
}

/// By rule, and by the free tiles of a window of three by three: the legal steps from its
/// middle. The bits run down the columns, the one at the upper left is the highest.
static MOVES: [[u8; 512]; 3] = {
    let mut moves = [[0; 512]; 3];
    let mut window = 0;
    while window < 512 {
        let mut free = 0;
        let mut bit = 0;
        while bit < 8 {
            let (dx, dy) = Direction::from_bit(bit).delta();
            let place = 4 - 3 * dx - dy;
            free |= ((window >> place & 1) as u8) << bit;
            bit += 1;
        }
        let mut rule = 0;
        while rule < 3 && window >> 4 & 1 == 1 {
            moves[rule][window] = movable(free, Movement::ALL[rule]);
            rule += 1;
        }
        window += 1;
    }
    moves
};

/// The legal steps from a free tile whose free neighbours are the bits of `free`.
pub(crate) const fn movable(free: u8, movement: Movement) -> u8 {
    let straight = free & 0x0f;
    // Bit i of `next` tells of the straight direction clockwise after i; the diagonal
    // i + 4 lies between straight i and its successor.
    let next = ((straight >> 1) | (straight << 3)) & 0x0f;
    let sides = match movement {
        Movement::NoCornerCutting => straight & next,
        Movement::OneSideFree => straight | next,
        Movement::FourConnected => 0,
    };
    straight | (free & (sides << 4))
}

/// The numbers of the set bits of a byte, lowest first.
#[derive(Clone)]
pub(crate) struct Bits(pub(crate) u8);

impl Iterator for Bits {
    type Item = u32;
    #[inline]
    fn next(&mut self) -> Option<u32> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros();
            self.0 &= self.0 - 1;
            bit
        })
    }
}

impl fmt::Debug for Grid {
    /// Draws the map: `.` free, `@` wall; large maps are only named.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Grid {} x {}, {}", self.width, self.height, self.movement)?;
        if self.width > 200 || self.height > 200 {
            return write!(f, "({} free tiles, too large to draw)", self.free_tiles());
        }
        for y in 0..self.height as i32 {
            let letter = |x| if self.is_free_at(x, y) { '.' } else { '@' };
            writeln!(f, "{}", (0..self.width as i32).map(letter).collect::<String>())?;
        }
        Ok(())
    }
}
