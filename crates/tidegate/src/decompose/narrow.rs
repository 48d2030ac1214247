//! Gates moved to the narrowest line nearby.
//!
//! Water meets where it meets: a gate may stand a few tiles beside the narrowest place, or
//! aslant. So every automatic gate between two zones is compared with the lines from wall to
//! wall around it: those that lie within [`NEAR`] steps of the gate, on its own ground and that
//! of its two zones, and part the same ground. The shortest takes its place; of nearly equal
//! ones the nearest.
//!
//! Whether a line parts the same ground is seen in a window around the gate. What lies beyond
//! the window, and other gates at its rim, belong to one zone or the other; a line is good if
//! no way inside the window leads from the one's to the other's without touching it.

use std::collections::VecDeque;

use super::gate::{GateLine, Source, flanks};
use super::straighten::AXES;
use super::{Decomposition, Gate, Place};
use crate::grid::{CellId, Direction, Grid, Tile};

/// How many steps away from a gate a line may lie.
const NEAR: u32 = 12;
/// A gate moves only if it becomes shorter by so many tiles.
const GAIN: f64 = 0.9;
/// What moving a gate by a tile must gain in length.
const TILE: f64 = 0.05;

/// The lines of a decomposition with each gate at the narrowest line nearby, in their order.
pub(super) fn at_narrowest_lines(grid: &Grid, parts: &Decomposition) -> Vec<GateLine> {
    let mut window = Window { grid, parts, number: vec![0; grid.tiles()], tiles: Vec::new() };
    parts.live_gates().map(|gate| window.narrowest(gate).unwrap_or(gate.line)).collect()
}

/// The ground around a gate.
struct Window<'a> {
    grid: &'a Grid,
    parts: &'a Decomposition,
    /// By tile of the map: its position in the window plus one; 0 outside.
    number: Vec<u32>,
    tiles: Vec<WindowTile>,
}

struct WindowTile {
    cell: CellId,
    /// Steps from the gate.
    steps: u32,
    /// 0 and 1 for the zones of the gate, 2 for the gate itself.
    side: u8,
    /// Whether it is joined to ground of its zone outside, or to another gate.
    is_rim: bool,
}

