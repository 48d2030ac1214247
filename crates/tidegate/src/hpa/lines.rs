//! Shortening a path by straight lines, as the paper does: from every tile to the
//! furthest later tile of the path that a straight line of legal steps leads to.
//!
//! The rest of the path is kept last tile first, so that a change at its front moves
//! nothing behind it. A stretch that costs no more than the estimate cannot be shortened
//! and is passed over. For the others there are two ways to look, and they see the same:
//!
//! - tile by tile along the path, up to the reach. A tile far from all eight lines cannot
//!   be followed soon by one that lies on them, and a line that is blocked for one tile
//!   is blocked for those behind it.
//! - along the eight lines, with a table that says where on the path a tile is. On uniform
//!   ground what was seen along a line holds for all tiles of it, so that the work stays
//!   near-linear in the length of the path however far the reach is.

use super::plan::{Halt, Work};
use crate::cost::Cost;
use crate::grid::{CellId, Direction, Grid, Tile};
use crate::search::Observer;

use super::smooth::step_cost;

/// Up to this reach the look along the path is the quicker one, and needs no table.
const NEAR: usize = 256;

/// The memory of smoothing by lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineMemory {
    /// By place on the path, counted from its end: the cost from there to the end.
    costs: Vec<Cost>,
    /// By cell: a place of the path there. It may be out of date and is checked before
    /// it is believed, so nothing has to be cleared.
    place: Vec<u32>,
}

impl LineMemory {
    pub(crate) fn bytes(&self) -> usize {
        (self.costs.capacity() + self.place.capacity()) * 4
    }
}

/// Shortens a path in place.
pub(crate) fn shorten(
    grid: &Grid,
    tiles: &mut Vec<Tile>,
    reach: usize,
    work: &mut Work,
    observer: &mut (impl Observer<Cost> + ?Sized),
) -> Result<(), Halt> {
    let far = tiles.len() > NEAR && reach >= tiles.len();
    shorten_by(grid, tiles, reach, far, work, observer)
}

/// Shortens a path, looking along the lines (`far`) or along the path.
fn shorten_by(
    grid: &Grid,
    tiles: &mut Vec<Tile>,
    reach: usize,
    far: bool,
    work: &mut Work,
    observer: &mut (impl Observer<Cost> + ?Sized),
) -> Result<(), Halt> {
    let mut memory = std::mem::take(&mut work.lines);
    let mut done = std::mem::take(&mut work.way);
    done.clear();
    tiles.reverse();
    let mut rest = Rest { grid, tiles, memory: &mut memory, lanes: [None; 4], looked: 0 };
    rest.begin(far);
    let ended = rest.shorten(reach, far, &mut done, work, observer);
    done.extend(tiles.iter().rev());
    std::mem::swap(tiles, &mut done);
    (work.lines, work.way) = (memory, done);
    ended
}

/// What is still to be looked at. Places are counted from the path's end.
struct Rest<'a> {
    grid: &'a Grid,
    /// The tiles by place; the last one is where smoothing stands.
    tiles: &'a mut Vec<Tile>,
    memory: &'a mut LineMemory,
    /// What was seen along the lines through a tile, by kind of line.
    lanes: [Option<Lane>; 4],
    /// Tiles looked at and not charged yet.
    looked: usize,
}

/// A longest straight line of legal steps.
#[derive(Clone, Copy, Debug)]
struct Lane {
    line: i32,
    from: i32,
    to: i32,
    /// The place nearest to the path's end that lies on it.
    best: usize,
}

/// The kinds of lines, by their two directions.
const LANES: [[Direction; 2]; 4] = [
    [Direction::E, Direction::W],
    [Direction::S, Direction::N],
    [Direction::SE, Direction::NW],
    [Direction::NE, Direction::SW],
];

