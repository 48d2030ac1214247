//! The problems of a map.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::generate::problems::problems;

use super::{FileBody, PathParam, QueryParams, pair};
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;
use crate::documents::read_problems;

/// The most problems that are listed, and that are made.
const MAX_LISTED: usize = 20_000;
const MAX_MADE: usize = 2_000;

pub(crate) async fn list(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let problems = document.problems();
    let listed: Vec<Value> = problems
        .iter()
        .take(MAX_LISTED)
        .enumerate()
        .map(|(n, p)| {
            json!({
                "n": n,
                "from": pair(p.start),
                "to": pair(p.goal),
                "length": p.length,
                "bucket": p.bucket,
            })
        })
        .collect();
    Ok(Json(json!({
        "version": document.status().version,
        "left_out": problems.len() - listed.len(),
        "problems": listed,
    })))
}

#[derive(Deserialize)]
pub(crate) struct Making {
    generate: Option<usize>,
    #[serde(default)]
    seed: u64,
}

pub(crate) async fn put(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(making): QueryParams<Making>,
    FileBody(bytes): FileBody,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| {
        let new = match making.generate {
            Some(count) if count > MAX_MADE => {
                return Err(ApiError::refused(format!("at most {MAX_MADE} problems are made")));
            }
            Some(count) => problems(document.index().grid(), &document.name, count, making.seed),
            None => read_problems(&document, &bytes).map_err(ApiError::refused)?,
        };
        let count = new.len();
        document.set_problems(new);
        Ok(Json(json!({ "problems": count })))
    };
    studio.bench.run(work).await
}
