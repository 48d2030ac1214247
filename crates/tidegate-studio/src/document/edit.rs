//! The changes that a page can ask for.

use std::sync::Arc;

use serde::Deserialize;
use tidegate::decompose::{EditError, Editor, GateEnd, GateId, WaterOptions, ZoneId};
use tidegate::{CellId, Decomposition, Grid, Index, Tile};

use super::history::Change;
use super::scene::{difference, toggled, turned_into};
use super::{EditCost, Numbers, Scene};
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
    /// Zones, gates and tables from a file.
    #[serde(skip)]
    LoadIndex(Box<Index>),
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
    /// What changing the walls took, if they were changed.
    pub(super) cost: Option<EditCost>,
}

/// States that a change may lead back to.
pub(super) struct Past<'a> {
    pub(super) opened: &'a Scene,
    /// Some of the last, with their tables.
    pub(super) kept: &'a [Scene],
    /// The last change, and the last that was taken back.
    pub(super) done: Option<&'a Change>,
    pub(super) undone: Option<&'a Change>,
}

pub(crate) fn tile((x, y): Pair) -> Tile {
    Tile::new(x, y)
}

impl Edit {
    /// The state after this change of `now`. What is new gets the number `version`.
    pub(super) fn apply(&self, now: &Scene, past: &Past<'_>, version: u64) -> ApiResult<Made> {
        let (mut gate, mut cost) = (None, None);
        let mut cells = Vec::new();
        let new = match self {
            Edit::Undo | Edit::Redo => {
                let made = self.replay(now, past)?;
                cost = made.1;
                made.0
            }
            Edit::Revert => {
                cells = difference(now.grid(), past.opened.grid());
                past.opened.clone().with_tables_of(&now.index)
            }
            Edit::Paint { tiles, free } => {
                cells = stroke(now.grid(), tiles, *free)?;
                let (index, took) = toggled(&now.index, &cells)?;
                cost = Some(took);
                now.edited(index, version)?
            }
            Edit::Decompose { method, clean, hallways } => {
                let parts = decomposed(now.grid(), *method, *clean, *hallways);
                renumbered(now, &parts, version)?
            }
            Edit::Load(parts) => renumbered(now, parts, version)?,
            Edit::LoadIndex(index) => {
                let scene = Scene::new((**index).clone(), (now.walls, version))?;
                scene.with_tables_of(&now.index)
            }
            Edit::Whole(whole) => {
                let Whole { grid, parts, numbers } = &**whole;
                cells = difference(now.grid(), grid);
                let walls = if cells.is_empty() { now.walls } else { version };
                let (index, took) = turned_into(&now.index, grid, parts)?;
                cost = took;
                Scene::new(index, (walls, version))?.with_numbers(numbers)
            }
            _ => {
                let mut editor =
                    Editor::new(now.grid(), (*now.parts).clone()).map_err(ApiError::internal)?;
                let done = self.edit_gates(&mut editor);
                let id = done.map_err(|why| refusal(&why, &now.numbers))?;
                let new = now.divided(editor.into_decomposition(), version)?;
                gate = id.and_then(|id| new.gate_at(id));
                new
            }
        };
        // Equal states keep their number, so that nothing is built or fetched again.
        if cells.is_empty() && new.grid() == now.grid() && new.parts == now.parts {
            return Err(ApiError::refused("this changes nothing"));
        }
        let change = Change::between(now, &new, cells);
        Ok(Made { scene: new, change, gate, cost })
    }

    /// Goes one change back or forth: to a state that was kept, else by the inverse edit.
    fn replay(&self, now: &Scene, past: &Past<'_>) -> ApiResult<(Scene, Option<EditCost>)> {
        let back = matches!(self, Edit::Undo);
        let (change, none) = match back {
            true => (past.done, "there is nothing to undo"),
            false => (past.undone, "there is nothing to redo"),
        };
        let change = change.ok_or(ApiError::nothing(none))?;
        let key = if back { change.key_before() } else { change.key_after() };
        match past.kept.iter().chain([past.opened]).find(|scene| scene.key() == key) {
            Some(kept) => Ok((kept.clone().with_tables_of(&now.index), None)),
            None if back => change.before(now),
            None => change.after(now),
        }
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
fn renumbered(now: &Scene, parts: &Decomposition, version: u64) -> ApiResult<Scene> {
    let (index, _) = turned_into(&now.index, now.grid(), parts)?;
    Scene::new(index, (now.walls, version))
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
