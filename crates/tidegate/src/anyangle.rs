//! Shortest walks at any angle: straight lines from corner to corner, not steps from tile to tile.
//!
//! What walks is a point. Free tiles are closed squares: a walk may touch corners and slide along
//! walls, but it enters no wall's inside and does not pass between two walls that touch at a
//! corner. A shortest walk bends only at corners where exactly one of the four tiles is wall, and
//! around that wall ([`straighten`](crate::straighten) pulls the paths of other engines
//! tight by the same rule and is not exact). For units with a body, use the map of their size
//! ([`world`](crate::world)).
//!
//! [`AnyAngle`] needs nothing but the map as bits. What a corner sees is found when a search comes
//! there, by cones that are followed from row to row; all tests are by integers, lengths are sums
//! of square roots in `f64`.
//!
//! ```
//! use tidegate::Grid;
//! use tidegate::anyangle::{AnyAngle, AnyAngleScratch};
//! let grid = Grid::from_rows(&[
//!     "......",
//!     "..##..",
//!     "......",
//! ]).unwrap();
//! let plane = AnyAngle::new(&grid);
//! let walk = plane.find((1, 1), (4, 1), &mut AnyAngleScratch::new()).unwrap();
//! assert_eq!(walk.points().len(), 4); // around two corners
//! assert_eq!(walk.length(), 2.0 + 2.0 * 0.5_f64.sqrt());
//! ```

mod find;
mod labels;
mod live;
mod plane;
mod point;
mod query;
mod scan;

pub use find::AnyAngleScratch;
pub use labels::{AngleLabels, AngleScratch};
pub use live::{LiveAngleLabels, LiveWalk};
pub use point::{PARTS, Point};
pub use query::{WalkError, WalkQuery, WalkSource};

use crate::grid::{Grid, Tile};
use plane::Plane;

/// A map on which shortest walks at any angle are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyAngle {
    plane: Plane,
}

/// A walk of straight lines: where it begins, bends and ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    points: Vec<Point>,
}

impl Walk {
    /// Start, bends and goal; one point if start and goal are the same.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The Euclidean length, in tiles.
    pub fn length(&self) -> f64 {
        self.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }
}

impl AnyAngle {
    /// For this map; its rule of movement does not matter, nor what tiles cost.
    pub fn new(grid: &Grid) -> AnyAngle {
        AnyAngle { plane: Plane::new(grid) }
    }

    /// Takes over tiles of the map that became free or wall.
    pub fn update(&mut self, grid: &Grid, changed: &[Tile]) {
        self.plane.update(grid, changed);
    }

    /// Takes over tiles that are now walls.
    fn close(&mut self, tiles: impl Iterator<Item = Tile>) {
        self.plane.close(tiles);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.plane.bytes()
    }

    /// Whether a walk can begin, bend or end at a point: it lies in a free tile or on its edge.
    pub fn is_free(&self, point: impl Into<Point>) -> bool {
        let Point { x, y } = point.into();
        let (column, row) = (x.div_euclid(PARTS), y.div_euclid(PARTS));
        let columns = [column, column - i32::from(x % PARTS == 0)];
        let rows = [row, row - i32::from(y % PARTS == 0)];
        let is_free = |x: i32, y: i32| self.plane.contains(x, y) && self.plane.is_free(x, y);
        columns.iter().any(|&x| rows.iter().any(|&y| is_free(x, y)))
    }

    /// Whether the straight line between two free points is a walk.
    pub fn sees(&self, from: impl Into<Point>, to: impl Into<Point>) -> bool {
        let (from, to) = (from.into(), to.into());
        self.is_free(from) && self.is_free(to) && scan::sees(&self.plane, from, to)
    }

    /// The shortest walk between two points; `None` if there is none, or an end is not free.
    pub fn find(
        &self,
        start: impl Into<Point>,
        goal: impl Into<Point>,
        scratch: &mut AnyAngleScratch,
    ) -> Option<Walk> {
        let mut walk = Walk::default();
        self.find_into(start, goal, scratch, &mut walk).then_some(walk)
    }

    /// Like [`AnyAngle::find`], into a walk whose memory is used again; false if there is none.
    pub fn find_into(
        &self,
        start: impl Into<Point>,
        goal: impl Into<Point>,
        scratch: &mut AnyAngleScratch,
        walk: &mut Walk,
    ) -> bool {
        let (start, goal) = (start.into(), goal.into());
        walk.points.clear();
        if !self.is_free(start) || !self.is_free(goal) {
            return false;
        }
        let found = find::find(&self.plane, start, goal, scratch, &mut walk.points);
        if !found {
            walk.points.clear();
        }
        found
    }
}
