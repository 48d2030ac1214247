//! `jps`: jump point search. Its tables are the map's own bits, so they are built in the
//! time it takes to look at every tile once.

use std::sync::Arc;

use super::{Jps, JpsMap};
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::CellId;
use crate::index::{
    Answer, Edit, Engine, EngineInfo, EngineScratch, FindContext, FindResult, Index, QueryError,
    QueryObserver, Refused, ResolvedQuery, Table, TableKind, TableState, answer_unconnected,
};
use crate::search::End;

#[derive(Debug)]
pub(crate) struct JpsEngine;

static INFO: EngineInfo = EngineInfo::optimal(
    "jps",
    "jump point search, 64 tiles at a time; tables built in milliseconds",
)
.with_blocked();

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

    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        let map: &JpsMap = query.index.table()?;
        Some(0.5 + 0.01 * f64::from(map.nodes.end()) * query.expected_share())
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer: mut watcher } = context;
        let grid = query.index.grid();
        let map: &JpsMap = query.index.table().ok_or_else(|| self.not_built())?;
        let mut observer = QueryObserver::new(query, watcher.as_deref_mut());
        let jps: &mut Jps = scratch.slot();
        let blocked = query.query.blocked.filter(|blocked| !blocked.is_empty());
        let ends = [query.start, query.goal];
        let searched = match (blocked, observer.is_unobserved(query.query)) {
            (None, true) => jps.search(map, grid, ends[0], ends[1], &mut ()),
            (None, false) => jps.search(map, grid, ends[0], ends[1], &mut observer),
            (Some(blocked), true) => jps.search_around(map, grid, blocked, ends, &mut ()),
            (Some(blocked), false) => jps.search_around(map, grid, blocked, ends, &mut observer),
        };
        let contradiction = |_| QueryError::Contradiction { engine: self.name() };
        let (end, stats) = searched.map_err(contradiction)?;
        if end == End::Exhausted && query.query.partial {
            // The nearest tile need not be one where paths turn.
            let rest = query.query.after(stats);
            let rest = ResolvedQuery { query: &rest, ..*query };
            let answer = answer_unconnected(&rest, scratch, path, watcher)?;
            return Ok(answer.after(stats));
        }
        let (outcome, last) = observer.conclude(query.query, end)?;
        if let Some(last) = last {
            let last = CellId::from_index(last as usize);
            match blocked {
                None => jps.write_path(map, grid, last, path),
                Some(_) => jps.write_path_around(grid, last, path),
            }
        }
        Ok(Answer { outcome, stats })
    }
}
