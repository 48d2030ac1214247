//! Tables of a map's index: built when they are wanted, and built again in the background after
//! edits of the map, while the map is looked at and changed.

use std::sync::{MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use tidegate::background::BackgroundError;
use tidegate::engine::Engine;
use tidegate::index::{TableKind, TableState};
use tidegate::{Decomposition, Grid, Index};
use web_time::Instant;

use super::scene::take_tables;
use super::{Document, Scene};
use crate::api_error::{ApiError, ApiResult};
use crate::work::{self, Background};

/// How long nothing must have changed before tables are built again: strokes come in series.
const PAUSE: Duration = Duration::from_millis(600);
/// How often somebody who waits for tables looks.
const LOOK: Duration = Duration::from_millis(20);

/// Tables that are built again, and what came of those before.
#[derive(Debug, Default)]
pub(super) struct Tending {
    background: Background,
    /// The state and the time at which the work that is under way began.
    began: Option<((u64, u64), Instant)>,
    /// A state whose tables cannot be built.
    given_up: Option<(u64, u64)>,
    last: Round,
}

/// What came of building tables again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Round {
    /// Counts how often it was done.
    pub(crate) number: u64,
    pub(crate) seconds: f64,
    pub(crate) built: Vec<&'static TableKind>,
    /// Tables that there are none of any more, and why.
    pub(crate) failed: Vec<(&'static TableKind, String)>,
}

/// The engine of a name.
pub(crate) fn engine_named(name: &str) -> ApiResult<&'static dyn Engine> {
    let unknown = || {
        let name: String = name.chars().take(40).collect();
        ApiError::refused(format!("there is no engine {name:?}"))
    };
    tidegate_sectors::by_name(name).ok_or_else(unknown)
}

/// Whether an engine has everything it would build, as good as new.
fn is_fresh(engine: &dyn Engine, index: &Index) -> bool {
    let is_current = |kind: &&TableKind| index.table_state(kind) == Some(TableState::Current);
    engine.is_ready(index) && engine.tables().iter().all(is_current)
}

/// Whether a table of an engine waits to be built again.
fn is_due(engine: &dyn Engine, index: &Index) -> bool {
    let wants = |kind: &&TableKind| index.table_state(kind).is_some_and(|s| s.wants_rebuild());
    engine.tables().iter().any(wants)
}

/// Builds everything an engine wants that is missing or not as good as new.
fn freshen(engine: &dyn Engine, index: &mut Index) -> ApiResult<()> {
    for kind in engine.tables() {
        let state = index.table_state(kind);
        if state.is_some_and(TableState::wants_rebuild) {
            let built = index.build_again_apart(kind).map_err(ApiError::refused)?;
            index.adopt(built).map_err(ApiError::internal)?;
        }
    }
    index.prepare(engine).map_err(ApiError::refused)
}

impl Document {
    /// An index of a state in which the tables of an engine are as good as new. They are built
    /// if need be, which takes its time, and are then there for others too. `go_on` is asked
    /// while waiting.
    pub(crate) fn build(
        &self,
        engine: &'static dyn Engine,
        scene: &Scene,
        go_on: impl Fn() -> ApiResult<()>,
    ) -> ApiResult<Index> {
        let mut index = self.held(scene);
        // What the background is building anyway need not be built twice.
        let is_current = || self.status().key() == scene.key();
        while is_due(engine, &index) && is_current() && self.tend() && work::pause(LOOK) {
            go_on()?;
            index = self.held(scene);
        }
        if !is_fresh(engine, &index) {
            freshen(engine, &mut index)?;
            self.hand_out(scene.key(), &index);
        }
        Ok(index)
    }

    /// The index of a state, with all that was built for it meanwhile.
    fn held(&self, scene: &Scene) -> Index {
        let inner = self.inner();
        let mut held = inner.scene.iter().chain(&inner.opened).chain(&inner.kept);
        let found = held.find(|held| held.key() == scene.key());
        found.map_or_else(|| scene.index.clone(), |held| held.index.clone())
    }

    /// Gives tables to all states of a key, and to that of now, as far as it can use them.
    fn hand_out(&self, key: (u64, u64), index: &Index) {
        let _changing = self.changing();
        let mut inner = self.inner();
        let inner = &mut *inner;
        if let Some(now) = &mut inner.scene {
            take_tables(&mut now.index, index);
        }
        let same = inner.opened.iter_mut().chain(&mut inner.kept).filter(|held| held.key() == key);
        same.for_each(|held| take_tables(&mut held.index, index));
    }

    /// Held while the state of now is replaced.
    pub(super) fn changing(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what was built in the background into the state of now, and begins to build what
    /// edits have left behind. Short; to be called once in a while. Tells whether there is more
    /// to come.
    pub(crate) fn tend(&self) -> bool {
        let _changing = match self.changing.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
            Err(TryLockError::WouldBlock) => return true,
        };
        let mut tending = self.tending();
        let (mut index, key, idle) = {
            let inner = self.inner();
            let Some(scene) = &inner.scene else { return false };
            (scene.index.clone(), scene.key(), inner.changed.is_none_or(|at| at.elapsed() > PAUSE))
        };
        let had_work = tending.background.is_working();
        let finished = tending.background.poll(&mut index);
        for done in &finished {
            match &done.result {
                Ok(_) => tending.last.built.push(done.table),
                Err(BackgroundError::Build(why)) => {
                    tending.last.failed.push((done.table, why.to_string()));
                }
                // The map has changed too much since: it is built once more.
                Err(_) => {}
            }
        }
        if !finished.is_empty()
            && let Some(scene) = &mut self.inner().scene
        {
            scene.index = index.clone();
        }
        if had_work && !tending.background.is_working() {
            tending.end_round(key, !index.want_rebuild().is_empty());
        }
        let wanted = !index.want_rebuild().is_empty() && tending.given_up != Some(key);
        if wanted && idle && tending.background.start(&index) {
            tending.began = Some((key, Instant::now()));
            tending.last.built.clear();
            tending.last.failed.clear();
        }
        wanted || tending.background.is_working()
    }

    fn tending(&self) -> MutexGuard<'_, Tending> {
        self.tending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether tables are being built again now, and what came of it the last time.
    pub(crate) fn rounds(&self) -> (bool, Round) {
        let tending = self.tending();
        (tending.background.is_working(), tending.last.clone())
    }
}

impl Tending {
    /// The work is done; what still wants to be built though nothing has changed cannot be.
    fn end_round(&mut self, now: (u64, u64), wanted: bool) {
        if let Some((key, began)) = self.began.take() {
            self.last.number += 1;
            self.last.seconds = began.elapsed().as_secs_f64();
            self.given_up = (wanted && key == now).then_some(key);
        }
    }
}

/// A map with its zones and gates and nothing else.
pub(crate) fn bare(grid: &Grid, parts: &Decomposition) -> ApiResult<Index> {
    let mut index = Index::new(grid.clone());
    index.set_decomposition(parts.clone()).map_err(ApiError::internal)?;
    Ok(index)
}
