//! `hpa` and `hpa-paper`: the hierarchy of clusters, tuned and as published.

use std::ops::ControlFlow;

use super::{Ask, BuildError, Engine, Observe, Promise, search_tiles};
use crate::cost::Cost;
use crate::heuristic::Octile;
use crate::hpa::{Hpa, Options};
use crate::index::{Answer, Index, Outcome, QueryError, Scratch};
use crate::path::Path;
use crate::search::{Budget, Observer};

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
        let found = if query.budget.is_none() && watch.is_none() {
            planner.find_watched(start, goal, scratch, path, &mut ())
        } else {
            let budget = Budget { left: query.budget.unwrap_or(u64::MAX) };
            planner.find_watched(start, goal, scratch, path, &mut Attended { budget, watch })
        };
        let outcome = match found {
            Ok(cost) => Outcome::Found(cost),
            Err(crate::hpa::Halt::Stopped) => Outcome::Stopped,
            // The ends are connected, so there is a way: only its cost cannot be counted.
            Err(crate::hpa::Halt::NoWay) => return Err(QueryError::TooFar),
        };
        Ok(Answer { outcome, stats: scratch.effort().total() })
    }
}

/// The observer of a query with a budget or a watcher.
struct Attended<'a, 'b> {
    budget: Budget,
    watch: Option<&'a mut Observe<'b>>,
}

impl Observer<Cost> for Attended<'_, '_> {
    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        if let Some(watch) = &mut self.watch {
            watch.generate(node, parent, g, h);
        }
    }

    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        Observer::<Cost>::expand(&mut self.budget, node, g, h)?;
        match &mut self.watch {
            Some(watch) => watch.expand(node, g, h),
            None => ControlFlow::Continue(()),
        }
    }
}
