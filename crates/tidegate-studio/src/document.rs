//! A map that is looked at and changed.
//!
//! What is now is an immutable [`Scene`]; a change makes another one and raises the version.
//! So whoever reads works on one consistent state, and a change either happens whole or not
//! at all. Every change can be taken back: the history holds which walls were toggled and
//! which gate lines became which.

mod edit;
mod first_look;
mod history;
mod kept;
mod numbers;
mod tables;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tidegate::decompose::{WaterOptions, WaterStages};
use tidegate::grid::scen_file::Problem;
use tidegate::{Decomposition, Grid, Index};

pub(crate) use edit::{Edit, Pair, Whole, difference, tile};
use history::{Change, History};
pub(crate) use numbers::Numbers;
pub(crate) use tables::{Tables, bare, engine_named};

use crate::api_error::{ApiError, ApiResult};
use crate::autosave::{Autosave, Recovery};
use crate::saved::{Beside, SavedFiles};

/// Where a map came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Bundled,
    File,
    Upload,
}

impl Origin {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Origin::Bundled => "bundled",
            Origin::File => "file",
            Origin::Upload => "upload",
        }
    }
}

/// One state of a map. The numbers of walls and gates are the versions that made them; equal
/// numbers mean equal walls, or zones and gates.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) grid: Arc<Grid>,
    pub(crate) parts: Arc<Decomposition>,
    pub(crate) numbers: Arc<Numbers>,
    pub(crate) walls: u64,
    pub(crate) gates: u64,
}

impl Scene {
    /// What distinguishes this state from others of the same map.
    pub(crate) fn key(&self) -> (u64, u64) {
        (self.walls, self.gates)
    }
}

/// What a page has to know before it asks for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Status {
    pub(crate) version: u64,
    pub(crate) walls: u64,
    pub(crate) gates: u64,
    pub(crate) dirty: bool,
    /// Whether the changes that are not saved are kept on disk.
    pub(crate) autosaved: bool,
    pub(crate) undo: usize,
    pub(crate) redo: usize,
}

#[derive(Debug)]
struct Inner {
    version: u64,
    grid: Arc<Grid>,
    /// Made at the first look.
    scene: Option<Scene>,
    opened: Option<Scene>,
    /// The saved work that lay beside the map at the first look.
    beside: Beside,
    /// The state that is on disk, or that the map was opened with.
    saved: (u64, u64),
    /// The version that was last kept; 0 if none.
    autosaved: u64,
    /// Why the last change could not be kept.
    autosave_error: Option<String>,
    /// Unsaved work of earlier studios, to be decided on before anything is changed.
    recoveries: VecDeque<Recovery>,
    history: History,
    problems: Arc<Vec<Problem>>,
}

/// A map on the shelf.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) origin: Origin,
    /// Where it is saved.
    pub(crate) files: SavedFiles,
    pub(crate) tables: Tables,
    /// The map as it came, with zones, gates and tables if it had them.
    original: Arc<Index>,
    /// Where unsaved work is kept, if anywhere; one keeps at a time.
    autosave: Mutex<Option<Autosave>>,
    inner: Mutex<Inner>,
    /// Makes sure that the first decomposition is made once.
    first_look: Mutex<()>,
    /// Depths and lakes of the latest walls that were asked for.
    water: Mutex<Option<(u64, Arc<WaterStages>)>>,
}

