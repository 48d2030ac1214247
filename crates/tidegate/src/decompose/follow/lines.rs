//! Lines near a change: cut by walls, grown after walls that gave way, added and removed.

use std::collections::BTreeSet;

use super::super::gate::{GateLine, flanks};
use super::super::zone::OFFCUT;
use super::super::{Gate, GateId, Place, ZoneId};
use super::Follower;
use crate::grid::{CellId, Direction, Grid, Tile};

/// What a line owns depends on tiles at most this far from it.
const REACH: i32 = 2;
/// A gate may always grow by this many tiles.
const GROWTH: usize = 4;

impl Follower<'_> {
    /// Makes the lines near changed tiles fit the map, and hands out their tiles.
    pub(super) fn fit_lines(&mut self, cells: &[CellId]) {
        let near = self.gates_near(cells);
        let mut again = near.clone();
        let mut removed = Vec::new();
        for gate in near {
            let old = self.gate(gate).line();
            let mut pieces = pieces(self.grid, old);
            // The longest piece keeps the number, the first of equal ones.
            let longest = pieces.iter().map(GateLine::width).max();
            let Some(at) = pieces.iter().position(|piece| Some(piece.width()) == longest) else {
                again.extend(self.remove_gate(gate));
                removed.push(gate);
                continue;
            };
            let kept = self.grown(pieces.remove(at));
            if kept != old {
                again.extend(self.gates_near(&self.cells_of(&old)));
                self.touch(gate);
                self.parts.gates[gate.index()].line = kept;
                again.extend(self.gates_near(&self.cells_of(&kept)));
            }
            for piece in pieces {
                let piece = self.grown(piece);
                again.insert(self.add_gate(piece));
            }
        }
        again.retain(|gate| !removed.contains(gate));
        self.claim(again);
    }

    /// The cells of a line.
    pub(super) fn cells_of(&self, line: &GateLine) -> Vec<CellId> {
        line.tiles().filter_map(|tile| self.grid.cell(tile)).collect()
    }

    /// The gates whose tiles may depend on these tiles.
    pub(super) fn gates_near(&self, cells: &[CellId]) -> BTreeSet<GateId> {
        let tiles: Vec<Tile> = cells.iter().map(|&cell| self.grid.tile(cell)).collect();
        let live = self.parts.live_gates();
        let near = live.filter(|gate| tiles.iter().any(|&tile| is_near(&gate.line, tile)));
        near.map(Gate::id).collect()
    }

    /// Remembers a gate as it is before it is changed for the first time.
    pub(super) fn touch(&mut self, gate: GateId) {
        if !self.before.contains_key(&gate) {
            let old = self.gate(gate).clone();
            let large = |zone: &&ZoneId| self.areas[zone.index()] > OFFCUT;
            self.divides.insert(gate, old.zones.iter().filter(large).count() >= 2);
            self.before.insert(gate, Some(old));
        }
    }

    /// A gate with a new number that owns no tiles as yet.
    pub(super) fn add_gate(&mut self, line: GateLine) -> GateId {
        let id = GateId(self.parts.gates.len() as u32);
        self.parts.places.reserve(self.parts.zones.len(), 0, self.parts.gates.len() + 1);
        let (tiles, zones, gates) = (Vec::new(), Vec::new(), Vec::new());
        self.parts.gates.push(Gate { id, line, tiles, drawn: 0, zones, gates });
        self.before.insert(id, None);
        self.divides.insert(id, false);
        id
    }

    /// Takes a gate away. Returns the gates whose tiles may change by it.
    pub(super) fn remove_gate(&mut self, gate: GateId) -> BTreeSet<GateId> {
        self.free_offcuts(gate);
        self.touch(gate);
        let old = std::mem::replace(&mut self.parts.gates[gate.index()], Gate::gone(gate));
        for zone in old.zones {
            self.parts.zones[zone.index()].gates.retain(|&g| g != gate);
        }
        for cell in old.tiles {
            if self.place(cell) == Place::Gate(gate) {
                self.set(cell, Place::Zone(self.unassigned));
            }
        }
        self.gates_near(&self.cells_of(&old.line))
    }

    /// A line with its ends moved on over opened tiles to the next wall or gate.
    fn grown(&self, line: GateLine) -> GateLine {
        let most = GROWTH.max(line.width() as usize);
        let axes: &[Direction] = match line.width() {
            1 => &[Direction::E, Direction::S, Direction::SE, Direction::SW],
            _ => &[line.direction()],
        };
        for &axis in axes {
            let (b, after) = self.run(line.b(), axis, most);
            let (a, ahead) = self.run(line.a(), axis.opposite(), most);
            // Of a single tile both ends must be closed, or it is not the gate's axis.
            let whole = ahead.is_some() && after.is_some();
            let grows = ahead.unwrap_or(0) + after.unwrap_or(0) > 0;
            if grows && (whole || line.width() > 1) {
                let (a, b) = (
                    if ahead.is_some() { a } else { line.a() },
                    if after.is_some() { b } else { line.b() },
                );
                return GateLine::new(a, b, line.source());
            }
        }
        line
    }

    /// Goes on over opened tiles: where it ends and after how many, if a wall or a gate
    /// stops it there.
    fn run(&self, from: Tile, direction: Direction, most: usize) -> (Tile, Option<usize>) {
        let mut tile = from;
        for steps in 0..=most {
            let (dx, dy) = direction.delta();
            let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
            if !self.grid.is_free_at(x, y) || is_pinched(self.grid, tile, direction) {
                return (tile, Some(steps));
            }
            let next = Tile::new(x as u16, y as u16);
            match self.grid.cell(next) {
                Some(cell) if self.opened.binary_search(&cell).is_ok() => tile = next,
                Some(cell) if self.gate_of(cell).is_some() => return (tile, Some(steps)),
                _ => return (tile, None),
            }
        }
        (tile, None)
    }
}

fn is_pinched(grid: &Grid, tile: Tile, direction: Direction) -> bool {
    let (p, q) = flanks(tile, direction);
    direction.is_diagonal() && !grid.is_free_at(p.0, p.1) && !grid.is_free_at(q.0, q.1)
}

/// What walls leave of a line.
fn pieces(grid: &Grid, line: GateLine) -> Vec<GateLine> {
    let mut out = Vec::new();
    let mut piece: Option<(Tile, Tile)> = None;
    for tile in line.tiles() {
        let parted = |&(_, last): &(Tile, Tile)| is_pinched(grid, last, line.direction());
        if !grid.is_free(tile) || piece.as_ref().is_some_and(parted) {
            out.extend(piece.take());
        }
        if grid.is_free(tile) {
            piece = Some((piece.map_or(tile, |(a, _)| a), tile));
        }
    }
    out.extend(piece);
    out.into_iter().map(|(a, b)| GateLine::new(a, b, line.source())).collect()
}

/// Whether a tile lies within [`REACH`] of a line; for diagonals a little farther.
fn is_near(line: &GateLine, tile: Tile) -> bool {
    let (a, b) = (line.a(), line.b());
    let within = |v: u16, p: u16, q: u16| {
        i32::from(v) >= i32::from(p.min(q)) - REACH && i32::from(v) <= i32::from(p.max(q)) + REACH
    };
    if !within(tile.x, a.x, b.x) || !within(tile.y, a.y, b.y) {
        return false;
    }
    let (dx, dy) = line.direction().delta();
    let (x, y) = (i32::from(tile.x) - i32::from(a.x), i32::from(tile.y) - i32::from(a.y));
    dx == 0 || dy == 0 || (x * dx - y * dy).abs() <= 2 * REACH
}
