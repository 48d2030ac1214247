//! Where tiles lie in the game's own coordinates.

use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use tidegate::Tile;

/// Where the map lies: the corner at which the tile (0, 0) begins, and the way to the corner of
/// (1, 1). Rows are counted from the top, and Bevy's second axis points up, so that the height of
/// a tile is usually negative.
///
/// ```
/// use bevy_math::Vec2;
/// use bevy_tidegate::TileSpace;
/// use tidegate::Tile;
/// let space = TileSpace::new(Vec2::new(-320.0, 320.0), 16.0);
/// assert_eq!(space.centre(Tile::new(2, 0)), Vec2::new(-280.0, 312.0));
/// assert_eq!(space.tile(Vec2::new(-275.0, 311.0)), Some(Tile::new(2, 0)));
/// assert_eq!(space.tile(Vec2::new(-321.0, 0.0)), None);
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct TileSpace {
    /// The outer corner of the tile (0, 0).
    pub origin: Vec2,
    /// From there to the corner where (1, 1) begins. Neither part may be zero.
    pub tile: Vec2,
}

impl Default for TileSpace {
    /// Tiles of one unit, from (0, 0) to the right and down.
    fn default() -> TileSpace {
        TileSpace::new(Vec2::ZERO, 1.0)
    }
}

impl TileSpace {
    /// Square tiles of this side; the map begins at its upper left corner, `origin`.
    pub fn new(origin: Vec2, side: f32) -> TileSpace {
        TileSpace { origin, tile: Vec2::new(side, -side) }
    }

    /// Square tiles of this side on a map of so many columns and rows, with its middle at (0, 0).
    pub fn centred(width: u32, height: u32, side: f32) -> TileSpace {
        let half = Vec2::new(width as f32, -(height as f32)) * side / 2.0;
        TileSpace::new(-half, side)
    }

    /// The tile at a point; `None` left of or above the map. Right of it or below there are
    /// tiles that the map does not have, which queries refuse by name.
    pub fn tile(&self, point: Vec2) -> Option<Tile> {
        let place = ((point - self.origin) / self.tile).floor();
        let number = |value: f32| {
            // Not a number is in no tile.
            (0.0..=f32::from(u16::MAX)).contains(&value).then_some(value as u16)
        };
        Some(Tile::new(number(place.x)?, number(place.y)?))
    }

    /// The middle of a tile.
    pub fn centre(&self, tile: Tile) -> Vec2 {
        self.corner((tile.x, tile.y)) + self.tile / 2.0
    }

    /// The middle of a unit that is so many tiles wide and stands at this tile, its upper left.
    pub fn centre_of_unit(&self, tile: Tile, size: u8) -> Vec2 {
        self.corner((tile.x, tile.y)) + self.tile * f32::from(size) / 2.0
    }

    /// The corner where the tile in this column and row begins.
    pub fn corner(&self, (x, y): (u16, u16)) -> Vec2 {
        self.origin + self.tile * Vec2::new(f32::from(x), f32::from(y))
    }
}
