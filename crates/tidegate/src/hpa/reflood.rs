//! The ways inside a cluster of tiles after a change of the map: instead of a new flood,
//! only what the change tells on is looked at.
//!
//! On uniform ground the kept ways to a node give the distance of every tile. A way that
//! is no longer legal takes all that lead over it with it; from the tiles around them and
//! around the change, distances spread as in a flood. The ways are those of a flood too:
//! of all next tiles on a best way a flood takes the one it expands first, which is the
//! nearest to the node and among those the first in row order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::level::Level;
use super::shape::Rect;
use super::trees::{self, NO_STEP};
use super::window::{EAST, NORTH, SOUTH, WEST};
use crate::cost::{Cost, INFINITY};
use crate::grid::{Bits, CellId, Direction, Grid, Tile};

/// What a cluster of tiles had before the map changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before<'a> {
    pub(crate) level: &'a Level,
    pub(crate) cluster: u32,
    /// Tiles that may have become free or wall.
    pub(crate) changed: &'a [Tile],
}

impl<'a> Before<'a> {
    /// The tiles inside a rectangle that may have changed; `None` if there are so many that
    /// floods are as fast.
    pub(crate) fn changed_in(&self, rect: &Rect) -> Option<Vec<Tile>> {
        let inside = |tile: &&Tile| {
            (rect.x0..rect.x1).contains(&tile.x.into())
                && (rect.y0..rect.y1).contains(&tile.y.into())
        };
        let mut changed: Vec<Tile> = self.changed.iter().filter(inside).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        (changed.len() as u32 <= rect.width() * rect.height() / 16).then_some(changed)
    }

    /// The ways to the node that stood on a tile.
    pub(crate) fn row(&self, tile: Tile) -> Option<&'a [u8]> {
        let (trees, slots) = (self.level.trees.as_ref()?, self.level.slots(self.cluster));
        let number = self.level.tile[slots.clone()].iter().position(|&t| t == tile)?;
        Some(trees.row(self.cluster, number as u32, slots.len() as u32))
    }
}

/// A cluster of tiles that changed, and the memory of following that, reused from cluster to
/// cluster. Places are its tiles in row order.
#[derive(Debug, Default)]
pub(crate) struct Reflood {
    rect: Rect,
    /// By direction: how far away the next place is.
    offsets: [i32; 8],
    /// By place: directions that do not lead out of the cluster, and legal steps of those.
    inside: Vec<u8>,
    moves: Vec<u8>,
    /// Places that may have changed.
    changed: Vec<u32>,
    /// By place: what it costs to get to the node in hand, where that changed.
    costs: Vec<Cost>,
    /// By place: what it cost before, as far as it was asked for.
    old_costs: Vec<Cost>,
    heap: BinaryHeap<Reverse<(Cost, u32)>>,
    /// Places whose cost changed or is in doubt.
    doubtful: Vec<u32>,
    /// By place: the last run that has chosen its step.
    chosen: Vec<u32>,
    run: u32,
    way: Vec<(u32, Cost)>,
}

/// Not worked out, or not changed.
const UNKNOWN: Cost = Cost::MAX;

impl Reflood {
    /// Takes up a cluster of the map as it is after the change of these tiles.
    pub(crate) fn begin(&mut self, grid: &Grid, rect: Rect, changed: &[Tile]) {
        let (width, height) = (rect.width(), rect.height());
        self.rect = rect;
        self.offsets = Direction::ALL.map(|d| d.delta().1 * width as i32 + d.delta().0);
        self.inside.clear();
        self.moves.clear();
        for y in 0..height {
            let rows = if y == 0 { !NORTH } else { !0 } & if y + 1 == height { !SOUTH } else { !0 };
            let first = ((rect.y0 + y) * grid.width() + rect.x0) as usize;
            for x in 0..width {
                let west = if x == 0 { !WEST } else { !0 };
                let mask = rows & west & if x + 1 == width { !EAST } else { !0 };
                self.inside.push(mask);
                self.moves.push(mask & grid.moves(CellId::from_index(first + x as usize)));
            }
        }
        self.changed = changed.iter().map(|&tile| self.place(tile)).collect();
    }

    fn place(&self, tile: Tile) -> u32 {
        let (x, y) = (u32::from(tile.x) - self.rect.x0, u32::from(tile.y) - self.rect.y0);
        y * self.rect.width() + x
    }

    #[inline]
    fn next(&self, place: u32, direction: Direction) -> u32 {
        (place as i32 + self.offsets[direction as usize]) as u32
    }

    /// Brings a row of ways to the node on `source` up to date with the map; `old` is the
    /// row as it was. [`Reflood::cost`] then gives the cost of any tile.
    pub(crate) fn run(&mut self, source: Tile, old: &[u8], row: &mut [u8]) {
        let source = self.place(source);
        for costs in [&mut self.costs, &mut self.old_costs] {
            costs.clear();
            costs.resize(self.moves.len(), UNKNOWN);
            costs[source as usize] = 0;
        }
        self.doubtful.clear();
        self.doubtful.extend(&self.changed);
        self.cut_ways(old);
        self.spread(old);
        self.choose_ways(source, old, row);
    }

