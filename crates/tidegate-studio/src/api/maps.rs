//! Which maps there are, and what they are made of.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::decompose::{Gate, Source};
use tidegate::engine::Promise;
use tidegate::region::Regions;
use tidegate::{Index, Movement, draw};

use super::files::shown;
use super::{FileBody, PathParam, QueryParams, hex, pair, tables};
use crate::api_error::{ApiError, ApiResult};
use crate::app::{Studio, UPLOAD, cores};
use crate::autosave::Recovery;
use crate::document::{Document, Scene, Whole};
use crate::saved::Beside;
use crate::{documents, trace, work};

/// Everything a page needs to begin.
pub(crate) async fn hello(State(studio): State<Arc<Studio>>) -> Json<Value> {
    let engines: Vec<Value> = tidegate_sectors::ENGINES
        .iter()
        .map(|e| {
            let costs = e.info().respects_costs;
            let promise = promise(e.promise());
            json!({ "name": e.name(), "about": e.about(), "promise": promise, "costs": costs })
        })
        .collect();
    let maps = studio.shelf.all();
    Json(json!({
        "program": "tidegate",
        "version": env!("CARGO_PKG_VERSION"),
        "first": maps.first().map(|d| d.id.clone()),
        "maps": maps.iter().map(|d| brief(d)).collect::<Vec<_>>(),
        "engines": engines,
        "limits": {
            "events": trace::MAX_EVENTS,
            "upload": UPLOAD,
            "tiles": documents::MAX_TILES,
            "cores": cores(),
        },
        "save_dir": cfg!(not(target_arch = "wasm32")),
    }))
}

pub(crate) fn promise(promise: Promise) -> &'static str {
    match promise {
        Promise::Optimal => "optimal",
        Promise::Approximate => "approximate",
    }
}

pub(crate) async fn list(State(studio): State<Arc<Studio>>) -> Json<Value> {
    let maps: Vec<Value> = studio.shelf.all().iter().map(|d| brief(d)).collect();
    Json(json!({ "maps": maps }))
}

fn brief(document: &Document) -> Value {
    let (index, status) = (document.index(), document.status());
    let grid = index.grid();
    json!({
        "id": document.id,
        "name": document.name,
        "origin": document.origin.name(),
        "width": grid.width(),
        "height": grid.height(),
        "free": grid.free_tiles(),
        "version": status.version,
        "dirty": status.dirty,
        "problems": document.problems().len(),
    })
}

#[derive(Deserialize)]
pub(crate) struct Upload {
    name: String,
    movement: Option<String>,
}