impl Rest<'_> {
    fn begin(&mut self, far: bool) {
        let LineMemory { costs, place } = &mut *self.memory;
        costs.clear();
        costs.push(Cost::ZERO);
        for pair in self.tiles.windows(2) {
            costs.push(costs[costs.len() - 1] + step_cost(self.grid, pair[1], pair[0]));
        }
        if far {
            place.resize(place.len().max(self.grid.tiles()), 0);
            // From the front to the end: of several places in one tile the last is kept.
            for (at, cell) in self.tiles.iter().map(|&t| self.grid.cell(t)).enumerate().rev() {
                if let Some(cell) = cell {
                    place[cell.index()] = at as u32;
                }
            }
        }
    }

    fn shorten(
        &mut self,
        reach: usize,
        far: bool,
        done: &mut Vec<Tile>,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let movement = self.grid.movement();
        // From here to `end` the path is known to be as short as can be.
        let mut end = self.here();
        while end > 0 {
            let here = self.here();
            let (a, b) = (self.tiles[here], self.tiles[end - 1]);
            if self.memory.costs[here] - self.memory.costs[end - 1] == movement.estimate(a, b) {
                end -= 1;
                continue;
            }
            let to = if far { self.along_lines(end) } else { self.along_path(reach, end) };
            if let Some(to) = to {
                self.straighten(to, far);
            }
            work.look(std::mem::take(&mut self.looked), observer)?;
            if self.here() == 0 {
                break;
            }
            done.extend(self.tiles.pop());
            self.memory.costs.pop();
            if to.is_some() || end > self.here() {
                end = self.here();
            }
        }
        Ok(())
    }

    /// The place where smoothing stands.
    fn here(&self) -> usize {
        self.tiles.len() - 1
    }

    /// The furthest place beyond `end` to go straight to, looked for on the path.
    fn along_path(&mut self, reach: usize, end: usize) -> Option<usize> {
        let here = self.here();
        let (mut to, mut clear) = (here.saturating_sub(reach), [usize::MAX; 8]);
        while to < end {
            let leap = off_line(self.tiles[here], self.tiles[to]);
            self.looked += 1;
            if leap == 0 && self.is_shorter(to, &mut clear) {
                return Some(to);
            }
            to += leap.max(1);
        }
        None
    }

    /// Whether the straight line to a place is free and cheaper. `clear` says how many
    /// steps in each direction may be legal.
    fn is_shorter(&mut self, to: usize, clear: &mut [usize; 8]) -> bool {
        let here = self.here();
        if self.tiles[here] == self.tiles[to] {
            return true;
        }
        let Some((direction, count)) = in_line(self.tiles[here], self.tiles[to]) else {
            return false;
        };
        let clear = &mut clear[direction as usize];
        if count > *clear {
            return false;
        }
        match line_cost(self.grid, self.tiles[here], direction, count) {
            Ok(cost) => {
                self.looked += count;
                cost < self.memory.costs[here] - self.memory.costs[to]
            }
            Err(steps) => {
                self.looked += steps;
                *clear = steps;
                false
            }
        }
    }

    /// The same, looked for along the eight lines.
    fn along_lines(&mut self, end: usize) -> Option<usize> {
        let tile = self.tiles[self.here()];
        let cell = self.grid.cell(tile)?;
        let again = self.place(cell, tile);
        let best = if self.grid.factors().is_none() {
            // A line of legal steps costs the estimate: all beyond `end` is dearer.
            (0..4).map(|kind| self.lane(kind, tile, cell)).min()
        } else {
            Direction::ALL.into_iter().filter_map(|d| self.ray(d, tile, cell, end)).min()
        };
        best.into_iter().chain(again).min().filter(|&to| to < end)
    }

    /// The place nearest to the path's end on the line of this kind through a tile.
    fn lane(&mut self, kind: usize, tile: Tile, cell: CellId) -> usize {
        let (x, y) = (i32::from(tile.x), i32::from(tile.y));
        let (line, at) = [(y, x), (x, y), (x - y, x), (x + y, x)][kind];
        if let Some(lane) = self.lanes[kind]
            && lane.line == line
            && (lane.from..=lane.to).contains(&at)
        {
            return lane.best;
        }
        let mut lane = Lane { line, from: at, to: at, best: usize::MAX };
        let [forward, backward] = LANES[kind];
        lane.to += self.walk(forward, tile, cell, |place, _| lane.best = lane.best.min(place));
        lane.from -= self.walk(backward, tile, cell, |place, _| lane.best = lane.best.min(place));
        self.lanes[kind] = Some(lane);
        lane.best
    }

    /// On ground of several costs: the furthest place in this direction that is cheaper
    /// to go straight to.
    fn ray(&mut self, d: Direction, tile: Tile, cell: CellId, end: usize) -> Option<usize> {
        let (mut best, costs) = (None, std::mem::take(&mut self.memory.costs));
        let here = self.here();
        self.walk(d, tile, cell, |place, cost| {
            if place < best.unwrap_or(end) && cost < costs[here] - costs[place] {
                best = Some(place);
            }
        });
        self.memory.costs = costs;
        best
    }

    /// Takes all legal steps in a direction, says where the path is met and what the way
    /// there costs, and counts the steps.
    fn walk(
        &mut self,
        direction: Direction,
        mut tile: Tile,
        mut cell: CellId,
        mut meet: impl FnMut(usize, Cost),
    ) -> i32 {
        let ((dx, dy), mut steps, mut cost) = (direction.delta(), 0, Cost::ZERO);
        while self.grid.moves(cell) & direction.mask() != 0 {
            let next = self.grid.step(cell, direction);
            cost += self.grid.step_cost(cell, next, direction);
            let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
            (tile, cell, steps) = (Tile::new(x as u16, y as u16), next, steps + 1);
            if let Some(place) = self.place(cell, tile) {
                meet(place, cost);
            }
        }
        self.looked += 1 + steps as usize;
        steps
    }

    /// Where the rest of the path is in this tile.
    fn place(&self, cell: CellId, tile: Tile) -> Option<usize> {
        let place = self.memory.place[cell.index()] as usize;
        (self.tiles.get(place) == Some(&tile)).then_some(place)
    }

    /// Replaces what lies between here and a place by the straight line.
    fn straighten(&mut self, to: usize, far: bool) {
        let (here, start) = (self.here(), self.tiles[self.here()]);
        self.looked += here - to;
        self.lanes = [None; 4];
        let line = in_line(start, self.tiles[to]);
        self.tiles.truncate(to + 1);
        self.memory.costs.truncate(to + 1);
        // The path comes back to where it was: nothing is between.
        let Some((direction, count)) = line else { return };
        let (dx, dy) = direction.delta();
        for i in (0..count as i32).rev() {
            let (x, y) = (i32::from(start.x) + dx * i, i32::from(start.y) + dy * i);
            let tile = Tile::new(x as u16, y as u16);
            let (last, cost) = (self.tiles.len() - 1, self.memory.costs[self.tiles.len() - 1]);
            self.memory.costs.push(cost + step_cost(self.grid, tile, self.tiles[last]));
            if let Some(cell) = self.grid.cell(tile).filter(|_| far)
                && self.place(cell, tile).is_none()
            {
                self.memory.place[cell.index()] = last as u32 + 1;
            }
            self.tiles.push(tile);
        }
    }
}

