//! Gates: straight lines of free tiles, and which tiles each of them owns.
//!
//! A gate is given by its line; everything else follows from the lines, in their order.
//! A tile belongs to at most one gate: the first line that runs over it owns it.
//! A diagonal line alone would leak, because a diagonal step can cross it between two
//! of its tiles. So wherever a legal step would cross, one of the two tiles beside the
//! line is added, and the gate becomes a staircase that no step can pass untouched.

use std::fmt;

use super::ZoneId;
use crate::grid::{CellId, Direction, Grid, Tile};

/// The number of a gate: its position in [`Decomposition::gates`](super::Decomposition::gates).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GateId(pub(super) u32);

impl GateId {
    /// The gate with this number.
    pub const fn from_index(index: usize) -> GateId {
        GateId(index as u32)
    }

    /// The id as an index into tables by gate.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for GateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who made a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Source {
    /// A decomposition method.
    #[default]
    Automatic,
    /// A person or a tool, by an edit.
    Manual,
}

/// A straight line of free tiles at 0, 45, 90 or 135 degrees, given by its ends.
/// The ends are kept in row order, so that a line has one form only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GateLine {
    pub(super) a: Tile,
    pub(super) b: Tile,
    source: Source,
}

/// Why a line cannot be a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// An end lies outside the map.
    #[error("the tile {0} is outside the map")]
    Outside(Tile),
    /// The ends are not on one row, column or diagonal.
    #[error("the line from {0} to {1} is neither straight nor diagonal")]
    Slanted(Tile, Tile),
    /// There is a wall on the line.
    #[error("the line runs into the wall at {0}")]
    Wall(Tile),
    /// The line squeezes through between two walls that touch at their corners.
    #[error("the line passes between two walls at {0}")]
    Pinched(Tile),
}

impl GateLine {
    /// The line between two tiles. Whether it fits a map is checked when it is used:
    /// [`GateLine::check`].
    pub fn new(a: Tile, b: Tile, source: Source) -> GateLine {
        let (a, b) = if (a.y, a.x) <= (b.y, b.x) { (a, b) } else { (b, a) };
        GateLine { a, b, source }
    }

    /// The first end in row order.
    pub fn a(&self) -> Tile {
        self.a
    }

    /// The last end in row order.
    pub fn b(&self) -> Tile {
        self.b
    }

    /// Who made it.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The same line as made by `source`.
    pub fn with_source(self, source: Source) -> GateLine {
        GateLine { source, ..self }
    }

    /// How many tiles the line has, the staircase not counted.
    pub fn width(&self) -> u32 {
        u32::from(self.a.x.abs_diff(self.b.x).max(self.a.y.abs_diff(self.b.y))) + 1
    }

    /// The real length of the line in tiles: a diagonal tile counts √2.
    pub fn span(&self) -> f64 {
        let diagonal = self.a.x != self.b.x && self.a.y != self.b.y;
        f64::from(self.width()) * if diagonal { std::f64::consts::SQRT_2 } else { 1.0 }
    }

    /// The tile in the middle.
    pub fn middle(&self) -> Tile {
        self.at(self.width() / 2)
    }

    /// The direction from a to b; east for a single tile.
    pub fn direction(&self) -> Direction {
        let sign = |from: u16, to: u16| (i32::from(to) - i32::from(from)).signum();
        Direction::from_delta(sign(self.a.x, self.b.x), sign(self.a.y, self.b.y))
            .unwrap_or(Direction::E)
    }

    /// The tiles of the line from a to b.
    pub fn tiles(&self) -> impl DoubleEndedIterator<Item = Tile> + Clone + use<> {
        let line = *self;
        (0..self.width()).map(move |i| line.at(i))
    }

    /// Whether the line runs over a tile.
    pub fn contains(&self, tile: Tile) -> bool {
        let (dx, dy) = if self.a == self.b { (0, 0) } else { self.direction().delta() };
        let (x, y) =
            (i32::from(tile.x) - i32::from(self.a.x), i32::from(tile.y) - i32::from(self.a.y));
        let step = x.abs().max(y.abs());
        (x, y) == (dx * step, dy * step) && (step as u32) < self.width()
    }

