//! `hpa` and `hpa-paper`: the hierarchy of clusters, tuned and as published.

use super::tile_search::Attended;
use super::{Ask, BuildError, Engine, Observe, Promise, search_tiles};
use crate::heuristic::Octile;
use crate::hpa::{Halt, Hpa, Options};
use crate::index::{Answer, Index, Outcome, QueryError, Scratch};
use crate::path::Path;

#[derive(Debug)]
pub(super) struct HpaEngine {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) options: fn() -> Options,
    pub(super) slot: fn(&Index) -> &Option<Hpa>,
    pub(super) slot_mut: fn(&mut Index) -> &mut Option<Hpa>,
}

impl Engine for HpaEngine {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn promise(&self) -> Promise {
        Promise::Approximate
    }

    fn is_ready(&self, index: &Index) -> bool {
        (self.slot)(index).is_some()
    }

    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        let hpa = Hpa::build(index.grid(), &(self.options)())
            .map_err(|e| BuildError::Unsupported { engine: self.name, why: e.to_string() })?;
        *(self.slot_mut)(index) = Some(hpa);
        Ok(())
    }

    fn bytes(&self, index: &Index) -> usize {
        (self.slot)(index).as_ref().map_or(0, Hpa::bytes)
    }

    /// A wish for a partial path is answered over the tiles: the graph knows borders of
    /// clusters, not the tile nearest to a goal that cannot be reached.
    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let (grid, query) = (ask.index.grid(), ask.query);
        if query.partial {
            let mut octile = Octile::new(grid, query.goal);
            return search_tiles(ask, &mut octile, &mut scratch.tiles, path, watch);
        }
        let Some(hpa) = (self.slot)(ask.index) else {
            return Err(QueryError::NotBuilt { engine: self.name });
        };
        let planner = hpa.planner(grid);
        let (start, goal, scratch) = (query.start, query.goal, &mut scratch.hpa);
        let mut attended = Attended::new(query, watch);
        let found = if attended.is_alone(query) {
            planner.find_watched(start, goal, scratch, path, &mut ())
        } else {
            planner.find_watched(start, goal, scratch, path, &mut attended)
        };
        let outcome = match found {
            Ok(cost) => Outcome::Found(cost),
            Err(Halt::Stopped) => Outcome::Stopped,
            // The ends are connected, so there is a way: only its cost cannot be counted.
            Err(Halt::NoWay) => return Err(QueryError::TooFar),
        };
        Ok(Answer { outcome, stats: scratch.effort().total() })
    }
}
