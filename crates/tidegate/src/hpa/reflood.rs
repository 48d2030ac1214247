//! The ways inside a cluster of tiles on uniform ground, by a flood, or after a change of the
//! map from the ways as they were: then only what the change tells on is looked at.
//!
//! The kept ways to a node give the distance of every tile. A way that
//! is no longer legal takes all that lead over it with it; from the tiles around them and
//! around the change, distances spread as in a flood. The ways are those that
//! [`search`](crate::search::search) leaves: of all next tiles on a best way the one it expands
//! first, which is the nearest to the node and among those the first in row order.

use super::shape::Rect;
use super::trees::{self, NO_STEP};
use super::window::{EAST, NORTH, SOUTH, WEST};
use crate::cost::{Cost, INFINITY, STRAIGHT};
use crate::grid::{Bits, CellId, Direction, Grid, Tile};

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
    /// Costs to be spread with their places, by how many straight steps they are worth. No
    /// step costs less, so what lies in one bucket cannot make anything else in it cheaper,
    /// and the order within does not matter.
    buckets: Vec<Vec<(Cost, u32)>>,
    /// Places whose cost changed or is in doubt.
    doubtful: Vec<u32>,
    /// By place: the last run that has chosen its step.
    chosen: Vec<u32>,
    run: u32,
    way: Vec<(u32, Cost)>,
}

/// The directions in the order in which they are preferred: a diagonal step comes from a
/// tile nearer to the node than a straight one of the same cost in all.
const FIRST: [Direction; 8] = {
    use Direction::*;
    [NW, NE, SW, SE, N, W, E, S]
};

