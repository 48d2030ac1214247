//! The memory of queries, and the last path in it.

use std::sync::{Mutex, PoisonError};

use tidegate::anyangle::Walk;
use tidegate::straighten::{Sight, Waypoints};
use tidegate::{Path, Scratch, Tile};

use crate::failure::{Failure, Outcome, answer};
use crate::handle::{Handle, TidegateBlocked, TidegateIndex, TidegateScratch, exclusive, shared};
use crate::many::Kept;
use crate::memory::Out;
use crate::status::*;
use crate::tile::TidegateTile;

/// What a scratch holds.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) scratch: Scratch,
    /// The path that the last query found.
    pub(crate) path: Path,
    /// A path of the caller's.
    pub(crate) other_path: Path,
    /// Tiles of the caller's as the library wants them.
    pub(crate) tiles: Vec<Tile>,
    /// The paths that the last `tidegate_paths` found.
    pub(crate) many: Kept,
    /// The last path that was straightened.
    waypoints: Waypoints,
    /// The walk that the last `tidegate_walk` found.
    pub(crate) walk: Walk,
}

impl Memory {
    /// What a scratch holds, for the one call that has it. The table is shared by threads and
    /// the memory of engines cannot be: the lock says that nobody shares it, and is never taken.
    pub(crate) fn of(held: &mut Mutex<Memory>) -> &mut Memory {
        held.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn bytes(&self) -> usize {
        let paths = self.path.bytes() + self.other_path.bytes();
        let tiles = self.tiles.capacity() * size_of::<Tile>();
        self.scratch.bytes() + paths + tiles + size_of_val(self.walk.points())
    }

    /// The tiles of one or two arrays of the caller, in memory that is kept.
    pub(crate) fn take_tiles(&mut self, first: &[TidegateTile], then: &[TidegateTile]) -> &[Tile] {
        self.tiles.clear();
        self.tiles.extend(first.iter().chain(then).map(|&tile| Tile::from(tile)));
        &self.tiles
    }
}

/// Where tiles of a path are to go, and how many there are.
pub(crate) struct TilesOut<'a> {
    tiles: Out<'a, TidegateTile>,
    length: Out<'a, usize>,
}

impl TilesOut<'_> {
    /// # Safety
    /// As for [`Out::array`].
    pub(crate) unsafe fn new(
        tiles: *mut TidegateTile,
        capacity: usize,
        length: *mut usize,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        let length = unsafe { Out::one("length", length) }?;
        // SAFETY: the caller's promise.
        let tiles = unsafe { Out::array("tiles", tiles, capacity) }?;
        Ok(TilesOut { tiles, length })
    }

    pub(crate) fn write(&self, found: &[Tile]) -> Result<(), Failure> {
        self.length.set(found.len());
        self.tiles.fill_if_wanted("tiles", found.iter().map(|&tile| tile.into()))
    }
}

/// Makes a scratch. It grows with the queries that it serves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_scratch_new(
    scratch: *mut *mut TidegateScratch,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("scratch", scratch) }?;
        out.set(TidegateScratch::insert(Mutex::default())?);
        Ok(TIDEGATE_OK)
    })
}

/// Frees a scratch. Null is no error; one that another thread uses is busy and stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_scratch_free(scratch: *mut TidegateScratch) -> TidegateStatus {
    answer(|| TidegateScratch::free(scratch))
}

/// How many bytes a scratch holds, those of `tidegate_paths` not counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_scratch_bytes(
    scratch: *mut TidegateScratch,
    bytes: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("bytes", bytes) }?;
        let mut held = exclusive(scratch)?;
        let memory = Memory::of(&mut held);
        out.set(memory.bytes());
        Ok(TIDEGATE_OK)
    })
}

/// Copies the path that the last query with this scratch found: for who learned by
/// `TIDEGATE_TOO_SMALL` how much room it needs. `length` gets the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_last_path(
    scratch: *mut TidegateScratch,
    tiles: *mut TidegateTile,
    capacity: usize,
    length: *mut usize,
) -> TidegateStatus {
    answer(|| -> Outcome {
        // SAFETY: the caller's promise.
        let out = unsafe { TilesOut::new(tiles, capacity, length) }?;
        let mut held = exclusive(scratch)?;
        out.write(Memory::of(&mut held).path.tiles())?;
        Ok(TIDEGATE_OK)
    })
}

/// Copies the turning points of the path that the last query with this scratch found: its
/// first tile, those where it changes direction, its last. Between them it runs straight.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_last_turning_points(
    scratch: *mut TidegateScratch,
    tiles: *mut TidegateTile,
    capacity: usize,
    length: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { TilesOut::new(tiles, capacity, length) }?;
        let mut held = exclusive(scratch)?;
        let Memory { path, tiles, .. } = Memory::of(&mut held);
        tiles.clear();
        tiles.extend(path.turning_points());
        out.write(tiles)?;
        Ok(TIDEGATE_OK)
    })
}

/// Straightens the path that the last query with this scratch found: writes tiles of it, in order,
/// between which a unit can walk in a straight line at any angle. `blocked` may be null. A path that
/// cannot be walked on this map is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_last_straightened(
    scratch: *mut TidegateScratch,
    index: *const TidegateIndex,
    blocked: *const TidegateBlocked,
    tiles: *mut TidegateTile,
    capacity: usize,
    length: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { TilesOut::new(tiles, capacity, length) }?;
        let blocked = if blocked.is_null() { None } else { Some(shared(blocked)?) };
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let Memory { path, waypoints, .. } = Memory::of(&mut held);
        let sight = Sight::new(index.grid());
        let sight = blocked.as_deref().map_or(sight, |blocked| sight.with_blocked(blocked));
        sight
            .straighten(path, waypoints)
            .map_err(|error| Failure::new(TIDEGATE_MISMATCH, format!("the last path: {error}")))?;
        out.write(waypoints.tiles())?;
        Ok(TIDEGATE_OK)
    })
}

/// Tells whether the straight line between two tiles is clear for a unit: `sees` gets 0 or 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_sees(
    index: *const TidegateIndex,
    from: TidegateTile,
    to: TidegateTile,
    sees: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("sees", sees) }?;
        out.set(Sight::new(shared(index)?.grid()).sees(from, to).into());
        Ok(TIDEGATE_OK)
    })
}
