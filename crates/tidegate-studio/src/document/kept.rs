//! Unsaved work of a map: kept after every change, and taken up again or thrown away.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use super::{Document, Edit, Outcome, Scene};
use crate::api_error::{ApiError, ApiResult};
use crate::autosave::Recovery;

impl Document {
    /// Keeps what is now if it is not saved, and forgets what was kept if it is. Tells whether
    /// unsaved work is kept.
    pub(super) fn keep(&self) -> bool {
        let autosave = self.autosave.lock().unwrap_or_else(PoisonError::into_inner);
        // Looked at only now: of two changes at once the later one must stay.
        let (scene, status) = {
            let inner = self.inner();
            // What lies there is still to be decided on.
            if !inner.recoveries.is_empty() {
                return false;
            }
            (inner.scene.clone(), inner.status())
        };
        let (Some(autosave), Some(scene)) = (&*autosave, scene) else { return false };
        if !status.dirty {
            autosave.clear();
            return false;
        }
        let stored = autosave.store(self.original.grid(), &scene);
        let mut inner = self.inner();
        inner.autosaved = if stored.is_ok() { status.version } else { 0 };
        inner.autosave_error = stored.err();
        inner.autosaved != 0
    }

    /// Why changes are not kept, if they are not.
    pub(crate) fn autosave_error(&self) -> Option<String> {
        let off = self.autosave.lock().unwrap_or_else(PoisonError::into_inner).is_none();
        let off = off.then(|| "there is no folder to keep unsaved work in".to_owned());
        off.or_else(|| self.inner().autosave_error.clone())
    }

    /// What earlier studios kept, except what the map shows anyway.
    pub(super) fn find_recoveries(&self, opened: &Scene) -> VecDeque<Recovery> {
        let autosave = self.autosave.lock().unwrap_or_else(PoisonError::into_inner);
        let found = autosave.as_ref().map(|autosave| autosave.find(self.original.grid()));
        let differs = |recovery: &Recovery| {
            recovery.whole.parts != opened.parts || *recovery.whole.grid != *opened.grid()
        };
        found.unwrap_or_default().into_iter().filter(differs).collect()
    }

    /// The unsaved work that is to be decided on.
    pub(crate) fn recovery(&self) -> Option<Recovery> {
        self.inner().recoveries.front().cloned()
    }

    /// Takes up the work that an earlier studio kept; it can be undone like any change.
    pub(crate) fn restore(&self, version: u64) -> ApiResult<Outcome> {
        self.look_at(version)?;
        let recovery = self.decide()?;
        let edit = Edit::Whole(Arc::clone(&recovery.whole));
        let made = self.carry_out(version, &edit, false);
        match &made {
            Ok(outcome) if outcome.status.autosaved => self.drop_recovery(&recovery, true),
            Ok(_) => {}
            Err(_) => self.inner().recoveries.push_front(recovery),
        }
        made
    }

    /// Throws away the work that an earlier studio kept.
    pub(crate) fn discard(&self) -> ApiResult<()> {
        let recovery = self.decide()?;
        self.drop_recovery(&recovery, false);
        self.keep();
        Ok(())
    }

    fn decide(&self) -> ApiResult<Recovery> {
        let recovery = self.inner().recoveries.pop_front();
        recovery.ok_or(ApiError::nothing("there is no unsaved work of an earlier session"))
    }

    fn drop_recovery(&self, recovery: &Recovery, is_restored: bool) {
        let autosave = self.autosave.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(autosave) = &*autosave {
            autosave.drop_recovery(recovery, is_restored);
        }
    }
}
