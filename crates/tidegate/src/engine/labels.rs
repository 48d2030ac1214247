//! `labels`: exact answers in microseconds, from distances to a few hubs per block.

use super::{Ask, BuildError, Engine, Observe, Promise};
use crate::artifact::{Part, Reader, WireError, Writer};
use crate::index::{Answer, Index, Outcome, QueryError, Scratch};
use crate::labels::{LabelOptions, Labels};
use crate::path::Path;

#[derive(Debug)]
pub(super) struct ByLabels;

impl Part for Labels {
    const TAG: [u8; 4] = *b"labl";

    fn write(&self, out: &mut Writer) {
        let mut bytes = Vec::new();
        Labels::write(self, &mut bytes);
        out.raw(&bytes);
    }

    fn read(from: &mut Reader<'_>, index: &Index) -> Result<Labels, WireError> {
        let bytes = from.rest();
        Labels::read(index.grid(), bytes).map_err(|error| WireError::meaning(error.to_string()))
    }
}

impl Engine for ByLabels {
    fn name(&self) -> &'static str {
        "labels"
    }

    fn about(&self) -> &'static str {
        "hub labels over the taut corner graph; answers in microseconds, large tables"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn is_ready(&self, index: &Index) -> bool {
        index.labels.is_some()
    }

    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        index.build_labels(&LabelOptions::default())
    }

    fn bytes(&self, index: &Index) -> usize {
        index.labels.as_ref().map_or(0, Labels::bytes)
    }

    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        _: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let labels = ask.index.labels.as_ref();
        let labels = labels.ok_or(QueryError::NotBuilt { engine: self.name() })?;
        let (start, goal) = (ask.query.start, ask.query.goal);
        let outcome = match labels.path(start, goal, &mut scratch.labels, path) {
            Some(cost) => Outcome::Found(cost),
            None => Outcome::Unreachable,
        };
        Ok(Answer::without_search(outcome))
    }
}
