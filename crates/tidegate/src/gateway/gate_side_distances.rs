//! Distances between gates by side (2-way gates): leaving a gate away from the zone one
//! comes from, and arriving from outside the zone one goes to.
//!
//! Between two gates there are as many costs as there are pairs of sides: four for
//! ordinary gates. A way may not come back to the gate it left, and its first step does
//! not lead into the zone behind. The flood from one gate knows that for the gate it
//! starts from only; the flood from the other end knows it for the other, and the larger
//! of the two bounds is kept. Besides its sides every gate has an open port, for tiles
//! that lie on it.

use super::gate_distances::bounds_if;
use super::gate_distances::{
    FloodScratch, MOST_GATES, check_count, check_map, for_each_gate, read_square,
};
use super::gate_estimate::{Gateway, GatewayScratch, Sides};
use super::gate_graph::GateGraph;
use super::gate_shape::GateShapes;
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::{Cost, INFINITY};
use crate::decompose::{Decomposition, Gate, Place, ZoneId};
use crate::grid::{CellId, Grid};
use crate::index::{Edit, Index, Refused, Table, TableKind, TableState};
use std::sync::Arc;

/// The table by port and port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateSideDistances {
    /// By gate, and one more: its open port; the ports of its zones follow in order.
    first: Vec<u32>,
    between: Vec<Cost>,
    shapes: GateShapes,
    sides: Sides,
}

impl GateSideDistances {
    /// Floods from every port.
    pub fn build(grid: &Grid, decomposition: &Decomposition) -> Result<Self, Refused> {
        let first = first_ports(decomposition);
        let ports = first.last().map_or(0, |&n| n as usize);
        check_map(grid, decomposition)?;
        check_count(ports, 2 * MOST_GATES)?;
        let gates = decomposition.gates();
        let graph = GateGraph::new(grid, decomposition);
        let rows = for_each_gate(gates, |gate, scratch| {
            graph.flood(gate, scratch, ())?;
            let mut rows = arrivals(&graph, decomposition, &first, (gate, None), scratch);
            for &zone in gate.zones() {
                graph.flood_away(gate, zone, scratch)?;
                rows.extend(arrivals(&graph, decomposition, &first, (gate, Some(zone)), scratch));
            }
            Ok(rows)
        })?;
        let mut between = rows.concat();
        for i in 0..ports {
            for j in 0..i {
                let most = between[i * ports + j].max(between[j * ports + i]);
                between[i * ports + j] = most;
                between[j * ports + i] = most;
            }
        }
        Ok(GateSideDistances::complete(grid, decomposition, between))
    }

    fn complete(grid: &Grid, decomposition: &Decomposition, between: Vec<Cost>) -> Self {
        let (shapes, sides) = (GateShapes::of(grid, decomposition), Sides::of(decomposition));
        GateSideDistances { first: first_ports(decomposition), between, shapes, sides }
    }

    fn ports(&self) -> usize {
        self.first.last().map_or(0, |&n| n as usize)
    }

    /// The port of a gate for those who come from or go to a zone beside it.
    fn side(&self, gate: &Gate, zone: ZoneId) -> usize {
        let side = gate.zones().binary_search(&zone).map_or(0, |k| k + 1);
        self.first[gate.id().index()] as usize + side
    }

    /// The estimate towards a goal.
    pub fn estimate<'a>(
        &'a self,
        grid: &'a Grid,
        decomposition: &'a Decomposition,
        goal: CellId,
        scratch: &'a mut GatewayScratch,
    ) -> Gateway<'a> {
        let (tile, ports) = (grid.tile(goal), self.ports());
        let last = &mut scratch.last;
        last.clear();
        match decomposition.place(goal) {
            Place::Wall => {}
            Place::Gate(gate) => last.push((self.first[gate.index()] as usize, Cost::ZERO)),
            Place::Zone(zone) => {
                let gates = decomposition.zones()[zone.index()].gates().iter();
                let cost = |gate: usize| self.shapes.distance(gate, tile, grid.movement());
                last.extend(gates.map(|g| {
                    (self.side(&decomposition.gates()[g.index()], zone), cost(g.index()))
                }));
            }
        }
        let to_goal = |port: usize| {
            let row = &self.between[port * ports..][..ports];
            last.iter().fold(INFINITY, |best, &(to, last)| best.min(row[to] + last))
        };
        scratch.on_gate.clear();
        let gates = 0..decomposition.gates().len();
        scratch.on_gate.extend(gates.map(|gate| to_goal(self.first[gate] as usize)));
        scratch.from_zone.clear();
        for zone in decomposition.zones() {
            let gates = zone.gates().iter().map(|g| &decomposition.gates()[g.index()]);
            scratch.from_zone.extend(gates.map(|gate| to_goal(self.side(gate, zone.id()))));
        }
        Gateway::new(grid, decomposition, &self.shapes, &self.sides, goal, scratch)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.between.len() + self.first.len()) * 4 + self.shapes.bytes()
    }
}

fn first_ports(decomposition: &Decomposition) -> Vec<u32> {
    let mut first = vec![0];
    for gate in decomposition.gates() {
        first.push(first[first.len() - 1] + 1 + gate.zones().len() as u32);
    }
    first
}

/// What the last flood from a gate, away from a zone or not, says about arriving at every
/// port.
fn arrivals(
    graph: &GateGraph<'_>,
    decomposition: &Decomposition,
    first: &[u32],
    (source, behind): (&Gate, Option<ZoneId>),
    scratch: &FloodScratch,
) -> Vec<Cost> {
    let mut row = vec![INFINITY; first.last().map_or(0, |&n| n as usize)];
    let ports = |gate: usize| first[gate] as usize..first[gate + 1] as usize;
    row[ports(source.id().index())].fill(Cost::ZERO);
    graph.arrivals(source, behind, scratch, |gate, from, cost| {
        let row = &mut row[ports(gate)];
        row[0] = cost.min(row[0]);
        for (side, &zone) in row[1..].iter_mut().zip(decomposition.gates()[gate].zones()) {
            if from != Some(zone) {
                *side = cost.min(*side);
            }
        }
    });
    row
}

impl Table for GateSideDistances {
    type Options = ();
    const NAME: &'static str = "distances between the sides of gates";
    const TAG: [u8; 4] = *b"port";
    const RESTS_ON: &'static [&'static TableKind] = &[Decomposition::KIND];

    fn build(index: &Index, (): &()) -> Result<Self, Refused> {
        GateSideDistances::build(index.grid(), index.required())
    }

    /// No gate distance has become less as long as ways only became longer.
    fn repair(_: &mut Arc<Self>, _: &Index, edit: &mut Edit) -> TableState {
        bounds_if(edit.only_lengthens() && edit.keeps_gates())
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, out: &mut Writer) {
        out.costs(&self.between);
    }

    fn read(from: &mut Reader<'_>, index: &Index, (): &()) -> Result<Self, WireError> {
        let decomposition: &Decomposition = index.required();
        let ports = first_ports(decomposition).last().map_or(0, |&n| n as usize);
        let between = read_square(from, ports)?;
        Ok(GateSideDistances::complete(index.grid(), decomposition, between))
    }
}