/// How many tiles a path must at least go on from `b` to reach one of the eight lines
/// through `a`; 0 if `b` lies on one.
#[inline]
fn off_line(a: Tile, b: Tile) -> usize {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    // A step changes a difference by one, and the two together by two.
    dx.min(dy).min(dx.abs_diff(dy).div_ceil(2)).into()
}

/// The direction and number of steps from one tile to another in one of eight lines.
fn in_line(a: Tile, b: Tile) -> Option<(Direction, usize)> {
    let (dx, dy) = (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
    if dx != 0 && dy != 0 && dx.abs() != dy.abs() {
        return None;
    }
    let direction = Direction::from_delta(dx.signum(), dy.signum())?;
    Some((direction, dx.abs().max(dy.abs()) as usize))
}

/// What a straight line of legal steps costs; else how many of the steps are legal.
fn line_cost(grid: &Grid, from: Tile, direction: Direction, count: usize) -> Result<Cost, usize> {
    let (Some(mut cell), mut cost) = (grid.cell(from), Cost::ZERO) else { return Err(0) };
    for step in 0..count {
        if grid.moves(cell) & direction.mask() == 0 {
            return Err(step);
        }
        let next = grid.step(cell, direction);
        cost += grid.step_cost(cell, next, direction);
        cell = next;
    }
    Ok(cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Factor;
    use crate::grid::Movement;
    use crate::path::Path;
    use crate::rng::Rng;

    /// A walk that takes its time and crosses itself.
    fn wandering(grid: &Grid, steps: usize, rng: &mut Rng) -> Vec<Tile> {
        let Some(mut cell) = grid.free_cells().nth(rng.below(20)) else { return Vec::new() };
        let (mut tiles, mut direction) = (vec![grid.tile(cell)], Direction::E);
        for _ in 0..steps {
            if rng.chance(30) || grid.moves(cell) & direction.mask() == 0 {
                direction = Direction::ALL[rng.below(8)];
            }
            if grid.moves(cell) & direction.mask() != 0 {
                cell = grid.step(cell, direction);
                tiles.push(grid.tile(cell));
            }
        }
        tiles
    }

    #[test]
    fn both_ways_to_look_shorten_a_path_alike() {
        let (mut work, mut shorter) = (Work::default(), 0);
        for seed in 0..600 {
            let mut rng = Rng::new(seed);
            let (movement, walls) = (Movement::ALL[seed as usize % 3], rng.below(40) as u32);
            let free = |_, _| !rng.chance(walls);
            let mut grid = Grid::from_fn(30, 20, movement, free).unwrap();
            if seed % 4 == 0 {
                let deep = Factor::from_hundredths(300).unwrap();
                let factor = |_| if rng.chance(30) { deep } else { Factor::ONE };
                grid = grid.with_factors((0..600).map(factor).collect());
            }
            let path = wandering(&grid, 30 + rng.below(400), &mut rng);
            if path.is_empty() {
                continue;
            }
            let shortened = [false, true].map(|far| {
                let mut tiles = path.clone();
                shorten_by(&grid, &mut tiles, usize::MAX, far, &mut work, &mut ()).unwrap();
                Path::from_tiles(tiles)
            });
            assert_eq!(shortened[0], shortened[1], "seed {seed}\n{grid:?}");
            let before = Path::from_tiles(path).check(&grid).unwrap();
            let after = shortened[0].check(&grid).unwrap();
            assert!(after <= before, "seed {seed}");
            shorter += u32::from(after < before);
        }
        assert!(shorter > 400, "{shorter}");
    }
}
