//! `differential`: the loop with the estimate of a few landmarks.

use super::{Ask, BuildError, Engine, Observe, Promise, search_tiles};
use crate::heuristic::Differential;
use crate::index::landmarks::Landmarks;
use crate::index::{Answer, Index, QueryError, Scratch};
use crate::path::Path;

#[derive(Debug)]
pub(super) struct ByLandmarks;

impl Engine for ByLandmarks {
    fn name(&self) -> &'static str {
        "differential"
    }

    fn about(&self) -> &'static str {
        "A* with the distances to a few landmarks (ALT)"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn is_ready(&self, index: &Index) -> bool {
        index.landmarks().is_some()
    }

    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        index.build_landmarks(Landmarks::DEFAULT)
    }

    fn bytes(&self, index: &Index) -> usize {
        index.landmarks().map_or(0, Landmarks::bytes)
    }

    fn respects_blocked(&self) -> bool {
        true
    }

    /// Where there is no way, landmarks say nothing about what is near the goal.
    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        if ask.query.partial && !ask.is_connected() {
            return super::ASTAR.find(ask, scratch, path, watch);
        }
        let landmarks = ask.index.landmarks();
        let landmarks = landmarks.ok_or(QueryError::NotBuilt { engine: self.name() })?;
        let mut estimate = Differential::new(ask.index.grid(), landmarks, ask.goal);
        search_tiles(ask, &mut estimate, &mut scratch.tiles, path, watch)
    }
}
