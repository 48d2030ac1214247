//! Everything worked out in advance for one map: immutable while queries run, shared by
//! threads. The memory of a running query is a [`Scratch`], one per thread.

pub mod dead_ends;
pub mod gate_distances;
mod gate_graph;
pub mod gate_shape;
pub mod landmarks;
pub mod port_distances;
pub mod portal_distances;
mod verbs;
pub mod zone_distances;

use crate::cost::Cost;
use crate::decompose::tune::{self, TuneOptions};
use crate::decompose::{Decomposition, WaterOptions};
use crate::engine::{
    Ask, BuildError, ByDemand, ByTime, ByTimeOnZones, Engine, Observe, Planners, Preset, Start,
    answer_unconnected,
};
use crate::grid::component::Components;
use crate::grid::{Blocked, CellId, Grid, OtherMap, Tile};
use crate::heuristic::{ConsistentScratch, GatewayScratch, PortalScratch};
use crate::hpa::HpaScratch;
use crate::jps::{Jps, JpsMap};
use crate::labels::{LabelOptions, LabelScratch, Labels};
use crate::path::Path;
use crate::search::{BucketQueue, MartelliQueue, SearchScratch, Stats};
use dead_ends::{DeadEndScratch, DeadEnds};
use gate_distances::GateDistances;
use landmarks::Landmarks;
use port_distances::PortDistances;
use portal_distances::PortalDistances;
use zone_distances::ZoneDistances;

/// A map with what its engines need. It starts with the map alone, on which `astar`
/// already answers; [`Index::prepare`] adds what another engine wants.
#[derive(Clone, Debug)]
pub struct Index {
    grid: Grid,
    components: Components,
    pub(crate) decomposition: Option<Decomposition>,
    pub(crate) dead_ends: Option<DeadEnds>,
    pub(crate) gate_distances: Option<GateDistances>,
    pub(crate) port_distances: Option<PortDistances>,
    pub(crate) portal_distances: Option<PortalDistances>,
    pub(crate) zone_distances: Option<ZoneDistances>,
    pub(crate) landmarks: Option<Landmarks>,
    /// For `jps`.
    pub(crate) jps: Option<JpsMap>,
    /// For `hpa`.
    pub(crate) hpa: Option<Preset<false>>,
    /// For `hpa-paper`.
    pub(crate) hpa_paper: Option<Preset<true>>,
    /// For `labels`.
    pub(crate) labels: Option<Labels>,
    pub(crate) dsma: Option<Start<ByDemand>>,
    pub(crate) maat: Option<Start<ByTime>>,
    pub(crate) maat_zones: Option<Start<ByTimeOnZones>>,
}

/// The memory of one running query. Keep one per thread and reuse it.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Searches over tiles.
    pub(crate) tiles: SearchScratch<Cost, BucketQueue>,
    /// The open list for estimates that are not consistent; the records are in `tiles`.
    pub(crate) martelli: SearchScratch<Cost, MartelliQueue>,
    /// Costs of gates for the gateway estimates.
    pub(crate) gateway: GatewayScratch,
    pub(crate) consistent: ConsistentScratch,
    pub(crate) portal: PortalScratch,
    pub(crate) dead_end: DeadEndScratch,
    /// The path of a query that only wants its cost.
    path: Path,
    /// Jump point searches.
    pub(crate) jps: Jps,
    /// Plans over clusters.
    pub(crate) hpa: HpaScratch,
    /// Label queries.
    pub(crate) labels: LabelScratch,
    /// The planners of `dsma`, `maat` and `maat-zones`, which queries change.
    pub(crate) sectors: Planners,
}

impl Scratch {
    /// Empty; it grows to what the engines in use need.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let gates = self.gateway.bytes() + self.consistent.bytes() + self.portal.bytes();
        let tiles = self.tiles.bytes() + self.martelli.bytes();
        tiles
            + self.jps.bytes()
            + gates
            + self.dead_end.bytes()
            + self.path.bytes()
            + self.hpa.bytes()
            + self.sectors.bytes()
            + self.labels.bytes()
    }
}

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
    /// in the leg they were at; `hpa` and `hpa-paper`: as far as the way was refined).
    ///
    /// A goal that can be reached costs no more with this than without.
    pub partial: bool,
    /// Tiles that cannot be entered this time.
    pub blocked: Option<&'a Blocked>,
}

impl<'a> Query<'a> {
    /// The way from `start` to `goal`, whatever it takes.
    pub fn new(start: Tile, goal: Tile) -> Query<'a> {
        Query { start, goal, budget: None, partial: false, blocked: None }
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

