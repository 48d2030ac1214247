//! A client without sockets: requests go straight through the router.
#![allow(dead_code)]

pub(crate) mod wire;

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tidegate_studio::{Settings, Studio, router};
use tower::ServiceExt as _;

pub(crate) const HOST: &str = "127.0.0.1:8123";
pub(crate) const TOKEN: &str = "00112233445566778899aabbccddeeff0011223344556677";

/// A studio with the bundled maps that saves into a folder of its own.
pub(crate) struct Client {
    pub studio: Arc<Studio>,
    pub router: Router,
    /// The folder that vanishes with the client; not where it was given one.
    pub folder: tempfile::TempDir,
}

pub(crate) struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("not JSON ({e}): {:?}", &self.body))
    }

    /// The code of an error; empty if it is none.
    pub(crate) fn code(&self) -> String {
        let value: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        value["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The u32 at an offset of a binary answer.
    pub(crate) fn number(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.body[at..at + 4].try_into().unwrap())
    }
}

impl Client {
    pub(crate) fn new() -> Client {
        let folder = tempfile::tempdir().unwrap();
        let client = Client::at(folder.path(), None);
        Client { folder, ..client }
    }

    /// A studio that saves into a folder and keeps unsaved work in another.
    pub(crate) fn at(folder: &Path, state: Option<&Path>) -> Client {
        let studio = Studio::new(Settings {
            maps: Vec::new(),
            folder: folder.to_path_buf(),
            state: state.map(Path::to_path_buf),
            hosts: vec![HOST.to_owned(), "localhost:8123".to_owned(), "[::1]:8123".to_owned()],
            token: TOKEN.to_owned(),
        });
        let studio = studio.unwrap();
        let folder = tempfile::tempdir().unwrap();
        Client { router: router(Arc::clone(&studio)), studio, folder }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// A request as the page sends it.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: impl Into<Body>) -> Reply {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", HOST)
            .header("origin", format!("http://{HOST}"))
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/json")
            .header("x-tidegate-token", TOKEN);
        self.send(request.body(body.into()).unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, Body::empty()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.ask("POST", path, body.to_string()).await
    }

    /// Asks again while tables are being built.
    pub(crate) async fn search(&self, path: &str, body: Value) -> Reply {
        loop {
            let reply = self.post(path, body.clone()).await;
            if reply.status != StatusCode::ACCEPTED {
                return reply;
            }
            self.job(reply.json()["job"].as_u64().unwrap()).await;
        }
    }

    /// Waits for a job and returns its report.
    pub(crate) async fn job(&self, number: u64) -> Value {
        loop {
            let job = self.get(&format!("/api/jobs/{number}")).await.json();
            if !matches!(job["state"].as_str(), Some("waiting" | "running")) {
                return job;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// Starts a job and waits for its result.
    pub(crate) async fn result(&self, map: &str, order: Value) -> Value {
        let reply = self.post(&format!("/api/maps/{map}/jobs"), order).await;
        assert_eq!(reply.status, StatusCode::ACCEPTED, "{:?}", reply.body);
        let job = self.job(reply.json()["job"].as_u64().unwrap()).await;
        assert_eq!(job["state"], "done", "{job}");
        job["result"].clone()
    }

    pub(crate) async fn version(&self, map: &str) -> u64 {
        self.get(&format!("/api/maps/{map}/state")).await.json()["version"].as_u64().unwrap()
    }

    /// Makes an edit against the version of now.
    pub(crate) async fn edit(&self, map: &str, mut edit: Value) -> Reply {
        edit["version"] = json!(self.version(map).await);
        self.post(&format!("/api/maps/{map}/edit"), edit).await
    }
}
