//! From a route to the path: its turning points, or every tile.
//!
//! Tiles are written eight at a time: a run is rounded up to whole groups, and what
//! follows overwrites the rest. So writing has few branches, and the buffer a little
//! room at its end that is cut off again.

use super::Labels;
use super::query::{LabelRoute, LabelScratch};
use super::tree::{pack, unpack};
use crate::cost::Cost;
use crate::grid::{Movement, Tile};
use crate::path::Path;

/// How many tiles are written at once.
const GROUP: usize = 8;

impl Labels {
    /// Writes the turning points of a shortest path into `out` (start and goal
    /// included, one tile if they are the same) and returns its length. Between two
    /// neighbouring points the cost is that of an empty map. `None`, and nothing in
    /// `out`, where there is no path.
    pub fn turning_points(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut LabelScratch,
        out: &mut Vec<Tile>,
    ) -> Option<Cost> {
        out.clear();
        let (cost, route) = self.route(start, goal, scratch)?;
        out.push(start);
        if let LabelRoute::Hub { near, far } = route {
            self.corners_between(near, far, out);
        }
        if goal != start {
            out.push(goal);
        }
        Some(cost)
    }

    /// Appends the corners of a route by way of a hub.
    fn corners_between(&self, near: u32, far: u32, out: &mut Vec<Tile>) {
        self.trees.climb(near, |tile| out.push(tile));
        // The hub comes again at the end of the other climb.
        out.pop();
        let begin = out.len();
        self.trees.climb(far, |tile| out.push(tile));
        out[begin..].reverse();
    }

    /// Writes every tile of a shortest path into `path`, start and goal included, and
    /// returns its length. `None`, and an empty path, where there is no way.
    pub fn path(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut LabelScratch,
        path: &mut Path,
    ) -> Option<Cost> {
        path.clear();
        let (cost, route) = self.route(start, goal, scratch)?;
        // Only one order of steps was tested for a direct way: slanting first from the
        // upper tile. Other lines are free both ways.
        let slant_first = match route {
            LabelRoute::Direct => start.y <= goal.y,
            LabelRoute::Hub { .. } => true,
        };
        let turns = &mut scratch.turns;
        turns.clear();
        turns.push(start);
        if let LabelRoute::Hub { near, far } = route {
            self.corners_between(near, far, turns);
        }
        turns.push(goal);
        let four = self.movement == Movement::FourConnected;
        let reach = |leg: &[Tile]| {
            let (dx, dy) = (leg[0].x.abs_diff(leg[1].x), leg[0].y.abs_diff(leg[1].y));
            if four { usize::from(dx) + usize::from(dy) } else { usize::from(dx.max(dy)) }
        };
        let steps: usize = turns.windows(2).map(reach).sum();
        let tiles = path.tiles_mut();
        tiles.resize(steps + 1 + GROUP, start);
        let mut room = &mut tiles[1..];
        for leg in turns.windows(2) {
            room = if four {
                walk_four(room, leg[0], leg[1], slant_first)
            } else {
                walk(room, leg[0], leg[1], slant_first)
            };
        }
        tiles.truncate(steps + 1);
        Some(cost)
    }
}

/// One step in a direction, as what it adds to a packed tile: packed tiles are numbers
/// (row times 65,536 plus column), so steps add up without looking at the parts.
#[inline]
fn step(dx: i32, dy: i32) -> u32 {
    (dy.signum() * (1 << 16) + dx.signum()) as u32
}

/// Writes the tiles after `from` up to `to`; returns the room behind them.
#[inline]
fn walk(room: &mut [Tile], from: Tile, to: Tile, slant_first: bool) -> &mut [Tile] {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let (ax, ay) = (dx.unsigned_abs(), dy.unsigned_abs());
    let slant = (step(dx, dy), ax.min(ay));
    let straight = if ax > ay { step(dx, 0) } else { step(0, dy) };
    let straight = (straight, ax.abs_diff(ay));
    let (first, second) = if slant_first { (slant, straight) } else { (straight, slant) };
    two_runs(room, from, first, second)
}

/// The same without diagonal steps: along the column first, or along the row.
#[inline]
fn walk_four(room: &mut [Tile], from: Tile, to: Tile, column_first: bool) -> &mut [Tile] {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let column = (step(0, dy), dy.unsigned_abs());
    let row = (step(dx, 0), dx.unsigned_abs());
    let (first, second) = if column_first { (column, row) } else { (row, column) };
    two_runs(room, from, first, second)
}

/// Writes two runs, each so many of a step; returns the room behind them.
#[inline]
fn two_runs(room: &mut [Tile], from: Tile, first: (u32, u32), second: (u32, u32)) -> &mut [Tile] {
    let from = pack(from);
    let middle = from.wrapping_add(first.0.wrapping_mul(first.1));
    let room = run(room, from, first);
    run(room, middle, second)
}

/// Writes `count` tiles after the packed tile `from`; returns the room behind them.
#[inline]
fn run(room: &mut [Tile], from: u32, (step, count): (u32, u32)) -> &mut [Tile] {
    let mut at = from;
    let mut left = count as usize;
    let mut rest = &mut room[..];
    while let Some((group, behind)) = rest.split_first_chunk_mut::<GROUP>() {
        for n in 0..GROUP {
            group[n] = unpack(at.wrapping_add(step.wrapping_mul(n as u32 + 1)));
        }
        if left <= GROUP {
            break;
        }
        at = at.wrapping_add(step.wrapping_mul(GROUP as u32));
        left -= GROUP;
        rest = behind;
    }
    room.get_mut(count as usize..).unwrap_or(&mut [])
}