impl Window<'_> {
    /// The line to which a gate should move.
    fn narrowest(&mut self, gate: &Gate) -> Option<GateLine> {
        let line = gate.line;
        let is_plain = gate.zones.len() == 2 && gate.gates.is_empty();
        if line.source() == Source::Manual || !is_plain || line.span() <= 1.0 {
            return None;
        }
        self.open(gate);
        let middle = line.middle();
        let cost = |line: &GateLine| line.span() + TILE * between(line.middle(), middle);
        let mut lines: Vec<(f64, GateLine)> = Vec::new();
        let longest = line.span() - GAIN;
        for tile in &self.tiles {
            let start = self.grid.tile(tile.cell);
            let found = AXES.into_iter().filter_map(|axis| self.line_from(start, axis, longest));
            lines.extend(found.map(|line| (cost(&line), line)));
        }
        lines.retain(|(cost, _)| *cost <= longest);
        let ends = |line: &GateLine| (line.a, line.b);
        lines.sort_by(|(c, p), (d, q)| c.total_cmp(d).then_with(|| ends(p).cmp(&ends(q))));
        let best = lines.into_iter().map(|(_, line)| line).find(|line| self.is_parted_by(line));
        self.close();
        best
    }

    /// Fills the window around a gate.
    fn open(&mut self, gate: &Gate) {
        let mut queue: VecDeque<CellId> = VecDeque::new();
        for &cell in &gate.tiles {
            self.take(cell, 0, 2);
            queue.push_back(cell);
        }
        while let Some(cell) = queue.pop_front() {
            let at = self.number[cell.index()] as usize - 1;
            let steps = self.tiles[at].steps;
            for (next, _) in self.grid.neighbours(cell) {
                let side = match self.parts.place(next) {
                    Place::Zone(zone) => gate.zones.iter().position(|&z| z == zone),
                    _ => None,
                };
                let is_own = side.is_some() || self.number[next.index()] != 0;
                if !is_own || (self.number[next.index()] == 0 && steps > NEAR) {
                    self.tiles[at].is_rim = true;
                } else if self.number[next.index()] == 0 {
                    self.take(next, steps + 1, side.unwrap_or(2) as u8);
                    queue.push_back(next);
                }
            }
        }
        // A zone that lies in the window as a whole is where its farthest tile is.
        for side in 0..2 {
            if !self.tiles.iter().any(|tile| tile.side == side && tile.is_rim)
                && let Some(last) = self.tiles.iter_mut().rev().find(|tile| tile.side == side)
            {
                last.is_rim = true;
            }
        }
    }

    fn take(&mut self, cell: CellId, steps: u32, side: u8) {
        self.tiles.push(WindowTile { cell, steps, side, is_rim: false });
        self.number[cell.index()] = self.tiles.len() as u32;
    }

    fn close(&mut self) {
        for tile in self.tiles.drain(..) {
            self.number[tile.cell.index()] = 0;
        }
    }

    /// The tile of the window at a place of the map.
    fn tile(&self, tile: Tile) -> Option<&WindowTile> {
        let number = self.number[self.grid.cell(tile)?.index()] as usize;
        self.tiles.get(number.wrapping_sub(1))
    }

    /// The line that begins at a wall beside this tile and goes on to the next wall, if it stays
    /// in the window, off its rim, and is not too long.
    fn line_from(&self, start: Tile, axis: Direction, longest: f64) -> Option<GateLine> {
        if onward(self.grid, start, axis.opposite()).is_some() {
            return None;
        }
        let mut end = start;
        loop {
            let here = self.tile(end)?;
            let line = GateLine::new(start, end, Source::Automatic);
            if here.is_rim || here.steps > NEAR || line.span() > longest {
                return None;
            }
            match onward(self.grid, end, axis) {
                Some(next) => end = next,
                None => return Some(line),
            }
        }
    }

    /// Whether no way in the window leads from the rim of one zone to that of the other.
    fn is_parted_by(&self, line: &GateLine) -> bool {
        let mut seen = vec![false; self.tiles.len()];
        let mut stack: Vec<usize> = Vec::new();
        for (i, tile) in self.tiles.iter().enumerate() {
            if tile.is_rim && tile.side != 1 {
                seen[i] = true;
                stack.push(i);
            }
        }
        while let Some(at) = stack.pop() {
            let from = self.grid.tile(self.tiles[at].cell);
            for (next, _) in self.grid.neighbours(self.tiles[at].cell) {
                let Some(i) = (self.number[next.index()] as usize).checked_sub(1) else { continue };
                let to = self.grid.tile(next);
                if seen[i] || line.contains(to) || is_crossed(self.grid, line, from, to) {
                    continue;
                }
                if self.tiles[i].is_rim && self.tiles[i].side == 1 {
                    return false;
                }
                seen[i] = true;
                stack.push(i);
            }
        }
        true
    }
}

/// The next tile of a line, unless a wall is in the way or beside a diagonal.
fn onward(grid: &Grid, tile: Tile, direction: Direction) -> Option<Tile> {
    let (dx, dy) = direction.delta();
    let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
    let (p, q) = flanks(tile, direction);
    let is_narrow = || direction.is_diagonal() && [p, q].iter().any(|w| !grid.is_free_at(w.0, w.1));
    (grid.is_free_at(x, y) && !is_narrow()).then(|| Tile::new(x as u16, y as u16))
}

/// Whether a diagonal step crosses a line between two of its tiles, or between its end and a
/// wall: there the line's staircase will be.
fn is_crossed(grid: &Grid, line: &GateLine, from: Tile, to: Tile) -> bool {
    let corners = [Tile::new(from.x, to.y), Tile::new(to.x, from.y)];
    from.x != to.x
        && from.y != to.y
        && corners.iter().any(|&corner| line.contains(corner))
        && corners.iter().all(|&corner| line.contains(corner) || !grid.is_free(corner))
}

fn between(a: Tile, b: Tile) -> f64 {
    let (dx, dy) = (f64::from(a.x.abs_diff(b.x)), f64::from(a.y.abs_diff(b.y)));
    (dx * dx + dy * dy).sqrt()
}
