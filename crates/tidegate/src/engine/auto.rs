//! `auto`: what a user gets who names no engine.

use super::{
    ASTAR, Ask, BuildError, DIFFERENTIAL, Engine, GATEWAY_CONSISTENT, GATEWAY_DIFFERENTIAL, JPS,
    LABELS, Observe, Promise,
};
use crate::index::{Answer, Index, QueryError, Scratch};
use crate::path::Path;

#[derive(Debug)]
pub(super) struct Automatic;

/// The optimal engines worth taking, quickest first by the mean times of the evaluation's
/// sets (record/engines.csv).
const QUICKEST: [&dyn Engine; 6] =
    [LABELS, JPS, GATEWAY_DIFFERENTIAL, DIFFERENTIAL, GATEWAY_CONSISTENT, ASTAR];

impl Automatic {
    /// The quickest that is built and can do what the query asks.
    fn pick(ask: &Ask<'_>) -> &'static dyn Engine {
        let can = |e: &&dyn Engine| e.respects_blocked() || !ask.has_blocked();
        let able = QUICKEST.into_iter().filter(can);
        able.into_iter().find(|engine| engine.is_ready(ask.index)).unwrap_or(ASTAR)
    }
}

impl Engine for Automatic {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn about(&self) -> &'static str {
        "the quickest engine that is built and can do it: labels, else jps, else A*"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn respects_blocked(&self) -> bool {
        true
    }

    /// On a new index it answers as `astar`.
    fn needs_tables(&self) -> bool {
        false
    }

    fn is_ready(&self, index: &Index) -> bool {
        index.grid().factors().is_some() || [LABELS, JPS].iter().any(|e| e.is_ready(index))
    }

    /// Builds jps, which takes milliseconds; on ground that is not uniform nothing.
    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        if index.grid().factors().is_some() { Ok(()) } else { index.prepare(JPS) }
    }

    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        Automatic::pick(ask).find(ask, scratch, path, watch)
    }
}
