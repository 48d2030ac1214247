//! Hallways: a corridor of even width becomes a zone of its own, with gates at both ends.
//!
//! In a corridor of even width the lakes from both sides meet somewhere in the middle, and
//! the gate stands there by chance. Such a gate is slid along the corridor both ways for
//! as long as the corridor keeps its width; if it is at least twice as long as wide, the
//! gate gives way to two, one where the corridor begins and one where it ends.

use super::gate::{GateLine, Source};
use super::straighten::{AXES, chord};
use super::{Decomposition, Place};
use crate::grid::{Direction, Grid, Tile};

/// A hallway is at least this many times as long as it is wide,
const LENGTH: u32 = 2;
/// and at least this long.
const SHORTEST: u32 = 6;

/// The lines with the gates inside hallways replaced by gates at their ends.
pub(super) fn at_both_ends(grid: &Grid, parts: &Decomposition) -> Vec<GateLine> {
    let mut out = Vec::new();
    for gate in parts.live_gates() {
        let line = gate.line();
        let along = axis(grid, line);
        let across = crosswise(along);
        let ends = [across, across.opposite()].map(|way| slide(grid, parts, line, along, way));
        let length = ends[0].1 + ends[1].1;
        let movable = line.source() == Source::Automatic && gate.separates();
        if movable && length >= (LENGTH * line.width()).max(SHORTEST) {
            out.extend(ends.map(|(end, _)| end));
        } else {
            out.push(line);
        }
    }
    let mut once: Vec<GateLine> = Vec::new();
    for line in out {
        if !once.contains(&line) {
            once.push(line);
        }
    }
    once
}

/// The direction of a line; for a single tile that in which walls are at both its sides.
fn axis(grid: &Grid, line: GateLine) -> Direction {
    if line.width() > 1 {
        return line.direction();
    }
    let narrow = |axis: &Direction| chord(grid, line.a(), *axis).width() == 1;
    AXES.into_iter().find(narrow).unwrap_or(Direction::E)
}

/// The direction at right angles to a line.
fn crosswise(along: Direction) -> Direction {
    let (dx, dy) = along.delta();
    Direction::from_delta(-dy, dx).unwrap_or(Direction::S)
}

/// Slides a line along its corridor: the last place where the corridor has kept its width,
/// and how many steps away that is. It stops short of other gates.
fn slide(
    grid: &Grid,
    parts: &Decomposition,
    line: GateLine,
    along: Direction,
    way: Direction,
) -> (GateLine, u32) {
    let slack = 1 + line.width() / 8;
    let (mut at, mut steps) = (line, 0);
    loop {
        let (dx, dy) = way.delta();
        let middle = at.middle();
        let (x, y) = (i32::from(middle.x) + dx, i32::from(middle.y) + dy);
        if !grid.is_free_at(x, y) {
            return (at, steps);
        }
        let next = chord(grid, Tile::new(x as u16, y as u16), along);
        let even = next.width().abs_diff(line.width()) <= slack;
        // The corridor may bend a little, but its sides must go on from step to step.
        let smooth =
            next.middle().x.abs_diff(x as u16).max(next.middle().y.abs_diff(y as u16)) <= 1;
        let own = |tile: Tile| {
            let place = grid.cell(tile).map(|cell| parts.place(cell));
            matches!(place, Some(Place::Zone(_))) || line.tiles().any(|t| t == tile)
        };
        if !even || !smooth || !next.tiles().all(own) {
            return (at, steps);
        }
        (at, steps) = (next, steps + 1);
    }
}
