//! Why answers are not the best: all of them in a file, the first few for people.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tidegate::artifact::NewFile;
use tidegate::engine::Promise;
use tidegate_bench::check::Status;
use tidegate_bench::record::{REASON_COLUMNS, write_reason};
use tidegate_bench::run::Row;

use crate::output;

/// How many reasons are printed.
const MOST: usize = 5;

/// Reasons as they come.
pub(super) struct Reasons<'a> {
    file: Option<(csv::Writer<NewFile>, PathBuf)>,
    promises: &'a [(&'static str, Promise)],
    first: First,
}

/// The first reasons, in words.
#[derive(Default)]
pub(super) struct First {
    broken: Vec<String>,
    errors: Vec<String>,
    more: usize,
}

impl Reasons<'_> {
    /// With a file for all of them, if wanted.
    pub(super) fn new<'a>(
        file: Option<&Path>,
        promises: &'a [(&'static str, Promise)],
    ) -> Result<Reasons<'a>> {
        let begin = |path: &Path| -> Result<_> {
            let mut rows = csv::Writer::from_writer(output::create(path)?);
            rows.write_record(REASON_COLUMNS).with_context(|| cannot_write(path))?;
            Ok((rows, path.to_path_buf()))
        };
        let file = file.map(begin).transpose()?;
        Ok(Reasons { file, promises, first: First::default() })
    }

    /// Takes a row's reason in, if it has one.
    pub(super) fn add(&mut self, row: &Row<'_>) -> Result<()> {
        if let Some((rows, path)) = &mut self.file {
            write_reason(rows, row).with_context(|| cannot_write(path))?;
        }
        let Some(reason) = &row.reason else { return Ok(()) };
        let promised = self.promises.iter().find(|(engine, _)| *engine == row.engine);
        let list = match row.status {
            Status::Error => &mut self.first.errors,
            status if promised.is_some_and(|(_, promise)| status.breaks(*promise)) => {
                if self.first.broken.len() == MOST {
                    self.first.more += 1;
                }
                &mut self.first.broken
            }
            _ => return Ok(()),
        };
        if list.len() < MOST {
            list.push(format!(
                "{}/{}, problem {} from {},{} to {},{}, {}: {}: {reason}",
                row.set,
                row.map,
                row.problem,
                row.start_x,
                row.start_y,
                row.goal_x,
                row.goal_y,
                row.engine,
                row.status.name()
            ));
        }
        Ok(())
    }

    /// Completes the file.
    pub(super) fn finish(self) -> Result<First> {
        if let Some((rows, path)) = self.file {
            let rows = rows.into_inner().map_err(|e| e.into_error());
            output::finish(rows.with_context(|| cannot_write(&path))?, &path)?;
        }
        Ok(self.first)
    }
}

impl First {
    /// What to print when a run failed: broken promises, or the errors if there are none.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = if self.broken.is_empty() { &self.errors } else { &self.broken }.clone();
        if self.more > 0 {
            lines.push(format!("and {} more; --reasons FILE has them all", self.more));
        }
        lines
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
