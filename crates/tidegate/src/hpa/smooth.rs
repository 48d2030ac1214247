//! Making a path shorter after the fact: never longer, never over an illegal step.

use super::lines;
use super::plan::{Halt, Work};
use super::shape::Rect;
use super::window::Window;
use crate::cost::Cost;
use crate::grid::{Grid, Tile};
use crate::search::NodesToCells;
use crate::search::{End, Observer};

/// How a refined path is shortened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// Not at all.
    Off,
    /// The paper's way: from every tile, the furthest later tile of the path that lies in
    /// one of the eight directions with a free straight line to it.
    Lines {
        /// How many tiles ahead to look; any number beyond the path's length is all of it.
        reach: u32,
    },
    /// Where the path bends and a shorter way is thinkable, a small search over the tiles
    /// around the bend. Slower than lines and no better on uniform ground, but better on
    /// variable terrain, where the best way is seldom a straight line.
    Windows {
        /// How many tiles before and after a bend are searched again together.
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
            Smoothing::Lines { reach } => {
                lines::shorten(grid, tiles, reach as usize, work, observer)?;
            }
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
pub(crate) fn step_cost(grid: &Grid, a: Tile, b: Tile) -> Cost {
    let base = if a.x != b.x && a.y != b.y { crate::cost::DIAGONAL } else { crate::cost::STRAIGHT };
    match (grid.factors(), grid.cell(a), grid.cell(b)) {
        (Some(factors), Some(a), Some(b)) => factors[a.index()].step(factors[b.index()], base),
        _ => base,
    }
}

fn cost_of(grid: &Grid, tiles: &[Tile]) -> Cost {
    tiles.windows(2).map(|w| step_cost(grid, w[0], w[1])).sum()
}

/// Searches again around every bend that may be too long. A stretch that costs no more
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
        let (mut end, mut cost) = (from, Cost::ZERO);
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
        let last = end.saturating_add(reach).min(tiles.len() - 1);
        let stretch = &tiles[first..=last];
        let old = cost_of(grid, stretch);
        let one = |&t: &Tile| Rect::around(t, t);
        let rect = stretch.iter().map(one).reduce(|a, b| a.joined(&b));
        let Some(rect) = rect.map(|rect| rect.grown(margin, grid)) else { return Ok(()) };
        let window = Window::new(grid, rect);
        let mut lens = NodesToCells { inner: &mut *observer, cell: |n| window.cell(n) };
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
