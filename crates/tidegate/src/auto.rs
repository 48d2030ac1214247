//! `auto`: what a user gets who names no engine.

use crate::astar::Astar;
use crate::gateway::GateEngine;
use crate::index::{
    Answer, BuildError, DynObserver, Engine, EngineInfo, Index, QueryError, ResolvedQuery, Scratch,
};
use crate::jps::JpsEngine;
use crate::labels::LabelEngine;
use crate::path::Path;

#[derive(Debug)]
pub(crate) struct Automatic;

static INFO: EngineInfo = EngineInfo::optimal(
    "auto",
    "the best engine that is built: labels, else gateway-consistent, else jps, else astar",
)
.with_blocked();

const CONSISTENT: GateEngine = GateEngine::Consistent;

impl Automatic {
    /// The best engine whose tables are there: labels, then gateway-consistent, then jps,
    /// then astar. Labels and jps hold for the map as built, so a query with blocked
    /// tiles goes to an engine that searches tile by tile.
    fn pick(query: &ResolvedQuery<'_>) -> &'static dyn Engine {
        let searching = query.query.blocked.is_some() || query.query.partial;
        let order: &[&'static dyn Engine] = if searching {
            &[&CONSISTENT]
        } else {
            &[&LabelEngine, &CONSISTENT, &JpsEngine]
        };
        let ready = order.iter().copied().find(|engine| engine.is_ready(query.index));
        ready.unwrap_or(&Astar)
    }
}

impl Engine for Automatic {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn is_ready(&self, index: &Index) -> bool {
        let engines: [&dyn Engine; 3] = [&LabelEngine, &CONSISTENT, &JpsEngine];
        index.grid().factors().is_some() || engines.iter().any(|engine| engine.is_ready(index))
    }

    /// Builds jps, which takes milliseconds; on ground that is not uniform nothing.
    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        if index.grid().factors().is_some() { Ok(()) } else { index.prepare(&JpsEngine) }
    }

    fn find(
        &self,
        query: &ResolvedQuery<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        observer: Option<&mut DynObserver<'_>>,
    ) -> Result<Answer, QueryError> {
        Automatic::pick(query).find(query, scratch, path, observer)
    }
}
