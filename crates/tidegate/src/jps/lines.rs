//! The rows (or columns) of a map as bits, 64 tiles to a word, and the scan along them.
//!
//! Each word holds three facts for its 64 tiles: which are free, and at which a scan
//! must stop that comes from below (`up`) or from above (`down`). A scan stops at a wall
//! and where the walls beside the line let a shortest path turn. Around the map lie
//! lines and words of pure wall, so that a scan ends without ever asking for the border.

use std::ops::Range;

use super::View;
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
    /// Lines, with one of wall on either side: the words of neighbouring lines lie side
    /// by side in memory, because a diagonal run goes from line to line.
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
        let stride = count + 2;
        let wall = Word { free: 0, up: !0, down: !0 };
        let mut lines = Lines { stride, words: vec![wall; stride * (length.div_ceil(64) + 2)] };
        for cell in grid.free_cells() {
            lines.set(place(grid.tile(cell), columns), true);
        }
        for line in 0..count {
            lines.refresh(line, 0..length.div_ceil(64), grid.movement());
        }
        lines
    }

    /// Where the word of a tile is kept.
    #[inline]
    fn at(&self, line: i32, position: i32) -> usize {
        ((position >> 6) + 1) as usize * self.stride + (line + 1) as usize
    }

    /// Takes over tiles that became free or wall. A tile tells on the words that hold it and
    /// its neighbours in this line and the two beside it, and on no other.
    pub(super) fn update(&mut self, view: View<'_>, changed: &[Tile], columns: bool) {
        for &tile in changed {
            self.set(place(tile, columns), view.is_free(tile));
        }
        let blocks = self.words.len() / self.stride - 2;
        for &tile in changed {
            let (line, position) = place(tile, columns);
            let blocks = position.saturating_sub(1) / 64..((position + 1) / 64 + 1).min(blocks);
            for line in line.saturating_sub(1)..(line + 2).min(self.stride - 2) {
                self.refresh(line, blocks.clone(), view.grid.movement());
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>()
    }

    fn set(&mut self, (line, position): (usize, usize), free: bool) {
        let bit = 1u64 << (position & 63);
        let at = self.at(line as i32, position as i32);
        let word = &mut self.words[at];
        word.free = if free { word.free | bit } else { word.free & !bit };
    }

    /// Works out where scans along a line must stop, in these blocks of 64 tiles.
    fn refresh(&mut self, line: usize, blocks: Range<usize>, movement: Movement) {
        for at in blocks.map(|block| (block + 1) * self.stride + line + 1) {
            let free = self.words[at].free;
            let before =
                |at: usize| self.words[at].free << 1 | self.words[at - self.stride].free >> 63;
            let after =
                |at: usize| self.words[at].free >> 1 | self.words[at + self.stride].free << 63;
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
            let (above, below) = (turns(at - 1), turns(at + 1));
            let word = &mut self.words[at];
            word.up = !free | above.0 | below.0;
            word.down = !free | above.1 | below.1;
        }
    }

    /// Whether a scan may stop here to turn.
    pub(super) fn is_turn(&self, line: usize, position: usize) -> bool {
        let word = self.words[self.at(line as i32, position as i32)];
        word.free & (word.up | word.down) & 1 << (position & 63) != 0
    }

    /// Whether the tile is free. It may lie one step outside the map.
    #[inline]
    pub(super) fn is_free(&self, line: i32, position: i32) -> bool {
        self.words[self.at(line, position)].free >> (position & 63) & 1 != 0
    }

    /// The first stop after `position`, and whether it is free (a place to turn) or not
    /// (a wall).
    #[inline]
    pub(super) fn scan_up(&self, line: i32, position: i32) -> (i32, bool) {
        let mut at = self.at(line, position);
        let mut block = position & !63;
        let mut word = self.words[at];
        // Not a shift by one more than the position: a shift by 64 would be none.
        let mut stops = word.up & (!1 << (position & 63));
        while stops == 0 {
            at += self.stride;
            block += 64;
            word = self.words[at];
            stops = word.up;
        }
        let bit = stops.trailing_zeros();
        (block + bit as i32, word.free >> bit & 1 != 0)
    }

    /// The first stop before `position`, and whether it is free.
    #[inline]
    pub(super) fn scan_down(&self, line: i32, position: i32) -> (i32, bool) {
        let mut at = self.at(line, position);
        let mut block = position & !63;
        let mut word = self.words[at];
        let mut stops = word.down & !(!0 << (position & 63));
        while stops == 0 {
            at -= self.stride;
            block -= 64;
            word = self.words[at];
            stops = word.down;
        }
        let bit = 63 - stops.leading_zeros();
        (block + bit as i32, word.free >> bit & 1 != 0)
    }
}

fn place(tile: Tile, columns: bool) -> (usize, usize) {
    let (x, y) = (usize::from(tile.x), usize::from(tile.y));
    if columns { (x, y) } else { (y, x) }
}
