//! The changes that a page can ask for.

use std::sync::Arc;

use serde::Deserialize;
use tidegate::decompose::{EditError, Editor, GateEnd, GateId, GateLine, WaterOptions, ZoneId};
use tidegate::{CellId, Decomposition, Grid, Tile};

use super::history::Change;
use super::{Numbers, Scene};
use crate::api_error::{ApiError, ApiResult};

/// The most tiles of one stroke.
const MAX_STROKE: usize = 65_536;

/// A tile as the page writes it.
pub(crate) type Pair = (u16, u16);

/// One change.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Edit {
    AddGate {
        from: Pair,
        to: Pair,
    },
    MoveEnd {
        gate: u32,
        end: EndName,
        to: Pair,
    },
    RemoveGate {
        gate: u32,
    },
    MergeZones {
        a: u32,
        b: u32,
    },
    SplitZone {
        zone: u32,
    },
    Paint {
        tiles: Vec<Pair>,
        free: bool,
    },
    Decompose {
        method: MethodName,
        #[serde(default = "yes")]
        clean: bool,
        #[serde(default)]
        hallways: bool,
    },
    Undo,
    Redo,
    Revert,
    /// The map as its file has it, without saved work.
    Original,
    /// Zones and gates from a file.
    #[serde(skip)]
    Load(Arc<Decomposition>),
    /// Walls, zones and gates all at once.
    #[serde(skip)]
    Whole(Arc<Whole>),
}