impl Document {
    /// A map as it was opened. Tables that the index holds are kept.
    pub(crate) fn new(
        id: String,
        name: String,
        origin: Origin,
        files: SavedFiles,
        autosave: Option<Autosave>,
        index: Index,
        problems: Vec<Problem>,
    ) -> Document {
        let inner = Inner {
            version: 1,
            grid: Arc::new(index.grid().clone()),
            scene: None,
            opened: None,
            beside: Beside::Nothing,
            saved: (1, 1),
            autosaved: 0,
            autosave_error: None,
            recoveries: VecDeque::new(),
            history: History::default(),
            problems: Arc::new(problems),
        };
        Document {
            id,
            name,
            origin,
            files,
            tables: Tables::default(),
            original: Arc::new(index),
            autosave: Mutex::new(autosave),
            inner: Mutex::new(inner),
            first_look: Mutex::new(()),
            water: Mutex::new(None),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The walls as they are now.
    pub(crate) fn grid(&self) -> Arc<Grid> {
        Arc::clone(&self.inner().grid)
    }

    pub(crate) fn problems(&self) -> Arc<Vec<Problem>> {
        Arc::clone(&self.inner().problems)
    }

    pub(crate) fn set_problems(&self, problems: Vec<Problem>) {
        self.inner().problems = Arc::new(problems);
    }

    /// What is now, if anybody has looked at it.
    pub(crate) fn seen(&self) -> Option<Scene> {
        self.inner().scene.clone()
    }

    /// The state at a version, if it is that of now.
    pub(crate) fn look_at(&self, version: u64) -> ApiResult<Scene> {
        let (scene, status) = self.look();
        if status.version == version {
            Ok(scene)
        } else {
            Err(ApiError::stale(version, status.version))
        }
    }

    pub(crate) fn status(&self) -> Status {
        self.inner().status()
    }

    /// The state it was opened with.
    pub(crate) fn opened(&self) -> Scene {
        let (now, _) = self.look();
        self.inner().opened.clone().unwrap_or(now)
    }

    /// The state before the last change; what is now if there was none.
    pub(crate) fn previous(&self) -> ApiResult<Scene> {
        let (now, _) = self.look();
        let change = self.inner().history.last().cloned();
        change.map_or_else(|| Ok(now.clone()), |change| change.before(&now))
    }

    /// Makes a change that was made against a version; `dry` only tells what would be. The
    /// work is done on the state as it was looked at, so that others can go on reading; if
    /// another change came first, this one is stale.
    pub(crate) fn change(
        &self,
        version: u64,
        edit: &Edit,
        dry: bool,
    ) -> ApiResult<(Scene, Status, Option<usize>)> {
        let now = self.look_at(version)?;
        let (done, undone) = {
            let inner = self.inner();
            if !dry && !inner.recoveries.is_empty() {
                return Err(ApiError::undecided());
            }
            (inner.history.last().cloned(), inner.history.next().cloned())
        };
        self.change_from((now, version), edit, (done, undone), dry)
    }

    /// The same from a state that was looked at.
    fn change_from(
        &self,
        (now, version): (Scene, u64),
        edit: &Edit,
        (done, undone): (Option<Change>, Option<Change>),
        dry: bool,
    ) -> ApiResult<(Scene, Status, Option<usize>)> {
        let opened = self.opened();
        let original;
        let edit = match edit {
            Edit::Original => {
                let (grid, parts) = (self.original.grid(), self.original_parts());
                let numbers = Arc::new(Numbers::new(grid, &parts));
                let grid = Arc::new(grid.clone());
                original = Edit::Whole(Arc::new(Whole { grid, parts, numbers }));
                &original
            }
            edit => edit,
        };
        let made = edit.apply(&now, &opened, done.as_ref(), undone.as_ref(), version + 1)?;
        let mut inner = self.inner();
        if inner.version != version {
            return Err(ApiError::stale(version, inner.version));
        }
        if dry {
            return Ok((made.scene, inner.status(), made.gate));
        }
        inner.version += 1;
        match edit {
            Edit::Undo => inner.history.step_back(),
            Edit::Redo => inner.history.step_forward(),
            _ => inner.history.push(made.change),
        }
        inner.grid = Arc::clone(&made.scene.grid);
        inner.scene = Some(made.scene.clone());
        let mut status = inner.status();
        drop(inner);
        status.autosaved = self.keep();
        Ok((made.scene, status, made.gate))
    }

    /// Remembers that a state is on disk now.
    pub(crate) fn mark_saved(&self, scene: &Scene) {
        self.inner().saved = scene.key();
        self.keep();
    }

    /// Depths and lakes of a state's walls.
    pub(crate) fn water(&self, scene: &Scene) -> Arc<WaterStages> {
        let mut water = self.water.lock().unwrap_or_else(PoisonError::into_inner);
        match &*water {
            Some((walls, stages)) if *walls == scene.walls => Arc::clone(stages),
            _ => {
                let stages = Arc::new(WaterStages::new(&scene.grid, &WaterOptions::default()));
                *water = Some((scene.walls, Arc::clone(&stages)));
                stages
            }
        }
    }
}

impl Inner {
    fn status(&self) -> Status {
        let key = self.scene.as_ref().map_or((1, 1), Scene::key);
        let (undo, redo) = self.history.depth();
        let dirty = key != self.saved;
        Status {
            version: self.version,
            walls: key.0,
            gates: key.1,
            dirty,
            autosaved: dirty && self.autosaved == self.version,
            undo,
            redo,
        }
    }
}
