//! The studio without a server: the same routes, asked by a page through a worker.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Method, Request, header};
use tower::Service as _;

use crate::app::{Settings, Studio, router};

/// A studio that one page asks.
#[derive(Debug)]
pub struct LocalStudio {
    studio: Arc<Studio>,
    router: Router,
}

/// What it answers.
#[derive(Debug)]
pub struct LocalAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The bytes.
    pub body: Bytes,
}

impl LocalStudio {
    /// A studio with the bundled maps, which keeps nothing on disk.
    pub fn new() -> anyhow::Result<LocalStudio> {
        let (folder, token) = (PathBuf::new(), String::new());
        let settings = Settings { maps: Vec::new(), folder, state: None, hosts: Vec::new(), token };
        let studio = Studio::new(settings)?;
        Ok(LocalStudio { router: router(Arc::clone(&studio)), studio })
    }

    /// Answers a request: what a server would be asked for at `/api` and below.
    pub fn answer(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> anyhow::Result<LocalAnswer> {
        let request = Request::builder()
            .method(Method::from_bytes(method.as_bytes())?)
            .uri(path)
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body))?;
        let answer = at_once(self.router.clone().call(request))?;
        let (head, body) = answer?.into_parts();
        let text = |value: &header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into();
        let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value)));
        let body = at_once(axum::body::to_bytes(body, usize::MAX))??;
        Ok(LocalAnswer { status: head.status.as_u16(), headers: headers.collect(), body })
    }

    /// Does the next piece of work that was put off; whether there was one.
    pub fn work(&self) -> bool {
        self.studio.jobs.run_next()
    }
}

/// What comes of something that never waits: all is done on this one thread.
fn at_once<T>(future: impl Future<Output = T>) -> anyhow::Result<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Ok(done),
        Poll::Pending => anyhow::bail!("the studio waits for what will not come"),
    }
}
