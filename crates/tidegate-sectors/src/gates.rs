//! Gates as sub-goals: which gates lead from zone to zone, and how far apart they are.
//!
//! Distances between gates of a zone are true ones inside the zone, from the middle of
//! one gate to the middle of the other, unless the zone is too large to measure. The abstract search runs over gates; which of
//! the gates on its way become sub-goals depends on the sectors in use.

use crate::zones::zone_of;
use tidegate::cost::Cost;
use tidegate::decompose::{Decomposition, Place, Zone, ZoneId};
use tidegate::grid::{CellId, Grid, Movement, Tile};
use tidegate::search::{BucketQueue, GridSpace, SearchScratch, Space, search};

/// The most tiles to flood for the distances of one zone, about half a second. A zone
/// that would take more (a hall with hundreds of gates) gets estimates instead.
const FLOOD_LIMIT: u64 = 1 << 23;

/// The gates of a map as a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GateGraph {
    /// By gate: its tiles in order.
    tiles: Vec<Vec<Tile>>,
    /// By gate: the gates that share a zone with it, that zone, and how far they are.
    ways: Vec<Vec<Way>>,
    /// By gate: the zones it separates.
    zones: Vec<Vec<u32>>,
    /// By zone: its gates.
    of_zone: Vec<Vec<u32>>,
    /// By zone: one of its tiles.
    samples: Vec<Tile>,
}

/// A way from one gate to another across a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) to: u32,
    pub(super) zone: u32,
    cost: Cost,
}

impl GateGraph {
    pub(super) fn new(grid: &Grid, decomposition: &Decomposition) -> GateGraph {
        let gates = decomposition.gates();
        let tile = |&cell: &CellId| grid.tile(cell);
        let tiles: Vec<Vec<Tile>> =
            gates.iter().map(|gate| gate.tiles().iter().map(tile).collect()).collect();
        let zones = decomposition.zones();
        let numbers = |zone: &Zone| zone.gates().iter().map(|gate| gate.index() as u32).collect();
        let of_zone: Vec<Vec<u32>> = zones.iter().map(numbers).collect();
        let samples = zones.iter().map(|zone| grid.tile(zone.first())).collect();
        let mut graph = GateGraph {
            tiles,
            ways: vec![Vec::new(); gates.len()],
            zones: gates
                .iter()
                .map(|gate| gate.zones().iter().map(|z| z.index() as u32).collect())
                .collect(),
            of_zone,
            samples,
        };
        let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
        for (from, gate) in (0..).zip(gates) {
            for &zone in gate.zones() {
                graph.measure(grid, decomposition, from, zone, &mut scratch);
            }
            for near in gate.gates() {
                let to = near.index() as u32;
                let cost = grid.movement().estimate(graph.middle(from), graph.middle(to));
                let zone = zone_of(decomposition, gates[near.index()].tiles()[0]);
                graph.ways[from as usize].push(Way { to, zone: zone as u32, cost });
            }
        }
        graph
    }

    /// Measures from one gate to the others of a zone, inside the zone.
    fn measure(
        &mut self,
        grid: &Grid,
        decomposition: &Decomposition,
        from: u32,
        zone: ZoneId,
        scratch: &mut SearchScratch<Cost, BucketQueue>,
    ) {
        let gates = &self.of_zone[zone.index()];
        let node = |tile: Tile| grid.cell(tile).map(|cell| cell.index() as u32);
        let Some(source) = node(self.middle(from)) else { return };
        let area = u64::from(decomposition.zones()[zone.index()].area());
        let measured = area * gates.len() as u64 <= FLOOD_LIMIT;
        if measured {
            let inside = |node: u32| match decomposition.place(CellId::from_index(node as usize)) {
                Place::Zone(other) => other == zone,
                Place::Gate(gate) => gates.contains(&(gate.index() as u32)),
                Place::Wall => false,
            };
            // A tile outside gets no estimate and is dropped: the flood stays in the zone.
            let mut stay = |node: u32| inside(node).then_some(Cost::ZERO);
            search(
                &GridSpace::new(grid),
                &[(source, Cost::ZERO)],
                |_| false,
                &mut stay,
                scratch,
                &mut (),
            );
        }
        let others = gates.iter().filter(|&&to| to != from);
        let way = |&to: &u32| {
            let cost = if measured {
                node(self.middle(to)).and_then(|node| scratch.cost(node))?
            } else {
                grid.movement().estimate(self.middle(from), self.middle(to))
            };
            Some(Way { to, zone: zone.index() as u32, cost })
        };
        let found: Vec<Way> = others.filter_map(way).collect();
        self.ways[from as usize].extend(found);
    }

    /// How many gates there are.
    pub(super) fn len(&self) -> usize {
        self.tiles.len()
    }

    /// The tile in the middle of a gate.
    pub(super) fn middle(&self, gate: u32) -> Tile {
        let tiles = self.tiles(gate);
        tiles[tiles.len() / 2]
    }

    pub(super) fn tiles(&self, gate: u32) -> &[Tile] {
        &self.tiles[gate as usize]
    }

    /// The tiles of all gates.
    pub(super) fn all_tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        self.tiles.iter().flatten().copied()
    }

    pub(super) fn zones_of(&self, gate: u32) -> &[u32] {
        &self.zones[gate as usize]
    }

    pub(super) fn gates_of(&self, zone: u32) -> &[u32] {
        self.of_zone.get(zone as usize).map_or(&[], Vec::as_slice)
    }

    /// A tile of a zone, to find its sector by.
    pub(super) fn sample(&self, zone: u32) -> Tile {
        self.samples[zone as usize]
    }

    /// The zone that the shortest way from one gate to another crosses.
    pub(super) fn zone_between(&self, from: u32, to: u32) -> Option<u32> {
        let ways = self.ways[from as usize].iter().filter(|way| way.to == to);
        ways.min_by_key(|way| way.cost).map(|way| way.zone)
    }

    pub(super) fn bytes(&self) -> usize {
        let tiles: usize = self.tiles.iter().map(Vec::len).sum();
        let ways: usize = self.ways.iter().map(Vec::len).sum();
        tiles * size_of::<Tile>() + ways * size_of::<Way>()
    }
}

/// The gates and, as the last node, the goal.
pub(super) struct GateSpace<'a> {
    pub(super) graph: &'a GateGraph,
    pub(super) movement: Movement,
    pub(super) goal: Tile,
    pub(super) goal_zone: u32,
}

impl GateSpace<'_> {
    /// The node of the goal.
    pub(super) fn goal_node(&self) -> u32 {
        self.graph.len() as u32
    }

    /// What is left to go from a node, on an empty map.
    pub(super) fn estimate(&self, node: u32) -> Cost {
        if node == self.goal_node() {
            return Cost::ZERO;
        }
        self.movement.estimate(self.graph.middle(node), self.goal)
    }
}

impl Space for GateSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.graph.len() + 1
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        if node == self.goal_node() {
            return;
        }
        for way in &self.graph.ways[node as usize] {
            visit(way.to, way.cost);
        }
        if self.graph.gates_of(self.goal_zone).contains(&node) {
            visit(self.goal_node(), self.estimate(node));
        }
    }
}
