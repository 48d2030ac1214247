//! Changing the map of an index: the map first, then every table in its turn.
//!
//! After an edit every optimal engine is exact on the new map at once. A table is repaired,
//! or stays right as it is, or is not used until it is built again: which of these it is
//! stands in the [`EditReport`], and [`TableState`] says what it means.
//!
//! Whoever holds a [clone](Clone) of the index keeps the old map: what an edit changes and
//! a clone still has is copied once.

use std::sync::Arc;

use super::table::Entry;
use super::{Base, Engine, Index, TableKind, TableState};
use crate::cost::Factor;
use crate::decompose::{Decomposition, ZoneChanges};
use crate::grid::{CellId, Grid, OtherMap, Revision, Tile};

/// One tile as it is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// It becomes a wall.
    Wall(Tile),
    /// It can be entered. Its cost factor is what it was before it became a wall.
    Free(Tile),
    /// It gets this cost factor, be it free or wall.
    Factor(Tile, Factor),
}

impl Change {
    /// A tile that becomes a wall.
    pub fn wall(tile: impl Into<Tile>) -> Change {
        Change::Wall(tile.into())
    }

    /// A tile that can be entered.
    pub fn free(tile: impl Into<Tile>) -> Change {
        Change::Free(tile.into())
    }

    /// A tile with another cost factor.
    pub fn factor(tile: impl Into<Tile>, factor: Factor) -> Change {
        Change::Factor(tile.into(), factor)
    }

    /// Which tile.
    pub fn tile(self) -> Tile {
        match self {
            Change::Wall(tile) | Change::Free(tile) | Change::Factor(tile, _) => tile,
        }
    }

    fn is_new(self, grid: &Grid) -> bool {
        match self {
            Change::Wall(tile) => grid.is_free(tile),
            Change::Free(tile) => !grid.is_free(tile),
            Change::Factor(tile, factor) => grid.factor(tile) != factor,
        }
    }

    fn apply(self, grid: &mut Grid) {
        match self {
            Change::Wall(tile) => grid.set_free(tile, false),
            Change::Free(tile) => grid.set_free(tile, true),
            Change::Factor(tile, factor) => grid.set_factor(tile, factor),
        };
    }
}

/// Why an edit was not made. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A tile lies outside the map.
    #[error("{tile} lies outside the map of {width} x {height} tiles; nothing was changed")]
    Outside {
        /// The tile.
        tile: Tile,
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
}

/// In what a map differs from an earlier one, as a [table](super::Table) is told of it. All
/// lists are in row order, and no tile stands in one twice.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    closed: Vec<Tile>,
    opened: Vec<Tile>,
    walls: Vec<Tile>,
    dearer: Vec<Tile>,
    cheaper: Vec<Tile>,
    /// What became of zones and gates, once they were looked at.
    zones: ZoneChanges,
    gates_moved: bool,
}

impl Edit {
    /// The difference between two maps of one size and rule.
    pub(super) fn between(old: &Grid, new: &Grid) -> Result<Edit, OtherMap> {
        Revision::of(old).check_form(new)?;
        let mut edit = Edit::default();
        for cell in old.free_bits().symmetric_difference(new.free_bits()) {
            let tile = new.tile(CellId::from_index(cell));
            edit.note(tile, (old.is_free(tile), Factor::ONE), (new.is_free(tile), Factor::ONE));
        }
        if old.factors() != new.factors() {
            for cell in (0..new.tiles()).map(CellId::from_index) {
                let tile = new.tile(cell);
                edit.note(tile, (true, old.factor(tile)), (true, new.factor(tile)));
            }
        }
        Ok(edit)
    }

    fn note(&mut self, tile: Tile, old: (bool, Factor), new: (bool, Factor)) {
        match (old.0, new.0) {
            (true, false) => self.closed.push(tile),
            (false, true) => self.opened.push(tile),
            _ => {}
        }
        if old.0 != new.0 {
            self.walls.push(tile);
        }
        match old.1.cmp(&new.1) {
            std::cmp::Ordering::Less => self.dearer.push(tile),
            std::cmp::Ordering::Greater => self.cheaper.push(tile),
            std::cmp::Ordering::Equal => {}
        }
    }

    /// Tiles that became wall.
    pub fn closed(&self) -> &[Tile] {
        &self.closed
    }

    /// Tiles that became free.
    pub fn opened(&self) -> &[Tile] {
        &self.opened
    }

    /// Tiles that became wall or free.
    pub fn walls(&self) -> &[Tile] {
        &self.walls
    }

    /// Tiles, walls among them, whose cost factor rose.
    pub fn dearer(&self) -> &[Tile] {
        &self.dearer
    }

