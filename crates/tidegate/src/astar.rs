//! `astar`: the loop with the octile estimate. Needs nothing but the map.

use crate::index::{
    Answer, DynObserver, Engine, EngineInfo, QueryError, ResolvedQuery, Scratch, search_tiles,
};
use crate::path::Path;
use crate::search::Octile;

#[derive(Debug)]
pub(crate) struct Astar;

static INFO: EngineInfo =
    EngineInfo::optimal("astar", "A* with the octile estimate; needs no tables").with_blocked();

impl Engine for Astar {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn find(
        &self,
        query: &ResolvedQuery<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        observer: Option<&mut DynObserver<'_>>,
    ) -> Result<Answer, QueryError> {
        let mut octile = Octile::new(query.index.grid(), query.query.goal);
        search_tiles(query, &mut octile, scratch.tiles(), path, observer)
    }
}