    /// The cost from the source to a tile after the last run, which was on this row.
    pub(crate) fn cost(&mut self, tile: Tile, old: &[u8]) -> Cost {
        self.cost_at(self.place(tile), old)
    }

    /// The cost of a place: as it changed, else as it was.
    #[inline]
    fn cost_at(&mut self, place: u32, old: &[u8]) -> Cost {
        match self.costs[place as usize] {
            UNKNOWN => self.old_cost(place, old),
            cost => cost,
        }
    }

    /// What the old way from a place costs.
    fn old_cost(&mut self, mut place: u32, old: &[u8]) -> Cost {
        while self.old_costs[place as usize] == UNKNOWN {
            let step = trees::step(old, place);
            if step == NO_STEP {
                self.old_costs[place as usize] = INFINITY;
                break;
            }
            let direction = Direction::from_bit(step.into());
            self.way.push((place, direction.cost()));
            place = self.next(place, direction);
        }
        let mut cost = self.old_costs[place as usize];
        while let Some((place, step)) = self.way.pop() {
            cost += step;
            self.old_costs[place as usize] = cost;
        }
        cost
    }

    /// Tiles whose way is no longer legal or leads over such a tile have no cost until one
    /// is found.
    fn cut_ways(&mut self, old: &[u8]) {
        for i in 0..self.changed.len() {
            let place = self.changed[i];
            self.cut_if_illegal(place, old);
            for bit in Bits(self.inside[place as usize]) {
                self.cut_if_illegal(self.next(place, Direction::from_bit(bit)), old);
            }
        }
        let mut next = self.changed.len();
        while next < self.doubtful.len() {
            let place = self.doubtful[next];
            for bit in Bits(self.inside[place as usize]) {
                let direction = Direction::from_bit(bit);
                let near = self.next(place, direction);
                if trees::step(old, near) == direction.opposite() as u8 {
                    self.cut(near);
                }
            }
            next += 1;
        }
    }

    fn cut_if_illegal(&mut self, place: u32, old: &[u8]) {
        let step = trees::step(old, place);
        if step != NO_STEP && self.moves[place as usize] & 1 << step == 0 {
            self.cut(place);
        }
    }

    fn cut(&mut self, place: u32) {
        if std::mem::replace(&mut self.costs[place as usize], INFINITY) != INFINITY {
            self.doubtful.push(place);
        }
    }

    /// Spreads costs from around the tiles that changed or were cut off as far as they get
    /// less.
    fn spread(&mut self, old: &[u8]) {
        for i in 0..self.doubtful.len() {
            self.offer(self.doubtful[i], old);
        }
        for i in 0..self.changed.len() {
            let place = self.changed[i];
            for bit in Bits(self.inside[place as usize]) {
                self.offer(self.next(place, Direction::from_bit(bit)), old);
            }
        }
        while let Some(Reverse((cost, place))) = self.heap.pop() {
            if cost >= self.cost_at(place, old) {
                continue;
            }
            self.costs[place as usize] = cost;
            self.doubtful.push(place);
            for bit in Bits(self.moves[place as usize]) {
                let direction = Direction::from_bit(bit);
                let (next, cost) = (self.next(place, direction), cost + direction.cost());
                if cost < self.cost_at(next, old) {
                    self.heap.push(Reverse((cost, next)));
                }
            }
        }
    }

    /// Puts the cost that a tile's neighbours give it on the heap, if it is less.
    fn offer(&mut self, place: u32, old: &[u8]) {
        let mut least = INFINITY;
        for bit in Bits(self.moves[place as usize]) {
            let direction = Direction::from_bit(bit);
            let before = self.cost_at(self.next(place, direction), old);
            least = least.min(before + direction.cost());
        }
        if least < self.cost_at(place, old) {
            self.heap.push(Reverse((least, place)));
        }
    }

    /// Chooses the next tile again wherever costs or steps around have changed.
    fn choose_ways(&mut self, source: u32, old: &[u8], row: &mut [u8]) {
        self.chosen.resize(self.moves.len().max(self.chosen.len()), 0);
        self.run = self.run.wrapping_add(1);
        for i in 0..self.doubtful.len() {
            let place = self.doubtful[i];
            self.choose(place, source, old, row);
            for bit in Bits(self.inside[place as usize]) {
                self.choose(self.next(place, Direction::from_bit(bit)), source, old, row);
            }
        }
    }

    fn choose(&mut self, place: u32, source: u32, old: &[u8], row: &mut [u8]) {
        let last = std::mem::replace(&mut self.chosen[place as usize], self.run);
        if place == source || last == self.run {
            return;
        }
        let cost = self.cost_at(place, old);
        let mut first = (UNKNOWN, 0, NO_STEP);
        if cost < INFINITY {
            for bit in Bits(self.moves[place as usize]) {
                let direction = Direction::from_bit(bit);
                let next = self.next(place, direction);
                let before = self.cost_at(next, old);
                if before + direction.cost() == cost {
                    first = first.min((before, next, direction as u8));
                }
            }
        }
        trees::set_step(row, place, first.2);
    }
}
