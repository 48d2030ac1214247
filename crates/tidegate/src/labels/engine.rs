//! `labels`: exact answers in microseconds, from distances to a few hubs per block.

use std::sync::Arc;

use super::{LabelOptions, Labels, LiveAnswer, LiveLabels, LiveScratch};
use crate::artifact::{Reader, WireError, Writer};
use crate::astar::Astar;
use crate::corners::CornerEngine;
use crate::cost::Cost;
use crate::grid::Tile;
use crate::index::{
    Answer, Edit, Engine, EngineInfo, EngineScratch, FindContext, FindResult, Index, Outcome,
    Refused, ResolvedQuery, Scratch, Table, TableKind, TableOptions, TableState,
};
use crate::jps::{JpsEngine, JpsMap};

#[derive(Debug)]
pub(crate) struct LabelEngine;

static INFO: EngineInfo = EngineInfo::optimal(
    "labels",
    "hub labels over the taut corner graph; answers in microseconds, large tables",
);

impl TableOptions for LabelOptions {
    fn write(&self, out: &mut Writer) {
        out.u8(self.form as u8);
        out.u64(self.budget_bytes);
        out.u64(self.seed);
        out.u32(u32::try_from(self.effort).unwrap_or(u32::MAX));
    }

    fn read(from: &mut Reader<'_>) -> Result<LabelOptions, WireError> {
        let form = super::Form::ALL.get(usize::from(from.u8("form")?)).copied();
        let form = form.ok_or_else(|| WireError::meaning("unknown form of labels"))?;
        let budget_bytes = from.u64("budget")?;
        let seed = from.u64("seed")?;
        let effort = usize::try_from(from.u32("effort")?);
        let effort = effort.map_err(|_| WireError::meaning("effort beyond counting"))?;
        Ok(LabelOptions { form, budget_bytes, seed, effort })
    }
}

impl Table for LiveLabels {
    type Options = LabelOptions;
    const NAME: &'static str = "labels";
    const TAG: [u8; 4] = *b"labl";

    fn build(index: &Index, options: &LabelOptions) -> Result<LiveLabels, Refused> {
        let labels = Labels::build(index.grid(), options).map_err(Refused::because)?;
        Ok(LiveLabels::new(index.grid(), labels))
    }

    fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
        if index.grid().factors().is_some() {
            return TableState::Stale;
        }
        if !edit.walls().is_empty() {
            Arc::make_mut(table).follow(index.grid(), edit.walls());
        }
        if table.is_current() { TableState::Current } else { TableState::Overlay }
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, out: &mut Writer) {
        self.write(out);
    }

    fn read(
        from: &mut Reader<'_>,
        index: &Index,
        _: &LabelOptions,
    ) -> Result<LiveLabels, WireError> {
        LiveLabels::read(from, index.grid())
    }
}

impl EngineScratch for LiveScratch {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl LabelEngine {
    /// Who answers where the map has changed and the labels do not know: the quickest that
    /// is built.
    fn searcher(query: &ResolvedQuery<'_>) -> &'static dyn Engine {
        let built = |engine: &'static dyn Engine| {
            let micros = engine.is_ready(query.index).then(|| engine.expected_micros(query));
            micros.flatten().map(|micros| (micros, engine))
        };
        let engines: [&'static dyn Engine; 2] = [&CornerEngine, &JpsEngine];
        let quickest = engines.into_iter().filter_map(built).min_by(|a, b| a.0.total_cmp(&b.0));
        quickest.map_or(&Astar, |(_, engine)| engine)
    }
}

impl Engine for LabelEngine {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        &[LiveLabels::KIND]
    }

    /// Where the map has changed and the labels do not know, jps answers.
    fn beside(&self) -> &'static [&'static TableKind] {
        &[JpsMap::KIND]
    }

    fn distances(
        &self,
        index: &Index,
        start: Tile,
        goals: &[Tile],
        scratch: &mut Scratch,
    ) -> Option<Vec<Option<Cost>>> {
        let labels: &LiveLabels = index.table()?;
        // A search to all goals looks at most of the tiles, each in a hundredth of the time
        // that labels take for a goal.
        let fewer = goals.len() <= 4 + index.grid().free_tiles() / 100;
        if !fewer || !labels.is_current() {
            return None;
        }
        let mut costs = Vec::new();
        let scratch: &mut LiveScratch = scratch.slot();
        labels.labels().distances(start, goals, scratch.labels(), &mut costs);
        Some(costs)
    }

    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        let labels: &LiveLabels = query.index.table()?;
        let search = LabelEngine::searcher(query).expected_micros(query).unwrap_or(0.0);
        let known = 0.5 + 2.0 * query.expected_share() + 0.1 * labels.terminals() as f64;
        Some(known + labels.share_unknown() * search)
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let index = query.index;
        let labels: &LiveLabels = index.table().ok_or_else(|| self.not_built())?;
        let (start, goal) = (query.query.start, query.query.goal);
        let outcome = match labels.path(index.grid(), start, goal, scratch.slot(), path) {
            LiveAnswer::Found(cost) => Outcome::Found(cost),
            LiveAnswer::Unknown if labels.is_current() => Outcome::Unreachable,
            LiveAnswer::Unknown => {
                let context = FindContext { scratch, path, observer };
                return LabelEngine::searcher(query).find(query, context);
            }
        };
        Ok(Answer::without_search(outcome))
    }
}
