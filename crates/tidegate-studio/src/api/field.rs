//! How far every tile is from a goal, and which step leads there.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tidegate::Tile;
use tidegate::cost::{Cost, INFINITY};
use tidegate::field::{FieldQuery, GoalField};

use super::layers::head;
use super::{PathParam, QueryParams, binary, danger, tile_in};
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;

/// The finest unit of distance: a tenth of a straight step.
const FINEST: u32 = 574;
/// The largest distance in units; the number after it says that no way leads to the goal.
const MOST: u32 = u16::MAX as u32 - 1;

#[derive(Deserialize)]
pub(crate) struct Ask {
    goal: String,
    #[serde(default)]
    costs: String,
}

pub(crate) async fn field(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(ask): QueryParams<Ask>,
) -> ApiResult<Response> {
    let (goal, discs) = (tile_in(&ask.goal)?, danger::discs_in(&ask.costs)?);
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| {
        let (scene, status) = document.look()?;
        let layer = danger::layer(scene.grid(), &discs)?;
        let (goals, mut field) = ([goal], GoalField::new());
        let mut query = FieldQuery::new(&goals);
        query.costs = layer.as_ref();
        field.fill(&scene.index, &query).map_err(ApiError::refused)?;
        Ok(binary(status.version, bytes(&field, goal, scene.grid().width())))
    };
    studio.bench.run(work).await
}

/// Distances in the finest unit in which all of them are numbers of two bytes, each less the
/// one before; then steps.
fn bytes(field: &GoalField, goal: Tile, width: u32) -> Vec<u8> {
    let known = |cost: &Cost| (*cost < INFINITY).then(|| cost.get());
    let farthest = field.costs().iter().filter_map(known).max().unwrap_or(0);
    let unit = farthest.div_ceil(MOST).max(FINEST);
    let cell = u32::from(goal.y) * width + u32::from(goal.x);
    let mut out = head(b"TGFI", [unit, farthest, cell]);
    // What a tile differs from the one before packs far better than what it is.
    let mut before = 0u16;
    for cost in field.costs() {
        let value = known(cost).map_or(u16::MAX, |cost| (cost / unit) as u16);
        out.extend(value.wrapping_sub(before).to_le_bytes());
        before = value;
    }
    let mut steps = Vec::new();
    field.next_steps_into(&mut steps);
    out.extend(steps);
    out
}
