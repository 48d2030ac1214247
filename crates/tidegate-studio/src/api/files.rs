//! Files: what is downloaded, loaded and saved.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tidegate::draw::{self, DrawOptions};
use tidegate::grid::TileMap;
use tidegate::{Decomposition, Grid, Index, Path, Tile};

use super::{FileBody, JsonBody, PathParam, QueryParams, file, tile_in};
use crate::api::edit;
use crate::api_error::{ApiError, ApiResult};
use crate::app::Studio;
use crate::document::Edit;
use crate::saved::{WALLS, ZONES};

const TIDE_SIGNATURE: &[u8] = b"\x89TIDE";
/// The most turning points of a path in a picture.
const MAX_TURNS: usize = 20_000;

#[derive(Deserialize)]
pub(crate) struct Against {
    version: u64,
}

/// Takes zones and gates from a file; the tables of a `.tide` come with them.
pub(crate) async fn load(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(Against { version }): QueryParams<Against>,
    FileBody(bytes): FileBody,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| {
        let scene = document.look_at(version)?;
        let edit = read(scene.grid(), &bytes)?;
        edit::changed(&document, version, &edit, false).map(Json)
    };
    studio.bench.run(work).await
}

fn read(grid: &Grid, bytes: &[u8]) -> ApiResult<Edit> {
    if !bytes.starts_with(TIDE_SIGNATURE) {
        let text = std::str::from_utf8(bytes).map_err(ApiError::refused)?;
        let parts = Decomposition::from_json(grid, text).map_err(ApiError::refused)?;
        return Ok(Edit::Load(Arc::new(parts)));
    }
    let index =
        Index::from_bytes_with(bytes, tidegate_sectors::ENGINES).map_err(ApiError::refused)?;
    if index.grid() != grid {
        return Err(ApiError::refused("the index is for another map, or for other walls"));
    }
    if index.decomposition().is_none() {
        return Err(ApiError::refused("the index has no zones and gates"));
    }
    Ok(Edit::LoadIndex(Box::new(index)))
}

pub(crate) async fn decomposition(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Response> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| {
        let (scene, _) = document.look()?;
        let name = format!("{}.zones.json", document.id);
        Ok(file("application/json", &name, scene.parts.to_json(scene.grid())))
    };
    studio.bench.run(work).await
}

pub(crate) async fn map(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
) -> ApiResult<Response> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| {
        let text = map_text(document.index().grid())?;
        Ok(file("text/plain; charset=utf-8", &format!("{}.map", document.id), text))
    };
    studio.bench.run(work).await
}

fn map_text(grid: &Grid) -> ApiResult<String> {
    let letter = |x: u32, y: u32| if grid.is_free_at(x as i32, y as i32) { b'.' } else { b'@' };
    let map = TileMap::from_fn(grid.width(), grid.height(), letter).map_err(ApiError::internal)?;
    Ok(map.to_map_string())
}

#[derive(Deserialize)]
pub(crate) struct Picture {
    #[serde(default)]
    labels: bool,
    /// Turning points, `X,Y;X,Y`.
    path: Option<String>,
}

pub(crate) async fn svg(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    QueryParams(asked): QueryParams<Picture>,
) -> ApiResult<Response> {
    let document = studio.shelf.get(&id)?;
    let turns: Vec<Tile> = match asked.path.as_deref() {
        None | Some("") => Vec::new(),
        Some(text) => text.split(';').take(MAX_TURNS).map(tile_in).collect::<ApiResult<_>>()?,
    };
    let work = move |_: &_| {
        let (scene, _) = document.look()?;
        let options = DrawOptions::default().with_scale(2).with_labels(asked.labels);
        let path = Path::from_tiles(turns);
        let svg =
            draw::numbered_svg(scene.grid(), &scene.parts, &scene.numbers.shown(), &path, &options);
        Ok(file("image/svg+xml", &format!("{}.svg", document.id), svg))
    };
    studio.bench.run(work).await
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum What {
    Json,
    Map,
}

#[derive(Deserialize)]
pub(crate) struct Save {
    version: u64,
    what: What,
    /// Whether files may be replaced that were not loaded or saved here.
    #[serde(default)]
    replace: bool,
}

pub(crate) async fn save(
    State(studio): State<Arc<Studio>>,
    PathParam(id): PathParam<String>,
    JsonBody(asked): JsonBody<Save>,
) -> ApiResult<Json<Value>> {
    let document = studio.shelf.get(&id)?;
    let work = move |_: &_| {
        document.check_changeable()?;
        let scene = document.look_at(asked.version)?;
        let mut new = Vec::new();
        if asked.what == What::Map || document.walls_differ(scene.grid()) {
            new.push((WALLS, map_text(scene.grid())?));
        }
        if asked.what == What::Json {
            new.push((ZONES, format!("{}\n", scene.parts.to_json(scene.grid()))));
        }
        // All are looked at before the first is written: saved is all or nothing.
        if !asked.replace {
            new.iter().try_for_each(|(end, text)| document.files.check(end, text.as_bytes()))?;
        }
        let files: Vec<PathBuf> = match &new[..] {
            [(WALLS, walls), (ZONES, zones)] => {
                document.files.write_both(walls.as_bytes(), zones.as_bytes())?
            }
            new => {
                let written =
                    new.iter().map(|(end, text)| document.files.write(end, text.as_bytes()));
                written.collect::<ApiResult<_>>()?
            }
        };
        if asked.what == What::Json {
            document.mark_saved(&scene);
        }
        Ok(Json(json!({
            "file": files.last().map(|f| shown(f)),
            "files": files.iter().map(|f| shown(f)).collect::<Vec<_>>(),
            "version": asked.version,
            "dirty": document.status().dirty,
        })))
    };
    studio.bench.run(work).await
}

pub(crate) fn shown(path: &FilePath) -> String {
    path.display().to_string()
}
