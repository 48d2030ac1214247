//! Which corners a tile may go to first: lists per block of 8 x 8 tiles.
//!
//! A block lists the corners that any of its tiles is connected to, each with a mask of
//! those tiles. Most masks occur in many blocks, so a list holds their numbers.
//!
//! A list is made of 16-bit words: for each corner, in the order of their numbers, how
//! much its number exceeds the one before, and the number of its mask. Where one of
//! them does not fit, [`LONG`] stands in its place and the whole follows.

use std::collections::HashMap;

use super::slab::Slab;
use crate::grid::Tile;
use crate::taut::{CornerBits, Rules, Span};

/// Stands for what does not fit a word.
const LONG: u16 = u16::MAX;

/// Of a block, a corner and the tiles that are connected to it.
pub(super) type Via = (u32, u64);

/// The lists of all blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Vias {
    /// Blocks in a row.
    across: u32,
    lists: Slab<u16>,
    /// The masks that lists hold by number.
    masks: Vec<u64>,
}

impl Vias {
    /// The lists of a map of this size, whose corners have these tiles and patterns.
    pub(super) fn new(
        (width, height): (u32, u32),
        bits: &CornerBits,
        rules: &Rules,
        corners: impl Iterator<Item = (Tile, u8)>,
    ) -> Vias {
        let across = width.div_ceil(8);
        let blocks = (across * height.div_ceil(8)) as usize;
        let mut gather = Gather::new(across, blocks);
        let mut counts = vec![0_u32; blocks + 1];
        let mut found: Vec<(u32, u32, u64)> = Vec::new();
        let mut uses: HashMap<u64, u32> = HashMap::new();
        for (corner, (tile, pattern)) in (0..).zip(corners) {
            gather.scan(bits, rules, tile, rules.ends(pattern));
            gather.take(|block, mask| {
                counts[block as usize + 1] += 1;
                *uses.entry(mask).or_default() += 1;
                found.push((block, corner, mask));
            });
        }
        // The masks used most have numbers.
        let mut ranked: Vec<(u32, u64)> = uses.iter().map(|(&mask, &n)| (n, mask)).collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked.truncate(usize::from(LONG));
        let masks: Vec<u64> = ranked.into_iter().map(|(_, mask)| mask).collect();
        let numbers: HashMap<u64, u16> = (0..).zip(&masks).map(|(n, &mask)| (mask, n)).collect();
        // By block, corners in order.
        (0..blocks).for_each(|block| counts[block + 1] += counts[block]);
        let mut next = counts.clone();
        let mut sorted: Vec<Via> = vec![(0, 0); found.len()];
        for (block, corner, mask) in found {
            sorted[next[block as usize] as usize] = (corner, mask);
            next[block as usize] += 1;
        }
        let mut vias = Vias { across, lists: Slab::new(blocks), masks };
        let mut words = Vec::new();
        for block in 0..blocks {
            let list = &sorted[counts[block] as usize..counts[block + 1] as usize];
            encode(list, |mask| numbers.get(&mask).copied(), &mut words);
            vias.lists.set(block as u32, &words);
        }
        vias
    }

    /// The block of a tile and the tile's place in it.
    #[inline]
    fn place(&self, tile: Tile) -> (u32, u32) {
        let (x, y) = (u32::from(tile.x), u32::from(tile.y));
        ((y >> 3) * self.across + (x >> 3), (y & 7) << 3 | (x & 7))
    }

    /// Calls `visit` for the corners that a tile is connected to.
    #[inline]
    pub(super) fn each(&self, tile: Tile, mut visit: impl FnMut(u32)) {
        let (block, lane) = self.place(tile);
        self.each_in(block, |corner, mask| {
            if mask >> lane & 1 != 0 {
                visit(corner);
            }
        });
    }

    /// Calls `visit` for the corners that a block lists, with their masks.
    #[inline]
    pub(super) fn each_in(&self, block: u32, mut visit: impl FnMut(u32, u64)) {
        let mut words = self.lists.get(block).iter().copied();
        let mut corner = 0_u32;
        while let Some(word) = words.next() {
            let mut next = || u64::from(words.next().unwrap_or(0));
            corner = match word {
                LONG => (next() | next() << 16) as u32,
                step => corner + u32::from(step),
            };
            let mask = match next() as u16 {
                LONG => next() | next() << 16 | next() << 32 | next() << 48,
                number => self.masks[usize::from(number)],
            };
            visit(corner, mask);
        }
    }

    /// Replaces the list of a block; corners must be in order.
    pub(super) fn set(&mut self, block: u32, list: &[Via]) {
        let mut words = Vec::new();
        // The numbers of rare masks are not looked for.
        let common = |mask| self.masks.iter().take(16).position(|&m| m == mask).map(|n| n as u16);
        encode(list, common, &mut words);
        self.lists.set(block, &words);
    }

    /// Blocks in a row.
    pub(super) fn across(&self) -> u32 {
        self.across
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.lists.owners()
    }

    /// Gives back memory after many changes.
    pub(super) fn tidy(&mut self) {
        self.lists.tidy();
    }

    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + 8 * self.masks.len()
    }
}

fn encode(list: &[Via], number: impl Fn(u64) -> Option<u16>, words: &mut Vec<u16>) {
    words.clear();
    let mut before = 0;
    for &(corner, mask) in list {
        match u16::try_from(corner - before) {
            Ok(step) if step != LONG => words.push(step),
            _ => words.extend([LONG, corner as u16, (corner >> 16) as u16]),
        }
        match number(mask) {
            Some(number) => words.push(number),
            None => {
                words.push(LONG);
                words.extend([0, 16, 32, 48].map(|shift| (mask >> shift) as u16));
            }
        }
        before = corner;
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
