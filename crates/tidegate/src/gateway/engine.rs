//! `dead-end`, `gateway`, `gateway-2way`, `portal`, `gateway-consistent` and
//! `gateway+differential`: the loop with an estimate of this folder.

use super::{
    ConsistentScratch, DeadEnd, DeadEndScratch, DeadEnds, GateDistances, GateSideDistances,
    GateTileDistances, GateTileEstimate, GateTileScratch, GatewayScratch, TunedDistances,
};
use crate::astar::Astar;
use crate::cost::Cost;
use crate::decompose::Decomposition;
use crate::differential::{Differential, Landmarks};
use crate::grid::CellId;
use crate::index::{
    Engine, EngineInfo, EngineScratch, FindContext, FindResult, ResolvedQuery, Table, TableKind,
    search_in_martellis_order, search_tiles,
};
use crate::jps::JpsMap;
use crate::search::{MartelliQueue, SearchScratch};

/// Which estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GateEngine {
    /// Octile, without what lies off every way.
    DeadEnd,
    /// Distances between gates, inconsistent, in Martelli's order.
    OneWay,
    /// Distances between the sides of gates, likewise.
    TwoWay,
    /// Distances from the tiles of gates, likewise.
    Portal,
    /// True distances inside zones, landmarks, or both; never expanding a tile twice.
    Consistent,
    /// The larger of that and the estimate of landmarks.
    WithLandmarks,
}

const fn info(name: &'static str, about: &'static str) -> EngineInfo {
    EngineInfo::optimal(name, about).with_blocked().with_costs()
}

static DEAD_END: EngineInfo = info("dead-end", "A* that stays out of dead ends");
static ONE_WAY: EngineInfo = info("gateway", "A* with the distances between gates");
static TWO_WAY: EngineInfo =
    info("gateway-2way", "A* with the distances between the sides of gates");
static PORTAL: EngineInfo =
    info("portal", "A* with the distances from every tile of a gate to the gates");
static CONSISTENT: EngineInfo = info(
    "gateway-consistent",
    "A* with the distances to and between gates and to landmarks; expands nothing twice",
);
static WITH_LANDMARKS: EngineInfo =
    info("gateway+differential", "A* with the better of gateway-consistent and differential");

/// What the gate engines write to, besides the searches over tiles.
#[derive(Debug, Default)]
struct GateScratch {
    /// The open list for estimates that are not consistent; the records are those of tiles.
    martelli: SearchScratch<Cost, MartelliQueue>,
    gateway: GatewayScratch,
    consistent: ConsistentScratch,
    gate_tiles: GateTileScratch,
    dead_end: DeadEndScratch,
}

impl EngineScratch for GateScratch {
    fn bytes(&self) -> usize {
        let estimates = self.gateway.bytes() + self.consistent.bytes() + self.gate_tiles.bytes();
        self.martelli.bytes() + estimates + self.dead_end.bytes()
    }
}

impl Engine for GateEngine {
    fn info(&self) -> &EngineInfo {
        match self {
            GateEngine::DeadEnd => &DEAD_END,
            GateEngine::OneWay => &ONE_WAY,
            GateEngine::TwoWay => &TWO_WAY,
            GateEngine::Portal => &PORTAL,
            GateEngine::Consistent => &CONSISTENT,
            GateEngine::WithLandmarks => &WITH_LANDMARKS,
        }
    }

    fn tables(&self) -> &'static [&'static TableKind] {
        match self {
            GateEngine::DeadEnd => &[Decomposition::KIND, DeadEnds::KIND],
            GateEngine::OneWay => &[Decomposition::KIND, GateDistances::KIND],
            GateEngine::TwoWay => &[Decomposition::KIND, GateSideDistances::KIND],
            GateEngine::Portal => &[Decomposition::KIND, GateTileDistances::KIND],
            GateEngine::Consistent => &[TunedDistances::KIND],
            GateEngine::WithLandmarks => &[TunedDistances::KIND, Landmarks::KIND],
        }
    }

    /// On uniform ground `jps` is quicker; its table is built in milliseconds.
    fn beside(&self) -> &'static [&'static TableKind] {
        match self {
            GateEngine::Consistent | GateEngine::WithLandmarks => &[JpsMap::KIND],
            _ => &[],
        }
    }

    fn expected_micros(&self, query: &ResolvedQuery<'_>) -> Option<f64> {
        match self {
            GateEngine::Consistent => Some(0.03 * query.expected_expansions()),
            GateEngine::WithLandmarks => Some(0.02 * query.expected_expansions()),
            _ => None,
        }
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, observer } = context;
        let (index, grid, goal) = (query.index, query.index.grid(), query.goal);
        let missing = || self.not_built();
        let zones = || index.decomposition().ok_or_else(missing);
        let (tiles, own) = scratch.split::<GateScratch>();
        match self {
            // With tiles blocked or dearer the way may lead through a dead end after all.
            GateEngine::DeadEnd if query.has_blocked() || query.has_costs() => {
                Astar.find(query, FindContext { scratch, path, observer })
            }
            GateEngine::DeadEnd => {
                let tree: &DeadEnds = index.table().ok_or_else(missing)?;
                let ends = (query.start, goal);
                let mut estimate = DeadEnd::new(grid, zones()?, tree, ends, &mut own.dead_end);
                search_tiles(query, &mut estimate, tiles, path, observer)
            }
            GateEngine::OneWay => {
                let table: &GateDistances = index.table().ok_or_else(missing)?;
                let mut estimate = table.estimate(grid, zones()?, goal, &mut own.gateway);
                let open = &mut own.martelli;
                search_in_martellis_order(query, &mut estimate, tiles, open, path, observer)
            }
            GateEngine::TwoWay => {
                let table: &GateSideDistances = index.table().ok_or_else(missing)?;
                let mut estimate = table.estimate(grid, zones()?, goal, &mut own.gateway);
                let open = &mut own.martelli;
                search_in_martellis_order(query, &mut estimate, tiles, open, path, observer)
            }
            GateEngine::Portal => {
                let table: &GateTileDistances = index.table().ok_or_else(missing)?;
                let own_tiles = &mut own.gate_tiles;
                let mut estimate = GateTileEstimate::new(grid, zones()?, table, goal, own_tiles);
                let open = &mut own.martelli;
                search_in_martellis_order(query, &mut estimate, tiles, open, path, observer)
            }
            GateEngine::Consistent => {
                let table: &TunedDistances = index.table().ok_or_else(missing)?;
                // Without tables the estimate is octile, only slower.
                if table.zones().is_none() && table.landmarks().is_none() {
                    return Astar.find(query, FindContext { scratch, path, observer });
                }
                let mut estimate = table.estimate(grid, goal, &mut own.consistent);
                search_tiles(query, &mut estimate, tiles, path, observer)
            }
            GateEngine::WithLandmarks => {
                let table: &TunedDistances = index.table().ok_or_else(missing)?;
                let marks: &Landmarks = index.table().ok_or_else(missing)?;
                let mut tuned = table.estimate(grid, goal, &mut own.consistent);
                let marks = Differential::new(grid, marks, goal);
                let mut larger = |node: u32| -> Option<Cost> {
                    let cell = CellId::from_index(node as usize);
                    let tile = grid.tile(cell);
                    tuned.from(cell, tile).map(|cost| cost.max(marks.from(cell, tile)))
                };
                search_tiles(query, &mut larger, tiles, path, observer)
            }
        }
    }
}
