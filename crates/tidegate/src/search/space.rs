//! What can be searched.

use super::Weight;
use crate::cost::Cost;
use crate::grid::{Bits, Blocked, CellId, Direction, Grid};

/// A graph whose nodes are numbers, given by the steps that leave each node.
pub trait Space {
    /// What steps cost.
    type Weight: Weight;

    /// How many nodes there are; their numbers lie below.
    fn nodes(&self) -> usize;

    /// Calls `visit` for every step that leaves `node`, with its end and its cost.
    fn successors(&self, node: u32, visit: impl FnMut(u32, Self::Weight));
}

/// The tiles of a grid; the node numbers are [`CellId`]s.
#[derive(Clone, Copy, Debug)]
pub struct GridSpace<'g> {
    grid: &'g Grid,
    offsets: [i32; 8],
}

impl<'g> GridSpace<'g> {
    /// The space of a grid's tiles and legal steps.
    pub fn new(grid: &'g Grid) -> GridSpace<'g> {
        let offset = |d: Direction| {
            let (dx, dy) = d.delta();
            dy * grid.width() as i32 + dx
        };
        GridSpace { grid, offsets: Direction::ALL.map(offset) }
    }
}

impl Space for GridSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.grid.tiles()
    }

    #[inline]
    fn successors(&self, node: u32, visit: impl FnMut(u32, Cost)) {
        self.steps(node, self.grid.moves(CellId::from_index(node as usize)), visit);
    }
}

impl GridSpace<'_> {
    /// Visits the steps from a node whose directions are the bits of `moves`.
    #[inline]
    fn steps(&self, node: u32, moves: u8, mut visit: impl FnMut(u32, Cost)) {
        let cell = CellId::from_index(node as usize);
        for bit in Bits(moves) {
            let next = node.wrapping_add_signed(self.offsets[bit as usize & 7]);
            let to = CellId::from_index(next as usize);
            visit(next, self.grid.step_cost(cell, to, Direction::from_bit(bit)));
        }
    }
}

/// The tiles of a grid, some of them blocked for the time of one search.
#[derive(Clone, Copy, Debug)]
pub struct BlockedSpace<'g> {
    open: GridSpace<'g>,
    blocked: &'g Blocked,
}

impl<'g> BlockedSpace<'g> {
    /// The space of the grid's tiles and legal steps that touch no blocked tile.
    pub fn new(grid: &'g Grid, blocked: &'g Blocked) -> BlockedSpace<'g> {
        BlockedSpace { open: GridSpace::new(grid), blocked }
    }
}

impl Space for BlockedSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.open.nodes()
    }

    #[inline]
    fn successors(&self, node: u32, visit: impl FnMut(u32, Cost)) {
        let (grid, cell) = (self.open.grid, CellId::from_index(node as usize));
        let moves = self.blocked.moves(grid, grid.tile(cell), grid.moves(cell));
        self.open.steps(node, moves, visit);
    }
}
