//! Asking for paths and distances.

use std::ffi::c_char;

use tidegate::cost::Cost;
use tidegate::engine::Engine;
use tidegate::index::Outcome as Found;
use tidegate::{Answer, Query, Tile};

use crate::engines::by_name;
use crate::failure::{Failure, answer};
use crate::handle::{
    TidegateBlocked, TidegateIndex, TidegateLayer, TidegateScratch, exclusive, shared,
};
use crate::memory::{Out, array};
use crate::scratch::{Memory, TilesOut};
use crate::status::*;
use crate::tile::{TIDEGATE_NO_COST, TidegateTile};

/// A query with all that can be said about it. Set it to zero first: what is zero or null is as
/// if it were not there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateQuery {
    /// Where the path begins.
    pub start: TidegateTile,
    /// Where it ends.
    pub goal: TidegateTile,
    /// The name of the engine; null for the best that is built.
    pub engine: *const c_char,
    /// Tiles that cannot be entered this time, or null.
    pub blocked: *const TidegateBlocked,
    /// What tiles cost more than the map says this time, or null. Not every engine can:
    /// see `TidegateEngine`.
    pub layer: *const TidegateLayer,
    /// The most expansions to spend; 0 for no limit.
    pub budget: u64,
    /// Not 0: if the goal cannot be reached, or the budget is spent, the path leads to the
    /// nearest tile instead.
    pub partial: u32,
    /// Not 0: an engine whose tables an edit has overtaken is an error. Else the best engine
    /// that is exact answers in its place.
    pub refuse_stale: u32,
}

/// How a query was answered.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TidegateAnswer {
    /// Tiles of the path.
    pub length: usize,
    /// Nodes that the search expanded.
    pub expanded: u64,
    /// The cost of the path to the goal; `TIDEGATE_NO_COST` if it does not lead there.
    pub cost: u32,
}

fn units(cost: Option<Cost>) -> u32 {
    cost.map_or(TIDEGATE_NO_COST, Cost::get)
}

fn status(answer: &Answer) -> TidegateStatus {
    match answer.outcome {
        Found::Found(_) => TIDEGATE_OK,
        Found::Unreachable => TIDEGATE_UNREACHABLE,
        Found::Stopped => TIDEGATE_STOPPED,
    }
}

/// Finds a path from `start` to `goal` by an engine; null is `auto`, the best that is built.
///
/// `length` gets the number of tiles, start and goal included, `cost` (which may be null) the cost.
/// If there are more than `capacity`, the answer is `TIDEGATE_TOO_SMALL` and `tiles` is not
/// touched: the path waits in the scratch, see `tidegate_last_path`. With null and 0 nothing is
/// to be written, and that is no error. Without a way the answer is `TIDEGATE_UNREACHABLE`, the
/// length 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_path(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    engine: *const c_char,
    start: TidegateTile,
    goal: TidegateTile,
    tiles: *mut TidegateTile,
    capacity: usize,
    length: *mut usize,
    cost: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { TilesOut::new(tiles, capacity, length) }?;
        // SAFETY: the caller's promise.
        let (cost, engine) = unsafe { (Out::optional("cost", cost)?, by_name(engine)?) };
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let Memory { scratch, path, .. } = Memory::of(&mut held);
        let answer = index.find(engine, &Query::new(start, goal), scratch, path)?;
        cost.set(units(answer.cost()));
        out.write(path.tiles())?;
        Ok(status(&answer))
    })
}

/// Answers a query. As `tidegate_path`, but for what the query says and the answer tells; with
/// `partial` a path to the nearest tile comes with `TIDEGATE_UNREACHABLE` or `TIDEGATE_STOPPED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_find(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    query: *const TidegateQuery,
    tiles: *mut TidegateTile,
    capacity: usize,
    answer: *mut TidegateAnswer,
) -> TidegateStatus {
    self::answer(|| {
        // SAFETY: the caller's promise.
        let (asked, out) = unsafe { (array("query", query, 1)?[0], Out::one("answer", answer)?) };
        // SAFETY: the caller's promise.
        let tiles = unsafe { Out::array("tiles", tiles, capacity) }?;
        // SAFETY: the caller's promise.
        let engine: &dyn Engine = unsafe { by_name(asked.engine) }?;
        let blocked = if asked.blocked.is_null() { None } else { Some(shared(asked.blocked)?) };
        let layer = if asked.layer.is_null() { None } else { Some(shared(asked.layer)?) };
        let mut query = Query::new(asked.start, asked.goal);
        query.budget = (asked.budget > 0).then_some(asked.budget);
        query.partial = asked.partial != 0;
        query.refuse_stale = asked.refuse_stale != 0;
        query.blocked = blocked.as_deref();
        query.costs = layer.as_deref();
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let Memory { scratch, path, .. } = Memory::of(&mut held);
        let found = index.find(engine, &query, scratch, path)?;
        let (length, expanded) = (path.len(), found.stats.expanded);
        out.set(TidegateAnswer { length, expanded, cost: units(found.cost()) });
        tiles.fill_if_wanted("tiles", path.iter().map(|&tile| tile.into()))?;
        Ok(status(&found))
    })
}

