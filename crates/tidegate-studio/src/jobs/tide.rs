//! The whole index as a file.

use axum::body::Bytes;
use serde_json::json;
use tidegate::engine::Engine;

use super::{Job, Made};
use crate::api::files;
use crate::api_error::{ApiError, ApiResult};
use crate::document::{Document, Scene, bare};
use crate::saved::INDEX;

/// Builds an index with the tables of these engines; for download, or saved.
pub(crate) fn tide(
    job: &Job,
    document: &Document,
    scene: &Scene,
    engines: &[&'static dyn Engine],
    (save, replace): (bool, bool),
) -> ApiResult<Made> {
    job.expect(engines.len() + 1);
    let mut index = bare(scene.grid(), &scene.parts)?;
    for engine in engines {
        index.prepare(*engine).map_err(ApiError::refused)?;
        job.step()?;
    }
    let bytes = index.to_bytes();
    job.step()?;
    let size = bytes.len();
    if save {
        if !replace {
            document.files.check(INDEX, &bytes)?;
        }
        let path = document.files.write(INDEX, &bytes)?;
        let value = json!({ "bytes": size, "file": files::shown(&path) });
        return Ok(Made { value, file: None });
    }
    let name = format!("{}.tide", document.id);
    Ok(Made {
        value: json!({ "bytes": size, "file": null }),
        file: Some((name, Bytes::from(bytes))),
    })
}
