//! Tiles that are blocked for one query.

use tidegate::{Blocked, Tile};

use crate::failure::answer;
use crate::handle::{Handle, TidegateBlocked, exclusive};
use crate::memory::{Out, array};
use crate::status::*;
use crate::tile::TidegateTile;

/// Makes a set of blocked tiles, to be named in a `TidegateQuery`. Tiles may repeat and may lie
/// outside the map.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_blocked_new(
    tiles: *const TidegateTile,
    count: usize,
    blocked: *mut *mut TidegateBlocked,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (tiles, out) =
            unsafe { (array("tiles", tiles, count)?, Out::one("blocked", blocked)?) };
        let set = Blocked::new(tiles.iter().map(|&tile| Tile::from(tile)));
        out.set(TidegateBlocked::insert(set)?);
        Ok(TIDEGATE_OK)
    })
}

/// Blocks a tile, or frees it where `is_blocked` is 0: a unit that takes a step frees one and blocks
/// another. A set that a query uses is busy and stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_blocked_set(
    blocked: *mut TidegateBlocked,
    tile: TidegateTile,
    is_blocked: u32,
) -> TidegateStatus {
    answer(|| {
        let mut set = exclusive(blocked)?;
        if is_blocked != 0 {
            set.insert(tile.into())
        } else {
            set.remove(tile.into())
        };
        Ok(TIDEGATE_OK)
    })
}

/// Frees a set of blocked tiles. Null is no error; one that a query uses is busy and stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_blocked_free(blocked: *mut TidegateBlocked) -> TidegateStatus {
    answer(|| TidegateBlocked::free(blocked))
}
