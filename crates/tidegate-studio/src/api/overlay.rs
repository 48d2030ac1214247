//! What lies over a map: the region graph, clusters, sectors.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::hpa::LevelView;
use tidegate::region::Regions;
use tidegate::{Index, draw};

use super::{PathParam, QueryParams, hex, pair, versioned_json};
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;
use crate::document::{Scene, engine_named};

/// More edges inside clusters than this are not sent.
const MAX_INTRA: usize = 200_000;

pub(crate) async fn regions(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Json<Value>> {
    versioned_json(&studio, &id, move |_, scene| {
        let regions = Regions::new(scene.grid(), &scene.parts);
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
        Ok(json!({ "edges": edges }))
    })
    .await
}

#[derive(Deserialize)]
pub(crate) struct Which {
    engine: String,
}

/// What the tables of an engine show, if they are built.
async fn of_tables(
    studio: &Studio,
    id: &str,
    engine: &str,
    show: fn(&Scene, &Index, &str) -> ApiResult<Value>,
) -> ApiResult<Json<Value>> {
    let engine = engine_named(engine)?;
    versioned_json(studio, id, move |_, scene| {
        if !engine.is_ready(&scene.index) {
            return Err(ApiError::not_built(engine.name()));
        }
        show(scene, &scene.index, engine.name())
    })
    .await
}

pub(crate) async fn hpa(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(Which { engine }): QueryParams<Which>,
) -> ApiResult<Json<Value>> {
    of_tables(&studio, &id, &engine, |_, index, engine| {
        let hpa = tidegate::hpa::Hpa::in_index(index, engine);
        let hpa = hpa.ok_or_else(|| ApiError::refused("this engine has no clusters"))?;
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
        Ok(json!({ "levels": levels }))
    })
    .await
}

pub(crate) async fn sectors(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(Which { engine }): QueryParams<Which>,
) -> ApiResult<Json<Value>> {
    of_tables(&studio, &id, &engine, |scene, index, engine| {
        let state = tidegate_sectors::initial_sectors(index, engine);
        let state = state.ok_or_else(|| ApiError::refused("this engine has no sectors"))?;
        let shapes = tidegate_sectors::draw::sector_shapes(scene.grid(), state.ground, state.cover);
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
        Ok(json!({
            "bounds": { "lower": state.bounds.lower(), "upper": state.bounds.upper() },
            "sectors": sectors,
            "stops": stops.into_iter().map(pair).collect::<Vec<_>>(),
        }))
    })
    .await
}
