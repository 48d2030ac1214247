//! Searches: the answer, and every step on the way to it.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::cost::Cost;
use tidegate::engine::Engine;
use tidegate::grid::CostLayer;
use tidegate::region::Regions;
use tidegate::search::Recorder;
use tidegate::straighten::Waypoints;
use tidegate::{Answer as Found, Index, Outcome, Path, Query, Scratch, draw};
use tidegate_sectors::Way;
use web_time::Instant;

use super::danger::{self, Disc};
use super::{JsonBody, PathParam, binary, file, maps, pair};
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;
use crate::document::{Document, Pair, Scene, Status, engine_named, tile};
use crate::times::Times;
use crate::trace::{Tracer, Watch};
use crate::work::Stop;

/// The most expansions of one search.
const MAX_BUDGET: u64 = 100_000_000;
/// The most events of a trace for the Posthoc visualiser, which is wordy.
const MAX_POSTHOC: usize = 200_000;
/// How long a request waits for tables that are being built.
const PATIENCE: Duration = Duration::from_millis(400);
/// Searches quicker than this are timed by repeating them with nobody watching.
const QUICK: Duration = Duration::from_millis(100);

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SearchRequest {
    engine: String,
    from: Pair,
    to: Pair,
    #[serde(default)]
    budget: Option<u64>,
    /// Danger to go around, if that is cheaper.
    #[serde(default)]
    costs: Vec<Disc>,
}

impl SearchRequest {
    fn query<'a>(&self, costs: Option<&'a CostLayer>) -> Query<'a> {
        let budget = self.budget.unwrap_or(MAX_BUDGET).min(MAX_BUDGET);
        let mut query = Query::new(tile(self.from), tile(self.to)).with_budget(budget);
        query.costs = costs;
        query
    }
}

/// A state of a map with the tables of an engine.
struct Ready {
    scene: Scene,
    status: Status,
}

/// Whether an engine can be asked: it has its tables, or an edit has overtaken them and another
/// engine answers until they are built again.
fn can_answer(engine: &dyn Engine, index: &Index) -> bool {
    engine.is_ready(index) || index.is_stale(engine)
}

/// The tables of an engine; they are built if need be, and an answer may have to wait.
async fn ready(
    studio: &Studio,
    document: &Arc<Document>,
    engine: &'static dyn Engine,
) -> ApiResult<Result<Ready, Response>> {
    let look = || {
        let document = Arc::clone(document);
        studio.bench.run(move |_| document.look())
    };
    let (scene, status) = look().await?;
    if can_answer(engine, &scene.index) {
        return Ok(Ok(Ready { scene, status }));
    }
    let job = studio.jobs.build(document, &scene, engine)?;
    job.wait(PATIENCE).await;
    let (scene, status) = look().await?;
    if can_answer(engine, &scene.index) {
        return Ok(Ok(Ready { scene, status }));
    }
    if let Some(why) = job.failure() {
        return Err(ApiError::refused(why));
    }
    let waiting = json!({ "job": job.number, "engine": engine.name() });
    Ok(Err((StatusCode::ACCEPTED, Json(waiting)).into_response()))
}

