//! Discs of the distance index and the walls inside them, counted exactly.
//!
//! A wall is a tile that is not free, inside the map or outside: so walls are counted
//! as the size of a shape minus the free tiles of its part inside the map.

use super::Blocks;

/// The distance index of an offset, in fifths of a tile.
pub(super) fn index_of(dx: u32, dy: u32) -> u32 {
    5 * dx.max(dy) + 2 * dx.min(dy)
}

/// All offsets grouped by their index, up to what a tile of such a map can need.
pub(super) fn offsets_by_index(width: i32, height: i32) -> Vec<Vec<(i32, i32)>> {
    let side = width.max(height) + 1;
    let mut rings = vec![Vec::new(); index_of(side as u32, side as u32) as usize + 1];
    for dy in -side..=side {
        for dx in -side..=side {
            rings[index_of(dx.unsigned_abs(), dy.unsigned_abs()) as usize].push((dx, dy));
        }
    }
    rings
}

/// The offsets of index at most `2^j − 1`, as rows; and rectangles inside and around it.
pub(super) struct Disc {
    /// The number of offsets.
    size: u64,
    /// `half_widths[dy]`: the disc reaches from −h to +h in rows −dy and +dy.
    half_widths: Vec<i32>,
    /// A square inside the disc: from −s to +s.
    square: i32,
    /// Half height and half width of a rectangle inside that is wider than the square;
    /// with its transpose and the square it makes the lower bound.
    wing: (i32, i32),
}

impl Disc {
    /// The discs for j = 0, 1, 2, … as far as a map of this size can need them.
    pub(super) fn all(width: u32, height: u32) -> Vec<Disc> {
        let side = width.max(height) + 1;
        let farthest = index_of(side, side);
        (0..=farthest.ilog2() + 1).map(|j| Disc::new((1 << j) - 1)).collect()
    }

    fn new(radius: u32) -> Disc {
        let half_width = |dy: u32| {
            let flat = (radius - 2 * dy.min(radius / 2)) / 5;
            if flat >= dy { flat } else { (radius - 5 * dy) / 2 }
        };
        let half_widths: Vec<i32> = (0..=radius / 5).map(|dy| half_width(dy) as i32).collect();
        let size = half_widths.iter().map(|&h| 2 * i64::from(h) + 1).sum::<i64>() * 2
            - (2 * i64::from(half_widths[0]) + 1);
        let square = (radius / 7) as i32;
        let thin = square / 2;
        let wing = (thin, half_widths[thin as usize]);
        Disc { size: size as u64, half_widths, square, wing }
    }

    fn reach(&self) -> i32 {
        self.half_widths.len() as i32 - 1
    }
}

/// Free tiles by rows and by rectangles.
pub(super) struct FreeCounts {
    width: i32,
    height: i32,
    /// Tiles that a place stands for: more than one for blocks.
    unit: u64,
    /// Free tiles left of (x, y) in its row; `width + 1` entries a row.
    rows: Vec<u32>,
    /// Free tiles left of and above (x, y); `(width + 1) · (height + 1)` entries.
    areas: Vec<u32>,
}

impl FreeCounts {
    pub(super) fn new(ground: &Blocks<'_>) -> FreeCounts {
        let (width, height) = (ground.grid.width() as i32, ground.grid.height() as i32);
        let wide = width as usize + 1;
        let mut rows = vec![0u32; wide * height as usize];
        let mut areas = vec![0u32; wide * (height as usize + 1)];
        for y in 0..height {
            let row = y as usize * wide;
            let mut sum = 0;
            for x in 0..width {
                sum += ground.free_at(x, y);
                let next = row + x as usize + 1;
                rows[next] = sum;
                areas[next + wide] = areas[next] + sum;
            }
        }
        FreeCounts { width, height, unit: ground.unit().into(), rows, areas }
    }

    /// Whether at least `wanted` walls lie in the disc around (x, y).
    #[inline]
    pub(super) fn has_walls(&self, disc: &Disc, x: i32, y: i32, wanted: u32) -> bool {
        let wanted = u64::from(wanted);
        if disc.size * self.unit < wanted {
            return false;
        }
        let s = disc.square;
        let mut inside = self.walls(x - s, y - s, x + s, y + s);
        if inside >= wanted {
            return true;
        }
        let reach = disc.reach();
        let around = self.walls(x - reach, y - reach, x + reach, y + reach);
        if around < wanted {
            return false;
        }
        let (thin, wide) = disc.wing;
        if wide > s {
            inside += self.walls(x - wide, y - thin, x - s - 1, y + thin)
                + self.walls(x + s + 1, y - thin, x + wide, y + thin)
                + self.walls(x - thin, y - wide, x + thin, y - s - 1)
                + self.walls(x - thin, y + s + 1, x + thin, y + wide);
            if inside >= wanted {
                return true;
            }
        }
        self.count(disc, x, y) >= wanted
    }

    /// The walls of the rectangle from (x0, y0) to (x1, y1), both included.
    #[inline]
    fn walls(&self, x0: i32, y0: i32, x1: i32, y1: i32) -> u64 {
        let size = (x1 - x0 + 1) as u64 * (y1 - y0 + 1) as u64;
        let wide = self.width + 1;
        let (left, right) = (x0.clamp(0, self.width), (x1 + 1).clamp(0, self.width));
        let (top, bottom) =
            (y0.clamp(0, self.height) * wide, (y1 + 1).clamp(0, self.height) * wide);
        let at = |row: i32, x: i32| self.areas[(row + x) as usize];
        let free = at(bottom, right) + at(top, left) - at(bottom, left) - at(top, right);
        size * self.unit - u64::from(free)
    }

    /// The walls of the disc around (x, y), row by row.
    fn count(&self, disc: &Disc, x: i32, y: i32) -> u64 {
        let mut free = 0u32;
        for row in (y - disc.reach()).max(0)..=(y + disc.reach()).min(self.height - 1) {
            let half = disc.half_widths[(row - y).unsigned_abs() as usize];
            let first = row as usize * (self.width as usize + 1);
            let right = self.rows[first + (x + half + 1).min(self.width) as usize];
            let left = self.rows[first + (x - half).max(0) as usize];
            free += right - left;
        }
        disc.size * self.unit - u64::from(free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_holds_exactly_the_offsets_up_to_its_radius() {
        for j in 0..9 {
            let (radius, disc) = ((1u32 << j) - 1, Disc::new((1 << j) - 1));
            let reach = radius as i32 / 5 + 2;
            let mut size = 0;
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let inside = index_of(dx.unsigned_abs(), dy.unsigned_abs()) <= radius;
                    let half = disc.half_widths.get(dy.unsigned_abs() as usize);
                    assert_eq!(inside, half.is_some_and(|h| dx.abs() <= *h), "{dx} {dy}");
                    size += u64::from(inside);
                    let (thin, wide) = disc.wing;
                    let in_square = dx.abs().max(dy.abs()) <= disc.square;
                    let in_wing = dx.abs() <= wide && dy.abs() <= thin;
                    assert!(inside || !(in_square || in_wing));
                }
            }
            assert_eq!(size, disc.size);
        }
    }
}
