//! A map that is looked at and changed.
//!
//! What is now is an immutable [`Scene`]; a change makes another one and raises the version.
//! So whoever reads works on one consistent state, and a change either happens whole or not
//! at all. Every change can be taken back: the history holds which walls were toggled and
//! which gate lines became which. Walls change by edits of the index, so tables follow them;
//! those that fall behind are built again in the background.

mod change;
mod edit;
mod first_look;
mod history;
mod kept;
mod numbers;
mod scene;
mod tables;
mod unit;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tidegate::Index;
use tidegate::decompose::{WaterOptions, WaterStages};
use tidegate::grid::scen_file::Problem;
use web_time::Instant;

pub(crate) use change::Outcome;
pub(crate) use edit::{Edit, Pair, Whole, tile};
use history::History;
pub(crate) use numbers::Numbers;
pub(crate) use scene::{EditCost, Scene, difference};
use tables::Tending;
pub(crate) use tables::{Round, bare, engine_named};
pub(crate) use unit::LARGEST;
use unit::Unit;

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

impl Status {
    fn key(&self) -> (u64, u64) {
        (self.walls, self.gates)
    }
}

#[derive(Debug)]
struct Inner {
    version: u64,
    /// Made at the first look.
    scene: Option<Scene>,
    opened: Option<Scene>,
    /// The last other states, the latest last.
    kept: VecDeque<Scene>,
    /// When something was last changed.
    changed: Option<Instant>,
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
    /// The map as it came, with zones, gates and tables if it had them.
    original: Arc<Index>,
    /// Where unsaved work is kept, if anywhere; one keeps at a time.
    autosave: Mutex<Option<Autosave>>,
    inner: Mutex<Inner>,
    /// Held while the state of now is replaced: by a change, or by one with more tables.
    changing: Mutex<()>,
    tending: Mutex<Tending>,
    /// Makes sure that the first decomposition is made once.
    first_look: Mutex<()>,
    /// Depths and lakes of the latest walls that were asked for.
    water: Mutex<Option<(u64, Arc<WaterStages>)>>,
    /// What it follows, if it is a map for larger units.
    unit: Option<Unit>,
    /// The same map for larger units, by their size.
    units: Mutex<Vec<(u8, Arc<Document>)>>,
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
            scene: None,
            opened: None,
            kept: VecDeque::new(),
            changed: None,
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
            original: Arc::new(index),
            autosave: Mutex::new(autosave),
            inner: Mutex::new(inner),
            changing: Mutex::new(()),
            tending: Mutex::default(),
            first_look: Mutex::new(()),
            water: Mutex::new(None),
            unit: None,
            units: Mutex::default(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The map as it is now, be it looked at or not.
    pub(crate) fn index(&self) -> Index {
        let inner = self.inner();
        inner.scene.as_ref().map_or_else(|| (*self.original).clone(), |scene| scene.index.clone())
    }

    /// How many tiles the map has.
    pub(crate) fn tiles(&self) -> usize {
        self.original.grid().tiles()
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
        let (scene, status) = self.look()?;
        if status.version == version {
            Ok(scene)
        } else {
            Err(ApiError::stale(version, status.version))
        }
    }

    pub(crate) fn status(&self) -> Status {
        // A map for larger units is as new as the one that it follows.
        if self.unit.is_some()
            && let Ok((_, status)) = self.look()
        {
            return status;
        }
        self.inner().status()
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
                let stages = Arc::new(WaterStages::new(scene.grid(), &WaterOptions::default()));
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