    /// Tiles, walls among them, whose cost factor fell.
    pub fn cheaper(&self) -> &[Tile] {
        &self.cheaper
    }

    /// All tiles that differ, those in two lists twice.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.walls.iter().chain(&self.dearer).chain(&self.cheaper).copied()
    }

    /// Whether the maps are the same.
    pub fn is_empty(&self) -> bool {
        self.tiles().next().is_none()
    }

    /// Whether no way has become shorter and none has come: nothing was opened, and
    /// nothing has become cheaper.
    pub fn only_lengthens(&self) -> bool {
        self.opened.is_empty() && self.cheaper.is_empty()
    }

    /// What became of zones and gates; empty as long as there are none.
    pub fn zones(&self) -> &ZoneChanges {
        &self.zones
    }

    /// Whether zones and gates are the same, but for tiles of zones that became wall or
    /// free.
    pub fn keeps_gates(&self) -> bool {
        !self.gates_moved
    }

    pub(super) fn set_zones(&mut self, zones: ZoneChanges) {
        let areas_alone =
            ZoneChanges { zones_changed: zones.zones_changed.clone(), ..Default::default() };
        self.gates_moved |= zones != areas_alone;
        self.zones = zones;
    }

    /// The same where zones have followed the edits already, one by one.
    pub(super) fn compare_zones(&mut self, old: &Decomposition, new: &Decomposition) {
        let gone = |parts: &Decomposition| -> Vec<bool> {
            parts.zones().iter().map(|zone| zone.is_gone()).collect()
        };
        self.gates_moved |= old.gates() != new.gates() || gone(old) != gone(new);
    }
}

/// What an edit has done.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EditReport {
    /// The number of the map as it is now: [`Index::revision`].
    pub revision: u64,
    /// In what the map differs from the one before; nothing if the tiles were already
    /// as they were to be.
    pub edit: Edit,
    /// Every table and how it stands to the map now.
    pub tables: Vec<(&'static TableKind, TableState)>,
}

impl EditReport {
    /// What became of zones and gates.
    pub fn zones(&self) -> &ZoneChanges {
        &self.edit.zones
    }

    /// The tables that would be faster if they were built again.
    pub fn want_rebuild(&self) -> impl Iterator<Item = &'static TableKind> + '_ {
        self.tables.iter().filter(|(_, state)| state.wants_rebuild()).map(|&(kind, _)| kind)
    }
}

impl Index {
    /// Changes the map, one tile or thousands; where a tile stands more than once, the
    /// last counts. Every optimal engine then answers exactly on the new map. A tile
    /// outside the map is an error, and nothing is changed.
    ///
    /// ```
    /// use tidegate::index::Change;
    /// use tidegate::{engine, Grid, Index};
    /// let mut index = Index::new(Grid::from_rows(&[".....", ".###.", "....."]).unwrap());
    /// index.prepare(engine::CORNERS).unwrap();
    /// assert_eq!(index.path((2, 0), (2, 2)).unwrap().unwrap().len(), 7);
    ///
    /// // A breach, and a wall on the way around.
    /// let report = index.edit([Change::free((2, 1)), Change::wall((4, 1))]).unwrap();
    /// assert_eq!(report.revision, 1);
    /// assert_eq!(report.want_rebuild().count(), 0); // corners were repaired
    /// assert_eq!(index.path((2, 0), (2, 2)).unwrap().unwrap().len(), 3);
    /// ```
    pub fn edit(
        &mut self,
        changes: impl IntoIterator<Item = Change>,
    ) -> Result<EditReport, EditError> {
        let changes: Vec<Change> = changes.into_iter().collect();
        let grid = self.grid();
        let (width, height) = (grid.width(), grid.height());
        if let Some(change) = changes.iter().find(|change| !grid.contains(change.tile())) {
            return Err(EditError::Outside { tile: change.tile(), width, height });
        }
        let mut report = EditReport::default();
        if changes.iter().any(|change| change.is_new(grid)) {
            report.edit = self.change_map(&changes);
        }
        if !report.edit.is_empty() {
            self.repair_tables(&mut report.edit);
        }
        report.revision = self.revision();
        report.tables = self.table_states().collect();
        Ok(report)
    }

