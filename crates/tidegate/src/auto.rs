//! `auto`: what a user gets who names no engine.

use crate::anyangle::{AnyAngle, LiveAngleLabels};
use crate::astar::Astar;
use crate::corners::CornerEngine;
use crate::differential::DifferentialEngine;
use crate::gateway::GateEngine;
use crate::index::{
    BuildError, DynObserver, Engine, EngineInfo, FindContext, FindResult, Index, Outcome, Query,
    ResolvedQuery, Table, TableKind,
};
use crate::jps::JpsEngine;
use crate::labels::LabelEngine;

#[derive(Debug)]
pub(crate) struct Automatic;

static INFO: EngineInfo =
    EngineInfo::optimal("auto", "the engine that is likely to be quickest of those that are built")
        .with_blocked()
        .with_costs();

/// Answers around blocked tiles with an engine that knows nothing of them: its path on the
/// open map, if that touches none of them, for then it is as good as it was; else that of the
/// quickest engine that searches around them.
pub(crate) fn find_around(
    engine: &dyn Engine,
    query: &ResolvedQuery<'_>,
    context: FindContext<'_>,
) -> FindResult {
    let FindContext { scratch, path, mut observer } = context;
    let open = Query { blocked: None, ..*query.query };
    let open = ResolvedQuery { query: &open, ..*query };
    let watcher = observer.as_mut().map(|observer| &mut **observer as &mut DynObserver<'_>);
    let answer = engine.find(&open, FindContext { scratch, path, observer: watcher })?;
    let grid = query.index.grid();
    let clear = query.query.blocked.map_or(path.len(), |blocked| path.clear_of(grid, blocked));
    if clear == path.len() || answer.outcome == Outcome::Stopped {
        path.truncate(clear);
        return Ok(answer);
    }
    path.clear();
    let rest = query.query.after(answer.stats);
    let rest = ResolvedQuery { query: &rest, ..*query };
    let observer = observer.map(|observer| observer as &mut DynObserver<'_>);
    let found = searcher(&rest).1.find(&rest, FindContext { scratch, path, observer })?;
    Ok(found.after(answer.stats))
}

/// The optimal engines that are worth taking where they are built.
pub(crate) const CANDIDATES: [&dyn Engine; 7] = [
    &LabelEngine,
    &CornerEngine,
    &JpsEngine,
    &GateEngine::WithLandmarks,
    &DifferentialEngine,
    &GateEngine::Consistent,
    &Astar,
];

/// The quickest of the candidates that are built and accepted, and what it expects to take.
fn quickest(
    query: &ResolvedQuery<'_>,
    mut micros: impl FnMut(&'static dyn Engine) -> Option<f64>,
) -> (f64, &'static dyn Engine) {
    let built = CANDIDATES.into_iter().filter(|engine| engine.is_ready(query.index));
    let timed = built.filter_map(|engine| micros(engine).map(|micros| (micros, engine)));
    timed.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, &Astar))
}

/// The quickest that searches around blocked tiles.
fn searcher(query: &ResolvedQuery<'_>) -> (f64, &'static dyn Engine) {
    let able = |engine: &dyn Engine| {
        let info = engine.info();
        info.respects_blocked && (info.respects_costs || !query.has_costs())
    };
    quickest(query, |engine| engine.expected_micros(query).filter(|_| able(engine)))
}

impl Automatic {
    /// The quickest that is built and can do what the query asks, and what it expects to take.
    fn pick(query: &ResolvedQuery<'_>) -> (f64, &'static dyn Engine) {
        let able = |engine: &dyn Engine| engine.info().respects_costs || !query.has_costs();
        let micros = |engine: &dyn Engine| engine.expected_micros(query).filter(|_| able(engine));
        if !query.has_blocked() {
            return quickest(query, micros);
        }
        // Half the paths of the open map, say, touch a blocked tile and are searched again.
        let again = 0.5 * searcher(query).0;
        quickest(query, |engine| {
            let around = if engine.info().respects_blocked { 0.0 } else { again };
            micros(engine).map(|micros| micros + around)
        })
    }
}

impl Engine for Automatic {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    /// Walks at any angle are asked of the index.
    fn also_in_files(&self) -> &'static [&'static TableKind] {
        &[AnyAngle::KIND, LiveAngleLabels::KIND]
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
        Automatic::pick(query).1.name()
    }

    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        Some(Automatic::pick(query).0)
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let (_, engine) = Automatic::pick(query);
        if query.has_blocked() && !engine.info().respects_blocked {
            return find_around(engine, query, context);
        }
        engine.find(query, context)
    }
}
