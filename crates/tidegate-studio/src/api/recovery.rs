//! Unsaved work of an earlier session: taken up again, or thrown away.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use super::{Named, Said, edit};
use crate::app::Studio;
use crate::fault::Answer;

#[derive(Debug, Deserialize)]
pub(crate) struct Against {
    version: u64,
}

pub(crate) async fn restore(
    State(studio): State<Arc<Studio>>,
    Named(id): Named<String>,
    Said(Against { version }): Said<Against>,
) -> Answer<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| Ok(Json(edit::outcome(document.restore(version)?)));
    studio.bench.run(work).await
}

pub(crate) async fn discard(
    State(studio): State<Arc<Studio>>,
    Named(id): Named<String>,
) -> Answer<StatusCode> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| document.discard();
    studio.bench.run(work).await?;
    Ok(StatusCode::NO_CONTENT)
}
