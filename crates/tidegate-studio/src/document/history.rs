//! What was done, so that it can be taken back and done again.

use std::collections::VecDeque;
use std::sync::Arc;

use tidegate::decompose::{GateLine, Method};
use tidegate::{CellId, Decomposition};

use super::{Numbers, Scene};
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
            origin: (scene.parts.method(), scene.parts.raw_gates()),
            numbers: Arc::clone(&scene.numbers),
        };
        Change { toggled, at, before: side(old, old_rest), after: side(new, new_rest) }
    }

    /// The state before this change, from the one after it.
    pub(crate) fn before(&self, after: &Scene) -> ApiResult<Scene> {
        self.replay(after, &self.after, &self.before)
    }

    /// The state after this change, from the one before it.
    pub(crate) fn after(&self, before: &Scene) -> ApiResult<Scene> {
        self.replay(before, &self.before, &self.after)
    }

    /// The difference the other way round costs nothing: the same tiles are toggled.
    fn replay(&self, scene: &Scene, from: &Side, to: &Side) -> ApiResult<Scene> {
        let grid = if self.toggled.is_empty() {
            Arc::clone(&scene.grid)
        } else {
            let mut grid = (*scene.grid).clone();
            for &cell in &self.toggled {
                let free = grid.is_free_cell(cell);
                grid.set_free(grid.tile(cell), !free);
            }
            Arc::new(grid)
        };
        let mut lines: Vec<GateLine> = scene.parts.lines().collect();
        let end = self.at + from.lines.len();
        if end > lines.len() {
            return Err(ApiError::internal("the history does not fit the map"));
        }
        lines.splice(self.at..end, to.lines.iter().copied());
        let parts = Decomposition::from_gates(&grid, lines).map_err(ApiError::internal)?;
        let parts = Arc::new(parts.with_origin(to.origin.0, to.origin.1));
        let numbers = Arc::clone(&to.numbers);
        Ok(Scene { grid, parts, numbers, walls: to.key.0, gates: to.key.1 })
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
