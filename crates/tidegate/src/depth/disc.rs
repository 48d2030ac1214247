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
    width: usize,
    height: usize,
    /// Tiles that a place stands for: more than one for blocks.
    unit: u64,
    /// Free tiles left of (x, y) in its row; `width + 1` entries a row.
    rows: Vec<u32>,
    /// Free tiles left of and above (x, y); `(width + 1) · (height + 1)` entries.
    areas: Vec<u32>,
}

impl FreeCounts {
    pub(super) fn new(ground: &Blocks<'_>) -> FreeCounts {
        let (width, height) = (ground.grid.width() as usize, ground.grid.height() as usize);
        let wide = width + 1;
        let mut rows = vec![0u32; wide * height];
        let mut areas = vec![0u32; wide * (height + 1)];
        for y in 0..height {
            let row = &mut rows[y * wide..][..wide];
            let mut sum = 0;
            for (x, left_of) in row[1..].iter_mut().enumerate() {
                sum += ground.free_in(y * width + x);
                *left_of = sum;
            }
            let (above, here) = areas[y * wide..][..2 * wide].split_at_mut(wide);
            for ((area, above), row) in here.iter_mut().zip(above).zip(row) {
                *area = *above + *row;
            }
        }
        FreeCounts { width, height, unit: ground.unit().into(), rows, areas }
    }
}

const WALLED: u8 = 1;
const MAYBE: u8 = 2;

/// The discs around the tiles of one row: which of them hold enough walls. Bounds from a few
/// rectangles decide most; the rest is counted row by row, neighbours together.
pub(super) struct RowDiscs<'a> {
    counts: &'a FreeCounts,
    /// Rectangles over the whole row, of as many rows as the parts of the disc have.
    square: Band,
    around: Band,
    thin: Band,
    wide: Band,
    /// By column: [`WALLED`] if there are enough walls in the square, [`MAYBE`] if there are
    /// enough around the disc.
    bounds: Vec<u8>,
    /// Tiles between the bounds.
    undecided: Vec<u32>,
    free: Vec<u32>,
}

