//! Making a path shorter after the fact: never longer, never over an illegal step.

use super::plan::{Halt, Work};
use super::shape::Rect;
use super::stats::Lens;
use super::window::Window;
use crate::cost::Cost;
use crate::grid::{Direction, Grid, Tile};
use crate::search::{End, Observer};

/// How a refined path is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// Not at all.
    Off,
    /// The paper's way: from every tile, the furthest later tile of the path that lies in
    /// one of the eight directions with a free straight line to it.
    Lines {
        /// How many tiles ahead to look.
        reach: u32,
    },
    /// Where the path bends and a shorter way is thinkable, a small search over the tiles
    /// around the bend. Slower than lines and no better on uniform ground, but better on
    /// variable terrain, where the best way is seldom a straight line.
    Windows {
        /// How many tiles before and after a bend are searched anew together.
        reach: u32,
        /// How many tiles beyond the path's own the search may stray.
        margin: u32,
    },
}

impl Smoothing {
    /// Shortens a path in place and returns its cost.
    pub(crate) fn apply(
        self,
        grid: &Grid,
        tiles: &mut Vec<Tile>,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<Cost, Halt> {
        match self {
            Smoothing::Off => {}
            Smoothing::Lines { reach } => lines(grid, tiles, reach as usize),
            Smoothing::Windows { reach, margin } => {
                let reach = reach.max(2) as usize;
                windows(grid, tiles, reach, margin, work, observer)?;
            }
        }
        Ok(cost_of(grid, tiles))
    }
}

/// The cost of a step between neighbouring tiles.
#[inline]
fn step_cost(grid: &Grid, a: Tile, b: Tile) -> Cost {
    let base = if a.x != b.x && a.y != b.y { crate::cost::DIAGONAL } else { crate::cost::STRAIGHT };
    match (grid.factors(), grid.cell(a), grid.cell(b)) {
        (Some(factors), Some(a), Some(b)) => factors[a.index()].step(factors[b.index()], base),
        _ => base,
    }
}

fn cost_of(grid: &Grid, tiles: &[Tile]) -> Cost {
    tiles.windows(2).map(|w| step_cost(grid, w[0], w[1])).sum()
}

/// Searches anew around every bend that may be too long. A stretch that costs no more
/// than the estimate between its ends cannot be shortened and is passed over.
fn windows(
    grid: &Grid,
    tiles: &mut Vec<Tile>,
    reach: usize,
    margin: u32,
    work: &mut Work,
    observer: &mut (impl Observer<Cost> + ?Sized),
) -> Result<(), Halt> {
    let movement = grid.movement();
    let mut from = 0;
    loop {
        let (mut end, mut cost) = (from, 0);
        while end + 1 < tiles.len() {
            let next = cost + step_cost(grid, tiles[end], tiles[end + 1]);
            if next > movement.estimate(tiles[from], tiles[end + 1]) {
                break;
            }
            (end, cost) = (end + 1, next);
        }
        if end + 1 >= tiles.len() {
            return Ok(());
        }
        let first = from.max(end.saturating_sub(reach));
        let last = (end + reach).min(tiles.len() - 1);
        let stretch = &tiles[first..=last];
        let old = cost_of(grid, stretch);
        let one = |&t: &Tile| Rect::around(t, t);
        let rect = stretch.iter().map(one).reduce(|a, b| a.joined(&b));
        let Some(rect) = rect.map(|rect| rect.grown(margin, grid)) else { return Ok(()) };
        let window = Window::new(grid, rect);
        let mut lens = Lens { inner: &mut *observer, cell: |n| window.cell(n) };
        let (found, stats) = window.find(tiles[first], tiles[last], &mut work.tiles, &mut lens);
        work.effort.smoothing += stats;
        let mut length = last - first;
        match found {
            End::Goal(node, new) if new < old => {
                work.way.clear();
                work.way.extend(work.tiles.way_back(node).map(|n| window.tile(n)));
                length = work.way.len() - 1;
                tiles.splice(first..=last, work.way.drain(..).rev());
            }
            End::Stopped => return Err(Halt::Stopped),
            _ => {}
        }
        from = first + (length / 2).max(1);
    }
}

/// The paper's smoothing. Three things make it fast without changing what it finds: a
/// stretch that costs no more than the estimate cannot be shortened and is passed over; a
/// tile far from all eight lines cannot be followed soon by one that lies on them; and a
/// line that is blocked for one tile is blocked for those behind it.
fn lines(grid: &Grid, tiles: &mut Vec<Tile>, reach: usize) {
    let movement = grid.movement();
    // The stretch from `from` to `end` is known to be as short as can be; its cost.
    let (mut from, mut end, mut tight) = (0, 0, 0);
    while end + 1 < tiles.len() {
        let next = tight + step_cost(grid, tiles[end], tiles[end + 1]);
        if next == movement.estimate(tiles[from], tiles[end + 1]) {
            (end, tight) = (end + 1, next);
            continue;
        }
        let mut to = from.saturating_add(reach).min(tiles.len() - 1);
        let (mut changed, mut clear) = (false, [usize::MAX; 8]);
        while !changed && to > end {
            let leap = off_line(tiles[from], tiles[to]);
            changed = leap == 0 && straighten(grid, tiles, from, to, &mut clear);
            to = to.saturating_sub(leap.max(1));
        }
        from += 1;
        if changed || end < from {
            (end, tight) = (from, 0);
        } else {
            tight -= step_cost(grid, tiles[from - 1], tiles[from]);
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

/// Replaces a stretch by the straight line between its ends if that is free and cheaper.
/// `clear` says how many steps in each direction from the first tile may be legal.
fn straighten(
    grid: &Grid,
    tiles: &mut Vec<Tile>,
    from: usize,
    to: usize,
    clear: &mut [usize; 8],
) -> bool {
    if tiles[from] == tiles[to] {
        // The path comes back to where it was.
        tiles.drain(from..to);
        return true;
    }
    let Some((direction, count)) = in_line(tiles[from], tiles[to]) else { return false };
    let clear = &mut clear[direction as usize];
    if count > *clear {
        return false;
    }
    let new = match line_cost(grid, tiles[from], direction, count) {
        Ok(new) => new,
        Err(steps) => {
            *clear = steps;
            return false;
        }
    };
    if new >= cost_of(grid, &tiles[from..=to]) {
        return false;
    }
    let ((dx, dy), start) = (direction.delta(), tiles[from]);
    let at = move |i: usize| {
        let (x, y) = (i32::from(start.x), i32::from(start.y));
        Tile::new((x + dx * i as i32) as u16, (y + dy * i as i32) as u16)
    };
    tiles.splice(from + 1..to, (1..count).map(at));
    true
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
    let (Some(mut cell), mut cost) = (grid.cell(from), 0) else { return Err(0) };
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
