//! The answers, one room for every kind of question; here is how questions are read.

pub(crate) mod danger;
pub(crate) mod edit;
pub(crate) mod field;
pub(crate) mod files;
pub(crate) mod inspect;
pub(crate) mod jobs;
pub(crate) mod layers;
pub(crate) mod maps;
pub(crate) mod overlay;
pub(crate) mod problems;
pub(crate) mod recovery;
pub(crate) mod search;
pub(crate) mod tables;
pub(crate) mod walk;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tidegate::Tile;

use crate::api_error::{ApiError, ApiResult};
use crate::app::{BODY, Studio, UPLOAD};
use crate::document::{Document, Scene};

/// What the present state of a map tells, with its version; worked out off the threads that
/// answer.
async fn versioned_json(
    studio: &Studio,
    id: &str,
    work: impl FnOnce(&Document, &Scene) -> ApiResult<Value> + Send + 'static,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(id)?;
    let looked = move |_: &_| {
        let (scene, status) = document.look()?;
        let mut value = work(&document, &scene)?;
        value["version"] = status.version.into();
        Ok(Json(value))
    };
    studio.bench.run(looked).await
}

/// A body that is JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<JsonBody<T>> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            let message = "the body must be application/json";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "content_type", message));
        }
        let bytes = bytes(request, state, BODY).await?;
        serde_json::from_slice(&bytes).map(JsonBody).map_err(ApiError::bad_request)
    }
}

/// A body that is a file.
pub(crate) struct FileBody(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for FileBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> ApiResult<FileBody> {
        bytes(request, state, UPLOAD).await.map(FileBody)
    }
}

async fn bytes<S: Send + Sync>(request: Request, state: &S, limit: usize) -> ApiResult<Bytes> {
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(limit),
        _ => ApiError::bad_request("the body could not be read"),
    })
}

/// What stands in the query string.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<QueryParams<T>> {
        let query = axum::extract::Query::from_request_parts(parts, state).await;
        query
            .map(|query| QueryParams(query.0))
            .map_err(|wrong| ApiError::bad_request(wrong.body_text()))
    }
}

/// What stands in the path.
pub(crate) struct PathParam<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParam<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<PathParam<T>> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|path| PathParam(path.0)).map_err(|_| ApiError::not_found("there is nothing here"))
    }
}

/// A tile in a query string, as `X,Y`.
pub(crate) fn tile_in(text: &str) -> ApiResult<Tile> {
    let number = |part: &str| part.trim().parse::<u16>().ok();
    let tile = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    let (x, y) = tile.ok_or_else(|| ApiError::bad_request("a tile is written as X,Y"))?;
    Ok(Tile::new(x, y))
}

pub(crate) fn pair(tile: Tile) -> [u16; 2] {
    [tile.x, tile.y]
}

pub(crate) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A binary answer about a version of a map.
pub(crate) fn binary(version: u64, bytes: Vec<u8>) -> Response {
    let kind = HeaderValue::from_static("application/octet-stream");
    let version = HeaderValue::from(version);
    let name = HeaderName::from_static("x-tidegate-version");
    ([(header::CONTENT_TYPE, kind), (name, version)], bytes).into_response()
}

/// A file to be kept, of this kind and name.
pub(crate) fn file(kind: &'static str, name: &str, bytes: impl Into<Bytes>) -> Response {
    let shown = format!("attachment; filename=\"{name}\"");
    let shown = HeaderValue::from_str(&shown).unwrap_or(HeaderValue::from_static("attachment"));
    let kind = HeaderValue::from_static(kind);
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, shown)];
    (headers, bytes.into()).into_response()
}
