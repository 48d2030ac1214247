//! What was done, so that it can be taken back and done again.

use std::collections::VecDeque;
use std::sync::Arc;

use tidegate::decompose::{GateLine, Method};
use tidegate::{CellId, Decomposition};

use super::scene::{origin, toggled};
use super::{EditCost, Numbers, Scene};
use crate::api_error::{ApiError, ApiResult};

/// The most changes that are kept.
pub(crate) const MAX_CHANGES: usize = 1_000;
/// The most tiles, gate lines and numbers that they may hold together.
const MAX_SIZE: usize = 4 << 20;

/// One side of a change.
#[derive(Clone, Debug)]
struct Side {
    key: (u64, u64),
    lines: Vec<GateLine>,
    origin: (Method, u32),
    numbers: Arc<Numbers>,
}

/// The difference between two states: walls toggled, a stretch of the gate lines replaced.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    toggled: Vec<CellId>,
    at: usize,
    before: Side,
    after: Side,
}

impl Change {
    /// What leads from one state to another.
    pub(crate) fn between(old: &Scene, new: &Scene, toggled: Vec<CellId>) -> Change {
        let lines = |scene: &Scene| scene.parts.lines().collect::<Vec<_>>();
        let (before, after) = (lines(old), lines(new));
        let same = |(a, b): &(&GateLine, &GateLine)| a == b;
        let at = before.iter().zip(&after).take_while(same).count();
        let (old_rest, new_rest) = (&before[at..], &after[at..]);
        let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
        let side = |scene: &Scene, rest: &[GateLine]| Side {
            key: scene.key(),
            lines: rest[..rest.len() - tail].to_vec(),
            origin: origin(&scene.parts),
            numbers: Arc::clone(&scene.numbers),
        };
        Change { toggled, at, before: side(old, old_rest), after: side(new, new_rest) }
    }

    /// Which state was before this change.
    pub(super) fn key_before(&self) -> (u64, u64) {
        self.before.key
    }

    /// Which state came of this change.
    pub(super) fn key_after(&self) -> (u64, u64) {
        self.after.key
    }

    /// The state before this change, from the one after it.
    pub(crate) fn before(&self, after: &Scene) -> ApiResult<(Scene, Option<EditCost>)> {
        self.replay(after, &self.after, &self.before)
    }

    /// The state after this change, from the one before it.
    pub(crate) fn after(&self, before: &Scene) -> ApiResult<(Scene, Option<EditCost>)> {
        self.replay(before, &self.before, &self.after)
    }

    /// The walls go the other way by an edit: the same tiles are toggled. Zones and gates follow
    /// it, and are set right where that does not lead to the lines that there were.
    fn replay(&self, now: &Scene, from: &Side, to: &Side) -> ApiResult<(Scene, Option<EditCost>)> {
        let (mut index, cost) = match self.toggled.is_empty() {
            true => (now.index.clone(), None),
            false => toggled(&now.index, &self.toggled).map(|(index, c)| (index, Some(c)))?,
        };
        let mut lines: Vec<GateLine> = now.parts.lines().collect();
        let end = self.at + from.lines.len();
        if end > lines.len() {
            return Err(ApiError::internal("the history does not fit the map"));
        }
        lines.splice(self.at..end, to.lines.iter().copied());
        let same = |parts: &Decomposition| {
            parts.lines().eq(lines.iter().copied()) && origin(parts) == to.origin
        };
        if !index.decomposition().is_some_and(same) {
            let parts =
                Decomposition::from_gates(index.grid(), lines).map_err(ApiError::internal)?;
            let parts = parts.with_origin(to.origin.0, to.origin.1);
            index.set_decomposition(parts).map_err(ApiError::internal)?;
        }
        Ok((Scene::new(index, to.key)?.with_numbers(&to.numbers), cost))
    }

    fn size(&self) -> usize {
        let lines = self.before.lines.len() + self.after.lines.len();
        // The numbers of before are those after the change before this one.
        self.toggled.len() + lines + self.after.numbers.len()
    }
}

/// Changes done and taken back.
#[derive(Debug, Default)]
pub(crate) struct History {
    done: VecDeque<Change>,
    undone: Vec<Change>,
    size: usize,
}

impl History {
    /// How many changes can be taken back, and how many done again.
    pub(crate) fn depth(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    pub(crate) fn last(&self) -> Option<&Change> {
        self.done.back()
    }

    pub(crate) fn next(&self) -> Option<&Change> {
        self.undone.last()
    }

    /// Remembers a change; what was taken back before is forgotten, and so are the oldest
    /// changes when there are too many.
    pub(crate) fn push(&mut self, change: Change) {
        self.size -= self.undone.drain(..).map(|old| old.size()).sum::<usize>();
        self.size += change.size();
        self.done.push_back(change);
        while self.done.len() > MAX_CHANGES || (self.size > MAX_SIZE && self.done.len() > 1) {
            let oldest = self.done.pop_front();
            self.size -= oldest.map_or(0, |old| old.size());
        }
    }

    pub(crate) fn step_back(&mut self) {
        self.undone.extend(self.done.pop_back());
    }

    pub(crate) fn step_forward(&mut self) {
        self.done.extend(self.undone.pop());
    }
}
