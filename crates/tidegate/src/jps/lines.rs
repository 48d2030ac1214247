//! The rows (or columns) of a map as bits, 64 tiles to a word, and the scan along them.
//!
//! Each word holds three facts for its 64 tiles: which are free, and at which a scan
//! must stop that comes from below (`up`) or from above (`down`). A scan stops at a wall
//! and where the walls beside the line let a shortest path turn. Around the map lie
//! lines and words of pure wall, so that a scan ends without ever asking for the border.

use crate::grid::{Grid, Movement, Tile};

/// 64 tiles of a line, lowest position in the lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word {
    free: u64,
    up: u64,
    down: u64,
}

/// All lines of a map in one orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    /// Words per line, with one of wall on either side.
    stride: usize,
    words: Vec<Word>,
}

impl Lines {
    /// The rows of a grid, or its columns.
    pub(super) fn new(grid: &Grid, columns: bool) -> Lines {
        let (count, length) = match columns {
            false => (grid.height() as usize, grid.width() as usize),
            true => (grid.width() as usize, grid.height() as usize),
        };
        let stride = length.div_ceil(64) + 2;
        let mut lines = Lines { stride, words: vec![Word::default(); stride * (count + 2)] };
        for cell in grid.free_cells() {
            lines.set(place(grid.tile(cell), columns), true);
        }
        for line in 0..count {
            lines.refresh(line, grid.movement());
        }
        // The lines above and below the map stay without stops: nothing scans them.
        lines.words.iter_mut().step_by(stride).for_each(|w| (w.up, w.down) = (!0, !0));
        lines
            .words
            .iter_mut()
            .skip(stride - 1)
            .step_by(stride)
            .for_each(|w| (w.up, w.down) = (!0, !0));
        lines
    }

    /// Takes over a tile that became free or wall.
    pub(super) fn update(&mut self, grid: &Grid, tile: Tile, columns: bool) {
        let (line, position) = place(tile, columns);
        self.set((line, position), grid.is_free(tile));
        let count = self.words.len() / self.stride - 2;
        for line in line.saturating_sub(1)..(line + 2).min(count) {
            self.refresh(line, grid.movement());
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>()
    }

    fn set(&mut self, (line, position): (usize, usize), free: bool) {
        let bit = 1u64 << (position & 63);
        let word = &mut self.words[(line + 1) * self.stride + 1 + position / 64];
        word.free = if free { word.free | bit } else { word.free & !bit };
    }

    /// Works out where scans along a line must stop.
    fn refresh(&mut self, line: usize, movement: Movement) {
        let first = (line + 1) * self.stride;
        for at in first + 1..first + self.stride - 1 {
            let free = self.words[at].free;
            let before = |at: usize| self.words[at].free << 1 | self.words[at - 1].free >> 63;
            let after = |at: usize| self.words[at].free >> 1 | self.words[at + 1].free << 63;
            let turns = |side: usize| {
                let beside = self.words[side].free;
                match movement {
                    // The tile beside is free and the one before it is wall: the turn
                    // could not be made earlier.
                    Movement::NoCornerCutting | Movement::FourConnected => {
                        (beside & !before(side), beside & !after(side))
                    }
                    // The tile beside is wall and the one after it is free: a diagonal
                    // step round its corner.
                    Movement::OneSideFree => {
                        (!beside & after(side) & after(at), !beside & before(side) & before(at))
                    }
                }
            };
            let (above, below) = (turns(at - self.stride), turns(at + self.stride));
            let word = &mut self.words[at];
            word.up = !free | above.0 | below.0;
            word.down = !free | above.1 | below.1;
        }
    }

    /// Whether a scan may stop here to turn.
    pub(super) fn is_turn(&self, line: usize, position: usize) -> bool {
        let word = self.words[(line + 1) * self.stride + 1 + position / 64];
        word.free & (word.up | word.down) & 1 << (position & 63) != 0
    }

    /// Whether the tile is free. It may lie one step outside the map.
    #[inline]
    pub(super) fn is_free(&self, line: i32, position: i32) -> bool {
        let at = (line + 1) as usize * self.stride + ((position + 64) >> 6) as usize;
        self.words[at].free >> (position & 63) & 1 != 0
    }

    /// The first stop after `position`, and whether it is free (a place to turn) or not
    /// (a wall).
    #[inline]
    pub(super) fn scan_up(&self, line: i32, position: i32) -> (i32, bool) {
        let first = (line + 1) as usize * self.stride + 1;
        let mut at = first + (position >> 6) as usize;
        // Two shifts: a shift by 64 would be none.
        let mut stops = self.words[at].up & (!1 << (position & 63));
        while stops == 0 {
            at += 1;
            stops = self.words[at].up;
        }
        let bit = stops.trailing_zeros();
        ((((at - first) as i32) << 6) + bit as i32, self.words[at].free >> bit & 1 != 0)
    }

    /// The first stop before `position`, and whether it is free.
    #[inline]
    pub(super) fn scan_down(&self, line: i32, position: i32) -> (i32, bool) {
        let first = (line + 1) as usize * self.stride + 1;
        let mut at = first + (position >> 6) as usize;
        let mut stops = self.words[at].down & !(!0 << (position & 63));
        while stops == 0 {
            at -= 1;
            stops = self.words[at].down;
        }
        let bit = 63 - stops.leading_zeros();
        ((at as i32 - first as i32) * 64 + bit as i32, self.words[at].free >> bit & 1 != 0)
    }
}

fn place(tile: Tile, columns: bool) -> (usize, usize) {
    let (x, y) = (usize::from(tile.x), usize::from(tile.y));
    if columns { (x, y) } else { (y, x) }
}
