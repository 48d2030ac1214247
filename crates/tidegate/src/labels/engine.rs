//! `labels`: exact answers in microseconds, from distances to a few hubs per block.

use super::{LabelOptions, LabelScratch, Labels};
use crate::artifact::{Reader, WireError, Writer};
use crate::index::{
    Answer, Engine, EngineInfo, EngineScratch, FindContext, FindResult, Index, Outcome, Refused,
    ResolvedQuery, Table, TableKind, TableOptions,
};

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

impl Table for Labels {
    type Options = LabelOptions;
    const NAME: &'static str = "labels";
    const TAG: [u8; 4] = *b"labl";

    fn build(index: &Index, options: &LabelOptions) -> Result<Labels, Refused> {
        Labels::build(index.grid(), options).map_err(Refused::because)
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, out: &mut Writer) {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        out.raw(&bytes);
    }

    fn read(from: &mut Reader<'_>, index: &Index, _: &LabelOptions) -> Result<Labels, WireError> {
        let bytes = from.rest();
        Labels::read(index.grid(), bytes).map_err(|error| WireError::meaning(error.to_string()))
    }
}

impl EngineScratch for LabelScratch {
    fn bytes(&self) -> usize {
        self.bytes()
    }
}

impl Engine for LabelEngine {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        &[Labels::KIND]
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, .. } = context;
        let labels: &Labels = query.index.table().ok_or_else(|| self.not_built())?;
        let (start, goal) = (query.query.start, query.query.goal);
        let outcome = match labels.path(start, goal, scratch.slot::<LabelScratch>(), path) {
            Some(cost) => Outcome::Found(cost),
            None => Outcome::Unreachable,
        };
        Ok(Answer::without_search(outcome))
    }
}
