//! Questions and answers: what is asked, how it ended, why it could not be answered.

use super::Index;
use crate::cost::Cost;
use crate::grid::{Blocked, CellId, CostLayer, OtherSize, Tile};
use crate::search::Stats;

/// What is asked: a way from start to goal, and how far to go for it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Query<'a> {
    /// Where the path begins.
    pub start: Tile,
    /// Where it ends.
    pub goal: Tile,
    /// The most expansions to spend; without it a query runs to its end.
    pub budget: Option<u64>,
    /// Whether to return the way to the nearest tile when the goal cannot be reached.
    ///
    /// The nearest of all tiles that can be reached is the one with the least estimate of
    /// the cost to the goal, walls left out ([`crate::Movement::estimate`]); among those
    /// the one that costs least from the start; among those the one with the smallest
    /// [`CellId`]. It is the same tile for every engine, and the way to it is a shortest.
    ///
    /// Where the budget or an observer stops a search, what was expanded until then
    /// depends on the engine: the path leads to the nearest of those tiles, by the same
    /// measure, on the way the search found (`dsma`, `maat` and `maat-zones`: the nearest
    /// in the leg they were at; `hpa` and `hpa-paper`: as far as the way was refined;
    /// `corners`: to the nearest corner expanded from the start).
    ///
    /// A goal that can be reached costs no more with this than without.
    pub partial: bool,
    /// Tiles that cannot be entered this time. Where the start is one of them, it may be left.
    pub blocked: Option<&'a Blocked>,
    /// What tiles cost more than the map says this time.
    pub costs: Option<&'a CostLayer>,
    /// Whether an engine whose tables an [edit](Index::edit) has overtaken is an error.
    /// Otherwise the best engine that is exact on the map as it is now answers in its place.
    pub refuse_stale: bool,
}

impl<'a> Query<'a> {
    /// The way from `start` to `goal`, whatever it takes.
    ///
    /// ```
    /// use tidegate::{Query, Tile};
    /// let query = Query::new((0, 4), Tile::new(9, 4)).with_budget(10_000);
    /// assert_eq!(query.start, Tile::new(0, 4));
    /// ```
    pub fn new(start: impl Into<Tile>, goal: impl Into<Tile>) -> Query<'a> {
        let (start, goal) = (start.into(), goal.into());
        let (budget, blocked, costs) = (None, None, None);
        Query { start, goal, budget, partial: false, blocked, costs, refuse_stale: false }
    }

    /// Stops after so many expansions.
    pub fn with_budget(self, expansions: u64) -> Query<'a> {
        Query { budget: Some(expansions), ..self }
    }

    /// Asks for the way to the nearest tile if the goal cannot be reached: see
    /// [`Query::partial`].
    pub fn with_partial(self) -> Query<'a> {
        Query { partial: true, ..self }
    }

    /// Goes around these tiles. A goal on one of them is an error; the start may be one, for
    /// a unit does not block itself.
    pub fn with_blocked(self, blocked: &'a Blocked) -> Query<'a> {
        Query { blocked: Some(blocked), ..self }
    }

    /// Goes the way that costs least with what this layer adds. A layer for maps of another
    /// size is an error; so is one that adds anything, for an engine that
    /// [cannot](super::EngineInfo::respects_costs).
    pub fn with_costs(self, costs: &'a CostLayer) -> Query<'a> {
        Query { costs: Some(costs), ..self }
    }

    /// The same with what is left of the budget after so much work.
    #[must_use]
    pub fn after(self, work: Stats) -> Query<'a> {
        Query { budget: self.budget.map(|budget| budget.saturating_sub(work.expanded)), ..self }
    }

    /// Makes tables that an edit has overtaken an error: see [`Query::refuse_stale`].
    pub fn refusing_stale(self) -> Query<'a> {
        Query { refuse_stale: true, ..self }
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

/// How a query ended and how much work it was. The path is in the caller's [`Path`](crate::Path).
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

    /// The same answer after work that came before.
    #[must_use]
    pub fn after(mut self, work: Stats) -> Answer {
        self.stats += work;
        self
    }

    /// An answer that took no search.
    pub fn without_search(outcome: Outcome) -> Answer {
        Answer { outcome, stats: Stats::default() }
    }
}

/// Why a query cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// An end is blocked for this query.
    #[error("{end} {tile} is blocked")]
    Blocked {
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
    /// The map was edited, and the engine's tables were not built again since.
    #[error("the map was edited since the tables of engine {engine} were built: rebuild them")]
    Stale {
        /// The engine.
        engine: &'static str,
    },
    /// The map or its tables have changed since a search in slices began.
    #[error("the map or its tables have changed since the search began: begin it again")]
    Changed,
    /// The engine cannot do what the query asks.
    #[error("engine {engine} cannot answer this: {why}")]
    Unsupported {
        /// The engine.
        engine: &'static str,
        /// What it cannot do.
        why: &'static str,
    },
    /// The cost layer is for maps of another size.
    #[error("the cost layer is for another map: {0}")]
    OtherSize(#[from] OtherSize),
    /// The engine found no way though there is one: its tables are not those of the map.
    /// Only a file that someone made up can bring this about.
    #[error("the tables of engine {engine} contradict the map: build the index again")]
    Contradiction {
        /// The engine.
        engine: &'static str,
    },
    /// The path would cost more than [`crate::cost::LIMIT`].
    #[error("the way is longer than 32-bit costs can count (about 374,000 straight steps)")]
    TooFar,
    /// The paths of a batch have more tiles together than it may hold.
    #[error("the paths of the batch have more than {most} tiles: ask fewer queries at once")]
    TooManyTiles {
        /// The most that it may hold.
        most: usize,
    },
}

/// A query whose ends are free tiles of the index's map. Those that reach an engine are
/// connected, unless it is blocked tiles that part them.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedQuery<'a> {
    /// The map and its tables.
    pub index: &'a Index,
    /// What was asked.
    pub query: &'a Query<'a>,
    /// The cell of the start.
    pub start: CellId,
    /// The cell of the goal.
    pub goal: CellId,
}

impl ResolvedQuery<'_> {
    /// Whether any path leads from the start to the goal.
    pub fn is_connected(&self) -> bool {
        self.index.components().connected(self.start, self.goal)
    }

    /// What share of the map a search is likely to look at, from 0 to 1: it grows with the
    /// distance of the ends as the crow flies.
    pub fn expected_share(&self) -> f64 {
        let grid = self.index.grid();
        let distance = grid.movement().estimate(self.query.start, self.query.goal).tiles();
        let side = f64::from(u32::try_from(grid.free_tiles()).unwrap_or(u32::MAX)).sqrt();
        (distance / side.max(1.0)).powf(1.5).min(1.0)
    }

    /// About how many tiles A* with the octile estimate is going to expand.
    pub fn expected_expansions(&self) -> f64 {
        let free = self.index.grid().free_tiles();
        0.22 * f64::from(u32::try_from(free).unwrap_or(u32::MAX)) * self.expected_share()
    }

    /// Whether any tile is blocked for this query: an empty set is none.
    pub fn has_blocked(&self) -> bool {
        self.query.blocked.is_some_and(|blocked| !blocked.is_empty())
    }

    /// Whether anything costs more for this query: an empty layer is none.
    pub fn has_costs(&self) -> bool {
        self.query.costs.is_some_and(|costs| !costs.is_empty())
    }
}
