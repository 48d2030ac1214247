//! Clearance tables: does one tile see another, in two loads.
//!
//! For each tile, how far one can walk east, south, south-east and south-west, one byte
//! each. A way in the other four directions is one of these walked backwards. A byte
//! stops at [`FAR`]; longer ways are looked up piece by piece.

use crate::grid::{CellId, Direction, Grid, Movement, Tile};

/// The longest clearance that a byte tells.
const FAR: u8 = 254;
/// What a wall tile holds in place of clearances.
const WALL: [u8; 4] = [255; 4];

const EAST: usize = 0;
const SOUTH: usize = 1;
const SOUTH_EAST: usize = 2;
const SOUTH_WEST: usize = 3;

/// The clearance tables of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    width: usize,
    diagonal: bool,
    clear: Vec<[u8; 4]>,
}

impl Sight {
    pub(crate) fn new(grid: &Grid) -> Sight {
        let mut clear = vec![WALL; grid.tiles()];
        let directions = [Direction::E, Direction::S, Direction::SE, Direction::SW];
        // Backwards, so that the next tile in each direction is done before.
        for index in (0..grid.tiles()).rev() {
            let cell = CellId::from_index(index);
            if grid.is_free_cell(cell) {
                let moves = grid.moves(cell);
                clear[index] = std::array::from_fn(|d| {
                    let open = moves & directions[d].mask() != 0;
                    if open {
                        (clear[grid.step(cell, directions[d]).index()][d] + 1).min(FAR)
                    } else {
                        0
                    }
                });
            }
        }
        let diagonal = grid.movement() != Movement::FourConnected;
        Sight { width: grid.width() as usize, diagonal, clear }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.clear.len() * 4
    }

    /// Whether the tile is inside the map and free.
    #[inline]
    pub(crate) fn is_free(&self, tile: Tile) -> bool {
        usize::from(tile.x) < self.width && self.at(tile.x.into(), tile.y.into()) != WALL
    }

    #[inline]
    fn at(&self, x: usize, y: usize) -> [u8; 4] {
        self.clear.get(y * self.width + x).copied().unwrap_or(WALL)
    }

    /// Whether `count` steps in one of the four directions are legal from (x, y).
    #[inline]
    fn is_clear(&self, mut x: usize, mut y: usize, towards: usize, mut count: usize) -> bool {
        loop {
            let length = usize::from(self.at(x, y)[towards]);
            if length > usize::from(FAR) {
                return false;
            }
            if count <= length {
                return true;
            }
            if length < usize::from(FAR) {
                return false;
            }
            count -= length;
            match towards {
                EAST => x += length,
                SOUTH => y += length,
                SOUTH_EAST => (x, y) = (x + length, y + length),
                _ => (x, y) = (x - length, y + length),
            }
        }
    }

    /// Whether the way diagonal-first from the upper tile (the first, if both are in one
    /// row) is legal: then the distance is the empty-map distance. Without diagonal
    /// steps, the way that goes down first.
    #[inline]
    pub(crate) fn sees(&self, a: Tile, b: Tile) -> bool {
        let Span { ux, uy, lx, ly, dx, dy } = Span::new(a, b);
        if !self.diagonal {
            return self.is_clear(ux, uy, SOUTH, dy) && self.is_clear(ux.min(lx), ly, EAST, dx);
        }
        let slant = dx.min(dy);
        let (towards, x) =
            if lx >= ux { (SOUTH_EAST, ux + slant) } else { (SOUTH_WEST, ux - slant) };
        self.is_clear(ux, uy, towards, slant)
            && if dx > dy {
                self.is_clear(x.min(lx), ly, EAST, dx - dy)
            } else {
                self.is_clear(lx, uy + slant, SOUTH, dy - dx)
            }
    }

