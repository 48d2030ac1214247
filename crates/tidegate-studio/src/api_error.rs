//! What goes wrong, as an answer: a status, a code for the page, a sentence for people.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// An answer that is a refusal.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    version: Option<u64>,
}

pub(crate) type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl ToString) -> ApiError {
        ApiError { status, code, message: message.to_string(), version: None }
    }

    pub(crate) fn bad_request(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub(crate) fn not_found(what: impl ToString) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", what)
    }

    /// Understood, but it cannot be done.
    pub(crate) fn refused(why: impl ToString) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", why)
    }

    pub(crate) fn busy(why: impl ToString) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "busy", why)
    }

    pub(crate) fn too_large(limit: usize) -> ApiError {
        let message = format!("the body is larger than {limit} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    pub(crate) fn not_built(engine: &str) -> ApiError {
        let message = format!("engine {engine} is not built: start a build job first");
        ApiError::new(StatusCode::CONFLICT, "not_built", message)
    }

    pub(crate) fn nothing(message: &str) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, "nothing", message)
    }

    /// The change was made against another version.
    pub(crate) fn stale(asked: u64, version: u64) -> ApiError {
        let message = format!("the map is at version {version}, the change was made at {asked}");
        ApiError { version: Some(version), ..ApiError::new(StatusCode::CONFLICT, "stale", message) }
    }

    /// Unsaved work of an earlier session must be restored or discarded first.
    pub(crate) fn undecided() -> ApiError {
        let message =
            "this map has unsaved work of an earlier session: restore or discard it first";
        ApiError::new(StatusCode::CONFLICT, "recovery", message)
    }

    pub(crate) fn internal(message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// Whether it was understood and cannot be done.
    pub(crate) fn is_refusal(&self) -> bool {
        self.status == StatusCode::UNPROCESSABLE_ENTITY
    }

    /// What is value in the answer, or of a job that failed.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(version) = self.version {
            error["version"] = Value::from(version);
        }
        (self.status, axum::Json(json!({ "error": error }))).into_response()
    }
}
