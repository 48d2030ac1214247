//! What a tile sees safely: every tile to which all shortest empty-map ways are legal.
//!
//! The empty-map ways from `a` to `b` fill a parallelogram (a rectangle without
//! diagonal steps). Seen from `a`, the safe tiles of one octant are rows of falling
//! length, so they are listed row by row with the lengths of free runs alone.
//!
//! ```text
//!     a o o o o o o        row 0 is the straight ray from a,
//!       o o o o o #        row i begins i diagonal steps away;
//!         o o o o          with both sides of a step needed free, a row ends one tile
//!           o o #          before the shortest run above it does
//! ```

use super::compass::{SAMPLES, class};
use super::corner::Rules;
use crate::grid::{CellId, Direction, Grid, Movement, Tile};

/// For every tile and each of the four straight directions, how many free tiles follow.
pub(super) struct Runs<'a> {
    grid: &'a Grid,
    movement: Movement,
    margin: bool,
    runs: [Vec<u16>; 4],
}

impl<'a> Runs<'a> {
    pub(super) fn new(grid: &'a Grid, rules: &Rules) -> Runs<'a> {
        let along = |direction: Direction| {
            let mut run = vec![0_u16; grid.tiles()];
            let mut visit = |cell: CellId| {
                if grid.moves(cell) & direction.mask() != 0 {
                    run[cell.index()] = run[grid.step(cell, direction).index()] + 1;
                }
            };
            // The neighbour in the direction must be done before the tile itself.
            match direction {
                Direction::E | Direction::S => {
                    (0..grid.tiles()).rev().for_each(|i| visit(CellId::from_index(i)));
                }
                _ => (0..grid.tiles()).for_each(|i| visit(CellId::from_index(i))),
            }
            run
        };
        let runs = [Direction::E, Direction::S, Direction::W, Direction::N].map(along);
        Runs { grid, movement: rules.movement, margin: rules.margin, runs }
    }

    /// Calls `visit` for every tile that `from` sees safely in one of the `classes`.
    /// The order is fixed by the map alone.
    pub(super) fn each(&self, from: Tile, classes: u16, mut visit: impl FnMut(Tile)) {
        let Some(start) = self.grid.cell(from) else { return };
        for ray in (0..16).step_by(4).filter(|ray| classes >> ray & 1 != 0) {
            let (dx, dy) = SAMPLES[ray];
            let length = self.runs[ray / 4][start.index()];
            (1..=i32::from(length)).for_each(|n| visit(shifted(from, n * dx, n * dy)));
        }
        if self.movement == Movement::FourConnected {
            (0..4).for_each(|quadrant| self.quadrant(from, start, quadrant, classes, &mut visit));
        } else {
            (1..16).step_by(2).for_each(|c| self.octant(from, start, c, classes, &mut visit));
        }
    }

    /// The tiles of the open octant `class`, and of the diagonal ray clockwise after
    /// an octant that begins at a straight ray.
    fn octant(
        &self,
        from: Tile,
        start: CellId,
        class: usize,
        classes: u16,
        visit: &mut impl FnMut(Tile),
    ) {
        // Classes run straight ray, octant, diagonal ray, octant, straight ray.
        let begins_straight = class % 4 == 1;
        let straight = if begins_straight { class - 1 } else { (class + 1) & 15 };
        let diagonal = if begins_straight { class + 1 } else { class - 1 };
        let with_ray = begins_straight && classes >> diagonal & 1 != 0;
        let with_inner = classes >> class & 1 != 0;
        if !with_ray && !with_inner {
            return;
        }
        let (mx, my) = SAMPLES[straight];
        let (gx, gy) = SAMPLES[diagonal];
        let step = step_between((gx, gy));
        let run = &self.runs[straight / 4];
        let margin = i32::from(self.margin);
        let mut cell = start;
        let mut bound = i32::MAX;
        let mut i = 0;
        while self.grid.moves(cell) & step.mask() != 0 {
            bound = bound.min(i32::from(run[cell.index()]) - margin);
            cell = self.grid.step(cell, step);
            i += 1;
            if with_ray {
                visit(shifted(from, i * gx, i * gy));
            } else if bound < 1 {
                break;
            }
            if with_inner {
                let length = bound.min(i32::from(run[cell.index()]));
                (1..=length).for_each(|k| visit(shifted(from, i * gx + k * mx, i * gy + k * my)));
            }
        }
    }

    /// The tiles of a quadrant without its borders, row by row.
    fn quadrant(
        &self,
        from: Tile,
        start: CellId,
        quadrant: usize,
        classes: u16,
        visit: &mut impl FnMut(Tile),
    ) {
        let wanted = classes >> (quadrant * 4 + 1) & 7;
        if wanted == 0 {
            return;
        }
        let (ax, ay) = SAMPLES[quadrant * 4];
        let down = (quadrant * 4 + 4) & 15;
        let (bx, by) = SAMPLES[down];
        let step = step_between((bx, by));
        let run = &self.runs[quadrant];
        let mut cell = start;
        let mut bound = i32::from(run[cell.index()]);
        let mut j = 0;
        while bound > 0 && self.grid.moves(cell) & step.mask() != 0 {
            cell = self.grid.step(cell, step);
            j += 1;
            bound = bound.min(i32::from(run[cell.index()]));
            for k in 1..=bound {
                let (dx, dy) = (j * bx + k * ax, j * by + k * ay);
                if classes >> class(dx, dy) & 1 != 0 {
                    visit(shifted(from, dx, dy));
                }
            }
        }
    }
}

fn step_between(delta: (i32, i32)) -> Direction {
    let found = Direction::from_delta(delta.0, delta.1);
    found.unwrap_or(Direction::E)
}

/// The tile this far away, which the caller knows to lie on the map.
#[inline]
fn shifted(tile: Tile, dx: i32, dy: i32) -> Tile {
    Tile::new((i32::from(tile.x) + dx) as u16, (i32::from(tile.y) + dy) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The definition, tile by tile: everything between must be free.
    fn safe(grid: &Grid, a: Tile, b: Tile) -> bool {
        let (ax, ay) = (i32::from(a.x), i32::from(a.y));
        let (dx, dy) = (i32::from(b.x) - ax, i32::from(b.y) - ay);
        let (i, k) = (dx.abs().min(dy.abs()), (dx.abs() - dy.abs()).abs());
        let (gx, gy) = (dx.signum(), dy.signum());
        let (mx, my) = if dx.abs() >= dy.abs() { (gx, 0) } else { (0, gy) };
        let free = |j: i32, o: i32| grid.is_free_at(ax + j * gx + o * mx, ay + j * gy + o * my);
        match grid.movement() {
            Movement::FourConnected => {
                let xs = || dx.min(0)..=dx.max(0);
                (dy.min(0)..=dy.max(0)).all(|y| xs().all(|x| grid.is_free_at(ax + x, ay + y)))
            }
            Movement::NoCornerCutting => (0..=i).all(|j| {
                let low = if j == 0 { 0 } else { -1 };
                let high = if j < i { k + 1 } else { k };
                (low..=high).all(|o| free(j, o))
            }),
            Movement::OneSideFree => {
                let sides = |j: i32| {
                    grid.is_free_at(ax + (j + 1) * gx, ay + j * gy)
                        || grid.is_free_at(ax + j * gx, ay + (j + 1) * gy)
                };
                (0..=i).all(|j| (0..=k).all(|o| free(j, o))) && (0..i).all(|j| k > 0 || sides(j))
            }
        }
    }

    #[test]
    fn rows_list_exactly_the_safe_tiles_once() {
        let mut rng = Rng::new(7);
        for round in 0..300 {
            let (w, h) = (rng.between(1, 12) as u32, rng.between(1, 12) as u32);
            let walls = [5, 15, 30][round % 3];
            let movement = Movement::ALL[round / 3 % 3];
            let grid = Grid::from_fn(w, h, movement, |_, _| !rng.chance(walls)).unwrap();
            let runs = Runs::new(&grid, &Rules::new(movement));
            for from in grid.free_cells().map(|c| grid.tile(c)) {
                let classes = rng.bits() as u16;
                let mut seen = Vec::new();
                runs.each(from, classes, |tile| seen.push(tile));
                seen.sort_by_key(|t| (t.y, t.x));
                let direction = |t: Tile| {
                    class(i32::from(t.x) - i32::from(from.x), i32::from(t.y) - i32::from(from.y))
                };
                let all = grid.free_cells().map(|c| grid.tile(c));
                let expected: Vec<Tile> = all
                    .filter(|&t| t != from && classes >> direction(t) & 1 != 0)
                    .filter(|&t| safe(&grid, from, t))
                    .collect();
                assert_eq!(seen, expected, "{grid:?} from {from}");
            }
        }
    }
}
