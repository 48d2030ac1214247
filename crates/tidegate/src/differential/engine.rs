//! The loop with the estimate of a few landmarks.

use super::{Differential, Landmarks};
use crate::index::{
    Engine, EngineInfo, FindContext, FindResult, ResolvedQuery, Table, TableKind, search_tiles,
};
use crate::jps::JpsMap;

#[derive(Debug)]
pub(crate) struct DifferentialEngine;

static INFO: EngineInfo =
    EngineInfo::optimal("differential", "A* with the distances to a few landmarks (ALT)")
        .with_blocked()
        .with_costs();

impl Engine for DifferentialEngine {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        &[Landmarks::KIND]
    }

    /// On uniform ground `jps` is quicker; its table is built in milliseconds.
    fn beside(&self) -> &'static [&'static TableKind] {
        &[JpsMap::KIND]
    }

    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        Some(0.028 * query.expected_expansions())
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let landmarks: &Landmarks = query.index.table().ok_or_else(|| self.not_built())?;
        let mut estimate = Differential::new(query.index.grid(), landmarks, query.goal);
        search_tiles(query, &mut estimate, scratch.tiles(), path, observer)
    }
}
