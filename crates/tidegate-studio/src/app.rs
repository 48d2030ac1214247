//! The studio as a whole, and the one table of its routes.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{MethodRouter, delete, get, post};

use crate::api::{
    edit, field, files, inspect, jobs as job_api, layers, maps, overlay, problems, recovery,
    search, walk,
};
use crate::api_error::ApiError;
use crate::autosave::Session;
use crate::documents::{Documents, Opened};
use crate::jobs::Jobs;
use crate::work::WorkPool;

/// The largest upload.
pub(crate) const UPLOAD: usize = 64 << 20;
/// The largest of other bodies.
pub(crate) const BODY: usize = 1 << 20;

/// How a studio is set up.
#[derive(Debug)]
pub struct Settings {
    /// The maps given at start, besides the bundled ones.
    pub maps: Vec<Opened>,
    /// Where bundled and uploaded maps are saved.
    pub folder: PathBuf,
    /// Where unsaved work is kept, so that it outlives the program; `None` keeps none.
    pub state: Option<PathBuf>,
    /// Hosts that requests may name, each with its port.
    pub hosts: Vec<String>,
    /// What the page must know to be answered.
    pub token: String,
}

/// Everything that is open and running.
#[derive(Debug)]
pub struct Studio {
    pub(crate) shelf: Documents,
    pub(crate) jobs: Jobs,
    pub(crate) bench: WorkPool,
    /// Who may ask; a page without a server asks nobody else.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code))]
    pub(crate) hosts: Vec<String>,
    #[cfg_attr(target_arch = "wasm32", expect(dead_code))]
    pub(crate) token: String,
}

impl Studio {
    /// Opens the maps.
    pub fn new(settings: Settings) -> anyhow::Result<Arc<Studio>> {
        let Settings { maps, folder, state, hosts, token } = settings;
        // Work can be done without; the page then asks before it is left.
        let session = state.and_then(|folder| Session::begin(&folder).ok());
        let shelf = Documents::new(maps, folder, session)?;
        let (jobs, bench) = (Jobs::new(), WorkPool::new(cores()));
        Ok(Arc::new(Studio { shelf, jobs, bench, hosts, token }))
    }

    /// Checks every decomposition that was looked at.
    pub fn check(&self) -> Result<(), String> {
        for document in self.shelf.all() {
            let Some(scene) = document.seen() else { continue };
            let id = &document.id;
            scene.parts.check(scene.grid()).map_err(|broken| format!("{id}: {broken}"))?;
        }
        Ok(())
    }
}

pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// All routes of the interface: methods, path, handlers.
fn table() -> Vec<(&'static str, &'static str, MethodRouter<Arc<Studio>>)> {
    let upload = DefaultBodyLimit::max(UPLOAD);
    vec![
        ("GET", "/api", get(maps::hello)),
        ("GET POST", "/api/maps", get(maps::list).merge(post(maps::upload).layer(upload))),
        ("GET DELETE", "/api/maps/{id}", get(maps::one).merge(delete(maps::close))),
        ("GET", "/api/maps/{id}/state", get(maps::state)),
        ("GET", "/api/maps/{id}/tiles", get(layers::tiles)),
        ("GET", "/api/maps/{id}/zones", get(layers::zones)),
        ("GET", "/api/maps/{id}/depth", get(layers::depth)),
        ("GET", "/api/maps/{id}/water", get(layers::water)),
        ("GET", "/api/maps/{id}/field", get(field::field)),
        ("GET", "/api/maps/{id}/regions", get(overlay::regions)),
        ("GET", "/api/maps/{id}/hpa", get(overlay::hpa)),
        ("GET", "/api/maps/{id}/sectors", get(overlay::sectors)),
        ("GET", "/api/maps/{id}/tile", get(inspect::tile)),
        ("GET", "/api/maps/{id}/zones/{n}", get(inspect::zone)),
        ("GET", "/api/maps/{id}/gates/{n}", get(inspect::gate)),
        ("GET", "/api/maps/{id}/route", get(inspect::route)),
        ("GET", "/api/maps/{id}/walk", get(walk::walk)),
        ("POST", "/api/maps/{id}/search", post(search::search)),
        ("POST", "/api/maps/{id}/trace", post(search::trace)),
        ("POST", "/api/maps/{id}/posthoc", post(search::posthoc)),
        ("POST", "/api/maps/{id}/edit", post(edit::edit)),
        ("POST", "/api/maps/{id}/load", post(files::load).layer(upload)),
        ("GET", "/api/maps/{id}/decomposition", get(files::decomposition)),
        ("GET", "/api/maps/{id}/map", get(files::map)),
        ("GET", "/api/maps/{id}/svg", get(files::svg)),
        ("POST", "/api/maps/{id}/save", post(files::save)),
        (
            "POST DELETE",
            "/api/maps/{id}/recovery",
            post(recovery::restore).merge(delete(recovery::discard)),
        ),
        (
            "GET POST",
            "/api/maps/{id}/problems",
            get(problems::list).merge(post(problems::put).layer(upload)),
        ),
        ("POST", "/api/maps/{id}/jobs", post(job_api::start)),
        ("GET", "/api/jobs", get(job_api::list)),
        ("GET DELETE", "/api/jobs/{n}", get(job_api::one).merge(delete(job_api::cancel))),
        ("GET", "/api/jobs/{n}/file", get(job_api::file)),
    ]
}

/// Methods and paths of all routes and of the page's files, for tests that walk over them.
#[cfg(not(target_arch = "wasm32"))]
pub fn routes() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        table().iter().map(|(methods, path, _)| (methods.to_string(), path.to_string())).collect();
    all.push(("GET".into(), "/".into()));
    all.extend(crate::page::files().into_iter().map(|path| ("GET".to_owned(), path)));
    all
}

/// The studio as a service. A server serves the page too, and stands behind its guard.
pub fn router(studio: Arc<Studio>) -> Router {
    let wrong_method = || async {
        ApiError::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "method", "not with this method")
    };
    let routes = table()
        .into_iter()
        .fold(Router::new(), |router, (_, path, methods)| router.route(path, methods))
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY));
    #[cfg(not(target_arch = "wasm32"))]
    let routes = guarded(routes, &studio);
    routes.with_state(studio)
}

/// Routes and page behind the guard.
#[cfg(not(target_arch = "wasm32"))]
fn guarded(routes: Router<Arc<Studio>>, studio: &Arc<Studio>) -> Router<Arc<Studio>> {
    use tower_http::catch_panic::CatchPanicLayer;
    use tower_http::compression::CompressionLayer;
    use tower_http::csrf::CsrfLayer;

    use crate::{guard, page};

    let csrf = CsrfLayer::new().with_rejection_response(|_| guard::cross_site());
    routes
        .fallback(page::serve)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(guard::broke_down))
        .layer(csrf)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(studio), guard::admit))
        .layer(axum::middleware::from_fn(guard::dress))
}
