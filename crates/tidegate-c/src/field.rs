//! Goal fields: how far it is from every tile to the nearest of some goals, and which step
//! leads there.

use tidegate::cost::{Cost, INFINITY};
use tidegate::{Direction, FieldQuery};

use crate::failure::{Failure, answer};
use crate::handle::{
    Handle, TidegateBlocked, TidegateField, TidegateIndex, TidegateLayer, TidegateScratch,
    exclusive, shared,
};
use crate::memory::{Out, array};
use crate::scratch::{Memory, TilesOut};
use crate::status::*;
use crate::tile::{TIDEGATE_NO_COST, TidegateTile};

/// A step to a neighbour: columns and rows, each -1, 0 or 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TidegateStep {
    /// Columns.
    pub dx: i8,
    /// Rows.
    pub dy: i8,
}

/// What a field is to be filled for. Set it to zero first: what is zero or null is as if it were
/// not there.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateFieldQuery {
    /// Where the ways lead: from every tile to the nearest of these.
    pub goals: *const TidegateTile,
    /// How many goals there are.
    pub goal_count: usize,
    /// The units, if there are any: the field is filled only as far as they are. What lies
    /// farther has no cost and no step.
    pub units: *const TidegateTile,
    /// How many units there are; 0 fills the whole field.
    pub unit_count: usize,
    /// Tiles that cannot be entered, or null.
    pub blocked: *const TidegateBlocked,
    /// What tiles cost more than the map says, or null.
    pub layer: *const TidegateLayer,
}

/// Makes a field. It is empty until it is filled; keep one and fill it again, which allocates
/// nothing once it has grown to the map.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_field_new(field: *mut *mut TidegateField) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("field", field) }?;
        out.set(TidegateField::insert(Default::default())?);
        Ok(TIDEGATE_OK)
    })
}

/// Frees a field. Null is no error; one that another thread uses is busy and stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_field_free(field: *mut TidegateField) -> TidegateStatus {
    answer(|| TidegateField::free(field))
}

/// Fills a field for the map as it is now. After an error it is empty. Many threads may read one
/// field; later edits of the map do not change it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_field_fill(
    field: *mut TidegateField,
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    query: *const TidegateFieldQuery,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let asked = unsafe { array("query", query, 1) }?[0];
        // SAFETY: the caller's promise.
        let (goals, units) = unsafe {
            let goals = array("goals", asked.goals, asked.goal_count)?;
            (goals, array("units", asked.units, asked.unit_count)?)
        };
        let blocked = if asked.blocked.is_null() { None } else { Some(shared(asked.blocked)?) };
        let layer = if asked.layer.is_null() { None } else { Some(shared(asked.layer)?) };
        let (mut field, index, mut held) = (exclusive(field)?, shared(index)?, exclusive(scratch)?);
        let tiles = Memory::of(&mut held).take_tiles(goals, units);
        let (goals, units) = tiles.split_at(goals.len());
        let mut query = FieldQuery::new(goals);
        query.blocked = blocked.as_deref();
        query.costs = layer.as_deref();
        query.until = (!units.is_empty()).then_some(units);
        field.fill(&index, &query)?;
        Ok(TIDEGATE_OK)
    })
}

fn refuse_size(tiles: usize, count: usize) -> Result<(), Failure> {
    if tiles == count {
        return Ok(());
    }
    Err(Failure::argument(format!("the field has {tiles} tiles, not {count}")))
}

/// Writes the costs of all tiles, row by row; `TIDEGATE_NO_COST` where no way is known. `count` must be
/// the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_field_costs(
    field: *const TidegateField,
    costs: *mut u32,
    count: usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::array("costs", costs, count) }?;
        let field = shared(field)?;
        refuse_size(field.costs().len(), count)?;
        let units = |&cost: &Cost| if cost < INFINITY { cost.get() } else { TIDEGATE_NO_COST };
        out.fill("costs", field.costs().iter().map(units))?;
        Ok(TIDEGATE_OK)
    })
}

/// Writes the next steps of all tiles, row by row; 0, 0 on goals and where no way is known. `count` must
/// be the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_field_steps(
    field: *const TidegateField,
    steps: *mut TidegateStep,
    count: usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::array("steps", steps, count) }?;
        let field = shared(field)?;
        refuse_size(field.costs().len(), count)?;
        let mut numbers = Vec::new();
        field.next_steps_into(&mut numbers);
        let step = |&number: &u8| {
            let direction = Direction::ALL.get(usize::from(number));
            let (dx, dy) = direction.map_or((0, 0), |direction| direction.delta());
            TidegateStep { dx: dx as i8, dy: dy as i8 }
        };
        out.fill("steps", numbers.iter().map(step))?;
        Ok(TIDEGATE_OK)
    })
}

/// Tells how far it is from a tile to the nearest goal, and the tile that comes next: the tile itself
/// on a goal. Either may be null. Where no way is known the answer is `TIDEGATE_UNREACHABLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_field_next(
    field: *const TidegateField,
    tile: TidegateTile,
    next: *mut TidegateTile,
    cost: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (next, out) = unsafe { (Out::optional("next", next)?, Out::optional("cost", cost)?) };
        let field = shared(field)?;
        let Some(cost) = field.distance(tile) else {
            out.set(TIDEGATE_NO_COST);
            return Ok(TIDEGATE_UNREACHABLE);
        };
        out.set(cost.get());
        next.set(field.next_tile(tile).map_or(tile, |next| next.into()));
        Ok(TIDEGATE_OK)
    })
}

/// Writes the way from a tile to the nearest goal, as `tidegate_path` does; it is the scratch's last
/// path. `cost` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_field_path(
    field: *const TidegateField,
    scratch: *mut TidegateScratch,
    start: TidegateTile,
    tiles: *mut TidegateTile,
    capacity: usize,
    length: *mut usize,
    cost: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { TilesOut::new(tiles, capacity, length) }?;
        // SAFETY: the caller's promise.
        let cost = unsafe { Out::optional("cost", cost) }?;
        let (field, mut held) = (shared(field)?, exclusive(scratch)?);
        let path = &mut Memory::of(&mut held).path;
        let found = field.path_from(start, path);
        cost.set(found.map_or(TIDEGATE_NO_COST, Cost::get));
        out.write(path.tiles())?;
        Ok(if found.is_some() { TIDEGATE_OK } else { TIDEGATE_UNREACHABLE })
    })
}
