//! `astar`: the loop with the octile estimate. Needs nothing but the map.

use super::{Ask, Engine, Observe, Promise, search_tiles};
use crate::heuristic::Octile;
use crate::index::{Answer, QueryError, Scratch};
use crate::path::Path;

#[derive(Debug)]
pub(super) struct Astar;

impl Engine for Astar {
    fn name(&self) -> &'static str {
        "astar"
    }

    fn about(&self) -> &'static str {
        "A* with the octile estimate; needs no tables"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn respects_blocked(&self) -> bool {
        true
    }

    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let mut octile = Octile::new(ask.index.grid(), ask.query.goal);
        search_tiles(ask, &mut octile, &mut scratch.tiles, path, watch)
    }
}
