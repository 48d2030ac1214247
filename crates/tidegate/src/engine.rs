//! The engines: ways to answer a query, all behind one trait and in one list.
//!
//! The program, the benchmark and the tests iterate over [`ALL`]; an engine that is in
//! the list is measured, checked and offered everywhere without another line of code.

mod astar;
mod auto;
mod detour;
mod differential;
mod gateway;
mod hpa;
mod jps;
mod labels;
mod sector;
mod tile_search;

use crate::cost::Cost;
use crate::grid::CellId;
use crate::index::{Answer, Index, Query, QueryError, Scratch};
use crate::path::Path;
use crate::search::Observer;

pub(crate) use detour::replace_detour;
pub(crate) use hpa::Preset;
pub use sector::SectorState;
pub(crate) use sector::{ByDemand, ByTime, ByTimeOnZones, Planners, Start};
pub(crate) use tile_search::{Attended, search_in_martellis_order, search_tiles};

/// A watcher of unknown kind.
pub type Observe<'a> = dyn Observer<Cost> + 'a;

/// What an engine says about the length of its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Exactly the least cost, always.
    Optimal,
    /// A legal path whenever there is one, usually a little longer than the best. How much
    /// longer it can be stands where the engine is described.
    Approximate,
}

/// A query that was looked at: both ends are free tiles of the index's map. Unless
/// [`Query::partial`] is set they are connected.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The map and its tables.
    pub index: &'a Index,
    /// What was asked.
    pub query: &'a Query<'a>,
    /// The cell of the start.
    pub start: CellId,
    /// The cell of the goal.
    pub goal: CellId,
}

impl Ask<'_> {
    /// Whether any path leads from the start to the goal.
    pub fn is_connected(&self) -> bool {
        self.index.components().connected(self.start, self.goal)
    }
}

/// Why an engine's tables cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The engine cannot handle this kind of map.
    #[error("engine {engine} cannot be built for this map: {why}")]
    Unsupported {
        /// The engine.
        engine: &'static str,
        /// What it cannot do, and what to use instead.
        why: String,
    },
}

/// A way to answer queries.
pub trait Engine: Sync {
    /// The name on the command line, in files and tables.
    fn name(&self) -> &'static str;

    /// One line for a person who has to choose.
    fn about(&self) -> &'static str;

    /// What it says about the length of its paths.
    fn promise(&self) -> Promise;

    /// Whether its tables are in the index. By default it needs none.
    fn is_ready(&self, index: &Index) -> bool {
        let _ = index;
        true
    }

    /// Builds its tables into the index.
    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        let _ = index;
        Ok(())
    }

    /// Bytes of its tables in the index, the map itself not counted.
    fn bytes(&self, index: &Index) -> usize {
        let _ = index;
        0
    }

    /// Whether it goes around tiles that are blocked for one query. A query with blocked
    /// tiles never reaches an engine that does not.
    fn respects_blocked(&self) -> bool {
        false
    }

    /// Whether it learns from queries: an answer then also depends on those given before
    /// with the same scratch.
    fn adapts(&self) -> bool {
        false
    }

    /// Answers a query that was looked at by [`Index::find`]; the path is empty.
    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError>;
}

impl std::fmt::Debug for dyn Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Engine({})", self.name())
    }
}

/// A* with the octile estimate.
pub const ASTAR: &dyn Engine = &astar::Astar;

/// A* with the differential estimate of a few landmarks.
pub const DIFFERENTIAL: &dyn Engine = &differential::ByLandmarks;

/// A* that stays out of dead ends.
pub const DEAD_END: &dyn Engine = &gateway::ByGates::DeadEnd;
/// A* with the distances between the sides of gates.
pub const GATEWAY_2WAY: &dyn Engine = &gateway::ByGates::TwoWay;
/// A* with the distances from the tiles of gates to gates.
pub const PORTAL: &dyn Engine = &gateway::ByGates::Portal;
/// A* with the distances between gates.
pub const GATEWAY: &dyn Engine = &gateway::ByGates::OneWay;
/// A* with the distances to and between gates; never expands a tile twice.
pub const GATEWAY_CONSISTENT: &dyn Engine = &gateway::ByGates::Consistent;
/// A* with the better of the estimates of gates and landmarks.
pub const GATEWAY_DIFFERENTIAL: &dyn Engine = &gateway::ByGates::WithLandmarks;

/// Jump point search.
pub const JPS: &dyn Engine = &jps::Jump;

/// HPA*, tuned for short paths and fast answers. An answer costs at most what the best path
/// does plus 16 straight steps for every border of two clusters (32 x 32 tiles) that the best
/// path crosses; the worst seen was 1.42 times the best. On ground of several costs it is
/// at most 4 times the best: a longer one is replaced by it, if the budget allows.
pub const HPA: &dyn Engine = &hpa::TUNED;

/// HPA* as published. Like [`HPA`], with 8 steps for every border of two clusters (10 x 10
/// tiles); the worst seen was 2.42 times the best, and 4 on ground of several costs.
pub const HPA_PAPER: &dyn Engine = &hpa::PAPER;
/// Sectors split and merged by demand. An answer is at most 4 times the best: a longer one is
/// replaced by it, if the budget allows.
pub const DSMA: &dyn Engine = &sector::ByDemand;

/// Sectors fitted to the map, split and merged by time; at most 4 times the best, like
/// [`DSMA`].
pub const MAAT: &dyn Engine = &sector::ByTime;

/// The same with zones for sectors and gates for sub-goals; at most 4 times the best.
pub const MAAT_ZONES: &dyn Engine = &sector::ByTimeOnZones;

/// Hub labels: exact answers in microseconds.
pub const LABELS: &dyn Engine = &labels::ByLabels;

/// The best engine that is built.
pub const AUTO: &dyn Engine = &auto::Automatic;

/// All engines.
pub const ALL: &[&dyn Engine] = &[
    ASTAR,
    DEAD_END,
    GATEWAY,
    GATEWAY_2WAY,
    GATEWAY_CONSISTENT,
    PORTAL,
    DIFFERENTIAL,
    GATEWAY_DIFFERENTIAL,
    JPS,
    LABELS,
    HPA,
    HPA_PAPER,
    DSMA,
    MAAT,
    MAAT_ZONES,
    AUTO,
];

/// The engine of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Engine> {
    ALL.iter().copied().find(|engine| engine.name() == name)
}
