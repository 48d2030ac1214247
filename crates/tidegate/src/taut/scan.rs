//! What a tile sees safely: every tile to which all shortest empty-map ways are legal.
//!
//! The empty-map ways from `a` to `b` fill a parallelogram (a rectangle without
//! diagonal steps). Seen from `a`, the safe tiles of one octant are lines of falling
//! length, so they are found line by line from the lengths of free runs alone.
//!
//! ```text
//!     a o o o o o o        line 0 is the straight ray from a,
//!       o o o o o #        line i begins i diagonal steps away;
//!         o o o o          with both sides of a step needed free, a line ends one tile
//!           o o #          before the shortest run above it does
//! ```

use super::compass::SAMPLES;
use super::corner::{self, Rules};
use super::lines::Lines;
use crate::grid::{Grid, Movement, Tile};

/// A map as bits, by rows and by columns: free tiles and corners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CornerBits {
    width: u32,
    height: u32,
    rows: Lines,
    columns: Lines,
}

/// Tiles in one row or column: those after `position`, in the order seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Whether the line is a column.
    pub(crate) upright: bool,
    pub(crate) line: i32,
    pub(crate) position: i32,
    /// Whether positions grow away from the one who looks.
    pub(crate) up: bool,
    pub(crate) count: i32,
}

impl Span {
    /// The tile at a position of the line.
    #[inline]
    fn tile(&self, position: i32) -> Tile {
        let (x, y) = if self.upright { (self.line, position) } else { (position, self.line) };
        Tile::new(x as u16, y as u16)
    }

    /// Its tiles.
    #[inline]
    pub(crate) fn tiles(self) -> impl Iterator<Item = Tile> {
        let step = if self.up { 1 } else { -1 };
        (1..=self.count).map(move |n| self.tile(self.position + n * step))
    }
}

impl CornerBits {
    /// The bits of a map.
    pub(crate) fn new(grid: &Grid, rules: &Rules) -> CornerBits {
        let (width, height) = (grid.width(), grid.height());
        let (rows, columns) = (Lines::new(height, width), Lines::new(width, height));
        let mut bits = CornerBits { width, height, rows, columns };
        for cell in grid.free_cells() {
            let tile = grid.tile(cell);
            bits.set_free(tile, true);
        }
        for y in 0..height as i32 {
            for x in (0..width as i32).step_by(64) {
                let mut beside = bits.rows.beside_walls(y, x);
                while beside != 0 {
                    let at = x + beside.trailing_zeros() as i32;
                    beside &= beside - 1;
                    bits.refresh(Tile::new(at as u16, y as u16), rules);
                }
            }
        }
        bits
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.bytes()
    }

    /// Takes over whether a tile is free. The corners around it must be
    /// [refreshed](CornerBits::refresh).
    pub(crate) fn set_free(&mut self, tile: Tile, free: bool) {
        let (x, y) = (i32::from(tile.x), i32::from(tile.y));
        self.rows.set_free(y, x, free);
        self.columns.set_free(x, y, free);
    }

    /// Works out whether a tile is a corner.
    pub(crate) fn refresh(&mut self, tile: Tile, rules: &Rules) -> bool {
        let (x, y) = (i32::from(tile.x), i32::from(tile.y));
        let is_corner = self.is_free(tile) && rules.ends(self.pattern(tile)) != 0;
        self.rows.set_corner(y, x, is_corner);
        self.columns.set_corner(x, y, is_corner);
        is_corner
    }

    /// Whether the tile is inside the map.
    #[inline]
    pub(crate) fn contains(&self, tile: Tile) -> bool {
        u32::from(tile.x) < self.width && u32::from(tile.y) < self.height
    }

    /// Whether the tile is inside the map and free.
    #[inline]
    pub(crate) fn is_free(&self, tile: Tile) -> bool {
        self.contains(tile) && self.rows.is_free(tile.y.into(), tile.x.into())
    }

    /// The free neighbours of a tile as bits in the order of [`crate::Direction`].
    pub(crate) fn pattern(&self, tile: Tile) -> u8 {
        let (x, y) = (i32::from(tile.x), i32::from(tile.y));
        corner::pattern_by(|dx, dy| self.rows.is_free(y + dy, x + dx))
    }

    /// All corners in row order, each with its pattern.
    pub(crate) fn corners(&self) -> Vec<(Tile, u8)> {
        let mut found = Vec::new();
        for y in 0..self.height as i32 {
            self.rows.each_corner(y, -1, true, self.width as i32, |x| {
                let tile = Tile::new(x as u16, y as u16);
                found.push((tile, self.pattern(tile)));
            });
        }
        found
    }

    /// Calls `visit` for every corner of a span, in its order.
    #[inline]
    pub(crate) fn each_corner(&self, span: Span, mut visit: impl FnMut(Tile)) {
        let lines = if span.upright { &self.columns } else { &self.rows };
        lines.each_corner(span.line, span.position, span.up, span.count, |position| {
            visit(span.tile(position));
        });
    }

    /// Calls `visit` with spans of all tiles that a free tile sees safely in one of the
    /// `classes`, each tile once. The order is fixed by the map alone.
    #[inline]
    pub(crate) fn each_span(
        &self,
        rules: &Rules,
        from: Tile,
        classes: u16,
        mut visit: impl FnMut(Span),
    ) {
        for ray in (0..16).step_by(4).filter(|ray| classes >> ray & 1 != 0) {
            let Look { lines, mut span, .. } = self.look(from, SAMPLES[ray], SAMPLES[ray]);
            span.count = lines.run(span.line, span.position, span.up, i32::MAX);
            if span.count > 0 {
                visit(span);
            }
        }
        if rules.movement == Movement::FourConnected {
            (0..4).for_each(|quadrant| self.quadrant(from, quadrant, classes, &mut visit));
        } else {
            let octants = (1..16).step_by(2);
            octants.for_each(|class| self.octant(rules, from, class, classes, &mut visit));
        }
    }