    /// The same for the other order of steps: straight first from the upper tile.
    pub(crate) fn sees_other_way(&self, a: Tile, b: Tile) -> bool {
        let Span { ux, uy, lx, ly, dx, dy } = Span::new(a, b);
        if !self.diagonal {
            return self.is_clear(lx, uy, SOUTH, dy) && self.is_clear(ux.min(lx), uy, EAST, dx);
        }
        let slant = dx.min(dy);
        let (towards, x) =
            if lx >= ux { (SOUTH_EAST, lx - slant) } else { (SOUTH_WEST, lx + slant) };
        self.is_clear(x, ly - slant, towards, slant)
            && if dx > dy {
                self.is_clear(x.min(ux), uy, EAST, dx - dy)
            } else {
                self.is_clear(ux, uy, SOUTH, dy - dx)
            }
    }
}

/// Two tiles, the upper one (the first, if both are in one row) and the lower one.
struct Span {
    ux: usize,
    uy: usize,
    lx: usize,
    ly: usize,
    dx: usize,
    dy: usize,
}

impl Span {
    #[inline]
    fn new(a: Tile, b: Tile) -> Span {
        let (upper, lower) = if a.y <= b.y { (a, b) } else { (b, a) };
        let (ux, uy) = (usize::from(upper.x), usize::from(upper.y));
        let (lx, ly) = (usize::from(lower.x), usize::from(lower.y));
        Span { ux, uy, lx, ly, dx: ux.abs_diff(lx), dy: ly - uy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Walks the order of steps that `sees` promises, step by step.
    fn walk(grid: &Grid, a: Tile, b: Tile, slant_first: bool) -> bool {
        let (upper, lower) = if a.y <= b.y { (a, b) } else { (b, a) };
        let (mut x, mut y) = (i32::from(upper.x), i32::from(upper.y));
        let (tx, ty) = (i32::from(lower.x), i32::from(lower.y));
        let mut legal = grid.is_free(upper);
        while (x, y) != (tx, ty) {
            let (dx, dy) = (tx - x, ty - y);
            let step = if grid.movement() == Movement::FourConnected {
                if (dy != 0) == slant_first || dx == 0 {
                    (0, dy.signum())
                } else {
                    (dx.signum(), 0)
                }
            } else if dx != 0 && dy != 0 && (slant_first || dx.abs() == dy) {
                (dx.signum(), 1)
            } else if dx.abs() > dy {
                (dx.signum(), 0)
            } else {
                (0, 1)
            };
            // Without diagonals, the other way goes along the row first.
            let step = if grid.movement() == Movement::FourConnected && !slant_first && dx != 0 {
                (dx.signum(), 0)
            } else {
                step
            };
            let next = (x + step.0, y + step.1);
            let tile = |(x, y): (i32, i32)| Tile::new(x as u16, y as u16);
            legal &= grid.is_legal_step(tile((x, y)), tile(next));
            (x, y) = next;
        }
        legal
    }

    #[test]
    fn sight_is_walking_both_ways() {
        let mut rng = Rng::new(3);
        for round in 0..120 {
            let movement = Movement::ALL[round % 3];
            let (w, h) = (rng.between(1, 14) as u32, rng.between(1, 14) as u32);
            let grid = Grid::from_fn(w, h, movement, |_, _| !rng.chance(12)).unwrap();
            let sight = Sight::new(&grid);
            let tiles = || (0..grid.tiles()).map(|i| grid.tile(CellId::from_index(i)));
            for a in tiles() {
                assert_eq!(sight.is_free(a), grid.is_free(a));
                for b in tiles().filter(|&b| b != a) {
                    assert_eq!(sight.sees(a, b), walk(&grid, a, b, true), "{grid:?} {a} {b}");
                    let other = sight.sees_other_way(a, b);
                    assert_eq!(other, walk(&grid, a, b, false), "{grid:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn long_ways_are_looked_up_piece_by_piece() {
        let mut grid = Grid::from_fn(900, 900, Movement::default(), |_, _| true).unwrap();
        let (a, b) = (Tile::new(1, 2), Tile::new(890, 700));
        assert!(Sight::new(&grid).sees(a, b) && Sight::new(&grid).sees(b, a));
        grid.set_free(Tile::new(880, 700), false);
        assert!(!Sight::new(&grid).sees(a, b));
        assert!(Sight::new(&grid).sees_other_way(a, b));
        assert!(!Sight::new(&grid).is_free(Tile::new(900, 0)));
        assert!(!Sight::new(&grid).is_free(Tile::new(0, 900)));
    }
}
