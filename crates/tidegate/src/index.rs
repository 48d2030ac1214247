//! Everything worked out in advance for one map: immutable while queries run, shared by
//! threads. The memory of a running query is a [`Scratch`], one per thread.
//!
//! An index is a map and any number of [tables](Table). What it holds it holds by
//! reference count, so a clone costs pointers and stays what it is while the other
//! changes. It knows no engine and no table by name: an [`Engine`] names its tables.

mod adopt;
mod cheapest;
mod compare;
mod detour;
mod edit;
mod engine;
mod file;
mod history;
mod many_goals;
mod query;
mod scratch;
mod state_mark;
mod table;
mod tile_search;
mod zones;

use std::any::TypeId;
use std::sync::Arc;

pub use adopt::Built;
pub use cheapest::{Cheapest, Near};
pub use detour::{MOST_DETOUR, replace_detour};
pub use edit::{Change, Edit, EditError, EditReport};
pub use engine::{BuildError, DynObserver, Engine, EngineInfo, FindContext, FindResult, Promise};
pub use history::PathState;
pub use query::{Answer, Outcome, Query, QueryError, ResolvedQuery};
pub use scratch::{EngineScratch, Scratch, TileScratch};
pub(crate) use state_mark::StateMark;
pub use table::{Refused, Table, TableKind, TableOptions, TableState};
pub use tile_search::{QueryObserver, answer_unconnected, search_in_martellis_order, search_tiles};

use crate::grid::component::Components;
use crate::grid::{Blocked, CellId, Grid, Tile};
use history::History;
use scratch::ScratchPool;
use table::{BuildOptions, Entry};

/// The map and what follows from it at once.
#[derive(Clone, Debug)]
struct Base {
    grid: Grid,
    components: Components,
    /// Edits since the index was made.
    revision: u64,
    history: History,
}

/// A map with what its engines need. It starts with the map alone, on which `astar`
/// already answers; [`Index::prepare`] adds what another engine wants.
#[derive(Clone, Debug)]
pub struct Index {
    base: Arc<Base>,
    /// In the order of the file: each behind what it rests on.
    tables: Vec<Entry>,
    /// How the tables were built that an edit has overtaken.
    stale: Vec<BuildOptions>,
    /// For the short forms; clones share it.
    pool: Arc<ScratchPool>,
}

/// Why a value is not taken into an index: it belongs to another map, or to other tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} was made for another map or other tables than those of this index: {why}")]
pub struct Mismatch {
    /// What was to be taken.
    pub what: &'static str,
    /// What does not fit.
    pub why: String,
}

impl Index {
    /// The index of a map, with no engine's tables yet.
    pub fn new(grid: Grid) -> Index {
        let components = Components::of(&grid);
        let base = Base { grid, components, revision: 0, history: History::default() };
        Index { base: Arc::new(base), tables: Vec::new(), stale: Vec::new(), pool: Arc::default() }
    }

