//! One tile, one zone, one gate, one way over the region graph: the numbers bots ask for.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::cost::Cost;
use tidegate::decompose::{GateId, Place};
use tidegate::grid::component::Components;
use tidegate::region::Regions;
use tidegate::search::{Blind, GridSpace, HeapQueue, SearchScratch, search};
use tidegate::{Decomposition, Tile};

use super::{PathParam, QueryParams, maps, pair, tile_in, versioned_json};
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;
use crate::document::Scene;

#[derive(Deserialize)]
pub(crate) struct At {
    x: u16,
    y: u16,
}

pub(crate) async fn tile(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(At { x, y }): QueryParams<At>,
) -> ApiResult<Json<Value>> {
    versioned_json(&studio, &id, move |document, scene| {
        let (grid, tile) = (scene.grid(), Tile::new(x, y));
        let outside = || ApiError::refused(format!("tile {tile} lies outside the map"));
        let cell = grid.cell(tile).ok_or_else(outside)?;
        let regions = Regions::new(grid, &scene.parts);
        let stages = document.water(scene);
        let (place, zone, gate) = match scene.parts.place(cell) {
            Place::Wall => ("wall", None, None),
            Place::Zone(zone) => ("zone", Some(zone.index()), None),
            Place::Gate(gate) => ("gate", None, Some(gate.index())),
        };
        let components = Components::of(grid);
        let component = components.number(cell).map(|number| {
            let tiles = components.sizes().get(number as usize);
            json!({ "id": number, "tiles": tiles })
        });
        let factor = grid.factors().map_or(100, |factors| factors[cell.index()].hundredths());
        let moves = grid.neighbours(cell).map(|(_, direction)| format!("{direction:?}"));
        Ok(json!({
            "tile": pair(tile),
            "free": grid.is_free(tile),
            "cost": f64::from(factor) / 100.0,
            "altitude": regions.altitude(tile),
            "level": stages.depth.level(cell),
            "lake": stages.water.lake(cell),
            "place": place,
            "zone": zone,
            "gate": gate,
            "nearest_gate": regions.nearest_gate(tile).map(GateId::index),
            "component": component,
            "moves": moves.collect::<Vec<_>>(),
        }))
    })
    .await
}

pub(crate) async fn zone(
    State(studio): State<Arc<Studio>>,
    PathParam((id, number)): PathParam<(String, usize)>,
) -> ApiResult<Json<Value>> {
    versioned_json(&studio, &id, move |_, scene| {
        let zone = scene.parts.zones().get(number);
        let zone = zone.ok_or_else(|| ApiError::not_found("there is no such zone"))?;
        let regions = Regions::new(scene.grid(), &scene.parts);
        let outline = regions.outline(zone.id());
        let corner = |i: usize| outline[i % outline.len()];
        let perimeter: u32 = (0..outline.len())
            .map(|i| (corner(i), corner(i + 1)))
            .map(|(a, b)| u32::from(a.0.abs_diff(b.0)) + u32::from(a.1.abs_diff(b.1)))
            .sum();
        let beside = regions.neighbours(zone.id());
        let mut others: Vec<usize> = beside.iter().map(|(_, z)| z.index()).collect();
        others.sort_unstable();
        others.dedup();
        let mut facts = maps::zone_facts(scene, &regions, number);
        let neighbours =
            beside.iter().map(|(g, z)| json!({ "gate": g.index(), "zone": z.index() }));
        let more = json!({
            "outline": outline,
            "neighbours": neighbours.collect::<Vec<_>>(),
            "perimeter": perimeter,
            "share": f64::from(zone.area()) / scene.grid().free_tiles().max(1) as f64,
            "dead_end": others.len() == 1,
        });
        maps::merge(&mut facts, more);
        Ok(facts)
    })
    .await
}

