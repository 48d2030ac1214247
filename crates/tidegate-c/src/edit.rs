//! Changing the map of an index, and what follows from it.

use tidegate::Tile;
use tidegate::cost::Factor;
use tidegate::index::{Change, PathState, TableKind, TableState};

use crate::failure::{Failure, answer};
use crate::handle::{TidegateIndex, TidegateScratch, exclusive, shared};
use crate::memory::{Out, array};
use crate::scratch::Memory;
use crate::status::*;
use crate::tile::TidegateTile;

/// The tile becomes a wall.
pub const TIDEGATE_CHANGE_WALL: u16 = 0;
/// The tile can be entered.
pub const TIDEGATE_CHANGE_FREE: u16 = 1;
/// The tile gets the cost factor of the change.
pub const TIDEGATE_CHANGE_FACTOR: u16 = 2;

/// One tile as it is to be.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateChange {
    /// Which tile.
    pub tile: TidegateTile,
    /// What becomes of it: `TIDEGATE_CHANGE_WALL` or another.
    pub kind: u16,
    /// For `TIDEGATE_CHANGE_FACTOR` the cost factor in hundredths, from 100; else it does not
    /// matter.
    pub factor: u16,
}

fn change((n, change): (usize, &TidegateChange)) -> Result<Change, Failure> {
    let tile = Tile::from(change.tile);
    match change.kind {
        TIDEGATE_CHANGE_WALL => Ok(Change::Wall(tile)),
        TIDEGATE_CHANGE_FREE => Ok(Change::Free(tile)),
        TIDEGATE_CHANGE_FACTOR => match Factor::from_hundredths(change.factor) {
            Some(factor) => Ok(Change::Factor(tile, factor)),
            None => {
                let factor = change.factor;
                Err(Failure::argument(format!("change {n}: factor {factor} is below 100")))
            }
        },
        kind => Err(Failure::argument(format!("change {n}: there is no kind {kind}"))),
    }
}

/// Changes the map, one tile or thousands; where a tile stands more than once, the last counts.
/// Every optimal engine then answers exactly on the new map. An index that a query uses is busy
/// and stays as it is. `revision` may be null; else it gets the number of edits until now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_edit(
    index: *mut TidegateIndex,
    changes: *const TidegateChange,
    count: usize,
    revision: *mut u64,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (changes, out) =
            unsafe { (array("changes", changes, count)?, Out::optional("revision", revision)?) };
        let changes: Vec<Change> =
            changes.iter().enumerate().map(change).collect::<Result<_, _>>()?;
        let report = exclusive(index)?.edit(changes)?;
        out.set(report.revision);
        Ok(TIDEGATE_OK)
    })
}

/// Tells how many tables would be faster if they were built again after edits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_want_rebuild(
    index: *const TidegateIndex,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("count", count) }?;
        out.set(shared(index)?.want_rebuild().len());
        Ok(TIDEGATE_OK)
    })
}

/// Builds every table again that would be faster for it. In a game this is done on a clone, by
/// another thread, and then `tidegate_adopt` takes the tables over.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_rebuild(index: *mut TidegateIndex) -> TidegateStatus {
    answer(|| {
        exclusive(index)?.rebuild()?;
        Ok(TIDEGATE_OK)
    })
}

/// Takes tables of another index, such as a clone on which another thread has built them: those that
/// this index has not, or that it would be faster with. What was edited here since is carried over
/// to them; a table that cannot follow is left where it is. `count` may be null; else it gets how
/// many were taken. If none of those that are wanted can be, because they cannot follow or belong to
/// another map, the answer is `TIDEGATE_MISMATCH`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_adopt(
    index: *mut TidegateIndex,
    from: *const TidegateIndex,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::optional("count", count) }?;
        let from = shared(from).map_err(|failure| failure.at("from"))?;
        let mut index = exclusive(index)?;
        let is_wanted =
            |kind: &&TableKind| index.table_state(kind).is_none_or(TableState::wants_rebuild);
        let wanted: Vec<_> = from.tables().filter(is_wanted).collect();
        let (mut taken, mut refused) = (0, None);
        for built in wanted.into_iter().filter_map(|kind| from.built(kind)) {
            match index.adopt(built) {
                Ok(_) => taken += 1,
                Err(error) => refused = Some(error),
            }
        }
        if let Some(error) = refused.filter(|_| taken == 0) {
            return Err(error.into());
        }
        out.set(taken);
        Ok(TIDEGATE_OK)
    })
}

/// The path is still a shortest, if it was one.
pub const TIDEGATE_PATH_SHORTEST: u32 = 0;
/// The path can be walked; another may be shorter by now.
pub const TIDEGATE_PATH_LEGAL: u32 = 1;
/// The path cannot be walked.
pub const TIDEGATE_PATH_BROKEN: u32 = 2;

/// Tells how a path that was found at an earlier revision stands to the map as it is now: `state`
/// gets one of `TIDEGATE_PATH_...`. It never searches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_path_state(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    tiles: *const TidegateTile,
    count: usize,
    found_at: u64,
    state: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (tiles, out) = unsafe { (array("tiles", tiles, count)?, Out::one("state", state)?) };
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let memory = Memory::of(&mut held);
        let path = &mut memory.other_path;
        path.clear();
        tiles.iter().for_each(|&tile| path.push(tile.into()));
        out.set(match index.path_state(path, found_at) {
            PathState::Shortest => TIDEGATE_PATH_SHORTEST,
            PathState::Broken(_) => TIDEGATE_PATH_BROKEN,
            _ => TIDEGATE_PATH_LEGAL,
        });
        Ok(TIDEGATE_OK)
    })
}
