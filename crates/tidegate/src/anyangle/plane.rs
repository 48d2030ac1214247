//! The map as bits: which tiles are free, and at which corners of walls a shortest path may
//! bend.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::grid::{CellId, Grid, Tile};

/// Rows of bits with words of zeros around them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows {
    /// Words of a row.
    stride: usize,
    words: Vec<u64>,
}

impl Rows {
    fn new(width: u32, height: u32) -> Rows {
        let stride = width as usize / 64 + 2;
        Rows { stride, words: vec![0; stride * (height as usize + 2)] }
    }

    #[inline]
    fn word(&self, x: i32, y: i32) -> usize {
        (y + 1) as usize * self.stride + (x >> 6) as usize
    }

    #[inline]
    fn get(&self, x: i32, y: i32) -> bool {
        x >= 0 && self.words[self.word(x, y)] >> (x & 63) & 1 != 0
    }

    fn set(&mut self, x: i32, y: i32, on: bool) {
        let at = self.word(x, y);
        let bit = 1 << (x & 63);
        self.words[at] = if on { self.words[at] | bit } else { self.words[at] & !bit };
    }

    /// The first place from `x` on, and before `end`, where the bit is `on`; `end` if there is
    /// none.
    #[inline]
    fn next(&self, x: i32, y: i32, on: bool, end: i32) -> i32 {
        if x >= end {
            return end;
        }
        let flip = if on { 0 } else { !0 };
        let (mut at, mut first) = (self.word(x, y), x & !63);
        let mut word = (self.words[at] ^ flip) & (!0 << (x & 63));
        while word == 0 {
            (at, first) = (at + 1, first + 64);
            if first >= end {
                return end;
            }
            word = self.words[at] ^ flip;
        }
        (first + word.trailing_zeros() as i32).min(end)
    }

    /// Whether all bits from `x` to before `end` are ones.
    #[inline]
    fn are_ones(&self, x: i32, end: i32, y: i32) -> bool {
        let count = end - x;
        if count <= 0 {
            return true;
        }
        if (x & 63) + count <= 64 {
            let mask = !0_u64 >> (64 - count) << (x & 63);
            return self.words[self.word(x, y)] & mask == mask;
        }
        self.next(x, y, false, end) == end
    }

    /// Where the run of ones that `x` is in begins.
    #[inline]
    fn run_start(&self, x: i32, y: i32) -> i32 {
        let (mut at, mut first) = (self.word(x, y), x & !63);
        let mut zeros = !self.words[at] & !(!1 << (x & 63));
        while zeros == 0 {
            if first == 0 {
                return 0;
            }
            (at, first) = (at - 1, first - 64);
            zeros = !self.words[at];
        }
        first + 64 - zeros.leading_zeros() as i32
    }
}

/// A wall at a corner of tiles: the other three are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bend {
    /// On which side of the corner the wall lies: -1 or 1.
    pub(super) x: i64,
    pub(super) y: i64,
}

/// The map as scans see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) width: i32,
    pub(super) height: i32,
    free: Rows,
    /// Corners of tiles at which exactly one of the four is wall.
    bends: Rows,
    /// How many of these lie before each word.
    ranks: Vec<u32>,
    /// Different for maps that differ.
    stamp: Stamp,
}

/// A number that no other map has had; copies share it. All are equal, so that maps are compared by
/// what they are.
#[derive(Clone, Copy, Debug)]
struct Stamp(u64);

