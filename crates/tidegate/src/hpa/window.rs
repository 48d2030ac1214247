//! A rectangle of the grid as a space of its own: searches in it never leave it, and its
//! node numbers are small, so that their records stay in the processor's cache.
//!
//! A legal step between two tiles of a rectangle needs only tiles of that rectangle (the
//! tiles beside a diagonal step lie in the box around it), so nothing outside matters.

use super::shape::Rect;
use crate::cost::Cost;
use crate::grid::{Bits, CellId, Direction, Grid, Tile};
use crate::search::{Blind, BucketQueue, End, Observer, SearchScratch, Space, Stats, search};

/// Scratch of searches in small spaces.
pub(crate) type SmallScratch = SearchScratch<Cost, BucketQueue>;

/// The tiles of a rectangle. A node number is `y << shift | x`, counted from the corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'g> {
    grid: &'g Grid,
    rect: Rect,
    shift: u32,
    base: u32,
    offsets: [i32; 8],
}

pub(crate) const EAST: u8 = Direction::E.mask() | Direction::SE.mask() | Direction::NE.mask();
pub(crate) const WEST: u8 = Direction::W.mask() | Direction::SW.mask() | Direction::NW.mask();
pub(crate) const SOUTH: u8 = Direction::S.mask() | Direction::SE.mask() | Direction::SW.mask();
pub(crate) const NORTH: u8 = Direction::N.mask() | Direction::NE.mask() | Direction::NW.mask();

impl<'g> Window<'g> {
    pub(crate) fn new(grid: &'g Grid, rect: Rect) -> Window<'g> {
        let shift = rect.width().next_power_of_two().trailing_zeros();
        let offset = |d: Direction| {
            let (dx, dy) = d.delta();
            (dy << shift) + dx
        };
        let base = rect.y0 * grid.width() + rect.x0;
        Window { grid, rect, shift, base, offsets: Direction::ALL.map(offset) }
    }

    /// The node of a tile inside.
    #[inline]
    pub(crate) fn node(&self, tile: Tile) -> u32 {
        (u32::from(tile.y) - self.rect.y0) << self.shift | (u32::from(tile.x) - self.rect.x0)
    }

    /// The tile of a node.
    #[inline]
    pub(crate) fn tile(&self, node: u32) -> Tile {
        let (x, y) = self.split(node);
        Tile::new((self.rect.x0 + x) as u16, (self.rect.y0 + y) as u16)
    }

    #[inline]
    fn split(&self, node: u32) -> (u32, u32) {
        (node & ((1 << self.shift) - 1), node >> self.shift)
    }

    /// The number of a node's cell on the whole map.
    #[inline]
    pub(crate) fn cell(&self, node: u32) -> u32 {
        let (x, y) = self.split(node);
        self.base + y * self.grid.width() + x
    }

    /// Costs from a tile to everything inside, left in the scratch.
    pub(crate) fn flood(
        &self,
        from: Tile,
        scratch: &mut SmallScratch,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> (End<Cost>, Stats) {
        let source = [(self.node(from), Cost::ZERO)];
        search(self, &source, |_| false, &mut Blind, scratch, observer)
    }

    /// The best way inside from one tile to another, left in the scratch.
    pub(crate) fn find(
        &self,
        from: Tile,
        to: Tile,
        scratch: &mut SmallScratch,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> (End<Cost>, Stats) {
        let (source, goal) = ([(self.node(from), Cost::ZERO)], self.node(to));
        let movement = self.grid.movement();
        let mut estimate = |node| Some(movement.estimate(self.tile(node), to));
        search(self, &source, |node| node == goal, &mut estimate, scratch, observer)
    }
}

impl Space for Window<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        (self.rect.height() as usize) << self.shift
    }

    #[inline]
    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        let (x, y) = self.split(node);
        let cell = CellId::from_index((self.base + y * self.grid.width() + x) as usize);
        let mut moves = self.grid.moves(cell);
        if x == 0 {
            moves &= !WEST;
        }
        if y == 0 {
            moves &= !NORTH;
        }
        if x + 1 == self.rect.width() {
            moves &= !EAST;
        }
        if y + 1 == self.rect.height() {
            moves &= !SOUTH;
        }
        for bit in Bits(moves) {
            let direction = Direction::from_bit(bit);
            let next = node.wrapping_add_signed(self.offsets[bit as usize & 7]);
            let to = self.grid.step(cell, direction);
            visit(next, self.grid.step_cost(cell, to, direction));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_stays_inside() {
        let grid = Grid::from_rows(&["......", ".####.", "......"]).unwrap();
        let mut scratch = SmallScratch::new();
        let inside = Window::new(&grid, Rect { x0: 0, y0: 0, x1: 5, y1: 3 });
        let (a, b) = (Tile::new(4, 0), Tile::new(4, 2));
        let (end, _) = inside.find(a, b, &mut scratch, &mut ());
        assert_eq!(end, End::Goal(inside.node(b), 10 * crate::cost::STRAIGHT));
        let all = Window::new(&grid, Rect { x0: 0, y0: 0, x1: 6, y1: 3 });
        let (end, _) = all.find(a, b, &mut scratch, &mut ());
        assert_eq!(end, End::Goal(all.node(b), 4 * crate::cost::STRAIGHT));
    }
}
