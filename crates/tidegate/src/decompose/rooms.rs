//! Rooms: the ad hoc decomposition of the 2006 paper (algorithm 6 of the thesis).
//!
//! Zones are filled row by row from the top left. A row ends at a wall or where the ground
//! opens upwards, and a room ends where a border that had moved inwards moves out again;
//! so rooms are fairly regular. It was made for maps of rooms and corridors.
//!
//! Where two rooms meet, the tiles of the later one along a straight piece of the border
//! become a gate, so all gates are horizontal or vertical. A step across the corner of a
//! border would touch no gate; there one tile more becomes a gate of its own.

use super::gate::{GateLine, Source};
use crate::grid::{CellId, Direction, Grid, Tile};

/// The room of every tile: 0 on walls, else its number from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rooms {
    width: i32,
    labels: Vec<u32>,
    count: u32,
}

const FREE: u32 = u32::MAX;

impl Rooms {
    /// Fills the rooms of a map.
    pub fn fill(grid: &Grid) -> Rooms {
        let label = |i: usize| if grid.free_bits().contains(i) { FREE } else { 0 };
        let labels = (0..grid.tiles()).map(label).collect();
        let mut rooms = Rooms { width: grid.width() as i32, labels, count: 0 };
        for cell in grid.free_cells() {
            if rooms.labels[cell.index()] == FREE {
                rooms.count += 1;
                let tile = grid.tile(cell);
                rooms.fill_one(rooms.count, tile.x.into(), tile.y.into());
            }
        }
        rooms
    }

    /// How many rooms there are.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The room of a tile, from 0; `None` on walls.
    pub fn room(&self, cell: CellId) -> Option<u32> {
        self.labels[cell.index()].checked_sub(1)
    }

    fn at(&self, x: i32, y: i32) -> u32 {
        let inside = x >= 0 && y >= 0 && x < self.width;
        let index = (y as usize).wrapping_mul(self.width as usize).wrapping_add(x as usize);
        if inside { self.labels.get(index).copied().unwrap_or(0) } else { 0 }
    }

    fn set(&mut self, x: i32, y: i32, label: u32) {
        self.labels[(y * self.width + x) as usize] = label;
    }

    /// Fills one room from its first tile, row by row.
    fn fill_one(&mut self, room: u32, first: i32, top: i32) {
        let (mut left, mut y) = (first, top);
        let (mut shrunk_right, mut shrunk_left) = (false, false);
        loop {
            let mut x = left;
            self.set(x, y, room);
            while self.at(x + 1, y) == FREE && self.at(x + 1, y - 1) != FREE {
                x += 1;
                self.set(x, y, room);
            }
            if self.at(x + 1, y - 1) == room {
                shrunk_right = true;
            } else if self.at(x, y - 1) != room && shrunk_right {
                // The right border grows again: undo the row.
                while self.at(x, y) == room {
                    self.set(x, y, FREE);
                    x -= 1;
                }
                return;
            }
            (x, y) = (left, y + 1);
            while self.at(x, y) != FREE && self.at(x, y - 1) == room {
                x += 1;
            }
            // Nothing free below the room: it is complete. (The printed algorithm leaves
            // this out; it would go on in walls.)
            if self.at(x, y) != FREE || self.at(x, y - 1) != room {
                return;
            }
            while self.at(x - 1, y) == FREE && self.at(x - 1, y - 1) != FREE {
                x -= 1;
            }
            if self.at(x - 1, y - 1) == room {
                shrunk_left = true;
            } else if self.at(x, y - 1) != room && shrunk_left {
                return;
            }
            left = x;
        }
    }

    /// The gates along the borders of the rooms.
    pub(super) fn gates(&self, grid: &Grid) -> Vec<GateLine> {
        let (width, height) = (self.width, grid.height() as i32);
        let mut lines = Vec::new();
        for y in 1..height {
            self.runs(width, |i| ((i, y - 1), (i, y)), &mut lines);
        }
        for x in 1..width {
            self.runs(height, |i| ((x - 1, i), (x, i)), &mut lines);
        }
        self.close_corners(grid, &mut lines);
        lines
    }

    /// The straight pieces of border along one row or column of tile pairs: as long as
    /// the two rooms stay the same. The tiles of the later room make the gate.
    fn runs(
        &self,
        length: i32,
        pair: impl Fn(i32) -> ((i32, i32), (i32, i32)),
        lines: &mut Vec<GateLine>,
    ) {
        let rooms = |i: i32| {
            let (p, q) = pair(i);
            let (a, b) = (self.at(p.0, p.1), self.at(q.0, q.1));
            (a != b && a != 0 && b != 0).then_some((a, b))
        };
        let mut i = 0;
        while i < length {
            let first = i;
            let border = rooms(i);
            i += 1;
            let Some((a, b)) = border else { continue };
            while i < length && rooms(i) == border {
                i += 1;
            }
            let side = |i: i32| {
                let (p, q) = pair(i);
                let (x, y) = if a > b { p } else { q };
                Tile::new(x as u16, y as u16)
            };
            lines.push(GateLine::new(side(first), side(i - 1), Source::Automatic));
        }
    }

    /// Adds the tiles without which a diagonal step would lead from room to room past
    /// the corner of a gate.
    fn close_corners(&self, grid: &Grid, lines: &mut Vec<GateLine>) {
        let mut gate = fixedbitset::FixedBitSet::with_capacity(grid.tiles());
        let index = |tile: Tile| usize::from(tile.y) * self.width as usize + usize::from(tile.x);
        for tile in lines.iter().flat_map(GateLine::tiles) {
            gate.insert(index(tile));
        }
        for cell in grid.free_cells() {
            for direction in [Direction::SE, Direction::SW] {
                if grid.moves(cell) & direction.mask() == 0 {
                    continue;
                }
                let other = grid.step(cell, direction);
                let apart = self.labels[cell.index()] != self.labels[other.index()];
                if apart && !gate.contains(cell.index()) && !gate.contains(other.index()) {
                    gate.insert(other.index());
                    let tile = grid.tile(other);
                    lines.push(GateLine::new(tile, tile, Source::Automatic));
                }
            }
        }
    }
}
