//! The one trait of all engines: what they are, which tables they need, how they answer.

use super::{Answer, Index, QueryError, Refused, ResolvedQuery, Scratch, TableKind};
use crate::cost::Cost;
use crate::grid::Tile;
use crate::path::Path;
use crate::search::Observer;

/// An observer of unknown type.
pub type DynObserver<'a> = dyn Observer<Cost> + 'a;

/// What an engine writes to while it answers a query, and who watches it.
pub struct FindContext<'a> {
    /// The memory of the thread.
    pub scratch: &'a mut Scratch,
    /// Where the path goes; empty before.
    pub path: &'a mut Path,
    /// Who sees the nodes that are expanded.
    pub observer: Option<&'a mut DynObserver<'a>>,
}

/// How an engine answers.
pub type FindResult = Result<Answer, QueryError>;

/// What an engine says about the length of its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Exactly the least cost, always.
    Optimal,
    /// A legal path whenever there is one, usually a little longer than the best. How much
    /// longer it can be stands where the engine is described.
    Approximate,
}

/// What an engine is, for people who choose and programs that list.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EngineInfo {
    /// The name on the command line, in files and tables.
    pub name: &'static str,
    /// One line for a person who has to choose.
    pub about: &'static str,
    /// What it says about the length of its paths.
    pub promise: Promise,
    /// Whether it goes around tiles that are blocked for one query by itself. A query with
    /// blocked tiles never reaches an engine that does not: it is asked for its path on the
    /// open map, and where that touches a blocked tile another engine searches.
    pub respects_blocked: bool,
    /// Whether it goes by what a cost layer adds. A query with such a layer never reaches an
    /// engine that does not.
    pub respects_costs: bool,
    /// Whether it learns from queries: an answer then also depends on those given before
    /// with the same scratch.
    pub adapts: bool,
}

impl EngineInfo {
    /// An engine whose paths are always shortest.
    pub const fn optimal(name: &'static str, about: &'static str) -> EngineInfo {
        EngineInfo {
            name,
            about,
            promise: Promise::Optimal,
            respects_blocked: false,
            respects_costs: false,
            adapts: false,
        }
    }

    /// An engine whose paths may be longer.
    pub const fn approximate(name: &'static str, about: &'static str) -> EngineInfo {
        let info = EngineInfo::optimal(name, about);
        EngineInfo { promise: Promise::Approximate, ..info }
    }

    /// It goes around tiles that are blocked for one query.
    pub const fn with_blocked(self) -> EngineInfo {
        EngineInfo { respects_blocked: true, ..self }
    }

    /// It goes by what a cost layer adds.
    pub const fn with_costs(self) -> EngineInfo {
        EngineInfo { respects_costs: true, ..self }
    }

    /// It learns from queries.
    pub const fn adapting(self) -> EngineInfo {
        EngineInfo { adapts: true, ..self }
    }
}

/// Why an engine's tables cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The engine cannot handle this kind of map.
    #[error("engine {engine} cannot be built for this map: {why}")]
    Unsupported {
        /// The engine.
        engine: &'static str,
        /// What it cannot do, and what to use instead.
        why: String,
    },
    /// A table that was asked for by itself cannot be built for this kind of map.
    #[error("{table} cannot be built for this map: {why}")]
    Table {
        /// The table.
        table: &'static str,
        /// What it cannot do, and what to use instead.
        why: String,
    },
}

/// A way to answer queries.
///
/// An engine names its tables; the index builds, keeps, saves and loads them. What it
/// writes to while it answers is its [slot](Scratch::slot) in the scratch.
pub trait Engine: Sync {
    /// What it is.
    fn info(&self) -> &EngineInfo;

    /// The tables it needs, in the order in which they are built.
    fn tables(&self) -> &'static [&'static TableKind] {
        &[]
    }

    /// Tables that are built beside its own where the map allows, and that it can do without: those of
    /// the engine that is to answer where an edit has overtaken its own, or that `auto` takes first.
    fn beside(&self) -> &'static [&'static TableKind] {
        &[]
    }

    /// Tables that a file may have besides those of engines: what is asked of the index itself.
    fn also_in_files(&self) -> &'static [&'static TableKind] {
        &[]
    }

    /// The name of the engine that answers this query: its own, unless it only chooses one.
    fn answered_by(&self, query: &ResolvedQuery<'_>) -> &'static str {
        let _ = query;
        self.name()
    }

    /// Answers a query whose ends were checked by [`Index::find`]; the path is empty. A goal
    /// that is not connected with the start on the map without blocked tiles never gets here.
    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult;

    /// About how many microseconds the query will take with the tables in the index, judged
    /// by what the engine took on the maps of the evaluation: what `auto` chooses by. `None`
    /// if it is not to be chosen.
    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        let _ = query;
        None
    }

    /// The costs from one tile to many, all free, in their order; `None` where there is no
    /// way. Only where it knows them, and sooner than one search that goes to all of them
    /// would: what most engines cannot.
    fn distances(
        &self,
        index: &Index,
        start: Tile,
        goals: &[Tile],
        scratch: &mut Scratch,
    ) -> Option<Vec<Option<Cost>>> {
        let _ = (index, start, goals, scratch);
        None
    }

    /// Whether the tables it cannot do without are in the index.
    fn has_tables(&self, index: &Index) -> bool {
        self.tables().iter().all(|kind| index.has(kind))
    }

    /// Whether everything it would build is in the index.
    fn is_ready(&self, index: &Index) -> bool {
        self.has_tables(index)
    }

    /// Builds those of its tables, and of those beside, that are not in the index.
    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        let refused =
            |error: Refused| BuildError::Unsupported { engine: self.name(), why: error.0 };
        self.tables().iter().try_for_each(|kind| index.prepare_table(kind).map_err(refused))?;
        for kind in self.beside() {
            // It can do without.
            let _ = index.prepare_table(kind);
        }
        Ok(())
    }

    /// Bytes of its tables in the index, the map itself not counted.
    fn bytes(&self, index: &Index) -> usize {
        self.tables().iter().map(|kind| index.table_bytes(kind)).sum()
    }

    /// The name on the command line, in files and tables.
    fn name(&self) -> &'static str {
        self.info().name
    }

    /// One line for a person who has to choose.
    fn about(&self) -> &'static str {
        self.info().about
    }

    /// What it says about the length of its paths.
    fn promise(&self) -> Promise {
        self.info().promise
    }

    /// The error of a query that found a table missing.
    fn not_built(&self) -> QueryError {
        QueryError::NotBuilt { engine: self.name() }
    }
}

impl std::fmt::Debug for dyn Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({})", self.name())
    }
}
