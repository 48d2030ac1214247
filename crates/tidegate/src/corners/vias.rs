//! Which corners a tile may go to first: lists per block of 8 x 8 tiles.
//!
//! A block lists the corners that any of its tiles is connected to, each with a mask of
//! those tiles. Most masks occur in many blocks, so a list holds their numbers.
//!
//! A list is made of 16-bit words: for each corner, in the order of their numbers, how
//! much its number exceeds the one before, and the number of its mask. Where one of
//! them does not fit, [`LONG`] stands in its place and the whole follows.

use std::cmp::Reverse;

use super::gather::{Chunks, Gather, Masks};
use super::slab::Slab;
use crate::grid::Tile;
use crate::taut::{CornerBits, Rules};

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
        let (mut found, mut known) = (Chunks::new(blocks), Masks::default());
        for (corner, (tile, pattern)) in (0..).zip(corners) {
            gather.scan(bits, rules, tile, rules.ends(pattern));
            gather.take(|block, mask| found.push(block, (corner, known.count(mask))));
        }
        // The masks used most have numbers.
        let mut ranked: Vec<u32> = (0..known.masks.len() as u32).collect();
        ranked.sort_unstable_by_key(|&n| {
            let (mask, uses) = known.masks[n as usize];
            (Reverse(uses), mask)
        });
        ranked.truncate(usize::from(LONG));
        let mut numbers = vec![LONG; known.masks.len()];
        (0..).zip(&ranked).for_each(|(number, &n)| numbers[n as usize] = number);
        let masks = ranked.iter().map(|&n| known.masks[n as usize].0).collect();
        let mut vias = Vias { across, lists: Slab::new(blocks), masks };
        let mut words = Vec::new();
        for block in 0..blocks as u32 {
            let list = found.get(block).map(|&(corner, n)| {
                let number = Some(numbers[n as usize]).filter(|&number| number != LONG);
                (corner, known.masks[n as usize].0, number)
            });
            encode(list, &mut words);
            vias.lists.set(block, &words);
        }
        vias.lists.shrink();
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
        encode(list.iter().map(|&(corner, mask)| (corner, mask, common(mask))), &mut words);
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

/// Writes a list as words: corners in order, each with its mask and the mask's number.
fn encode(list: impl Iterator<Item = (u32, u64, Option<u16>)>, words: &mut Vec<u16>) {
    words.clear();
    let mut before = 0;
    for (corner, mask, number) in list {
        match u16::try_from(corner - before) {
            Ok(step) if step != LONG => words.push(step),
            _ => words.extend([LONG, corner as u16, (corner >> 16) as u16]),
        }
        match number {
            Some(number) => words.push(number),
            None => {
                words.push(LONG);
                words.extend([0, 16, 32, 48].map(|shift| (mask >> shift) as u16));
            }
        }
        before = corner;
    }
}
