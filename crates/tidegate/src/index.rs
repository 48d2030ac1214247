//! Everything worked out in advance for one map: immutable while queries run, shared by
//! threads. The memory of a running query is a [`Scratch`], one per thread.

use crate::cost::Cost;
use crate::engine::{Ask, BuildError, Engine, Observe};
use crate::grid::component::Components;
use crate::grid::{CellId, Grid, Tile};
use crate::hpa::{Hpa, HpaScratch};
use crate::jps::{Jps, JpsMap};
use crate::path::Path;
use crate::search::{BucketQueue, SearchScratch, Stats};

/// A map with what its engines need. It starts with the map alone, on which `astar`
/// already answers; [`Index::prepare`] adds what another engine wants.
#[derive(Clone, Debug)]
pub struct Index {
    grid: Grid,
    components: Components,
    /// For `jps`.
    pub(crate) jps: Option<JpsMap>,
    /// For `hpa`.
    pub(crate) hpa: Option<Hpa>,
    /// For `hpa-paper`.
    pub(crate) hpa_paper: Option<Hpa>,
}

/// The memory of one running query. Keep one per thread and reuse it.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Searches over tiles.
    pub(crate) tiles: SearchScratch<Cost, BucketQueue>,
    /// Jump point searches.
    pub(crate) jps: Jps,
    /// Plans over clusters.
    pub(crate) hpa: HpaScratch,
}

impl Scratch {
    /// Empty; it grows to what the engines in use need.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.tiles.bytes() + self.jps.bytes() + self.hpa.bytes()
    }
}

/// What is asked: a way from start to goal, and how far to go for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    /// Where the path begins.
    pub start: Tile,
    /// Where it ends.
    pub goal: Tile,
    /// The most expansions to spend; without it a query runs to its end.
    pub budget: Option<u64>,
    /// Whether to return the way to the nearest tile reached when the goal was not.
    pub partial: bool,
}

impl Query {
    /// The way from `start` to `goal`, whatever it takes.
    pub fn new(start: Tile, goal: Tile) -> Query {
        Query { start, goal, budget: None, partial: false }
    }

    /// Stops after so many expansions.
    pub fn with_budget(self, expansions: u64) -> Query {
        Query { budget: Some(expansions), ..self }
    }

    /// Asks for the way to the nearest tile that was reached if the goal was not.
    pub fn with_partial(self) -> Query {
        Query { partial: true, ..self }
    }
}

/// How a query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The path leads to the goal at this cost.
    Found(Cost),
    /// There is no way. With [`Query::partial`] the path leads to the nearest tile.
    Unreachable,
    /// The budget was spent or the observer said stop. With [`Query::partial`] the path
    /// leads to the nearest tile that was expanded.
    Stopped,
}

/// How a query ended and how much work it was. The path is in the caller's [`Path`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it ended.
    pub outcome: Outcome,
    /// How much work it was.
    pub stats: Stats,
}

impl Answer {
    /// The cost of the path to the goal, if there is one.
    pub fn cost(&self) -> Option<Cost> {
        match self.outcome {
            Outcome::Found(cost) => Some(cost),
            _ => None,
        }
    }

    pub(crate) fn without_search(outcome: Outcome) -> Answer {
        Answer { outcome, stats: Stats::default() }
    }
}

/// Why a query cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// An end lies outside the map.
    #[error("{end} {tile} lies outside the map of {width} x {height} tiles")]
    Outside {
        /// "start" or "goal".
        end: &'static str,
        /// The tile asked for.
        tile: Tile,
        /// Columns of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// An end is a wall.
    #[error("{end} {tile} is a wall")]
    Wall {
        /// "start" or "goal".
        end: &'static str,
        /// The tile asked for.
        tile: Tile,
    },
    /// The engine's tables were not built.
    #[error("engine {engine} is not built in this index: build it first")]
    NotBuilt {
        /// The engine.
        engine: &'static str,
    },
    /// The engine cannot do what the query asks.
    #[error("engine {engine} cannot answer this: {why}")]
    Unsupported {
        /// The engine.
        engine: &'static str,
        /// What it cannot do.
        why: &'static str,
    },
    /// The path would cost more than [`crate::cost::LIMIT`].
    #[error("the way is longer than 32-bit costs can count (about 374,000 straight steps)")]
    TooFar,
}

impl Index {
    /// The index of a map, with no engine's tables yet.
    pub fn new(grid: Grid) -> Index {
        let components = Components::of(&grid);
        Index { grid, components, jps: None, hpa: None, hpa_paper: None }
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Which tiles reach each other.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// Builds what an engine needs, unless it is there already.
    pub fn prepare(&mut self, engine: &dyn Engine) -> Result<(), BuildError> {
        if engine.is_ready(self) { Ok(()) } else { engine.build(self) }
    }

    /// Answers a query and writes the way into `path`.
    ///
    /// ```
    /// use tidegate::{engine, Grid, Index, Path, Query, Scratch, Tile};
    /// let grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    /// let index = Index::new(grid);
    /// let (mut scratch, mut path) = (Scratch::new(), Path::new());
    /// let query = Query::new(Tile::new(2, 0), Tile::new(2, 2));
    /// let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
    /// assert_eq!(answer.cost(), Some(6 * 5741));
    /// assert_eq!(path.tiles().len(), 7);
    /// ```
    pub fn find(
        &self,
        engine: &dyn Engine,
        query: &Query,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Answer, QueryError> {
        self.find_watched(engine, query, scratch, path, None)
    }

    /// Like [`Index::find`], while an observer watches every step of the search.
    pub fn find_watched(
        &self,
        engine: &dyn Engine,
        query: &Query,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        path.clear();
        let start = self.end("start", query.start)?;
        let goal = self.end("goal", query.goal)?;
        if !engine.is_ready(self) {
            return Err(QueryError::NotBuilt { engine: engine.name() });
        }
        if !self.components.connected(start, goal) && !query.partial {
            return Ok(Answer::without_search(Outcome::Unreachable));
        }
        let ask = Ask { index: self, query, start, goal };
        engine.find(&ask, scratch, path, watch)
    }

    fn end(&self, end: &'static str, tile: Tile) -> Result<CellId, QueryError> {
        let (width, height) = (self.grid.width(), self.grid.height());
        let cell = self.grid.cell(tile);
        let cell = cell.ok_or(QueryError::Outside { end, tile, width, height })?;
        if self.grid.is_free_cell(cell) { Ok(cell) } else { Err(QueryError::Wall { end, tile }) }
    }
}