    /// Goes around these tiles. An end on one of them is an error.
    pub fn with_blocked(self, blocked: &'a Blocked) -> Query<'a> {
        Query { blocked: Some(blocked), ..self }
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
    /// The engine cannot do what the query asks.
    #[error("engine {engine} cannot answer this: {why}")]
    Unsupported {
        /// The engine.
        engine: &'static str,
        /// What it cannot do.
        why: &'static str,
    },
    /// The engine found no way though there is one: its tables are not those of the map.
    /// Only a file that someone made up can bring this about.
    #[error("the tables of engine {engine} contradict the map: build the index anew")]
    Contradiction {
        /// The engine.
        engine: &'static str,
    },
    /// The path would cost more than [`crate::cost::LIMIT`].
    #[error("the way is longer than 32-bit costs can count (about 374,000 straight steps)")]
    TooFar,
}

impl Index {
    /// The index of a map, with no engine's tables yet.
    pub fn new(grid: Grid) -> Index {
        let components = Components::of(&grid);
        Index {
            grid,
            components,
            decomposition: None,
            dead_ends: None,
            gate_distances: None,
            port_distances: None,
            portal_distances: None,
            zone_distances: None,
            landmarks: None,
            jps: None,
            hpa: None,
            hpa_paper: None,
            labels: None,
            dsma: None,
            maat: None,
            maat_zones: None,
        }
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Which tiles reach each other.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// The zones and gates for people and bots, if they were made.
    pub fn decomposition(&self) -> Option<&Decomposition> {
        self.decomposition.as_ref()
    }

    /// Makes zones and gates by rising water, unless they are there already.
    pub fn decompose(&mut self) -> &Decomposition {
        self.zoned().1
    }

    /// Takes these zones and gates, made for the same map, in place of others. Tables
    /// that were built on the others are dropped. Zones of another map, or of this one
    /// before an edit, are an error and change nothing.
    pub fn set_decomposition(&mut self, decomposition: Decomposition) -> Result<(), OtherMap> {
        decomposition.belongs_to(&self.grid)?;
        self.dead_ends = None;
        self.gate_distances = None;
        self.port_distances = None;
        self.portal_distances = None;
        self.zone_distances = None;
        self.maat_zones = None;
        self.decomposition = Some(decomposition);
        Ok(())
    }

    /// The map and its zones and gates, made first if need be.
    pub(crate) fn zoned(&mut self) -> (&Grid, &Decomposition) {
        let Index { grid, decomposition, .. } = self;
        let zones = decomposition
            .get_or_insert_with(|| Decomposition::water(grid, &WaterOptions::default()));
        (grid, zones)
    }

    /// Takes these tables, built for the same map, for `gateway-consistent`. Those of
    /// another map are an error and change nothing.
    pub fn put_zone_distances(&mut self, tables: ZoneDistances) -> Result<(), OtherMap> {
        tables.belongs_to(&self.grid)?;
        self.zone_distances = Some(tables);
        Ok(())
    }

    /// Builds the tables of `gateway-consistent` on gates that are tuned for searching.
    /// The decomposition for people stays as it is.
    pub fn build_zone_distances(&mut self, options: &TuneOptions) -> Result<(), BuildError> {
        self.zoned();
        let Index { grid, decomposition, gate_distances, .. } = self;
        if let Some(zones) = decomposition {
            let tuned = tune::tune_beside(grid, zones, gate_distances.as_ref(), options)?;
            self.zone_distances = Some(tuned.tables);
        }
        Ok(())
    }

    /// The tables of `gateway-consistent`, if they were built.
    pub fn zone_distances(&self) -> Option<&ZoneDistances> {
        self.zone_distances.as_ref()
    }

    /// The landmarks, if they were built.
    pub fn landmarks(&self) -> Option<&Landmarks> {
        self.landmarks.as_ref()
    }

    /// Builds the tables of `differential` with so many landmarks, in place of others.
    pub fn build_landmarks(&mut self, count: usize) -> Result<(), BuildError> {
        self.landmarks = Some(Landmarks::build(&self.grid, &self.components, count)?);
        Ok(())
    }

    /// Builds the tables of `labels` in a chosen form or under another budget than the
    /// default, in place of others.
    pub fn build_labels(&mut self, options: &LabelOptions) -> Result<(), BuildError> {
        let labels = Labels::build(&self.grid, options).map_err(|error| {
            BuildError::Unsupported { engine: "labels", why: error.to_string() }
        })?;
        self.labels = Some(labels);
        Ok(())
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
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Answer, QueryError> {
        self.find_watched(engine, query, scratch, path, None)
    }

    /// Like [`Index::find`], while an observer watches every step of the search.
    pub fn find_watched(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        path.clear();
        let ask = self.ask(query)?;
        if engine.needs_tables() && !engine.is_ready(self) {
            return Err(QueryError::NotBuilt { engine: engine.name() });
        }
        if ask.has_blocked() && !engine.respects_blocked() {
            let why =
                "it cannot go around tiles blocked for one query: use an engine that searches";
            return Err(QueryError::Unsupported { engine: engine.name(), why });
        }
        if !ask.is_connected() {
            return answer_unconnected(&ask, scratch, path, watch);
        }
        let answer = engine.find(&ask, scratch, path, watch)?;
        if !ask.has_blocked() && answer.outcome == Outcome::Unreachable {
            return Err(QueryError::Contradiction { engine: engine.name() });
        }
        Ok(answer)
    }

    /// Looks at a query: both ends must be free tiles of the map.
    pub fn ask<'a>(&'a self, query: &'a Query<'a>) -> Result<Ask<'a>, QueryError> {
        let start = self.end("start", query.start, query.blocked)?;
        let goal = self.end("goal", query.goal, query.blocked)?;
        Ok(Ask { index: self, query, start, goal })
    }

    fn end(
        &self,
        end: &'static str,
        tile: Tile,
        blocked: Option<&Blocked>,
    ) -> Result<CellId, QueryError> {
        let (width, height) = (self.grid.width(), self.grid.height());
        let cell = self.grid.cell(tile);
        let cell = cell.ok_or(QueryError::Outside { end, tile, width, height })?;
        if !self.grid.is_free_cell(cell) {
            return Err(QueryError::Wall { end, tile });
        }
        if blocked.is_some_and(|blocked| blocked.contains(tile)) {
            return Err(QueryError::Blocked { end, tile });
        }
        Ok(cell)
    }
}
