//! Walks at any angle: straight lines from point to point.

use tidegate::anyangle::{AnyAngle, LiveAngleLabels, Point, WalkError, WalkQuery};
use tidegate::index::{Table, TableState};
use tidegate::labels::{Form, LabelOptions};

use crate::failure::{Failure, answer};
use crate::handle::{TidegateBlocked, TidegateIndex, TidegateScratch, exclusive, shared};
use crate::memory::Out;
use crate::scratch::{Memory, TilesOut};
use crate::status::*;
use crate::tile::TidegateTile;

/// A point of the map, in tiles from its top left corner: the centre of tile (x, y) is
/// (x + 0.5, y + 0.5). It is rounded to 256ths of a tile.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TidegatePoint {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl From<Point> for TidegatePoint {
    fn from(point: Point) -> TidegatePoint {
        let (x, y) = point.in_tiles();
        TidegatePoint { x, y }
    }
}

impl TidegatePoint {
    fn read(self, end: &str) -> Result<Point, Failure> {
        let TidegatePoint { x, y } = self;
        if !x.is_finite() || !y.is_finite() {
            return Err(Failure::argument(format!("{end} ({x}, {y}) is no point")));
        }
        let outside = || format!("{end} ({x}, {y}) lies outside every map");
        Point::from_tiles(x, y).ok_or_else(|| Failure::new(TIDEGATE_OUTSIDE, outside()))
    }
}

impl From<WalkError> for Failure {
    fn from(error: WalkError) -> Failure {
        let status = match error {
            WalkError::Outside { .. } => TIDEGATE_OUTSIDE,
            WalkError::Wall { .. } => TIDEGATE_WALL,
            WalkError::Blocked { .. } => TIDEGATE_BLOCKED,
            _ => TIDEGATE_UNSUPPORTED,
        };
        Failure::new(status, error.to_string())
    }
}

/// The map as bits, for walks that are searched.
pub const TIDEGATE_WALKS_SEARCHED: u32 = 0;
/// Labels too: fast ones if they fit the budget, else small ones.
pub const TIDEGATE_WALKS_LABELS: u32 = 1;
/// Labels of the fastest form.
pub const TIDEGATE_WALKS_LABELS_FAST: u32 = 2;
/// Labels of about half the memory, a little slower.
pub const TIDEGATE_WALKS_LABELS_SMALL: u32 = 3;

/// Builds what `tidegate_walk` answers from, unless it is there already. `tables` is one of
/// `TIDEGATE_WALKS_...`: by labels, walks between the centres of tiles take about a microsecond.
/// `budget` is the most bytes that labels may take, 0 for 192 MB; where they would take more the answer is
/// `TIDEGATE_UNSUPPORTED`, and walks are searched. Labels that an edit has overtaken are built again.
/// As for `tidegate_prepare`, the index cannot be queried meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_prepare_walks(
    index: *mut TidegateIndex,
    tables: u32,
    budget: u64,
) -> TidegateStatus {
    answer(|| {
        let form = match tables {
            TIDEGATE_WALKS_SEARCHED => None,
            TIDEGATE_WALKS_LABELS => Some(Form::Auto),
            TIDEGATE_WALKS_LABELS_FAST => Some(Form::Fast),
            TIDEGATE_WALKS_LABELS_SMALL => Some(Form::Small),
            _ => return Err(Failure::argument(format!("tables {tables} is not one of 0 to 3"))),
        };
        let mut index = exclusive(index)?;
        if !index.has(AnyAngle::KIND) {
            index.build::<AnyAngle>(&())?;
        }
        let Some(form) = form else { return Ok(TIDEGATE_OK) };
        let mut wanted = LabelOptions { form, ..LabelOptions::default() };
        if budget > 0 {
            wanted.budget_bytes = budget;
        }
        let is_current = index.table_state(LiveAngleLabels::KIND) == Some(TableState::Current);
        if !is_current || index.options::<LiveAngleLabels>() != Some(&wanted) {
            index.build::<LiveAngleLabels>(&wanted)?;
        }
        Ok(TIDEGATE_OK)
    })
}

/// Finds the shortest walk of straight lines at any angle from `start` to `goal`, exactly, on the map as
/// it is now. What walks is a point: it may touch corners and slide along walls. Rules of movement and
/// cost factors do not matter. `blocked` may be null. Without `tidegate_prepare_walks` every call looks at
/// the whole map first.
///
/// `count` gets the number of points, start, bends and goal, and `length` (which may be null) the length
/// in tiles. If there are more points than `capacity`, the answer is `TIDEGATE_TOO_SMALL` and `points` is
/// not touched: the walk waits in the scratch, see `tidegate_last_walk`. With null and 0 nothing is to be
/// written, and that is no error. Without a way the answer is `TIDEGATE_UNREACHABLE`, count and length are 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_walk(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    start: TidegatePoint,
    goal: TidegatePoint,
    blocked: *const TidegateBlocked,
    points: *mut TidegatePoint,
    capacity: usize,
    count: *mut usize,
    length: *mut f64,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { PointsOut::new(points, capacity, count) }?;
        // SAFETY: the caller's promise.
        let length = unsafe { Out::optional("length", length) }?;
        let mut query = WalkQuery::new(start.read("start")?, goal.read("goal")?);
        let blocked = if blocked.is_null() { None } else { Some(shared(blocked)?) };
        query.blocked = blocked.as_deref();
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let Memory { scratch, walk, .. } = Memory::of(&mut held);
        let found = index.find_walk(&query, scratch, walk)?;
        length.set(walk.length());
        out.write(walk.points())?;
        Ok(if found.is_some() { TIDEGATE_OK } else { TIDEGATE_UNREACHABLE })
    })
}

/// Copies the walk that the last `tidegate_walk` with this scratch found: for who learned by
/// `TIDEGATE_TOO_SMALL` how much room it needs. `count` gets the number of points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_last_walk(
    scratch: *mut TidegateScratch,
    points: *mut TidegatePoint,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { PointsOut::new(points, capacity, count) }?;
        let mut held = exclusive(scratch)?;
        out.write(Memory::of(&mut held).walk.points())?;
        Ok(TIDEGATE_OK)
    })
}

/// Copies the tiles that the walk of the last `tidegate_walk` with this scratch enters, in order; where it
/// runs along the edge of two tiles, both, unless one is a wall on the map of the index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_last_walk_tiles(
    scratch: *mut TidegateScratch,
    index: *const TidegateIndex,
    tiles: *mut TidegateTile,
    capacity: usize,
    length: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { TilesOut::new(tiles, capacity, length) }?;
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let walk = &Memory::of(&mut held).walk;
        out.write(&match index.table::<AnyAngle>() {
            Some(map) => walk.tiles(map),
            None => walk.tiles(&AnyAngle::new(index.grid())),
        })?;
        Ok(TIDEGATE_OK)
    })
}

/// Where points of a walk are to go, and how many there are.
struct PointsOut<'a> {
    points: Out<'a, TidegatePoint>,
    count: Out<'a, usize>,
}

impl PointsOut<'_> {
    /// # Safety
    /// As for [`Out::array`].
    unsafe fn new(
        points: *mut TidegatePoint,
        capacity: usize,
        count: *mut usize,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        let (points, count) =
            unsafe { (Out::array("points", points, capacity)?, Out::one("count", count)?) };
        Ok(PointsOut { points, count })
    }

    fn write(&self, found: &[Point]) -> Result<(), Failure> {
        self.count.set(found.len());
        self.points.fill_if_wanted("points", found.iter().map(|&point| point.into()))
    }
}
