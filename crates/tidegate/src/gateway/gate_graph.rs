//! The gates of a map as a graph: what floods between gates run on instead of the map.
//!
//! A way between gates leads from gate tile to gate tile, each time by a single step or
//! through a single zone. So every zone is flooded once for each gate tile around it, the
//! costs found become edges, and a flood from a gate then expands gate tiles only. Its
//! costs are those of a flood of the map; the work on tiles grows with the map, not with
//! the map times its gates.
//!
//! An edge is left out where a step along the gate at either end and another edge cost as
//! little. Those two cost less each, so what is left out can always be put together.
//!
//! A zone with more gate tiles around it than there are gates is left open: its own tiles
//! are nodes, because to flood it once per gate is then less work.

use std::ops::{ControlFlow, Range};

use super::dead_ends::is_straight;
use super::gate_distances::{FloodScratch, too_far};
use super::zone_distances::for_each_zone;
use crate::cost::{Cost, INFINITY};
use crate::decompose::{Decomposition, Gate, Place, Zone, ZoneId};
use crate::grid::{CellId, Grid};
use crate::index::Refused;
use crate::search::{Blind, Each, End, NO_PARENT, Observer, Space, search};

/// The gate tiles by number, in the order of the gates and along them; the tiles of open
/// zones follow, by cell.
pub(crate) struct GateGraph<'a> {
    grid: &'a Grid,
    decomposition: &'a Decomposition,
    tiles: GateTiles,
    /// By gate tile: its edges.
    edges: Vec<Vec<Edge>>,
    /// By zone; `None` where it is open.
    crossings: Vec<Option<Crossing>>,
    any_open: bool,
    /// Tiles that were expanded to find the edges.
    #[cfg_attr(not(test), expect(dead_code, reason = "what tests count"))]
    expanded: u64,
}

/// A step between gate tiles, or a way through a zone.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    cost: Cost,
    zone: Option<ZoneId>,
}

/// The ways through a zone.
#[derive(Clone, Debug)]
struct Crossing {
    /// The gate tiles around it, by number.
    border: Vec<u32>,
    /// By tile of the border, then gate of the zone: the least cost to any tile of the gate.
    to_gates: Vec<Cost>,
}

/// Numbers for the tiles of gates.
#[derive(Clone, Debug)]
pub(crate) struct GateTiles {
    /// By gate, and one more: the number of its first tile.
    pub(crate) first: Vec<u32>,
    /// The tiles by cell, with their numbers.
    pub(crate) numbers: Vec<(u32, u32)>,
    /// By number: the cell and the gate.
    of: Vec<(CellId, u32)>,
}

impl GateTiles {
    pub(crate) fn new(decomposition: &Decomposition) -> GateTiles {
        let (mut first, mut of) = (vec![0], Vec::new());
        for gate in decomposition.gates() {
            of.extend(gate.tiles().iter().map(|&tile| (tile, gate.id().index() as u32)));
            first.push(of.len() as u32);
        }
        let mut numbers: Vec<(u32, u32)> =
            of.iter().zip(0..).map(|(&(cell, _), number)| (cell.index() as u32, number)).collect();
        numbers.sort_unstable();
        GateTiles { first, numbers, of }
    }

    fn number(&self, cell: CellId) -> Option<u32> {
        let at = self.numbers.binary_search_by_key(&(cell.index() as u32), |&(cell, _)| cell);
        at.ok().map(|at| self.numbers[at].1)
    }

    /// The numbers of a gate's tiles.
    fn of_gate(&self, gate: usize) -> Range<u32> {
        self.first[gate]..self.first[gate + 1]
    }

    fn gate(&self, number: u32) -> u32 {
        self.of[number as usize].1
    }
}

