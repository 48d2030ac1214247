//! The shortest walk at any angle between two tiles.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use tidegate::Scratch;
use tidegate::anyangle::{AnyAngle, Walk, WalkQuery, WalkSource};
use tidegate::index::Table;
use web_time::Instant;

use super::inspect::Ends;
use super::{PathParam, QueryParams, tile_in, versioned_json};
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;

pub(crate) async fn walk(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(Ends { from, to }): QueryParams<Ends>,
) -> ApiResult<Json<Value>> {
    let query = WalkQuery::new(tile_in(&from)?, tile_in(&to)?);
    versioned_json(&studio, &id, move |_, scene| {
        // Only the map as bits, which is made in a moment; labels answer where a file had them.
        let mut index = scene.index.clone();
        index.prepare_table(AnyAngle::KIND).map_err(ApiError::internal)?;
        let (mut scratch, mut walk) = (Scratch::new(), Walk::default());
        let clock = Instant::now();
        let found = index.find_walk(&query, &mut scratch, &mut walk).map_err(ApiError::refused)?;
        let micros = clock.elapsed().as_secs_f64() * 1e6;
        let points = walk.points().iter().map(|point| <[f64; 2]>::from(point.in_tiles()));
        Ok(json!({
            "status": if found.is_some() { "found" } else { "unreachable" },
            "length": found.map(|_| walk.length()),
            "points": points.collect::<Vec<_>>(),
            "expanded": match found {
                Some(WalkSource::Search { expanded }) => expanded,
                _ => 0,
            },
            "micros": micros,
        }))
    })
    .await
}
