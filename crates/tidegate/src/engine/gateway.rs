//! The engines that rest on zones and gates: the loop with a gateway estimate.

use super::{Ask, BuildError, Engine, Observe, Promise, search_in_martellis_order, search_tiles};
use crate::cost::Cost;
use crate::decompose::tune::TuneOptions;
use crate::grid::CellId;
use crate::heuristic::{Consistent, DeadEnd, Differential, Portal};
use crate::index::dead_ends::DeadEnds;
use crate::index::gate_distances::GateDistances;
use crate::index::landmarks::Landmarks;
use crate::index::port_distances::PortDistances;
use crate::index::portal_distances::PortalDistances;
use crate::index::zone_distances::ZoneDistances;
use crate::index::{Answer, Index, QueryError, Scratch};
use crate::path::Path;

/// Which estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByGates {
    /// Octile, without what lies off every way.
    DeadEnd,
    /// Distances between gates, inconsistent, in Martelli's order.
    OneWay,
    /// Distances between the sides of gates, likewise.
    TwoWay,
    /// Distances from the tiles of gates, likewise.
    Portal,
    /// True distances inside zones, never expanding a tile twice.
    Consistent,
    /// The larger of the consistent estimate and that of the landmarks.
    WithLandmarks,
}

use ByGates::{
    Consistent as Calm, DeadEnd as Pruned, OneWay, Portal as Tiled, TwoWay, WithLandmarks,
};

impl ByGates {
    /// The bytes of each of its tables, `None` for one that is not built.
    fn parts(self, index: &Index) -> [Option<usize>; 2] {
        let gates = index.gate_distances.as_ref().map(GateDistances::bytes);
        let places = index.decomposition().map(|d| d.place_bytes() * index.grid().tiles());
        let zones = index.zone_distances.as_ref().map(ZoneDistances::bytes);
        let landmarks = index.landmarks().map(Landmarks::bytes);
        match self {
            Pruned => [places, index.dead_ends.as_ref().map(DeadEnds::bytes)],
            OneWay => [places, gates],
            TwoWay => [places, index.port_distances.as_ref().map(PortDistances::bytes)],
            Tiled => [places, index.portal_distances.as_ref().map(PortalDistances::bytes)],
            Calm => [zones, Some(0)],
            WithLandmarks => [zones, landmarks],
        }
    }
}

impl Engine for ByGates {
    fn name(&self) -> &'static str {
        match self {
            Pruned => "dead-end",
            OneWay => "gateway",
            TwoWay => "gateway-2way",
            Tiled => "portal",
            Calm => "gateway-consistent",
            WithLandmarks => "gateway+differential",
        }
    }

    fn about(&self) -> &'static str {
        match self {
            Pruned => "A* that stays out of dead ends",
            OneWay => "A* with the distances between gates",
            TwoWay => "A* with the distances between the sides of gates",
            Tiled => "A* with the distances from every tile of a gate to the gates",
            Calm => "A* with the distances to and between gates; expands nothing twice",
            WithLandmarks => "A* with the better of gateway-consistent and differential",
        }
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn is_ready(&self, index: &Index) -> bool {
        self.parts(index).iter().all(Option::is_some)
    }

    fn build(&self, index: &mut Index) -> Result<(), BuildError> {
        match self {
            Pruned => {
                let (grid, zones) = index.zoned();
                index.dead_ends = Some(DeadEnds::build(grid, zones));
                Ok(())
            }
            OneWay => {
                let (grid, zones) = index.zoned();
                index.gate_distances = Some(GateDistances::build(grid, zones)?);
                Ok(())
            }
            TwoWay => {
                let (grid, zones) = index.zoned();
                index.port_distances = Some(PortDistances::build(grid, zones)?);
                Ok(())
            }
            Tiled => {
                let (grid, zones) = index.zoned();
                index.portal_distances = Some(PortalDistances::build(grid, zones)?);
                Ok(())
            }
            Calm => index.build_zone_distances(&TuneOptions::default()),
            WithLandmarks => {
                index.prepare(&Calm)?;
                index.prepare(super::DIFFERENTIAL)
            }
        }
    }

    fn bytes(&self, index: &Index) -> usize {
        self.parts(index).into_iter().flatten().sum()
    }

    fn respects_blocked(&self) -> bool {
        true
    }

    fn find(
        &self,
        ask: &Ask<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let (index, grid, goal) = (ask.index, ask.index.grid(), ask.goal);
        // Without gates the estimate is octile, only slower.
        let calm = index.zone_distances.as_ref().filter(|_| matches!(self, Calm));
        if calm.is_some_and(|tables| tables.decomposition().gates().is_empty()) {
            return super::ASTAR.find(ask, scratch, path, watch);
        }
        let missing = QueryError::NotBuilt { engine: self.name() };
        let Scratch { tiles, martelli, gateway, consistent, portal, dead_end, .. } = scratch;
        match self {
            // With tiles blocked the way may lead through a dead end after all.
            Pruned if ask.has_blocked() => super::ASTAR.find(ask, scratch, path, watch),
            Pruned => {
                let (Some(tree), Some(zones)) = (&index.dead_ends, index.decomposition()) else {
                    return Err(missing);
                };
                let mut estimate = DeadEnd::new(grid, zones, tree, (ask.start, goal), dead_end);
                search_tiles(ask, &mut estimate, tiles, path, watch)
            }
            TwoWay => {
                let (Some(tables), Some(zones)) = (&index.port_distances, index.decomposition())
                else {
                    return Err(missing);
                };
                let mut estimate = tables.estimate(grid, zones, goal, gateway);
                search_in_martellis_order(ask, &mut estimate, tiles, martelli, path, watch)
            }
            Tiled => {
                let (Some(tables), Some(zones)) = (&index.portal_distances, index.decomposition())
                else {
                    return Err(missing);
                };
                let mut estimate = Portal::new(grid, zones, tables, goal, portal);
                search_in_martellis_order(ask, &mut estimate, tiles, martelli, path, watch)
            }
            OneWay => {
                let (Some(tables), Some(zones)) = (&index.gate_distances, index.decomposition())
                else {
                    return Err(missing);
                };
                let mut estimate = tables.estimate(grid, zones, goal, gateway);
                search_in_martellis_order(ask, &mut estimate, tiles, martelli, path, watch)
            }
            Calm => {
                let tables = index.zone_distances.as_ref().ok_or(missing)?;
                let mut estimate = Consistent::new(grid, tables, goal, consistent);
                search_tiles(ask, &mut estimate, tiles, path, watch)
            }
            WithLandmarks => {
                let (Some(tables), Some(marks)) = (&index.zone_distances, &index.landmarks) else {
                    return Err(missing);
                };
                let mut gates = Consistent::new(grid, tables, goal, consistent);
                let marks = Differential::new(grid, marks, goal);
                let mut larger = |node: u32| -> Option<Cost> {
                    let cell = CellId::from_index(node as usize);
                    let tile = grid.tile(cell);
                    gates.from(cell, tile).map(|cost| cost.max(marks.from(cell, tile)))
                };
                search_tiles(ask, &mut larger, tiles, path, watch)
            }
        }
    }
}