    /// The map.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.base.grid
    }

    /// Which tiles reach each other.
    #[inline]
    pub fn components(&self) -> &Components {
        &self.base.components
    }

    /// A table, if it is there.
    #[inline]
    pub fn table<T: Table>(&self) -> Option<&T> {
        Some(self.entry(TypeId::of::<T>())?.table::<T>()?.0)
    }

    /// A table that must be there: one that the asking table or engine
    /// [rests on](Table::RESTS_ON).
    ///
    /// # Panics
    /// If it is not there, because the asking table does not name it.
    pub fn required<T: Table>(&self) -> &T {
        self.table().unwrap_or_else(|| panic!("{} must be named in RESTS_ON", T::NAME))
    }

    /// The options that a table was built with, if it is there.
    pub fn options<T: Table>(&self) -> Option<&T::Options> {
        Some(self.entry(TypeId::of::<T>())?.table::<T>()?.1)
    }

    /// The kinds of tables it has.
    pub fn tables(&self) -> impl Iterator<Item = &'static TableKind> + '_ {
        self.tables.iter().map(Entry::kind)
    }

    /// Whether it has a table of this kind that can be used: not one that an edit has
    /// made [stale](TableState::Stale).
    pub fn has(&self, kind: &TableKind) -> bool {
        self.entry(kind.id()).is_some()
    }

    /// Bytes of a table; 0 if it is not there.
    pub fn table_bytes(&self, kind: &TableKind) -> usize {
        self.entry(kind.id()).map_or(0, Entry::bytes)
    }

    #[inline]
    fn entry(&self, id: TypeId) -> Option<&Entry> {
        self.tables.iter().find(|entry| entry.id() == id)
    }

    fn stale_table(&self, kind: &TableKind) -> Option<&BuildOptions> {
        self.stale.iter().find(|stale| stale.kind().id() == kind.id())
    }

    /// Builds what an engine needs, unless it is there already.
    pub fn prepare(&mut self, engine: &dyn Engine) -> Result<(), BuildError> {
        if engine.is_ready(self) { Ok(()) } else { engine.build(self) }
    }

    /// Builds a table, unless it is there already; first what it rests on. One that an
    /// edit has made stale is built with the options that it had, others with the usual.
    pub fn prepare_table(&mut self, kind: &'static TableKind) -> Result<(), Refused> {
        if !self.has(kind) {
            self.prepare_below(kind)?;
            let stale = self.stale_table(kind);
            let made = stale.map_or_else(|| kind.build(self), |stale| stale.build(self))?;
            self.insert(made);
        }
        Ok(())
    }

    fn prepare_below(&mut self, kind: &'static TableKind) -> Result<(), Refused> {
        kind.rests_on.iter().try_for_each(|below| self.prepare_table(below))
    }

    /// Builds a table with these options, in place of the one that is there.
    ///
    /// ```
    /// use tidegate::labels::{Form, LabelOptions, LiveLabels};
    /// use tidegate::{Grid, Index};
    /// let mut index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    /// let options = LabelOptions { form: Form::Small, ..Default::default() };
    /// index.build::<LiveLabels>(&options).unwrap();
    /// assert_eq!(index.options::<LiveLabels>(), Some(&options));
    /// index.remove::<LiveLabels>();
    /// assert!(index.table::<LiveLabels>().is_none());
    /// ```
    pub fn build<T: Table>(&mut self, options: &T::Options) -> Result<(), BuildError> {
        let entry = self.work_out::<T>(options)?;
        self.insert(entry);
        Ok(())
    }

    fn work_out<T: Table>(&mut self, options: &T::Options) -> Result<Entry, BuildError> {
        let refused = |error: Refused| BuildError::Table { table: T::NAME, why: error.0 };
        self.prepare_below(T::KIND).map_err(refused)?;
        let table = T::build(self, options).map_err(refused)?;
        Ok(Entry::new(table, options.clone()))
    }

    /// Drops a table, and those that rest on it.
    pub fn remove<T: Table>(&mut self) {
        self.remove_kind(T::KIND);
    }

    /// Drops a table by its kind, and those that rest on it.
    pub fn remove_kind(&mut self, kind: &TableKind) {
        let goes = |other: &TableKind| other.id() == kind.id() || other.depends_on(kind);
        self.tables.retain(|entry| !goes(entry.kind()));
        self.stale.retain(|stale| !goes(stale.kind()));
    }

    /// Puts a table in its place; what rests on the one it replaces goes.
    fn insert(&mut self, entry: Entry) {
        let kind = entry.kind();
        let goes = |other: &Entry| other.id() == kind.id() || other.kind().depends_on(kind);
        self.tables.retain(|other| !goes(other));
        self.stale.retain(|other| other.kind().id() != kind.id());
        let at = self.tables.partition_point(|other| other.kind().order() < kind.order());
        self.tables.insert(at, entry);
    }

    /// Runs `work` with a scratch that the index keeps: for callers that have none.
    pub fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        self.pool.with(work)
    }

    /// Checks a query: both ends must be free tiles of the map, and the goal not blocked. A
    /// start that is blocked is where the unit itself stands.
    pub fn resolve<'a>(&'a self, query: &'a Query<'a>) -> Result<ResolvedQuery<'a>, QueryError> {
        let start = self.end("start", query.start, None)?;
        let blocked = query.blocked.filter(|_| query.goal != query.start);
        let goal = self.end("goal", query.goal, blocked)?;
        query.costs.map_or(Ok(()), |costs| costs.check(self.grid()))?;
        Ok(ResolvedQuery { index: self, query, start, goal })
    }

    pub(crate) fn end(
        &self,
        end: &'static str,
        tile: Tile,
        blocked: Option<&Blocked>,
    ) -> Result<CellId, QueryError> {
        let grid = self.grid();
        let (width, height) = (grid.width(), grid.height());
        let cell = grid.cell(tile).ok_or(QueryError::Outside { end, tile, width, height })?;
        if !grid.is_free_cell(cell) {
            return Err(QueryError::Wall { end, tile });
        }
        if blocked.is_some_and(|blocked| blocked.contains(tile)) {
            return Err(QueryError::Blocked { end, tile });
        }
        Ok(cell)
    }
}