/// Walls, zones and gates that take the place of what is now.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    pub(crate) grid: Arc<Grid>,
    pub(crate) parts: Arc<Decomposition>,
    pub(crate) numbers: Arc<Numbers>,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EndName {
    A,
    B,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MethodName {
    Water,
    Rooms,
}

/// What a change leads to.
pub(super) struct Made {
    pub(super) scene: Scene,
    pub(super) change: Change,
    /// The gate that was added or moved.
    pub(super) gate: Option<usize>,
}

pub(crate) fn tile((x, y): Pair) -> Tile {
    Tile::new(x, y)
}

impl Edit {
    /// The state after this change of `now`. What is new gets the number `version`.
    pub(super) fn apply(
        &self,
        now: &Scene,
        opened: &Scene,
        done: Option<&Change>,
        undone: Option<&Change>,
        version: u64,
    ) -> ApiResult<Made> {
        let mut gate = None;
        let mut toggled = Vec::new();
        let new = match self {
            Edit::Undo => done.ok_or(ApiError::nothing("there is nothing to undo"))?.before(now)?,
            Edit::Redo => {
                undone.ok_or(ApiError::nothing("there is nothing to redo"))?.after(now)?
            }
            Edit::Revert => {
                toggled = difference(&now.grid, &opened.grid);
                opened.clone()
            }
            Edit::Paint { tiles, free } => {
                toggled = stroke(&now.grid, tiles, *free)?;
                painted(now, &toggled, *free, version)?
            }
            Edit::Decompose { method, clean, hallways } => {
                let parts = decomposed(&now.grid, *method, *clean, *hallways);
                renumbered(now, Arc::new(parts), version)
            }
            Edit::Load(parts) => renumbered(now, Arc::clone(parts), version),
            Edit::Whole(whole) => {
                toggled = difference(&now.grid, &whole.grid);
                let Whole { grid, parts, numbers } = (**whole).clone();
                let walls = if toggled.is_empty() { now.walls } else { version };
                Scene { grid, parts, numbers, walls, gates: version }
            }
            _ => {
                let mut editor =
                    Editor::new(&now.grid, (*now.parts).clone()).map_err(ApiError::internal)?;
                let done = self.edit_gates(&mut editor);
                gate = done.map_err(|why| refusal(&why, &now.numbers))?.map(GateId::index);
                let parts = Arc::new(editor.into_decomposition());
                let numbers = Arc::new(now.numbers.carried(&now.parts, &parts));
                Scene { parts, numbers, gates: version, ..now.clone() }
            }
        };
        // Equal states keep their number, so that nothing is built or fetched again.
        if toggled.is_empty() && new.grid == now.grid && new.parts == now.parts {
            return Err(ApiError::refused("this changes nothing"));
        }
        let change = Change::between(now, &new, toggled);
        Ok(Made { scene: new, change, gate })
    }

    fn edit_gates(&self, editor: &mut Editor<'_>) -> Result<Option<GateId>, EditError> {
        let gate_id = |gate: u32| GateId::from_index(gate as usize);
        let zone_id = |zone: u32| ZoneId::from_index(zone as usize);
        match *self {
            Edit::AddGate { from, to } => editor.add_gate(tile(from), tile(to)).map(Some),
            Edit::MoveEnd { gate, end, to } => {
                let end = if matches!(end, EndName::A) { GateEnd::A } else { GateEnd::B };
                editor.move_end(gate_id(gate), end, tile(to)).map(|()| Some(gate_id(gate)))
            }
            Edit::RemoveGate { gate } => editor.remove_gate(gate_id(gate)).map(|()| None),
            Edit::MergeZones { a, b } => editor.merge_zones(zone_id(a), zone_id(b)).map(|()| None),
            Edit::SplitZone { zone } => editor.split_zone(zone_id(zone)).map(Some),
            _ => Ok(None),
        }
    }
}

/// Why an edit is refused, in the numbers that people see.
fn refusal(why: &EditError, numbers: &Numbers) -> ApiError {
    let zone = |id: ZoneId| numbers.zone(id.index());
    match *why {
        EditError::NotNeighbours(a, b) if a == b => {
            ApiError::refused(format!("zone {} cannot be merged with itself", zone(a)))
        }
        EditError::NotNeighbours(a, b) => {
            ApiError::refused(format!("no gate lies between zones {} and {}", zone(a), zone(b)))
        }
        EditError::Undividable(id) => {
            ApiError::refused(format!("no straight line divides zone {}", zone(id)))
        }
        _ => ApiError::refused(why),
    }
}

/// Other zones and gates on the same ground, numbered as the library does.
fn renumbered(now: &Scene, parts: Arc<Decomposition>, version: u64) -> Scene {
    let numbers = Arc::new(Numbers::new(&now.grid, &parts));
    Scene { parts, numbers, gates: version, ..now.clone() }
}

fn decomposed(grid: &Grid, method: MethodName, clean: bool, hallways: bool) -> Decomposition {
    match method {
        MethodName::Rooms => Decomposition::rooms(grid),
        MethodName::Water => {
            let options = if clean { WaterOptions::default() } else { WaterOptions::raw() };
            Decomposition::water(grid, &options.with_hallways(hallways))
        }
    }
}

/// The tiles of a stroke that it changes, each once.
fn stroke(grid: &Grid, tiles: &[Pair], free: bool) -> ApiResult<Vec<CellId>> {
    if tiles.len() > MAX_STROKE {
        return Err(ApiError::refused(format!("a stroke has at most {MAX_STROKE} tiles")));
    }
    let mut cells = Vec::with_capacity(tiles.len());
    for &pair in tiles {
        let outside = || ApiError::refused(format!("tile {} lies outside the map", tile(pair)));
        let cell = grid.cell(tile(pair)).ok_or_else(outside)?;
        if grid.is_free_cell(cell) != free {
            cells.push(cell);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    if cells.is_empty() {
        return Err(ApiError::refused("this changes nothing"));
    }
    Ok(cells)
}

/// The tiles that are wall in one of two maps and free in the other.
pub(crate) fn difference(one: &Grid, other: &Grid) -> Vec<CellId> {
    one.free_bits().symmetric_difference(other.free_bits()).map(CellId::from_index).collect()
}

/// The walls changed; gates that run into a wall keep their free stretches.
fn painted(now: &Scene, cells: &[CellId], free: bool, version: u64) -> ApiResult<Scene> {
    let mut grid = (*now.grid).clone();
    cells.iter().for_each(|&cell| {
        grid.set_free(grid.tile(cell), free);
    });
    let lines: Vec<GateLine> = now.parts.lines().flat_map(|line| stretches(&grid, line)).collect();
    let parts = Decomposition::from_gates(&grid, lines).map_err(ApiError::refused)?;
    let parts = parts.with_origin(now.parts.method(), now.parts.raw_gates());
    let numbers = Arc::new(now.numbers.carried(&now.parts, &parts));
    let (grid, parts) = (Arc::new(grid), Arc::new(parts));
    Ok(Scene { grid, parts, numbers, walls: version, gates: version })
}

/// The longest pieces of a line that can be gates of this map.
fn stretches(grid: &Grid, line: GateLine) -> Vec<GateLine> {
    let mut pieces: Vec<GateLine> = Vec::new();
    for tile in line.tiles() {
        let alone = GateLine::new(tile, tile, line.source());
        if alone.check(grid).is_err() {
            continue;
        }
        let last = pieces.last_mut();
        let longer = last.as_ref().map(|piece| GateLine::new(piece.a(), tile, line.source()));
        match (last, longer) {
            (Some(piece), Some(longer)) if longer.check(grid).is_ok() => *piece = longer,
            _ => pieces.push(alone),
        }
    }
    pieces
}
