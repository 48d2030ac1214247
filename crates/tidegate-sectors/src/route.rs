//! The abstract plan: which sectors to go through, and where to stop on the way.
//!
//! Triangles are searched centre by centre, zones gate by gate; either way by the
//! common loop, and either way the result is the sectors on the way and the stops.

use std::ops::ControlFlow;

use crate::cover::Cover;
use crate::gates::{GateGraph, GateSpace};
use crate::ground::{Ground, Shape};
use crate::hierarchy::SectorId;
use crate::trip::Trip;
use crate::zones::ZoneTree;
use tidegate::cost::Cost;
use tidegate::grid::{Grid, Tile};
use tidegate::index::QueryObserver;
use tidegate::search::{
    End, HeapQueue, NodesToCells, Observer, SearchScratch, Space, Stats, search,
};

/// The memory of abstract plans.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    search: SearchScratch<Cost, HeapQueue<Cost>>,
    sources: Vec<(u32, Cost)>,
    gates: Vec<u32>,
}

impl Memory {
    pub(super) fn bytes(&self) -> usize {
        self.search.bytes() + self.sources.capacity() * 8 + self.gates.capacity() * 4
    }
}

/// A stop on the way, before the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// Which sector of the route it belongs to.
    pub(super) visit: usize,
    pub(super) at: StopAt,
}

/// Where to stop.
#[derive(Clone, Copy, Debug)]
pub(super) enum StopAt {
    Tile(Tile),
    /// Some tile of a gate.
    Gate(u32),
}

/// A question to the abstract plan: from one sector in use to another one.
pub(super) struct SectorRoute<'a> {
    pub(super) ground: &'a Ground,
    pub(super) cover: &'a Cover,
    pub(super) grid: &'a Grid,
    pub(super) start: (SectorId, Tile),
    pub(super) goal: (SectorId, Tile),
}