impl Stamp {
    fn new() -> Stamp {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Stamp(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl PartialEq for Stamp {
    fn eq(&self, _: &Stamp) -> bool {
        true
    }
}

impl Eq for Stamp {}

impl Plane {
    pub(super) fn new(grid: &Grid) -> Plane {
        let (width, height) = (grid.width(), grid.height());
        let free = Rows::new(width, height);
        let mut plane = Plane {
            width: width as i32,
            height: height as i32,
            free,
            bends: Rows::new(width + 1, height + 1),
            ranks: Vec::new(),
            stamp: Stamp::new(),
        };
        for cell in 0..grid.tiles() {
            let tile = grid.tile(CellId::from_index(cell));
            if grid.is_free(tile) {
                plane.free.set(tile.x.into(), tile.y.into(), true);
            }
        }
        plane.find_bends();
        plane.count();
        plane
    }

    /// Finds all corners at which exactly one of the four tiles is wall, 64 at a time.
    fn find_bends(&mut self) {
        let row = |y: i32, n: usize| self.free.words.get(self.free.word(0, y) + n).copied();
        let beside = |y: i32, n: usize| {
            let word = row(y, n).unwrap_or(0);
            // The tile to the left of each.
            let before = n.checked_sub(1).and_then(|n| row(y, n)).unwrap_or(0);
            (word, word << 1 | before >> 63)
        };
        for y in 0..=self.height {
            for n in 0..=self.width as usize / 64 {
                let ((above, left), (below, under)) = (beside(y - 1, n), beside(y, n));
                let three = above & left & (below ^ under) | below & under & (above ^ left);
                let at = self.bends.word(64 * n as i32, y);
                self.bends.words[at] = three;
            }
        }
    }

    /// Numbers the corners anew.
    fn count(&mut self) {
        self.stamp = Stamp::new();
        self.ranks.clear();
        let mut before = 0;
        self.ranks.extend(self.bends.words.iter().map(|word| {
            let rank = before;
            before += word.count_ones();
            rank
        }));
    }

    /// What no other map has.
    pub(super) fn stamp(&self) -> u64 {
        self.stamp.0
    }

    /// How many corners there are at which a path may bend.
    pub(super) fn bend_count(&self) -> usize {
        let last = self.bends.words.last().map_or(0, |word| word.count_ones());
        self.ranks.last().map_or(0, |&rank| (rank + last) as usize)
    }

    /// The number of a corner at which a path may bend, row by row.
    #[inline]
    pub(super) fn rank(&self, x: i32, y: i32) -> usize {
        let at = self.bends.word(x, y);
        let before = self.bends.words[at] & !(!0 << (x & 63));
        (self.ranks[at] + before.count_ones()) as usize
    }

    /// Takes over tiles that became free or wall.
    pub(super) fn update(&mut self, grid: &Grid, changed: &[Tile]) {
        for &tile in changed {
            self.free.set(tile.x.into(), tile.y.into(), grid.is_free(tile));
        }
        changed.iter().for_each(|&tile| self.set_bends(tile));
        self.count();
    }

    /// Takes over tiles that are now walls; those outside the map are left out.
    pub(super) fn close(&mut self, tiles: impl Iterator<Item = Tile>) {
        let inside = |tile: &Tile| self.contains(tile.x.into(), tile.y.into());
        let tiles: Vec<Tile> = tiles.filter(inside).collect();
        for &tile in &tiles {
            self.free.set(tile.x.into(), tile.y.into(), false);
        }
        tiles.into_iter().for_each(|tile| self.set_bends(tile));
        self.count();
    }

    /// The corners of a tile.
    fn set_bends(&mut self, tile: Tile) {
        let (x, y) = (i32::from(tile.x), i32::from(tile.y));
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            self.set_bend(x + dx, y + dy);
        }
    }

    /// Whether a tile is one of the map.
    pub(super) fn contains(&self, x: i32, y: i32) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    fn set_bend(&mut self, x: i32, y: i32) {
        let around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
        let walls = around.iter().filter(|&&(x, y)| !self.is_free(x, y)).count();
        self.bends.set(x, y, walls == 1);
    }

    pub(super) fn bytes(&self) -> usize {
        8 * (self.free.words.len() + self.bends.words.len()) + 4 * self.ranks.len()
    }

    /// Whether a tile is free; it may lie one step outside the map.
    #[inline]
    pub(super) fn is_free(&self, x: i32, y: i32) -> bool {
        self.free.get(x, y)
    }

    #[inline]
    pub(super) fn is_bend(&self, x: i32, y: i32) -> bool {
        self.bends.get(x, y)
    }

    /// All corners at which a path may bend, row by row.
    pub(super) fn bends(&self) -> Vec<(i32, i32)> {
        let mut all = Vec::new();
        (0..=self.height).for_each(|y| self.each_bend(0, self.width, y, |x| all.push((x, y))));
        all
    }

    /// Where the wall lies at a corner at which a path may bend.
    pub(super) fn bend(&self, x: i32, y: i32) -> Bend {
        let is_wall =
            |dx: i64, dy: i64| !self.is_free(x - i32::from(dx < 0), y - i32::from(dy < 0));
        let sides = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
        let (x, y) = sides.into_iter().find(|&(dx, dy)| is_wall(dx, dy)).unwrap_or((1, 1));
        Bend { x, y }
    }

    /// Whether two walls touch at this corner and nothing else: no path passes between them.
    #[inline]
    pub(super) fn is_shut(&self, x: i32, y: i32) -> bool {
        let free = |dx, dy| self.is_free(x - dx, y - dy);
        (!free(0, 0) && !free(1, 1)) || (!free(1, 0) && !free(0, 1))
    }

    /// Whether all tiles of a row from `x` to before `end` are free.
    #[inline]
    pub(super) fn are_free(&self, x: i32, end: i32, y: i32) -> bool {
        x >= 0 && self.free.are_ones(x, end, y)
    }

    /// The first free tile of a row from `x` on; `end` if there is none before it.
    #[inline]
    pub(super) fn next_free(&self, x: i32, y: i32, end: i32) -> i32 {
        self.free.next(x.max(0), y, true, end)
    }

    /// The run of free tiles that a free tile is in: its first, and the one behind its last.
    #[inline]
    pub(super) fn run(&self, x: i32, y: i32) -> (i32, i32) {
        (self.free.run_start(x, y), self.free.next(x, y, false, self.width))
    }

    /// Calls `visit` with every corner of a line, from `x` to `last`, at which a path may bend.
    #[inline]
    pub(super) fn each_bend(&self, x: i32, last: i32, y: i32, mut visit: impl FnMut(i32)) {
        let end = (last + 1).min(self.width + 1);
        let mut at = self.bends.next(x.max(0), y, true, end);
        while at < end {
            visit(at);
            at = self.bends.next(at + 1, y, true, end);
        }
    }
}
