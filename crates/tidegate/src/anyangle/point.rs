//! Points of the plane, by integers.

use crate::grid::Tile;

/// Parts of a tile's side: coordinates are counted in these.
pub const PARTS: i32 = 256;

/// A point of the map, in 256ths of a tile from its upper left corner: the centre of tile
/// (0, 0) is (128, 128).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Downwards.
    pub y: i32,
}

impl Point {
    /// The point that lies so many 256ths of a tile from the upper left corner of the map.
    pub const fn new(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    /// The point nearest to these coordinates in tiles; `None` if they are no numbers or lie
    /// far outside every map.
    pub fn from_tiles(x: f64, y: f64) -> Option<Point> {
        let part = |value: f64| {
            let parts = (value * f64::from(PARTS)).round();
            (parts.abs() < f64::from(1 << 25)).then_some(parts as i32)
        };
        Some(Point { x: part(x)?, y: part(y)? })
    }

    /// The corner of tiles with this column and row: that of tile (0, 0) is (0, 0).
    pub(super) const fn corner(x: i32, y: i32) -> Point {
        Point { x: x * PARTS, y: y * PARTS }
    }

    /// The coordinates in tiles.
    pub fn in_tiles(self) -> (f64, f64) {
        (f64::from(self.x) / f64::from(PARTS), f64::from(self.y) / f64::from(PARTS))
    }

    /// The tile whose centre it is.
    pub fn as_centre(self) -> Option<Tile> {
        let tile = |at: i32| {
            let is_centre = at.rem_euclid(PARTS) == PARTS / 2;
            is_centre.then(|| u16::try_from(at.div_euclid(PARTS)).ok()).flatten()
        };
        Some(Tile::new(tile(self.x)?, tile(self.y)?))
    }

    /// How far it is to another point as the crow flies, in tiles.
    pub fn distance(self, to: Point) -> f64 {
        // Squares on maps are below 2^49, so that only the root is rounded.
        let (dx, dy) = (f64::from(to.x - self.x), f64::from(to.y - self.y));
        (dx * dx + dy * dy).sqrt() / f64::from(PARTS)
    }

    /// The way to another point.
    pub(super) fn to(self, to: Point) -> Way {
        Way { x: i64::from(to.x - self.x), y: i64::from(to.y - self.y) }
    }
}

/// In tiles: the centre of tile (0, 0) is (0.5, 0.5).
impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (x, y) = self.in_tiles();
        write!(f, "({x}, {y})")
    }
}

/// The centre of a tile.
impl From<Tile> for Point {
    fn from(tile: Tile) -> Point {
        let centre = |at: u16| i32::from(at) * PARTS + PARTS / 2;
        Point { x: centre(tile.x), y: centre(tile.y) }
    }
}

/// The centre of a tile.
impl From<(u16, u16)> for Point {
    fn from((x, y): (u16, u16)) -> Point {
        Tile::new(x, y).into()
    }
}

/// A direction, of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Way {
    /// Above 0 if `other` lies clockwise of this, as y goes down.
    pub(super) fn cross(self, other: Way) -> i64 {
        self.x * other.y - self.y * other.x
    }
}
