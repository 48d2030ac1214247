//! The way to the nearest goal from everywhere.

use js_sys::{Float64Array, Int8Array};
use tidegate::cost::INFINITY;
use tidegate::{Direction, FieldQuery, GoalField, Index, QueryError, Tile};
use wasm_bindgen::JsValue;

use crate::errors::{JsResult, query_error, working};
use crate::index::{Asked, in_tiles};
use crate::object::object;

/// Distances and next steps of all tiles, as an object.
pub(crate) fn field(index: &Index, goals: &[Tile], asked: &Asked) -> JsResult<JsValue> {
    let (distance, steps) = working(|| arrays(index, goals, asked))?.map_err(query_error)?;
    let (distance, steps) = (Float64Array::from(&distance[..]), Int8Array::from(&steps[..]));
    Ok(object([("distance", distance.into()), ("nextStep", steps.into())]))
}

fn arrays(index: &Index, goals: &[Tile], asked: &Asked) -> Result<(Vec<f64>, Vec<i8>), QueryError> {
    let (grid, mut field) = (index.grid(), GoalField::new());
    let mut query = FieldQuery::new(goals);
    (query.blocked, query.costs) = (asked.blocked.as_ref(), asked.costs.as_deref());
    field.fill(index, &query)?;
    let in_tiles = in_tiles(grid, asked.costs.as_deref());
    let far = |&cost| if cost == INFINITY { f64::INFINITY } else { in_tiles(cost) };
    let distance = field.costs().iter().map(far).collect();
    let mut directions = Vec::new();
    field.next_steps_into(&mut directions);
    let step = |&direction: &u8| match Direction::ALL.get(usize::from(direction)) {
        Some(direction) => [direction.delta().0 as i8, direction.delta().1 as i8],
        None => [0, 0],
    };
    Ok((distance, directions.iter().flat_map(step).collect()))
}