impl<'a> RowDiscs<'a> {
    pub(super) fn new(counts: &'a FreeCounts) -> RowDiscs<'a> {
        let [square, around, thin, wide] = Default::default();
        let (bounds, undecided, free) = (Vec::new(), Vec::new(), Vec::new());
        RowDiscs { counts, square, around, thin, wide, bounds, undecided, free }
    }

    /// Takes those tiles of row `y` out of the ascending list `columns` around which at least
    /// `wanted` of the column many walls lie in the disc, and calls for each. All tiles in the
    /// list are free.
    pub(super) fn take_walled(
        &mut self,
        disc: &Disc,
        y: usize,
        columns: &mut Vec<u32>,
        wanted: &[u32],
        mut found: impl FnMut(u32),
    ) {
        let [Some(&first), Some(&last)] = [columns.first(), columns.last()] else { return };
        let unit = self.counts.unit;
        let (left, right) = (first as i32, last as i32);
        let (s, reach, (thin, wide)) = (disc.square, disc.reach(), disc.wing);
        self.square.fill(self.counts, y, s, left - s, right + s);
        self.around.fill(self.counts, y, reach, left - reach, right + reach);
        let size = |half_width: i32, half_height: i32| {
            (2 * half_width + 1) as u64 * (2 * half_height + 1) as u64 * unit
        };
        // Walls enough are free tiles few enough. At least the tile itself is free, so 0 is too
        // few; and a map has fewer free tiles than the largest number, by more than is wanted.
        let clamped = |size: u64| size.min(u32::MAX.into()) as u32;
        let (in_square, in_around) = (clamped(size(s, s)), clamped(size(reach, reach)));
        let in_disc = clamped(disc.size * unit);
        // Plain loops over slices of one length: they become vector instructions.
        let wanted_here = &wanted[first as usize..=last as usize];
        let tiles = wanted_here.len();
        let (square_from, square_to) = self.square.ends(s, tiles);
        let (around_from, around_to) = self.around.ends(reach, tiles);
        self.bounds.clear();
        self.bounds.resize(tiles, 0);
        let bounds = &mut self.bounds[..tiles];
        for i in 0..tiles {
            let wanted = wanted_here[i];
            let walled = square_to[i] - square_from[i] <= in_square.saturating_sub(wanted);
            let maybe = around_to[i] - around_from[i] <= in_around.saturating_sub(wanted);
            let maybe = maybe & (in_disc >= wanted);
            bounds[i] = (u8::from(walled) * WALLED) | (u8::from(maybe) * MAYBE);
        }
        self.undecided.clear();
        let mut kept = 0;
        for i in 0..columns.len() {
            let column = columns[i];
            let bounds = self.bounds[(column - first) as usize];
            if bounds & WALLED != 0 {
                found(column);
                continue;
            }
            columns[kept] = column;
            kept += 1;
            if bounds & MAYBE != 0 {
                self.undecided.push(column);
            }
        }
        columns.truncate(kept);
        if self.undecided.is_empty() {
            return;
        }
        let before = self.undecided.len();
        if wide > s {
            self.thin.fill(self.counts, y, thin, left - wide, right + wide);
            self.wide.fill(self.counts, y, wide, left - thin, right + thin);
            // The square and a wing on each of its sides.
            let in_wings = clamped(2 * (size(wide, thin) - size(s, thin)) + size(s, s));
            self.undecided.retain(|&column| {
                let x = column as i32;
                let across = self.thin.free(x, wide) - self.thin.free(x, s);
                let upright = self.wide.free(x, thin) - self.square.free(x, thin);
                let free = self.square.free(x, s) + across + upright;
                free > in_wings.saturating_sub(wanted[column as usize])
            });
        }
        let mut kept = 0;
        let mut rest = 0;
        while let Some(&from) = self.undecided.get(rest) {
            let near = |pair: &&[u32]| pair[1] - pair[0] <= GAP;
            let joined = self.undecided[rest..].windows(2).take_while(near).count() + 1;
            let to = self.undecided[rest + joined - 1];
            count(self.counts, disc, y, from, to, &mut self.free);
            for i in rest..rest + joined {
                let column = self.undecided[i];
                let free = self.free[(column - from) as usize];
                if free > in_disc.saturating_sub(wanted[column as usize]) {
                    self.undecided[kept] = column;
                    kept += 1;
                }
            }
            rest += joined;
        }
        self.undecided.truncate(kept);
        if kept == before {
            return;
        }
        // What was between the bounds and is not any more, has enough walls.
        let mut few = self.undecided.iter().copied().peekable();
        columns.retain(|&column| {
            let is_decided = self.bounds[(column - first) as usize] & MAYBE == 0;
            if is_decided || few.next_if_eq(&column).is_some() {
                return true;
            }
            found(column);
            false
        });
    }
}

/// Tiles so near each other are counted together.
const GAP: u32 = 4;

/// Some rows of a map as one: free tiles left of each column.
#[derive(Default)]
struct Band {
    /// The first column that it has.
    from: i32,
    /// By column from there on; constant beyond the sides of the map.
    free: Vec<u32>,
}

impl Band {
    /// Takes the rows from `half` above `y` to `half` below it, for rectangles from column
    /// `left` to column `right`, both included.
    fn fill(&mut self, counts: &FreeCounts, y: usize, half: i32, left: i32, right: i32) {
        let wide = counts.width + 1;
        let (top, bottom) =
            (y.saturating_sub(half as usize), (y + half as usize + 1).min(counts.height));
        let (top, bottom) = (&counts.areas[top * wide..][..wide], &counts.areas[bottom * wide..]);
        self.from = left;
        self.free.clear();
        // Nothing is free left of the map.
        self.free.resize((-left).max(0) as usize, 0);
        let (begin, end) = (left.max(0) as usize, (right + 2).min(wide as i32) as usize);
        self.free.extend_from_slice(&bottom[begin..end]);
        let outside = self.free.len() - (end - begin);
        let (free, top) = (&mut self.free[outside..], &top[begin..end]);
        for i in 0..free.len().min(top.len()) {
            free[i] -= top[i];
        }
        let last = self.free.last().copied().unwrap_or(0);
        self.free.resize((right + 2 - left) as usize, last);
    }

    /// The free tiles of the rectangle from `half` left of column `x` to `half` right of it.
    #[inline]
    fn free(&self, x: i32, half: i32) -> u32 {
        let at = |x: i32| self.free[(x - self.from) as usize];
        at(x + half + 1) - at(x - half)
    }

    /// For so many columns, from the first that it was filled for, the two numbers whose
    /// difference are the free tiles of the rectangle from `half` left to `half` right.
    fn ends(&self, half: i32, count: usize) -> (&[u32], &[u32]) {
        (&self.free[..count], &self.free[2 * half as usize + 1..][..count])
    }
}

/// The free tiles of the discs around the tiles of row `y` from column `from` to column `to`,
/// both included, added up row by row.
fn count(counts: &FreeCounts, disc: &Disc, y: usize, from: u32, to: u32, free: &mut Vec<u32>) {
    let (from, to, width) = (from as usize, to as usize, counts.width);
    free.clear();
    free.resize(to - from + 1, 0);
    let reach = disc.reach() as usize;
    for row in y.saturating_sub(reach)..=(y + reach).min(counts.height - 1) {
        let half = disc.half_widths[row.abs_diff(y)] as usize;
        let left_of = &counts.rows[row * (width + 1)..][..width + 1];
        if from >= half && to + half < width {
            let right = &left_of[from + half + 1..][..free.len()];
            let left = &left_of[from - half..][..free.len()];
            let free = &mut free[..left.len()];
            for i in 0..left.len().min(right.len()) {
                free[i] += right[i] - left[i];
            }
        } else {
            for (free, x) in free.iter_mut().zip(from..) {
                *free += left_of[(x + half + 1).min(width)] - left_of[x.saturating_sub(half)];
            }
        }
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
