//! A change of a map: made against a version, on the state as it is, whole or not at all.

use std::sync::Arc;

use web_time::Instant;

use super::edit::Past;
use super::{Document, Edit, EditCost, Numbers, Scene, Status, Whole};
use crate::api_error::{ApiError, ApiResult};

/// States besides that of now that are kept with their tables: that before the last change, and
/// one that was taken back.
const KEPT: usize = 2;

/// What came of a change.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) before: Scene,
    pub(crate) scene: Scene,
    pub(crate) status: Status,
    /// The gate that was added or moved.
    pub(crate) gate: Option<usize>,
    /// What changing the walls took.
    pub(crate) cost: Option<EditCost>,
}

impl Document {
    /// The state it was opened with.
    pub(crate) fn opened(&self) -> ApiResult<Scene> {
        let (now, _) = self.look()?;
        Ok(self.inner().opened.clone().unwrap_or(now))
    }

    /// The state before the last change; what is now if there was none.
    pub(crate) fn previous(&self) -> ApiResult<Scene> {
        let (now, _) = self.look()?;
        let (change, kept) = {
            let inner = self.inner();
            let Some(change) = inner.history.last().cloned() else { return Ok(now) };
            let mut kept = inner.kept.iter().chain(&inner.opened);
            let kept = kept.find(|scene| scene.key() == change.key_before()).cloned();
            (change, kept)
        };
        kept.map_or_else(|| Ok(change.before(&now)?.0), Ok)
    }

    /// Makes a change that was made against a version; `dry` only tells what would be. The
    /// work is done on the state as it was looked at, so that others can go on reading; if
    /// another change came first, this one is stale.
    pub(crate) fn change(&self, version: u64, edit: &Edit, dry: bool) -> ApiResult<Outcome> {
        if !dry && !self.inner().recoveries.is_empty() {
            return Err(ApiError::undecided());
        }
        self.carry_out(version, edit, dry)
    }

    /// The same whether or not there is work to be decided on.
    pub(super) fn carry_out(&self, version: u64, edit: &Edit, dry: bool) -> ApiResult<Outcome> {
        self.check_changeable()?;
        // The first look may take long; it must not be made while changes wait.
        self.look()?;
        let _changing = (!dry).then(|| self.changing());
        let now = self.look_at(version)?;
        let opened = self.opened()?;
        let (done, undone, kept) = {
            let inner = self.inner();
            let kept: Vec<Scene> = inner.kept.iter().cloned().collect();
            (inner.history.last().cloned(), inner.history.next().cloned(), kept)
        };
        let past =
            Past { opened: &opened, kept: &kept, done: done.as_ref(), undone: undone.as_ref() };
        let original;
        let edit = match edit {
            Edit::Original => {
                let (grid, parts) = (self.original.grid(), self.original_parts());
                let numbers = Arc::new(Numbers::new(grid, &parts));
                let grid = Arc::new(grid.clone());
                original = Edit::Whole(Arc::new(Whole { grid, parts, numbers }));
                &original
            }
            edit => edit,
        };
        let made = edit.apply(&now, &past, version + 1)?;
        let mut inner = self.inner();
        if inner.version != version {
            return Err(ApiError::stale(version, inner.version));
        }
        let (scene, gate, cost) = (made.scene, made.gate, made.cost);
        if dry {
            let status = inner.status();
            return Ok(Outcome { before: now, scene, status, gate, cost });
        }
        inner.version += 1;
        match edit {
            Edit::Undo => inner.history.step_back(),
            Edit::Redo => inner.history.step_forward(),
            _ => inner.history.push(made.change),
        }
        inner.changed = Some(Instant::now());
        inner.kept.retain(|kept| kept.key() != now.key() && kept.key() != scene.key());
        inner.kept.push_back(now.clone());
        if inner.kept.len() > KEPT {
            inner.kept.pop_front();
        }
        inner.scene = Some(scene.clone());
        let mut status = inner.status();
        drop(inner);
        status.autosaved = self.keep();
        Ok(Outcome { before: now, scene, status, gate, cost })
    }
}