impl<'a> GateGraph<'a> {
    /// The graph of a decomposition of this map.
    pub(crate) fn new(grid: &'a Grid, decomposition: &'a Decomposition) -> GateGraph<'a> {
        GateGraph::with_most(grid, decomposition, decomposition.gates().len())
    }

    /// The same, with zones left open that have more gate tiles around them than `most`.
    fn with_most(grid: &'a Grid, decomposition: &'a Decomposition, most: usize) -> GateGraph<'a> {
        let tiles = GateTiles::new(decomposition);
        let mut edges = vec![Vec::new(); tiles.of.len()];
        let mut borders: Vec<Vec<u32>> = vec![Vec::new(); decomposition.zones().len()];
        for (number, &(cell, _)) in (0..).zip(&tiles.of) {
            for (next, direction) in grid.neighbours(cell) {
                match (decomposition.place(next), tiles.number(next)) {
                    (Place::Zone(zone), _) => {
                        let border = &mut borders[zone.index()];
                        if border.last() != Some(&number) {
                            border.push(number);
                        }
                    }
                    (_, Some(to)) => {
                        let cost = grid.step_cost(cell, next, direction);
                        edges[number as usize].push(Edge { to, cost, zone: None });
                    }
                    _ => {}
                }
            }
        }
        let straight: Vec<bool> =
            decomposition.gates().iter().map(|gate| is_straight(grid, gate)).collect();
        let crossed = for_each_zone(decomposition.zones(), |zone, scratch| {
            let border = &borders[zone.id().index()];
            let flood = Flood { grid, decomposition, tiles: &tiles, zone, border };
            let (costs, expanded) =
                if border.len() <= most { flood.costs(scratch) } else { (None, 0) };
            let made = costs.map(|costs| {
                let among = Among { tiles: &tiles, border, costs: &costs };
                (among.needed(&straight, &edges), among.to_gates(zone))
            });
            (made, expanded)
        });
        let (mut crossings, mut expanded) = (Vec::with_capacity(crossed.len()), 0);
        for ((zone, border), (made, work)) in decomposition.zones().iter().zip(borders).zip(crossed)
        {
            expanded += work;
            crossings.push(made.map(|(needed, to_gates)| {
                for (from, to, cost) in needed {
                    edges[from as usize].push(Edge { to, cost, zone: Some(zone.id()) });
                }
                Crossing { border, to_gates }
            }));
        }
        let any_open = crossings.iter().any(Option::is_none);
        GateGraph { grid, decomposition, tiles, edges, crossings, any_open, expanded }
    }

    /// The gate that a node lies on; tiles of zones lie on none.
    #[inline]
    pub(crate) fn gate(&self, node: u32) -> Option<usize> {
        self.tiles.of.get(node as usize).map(|&(_, gate)| gate as usize)
    }

    /// The steps from a gate tile into open zones.
    fn for_each_open_zone(&self, number: u32, mut visit: impl FnMut(ZoneId, u32, Cost)) {
        if !self.any_open {
            return;
        }
        let cell = self.tiles.of[number as usize].0;
        for (next, direction) in self.grid.neighbours(cell) {
            if let Place::Zone(zone) = self.decomposition.place(next)
                && self.crossings[zone.index()].is_none()
            {
                let node = (self.tiles.of.len() + next.index()) as u32;
                visit(zone, node, self.grid.step_cost(cell, next, direction));
            }
        }
    }

    /// Floods from all tiles of a gate at once.
    pub(crate) fn flood(
        &self,
        gate: &Gate,
        scratch: &mut FloodScratch,
        mut observer: impl Observer<Cost>,
    ) -> Result<(), Refused> {
        let numbers = self.tiles.of_gate(gate.id().index());
        let sources: Vec<(u32, Cost)> = numbers.map(|number| (number, Cost::ZERO)).collect();
        let (end, _) = search(self, &sources, |_| false, &mut Blind, scratch, &mut observer);
        if end == End::TooFar { Err(too_far()) } else { Ok(()) }
    }

    /// Floods from a gate, the first step not into `zone`, never back onto the gate.
    pub(crate) fn flood_away(
        &self,
        gate: &Gate,
        zone: ZoneId,
        scratch: &mut FloodScratch,
    ) -> Result<(), Refused> {
        let off = OffGate { graph: self, gate: self.tiles.of_gate(gate.id().index()) };
        let mut sources = Vec::new();
        for number in off.gate.clone() {
            let edges = self.edges[number as usize].iter();
            let away = edges.filter(|e| e.zone != Some(zone) && !off.gate.contains(&e.to));
            sources.extend(away.map(|edge| (edge.to, edge.cost)));
            self.for_each_open_zone(number, |into, node, cost| {
                if into != zone {
                    sources.push((node, cost));
                }
            });
        }
        let (end, _) = search(&off, &sources, |_| false, &mut Blind, scratch, &mut ());
        if end == End::TooFar { Err(too_far()) } else { Ok(()) }
    }

    /// What the last flood from `source` (away from the zone `behind`, if any) says about
    /// arriving at gates: calls `visit` with the gate, the zone that the last step leaves
    /// (`None` if it leaves another gate) and the cost.
    pub(crate) fn arrivals(
        &self,
        source: &Gate,
        behind: Option<ZoneId>,
        scratch: &FloodScratch,
        mut visit: impl FnMut(usize, Option<ZoneId>, Cost),
    ) {
        let me = source.id().index();
        let own = self.tiles.of_gate(me);
        let cost =
            |node: u32| if own.contains(&node) { Some(Cost::ZERO) } else { scratch.cost(node) };
        for (number, edges) in (0..).zip(&self.edges) {
            let gate = self.tiles.gate(number) as usize;
            if gate == me {
                continue;
            }
            let steps = edges.iter().filter(|edge| edge.zone.is_none());
            for edge in steps.filter(|edge| self.tiles.gate(edge.to) as usize != gate) {
                cost(edge.to).into_iter().for_each(|cost| visit(gate, None, cost + edge.cost));
            }
            self.for_each_open_zone(number, |zone, node, step| {
                scratch.cost(node).into_iter().for_each(|c| visit(gate, Some(zone), c + step));
            });
        }
        let mut least = Vec::new();
        for (zone, crossing) in self.decomposition.zones().iter().zip(&self.crossings) {
            let Some(crossing) = crossing else { continue };
            let gates = zone.gates();
            least.clear();
            least.resize(gates.len(), INFINITY);
            let rows = crossing.to_gates.chunks_exact(gates.len().max(1));
            for (&number, row) in crossing.border.iter().zip(rows) {
                let shut = behind == Some(zone.id()) && own.contains(&number);
                let Some(cost) = cost(number).filter(|_| !shut) else { continue };
                for (least, way) in least.iter_mut().zip(row) {
                    *least = (*least).min(cost + *way);
                }
            }
            for (gate, &cost) in gates.iter().zip(&least) {
                if gate.index() != me && cost < INFINITY {
                    visit(gate.index(), Some(zone.id()), cost);
                }
            }
        }
    }
}

