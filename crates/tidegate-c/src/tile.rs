//! Tiles and costs as C sees them.

use tidegate::Tile;

/// A tile: column and row, counted from the top left one, which is (0, 0).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TidegateTile {
    /// Column.
    pub x: u16,
    /// Row.
    pub y: u16,
}

impl From<TidegateTile> for Tile {
    #[inline]
    fn from(tile: TidegateTile) -> Tile {
        Tile::new(tile.x, tile.y)
    }
}

impl From<Tile> for TidegateTile {
    #[inline]
    fn from(tile: Tile) -> TidegateTile {
        TidegateTile { x: tile.x, y: tile.y }
    }
}

/// What a straight step costs. Costs are exact integers; `cost / (double)TIDEGATE_STRAIGHT` is
/// the length in tiles.
pub const TIDEGATE_STRAIGHT: u32 = 5741;
/// What a diagonal step costs.
pub const TIDEGATE_DIAGONAL: u32 = 8119;
/// The cost of no way.
pub const TIDEGATE_NO_COST: u32 = 0xffff_ffff;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_those_of_the_library() {
        assert_eq!(TIDEGATE_STRAIGHT, tidegate::cost::STRAIGHT.get());
        assert_eq!(TIDEGATE_DIAGONAL, tidegate::cost::DIAGONAL.get());
        assert!(TIDEGATE_NO_COST > tidegate::cost::LIMIT.get());
    }
}
