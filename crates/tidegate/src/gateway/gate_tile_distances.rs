//! True distances from every TILE of a gate to every gate: what the portal estimate
//! reads. It knows where on a gate a way passes, at one row per gate tile.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::gate_distances::bounds_if;
use super::gate_distances::{check_entries, check_map, for_each_gate};
use super::gate_graph::{GateGraph, GateTiles};
use super::gate_shape::GateShapes;
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::{Cost, INFINITY};
use crate::decompose::Decomposition;
use crate::grid::{CellId, Grid};
use crate::index::{Edit, Index, Refused, Table, TableKind, TableState};
use crate::search::Each;

/// The most entries of the table: 256 MB.
const MOST_ENTRIES: u64 = 1 << 26;

/// The table by gate tile and gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateTileDistances {
    /// By gate, and one more: the number of its first tile.
    first: Vec<u32>,
    /// The gate tiles by cell, with their numbers.
    numbers: Vec<(u32, u32)>,
    to_gate: Vec<Cost>,
    shapes: GateShapes,
}

impl GateTileDistances {
    /// Floods from every gate.
    pub fn build(grid: &Grid, decomposition: &Decomposition) -> Result<Self, Refused> {
        let gates = decomposition.gates();
        let GateTiles { first, numbers, .. } = GateTiles::new(decomposition);
        check_map(grid, decomposition)?;
        check_entries(numbers.len() as u64 * gates.len() as u64, MOST_ENTRIES)?;
        let graph = GateGraph::new(grid, decomposition);
        let columns = for_each_gate(gates, |gate, scratch| {
            let mut left = numbers.len();
            let mut column = vec![INFINITY; numbers.len()];
            let until_all = |node: u32, cost| {
                if let Some(entry) = column.get_mut(node as usize) {
                    *entry = cost;
                    left -= 1;
                }
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            graph.flood(gate, scratch, Each(until_all))?;
            Ok(column)
        })?;
        let mut to_gate = Vec::with_capacity(numbers.len() * gates.len());
        for tile in 0..numbers.len() {
            to_gate.extend(columns.iter().map(|column| column[tile]));
        }
        let shapes = GateShapes::of(grid, decomposition);
        Ok(GateTileDistances { first, numbers, to_gate, shapes })
    }

    /// How many gate tiles there are.
    pub fn tiles(&self) -> usize {
        self.numbers.len()
    }

    /// The numbers of a gate's tiles, in their order.
    pub(crate) fn of_gate(&self, gate: usize) -> std::ops::Range<usize> {
        self.first[gate] as usize..self.first[gate + 1] as usize
    }

    /// The number of a tile that lies on a gate.
    pub(crate) fn number(&self, cell: CellId) -> Option<usize> {
        let at = self.numbers.binary_search_by_key(&(cell.index() as u32), |&(cell, _)| cell);
        at.ok().map(|at| self.numbers[at].1 as usize)
    }

    /// The distances from a gate tile to every gate.
    pub(crate) fn row(&self, tile: usize) -> &[Cost] {
        let gates = self.first.len() - 1;
        &self.to_gate[tile * gates..][..gates]
    }

    /// The shapes of the gates.
    pub(crate) fn shapes(&self) -> &GateShapes {
        &self.shapes
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.to_gate.len() + self.first.len() + 2 * self.numbers.len()) * 4 + self.shapes.bytes()
    }
}

impl Table for GateTileDistances {
    type Options = ();
    const NAME: &'static str = "distances from the tiles of gates";
    const TAG: [u8; 4] = *b"ptal";
    const RESTS_ON: &'static [&'static TableKind] = &[Decomposition::KIND];

    fn build(index: &Index, (): &()) -> Result<Self, Refused> {
        GateTileDistances::build(index.grid(), index.required())
    }

    /// No gate distance has become less as long as ways only became longer.
    fn repair(_: &mut Arc<Self>, _: &Index, edit: &mut Edit) -> TableState {
        bounds_if(edit.only_lengthens() && edit.keeps_gates())
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, out: &mut Writer) {
        out.costs(&self.to_gate);
    }

    fn read(from: &mut Reader<'_>, index: &Index, (): &()) -> Result<Self, WireError> {
        let decomposition: &Decomposition = index.required();
        let GateTiles { first, numbers, .. } = GateTiles::new(decomposition);
        let gates = decomposition.gates().len();
        let to_gate = from.cost_table(numbers.len(), gates, "distances to gates")?;
        if to_gate.iter().any(|&d| d > INFINITY) {
            return Err(WireError::meaning("a distance beyond infinity"));
        }
        let shapes = GateShapes::of(index.grid(), decomposition);
        Ok(GateTileDistances { first, numbers, to_gate, shapes })
    }
}
