//! Writing out the tiles of a path from its turning points.
//!
//! Tiles are written eight at a time: a run is rounded up to whole groups, and what
//! follows overwrites the rest. So writing has few branches, and the buffer a little
//! space at its end that is cut off again.

use crate::grid::{Movement, Tile};
use crate::path::Path;

/// How many tiles are written at once.
const GROUP: usize = 8;

/// A tile as a word without mark.
#[inline]
pub(crate) const fn pack(tile: Tile) -> u32 {
    (tile.y as u32) << 16 | tile.x as u32
}

/// The tile in a word.
#[inline]
pub(crate) const fn unpack(word: u32) -> Tile {
    Tile::new(word as u16, (word >> 16) as u16)
}

/// Writes every tile of the legs between turning points, at least one, into `path`. Each
/// leg goes with its diagonal steps first, or last (without diagonal steps: along the
/// column first, or last).
pub(crate) fn write_legs(movement: Movement, turns: &[Tile], slant_first: bool, path: &mut Path) {
    let Some(&start) = turns.first() else { return };
    let four = movement == Movement::FourConnected;
    let reach = |leg: &[Tile]| {
        let (dx, dy) = (leg[0].x.abs_diff(leg[1].x), leg[0].y.abs_diff(leg[1].y));
        if four { usize::from(dx) + usize::from(dy) } else { usize::from(dx.max(dy)) }
    };
    let steps: usize = turns.windows(2).map(reach).sum();
    let tiles = path.tiles_mut();
    tiles.resize(steps + 1 + GROUP, start);
    let mut space = &mut tiles[1..];
    for leg in turns.windows(2) {
        space = if four {
            walk_four(space, leg[0], leg[1], slant_first)
        } else {
            walk(space, leg[0], leg[1], slant_first)
        };
    }
    tiles.truncate(steps + 1);
}

/// One step in a direction, as what it adds to a packed tile: packed tiles are numbers
/// (row times 65,536 plus column), so steps add up without looking at the parts.
#[inline]
fn step(dx: i32, dy: i32) -> u32 {
    (dy.signum() * (1 << 16) + dx.signum()) as u32
}

/// Writes the tiles after `from` up to `to`; returns the space behind them.
#[inline]
fn walk(space: &mut [Tile], from: Tile, to: Tile, slant_first: bool) -> &mut [Tile] {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let (ax, ay) = (dx.unsigned_abs(), dy.unsigned_abs());
    let slant = (step(dx, dy), ax.min(ay));
    let straight = if ax > ay { step(dx, 0) } else { step(0, dy) };
    let straight = (straight, ax.abs_diff(ay));
    let (first, second) = if slant_first { (slant, straight) } else { (straight, slant) };
    two_runs(space, from, first, second)
}

/// The same without diagonal steps: along the column first, or along the row.
#[inline]
fn walk_four(space: &mut [Tile], from: Tile, to: Tile, column_first: bool) -> &mut [Tile] {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let column = (step(0, dy), dy.unsigned_abs());
    let row = (step(dx, 0), dx.unsigned_abs());
    let (first, second) = if column_first { (column, row) } else { (row, column) };
    two_runs(space, from, first, second)
}

/// Writes two runs, each so many of a step; returns the space behind them.
#[inline]
fn two_runs(space: &mut [Tile], from: Tile, first: (u32, u32), second: (u32, u32)) -> &mut [Tile] {
    let from = pack(from);
    let middle = from.wrapping_add(first.0.wrapping_mul(first.1));
    let space = run(space, from, first);
    run(space, middle, second)
}

/// Writes `count` tiles after the packed tile `from`; returns the space behind them.
#[inline]
fn run(space: &mut [Tile], from: u32, (step, count): (u32, u32)) -> &mut [Tile] {
    let mut at = from;
    let mut left = count as usize;
    let mut rest = &mut space[..];
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
    space.get_mut(count as usize..).unwrap_or(&mut [])
}