impl SectorRoute<'_> {
    /// Writes the sectors on the way into the trip, and the stops. Nothing is written
    /// if the sectors are not joined or the observer says stop. The observer sees the
    /// tiles at which sectors and gates are searched.
    pub(super) fn find(
        &self,
        memory: &mut Memory,
        trip: &mut Trip,
        stops: &mut Vec<Stop>,
        observer: &mut QueryObserver<'_, '_>,
    ) -> (End<Cost>, Stats) {
        trip.route.clear();
        stops.clear();
        match self.ground.shape() {
            Shape::Triangles(_, aims) => self.over_sectors(aims, memory, trip, stops, observer),
            Shape::Zones(zones, gates) => {
                self.over_gates(zones, gates, memory, trip, stops, observer)
            }
        }
    }

    fn cell(&self, tile: Tile) -> u32 {
        u32::from(tile.y) * self.grid.width() + u32::from(tile.x)
    }

    fn over_sectors(
        &self,
        aims: &[Tile],
        memory: &mut Memory,
        trip: &mut Trip,
        stops: &mut Vec<Stop>,
        observer: &mut QueryObserver<'_, '_>,
    ) -> (End<Cost>, Stats) {
        let movement = self.grid.movement();
        let space = SectorSpace { aims, route: self };
        let mut estimate = |node| Some(movement.estimate(space.position(id(node)), self.goal.1));
        let sources = [(self.start.0.index() as u32, Cost::ZERO)];
        let cell = |node| self.cell(space.position(id(node)));
        let lens = NodesToCells { inner: observer, cell };
        let mut seen = Seen { inner: lens, note: |node| trip.expanded.push(id(node)) };
        let is_goal = |node| id(node) == self.goal.0;
        let memory = &mut memory.search;
        let (end, stats) = search(&space, &sources, is_goal, &mut estimate, memory, &mut seen);
        if let End::Goal(node, _) = end {
            memory.way_back(node).for_each(|node| trip.visit(id(node)));
            trip.route.reverse();
            let inner = trip.route.iter().enumerate().skip(1).take(trip.route.len() - 2);
            let stop = |(visit, v): (usize, &crate::trip::Visit)| Stop {
                visit,
                at: StopAt::Tile(aims[v.sector.index()]),
            };
            stops.extend(inner.map(stop));
        }
        (end, stats)
    }

    fn over_gates(
        &self,
        zones: &ZoneTree,
        graph: &GateGraph,
        memory: &mut Memory,
        trip: &mut Trip,
        stops: &mut Vec<Stop>,
        observer: &mut QueryObserver<'_, '_>,
    ) -> (End<Cost>, Stats) {
        let Memory { search: memory, sources, gates } = memory;
        let movement = self.grid.movement();
        let hierarchy = self.ground.hierarchy();
        let sector_of = |zone: u32| self.cover.sector_of(hierarchy, graph.sample(zone));
        let (goal_zone, start_zone) = (zones.zone_at(self.goal.1), zones.zone_at(self.start.1));
        let space = GateSpace { graph, movement, goal: self.goal.1, goal_zone };
        let first = |&gate: &u32| (gate, movement.estimate(self.start.1, graph.middle(gate)));
        sources.clear();
        sources.extend(graph.gates_of(start_zone).iter().map(first));
        let inner = |node| node != space.goal_node();
        let cell = |node| self.cell(if inner(node) { graph.middle(node) } else { self.goal.1 });
        let note = |node| {
            if inner(node) {
                let beside = graph.zones_of(node).iter().map(|&zone| sector_of(zone));
                trip.expanded.extend(beside);
            }
        };
        let mut seen = Seen { inner: NodesToCells { inner: observer, cell }, note };
        let is_goal = |node| node == space.goal_node();
        let mut estimate = |node| Some(space.estimate(node));
        let (end, stats) = search(&space, sources, is_goal, &mut estimate, memory, &mut seen);
        let End::Goal(node, _) = end else { return (end, stats) };
        trip.visit(self.start.0);
        gates.clear();
        gates.extend(memory.way_back(node).skip(1));
        gates.reverse();
        for (i, &gate) in gates.iter().enumerate() {
            let zone = match gates.get(i + 1) {
                Some(&next) => graph.zone_between(gate, next),
                None => Some(goal_zone),
            };
            let sector = zone.map(sector_of);
            // A gate inside a sector is no stop: the sector is crossed at one go.
            if let Some(sector) =
                sector.filter(|&s| trip.route.last().is_some_and(|v| v.sector != s))
            {
                stops.push(Stop { visit: trip.route.len(), at: StopAt::Gate(gate) });
                trip.visit(sector);
            }
        }
        (end, stats)
    }
}

fn id(node: u32) -> SectorId {
    SectorId::from_index(node as usize)
}

/// The sectors in use as a graph: a step to a neighbour costs what the way between the
/// sub-goals would cost on an empty map. The first and the last sector stand where
/// start and goal do.
struct SectorSpace<'a> {
    aims: &'a [Tile],
    route: &'a SectorRoute<'a>,
}

impl SectorSpace<'_> {
    fn position(&self, sector: SectorId) -> Tile {
        let ends = [self.route.start, self.route.goal];
        let end = ends.into_iter().find(|&(end, _)| end == sector);
        end.map_or_else(|| self.aims[sector.index()], |(_, tile)| tile)
    }
}

impl Space for SectorSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.aims.len()
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        let here = self.position(id(node));
        for &next in self.route.cover.neighbours(id(node)) {
            let step = self.route.grid.movement().estimate(here, self.position(next));
            visit(next.index() as u32, step);
        }
    }
}

/// Notes every node that the abstract search expands.
struct Seen<O, F> {
    inner: O,
    note: F,
}

impl<O: Observer<Cost>, F: FnMut(u32)> Observer<Cost> for Seen<O, F> {
    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        self.inner.generate(node, parent, g, h);
    }

    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        self.inner.expand(node, g, h)?;
        (self.note)(node);
        ControlFlow::Continue(())
    }
}