/// Reads the question, gets the tables, does the work.
async fn with_tables(
    studio: Arc<Studio>,
    id: &str,
    ask: SearchRequest,
    work: impl FnOnce(&Ready, &'static dyn Engine, &SearchRequest, &Stop) -> ApiResult<Response>
    + Send
    + 'static,
) -> ApiResult<Response> {
    let document = studio.shelf.get(id)?;
    let engine = engine_named(&ask.engine)?;
    match ready(&studio, &document, engine).await? {
        Ok(ready) => studio.bench.run(move |stop| work(&ready, engine, &ask, stop)).await,
        Err(wait) => Ok(wait),
    }
}

pub(crate) async fn search(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    JsonBody(ask): JsonBody<SearchRequest>,
) -> ApiResult<Response> {
    with_tables(studio, &id, ask, answer).await
}

fn answer(
    ready: &Ready,
    engine: &'static dyn Engine,
    ask: &SearchRequest,
    stop: &Stop,
) -> ApiResult<Response> {
    let layer = danger::layer(ready.scene.grid(), &ask.costs)?;
    let query = ask.query(layer.as_ref());
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let index = &ready.scene.index;
    let clock = Instant::now();
    let mut watch = Watch::new(stop, None);
    let found = index
        .find_observed(engine, &query, &mut scratch, &mut path, Some(&mut watch))
        .map_err(ApiError::refused)?;
    let time = clock.elapsed();
    let sectors = tidegate_sectors::sectors(&scratch, engine.name()).is_some();
    // Sectors adapt to every query, so theirs is the one time that counts.
    let times = if time < QUICK && !sectors {
        let again = || index.find(engine, &query, &mut scratch, &mut path).map(drop);
        Times::repeat(time, again).map_err(ApiError::refused)?
    } else {
        Times::of(vec![time.as_secs_f64() * 1e6])
    };
    let mut value = answer_json(engine, &found, &path);
    maps::merge(&mut value, json!(times));
    let regions = Regions::new(ready.scene.grid(), &ready.scene.parts);
    let gates = regions.gates_on(path.tiles());
    // A straight line must not lead through danger that the path goes around.
    let costly = layer.as_ref().map(|layer| layer.applied_to(ready.scene.grid()));
    let costly = costly.transpose().map_err(ApiError::internal)?;
    let walk = path.straightened(costly.as_ref().unwrap_or(ready.scene.grid())).ok();
    maps::merge(
        &mut value,
        json!({
            "version": ready.status.version,
            "answered_by": index.answered_by(engine, &query).map_err(ApiError::refused)?,
            "waypoints": walk.iter().flat_map(|walk| walk.iter().copied()).map(pair).collect::<Vec<_>>(),
            "walk": walk.as_ref().map(Waypoints::length),
            "gates": gates.iter().map(|g| g.index()).collect::<Vec<_>>(),
            "hpa": hpa(index, engine, &scratch),
            "sectors": sector_trip(engine, &scratch),
        }),
    );
    Ok(Json(value).into_response())
}

fn answer_json(engine: &dyn Engine, found: &Found, path: &Path) -> Value {
    let (status, cost) = match found.outcome {
        Outcome::Found(cost) => ("found", Some(cost)),
        Outcome::Unreachable => ("unreachable", None),
        Outcome::Stopped => ("stopped", None),
    };
    let (length, stats) = (path.length(), found.stats);
    json!({
        "engine": engine.name(),
        "promise": maps::promise(engine.promise()),
        "status": status,
        "length": cost.map(|_| length.value()),
        "cost": cost.map(Cost::get),
        "straight": length.straight,
        "diagonal": length.diagonal,
        "expanded": stats.expanded,
        "reexpanded": stats.reexpanded,
        "generated": stats.generated,
        "peak_open": stats.peak_open,
        "path": path.tiles().iter().map(|&t| pair(t)).collect::<Vec<_>>(),
        "turns": path.turning_points().map(pair).collect::<Vec<_>>(),
    })
}

fn hpa(index: &Index, engine: &dyn Engine, scratch: &Scratch) -> Option<Value> {
    let graph = tidegate::hpa::Hpa::in_index(index, engine.name())?;
    let (level, nodes) = scratch.last::<tidegate::hpa::HpaScratch>()?.abstract_path(graph);
    let effort = scratch.last::<tidegate::hpa::HpaScratch>()?.effort();
    Some(json!({
        "level": level,
        "nodes": nodes.into_iter().map(pair).collect::<Vec<_>>(),
        "insertion": effort.insertion.expanded,
        "main": effort.main.expanded,
        "refinement": effort.refinement.expanded,
        "smoothing": effort.smoothing.expanded,
    }))
}

fn sector_trip(engine: &dyn Engine, scratch: &Scratch) -> Option<Value> {
    let state = tidegate_sectors::sectors(scratch, engine.name())?;
    let route = state.trip.route.iter().map(|visit| {
        json!({ "sector": visit.sector.index(), "ticks": visit.ticks, "aimed": visit.aimed })
    });
    let way = match state.trip.way {
        Way::SameSector => "same-sector",
        Way::Basic => "basic",
        Way::Guided => "guided",
        Way::Fallback => "fallback",
    };
    Some(json!({
        "way": way,
        "route": route.collect::<Vec<_>>(),
        "expanded": state.trip.expanded.iter().map(|s| s.index()).collect::<Vec<_>>(),
        "ticks": state.trip.ticks,
        "bounds": { "lower": state.bounds.lower(), "upper": state.bounds.upper() },
        "inside": state.tally.inside(),
    }))
}

pub(crate) async fn trace(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    JsonBody(ask): JsonBody<SearchRequest>,
) -> ApiResult<Response> {
    with_tables(studio, &id, ask, |ready, engine, ask, stop| {
        let grid = ready.scene.grid();
        let layer = danger::layer(grid, &ask.costs)?;
        let query = ask.query(layer.as_ref());
        let mut watch = Watch::new(stop, Some(Tracer::new(grid.tiles())));
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let index = &ready.scene.index;
        let found = index
            .find_observed(engine, &query, &mut scratch, &mut path, Some(&mut watch))
            .map_err(ApiError::refused)?;
        let bytes = watch.into_bytes(grid, &query, &found.stats);
        Ok(binary(ready.status.version, bytes))
    })
    .await
}

pub(crate) async fn posthoc(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    JsonBody(ask): JsonBody<SearchRequest>,
) -> ApiResult<Response> {
    let name = format!("{id}-{}.trace.json", ask.engine);
    with_tables(studio, &id, ask, move |ready, engine, ask, _| {
        let layer = danger::layer(ready.scene.grid(), &ask.costs)?;
        let query = ask.query(layer.as_ref());
        let mut seen = Recorder::new(MAX_POSTHOC);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let index = &ready.scene.index;
        index
            .find_observed(engine, &query, &mut scratch, &mut path, Some(&mut seen))
            .map_err(ApiError::refused)?;
        let mut bytes = Vec::new();
        let ends = (query.start, query.goal);
        draw::posthoc(&mut bytes, ready.scene.grid(), ends, &seen, |_| ())
            .map_err(ApiError::internal)?;
        let mut answer = file("application/json", &name, bytes);
        // The page tells people when this is less than all.
        let head = answer.headers_mut();
        head.insert("x-tidegate-events", HeaderValue::from(seen.events.len()));
        head.insert("x-tidegate-all-events", HeaderValue::from(seen.seen));
        Ok(answer)
    })
    .await
}
