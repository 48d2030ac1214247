//! Jobs: started, looked at, cancelled.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{JsonBody, PathParam, file as as_file};
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;
use crate::document::engine_named;
use crate::jobs::{About, Against, judge, samples, tide};

/// What is to be done in the background.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Order {
    Build {
        engine: String,
    },
    Judge {
        engine: String,
        #[serde(default)]
        every: Option<usize>,
    },
    Samples {
        engine: String,
        against: Against,
        #[serde(default)]
        count: Option<usize>,
    },
    Tide {
        engines: Vec<String>,
        #[serde(default)]
        save: bool,
        #[serde(default)]
        replace: bool,
    },
}

pub(crate) async fn start(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    JsonBody(order): JsonBody<Order>,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let document = studio.shelf.get(&id)?;
    let looked = Arc::clone(&document);
    let (scene, status) = studio.bench.run(move |_| looked.look()).await?;
    let about = |kind, engine: &str| About {
        map: document.id.clone(),
        kind,
        engine: engine.to_owned(),
        state: None,
    };
    let jobs = &studio.jobs;
    let job = match order {
        Order::Build { engine } => jobs.build(&document, &scene, engine_named(&engine)?),
        Order::Judge { engine, every } => {
            let (about, engine) = (about("judge", &engine), engine_named(&engine)?);
            let (document, every) = (Arc::clone(&document), every.unwrap_or(1).max(1));
            jobs.start(about, move |job| {
                judge(job, &document, &scene, status.version, engine, every)
            })
        }
        Order::Samples { engine, against, count } => {
            let (about, engine) = (about("samples", &engine), engine_named(&engine)?);
            let (document, count) = (Arc::clone(&document), count.unwrap_or(100));
            jobs.start(about, move |job| {
                samples(job, &document, (&scene, status.version), against, engine, count)
            })
        }
        Order::Tide { engines, save, replace } => {
            let engines: Vec<_> =
                engines.iter().map(|e| engine_named(e)).collect::<ApiResult<_>>()?;
            let document = Arc::clone(&document);
            jobs.start(about("tide", ""), move |job| {
                tide(job, &document, &scene, &engines, (save, replace))
            })
        }
    }?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "job": job.number }))))
}

pub(crate) async fn list(State(studio): State<Arc<Studio>>) -> Json<Value> {
    let jobs: Vec<Value> = studio.jobs.all().iter().map(|job| job.tell(false)).collect();
    Json(json!({ "jobs": jobs }))
}

pub(crate) async fn one(
    State(studio): State<Arc<Studio>>,
    PathParam(number): PathParam<u64>,
) -> ApiResult<Json<Value>> {
    Ok(Json(studio.jobs.get(number)?.tell(true)))
}

pub(crate) async fn cancel(
    State(studio): State<Arc<Studio>>,
    PathParam(number): PathParam<u64>,
) -> ApiResult<StatusCode> {
    studio.jobs.cancel(number)?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn file(
    State(studio): State<Arc<Studio>>,
    PathParam(number): PathParam<u64>,
) -> ApiResult<Response> {
    let made = studio.jobs.get(number)?.file();
    let (name, bytes) = made.ok_or_else(|| ApiError::not_found("this job made no file"))?;
    Ok(as_file("application/octet-stream", &name, bytes))
}
