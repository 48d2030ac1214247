//! What can be searched.

use super::{NO_PARENT, Weight};
use crate::cost::{Cost, DIAGONAL, Factor, STRAIGHT};
use crate::grid::{Bits, Blocked, CellId, CostLayer, Direction, Grid, OtherSize, turns};

/// A graph whose nodes are numbers, given by the steps that leave each node.
pub trait Space {
    /// What steps cost.
    type Weight: Weight;

    /// How many nodes there are; their numbers lie below.
    fn nodes(&self) -> usize;

    /// Calls `visit` for the steps that leave `node`, with their ends and costs. If the
    /// node was reached from `parent`, and not [`NO_PARENT`], a space may leave out
    /// steps without which every node is still reached at its least cost.
    fn successors(&self, node: u32, parent: u32, visit: impl FnMut(u32, Self::Weight));
}

/// The tiles of a grid; the node numbers are [`CellId`]s.
#[derive(Clone, Copy, Debug)]
pub struct GridSpace<'g> {
    grid: &'g Grid,
    offsets: [i32; 8],
    /// None on uneven ground, and on maps so narrow that differences of numbers do not tell
    /// directions apart.
    onward: Option<&'static turns::Table>,
    arrivals: Arrivals,
}

/// The direction of a step by the difference of its ends' numbers: a perfect hash of the eight there are.
#[derive(Clone, Copy, Debug, Default)]
struct Arrivals {
    factor: u32,
    directions: [u8; 16],
}

impl Arrivals {
    fn new(offsets: &[i32; 8]) -> Arrivals {
        // Every eighth factor or so puts them into eight different places.
        let mut factor = 0x9E37_79B9_u32;
        loop {
            let (mut taken, mut directions) = (0_u16, [0; 16]);
            for (direction, &offset) in (0..).zip(offsets) {
                let place = Arrivals::place(factor, offset);
                taken |= 1 << place;
                directions[place] = direction;
            }
            if taken.count_ones() == 8 {
                return Arrivals { factor, directions };
            }
            factor = factor.wrapping_mul(0x2545_F491);
        }
    }

    #[inline]
    fn place(factor: u32, offset: i32) -> usize {
        ((offset as u32).wrapping_mul(factor) >> 28) as usize
    }

    #[inline]
    fn direction(&self, offset: i32) -> usize {
        usize::from(self.directions[Arrivals::place(self.factor, offset) & 15])
    }
}

impl<'g> GridSpace<'g> {
    /// The space of a grid's tiles and legal steps.
    pub fn new(grid: &'g Grid) -> GridSpace<'g> {
        let offset = |d: Direction| {
            let (dx, dy) = d.delta();
            dy * grid.width() as i32 + dx
        };
        let offsets = Direction::ALL.map(offset);
        let even = grid.factors().is_none() && grid.width() >= 3;
        let onward = even.then(|| turns::onward(grid.movement()));
        let arrivals = if even { Arrivals::new(&offsets) } else { Arrivals::default() };
        GridSpace { grid, offsets, onward, arrivals }
    }
}

impl Space for GridSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.grid.tiles()
    }

    #[inline]
    fn successors(&self, node: u32, parent: u32, visit: impl FnMut(u32, Cost)) {
        self.steps(node, parent, self.grid.moves(CellId::from_index(node as usize)), visit);
    }
}

impl GridSpace<'_> {
    /// Visits the steps from a node whose directions are the bits of `moves`.
    #[inline]
    fn steps(&self, node: u32, parent: u32, moves: u8, mut visit: impl FnMut(u32, Cost)) {
        let cell = CellId::from_index(node as usize);
        self.ends(node, parent, moves, |next, direction| {
            let to = CellId::from_index(next as usize);
            visit(next, self.grid.step_cost(cell, to, direction));
        });
    }

    /// The ends of those steps and their directions.
    #[inline]
    fn ends(&self, node: u32, parent: u32, moves: u8, mut visit: impl FnMut(u32, Direction)) {
        let moves = match self.onward {
            Some(onward) if parent != NO_PARENT => {
                let arrival = self.arrivals.direction(node.wrapping_sub(parent) as i32);
                onward[arrival & 7][usize::from(moves)]
            }
            _ => moves,
        };
        for bit in Bits(moves) {
            let next = node.wrapping_add_signed(self.offsets[bit as usize & 7]);
            visit(next, Direction::from_bit(bit));
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
    fn successors(&self, node: u32, parent: u32, visit: impl FnMut(u32, Cost)) {
        let (grid, cell) = (self.open.grid, CellId::from_index(node as usize));
        let moves = self.blocked.moves(grid, grid.tile(cell), grid.moves(cell));
        self.open.steps(node, parent, moves, visit);
    }
}

/// The tiles of a grid under a cost layer, some of them blocked perhaps.
#[derive(Clone, Copy, Debug)]
pub struct CostSpace<'g> {
    open: GridSpace<'g>,
    blocked: Option<&'g Blocked>,
    layer: &'g CostLayer,
}