/// Finds the first step of a path: where a unit goes now that asks again next time. `next` gets the
/// tile; the start itself where the unit is there already. Without a way the
/// answer is `TIDEGATE_UNREACHABLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_next_step(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    engine: *const c_char,
    start: TidegateTile,
    goal: TidegateTile,
    next: *mut TidegateTile,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (out, engine) = unsafe { (Out::one("next", next)?, by_name(engine)?) };
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let scratch = &mut Memory::of(&mut held).scratch;
        match index.next_step(engine, &Query::new(start, goal), scratch)? {
            Some(step) => out.set(step.into()),
            None if start == goal => out.set(start),
            None => return Ok(TIDEGATE_UNREACHABLE),
        }
        Ok(TIDEGATE_OK)
    })
}

/// Tells how far it is: `cost` gets the cost of the way that the engine finds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_distance(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    engine: *const c_char,
    start: TidegateTile,
    goal: TidegateTile,
    cost: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (out, engine) = unsafe { (Out::one("cost", cost)?, by_name(engine)?) };
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let memory = Memory::of(&mut held);
        let found = index.distance(engine, &Query::new(start, goal), &mut memory.scratch)?;
        out.set(units(found));
        Ok(if found.is_some() { TIDEGATE_OK } else { TIDEGATE_UNREACHABLE })
    })
}

/// Tells how far it is from one tile to each of many: `costs` gets `count` costs in the order of
/// the goals, `TIDEGATE_NO_COST` where there is no way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_distances(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    start: TidegateTile,
    goals: *const TidegateTile,
    count: usize,
    costs: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (goals, out) =
            unsafe { (array("goals", goals, count)?, Out::array("costs", costs, count)?) };
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let memory = Memory::of(&mut held);
        memory.take_tiles(goals, &[]);
        let Memory { scratch, tiles, .. } = memory;
        let found = index.distances(start.into(), tiles, None, scratch)?;
        out.fill("costs", found.into_iter().map(units))?;
        Ok(TIDEGATE_OK)
    })
}

/// Finds the nearest of many goals by true distance: `which` gets its place in the array, the
/// first of equals, and `cost` (which may be null) the cost. The way to it is the scratch's last
/// path. If none can be reached, the answer is `TIDEGATE_UNREACHABLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_nearest(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    start: TidegateTile,
    goals: *const TidegateTile,
    count: usize,
    which: *mut usize,
    cost: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (goals, which) = unsafe { (array("goals", goals, count)?, Out::one("which", which)?) };
        // SAFETY: the caller's promise.
        let cost = unsafe { Out::optional("cost", cost) }?;
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let memory = Memory::of(&mut held);
        memory.take_tiles(goals, &[]);
        let Memory { scratch, tiles, path, .. } = memory;
        let found = index.nearest(start.into(), tiles, None, scratch, path)?;
        cost.set(units(found.map(|(_, cost)| cost)));
        let Some((nearest, _)) = found else { return Ok(TIDEGATE_UNREACHABLE) };
        which.set(nearest);
        Ok(TIDEGATE_OK)
    })
}

/// Tells whether any path leads from one tile to another: `reachable` gets 0 or 1. Walls and
/// tiles outside the map are never reachable. It takes nanoseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_reachable(
    index: *const TidegateIndex,
    from: TidegateTile,
    to: TidegateTile,
    reachable: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("reachable", reachable) }?;
        out.set(shared(index)?.reachable(from, to).into());
        Ok(TIDEGATE_OK)
    })
}

/// Finds the tile nearest to `to` that can be reached from `from`: where to send a unit whose goal
/// is a wall, walled in, or outside the map. `from` must be a free tile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_nearest_reachable(
    index: *const TidegateIndex,
    from: TidegateTile,
    to: TidegateTile,
    nearest: *mut TidegateTile,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("nearest", nearest) }?;
        let index = shared(index)?;
        match index.nearest_reachable(from, to) {
            Some(tile) => out.set(tile.into()),
            None => {
                let (tile, grid) = (Tile::from(from), index.grid());
                return Err(if grid.contains(tile) {
                    Failure::new(TIDEGATE_WALL, format!("from {tile} is a wall"))
                } else {
                    Failure::new(TIDEGATE_OUTSIDE, format!("from {tile} lies outside the map"))
                });
            }
        }
        Ok(TIDEGATE_OK)
    })
}