    /// Looking from a tile: lines run `along`, and go on towards `across`.
    #[inline]
    fn look(&self, from: Tile, along: (i32, i32), across: (i32, i32)) -> Look<'_> {
        let (x, y) = (i32::from(from.x), i32::from(from.y));
        let upright = along.1 != 0;
        let (line, position, next, up) = match upright {
            false => (y, x, across.1, along.0 > 0),
            true => (x, y, across.0, along.1 > 0),
        };
        let lines = if upright { &self.columns } else { &self.rows };
        Look { lines, span: Span { upright, line, position, up, count: 0 }, next }
    }

    /// The tiles of the open octant `class`, and of the diagonal ray clockwise after
    /// an octant that begins at a straight ray.
    #[inline]
    fn octant(
        &self,
        rules: &Rules,
        from: Tile,
        class: usize,
        classes: u16,
        visit: &mut impl FnMut(Span),
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
        let Look { lines, mut span, next } = self.look(from, SAMPLES[straight], SAMPLES[diagonal]);
        let step = if span.up { 1 } else { -1 };
        let margin = i32::from(rules.margin);
        let one_side = rules.movement == Movement::OneSideFree;
        let mut bound = i32::MAX - 1;
        let mut run = lines.run(span.line, span.position, span.up, bound);
        loop {
            let sides = (run > 0, lines.is_free(span.line + next, span.position));
            let open = if one_side { sides.0 || sides.1 } else { sides.0 && sides.1 };
            if !open || !lines.is_free(span.line + next, span.position + step) {
                return;
            }
            bound = bound.min(run - margin);
            span.line += next;
            span.position += step;
            if with_ray {
                visit(Span { position: span.position - step, count: 1, ..span });
            } else if bound < 1 {
                return;
            }
            // One tile at least, to tell whether the next diagonal step is open.
            run = lines.run(span.line, span.position, span.up, (bound + margin).max(1));
            span.count = bound.min(run);
            if with_inner && span.count > 0 {
                visit(span);
            }
        }
    }

    /// The tiles of a quadrant without its borders, line by line.
    #[inline]
    fn quadrant(&self, from: Tile, quadrant: usize, classes: u16, visit: &mut impl FnMut(Span)) {
        let wanted = classes >> (quadrant * 4 + 1) & 7;
        if wanted == 0 {
            return;
        }
        let down = (quadrant * 4 + 4) & 15;
        let Look { lines, mut span, next } = self.look(from, SAMPLES[quadrant * 4], SAMPLES[down]);
        let step = if span.up { 1 } else { -1 };
        let begin = span.position;
        let mut bound = lines.run(span.line, span.position, span.up, i32::MAX);
        for j in 1.. {
            if bound <= 0 || !lines.is_free(span.line + next, begin) {
                return;
            }
            span.line += next;
            bound = bound.min(lines.run(span.line, begin, span.up, bound));
            // Before the diagonal, on it, behind it.
            for (part, first, last) in [(2, 1, j - 1), (1, j, j), (0, j + 1, bound)] {
                let last = last.min(bound);
                if wanted >> part & 1 != 0 && first <= last {
                    let position = begin + (first - 1) * step;
                    visit(Span { position, count: last - first + 1, ..span });
                }
            }
        }
    }

    /// Whether the way from one free tile to another with all its diagonal steps first
    /// is legal (without diagonal steps: along the column first).
    pub(crate) fn sees(&self, movement: Movement, a: Tile, b: Tile) -> bool {
        let (dx, dy) = (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
        let (mut x, mut y) = (i32::from(a.x), i32::from(a.y));
        let along = |upright: bool, line: i32, position: i32, delta: i32| {
            let lines = if upright { &self.columns } else { &self.rows };
            let count = delta.abs();
            lines.run(line, position, delta > 0, count) == count
        };
        if movement == Movement::FourConnected {
            return along(true, x, y, dy) && along(false, y + dy, x, dx);
        }
        let (sx, sy) = (dx.signum(), dy.signum());
        for _ in 0..dx.abs().min(dy.abs()) {
            let sides = (self.rows.is_free(y, x + sx), self.rows.is_free(y + sy, x));
            let open = match movement {
                Movement::OneSideFree => sides.0 || sides.1,
                _ => sides.0 && sides.1,
            };
            (x, y) = (x + sx, y + sy);
            if !open || !self.rows.is_free(y, x) {
                return false;
            }
        }
        let (dx, dy) = (i32::from(b.x) - x, i32::from(b.y) - y);
        if dx != 0 { along(false, y, x, dx) } else { along(true, x, y, dy) }
    }
}

/// A tile's view in one octant or quadrant.
struct Look<'a> {
    lines: &'a Lines,
    span: Span,
    /// From a line to the next.
    next: i32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::taut::compass::class;

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
            let rules = Rules::new(movement);
            let bits = CornerBits::new(&grid, &rules);
            for from in grid.free_cells().map(|c| grid.tile(c)) {
                let classes = rng.bits() as u16;
                let mut seen = Vec::new();
                let mut corners = Vec::new();
                bits.each_span(&rules, from, classes, |span| {
                    seen.extend(span.tiles());
                    bits.each_corner(span, |tile| corners.push(tile));
                });
                let is_corner = |t: &&Tile| rules.ends(bits.pattern(**t)) != 0;
                let expected: Vec<Tile> = seen.iter().filter(is_corner).copied().collect();
                assert_eq!(corners, expected, "{grid:?} corners from {from}");
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
