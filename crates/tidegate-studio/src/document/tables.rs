//! The tables of engines, kept by the state they were built for.
//!
//! Every engine has an index of its own, so that a change of gates drops only the tables that
//! rest on gates.

use std::sync::{Arc, Mutex, PoisonError};

use tidegate::engine::Engine;
use tidegate::index::Table;
use tidegate::{Decomposition, Grid, Index};

use super::Scene;
use crate::api_error::{ApiError, ApiResult};

/// States that an engine's tables are kept for: now, and before the last change.
const KEPT: usize = 2;

type Key = (u64, u64);

#[derive(Debug)]
struct Entry {
    engine: &'static str,
    key: Key,
    index: Arc<Index>,
}

/// What was built for one map; the latest last.
#[derive(Debug, Default)]
pub(crate) struct Tables(Mutex<Vec<Entry>>);

/// The engine of a name.
pub(crate) fn engine_named(name: &str) -> ApiResult<&'static dyn Engine> {
    let unknown = || {
        let name: String = name.chars().take(40).collect();
        ApiError::refused(format!("there is no engine {name:?}"))
    };
    tidegate_sectors::by_name(name).ok_or_else(unknown)
}

/// Whether an engine's tables are lost when gates change.
fn rests_on_gates(engine: &dyn Engine) -> bool {
    engine.tables().iter().any(|table| table.depends_on(Decomposition::KIND))
}

/// The state that an engine's tables depend on.
fn key(engine: &dyn Engine, scene: &Scene) -> Key {
    (scene.walls, if rests_on_gates(engine) { scene.gates } else { 0 })
}

impl Tables {
    fn entries(&self) -> std::sync::MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables of an engine for a state, if they were built.
    pub(crate) fn get(&self, engine: &dyn Engine, scene: &Scene) -> Option<Arc<Index>> {
        let key = key(engine, scene);
        let entries = self.entries();
        let found = entries.iter().find(|e| e.engine == engine.name() && e.key == key);
        found.map(|entry| Arc::clone(&entry.index))
    }

    /// Builds the tables of an engine for a state, unless they are there. Takes its time.
    pub(crate) fn build(
        &self,
        engine: &'static dyn Engine,
        scene: &Scene,
    ) -> ApiResult<Arc<Index>> {
        if let Some(index) = self.get(engine, scene) {
            return Ok(index);
        }
        let mut index = bare(&scene.grid, &scene.parts)?;
        index.prepare(engine).map_err(ApiError::refused)?;
        let index = Arc::new(index);
        self.put(engine.name(), key(engine, scene), Arc::clone(&index));
        Ok(index)
    }

    /// Keeps all tables of an index that was opened for a state.
    pub(crate) fn adopt(&self, (walls, gates): Key, index: Arc<Index>) {
        for engine in tidegate_sectors::ENGINES.iter().filter(|engine| engine.is_ready(&index)) {
            let gates = if rests_on_gates(*engine) { gates } else { 0 };
            self.put(engine.name(), (walls, gates), Arc::clone(&index));
        }
    }

    fn put(&self, engine: &'static str, key: Key, index: Arc<Index>) {
        let mut entries = self.entries();
        entries.retain(|e| e.engine != engine || e.key != key);
        entries.push(Entry { engine, key, index });
        let of_engine = entries.iter().filter(|e| e.engine == engine).count();
        if of_engine > KEPT
            && let Some(oldest) = entries.iter().position(|e| e.engine == engine)
        {
            entries.remove(oldest);
        }
    }
}

/// A map with its zones and gates and nothing else.
pub(crate) fn bare(grid: &Grid, parts: &Decomposition) -> ApiResult<Index> {
    let mut index = Index::new(grid.clone());
    index.set_decomposition(parts.clone()).map_err(ApiError::internal)?;
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What engines declare is what they lose.
    #[test]
    fn tables_that_rest_on_gates_are_those_lost_with_them() {
        let grid = Grid::from_rows(&["............"; 12]).unwrap();
        let mut resting = 0;
        for engine in tidegate_sectors::ENGINES {
            let mut index = Index::new(grid.clone());
            let parts = index.decompose().clone();
            index.prepare(*engine).unwrap();
            index.set_decomposition(parts).unwrap();
            assert_eq!(rests_on_gates(*engine), !engine.is_ready(&index), "{}", engine.name());
            resting += usize::from(rests_on_gates(*engine));
        }
        assert!((1..tidegate_sectors::ENGINES.len()).contains(&resting), "{resting}");
    }
}
