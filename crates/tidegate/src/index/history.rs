//! What was edited lately: whether a path that was handed out can still be walked, and
//! whether it is still a shortest.

use std::collections::VecDeque;

use super::{Edit, Index};
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::grid::Tile;
use crate::path::{Path, PathError};

/// How a path stands to the map as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathState {
    /// It is still a shortest path, if it was one.
    Shortest,
    /// It can be walked. Since then something was opened, or became cheaper, that may have
    /// made another shorter, or tiles on it became dearer.
    Legal,
    /// It cannot be walked, and where not.
    Broken(PathError),
}

/// Changes that are remembered; older ones count as anything.
const MOST: usize = 1 << 14;

/// Tiles that became easier or harder to cross, by the revision that they changed with. Walls
/// that came are not among them: whether a path meets one can be seen from the map.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    changes: VecDeque<(u64, Tile, Kind)>,
    /// Changes up to this revision are not all remembered.
    forgotten: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Easier,
    Dearer,
}

impl History {
    pub(super) fn note(&mut self, revision: u64, edit: &Edit) {
        let easier = edit.opened().iter().chain(edit.cheaper()).map(|&t| (t, Kind::Easier));
        let dearer = edit.dearer().iter().map(|&t| (t, Kind::Dearer));
        self.changes.extend(easier.chain(dearer).map(|(tile, kind)| (revision, tile, kind)));
        while self.changes.len() > MOST {
            self.forgotten = self.changes.pop_front().map_or(0, |(revision, ..)| revision);
        }
    }

    /// Nothing is known of what was before this revision.
    pub(super) fn forget(&mut self, revision: u64) {
        *self = History { changes: VecDeque::new(), forgotten: revision };
    }

    /// What changed after a revision; `None` if not all is remembered.
    fn since(&self, revision: u64) -> Option<impl Iterator<Item = (Tile, Kind)> + '_> {
        let first = self.changes.partition_point(|&(at, ..)| at <= revision);
        let changes = self.changes.range(first..).map(|&(_, tile, kind)| (tile, kind));
        (revision >= self.forgotten).then_some(changes)
    }
}

impl Index {
    /// Whether a path that was found at an earlier [revision](Index::revision) can still be
    /// walked and is still a shortest one. It looks at the path and at what changed since,
    /// and never searches: microseconds.
    ///
    /// ```
    /// use tidegate::index::{Change, PathState};
    /// use tidegate::path::PathError;
    /// use tidegate::{Grid, Index};
    /// let mut index = Index::new(Grid::from_rows(&["......", ".####.", "......"]).unwrap());
    /// let path = index.path((0, 0), (5, 0)).unwrap().unwrap();
    /// let found_at = index.revision();
    /// index.edit([Change::wall((3, 2))]).unwrap();
    /// assert_eq!(index.path_state(&path, found_at), PathState::Shortest);
    /// index.edit([Change::wall((3, 0))]).unwrap();
    /// let state = index.path_state(&path, found_at);
    /// assert!(matches!(state, PathState::Broken(PathError::Wall { step: 3, .. })));
    /// ```
    pub fn path_state(&self, path: &Path, found_at: u64) -> PathState {
        let (grid, movement) = (self.grid(), self.grid().movement());
        let cost = match path.check(grid) {
            Ok(cost) => cost,
            Err(error) => return PathState::Broken(error),
        };
        let Some(mut changes) = self.base.history.since(found_at) else { return PathState::Legal };
        let (start, goal) = (path[0], path[path.len() - 1]);
        let estimate = |a, b| u64::from(movement.estimate(a, b));
        // What a diagonal step beside a tile saves against two straight ones through it.
        let beside = u64::from(2 * STRAIGHT - DIAGONAL);
        let matters = |(tile, kind)| match kind {
            Kind::Easier => {
                grid.is_free(tile) && estimate(start, tile) + estimate(tile, goal) < cost + beside
            }
            Kind::Dearer => path.contains(&tile),
        };
        if changes.any(matters) { PathState::Legal } else { PathState::Shortest }
    }
}