pub(crate) async fn upload(
    State(studio): State<Arc<Studio>>,
    QueryParams(asked): QueryParams<Upload>,
    FileBody(bytes): FileBody,
) -> ApiResult<(StatusCode, Json<Value>)> {
    let movement = match asked.movement.as_deref() {
        None => Movement::default(),
        Some(name) => Movement::from_name(name)
            .ok_or_else(|| ApiError::bad_request("there is no such rule of movement"))?,
    };
    let shelf = Arc::clone(&studio);
    let work = move |_: &_| shelf.shelf.upload(&asked.name, &bytes, movement);
    let id = studio.bench.run(work).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

pub(crate) async fn close(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<StatusCode> {
    studio.shelf.close(&id)?;
    studio.jobs.forget(&id);
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn state(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let jobs = studio.jobs.running(&id);
    // Taking in what was built is short, but not for the threads that answer; and searches must
    // not keep it waiting.
    let look = move || {
        let background = tables::background(&document);
        let mut state = json!(document.status());
        add_tables(&mut state, &document.index(), background);
        state["jobs"] = json!(jobs);
        Json(state)
    };
    work::apart(look).await
}

pub(crate) async fn one(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let jobs = studio.jobs.building(&id);
    let work = move |_: &_| {
        document.look()?;
        let background = tables::background(&document);
        let (scene, status) = document.look()?;
        let engines: Vec<Value> = tidegate_sectors::ENGINES
            .iter()
            .map(|e| {
                let ready = e.is_ready(&scene.index);
                let job = jobs.iter().find(|(name, _)| *name == e.name()).map(|(_, job)| job);
                json!({ "name": e.name(), "ready": ready, "job": job })
            })
            .collect();
        let mut about = json!(status);
        let regions = Regions::new(scene.grid(), &scene.parts);
        let zones: Vec<Value> =
            (0..scene.parts.zones().len()).map(|i| zone_facts(&scene, &regions, i)).collect();
        let rest = json!({
            "id": document.id,
            "unit": document.unit_size(),
            "name": document.name,
            "origin": document.origin.name(),
            "movement": scene.grid().movement().name(),
            "width": scene.grid().width(),
            "height": scene.grid().height(),
            "free": scene.grid().free_tiles(),
            "sample": document.sample().map(|(a, b)| json!({ "from": pair(a), "to": pair(b) })),
            "problems": document.problems().len(),
            "engines": engines,
            "zones": zones,
            "gate_list": scene.parts.gates().iter().map(|g| gate_facts(&scene, g)).collect::<Vec<_>>(),
            "method": scene.parts.method().name(),
            "raw_gates": scene.parts.raw_gates(),
            "saved": saved_facts(&document),
            "recovery": document.recovery().map(|recovery| recovery_facts(&recovery, &document)),
            "autosave_error": document.autosave_error(),
        });
        merge(&mut about, rest);
        add_tables(&mut about, &scene.index, background);
        Ok(Json(about))
    };
    studio.bench.run(work).await
}

/// Adds how the tables stand to the map.
fn add_tables(into: &mut Value, index: &Index, background: Value) {
    let tables = tables::tables(index);
    let more = json!({ "revision": index.revision(), "tables": tables, "background": background });
    merge(into, more);
}

/// Adds the fields of one object to another.
pub(crate) fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}

/// Which saved work lay beside the map: what was loaded, or what could not be.
fn saved_facts(document: &Document) -> Value {
    match document.beside() {
        Beside::Nothing => json!({ "loaded": null, "unfit": null }),
        Beside::Work { parts, files, .. } => {
            let files: Vec<String> = files.iter().map(|file| shown(file)).collect();
            let (zones, gates) = (parts.live_zones().count(), parts.gates().len());
            let loaded = json!({ "files": files, "zones": zones, "gates": gates });
            json!({ "loaded": loaded, "unfit": null })
        }
        Beside::Unfit { file, why } => {
            json!({ "loaded": null, "unfit": { "file": shown(&file), "why": why } })
        }
    }
}

fn recovery_facts(recovery: &Recovery, document: &Document) -> Value {
    let Whole { grid, parts, .. } = &*recovery.whole;
    json!({
        "time": recovery.time,
        "zones": parts.live_zones().count(),
        "gates": parts.gates().len(),
        "walls_differ": document.walls_differ(grid),
    })
}

pub(crate) fn zone_facts(scene: &Scene, regions: &Regions<'_>, id: usize) -> Value {
    let (zone, shade) = (&scene.parts.zones()[id], scene.numbers.shade(id));
    let (centroid, deepest) = (regions.centroid(zone.id()), regions.deepest(zone.id()));
    json!({
        "id": id,
        "number": scene.numbers.zone(id),
        "area": zone.area(),
        "shade": shade,
        "colour": hex(draw::shade(shade)),
        "centroid": [centroid.0, centroid.1],
        "deepest": pair(deepest),
        "altitude": regions.altitude(deepest),
        "bounds": regions.bounds(zone.id()),
        "gates": zone.gates().iter().map(|g| g.index()).collect::<Vec<_>>(),
        "pocket": zone.is_pocket(),
    })
}

pub(crate) fn gate_facts(scene: &Scene, gate: &Gate) -> Value {
    json!({
        "id": gate.id().index(),
        "number": scene.numbers.gate(gate.id().index()),
        "a": pair(gate.a()),
        "b": pair(gate.b()),
        "width": gate.width(),
        "span": gate.line().span(),
        "middle": pair(gate.line().middle()),
        "zones": gate.zones().iter().map(|z| z.index()).collect::<Vec<_>>(),
        "separates": gate.separates(),
        "source": match gate.source() {
            Source::Automatic => "automatic",
            Source::Manual => "manual",
        },
    })
}
