//! The gateway estimate: the way out of a zone leads over one of its gates, and from a
//! gate the way to the goal was worked out beforehand.
//!
//! Once per query every gate gets its cost to the goal. A tile's estimate is then the
//! least over the gates of its own zone of the octile cost to the gate plus the gate's
//! cost; on a gate it is the gate's cost; in the goal's zone it is octile; and never
//! less than octile. It never exceeds the truth, but where a way runs along a gate it
//! is not consistent.

use super::gate_shape::{GateShapes, Segment};
use super::zone_lists::ZoneLists;
use crate::cost::{Cost, INFINITY};
use crate::decompose::{Decomposition, Place, ZoneId};
use crate::grid::{CellId, Grid, Tile};
use crate::search::{Heuristic, Octile};

/// What a query works out about gates; kept between queries for its memory.
#[derive(Clone, Debug, Default)]
pub struct GatewayScratch {
    /// By gate: from its tiles to the goal.
    pub(crate) on_gate: Vec<Cost>,
    /// By zone and gate of the zone: from the gate to the goal for those who come from
    /// the zone. Laid out as `Sides` says.
    pub(crate) from_zone: Vec<Cost>,
    /// The gates around the goal, as the tables number them, with the cost from them to it.
    pub(crate) last: Vec<(usize, Cost)>,
    /// Segments with the cost behind them, by zone, cheapest first.
    lists: ZoneLists<(Cost, Segment)>,
}

impl GatewayScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.on_gate.capacity() + self.from_zone.capacity()) * size_of::<Cost>()
            + self.last.capacity() * size_of::<(usize, Cost)>()
            + self.lists.bytes()
    }
}

/// Numbers for the pairs of a zone and one of its gates.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sides {
    /// By zone, and one more: the number of its first pair.
    first: Vec<u32>,
}

impl Sides {
    /// Counts the pairs of a decomposition.
    pub fn of(decomposition: &Decomposition) -> Sides {
        let mut first = vec![0];
        let mut count = 0;
        for zone in decomposition.zones() {
            count += zone.gates().len() as u32;
            first.push(count);
        }
        Sides { first }
    }

    /// The numbers of a zone's pairs, in the order of its gates.
    #[inline]
    pub fn range(&self, zone: usize) -> std::ops::Range<usize> {
        self.first[zone] as usize..self.first[zone + 1] as usize
    }

    /// How many pairs there are.
    pub fn count(&self) -> usize {
        self.first.last().map_or(0, |&n| n as usize)
    }
}

/// The estimate towards one goal. Its costs are in the scratch: see
/// `gate_distances` and its neighbours for who fills them in.
#[derive(Debug)]
pub struct Gateway<'a> {
    grid: &'a Grid,
    decomposition: &'a Decomposition,
    shapes: &'a GateShapes,
    sides: &'a Sides,
    octile: Octile<'a>,
    goal: Place,
    scratch: &'a mut GatewayScratch,
}

impl<'a> Gateway<'a> {
    /// The estimate towards `goal` with the costs that `scratch` holds.
    pub(crate) fn new(
        grid: &'a Grid,
        decomposition: &'a Decomposition,
        shapes: &'a GateShapes,
        sides: &'a Sides,
        goal: CellId,
        scratch: &'a mut GatewayScratch,
    ) -> Gateway<'a> {
        scratch.lists.clear(decomposition.zones().len());
        let octile = Octile::new(grid, grid.tile(goal));
        let goal = decomposition.place(goal);
        Gateway { grid, decomposition, shapes, sides, octile, goal, scratch }
    }

    /// The estimate from a tile; `None` if the goal cannot be reached from it.
    #[inline]
    pub fn from(&mut self, cell: CellId, tile: Tile) -> Option<Cost> {
        let octile = self.octile.from(tile);
        let place = self.decomposition.place(cell);
        let through = match place {
            _ if place == self.goal => return Some(octile),
            Place::Wall => return None,
            Place::Gate(gate) => self.scratch.on_gate[gate.index()],
            Place::Zone(zone) => self.over_gates(zone, tile),
        };
        (through < INFINITY).then_some(through.max(octile))
    }

    /// The least cost over any gate of a zone.
    #[inline]
    fn over_gates(&mut self, zone: ZoneId, tile: Tile) -> Cost {
        let range = match self.scratch.lists.range(zone.index()) {
            Some(range) => range,
            None => self.prepare(zone),
        };
        let movement = self.grid.movement();
        let mut best = INFINITY;
        for (behind, segment) in self.scratch.lists.entries(range) {
            if *behind >= best {
                break;
            }
            best = best.min(*behind + segment.distance(tile, movement));
        }
        best
    }

    /// Lists the segments of a zone's gates, those with the least cost behind them first.
    fn prepare(&mut self, zone: ZoneId) -> (u32, u32) {
        let GatewayScratch { from_zone, lists, .. } = &mut *self.scratch;
        let gates = self.decomposition.zones()[zone.index()].gates();
        let costs = &from_zone[self.sides.range(zone.index())];
        let open = gates.iter().zip(costs).filter(|&(_, &cost)| cost < INFINITY);
        let segments = open.flat_map(|(gate, &cost)| {
            self.shapes.segments(gate.index()).iter().map(move |&segment| (cost, segment))
        });
        // The order of equals changes no minimum.
        lists.list(zone.index(), segments, |&(cost, _)| cost)
    }
}

impl Heuristic<Cost> for Gateway<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let cell = CellId::from_index(node as usize);
        self.from(cell, self.grid.tile(cell))
    }
}
