//! Which tiles each gate owns, worked out from the lines of the gates alone.
//!
//! Lines claim their tiles in the order of their numbers, then diagonal lines claim their
//! staircases. [`Claims`] does it for a whole map; what one line claims ([`walk`]) depends
//! only on the owners of the tiles around it, so it can be worked out again on its own.

use super::gate::{GateLine, flanks};
use crate::grid::{CellId, Direction, Grid, Tile};

/// Who owns a tile: 0 nobody, else a gate's number plus one.
pub(super) trait Owners {
    /// The owner of a tile.
    fn owner(&self, cell: CellId) -> u32;
    /// Makes a gate the owner of a tile.
    fn give(&mut self, cell: CellId, gate: u32);
}

impl Owners for Vec<u32> {
    fn owner(&self, cell: CellId) -> u32 {
        self[cell.index()]
    }

    fn give(&mut self, cell: CellId, gate: u32) {
        self[cell.index()] = gate;
    }
}

/// The free map with the tiles of gates taken out: which gate owns which tile.
pub(super) struct Claims {
    /// By tile: 0 where no gate is, else the gate's number plus one.
    pub(super) owners: Vec<u32>,
    /// By gate: its tiles in order.
    pub(super) tiles: Vec<Vec<CellId>>,
}

impl Claims {
    /// Hands out tiles to lines that were checked against the grid: first the lines
    /// themselves, in order, then the staircases.
    pub(super) fn new(grid: &Grid, lines: &[GateLine]) -> Claims {
        let mut owners = vec![0u32; grid.tiles()];
        for (gate, line) in lines.iter().enumerate() {
            for cell in line.tiles().filter_map(|tile| grid.cell(tile)) {
                if owners[cell.index()] == 0 {
                    owners[cell.index()] = gate as u32 + 1;
                }
            }
        }
        let mut tiles = Vec::with_capacity(lines.len());
        for (gate, line) in lines.iter().enumerate() {
            tiles.push(walk(grid, &mut owners, gate as u32 + 1, line));
        }
        Claims { owners, tiles }
    }
}

/// Walks along a line whose own tiles have their owners, adds the staircase and lists the
/// gate's tiles in order.
pub(super) fn walk(grid: &Grid, owners: &mut impl Owners, me: u32, line: &GateLine) -> Vec<CellId> {
    let mut tiles = Vec::with_capacity(line.width() as usize);
    let direction = line.direction();
    let diagonal = direction.is_diagonal();
    if diagonal && is_closed_beyond(grid, owners, me, line.a(), direction.opposite()) {
        tiles.extend(stair(grid, owners, me, line.a(), direction.opposite()));
    }
    let last = line.b();
    for tile in line.tiles() {
        let cell = grid.cell(tile).expect("the line was checked");
        if owners.owner(cell) == me {
            tiles.push(cell);
        }
        if diagonal && (tile != last || is_closed_beyond(grid, owners, me, last, direction)) {
            tiles.extend(stair(grid, owners, me, tile, direction));
        }
    }
    tiles
}

/// Whether the line's end abuts on a wall or another gate across a corner.
fn is_closed_beyond(
    grid: &Grid,
    owners: &impl Owners,
    me: u32,
    end: Tile,
    direction: Direction,
) -> bool {
    let (dx, dy) = direction.delta();
    let (x, y) = (i32::from(end.x) + dx, i32::from(end.y) + dy);
    !grid.is_free_at(x, y) || {
        let owner = grid.cell(Tile::new(x as u16, y as u16)).map_or(0, |cell| owners.owner(cell));
        owner != 0 && owner != me
    }
}

/// Takes the tile that keeps a step from crossing between `tile` and the next one.
fn stair(
    grid: &Grid,
    owners: &mut impl Owners,
    me: u32,
    tile: Tile,
    direction: Direction,
) -> Option<CellId> {
    let (p, q) = flanks(tile, direction);
    let as_tile = |(x, y): (i32, i32)| Tile::new(x as u16, y as u16);
    if !grid.is_free_at(p.0, p.1) || !grid.is_free_at(q.0, q.1) {
        return None;
    }
    let (p, q) = (as_tile(p), as_tile(q));
    let (cell, other) = (grid.cell(p)?, grid.cell(q)?);
    let open = owners.owner(cell) == 0 && owners.owner(other) == 0;
    if open && grid.is_legal_step(p, q) {
        owners.give(cell, me);
        return Some(cell);
    }
    None
}
