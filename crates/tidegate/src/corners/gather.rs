//! Gathering which tiles are connected to which corners, while the lists of blocks are
//! made: what must be held for every connection is kept small.

use crate::grid::Tile;
use crate::taut::{CornerBits, Rules, Span};

/// How many entries a chunk holds.
const CHUNK: usize = 16;
/// No chunk.
const NONE: u32 = u32::MAX;

/// Lists that grow side by side, in chunks: nothing moves when one grows.
pub(super) struct Chunks {
    /// By list: its first and its last chunk, and how many entries that one has.
    ends: Vec<(u32, u32, u32)>,
    chunks: Vec<([(u32, u32); CHUNK], u32)>,
}

impl Chunks {
    pub(super) fn new(lists: usize) -> Chunks {
        Chunks { ends: vec![(NONE, NONE, CHUNK as u32); lists], chunks: Vec::new() }
    }

    pub(super) fn push(&mut self, list: u32, entry: (u32, u32)) {
        let (first, last, len) = &mut self.ends[list as usize];
        if *len as usize == CHUNK {
            let new = self.chunks.len() as u32;
            match self.chunks.get_mut(*last as usize) {
                Some(last) => last.1 = new,
                None => *first = new,
            }
            self.chunks.push(([(0, 0); CHUNK], NONE));
            (*last, *len) = (new, 0);
        }
        self.chunks[*last as usize].0[*len as usize] = entry;
        *len += 1;
    }

    /// The entries of a list in the order of their coming.
    pub(super) fn get(&self, list: u32) -> impl Iterator<Item = &(u32, u32)> {
        let (first, last, len) = self.ends[list as usize];
        let mut next = first;
        std::iter::from_fn(move || {
            let (entries, after) = self.chunks.get(next as usize)?;
            let count = if next == last { len as usize } else { CHUNK };
            next = *after;
            Some(&entries[..count])
        })
        .flatten()
    }
}

/// Masks with how often they are used, numbered as they come.
#[derive(Default)]
pub(super) struct Masks {
    pub(super) masks: Vec<(u64, u32)>,
    /// A hash table with open addressing: numbers of masks from 1; at most half is used.
    table: Vec<u32>,
}

impl Masks {
    /// The number of a mask; counts its use.
    #[inline]
    pub(super) fn count(&mut self, mask: u64) -> u32 {
        if 2 * self.masks.len() >= self.table.len() {
            self.grow();
        }
        let at = self.find(mask);
        if self.table[at] == 0 {
            self.masks.push((mask, 0));
            self.table[at] = self.masks.len() as u32;
        }
        let number = self.table[at] - 1;
        self.masks[number as usize].1 += 1;
        number
    }

    /// Where the mask stands in the table, or would.
    #[inline]
    fn find(&self, mask: u64) -> usize {
        let end = self.table.len() - 1;
        let mixed = (mask ^ mask >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut at = (mixed >> 32) as usize & end;
        while self.table[at] != 0 && self.masks[self.table[at] as usize - 1].0 != mask {
            at = (at + 1) & end;
        }
        at
    }

    fn grow(&mut self) {
        let size = (2 * self.table.len()).max(1024);
        self.table = vec![0; size];
        for number in 0..self.masks.len() {
            let at = self.find(self.masks[number].0);
            self.table[at] = number as u32 + 1;
        }
    }
}

/// The tiles that are connected to one corner, gathered by block.
#[derive(Debug)]
pub(super) struct Gather {
    across: u32,
    seen: Vec<u64>,
    touched: Vec<u32>,
}

impl Gather {
    pub(super) fn new(across: u32, blocks: usize) -> Gather {
        Gather { across, seen: vec![0; blocks], touched: Vec::new() }
    }

    /// Adds what a tile sees in these classes.
    pub(super) fn scan(&mut self, bits: &CornerBits, rules: &Rules, from: Tile, classes: u16) {
        let Gather { across, seen, touched } = self;
        bits.each_span(rules, from, classes, |span| {
            each_block(span, *across, |block, mask| {
                if seen[block as usize] == 0 {
                    touched.push(block);
                }
                seen[block as usize] |= mask;
            });
        });
    }

    /// Calls `visit` with blocks and masks, and is empty again.
    pub(super) fn take(&mut self, mut visit: impl FnMut(u32, u64)) {
        for block in self.touched.drain(..) {
            visit(block, std::mem::take(&mut self.seen[block as usize]));
        }
    }
}

/// Cuts a span into blocks: for each its number and the mask of the tiles.
#[inline]
fn each_block(span: Span, across: u32, mut visit: impl FnMut(u32, u64)) {
    let (first, last) = if span.up {
        (span.position + 1, span.position + span.count)
    } else {
        (span.position - span.count, span.position - 1)
    };
    let (line, first, last) = (span.line as u32, first as u32, last as u32);
    for part in first >> 3..=last >> 3 {
        let low = if part == first >> 3 { first & 7 } else { 0 };
        let high = if part == last >> 3 { last & 7 } else { 7 };
        // Tiles low to high of the eight: in a row side by side, in a column 8 apart.
        if span.upright {
            let tiles = 0x0101_0101_0101_0101_u64 >> (8 * (7 - (high - low))) << (8 * low);
            visit(part * across + (line >> 3), tiles << (line & 7));
        } else {
            let tiles = 0xFF_u64 >> (7 - (high - low)) << low;
            visit((line >> 3) * across + part, tiles << (8 * (line & 7)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn chunks_keep_every_list_in_order() {
        let (mut chunks, mut plain) = (Chunks::new(5), vec![Vec::new(); 5]);
        let mut rng = Rng::new(1);
        for n in 0..300 {
            // List 4 stays empty.
            let list = rng.below(4);
            chunks.push(list as u32, (n, n * n));
            plain[list].push((n, n * n));
        }
        for (n, list) in (0..).zip(&plain) {
            assert!(chunks.get(n).eq(list));
        }
    }

    #[test]
    fn masks_are_numbered_once_and_counted() {
        let (mut masks, mut rng) = (Masks::default(), Rng::new(2));
        let drawn: Vec<u64> = (0..3000).map(|_| rng.bits() << (rng.below(2) * 32)).collect();
        let first: Vec<u32> = drawn.iter().map(|&mask| masks.count(mask)).collect();
        for (&mask, &number) in drawn.iter().zip(&first) {
            assert_eq!(masks.count(mask), number);
            assert_eq!(masks.masks[number as usize].0, mask);
        }
        let uses: u32 = masks.masks.iter().map(|m| m.1).sum();
        assert_eq!(uses, 6000);
    }
}
