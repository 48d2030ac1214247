//! The page, embedded in the program: a fixed list of files. Debug builds read them from the
//! source folder, so that a change shows at once.

use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use crate::api_error::ApiError;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// A file of the page, or that there is none.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.strip_prefix('/').unwrap_or(path),
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-/".contains(&b);
    let odd =
        !path.bytes().all(plain) || path.split('/').any(|p| p.is_empty() || p.starts_with('.'));
    let Some(file) = (!odd).then(|| Files::get(path)).flatten() else {
        return ApiError::not_found("there is nothing here").into_response();
    };
    if method != Method::GET && method != Method::HEAD {
        let message = "the page can only be read";
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method", message).into_response();
    }
    let kind = HeaderValue::from_static(kind(path));
    ([(header::CONTENT_TYPE, kind)], file.data.into_owned()).into_response()
}

/// The files of the page, for tests that walk over all of them.
pub(crate) fn files() -> Vec<String> {
    Files::iter().map(|name| format!("/{name}")).collect()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
