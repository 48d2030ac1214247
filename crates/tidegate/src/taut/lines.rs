//! The rows (or columns) of a map as bits, 64 tiles to a word: which are free, and which
//! are corners. Around the map lie lines and words of wall, so that no scan has to ask
//! for the border.

/// 64 tiles of a line, lowest position in the lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word {
    free: u64,
    corners: u64,
}

/// All lines of a map in one orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Lines, with one of wall on either side: the words of neighbouring lines lie side
    /// by side in memory, because a scan goes from line to line.
    stride: usize,
    words: Vec<Word>,
}

impl Lines {
    /// So many lines of this length, all wall.
    pub(super) fn new(count: u32, length: u32) -> Lines {
        let stride = count as usize + 2;
        Lines { stride, words: vec![Word::default(); stride * (length.div_ceil(64) as usize + 2)] }
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.len() * size_of::<Word>()
    }

    #[inline]
    fn at(&self, line: i32, position: i32) -> usize {
        ((position >> 6) + 1) as usize * self.stride + (line + 1) as usize
    }

    pub(super) fn set_free(&mut self, line: i32, position: i32, free: bool) {
        let at = self.at(line, position);
        set(&mut self.words[at].free, position, free);
    }

    pub(super) fn set_corner(&mut self, line: i32, position: i32, corner: bool) {
        let at = self.at(line, position);
        set(&mut self.words[at].corners, position, corner);
    }

    /// Whether the tile is free. It may lie one step outside the map.
    #[inline]
    pub(super) fn is_free(&self, line: i32, position: i32) -> bool {
        self.words[self.at(line, position)].free >> (position & 63) & 1 != 0
    }

    /// Of the 64 tiles from `position` (a multiple of 64) on, those that are free and
    /// have a wall among their eight neighbours.
    pub(super) fn beside_walls(&self, line: i32, position: i32) -> u64 {
        let at = self.at(line, position);
        let around = |at: usize| {
            let here = self.words[at].free;
            let before = here << 1 | self.words[at - self.stride].free >> 63;
            let after = here >> 1 | self.words[at + self.stride].free << 63;
            here & before & after
        };
        self.words[at].free & !(around(at - 1) & around(at) & around(at + 1))
    }

    /// How many free tiles follow after `position`, upwards or downwards; what lies
    /// beyond `limit` is not looked at.
    #[inline]
    pub(super) fn run(&self, line: i32, position: i32, up: bool, limit: i32) -> i32 {
        let mut at = self.at(line, position);
        let bit = position & 63;
        if up {
            // Not a shift by one more than the position: a shift by 64 would be none.
            let mut walls = !self.words[at].free & (!1 << bit);
            let mut passed = -1 - bit;
            while walls == 0 {
                passed += 64;
                if passed >= limit {
                    return limit;
                }
                at += self.stride;
                walls = !self.words[at].free;
            }
            (passed + walls.trailing_zeros() as i32).min(limit)
        } else {
            let mut walls = !self.words[at].free & !(!0 << bit);
            let mut passed = bit - 64;
            while walls == 0 {
                passed += 64;
                if passed >= limit {
                    return limit;
                }
                at -= self.stride;
                walls = !self.words[at].free;
            }
            (passed + walls.leading_zeros() as i32).min(limit)
        }
    }

    /// Calls `visit` with the position of every corner among the `count` tiles after
    /// `position`, nearest first.
    #[inline]
    pub(super) fn each_corner(
        &self,
        line: i32,
        position: i32,
        up: bool,
        count: i32,
        mut visit: impl FnMut(i32),
    ) {
        let (first, last) =
            if up { (position + 1, position + count) } else { (position - count, position - 1) };
        if first > last {
            return;
        }
        let inside = |block: i32| {
            let low = if block == first >> 6 { !0 << (first & 63) } else { !0 };
            let high = if block == last >> 6 { !0 >> (63 - (last & 63)) } else { !0 };
            self.words[self.at(line, block << 6)].corners & low & high
        };
        if up {
            for block in first >> 6..=last >> 6 {
                let mut found = inside(block);
                while found != 0 {
                    visit((block << 6) + found.trailing_zeros() as i32);
                    found &= found - 1;
                }
            }
        } else {
            for block in (first >> 6..=last >> 6).rev() {
                let mut found = inside(block);
                while found != 0 {
                    let bit = 63 - found.leading_zeros();
                    visit((block << 6) + bit as i32);
                    found ^= 1 << bit;
                }
            }
        }
    }
}

fn set(word: &mut u64, position: i32, on: bool) {
    let bit = 1_u64 << (position & 63);
    *word = if on { *word | bit } else { *word & !bit };
}