impl Space for GateGraph<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.tiles.of.len() + if self.any_open { self.grid.tiles() } else { 0 }
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        let gate_tiles = self.tiles.of.len() as u32;
        if let Some(edges) = self.edges.get(node as usize) {
            edges.iter().for_each(|edge| visit(edge.to, edge.cost));
            self.for_each_open_zone(node, |_, next, cost| visit(next, cost));
            return;
        }
        let cell = CellId::from_index((node - gate_tiles) as usize);
        for (next, direction) in self.grid.neighbours(cell) {
            let zone = matches!(self.decomposition.place(next), Place::Zone(_));
            let tile = zone.then_some(gate_tiles + next.index() as u32);
            if let Some(to) = tile.or_else(|| self.tiles.number(next)) {
                visit(to, self.grid.step_cost(cell, next, direction));
            }
        }
    }
}

/// The graph without the tiles of one gate.
struct OffGate<'a> {
    graph: &'a GateGraph<'a>,
    gate: Range<u32>,
}

impl Space for OffGate<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        self.graph.successors(node, NO_PARENT, |next, cost| {
            if !self.gate.contains(&next) {
                visit(next, cost);
            }
        });
    }
}

/// The tiles of a zone, and the gate tiles around it, where a way through it ends.
struct Flood<'a> {
    grid: &'a Grid,
    decomposition: &'a Decomposition,
    tiles: &'a GateTiles,
    zone: &'a Zone,
    border: &'a [u32],
}

