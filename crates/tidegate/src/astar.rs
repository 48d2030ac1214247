//! `astar`: the loop with the octile estimate. Needs nothing but the map.

use crate::index::{Engine, EngineInfo, FindContext, FindResult, ResolvedQuery, search_tiles};
use crate::search::Octile;

#[derive(Debug)]
pub(crate) struct Astar;

static INFO: EngineInfo =
    EngineInfo::optimal("astar", "A* with the octile estimate; needs no tables")
        .with_blocked()
        .with_costs();

impl Engine for Astar {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        Some(0.07 * query.expected_expansions())
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let mut octile = Octile::new(query.index.grid(), query.query.goal);
        search_tiles(query, &mut octile, scratch.tiles(), path, observer)
    }
}
