//! The bits of a map on which some tiles are blocked, kept from query to query.
//!
//! Units that stand about move a step at a time: from one query to the next few blocked
//! tiles change, and only those are changed here.

use super::{JpsMap, View};
use crate::grid::turns::Table;
use crate::grid::{Revision, Tile};

/// A copy of a map's bits with blocked tiles as walls.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// The copy, and the state of the map that it was made of.
    copy: Option<(JpsMap, Revision)>,
    /// Tiles that are walls in the copy alone, and the sum of the set that
    /// they are.
    shut: Vec<Tile>,
    sum: u64,
    changed: Vec<Tile>,
}

impl Around {
    /// The bits as of the last query.
    pub(super) fn map(&self) -> Option<&JpsMap> {
        self.copy.as_ref().map(|(map, _)| map)
    }

    /// The bits of this map with what the view blocks.
    pub(super) fn follow(&mut self, map: &JpsMap, view: View<'_>) -> &JpsMap {
        if self.copy.as_ref().is_none_or(|(_, of)| *of != map.revision) {
            self.copy = None;
            self.shut.clear();
            self.sum = 0;
        }
        let (copy, _) = self.copy.get_or_insert_with(|| (map.clone(), map.revision));
        let sum = view.blocked.map_or(0, |blocked| blocked.sum());
        if sum == self.sum {
            return copy;
        }
        self.sum = sum;
        self.changed.clear();
        self.changed.extend(self.shut.iter().filter(|&&tile| view.is_free(tile)));
        let opened = self.changed.len();
        let is_open = |tile: &Tile| copy.rows.is_free(tile.y.into(), tile.x.into());
        let blocked = view.blocked.into_iter().flat_map(|blocked| blocked.iter());
        let shut = blocked.filter(|&tile| view.grid.is_free(tile)).filter(is_open);
        self.changed.extend(shut);
        if !self.changed.is_empty() {
            self.shut.retain(|&tile| !view.is_free(tile));
            self.shut.extend_from_slice(&self.changed[opened..]);
            copy.follow(view, &self.changed);
        }
        copy
    }

    pub(super) fn bytes(&self) -> usize {
        let lists = self.shut.capacity() + self.changed.capacity();
        // The table of turns is nobody's own.
        let copy = self.map().map_or(0, |map| map.bytes() - size_of::<Table>());
        copy + size_of::<Tile>() * lists
    }
}
