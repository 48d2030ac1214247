//! `jps`: jump point search. Its tables are the map's own bits, so they are built in the
//! time it takes to look at every tile once.

use std::sync::Arc;

use super::{Jps, JpsMap};
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::CellId;
use crate::index::{
    Answer, Edit, Engine, EngineInfo, EngineScratch, FindContext, FindResult, Index, QueryError,
    QueryObserver, Refused, ResolvedQuery, Table, TableKind, TableState,
};

#[derive(Debug)]
pub(crate) struct JpsEngine;

static INFO: EngineInfo = EngineInfo::optimal(
    "jps",
    "jump point search, 64 tiles at a time; tables built in milliseconds",
);

/// The section is empty: the bits of the map are made again in one pass.
impl Table for JpsMap {
    type Options = ();
    const NAME: &'static str = "rows of bits";
    const TAG: [u8; 4] = *b"jps ";

    fn build(index: &Index, (): &()) -> Result<JpsMap, Refused> {
        JpsMap::new(index.grid()).map_err(|error| Refused(format!("{error}; use astar")))
    }

    fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
        if index.grid().factors().is_some() {
            return TableState::Stale;
        }
        if !edit.walls().is_empty() {
            Arc::make_mut(table).update(index.grid(), edit.walls());
        }
        TableState::Current
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, _: &mut Writer) {}

    fn read(_: &mut Reader<'_>, index: &Index, (): &()) -> Result<JpsMap, WireError> {
        JpsMap::new(index.grid()).map_err(|error| WireError::meaning(error.to_string()))
    }
}

impl EngineScratch for Jps {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl Engine for JpsEngine {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        &[JpsMap::KIND]
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let grid = query.index.grid();
        let map: &JpsMap = query.index.table().ok_or_else(|| self.not_built())?;
        let mut observer = QueryObserver::new(query, observer);
        let jps: &mut Jps = scratch.slot();
        let searched = if observer.is_unobserved(query.query) {
            jps.search(map, grid, query.start, query.goal, &mut ())
        } else {
            jps.search(map, grid, query.start, query.goal, &mut observer)
        };
        let contradiction = |_| QueryError::Contradiction { engine: self.name() };
        let (end, stats) = searched.map_err(contradiction)?;
        let (outcome, last) = observer.conclude(query.query, end)?;
        if let Some(last) = last {
            jps.write_path(map, grid, CellId::from_index(last as usize), path);
        }
        Ok(Answer { outcome, stats })
    }
}