    /// Changes grid and components, and says in what they differ.
    fn change_map(&mut self, changes: &[Change]) -> Edit {
        let mut tiles: Vec<Tile> = changes.iter().map(|change| change.tile()).collect();
        tiles.sort_unstable_by_key(|tile| (tile.y, tile.x));
        tiles.dedup();
        let state = |grid: &Grid, tile| (grid.is_free(tile), grid.factor(tile));
        let Base { grid, components, revision, history } = Arc::make_mut(&mut self.base);
        let before: Vec<_> = tiles.iter().map(|&tile| state(grid, tile)).collect();
        changes.iter().for_each(|change| change.apply(grid));
        let mut edit = Edit::default();
        for (&tile, before) in tiles.iter().zip(before) {
            edit.note(tile, before, state(grid, tile));
        }
        if !edit.is_empty() {
            components.update(grid, &edit.walls);
            *revision += 1;
            history.note(*revision, &edit);
        }
        edit
    }

    /// Repairs every table, in the order in which they rest on each other.
    fn repair_tables(&mut self, edit: &mut Edit) {
        for mut entry in std::mem::take(&mut self.tables) {
            let kind = entry.kind();
            let stands = kind.rests_on.iter().all(|below| self.has(below));
            if stands && self.repair_entry(&mut entry, edit) != TableState::Stale {
                self.tables.push(entry);
            } else {
                self.stale.retain(|other| other.kind().id() != kind.id());
                self.stale.push(entry.build_options());
            }
        }
    }

    /// Repairs one table; what it rests on is up to date already.
    pub(super) fn repair_entry(&self, entry: &mut Entry, edit: &mut Edit) -> TableState {
        // There and back again leaves the same map, but zones may have other numbers.
        if edit.is_empty() && edit.keeps_gates() {
            return entry.state;
        }
        entry.repair(self, edit)
    }

    /// How often the map was edited. What was worked out for an earlier revision can be
    /// told from what is right now; see [`Index::path_state`].
    pub fn revision(&self) -> u64 {
        self.base.revision
    }

    /// Whether an edit has overtaken a table that an engine cannot do without.
    pub fn is_stale(&self, engine: &dyn Engine) -> bool {
        let overtaken = |kind: &TableKind| self.stale_table(kind).is_some();
        !self.stale.is_empty()
            && !engine.has_tables(self)
            && engine.tables().iter().all(|kind| self.has(kind) || overtaken(kind))
    }

    /// How a table stands to the map; `None` if there is none of this kind.
    pub fn table_state(&self, kind: &TableKind) -> Option<TableState> {
        self.table_states().find(|(other, _)| other.id() == kind.id()).map(|(_, state)| state)
    }

    /// All tables, stale ones too, and how they stand to the map.
    pub fn table_states(&self) -> impl Iterator<Item = (&'static TableKind, TableState)> + '_ {
        let stale = self.stale.iter().map(|stale| (stale.kind(), TableState::Stale));
        self.tables.iter().map(|entry| (entry.kind(), entry.state)).chain(stale)
    }

    /// Builds every table again that would be faster for it, with the options that it was
    /// built with. In a game this is done on a snapshot: see [`Index::build_again_apart`], and
    /// the module `background`.
    pub fn rebuild(&mut self) -> Result<(), super::BuildError> {
        for kind in self.want_rebuild() {
            let built = self.build_again_apart(kind)?;
            self.insert(built.entry);
        }
        Ok(())
    }

    /// The tables that would be faster if they were built again, in the order in which
    /// they rest on each other.
    pub fn want_rebuild(&self) -> Vec<&'static TableKind> {
        let states = self.table_states().filter(|(_, state)| state.wants_rebuild());
        let mut kinds: Vec<_> = states.map(|(kind, _)| kind).collect();
        kinds.sort_unstable_by_key(|kind| kind.order());
        kinds
    }

    /// Whether any path leads from one tile to another: not from or to a wall, nor outside
    /// the map. It takes nanoseconds, after edits too.
    ///
    /// ```
    /// use tidegate::{Grid, Index};
    /// let index = Index::new(Grid::from_rows(&["..#..", "..#..", "..#.."]).unwrap());
    /// assert!(index.reachable((0, 0), (1, 2)));
    /// assert!(!index.reachable((0, 0), (3, 0)));
    /// ```
    pub fn reachable(&self, from: impl Into<Tile>, to: impl Into<Tile>) -> bool {
        let cell = |tile: Tile| self.grid().cell(tile);
        let ends = cell(from.into()).zip(cell(to.into()));
        ends.is_some_and(|(from, to)| self.components().connected(from, to))
    }

    /// The tile nearest to `to` that can be reached from `from`, be `to` a wall, in a pocket
    /// or on an island: where to send a unit whose goal cannot be reached. `None` if `from`
    /// is a wall or outside the map. See
    /// [`Components::nearest_reachable`](crate::grid::component::Components::nearest_reachable).
    pub fn nearest_reachable(&self, from: impl Into<Tile>, to: impl Into<Tile>) -> Option<Tile> {
        self.components().nearest_reachable(self.grid(), from.into(), to.into())
    }
}
