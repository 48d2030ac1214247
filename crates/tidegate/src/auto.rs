//! `auto`: what a user gets who names no engine.

use crate::astar::Astar;
use crate::corners::CornerEngine;
use crate::differential::DifferentialEngine;
use crate::gateway::GateEngine;
use crate::index::{BuildError, Engine, EngineInfo, FindContext, FindResult, Index, ResolvedQuery};
use crate::jps::JpsEngine;
use crate::labels::LabelEngine;

#[derive(Debug)]
pub(crate) struct Automatic;

static INFO: EngineInfo = EngineInfo::optimal(
    "auto",
    "the quickest engine that is built and can do it: labels, else corners, else jps, else A*",
)
.with_blocked()
.with_costs();

/// The optimal engines worth taking, quickest first by the mean times of the evaluation's
/// sets (record/engines.csv).
pub(crate) const QUICKEST: [&dyn Engine; 7] = [
    &LabelEngine,
    &CornerEngine,
    &JpsEngine,
    &GateEngine::WithLandmarks,
    &DifferentialEngine,
    &GateEngine::Consistent,
    &Astar,
];

impl Automatic {
    /// The quickest that is built and can do what the query asks.
    fn pick(query: &ResolvedQuery<'_>) -> &'static dyn Engine {
        let able = |e: &&dyn Engine| {
            (e.info().respects_blocked || !query.has_blocked())
                && (e.info().respects_costs || !query.has_costs())
        };
        let mut able = QUICKEST.into_iter().filter(able);
        able.find(|engine| engine.is_ready(query.index)).unwrap_or(&Astar)
    }
}

impl Engine for Automatic {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    /// Without tables it answers as `astar`.
    fn is_ready(&self, index: &Index) -> bool {
        let built = |engine: &dyn Engine| engine.is_ready(index);
        let any = |engines: &[&dyn Engine]| engines.iter().any(|engine| built(*engine));
        index.grid().factors().is_some() || any(&[&LabelEngine, &CornerEngine, &JpsEngine])
    }

    /// Builds jps, which takes milliseconds, so that a single query pays for it; on ground
    /// that is not uniform nothing. Who asks often prepares corners or labels by name.
    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        if index.grid().factors().is_some() { Ok(()) } else { index.prepare(&JpsEngine) }
    }

    fn answered_by(&self, query: &ResolvedQuery<'_>) -> &'static str {
        Automatic::pick(query).name()
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        Automatic::pick(query).find(query, context)
    }
}
