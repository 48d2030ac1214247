//! Unsaved work of an earlier session: taken up again, or thrown away.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use super::{JsonBody, PathParam, edit};
use crate::api_error::ApiResult;
use crate::app::Studio;

#[derive(Debug, Deserialize)]
pub(crate) struct Against {
    version: u64,
}

pub(crate) async fn restore(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    JsonBody(Against { version }): JsonBody<Against>,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| Ok(Json(edit::outcome(&document, &document.restore(version)?)));
    studio.bench.run(work).await
}

pub(crate) async fn discard(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<StatusCode> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| document.discard();
    studio.bench.run(work).await?;
    Ok(StatusCode::NO_CONTENT)
}