impl Flood<'_> {
    /// By border tile and border tile the least cost through the zone, and how many
    /// tiles were expanded; `None` if a way is too long.
    fn costs(&self, scratch: &mut FloodScratch) -> (Option<Vec<Cost>>, u64) {
        let count = self.border.len();
        let (mut costs, mut expanded) = (vec![INFINITY; count * count], 0);
        for (row, &number) in costs.chunks_exact_mut(count.max(1)).zip(self.border) {
            let mut sources = Vec::new();
            let from = self.tiles.of[number as usize].0;
            for (next, direction) in self.grid.neighbours(from) {
                if self.decomposition.place(next) == Place::Zone(self.zone.id()) {
                    let cost = self.grid.step_cost(from, next, direction);
                    sources.push((next.index() as u32, cost));
                }
            }
            let mut left = count;
            let mut until_all = Each(|node: u32, cost| {
                let cell = CellId::from_index(node as usize);
                if let Place::Gate(_) = self.decomposition.place(cell)
                    && let Some(number) = self.tiles.number(cell)
                    && let Ok(at) = self.border.binary_search(&number)
                {
                    row[at] = cost;
                    left -= 1;
                }
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let (end, stats) =
                search(self, &sources, |_| false, &mut Blind, scratch, &mut until_all);
            expanded += stats.expanded;
            if end == End::TooFar {
                return (None, expanded);
            }
        }
        (Some(costs), expanded)
    }
}

impl Space for Flood<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.grid.tiles()
    }

    #[inline]
    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        let cell = CellId::from_index(node as usize);
        if self.decomposition.place(cell) == Place::Zone(self.zone.id()) {
            for (next, direction) in self.grid.neighbours(cell) {
                visit(next.index() as u32, self.grid.step_cost(cell, next, direction));
            }
        }
    }
}

/// The costs through one zone, by border tile and border tile.
struct Among<'a> {
    tiles: &'a GateTiles,
    border: &'a [u32],
    costs: &'a [Cost],
}

impl Among<'_> {
    fn cost(&self, from: usize, to: usize) -> Cost {
        self.costs[from * self.border.len() + to]
    }

    fn gate(&self, at: usize) -> u32 {
        self.tiles.gate(self.border[at])
    }

    /// The ways through the zone that are needed beside the steps from gate tile to gate
    /// tile: from, to and cost.
    fn needed(&self, straight: &[bool], steps: &[Vec<Edge>]) -> Vec<(u32, u32, Cost)> {
        let mut needed = Vec::new();
        // By border tile: those a step away on the same gate.
        let along = |at: usize| -> Vec<(usize, Cost)> {
            let steps = steps[self.border[at] as usize].iter();
            let same = steps.filter(|e| self.tiles.gate(e.to) == self.gate(at));
            let place = |e: &Edge| self.border.binary_search(&e.to).ok().map(|to| (to, e.cost));
            same.filter_map(place).collect()
        };
        let along: Vec<Vec<(usize, Cost)>> = (0..self.border.len()).map(along).collect();
        for from in 0..self.border.len() {
            for to in (0..self.border.len()).filter(|&to| to != from) {
                let cost = self.cost(from, to);
                let on_gate =
                    self.gate(from) == self.gate(to) && straight[self.gate(from) as usize];
                let first = || along[from].iter().any(|&(a, s)| s + self.cost(a, to) <= cost);
                let last = || along[to].iter().any(|&(b, s)| self.cost(from, b) + s <= cost);
                if !on_gate && !first() && !last() {
                    needed.push((self.border[from], self.border[to], cost));
                }
            }
        }
        needed
    }

    /// By border tile and gate of the zone the least cost to the gate.
    fn to_gates(&self, zone: &Zone) -> Vec<Cost> {
        let gates = zone.gates();
        let mut least = vec![INFINITY; self.border.len() * gates.len()];
        for (from, row) in least.chunks_exact_mut(gates.len().max(1)).enumerate() {
            for to in 0..self.border.len() {
                let gate = gates.binary_search_by_key(&(self.gate(to) as usize), |g| g.index());
                if let Ok(k) = gate {
                    row[k] = row[k].min(self.cost(from, to));
                }
            }
        }
        least
    }
}

#[cfg(all(test, feature = "generate"))]
#[path = "gate_graph_tests.rs"]
mod tests;
