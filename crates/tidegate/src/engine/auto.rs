//! `auto`: what a user gets who names no engine.

use super::{ASTAR, Ask, BuildError, Engine, GATEWAY_CONSISTENT, JPS, LABELS, Observe, Promise};
use crate::index::{Answer, Index, QueryError, Scratch};
use crate::path::Path;

#[derive(Debug)]
pub(super) struct Automatic;

impl Automatic {
    /// The best engine whose tables are there: labels, then gateway-consistent, then jps,
    /// then astar. Labels and jps hold for the map as built, so a query with blocked
    /// tiles goes to an engine that searches tile by tile.
    fn pick(ask: &Ask<'_>) -> &'static dyn Engine {
        let searching = ask.query.blocked.is_some() || ask.query.partial;
        let order: &[&dyn Engine] = if searching {
            &[GATEWAY_CONSISTENT, ASTAR]
        } else {
            &[LABELS, GATEWAY_CONSISTENT, JPS]
        };
        let ready = order.iter().copied().find(|engine| engine.is_ready(ask.index));
        ready.unwrap_or(ASTAR)
    }
}

impl Engine for Automatic {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn about(&self) -> &'static str {
        "the best engine that is built: labels, else gateway-consistent, else jps, else astar"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn respects_blocked(&self) -> bool {
        true
    }

    fn is_ready(&self, index: &Index) -> bool {
        index.grid().factors().is_some()
            || [LABELS, GATEWAY_CONSISTENT, JPS].iter().any(|e| e.is_ready(index))
    }

    /// Builds jps, which takes milliseconds; on ground that is not uniform nothing.
    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        if index.grid().factors().is_some() { Ok(()) } else { index.prepare(JPS) }
    }

    fn answered_by(&self, ask: &Ask<'_>) -> &'static str {
        Automatic::pick(ask).name()
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
