//! `jps`: jump point search. Its tables are the map's own bits, so they are built in the
//! time it takes to look at every tile once.

use super::tile_search::Attended;
use super::{Ask, BuildError, Engine, Observe, Promise};
use crate::artifact::{Part, Reader, WireError, Writer};
use crate::grid::CellId;
use crate::index::{Answer, Index, QueryError, Scratch};
use crate::jps::JpsMap;
use crate::path::Path;

#[derive(Debug)]
pub(super) struct Jump;

/// The section is empty: the bits of the map are made again in one pass.
impl Part for JpsMap {
    const TAG: [u8; 4] = *b"jps ";

    fn write(&self, _: &mut Writer) {}

    fn read(_: &mut Reader<'_>, index: &Index) -> Result<JpsMap, WireError> {
        JpsMap::new(index.grid()).map_err(|error| WireError::meaning(error.to_string()))
    }
}

impl Engine for Jump {
    fn name(&self) -> &'static str {
        "jps"
    }

    fn about(&self) -> &'static str {
        "jump point search, 64 tiles at a time; tables built in milliseconds"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn is_ready(&self, index: &Index) -> bool {
        index.jps.is_some()
    }

    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        let map = JpsMap::new(index.grid()).map_err(|error| BuildError::Unsupported {
            engine: self.name(),
            why: format!("{error}; use astar"),
        })?;
        index.jps = Some(map);
        Ok(())
    }

    fn bytes(&self, index: &Index) -> usize {
        index.jps.as_ref().map_or(0, JpsMap::bytes)
    }

    /// A partial path where there is no way is found over the tiles: the tile nearest to
    /// the goal need not be a jump point.
    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let grid = ask.index.grid();
        if ask.query.partial && !ask.is_connected() {
            return super::ASTAR.find(ask, scratch, path, watch);
        }
        let map = ask.index.jps.as_ref();
        let map = map.ok_or(QueryError::NotBuilt { engine: self.name() })?;
        let mut attended = Attended::new(ask.query, watch);
        let jps = &mut scratch.jps;
        let (end, stats) = if attended.is_alone(ask.query) {
            jps.search(map, grid, ask.start, ask.goal, &mut ())
        } else {
            jps.search(map, grid, ask.start, ask.goal, &mut attended)
        };
        let (outcome, last) = attended.conclude(ask.query, end)?;
        if let Some(last) = last {
            jps.write_path(map, grid, CellId::from_index(last as usize), path);
        }
        Ok(Answer { outcome, stats })
    }
}