impl<'g> CostSpace<'g> {
    /// The space of the grid's tiles and legal steps that touch no blocked tile, at the cost
    /// that the layer makes of them.
    pub fn new(
        grid: &'g Grid,
        blocked: Option<&'g Blocked>,
        layer: &'g CostLayer,
    ) -> Result<CostSpace<'g>, OtherSize> {
        layer.check(grid)?;
        let blocked = blocked.filter(|blocked| !blocked.is_empty());
        Ok(CostSpace { open: GridSpace::new(grid), blocked, layer })
    }

    #[inline]
    fn factor(&self, cell: CellId) -> Factor {
        self.layer.factor(self.open.grid, cell)
    }
}

impl Space for CostSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.open.nodes()
    }

    /// Where all around a tile is added what is added to it, steps are left out as they are on
    /// uniform ground. Whether that is right at a node depends on these nine tiles alone: the
    /// ways as good as those left out, or better, lie among them.
    #[inline]
    fn successors(&self, node: u32, parent: u32, mut visit: impl FnMut(u32, Cost)) {
        let (grid, cell) = (self.open.grid, CellId::from_index(node as usize));
        let moves = grid.moves(cell);
        let moves = match self.blocked {
            None => moves,
            Some(blocked) => blocked.moves(grid, grid.tile(cell), moves),
        };
        let here = self.factor(cell);
        if self.open.onward.is_some() && self.layer.is_even_around(cell) {
            let (straight, diagonal) = (here.step(here, STRAIGHT), here.step(here, DIAGONAL));
            return self.open.ends(node, parent, moves, |next, direction| {
                visit(next, if direction.is_diagonal() { diagonal } else { straight });
            });
        }
        for bit in Bits(moves) {
            let next = node.wrapping_add_signed(self.open.offsets[bit as usize & 7]);
            let there = self.factor(CellId::from_index(next as usize));
            visit(next, here.step(there, Direction::from_bit(bit).cost()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Movement;
    use crate::rng::Rng;
    use crate::search::{Blind, BucketQueue, HeapQueue, Open, SearchScratch, search};

    /// The grid with every step, whatever the parent.
    struct EveryStep<'g>(GridSpace<'g>);

    impl Space for EveryStep<'_> {
        type Weight = Cost;

        fn nodes(&self) -> usize {
            self.0.nodes()
        }

        fn successors(&self, node: u32, _: u32, visit: impl FnMut(u32, Cost)) {
            self.0.successors(node, NO_PARENT, visit);
        }
    }

    fn costs<Q: Open<Cost> + Default>(
        space: &impl Space<Weight = Cost>,
        from: u32,
    ) -> Vec<Option<Cost>> {
        let mut scratch = SearchScratch::<Cost, Q>::new();
        search(space, &[(from, Cost::ZERO)], |_| false, &mut Blind, &mut scratch, &mut ());
        (0..space.nodes() as u32).map(|node| scratch.cost(node)).collect()
    }

    #[test]
    fn arrivals_are_told_apart_on_maps_of_every_width() {
        for width in 3..=u16::MAX.into() {
            let offset = |d: Direction| d.delta().1 * width + d.delta().0;
            let arrivals = Arrivals::new(&Direction::ALL.map(offset));
            for direction in Direction::ALL {
                assert_eq!(arrivals.direction(offset(direction)), direction as usize, "{width}");
            }
        }
    }

    #[test]
    fn steps_left_out_change_no_cost() {
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let (width, height) = (1 + rng.below(14) as u32, 1 + rng.below(14) as u32);
            let (movement, walls) = (Movement::ALL[rng.below(3)], rng.below(50) as u32);
            let grid = Grid::from_fn(width, height, movement, |_, _| !rng.chance(walls)).unwrap();
            let Some(from) = grid.free_cells().nth(rng.below(5)) else { continue };
            let (space, from) = (GridSpace::new(&grid), from.index() as u32);
            let all = costs::<HeapQueue<Cost>>(&EveryStep(space), from);
            assert_eq!(costs::<BucketQueue>(&space, from), all, "seed {seed} in\n{grid:?}");
        }
    }
}
