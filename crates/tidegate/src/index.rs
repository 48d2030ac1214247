//! Everything worked out in advance for one map: immutable while queries run, shared by
//! threads. The memory of a running query is a [`Scratch`], one per thread.
//!
//! An index is a map and any number of [tables](Table). What it holds it holds by
//! reference count, so a clone costs pointers and stays what it is while the other
//! changes. It knows no engine and no table by name: an [`Engine`] names its tables.

mod compare;
mod detour;
mod engine;
mod file;
mod many_goals;
mod query;
mod scratch;
mod table;
mod tile_search;
mod zones;

use std::any::TypeId;
use std::sync::Arc;

pub use detour::replace_detour;
pub use engine::{BuildError, DynObserver, Engine, EngineInfo, FindContext, FindResult, Promise};
pub use query::{Answer, Outcome, Query, QueryError, ResolvedQuery};
pub use scratch::{EngineScratch, Scratch, TileScratch};
pub use table::{Built, Refused, Table, TableKind, TableOptions};
pub use tile_search::{QueryObserver, answer_unconnected, search_in_martellis_order, search_tiles};

use crate::grid::component::Components;
use crate::grid::{Blocked, CellId, Grid, Tile};
use crate::path::Path;
use scratch::ScratchPool;
use table::Entry;

/// The map and what follows from it at once.
#[derive(Debug)]
struct Base {
    grid: Grid,
    components: Components,
}

/// A map with what its engines need. It starts with the map alone, on which `astar`
/// already answers; [`Index::prepare`] adds what another engine wants.
#[derive(Clone, Debug)]
pub struct Index {
    base: Arc<Base>,
    /// In the order of the file: each behind what it rests on.
    tables: Vec<Entry>,
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
        let base = Arc::new(Base { grid, components });
        Index { base, tables: Vec::new(), pool: Arc::default() }
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

    /// Whether it has a table of this kind.
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

    /// Builds what an engine needs, unless it is there already.
    pub fn prepare(&mut self, engine: &dyn Engine) -> Result<(), BuildError> {
        if engine.is_ready(self) { Ok(()) } else { engine.build(self) }
    }

    /// Builds a table with the usual options, unless it is there already; first what it
    /// rests on.
    pub fn prepare_table(&mut self, kind: &'static TableKind) -> Result<(), Refused> {
        if !self.has(kind) {
            self.prepare_below(kind)?;
            self.insert(kind.build(self)?);
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

    /// Builds a table for an index that goes on answering meanwhile: call it on a
    /// [clone](Clone), on any thread, and hand the result to [`Index::adopt`].
    ///
    /// ```
    /// use tidegate::jps::JpsMap;
    /// use tidegate::{Grid, Index};
    /// let mut index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    /// let mut snapshot = index.clone();
    /// let built = snapshot.build_apart::<JpsMap>(&()).unwrap();
    /// index.adopt(built).unwrap();
    /// assert!(index.table::<JpsMap>().is_some());
    /// ```
    pub fn build_apart<T: Table>(&mut self, options: &T::Options) -> Result<Built, BuildError> {
        let entry = self.work_out::<T>(options)?;
        Ok(Built { entry, made_for: self.clone() })
    }

    fn work_out<T: Table>(&mut self, options: &T::Options) -> Result<Entry, BuildError> {
        let refused = |error: Refused| BuildError::Table { table: T::NAME, why: error.0 };
        self.prepare_below(T::KIND).map_err(refused)?;
        let table = T::build(self, options).map_err(refused)?;
        Ok(Entry::new(table, options.clone()))
    }

    /// Takes a table that was built apart, in place of the one that is there. Refused if
    /// it was built for another map, or on other tables than those that are here now.
    pub fn adopt(&mut self, built: Built) -> Result<(), Mismatch> {
        let kind = built.kind();
        let refuse = |why: String| Err(Mismatch { what: kind.name, why });
        let other = &built.made_for;
        if !Arc::ptr_eq(&self.base, &other.base) && self.grid() != other.grid() {
            return refuse("the map differs".to_owned());
        }
        let mut missing = Vec::new();
        for below in kind.rests_on {
            match (self.entry(below.id()), other.entry(below.id())) {
                (None, Some(theirs)) => missing.push(theirs.clone()),
                (Some(ours), Some(theirs)) if ours.is_same(theirs) => {}
                _ => return refuse(format!("the {} differ", below.name)),
            }
        }
        missing.into_iter().for_each(|entry| self.insert(entry));
        self.insert(built.entry);
        Ok(())
    }

    /// Drops a table, and those that rest on it.
    pub fn remove<T: Table>(&mut self) {
        self.remove_kind(T::KIND);
    }

    /// Drops a table by its kind, and those that rest on it.
    pub fn remove_kind(&mut self, kind: &TableKind) {
        self.tables.retain(|entry| entry.id() != kind.id() && !entry.kind().depends_on(kind));
    }

    /// Puts a table in its place; what rests on the one it replaces goes.
    fn insert(&mut self, entry: Entry) {
        let kind = entry.kind();
        self.remove_kind(kind);
        let at = self.tables.partition_point(|other| other.kind().order() < kind.order());
        self.tables.insert(at, entry);
    }

    /// Runs `work` with a scratch that the index keeps: for callers that have none.
    pub fn with_scratch<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        self.pool.with(work)
    }

    /// Answers a query and writes the way into `path`.
    ///
    /// ```
    /// use tidegate::cost::STRAIGHT;
    /// use tidegate::{engine, Grid, Index, Path, Query, Scratch, Tile};
    /// let grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    /// let index = Index::new(grid);
    /// let (mut scratch, mut path) = (Scratch::new(), Path::new());
    /// let query = Query::new(Tile::new(2, 0), Tile::new(2, 2));
    /// let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
    /// assert_eq!(answer.cost(), Some(6 * STRAIGHT));
    /// assert_eq!(path.tiles().len(), 7);
    /// ```
    pub fn find(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Answer, QueryError> {
        self.find_observed(engine, query, scratch, path, None)
    }

    /// Like [`Index::find`], while an observer sees every step of the search.
    pub fn find_observed(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        observer: Option<&mut DynObserver<'_>>,
    ) -> Result<Answer, QueryError> {
        path.clear();
        let resolved = self.resolve(query)?;
        let refuse = |error| if engine.has_tables(self) { error } else { engine.not_built() };
        if resolved.has_blocked() && !engine.info().respects_blocked {
            let why =
                "it cannot go around tiles blocked for one query: use an engine that searches";
            return Err(refuse(QueryError::Unsupported { engine: engine.name(), why }));
        }
        if !resolved.is_connected() {
            if !engine.has_tables(self) {
                return Err(engine.not_built());
            }
            return answer_unconnected(&resolved, scratch, path, observer);
        }
        let observer = observer.map(|observer| observer as &mut DynObserver<'_>);
        let answer = engine.find(&resolved, FindContext { scratch, path, observer })?;
        if !resolved.has_blocked() && answer.outcome == Outcome::Unreachable {
            return Err(QueryError::Contradiction { engine: engine.name() });
        }
        Ok(answer)
    }

    /// Checks a query: both ends must be free tiles of the map.
    pub fn resolve<'a>(&'a self, query: &'a Query<'a>) -> Result<ResolvedQuery<'a>, QueryError> {
        let start = self.end("start", query.start, query.blocked)?;
        let goal = self.end("goal", query.goal, query.blocked)?;
        Ok(ResolvedQuery { index: self, query, start, goal })
    }

    fn end(
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
