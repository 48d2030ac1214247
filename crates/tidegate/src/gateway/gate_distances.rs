//! True distances between gates: what the gateway estimate reads.
//!
//! Every entry is the least cost from any tile of one gate to any tile of the other,
//! found by one flood per gate over the graph of gate tiles. Two gates that no way joins
//! have [`INFINITY`].

use std::ops::ControlFlow;
use std::sync::Arc;

use super::gate_estimate::{Gateway, GatewayScratch, Sides};
use super::gate_graph::GateGraph;
use super::gate_shape::GateShapes;
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::{Cost, INFINITY};
use crate::decompose::{Decomposition, Gate, Place};
use crate::grid::{CellId, Grid};
use crate::index::{Edit, Index, Refused, Table, TableKind, TableState};
use crate::search::{BucketQueue, Each, SearchScratch};
use crate::threads;

/// The scratch of a flood.
pub(crate) type FloodScratch = SearchScratch<Cost, BucketQueue>;

/// The table by gate and gate, with the shapes of the gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateDistances {
    gates: usize,
    between: Vec<Cost>,
    shapes: GateShapes,
    sides: Sides,
}

impl GateDistances {
    /// Floods from every gate.
    pub fn build(grid: &Grid, decomposition: &Decomposition) -> Result<Self, Refused> {
        let gates = decomposition.gates();
        check_map(grid, decomposition)?;
        check_count(gates.len(), MOST_GATES)?;
        let graph = GateGraph::new(grid, decomposition);
        let rows = for_each_gate(gates, |gate, scratch| {
            let mut row = vec![INFINITY; gates.len()];
            row[gate.id().index()] = Cost::ZERO;
            let mut left = gates.len() - 1;
            let until_all = |node: u32, g: Cost| {
                if let Some(gate) = graph.gate(node) {
                    let entry = &mut row[gate];
                    left -= usize::from(*entry == INFINITY);
                    *entry = g.min(*entry);
                }
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            graph.flood(gate, scratch, Each(until_all))?;
            Ok(row)
        })?;
        let between = rows.concat();
        Ok(GateDistances::complete(grid, decomposition, between))
    }

    fn complete(grid: &Grid, decomposition: &Decomposition, between: Vec<Cost>) -> Self {
        let (shapes, sides) = (GateShapes::of(grid, decomposition), Sides::of(decomposition));
        GateDistances { gates: decomposition.gates().len(), between, shapes, sides }
    }

    /// The estimate towards a goal.
    pub fn estimate<'a>(
        &'a self,
        grid: &'a Grid,
        decomposition: &'a Decomposition,
        goal: CellId,
        scratch: &'a mut GatewayScratch,
    ) -> Gateway<'a> {
        let tile = grid.tile(goal);
        scratch.on_gate.clear();
        scratch.on_gate.resize(self.gates, INFINITY);
        match decomposition.place(goal) {
            Place::Wall => {}
            Place::Gate(gate) => scratch.on_gate.copy_from_slice(self.distances_from(gate.index())),
            Place::Zone(zone) => {
                for gate in decomposition.zones()[zone.index()].gates() {
                    let last = self.shapes.distance(gate.index(), tile, grid.movement());
                    for (cost, way) in
                        scratch.on_gate.iter_mut().zip(self.distances_from(gate.index()))
                    {
                        *cost = (*cost).min(*way + last);
                    }
                }
            }
        }
        scratch.from_zone.clear();
        for zone in decomposition.zones() {
            let costs = zone.gates().iter().map(|gate| scratch.on_gate[gate.index()]);
            scratch.from_zone.extend(costs);
        }
        Gateway::new(grid, decomposition, &self.shapes, &self.sides, goal, scratch)
    }

    /// The distances from one gate to all.
    #[inline]
    pub fn distances_from(&self, gate: usize) -> &[Cost] {
        &self.between[gate * self.gates..][..self.gates]
    }

    /// The shapes of the gates.
    pub fn shapes(&self) -> &GateShapes {
        &self.shapes
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.between.len() * size_of::<Cost>() + self.shapes.bytes()
    }
}

/// The most gates of a table: 64 MB.
pub(crate) const MOST_GATES: usize = 4096;

/// Refuses zones and gates of another map, or of this one before an edit.
pub(crate) fn check_map(grid: &Grid, decomposition: &Decomposition) -> Result<(), Refused> {
    decomposition
        .belongs_to(grid)
        .map_err(|other| Refused(format!("its zones and gates do not fit: {other}")))
}

/// Refuses maps with more gates than a table can hold, before anything is allocated.
pub(crate) fn check_count(gates: usize, most: usize) -> Result<(), Refused> {
    if gates <= most {
        return Ok(());
    }
    let why = format!("it has {gates} gates, and the table holds at most {most}: use jps");
    Err(Refused(why))
}

/// The same by the entries of the table, where those do not follow from the gates alone.
pub(crate) fn check_entries(entries: u64, most: u64) -> Result<(), Refused> {
    if entries <= most {
        return Ok(());
    }
    Err(Refused(format!("its table would have {entries} entries, at most {most}: use jps")))
}

/// Runs `one` for every gate, each thread with a scratch of its own; results in order.
pub(crate) fn for_each_gate<T: Send>(
    gates: &[Gate],
    one: impl Fn(&Gate, &mut FloodScratch) -> Result<T, Refused> + Sync + Send,
) -> Result<Vec<T>, Refused> {
    let tiles = gates.iter().map(|gate| gate.tiles().len()).sum::<usize>().max(4096);
    threads::map(gates.len(), tiles, FloodScratch::new, |scratch, n| one(&gates[n], scratch))
        .into_iter()
        .collect()
}

pub(crate) fn too_far() -> Refused {
    let why = "its ways are longer than 32-bit costs can count".to_owned();
    Refused(why)
}

/// Reads a square table of distances: symmetric, with a diagonal of zeros.
pub(crate) fn read_square(from: &mut Reader<'_>, side: usize) -> Result<Vec<Cost>, WireError> {
    let table = from.cost_table(side, side, "distances between gates")?;
    for i in 0..side {
        for j in 0..=i {
            let value = table[i * side + j];
            if value > INFINITY || value != table[j * side + i] || (i == j && value != Cost::ZERO) {
                let why =
                    format!("the distance between gates {i} and {j} cannot be {}", value.get());
                return Err(WireError::Meaning(why));
            }
        }
    }
    Ok(table)
}

/// How a table of gates stands to the map after an edit.
pub(super) fn bounds_if(holds: bool) -> TableState {
    if holds { TableState::Bounds } else { TableState::Stale }
}

impl Table for GateDistances {
    type Options = ();
    const NAME: &'static str = "distances between gates";
    const TAG: [u8; 4] = *b"gate";
    const RESTS_ON: &'static [&'static TableKind] = &[Decomposition::KIND];

    fn build(index: &Index, (): &()) -> Result<Self, Refused> {
        GateDistances::build(index.grid(), index.required())
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
        let gates = decomposition.gates().len();
        let between = read_square(from, gates)?;
        Ok(GateDistances::complete(index.grid(), decomposition, between))
    }
}