pub(crate) async fn gate(
    State(studio): State<Arc<Studio>>,
    PathParam((id, number)): PathParam<(String, usize)>,
) -> ApiResult<Json<Value>> {
    versioned_json(&studio, &id, move |_, scene| {
        let parts = &scene.parts;
        let gate = parts.gates().get(number);
        let gate = gate.ok_or_else(|| ApiError::not_found("there is no such gate"))?;
        let beside = gate.zones().iter().map(|zone| {
            let zone = &parts.zones()[zone.index()];
            json!({ "zone": zone.id().index(), "area": zone.area(), "gates": zone.gates().len() })
        });
        let mut facts = maps::gate_facts(scene, gate);
        let more = json!({
            "tiles": gate.tiles().iter().map(|&c| pair(scene.grid().tile(c))).collect::<Vec<_>>(),
            "bridge": is_bridge(parts, number),
            "beside": beside.collect::<Vec<_>>(),
            "touches": gate.gates().iter().map(|g| g.index()).collect::<Vec<_>>(),
            "distances": distances(scene, number),
        });
        maps::merge(&mut facts, more);
        Ok(facts)
    })
    .await
}

/// Whether zones that meet at a gate are apart without it: over the other gates no way leads
/// from one to the other.
fn is_bridge(parts: &Decomposition, number: usize) -> bool {
    let zones = parts.zones().len();
    let mut group: Vec<usize> = (0..zones + parts.gates().len()).collect();
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    for (i, gate) in parts.gates().iter().enumerate().filter(|(i, _)| *i != number) {
        let zones_beside = gate.zones().iter().map(|z| z.index());
        let gates_beside = gate.gates().iter().map(|g| g.index());
        let gates_beside = gates_beside.filter(|&g| g != number).map(|g| zones + g);
        for other in zones_beside.chain(gates_beside) {
            let (a, b) = (root(&mut group, zones + i), root(&mut group, other));
            group[a] = b;
        }
    }
    let beside = parts.gates()[number].zones();
    let roots: Vec<usize> = beside.iter().map(|z| root(&mut group, z.index())).collect();
    roots.iter().any(|r| *r != roots[0])
}

/// The true distances from the middle of a gate to the middles of the gates around its zones.
fn distances(scene: &Scene, number: usize) -> Vec<Value> {
    let (grid, parts) = (scene.grid(), &scene.parts);
    let gate = &parts.gates()[number];
    let Some(middle) = grid.cell(gate.line().middle()) else { return Vec::new() };
    let mut wanted: Vec<(usize, usize, u32)> = Vec::new();
    for zone in gate.zones() {
        for other in parts.zones()[zone.index()].gates().iter().filter(|g| g.index() != number) {
            let far = grid.cell(parts.gates()[other.index()].line().middle());
            wanted.extend(far.map(|c| (other.index(), zone.index(), c.index() as u32)));
        }
    }
    let mut left: Vec<u32> = wanted.iter().map(|w| w.2).collect();
    left.sort_unstable();
    left.dedup();
    let mut scratch: SearchScratch<Cost, HeapQueue<Cost>> = SearchScratch::new();
    let mut count = left.len();
    let last = |node: u32| {
        count -= usize::from(left.binary_search(&node).is_ok());
        count == 0
    };
    let sources = [(middle.index() as u32, Cost::ZERO)];
    search(&GridSpace::new(grid), &sources, last, &mut Blind, &mut scratch, &mut ());
    wanted
        .into_iter()
        .filter_map(|(other, zone, cell)| {
            let length = scratch.cost(cell)?.tiles();
            Some(json!({ "gate": other, "zone": zone, "length": length }))
        })
        .collect()
}

#[derive(Deserialize)]
pub(crate) struct Ends {
    pub(super) from: String,
    pub(super) to: String,
}

pub(crate) async fn route(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(Ends { from, to }): QueryParams<Ends>,
) -> ApiResult<Json<Value>> {
    let (from, to) = (tile_in(&from)?, tile_in(&to)?);
    versioned_json(&studio, &id, move |_, scene| {
        let route = Regions::new(scene.grid(), &scene.parts).route(from, to);
        let gates = route.map(|gates| gates.iter().map(|g| g.index()).collect::<Vec<_>>());
        Ok(json!({ "gates": gates }))
    })
    .await
}