    fn at(&self, step: u32) -> Tile {
        let (dx, dy) = if self.a == self.b { (0, 0) } else { self.direction().delta() };
        let along = |from: u16, d: i32| (i32::from(from) + d * step as i32) as u16;
        Tile::new(along(self.a.x, dx), along(self.a.y, dy))
    }

    /// Whether the line can be a gate of this map.
    pub fn check(&self, grid: &Grid) -> Result<(), LineError> {
        for end in [self.a, self.b] {
            if !grid.contains(end) {
                return Err(LineError::Outside(end));
            }
        }
        let (dx, dy) = (self.a.x.abs_diff(self.b.x), self.a.y.abs_diff(self.b.y));
        if dx != 0 && dy != 0 && dx != dy {
            return Err(LineError::Slanted(self.a, self.b));
        }
        if let Some(wall) = self.tiles().find(|&t| !grid.is_free(t)) {
            return Err(LineError::Wall(wall));
        }
        if self.direction().is_diagonal() {
            let last = self.width() - 1;
            for tile in self.tiles().take(last as usize) {
                let (p, q) = flanks(tile, self.direction());
                if !grid.is_free_at(p.0, p.1) && !grid.is_free_at(q.0, q.1) {
                    return Err(LineError::Pinched(tile));
                }
            }
        }
        Ok(())
    }
}

/// The coordinates of the two tiles beside a diagonal step, that in the step's row first.
pub(super) fn flanks(tile: Tile, direction: Direction) -> ((i32, i32), (i32, i32)) {
    let (dx, dy) = direction.delta();
    let (x, y) = (i32::from(tile.x), i32::from(tile.y));
    ((x + dx, y), (x, y + dy))
}

/// A gate of a decomposition: its line, its tiles and what it touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    pub(super) id: GateId,
    pub(super) line: GateLine,
    pub(super) tiles: Vec<CellId>,
    /// How many of the tiles make the line and its staircase; offcuts follow.
    pub(super) drawn: usize,
    pub(super) zones: Vec<ZoneId>,
    pub(super) gates: Vec<GateId>,
}

impl Gate {
    /// What a number holds whose gate is gone.
    pub(super) fn gone(id: GateId) -> Gate {
        let (tile, tiles) = (Tile::new(0, 0), Vec::new());
        let line = GateLine::new(tile, tile, Source::Automatic);
        Gate { id, line, tiles, drawn: 0, zones: Vec::new(), gates: Vec::new() }
    }

    /// Its number.
    pub fn id(&self) -> GateId {
        self.id
    }

    /// Its line: ends, middle, width, source.
    pub fn line(&self) -> GateLine {
        self.line
    }

    /// Its first end in row order.
    pub fn a(&self) -> Tile {
        self.line.a
    }

    /// Its last end in row order.
    pub fn b(&self) -> Tile {
        self.line.b
    }

    /// How many tiles its line has.
    pub fn width(&self) -> u32 {
        self.line.width()
    }

    /// Who made it.
    pub fn source(&self) -> Source {
        self.line.source
    }

    /// The tiles it owns: those of the line in order from end a to end b, the staircase
    /// included, then those of offcuts that it cuts off beside itself. Empty only if the
    /// gate is gone.
    pub fn tiles(&self) -> &[CellId] {
        &self.tiles
    }

    /// The zones that a legal step joins to it, sorted: two for an ordinary gate, one
    /// for a line that leads nowhere, more where gates meet, none where it fills its ground.
    pub fn zones(&self) -> &[ZoneId] {
        &self.zones
    }

    /// The other gates that a legal step joins to it, sorted.
    pub fn gates(&self) -> &[GateId] {
        &self.gates
    }

    /// Whether the gate is gone: its number is kept, so that others need not change.
    pub fn is_gone(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Whether different zones lie beside it.
    pub fn separates(&self) -> bool {
        self.zones.len() >= 2
    }
}