/// Not worked out, or not changed.
const UNKNOWN: Cost = Cost::new(u32::MAX);

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
            costs[source as usize] = Cost::ZERO;
        }
        self.doubtful.clear();
        self.doubtful.extend(&self.changed);
        self.cut_ways(old);
        self.spread(old);
        self.choose_ways(source, old, row);
    }

    /// Floods from a node that had no ways before, and adds a row of ways, if they are kept.
    pub(crate) fn flood(&mut self, source: Tile, row: Option<&mut Vec<u8>>) {
        let (source, tiles) = (self.place(source), self.moves.len());
        self.costs.clear();
        self.costs.resize(tiles, INFINITY);
        self.doubtful.clear();
        self.push(Cost::ZERO, source);
        self.empty_buckets(&[]);
        let Some(row) = row else { return };
        let first = row.len();
        row.resize(first + tiles.div_ceil(2), NO_STEP << 4 | NO_STEP);
        self.begin_choosing();
        for i in 0..self.doubtful.len() {
            self.choose(self.doubtful[i], source, &[], &mut row[first..]);
        }
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
        self.empty_buckets(old);
    }

    /// Gives a place a cost that is to be spread, unless a lesser one follows.
    #[inline]
    fn push(&mut self, cost: Cost, place: u32) {
        self.costs[place as usize] = cost;
        let bucket = (cost.get() / STRAIGHT.get()) as usize;
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push((cost, place));
    }

    fn empty_buckets(&mut self, old: &[u8]) {
        let mut at = 0;
        while at < self.buckets.len() {
            let mut bucket = std::mem::take(&mut self.buckets[at]);
            for (cost, place) in bucket.drain(..) {
                if cost > self.costs[place as usize] {
                    continue;
                }
                self.doubtful.push(place);
                for bit in Bits(self.moves[place as usize]) {
                    let direction = Direction::from_bit(bit);
                    let (next, cost) = (self.next(place, direction), cost + direction.cost());
                    if cost < self.cost_at(next, old) {
                        self.push(cost, next);
                    }
                }
            }
            self.buckets[at] = bucket;
            at += 1;
        }
    }

    /// Puts the cost that a tile's neighbours give it into its bucket, if it is less.
    fn offer(&mut self, place: u32, old: &[u8]) {
        let mut least = INFINITY;
        for bit in Bits(self.moves[place as usize]) {
            let direction = Direction::from_bit(bit);
            let before = self.cost_at(self.next(place, direction), old);
            least = least.min(before + direction.cost());
        }
        if least < self.cost_at(place, old) {
            self.push(least, place);
        }
    }

    /// Chooses the next tile again wherever costs or steps around have changed.
    fn choose_ways(&mut self, source: u32, old: &[u8], row: &mut [u8]) {
        self.begin_choosing();
        for i in 0..self.doubtful.len() {
            let place = self.doubtful[i];
            self.choose(place, source, old, row);
            for bit in Bits(self.inside[place as usize]) {
                self.choose(self.next(place, Direction::from_bit(bit)), source, old, row);
            }
        }
    }

    fn begin_choosing(&mut self) {
        self.chosen.resize(self.moves.len().max(self.chosen.len()), 0);
        self.run = self.run.wrapping_add(1);
    }

    fn choose(&mut self, place: u32, source: u32, old: &[u8], row: &mut [u8]) {
        let last = std::mem::replace(&mut self.chosen[place as usize], self.run);
        if place == source || last == self.run {
            return;
        }
        let cost = self.cost_at(place, old);
        let legal = self.moves[place as usize];
        let mut ways = FIRST.into_iter().filter(|d| cost < INFINITY && legal & d.mask() != 0);
        let way = ways.find(|&d| self.cost_at(self.next(place, d), old) + d.cost() == cost);
        trees::set_step(row, place, way.map_or(NO_STEP, |d| d as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Movement;
    use crate::hpa::window::{SmallScratch, Window};
    use crate::rng::Rng;

    /// Costs and steps of a search, by place.
    fn searched(grid: &Grid, rect: Rect, source: Tile) -> (Vec<Cost>, Vec<u8>) {
        let (window, mut scratch) = (Window::new(grid, rect), SmallScratch::default());
        window.flood(source, &mut scratch, &mut ());
        let (mut costs, mut steps) = (Vec::new(), Vec::new());
        for y in rect.y0..rect.y1 {
            for x in rect.x0..rect.x1 {
                let node = window.node(Tile::new(x as u16, y as u16));
                costs.push(scratch.cost(node).unwrap_or(INFINITY));
                let back = scratch.parent(node).map(|p| window.tile(p));
                let delta = |a: u16, b: u32| i32::from(a) - b as i32;
                let step = back.and_then(|p| Direction::from_delta(delta(p.x, x), delta(p.y, y)));
                steps.push(step.map_or(NO_STEP, |d| d as u8));
            }
        }
        (costs, steps)
    }

    /// A flood, and what is made of it change after change, has the costs and the ways of a
    /// search.
    #[test]
    fn ways_are_those_of_a_search_before_and_after_changes() {
        let mut reflood = Reflood::default();
        let mut compared = 0;
        for seed in 0..900 {
            let mut rng = Rng::new(seed);
            let (width, height) = (2 + rng.below(30) as u32, 1 + rng.below(30) as u32);
            let walls = [0, 10, 25, 45][rng.below(4)];
            let movement = Movement::ALL[seed as usize % 3];
            let mut grid =
                Grid::from_fn(width, height, movement, |_, _| !rng.chance(walls)).unwrap();
            let x0 = rng.below(width as usize - 1) as u32;
            let x1 = x0 + 1 + rng.below((width - x0) as usize) as u32;
            let rect = Rect { x0, y0: 0, x1, y1: height };
            let tile = |rng: &mut Rng| {
                let x = x0 as usize + rng.below((x1 - x0) as usize);
                Tile::new(x as u16, rng.below(height as usize) as u16)
            };
            let source = tile(&mut rng);
            grid.set_free(source, true);
            let (mut row, mut old) = (Vec::new(), Vec::new());
            reflood.begin(&grid, rect, &[]);
            reflood.flood(source, Some(&mut row));
            for step in 0..8 {
                let (costs, steps) = searched(&grid, rect, source);
                let at = |i: usize| {
                    Tile::new((x0 + i as u32 % (x1 - x0)) as u16, (i as u32 / (x1 - x0)) as u16)
                };
                for i in 0..costs.len() {
                    let (found, way) = (reflood.cost(at(i), &old), trees::step(&row, i as u32));
                    assert_eq!(
                        (found, way),
                        (costs[i], steps[i]),
                        "seed {seed}, step {step}, {}\n{grid:?}",
                        at(i)
                    );
                    compared += 1;
                }
                let changed: Vec<Tile> = (0..1 + rng.below(5)).map(|_| tile(&mut rng)).collect();
                for &tile in changed.iter().filter(|&&tile| tile != source) {
                    grid.set_free(tile, rng.chance(50));
                }
                old.clone_from(&row);
                reflood.begin(&grid, rect, &changed);
                reflood.run(source, &old, &mut row);
            }
        }
        assert!(compared > 400_000, "{compared}");
    }
}
