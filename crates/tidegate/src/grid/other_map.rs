//! Whether a value that was worked out for a map is put together with that map again.
//!
//! Zones, tables and bit rows are right for the walls and the rule they were made for.
//! Each knows enough of its map to tell when it meets another one, or the same one after
//! an edit, and says so with an [`OtherMap`] instead of answering wrongly.

use super::{CellId, Grid, Movement, Tile};
use crate::rng::Rng;

/// Why a value does not belong to a map: what is different, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OtherMap {
    /// The maps differ in size.
    #[error("it was made for a map of {} x {} tiles, this one has {} x {}", of.0, of.1, map.0, map.1)]
    Size {
        /// Columns and rows of the map it was made for.
        of: (u32, u32),
        /// Columns and rows of the map it was given to.
        map: (u32, u32),
    },
    /// The maps differ in the rule of movement.
    #[error("it was made for the rule {of}, this map has {map}")]
    Movement {
        /// The rule it was made for.
        of: Movement,
        /// The rule of the map it was given to.
        map: Movement,
    },
    /// A tile is free on one map and wall on the other.
    #[error("it was made for other walls: tile {tile} differs; make it again for this map")]
    Wall {
        /// The first such tile in row order.
        tile: Tile,
    },
    /// The walls differ, and only a sum over them is known.
    #[error("it was made for other walls, or the map was edited since: update it or make it again")]
    Walls,
}

/// What tells the state of a map from any other at once: size, rule, and a sum over the
/// free tiles that changes with every tile. It lives in memory only; files have a
/// [`Fingerprint`](super::Fingerprint).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision {
    size: (u32, u32),
    movement: Movement,
    free: u64,
}

impl Revision {
    /// The state of a map now.
    pub fn of(grid: &Grid) -> Revision {
        Revision { size: (grid.width, grid.height), movement: grid.movement, free: grid.sum }
    }

    /// The state after this tile became free or wall.
    #[must_use]
    pub fn after_change(self, cell: CellId) -> Revision {
        Revision { free: self.free ^ share(cell.index()), ..self }
    }

    /// Whether this is the state of the map, walls and all.
    #[inline]
    pub fn check(&self, grid: &Grid) -> Result<(), OtherMap> {
        self.check_form(grid)?;
        if self.free == grid.sum { Ok(()) } else { Err(OtherMap::Walls) }
    }

    /// Whether size and rule are those of the map.
    #[inline]
    pub fn check_form(&self, grid: &Grid) -> Result<(), OtherMap> {
        let map = (grid.width, grid.height);
        if self.size != map {
            Err(OtherMap::Size { of: self.size, map })
        } else if self.movement != grid.movement {
            Err(OtherMap::Movement { of: self.movement, map: grid.movement })
        } else {
            Ok(())
        }
    }
}

/// What a free tile adds to the sum of a map: sums differ wherever tiles do.
#[inline]
pub(super) fn share(index: usize) -> u64 {
    Rng::new(index as u64).bits()
}
