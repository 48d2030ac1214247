//! What lies over a map: the region graph, clusters, sectors.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::draw;
use tidegate::hpa::LevelView;
use tidegate::region::Regions;

use super::{Asked, Named, hex, pair};
use crate::app::Studio;
use crate::document::engine_named;
use crate::fault::{Answer, Fault};

/// More edges inside clusters than this are not sent.
const MAX_INTRA: usize = 200_000;

pub(crate) async fn regions(
    State(studio): State<Arc<Studio>>,
    Named(id): Named<String>,
) -> Answer<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| {
        let (scene, status) = document.look();
        let regions = Regions::new(&scene.grid, &scene.parts);
        let mut edges = Vec::new();
        for gate in scene.parts.gates() {
            let zones = gate.zones();
            for (i, &a) in zones.iter().enumerate() {
                edges.extend(zones[i + 1..].iter().map(|&b| {
                    json!({
                        "gate": gate.id().index(),
                        "zones": [a.index(), b.index()],
                        "from": pair(regions.deepest(a)),
                        "via": pair(gate.line().middle()),
                        "to": pair(regions.deepest(b)),
                    })
                }));
            }
        }
        Ok(Json(json!({ "version": status.version, "edges": edges })))
    };
    studio.bench.run(work).await
}

#[derive(Deserialize)]
pub(crate) struct Which {
    engine: String,
}

pub(crate) async fn hpa(
    State(studio): State<Arc<Studio>>,
    Named(id): Named<String>,
    Asked(Which { engine }): Asked<Which>,
) -> Answer<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let engine = engine_named(&engine)?;
    let work = move |_: &_| {
        let (scene, status) = document.look();
        let index = document.tables.get(engine, &scene);
        let index = index.ok_or_else(|| Fault::not_built(engine.name()))?;
        let hpa = index.hpa(engine.name());
        let hpa = hpa.ok_or_else(|| Fault::refused("this engine has no clusters"))?;
        let level = |level: LevelView| {
            let left_out = level.intra.len().saturating_sub(MAX_INTRA);
            let intra = if left_out > 0 { Vec::new() } else { level.intra };
            json!({
                "cluster": level.side,
                "clusters": level.clusters,
                "nodes": level.nodes.iter().map(|&t| pair(t)).collect::<Vec<_>>(),
                "inter": level.inter,
                "intra_left_out": if left_out > 0 { left_out + MAX_INTRA } else { 0 },
                "intra": intra,
            })
        };
        let levels: Vec<Value> = hpa.view().into_iter().map(level).collect();
        Ok(Json(json!({ "version": status.version, "levels": levels })))
    };
    studio.bench.run(work).await
}

pub(crate) async fn sectors(
    State(studio): State<Arc<Studio>>,
    Named(id): Named<String>,
    Asked(Which { engine }): Asked<Which>,
) -> Answer<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let engine = engine_named(&engine)?;
    let work = move |_: &_| {
        let (scene, status) = document.look();
        let index = document.tables.get(engine, &scene);
        let index = index.ok_or_else(|| Fault::not_built(engine.name()))?;
        let state = index.sectors(engine.name());
        let state = state.ok_or_else(|| Fault::refused("this engine has no sectors"))?;
        let shapes = draw::sector_shapes(&scene.grid, state.ground, state.cover);
        let sectors: Vec<Value> = shapes
            .into_iter()
            .map(|shape| {
                let beside = state.cover.neighbours(shape.sector).iter();
                json!({
                    "id": shape.sector.index(),
                    "colour": hex(draw::shade(shape.shade)),
                    "shade": shape.shade,
                    "polygons": shape.borders,
                    "neighbours": beside.map(|s| s.index()).collect::<Vec<_>>(),
                })
            })
            .collect();
        let stops = state.ground.stops(state.cover);
        Ok(Json(json!({
            "version": status.version,
            "bounds": { "lower": state.bounds.lower(), "upper": state.bounds.upper() },
            "sectors": sectors,
            "stops": stops.into_iter().map(pair).collect::<Vec<_>>(),
        })))
    };
    studio.bench.run(work).await
}
