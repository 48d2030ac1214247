//! Who may ask: this machine's own page, and nobody else.
//!
//! The order is fixed: Host, token, cross-site, then the routes. A check of Origin against
//! Host alone would not stop a name that is rebound to this machine, so the Host must be one
//! of a list. Every answer leaves with the same headers, refusals too.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api_error::ApiError;
use crate::app::Studio;

/// The header that carries the token.
pub(crate) const TOKEN: &str = "x-tidegate-token";
/// An answer takes no longer.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// The headers of every answer.
pub(crate) const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Puts the headers on an answer.
pub(crate) async fn dress(request: Request, next: Next) -> Response {
    let mut answer = next.run(request).await;
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, value);
    }
    answer
}

/// Lets a request pass that is from this machine's page, for a limited time.
pub(crate) async fn admit(
    State(studio): State<Arc<Studio>>,
    request: Request,
    next: Next,
) -> Response {
    if !host_is_ours(&studio, &request) {
        let message = "this host name is not served here";
        return ApiError::new(StatusCode::FORBIDDEN, "host", message).into_response();
    }
    let path = request.uri().path();
    let guarded = path == "/api" || path.starts_with("/api/");
    if guarded && !token_is_ours(&studio, request.headers()) {
        let message = "the token is missing or wrong: open the address that the program printed";
        return ApiError::new(StatusCode::UNAUTHORIZED, "token", message).into_response();
    }
    match tokio::time::timeout(TIMEOUT, next.run(request)).await {
        Ok(answer) => answer,
        Err(_) => {
            let message = format!("no answer within {} s", TIMEOUT.as_secs());
            ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout", message).into_response()
        }
    }
}

/// What a request from elsewhere gets.
pub(crate) fn cross_site() -> Response {
    let message = "changes are only taken from the studio's own page";
    ApiError::new(StatusCode::FORBIDDEN, "cross-site", message).into_response()
}

/// What is left when an answer broke down.
pub(crate) fn broke_down(_: Box<dyn std::any::Any + Send>) -> Response {
    ApiError::internal("this request broke down; the map is as it was").into_response()
}

/// One Host header, in the list; a request line with a host in it must agree.
fn host_is_ours(studio: &Studio, request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let listed = |host: &str| studio.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
    let named = request.uri().authority().is_none_or(|a| listed(a.as_str()));
    named && host.to_str().is_ok_and(listed)
}

/// Compared without telling by the time it takes how much of it was right.
fn token_is_ours(studio: &Studio, headers: &HeaderMap) -> bool {
    let mut tokens = headers.get_all(TOKEN).iter();
    let (Some(token), None) = (tokens.next(), tokens.next()) else { return false };
    let (token, ours) = (token.as_bytes(), studio.token.as_bytes());
    let differ = token.iter().zip(ours).fold(0, |differ, (a, b)| differ | (a ^ b));
    token.len() == ours.len() && differ == 0
}
