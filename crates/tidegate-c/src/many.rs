//! Many queries at once, answered by several threads.

use std::ffi::c_char;

use tidegate::Query;
use tidegate::batch::Batch;

use crate::engines::by_name;
use crate::failure::{Failure, answer};
use crate::handle::{TidegateIndex, TidegateScratch, exclusive, shared};
use crate::memory::{Out, array};
use crate::scratch::Memory;
use crate::status::*;
use crate::tile::TidegateTile;

/// The paths of the last batch, and what is kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    queries: Vec<Query<'static>>,
    batch: Batch,
    threads: usize,
    /// Whether every query of the batch was answered.
    is_whole: bool,
}

/// Where many paths are to go.
struct PathsOut<'a> {
    offsets: Out<'a, usize>,
    tiles: Out<'a, TidegateTile>,
    total: Out<'a, usize>,
}

impl PathsOut<'_> {
    /// # Safety
    /// As for [`Out::array`].
    unsafe fn new(
        (offsets, count): (*mut usize, usize),
        (tiles, capacity): (*mut TidegateTile, usize),
        total: *mut usize,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        let total = unsafe { Out::one("total", total) }?;
        // SAFETY: the caller's promise.
        let tiles = unsafe { Out::array("tiles", tiles, capacity) }?;
        // SAFETY: the caller's promise.
        let offsets = unsafe { Out::array("offsets", offsets, count.saturating_add(1)) }?;
        Ok(PathsOut { offsets, tiles, total })
    }

    fn write(&self, batch: &Batch) -> Result<(), Failure> {
        self.total.set(batch.tiles().len());
        self.tiles.fill("tiles", batch.tiles().iter().map(|&tile| tile.into()))?;
        self.offsets.fill("offsets", batch.offsets().iter().copied())
    }
}

/// Finds many paths: from `starts[n]` to `goals[n]`, `count` of them, by as many threads (0: one
/// for each core). Path `n` is `tiles[offsets[n]]` to before `tiles[offsets[n + 1]]`, empty where
/// there is no way; `offsets` has room for `count + 1`. The answers do not depend on the number of
/// threads.
///
/// `total` gets the number of tiles of all paths. If there are more than `capacity`, the answer is
/// `TIDEGATE_TOO_SMALL` and neither array is touched: the paths wait in the scratch, see
/// `tidegate_last_paths`. A query that cannot be answered, such as one from a wall, is an error of
/// the whole call, and the text names it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_paths(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    engine: *const c_char,
    starts: *const TidegateTile,
    goals: *const TidegateTile,
    count: usize,
    threads: u32,
    offsets: *mut usize,
    tiles: *mut TidegateTile,
    capacity: usize,
    total: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (starts, goals) =
            unsafe { (array("starts", starts, count)?, array("goals", goals, count)?) };
        // SAFETY: the caller's promise.
        let out = unsafe { PathsOut::new((offsets, count), (tiles, capacity), total) }?;
        // SAFETY: the caller's promise.
        let engine = unsafe { by_name(engine) }?;
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let Kept { queries, batch, threads: kept, is_whole } = &mut Memory::of(&mut held).many;
        if *kept != threads as usize {
            *kept = threads as usize;
            *batch = Batch::with_threads(*kept);
        }
        queries.clear();
        queries.extend(starts.iter().zip(goals).map(|(&start, &goal)| Query::new(start, goal)));
        *is_whole = false;
        index.find_batch(engine, queries, batch);
        for (n, answer) in batch.answers().iter().enumerate() {
            if let Err(error) = answer {
                return Err(Failure::from(error.clone()).at(&format!("query {n}")));
            }
        }
        *is_whole = true;
        out.write(batch)?;
        Ok(TIDEGATE_OK)
    })
}

/// Copies the paths that the last `tidegate_paths` with this scratch found; `count` is the number of
/// its queries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_last_paths(
    scratch: *mut TidegateScratch,
    offsets: *mut usize,
    count: usize,
    tiles: *mut TidegateTile,
    capacity: usize,
    total: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { PathsOut::new((offsets, count), (tiles, capacity), total) }?;
        let mut held = exclusive(scratch)?;
        let Kept { batch, is_whole, .. } = &Memory::of(&mut held).many;
        let known = if *is_whole { batch.len() } else { 0 };
        if known != count || !is_whole {
            return Err(Failure::argument(format!(
                "{count} paths are asked for, there are {known}"
            )));
        }
        out.write(batch)?;
        Ok(TIDEGATE_OK)
    })
}
