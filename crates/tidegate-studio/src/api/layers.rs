//! Layers of a map as bytes: sixteen bytes of head, then the tiles in row order.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use tidegate::decompose::Place;
use tidegate::{CellId, depth as depths};

use super::{PathParam, binary};
use crate::api_error::ApiResult;
use crate::app::Studio;
use crate::document::{Document, Scene};

pub(super) fn head(letters: &[u8; 4], numbers: [u32; 3]) -> Vec<u8> {
    let mut out = letters.to_vec();
    numbers.iter().for_each(|n| out.extend(n.to_le_bytes()));
    out
}

fn bits(out: &mut Vec<u8>, tiles: usize, ones: impl Iterator<Item = usize>) {
    let first = out.len();
    out.resize(first + tiles.div_ceil(8), 0);
    ones.for_each(|i| out[first + i / 8] |= 1 << (i % 8));
}

/// Numbers of two or four bytes, whichever is enough; `None` is all ones.
fn numbers(out: &mut Vec<u8>, wide: bool, values: impl Iterator<Item = Option<u32>>) {
    for value in values {
        match (wide, value) {
            (true, value) => out.extend(value.unwrap_or(u32::MAX).to_le_bytes()),
            (false, value) => out.extend(value.map_or(u16::MAX, |v| v as u16).to_le_bytes()),
        }
    }
}

async fn layer(
    studio: Arc<Studio>,
    id: &str,
    draw: impl FnOnce(&Document, &Scene) -> Vec<u8> + Send + 'static,
) -> ApiResult<Response> {
    let document = studio.shelf.get(id)?;
    let work = move |_: &_| {
        let (scene, status) = document.look()?;
        Ok(binary(status.version, draw(&document, &scene)))
    };
    studio.bench.run(work).await
}

pub(crate) async fn tiles(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Response> {
    layer(studio, &id, |_, scene| {
        let grid = scene.grid();
        let free = grid.free_tiles() as u32;
        let mut out = head(b"TGTI", [grid.width(), grid.height(), free]);
        bits(&mut out, grid.tiles(), grid.free_bits().ones());
        out
    })
    .await
}

pub(crate) async fn zones(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Response> {
    layer(studio, &id, |_, scene| {
        let (grid, parts) = (scene.grid(), &scene.parts);
        let (zones, gates) = (parts.zones().len(), parts.gates().len());
        let wide = zones + gates > usize::from(u16::MAX);
        let bytes = if wide { 4 } else { 2 };
        let mut out = head(b"TGZO", [bytes, zones as u32, gates as u32]);
        let code = |i: usize| match parts.place(CellId::from_index(i)) {
            Place::Wall => 0,
            Place::Zone(zone) => zone.index() + 1,
            Place::Gate(gate) => zones + gate.index() + 1,
        };
        numbers(&mut out, wide, (0..grid.tiles()).map(|i| Some(code(i) as u32)));
        out
    })
    .await
}

pub(crate) async fn depth(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Response> {
    layer(studio, &id, |_, scene| {
        let grid = scene.grid();
        let nearest = depths::nearest_walls(grid);
        let largest = nearest.iter().copied().max().unwrap_or(0).into();
        let mut out = head(b"TGDE", [grid.width(), grid.height(), largest]);
        numbers(&mut out, false, nearest.into_iter().map(|n| Some(n.into())));
        out
    })
    .await
}

pub(crate) async fn water(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Response> {
    layer(studio, &id, |document, scene| {
        let stages = document.water(scene);
        let (tiles, water) = (scene.grid().tiles(), &stages.water);
        let wide = water.lakes() >= u32::from(u16::MAX);
        let bytes = if wide { 4 } else { 2 };
        let mut out = head(b"TGWA", [stages.depth.max_level().into(), water.lakes(), bytes]);
        out.extend_from_slice(stages.depth.levels());
        out.resize(out.len().next_multiple_of(4), 0);
        numbers(&mut out, wide, (0..tiles).map(|i| water.lake(CellId::from_index(i))));
        bits(&mut out, tiles, water.gate_tiles().ones());
        out
    })
    .await
}
