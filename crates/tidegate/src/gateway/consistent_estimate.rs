//! The consistent gateway estimate: true distances inside zones, closed distances
//! between gates.
//!
//! - On a gate: the gate's cost to the goal.
//! - In a zone: the least over its gates of the true distance inside the zone plus the
//!   gate's cost.
//! - In the goal's zone a way may also stay inside. Then it costs at least octile, and
//!   at least the difference of the two tiles' distances to any one gate of the zone.
//!
//! Never less than octile. Why no step changes it by more than the step costs: inside a
//! zone every term is such; a gate's cost is at most a step plus a neighbour's distance
//! to another gate plus that gate's cost, because distances between gates are closed;
//! and a neighbour is at most a step away from the gate it stands beside.

use super::zone_distances::{Slot, ZoneDistances};
use super::zone_lists::ZoneLists;
use crate::cost::{Cost, INFINITY};
use crate::grid::{CellId, Grid, Tile};
use crate::search::{Heuristic, Octile};

/// No zone has this number.
const NO_ZONE: u32 = u32::MAX;

/// What a query works out about gates; kept between queries for its memory.
#[derive(Clone, Debug, Default)]
pub struct ConsistentScratch {
    to_goal: GatesToGoal,
    /// The gates of zones, cheapest first: the cost behind them, and their place in the zone.
    lists: ZoneLists<(Cost, u32)>,
}

impl ConsistentScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let GatesToGoal { on_gate, from_goal } = &self.to_goal;
        on_gate.capacity() * size_of::<Cost>()
            + from_goal.capacity() * size_of::<(Cost, u32)>()
            + self.lists.bytes()
    }
}

/// The costs from gates to the goal.
#[derive(Clone, Debug, Default)]
struct GatesToGoal {
    /// By gate: its cost to the goal, or [`UNKNOWN`] until somebody asks.
    on_gate: Vec<Cost>,
    /// The gates around the goal (the gate it lies on, or those of its zone): the goal's
    /// distance, and their number.
    from_goal: Vec<(Cost, u32)>,
}

/// A gate whose cost to the goal was not asked for yet.
const UNKNOWN: Cost = Cost::new(u32::MAX);

impl GatesToGoal {
    /// The cost from a gate to the goal.
    #[inline]
    fn cost(&mut self, tables: &ZoneDistances, gate: usize) -> Cost {
        if self.on_gate[gate] == UNKNOWN {
            let over = |&(last, around): &(Cost, u32)| {
                tables.distances_from(around as usize)[gate].saturating_add(last)
            };
            let least = self.from_goal.iter().map(over).min();
            self.on_gate[gate] = least.unwrap_or(INFINITY).min(INFINITY);
        }
        self.on_gate[gate]
    }
}

/// The estimate towards one goal.
#[derive(Debug)]
pub struct Consistent<'a> {
    grid: &'a Grid,
    tables: &'a ZoneDistances,
    octile: Octile<'a>,
    /// The goal's zone, or [`NO_ZONE`] if it lies on a gate.
    goal: u32,
    scratch: &'a mut ConsistentScratch,
}

impl<'a> Consistent<'a> {
    /// The estimate towards `goal`, a tile of the grid the tables were built for.
    pub fn new(
        grid: &'a Grid,
        tables: &'a ZoneDistances,
        goal: CellId,
        scratch: &'a mut ConsistentScratch,
    ) -> Consistent<'a> {
        let decomposition = tables.decomposition();
        let octile = Octile::new(grid, grid.tile(goal));
        let mut goal_zone = NO_ZONE;
        scratch.lists.clear(decomposition.zones().len());
        let GatesToGoal { on_gate, from_goal } = &mut scratch.to_goal;
        from_goal.clear();
        on_gate.clear();
        on_gate.resize(decomposition.gates().len(), UNKNOWN);
        match tables.slot(goal) {
            Slot::Wall => {}
            Slot::Gate(gate) => from_goal.push((Cost::ZERO, gate)),
            Slot::Zone(zone, rank) => {
                goal_zone = zone;
                let gates = decomposition.zones()[zone as usize].gates().iter();
                let distances = tables.row(zone as usize, rank).iter();
                from_goal.extend(distances.copied().zip(gates.map(|g| g.index() as u32)));
            }
        }
        Consistent { grid, tables, octile, goal: goal_zone, scratch }
    }

    /// The estimate from a tile; `None` if the goal cannot be reached from it.
    #[inline]
    pub fn from(&mut self, cell: CellId, tile: Tile) -> Option<Cost> {
        let octile = self.octile.from(tile);
        let through = match self.tables.slot(cell) {
            Slot::Wall => return None,
            Slot::Gate(gate) => self.scratch.to_goal.cost(self.tables, gate as usize),
            Slot::Zone(zone, rank) => {
                let over = self.over_gates(zone as usize, rank);
                if zone == self.goal { self.within_goal_zone(octile, over, rank) } else { over }
            }
        };
        (through < INFINITY).then_some(through.max(octile))
    }

    /// The least cost over any gate of a zone.
    #[inline]
    fn over_gates(&mut self, zone: usize, rank: u32) -> Cost {
        let range = match self.scratch.lists.range(zone) {
            Some(range) => range,
            None => self.prepare(zone),
        };
        let row = self.tables.row(zone, rank);
        let mut best = INFINITY;
        for &(behind, gate) in self.scratch.lists.entries(range) {
            if behind >= best {
                break;
            }
            best = best.min(behind + row[gate as usize]);
        }
        best
    }

    /// The least of a way out and back in and of a way that stays inside.
    #[inline]
    fn within_goal_zone(&self, octile: Cost, over: Cost, rank: u32) -> Cost {
        let row = self.tables.row(self.goal as usize, rank);
        let mut stay = octile;
        for (&(from_goal, _), here) in self.scratch.to_goal.from_goal.iter().zip(row) {
            if stay >= over {
                return over;
            }
            stay = stay.max(from_goal.abs_diff(*here));
        }
        stay.min(over)
    }

    fn prepare(&mut self, zone: usize) -> (u32, u32) {
        let ConsistentScratch { to_goal, lists, .. } = &mut *self.scratch;
        let gates = self.tables.decomposition().zones()[zone].gates();
        let costs = (0..).zip(gates).map(|(k, gate)| (to_goal.cost(self.tables, gate.index()), k));
        lists.list(zone, costs.filter(|&(cost, _)| cost < INFINITY), |&entry| entry)
    }
}

impl Heuristic<Cost> for Consistent<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let cell = CellId::from_index(node as usize);
        self.from(cell, self.grid.tile(cell))
    }
}
