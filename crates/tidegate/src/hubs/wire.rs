//! Hub labels as words and back, with nothing trusted on the way in.
//!
//! Reading checks everything that a query relies on. Every tree word is a corner that sees the
//! corner before it, every via is seen by the tiles that may use it, and every entry names the
//! right hub, place and cost. So what was read, whoever wrote it, gives legal paths whose cost is
//! the cost stated, and no query can fail or run on for ever. Only that the paths are the
//! *shortest* rests on who built the labels.

use std::collections::HashMap;

use super::block::{Block, Layout, MAX_CORNERS, Parts, VIA_BITS};
use super::length::Length;
use super::store::HubStore;
use super::tree::{HubTrees, MAX_ROWS, Word};
use crate::artifact::Writer;
use crate::grid::Tile;
use crate::taut::walk::{pack, unpack};
use crate::threads;

/// Version of the layout.
const VERSION: u32 = 2;
/// The first version: vias were named by where they lie, and each had an entry for itself.
const FIRST: u32 = 1;
/// Words of the head; the last three are counts of the words that follow.
const HEAD: usize = 10;

/// Why words are not hub labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    /// They end too early, go on too long or are of another version.
    Words(&'static str),
    /// They belong to another map.
    Map,
    /// A tree is wrong, at this word.
    Tree(usize),
    /// A block is wrong.
    Block(usize),
}

/// What labels that are read are checked against.
pub(crate) trait Lines: Sync {
    /// How long paths are.
    type Length: Length;

    /// Whether a corner may lie here.
    fn is_corner(&self, corner: Tile) -> bool;
    /// The length of the straight way between two corners; `None` if it is not free.
    fn line(&self, from: Tile, to: Tile) -> Option<Self::Length>;
    /// Whether a tile of the map may go straight to a corner.
    fn reaches(&self, tile: Tile, corner: Tile) -> bool;
    /// A length as blocks keep it.
    fn stored(&self, length: Self::Length) -> u32;
    /// The most that blocks may keep, so that sums fit.
    fn most(&self) -> u32;
}

impl HubStore {
    /// Writes the labels, with one more number in the head. The same labels always give the same
    /// bytes.
    pub(crate) fn write(&self, kind: u32, out: &mut Writer) {
        let words = self.trees.words();
        let head: [u32; HEAD] = [
            VERSION,
            self.width,
            self.height,
            kind,
            self.layout.shift,
            self.layout.wide.into(),
            self.corners,
            self.blocks.len() as u32,
            self.words.len() as u32,
            words.len() as u32,
        ];
        for words in [&head, &self.blocks[..], &self.words, words] {
            out.raw_u32s(words);
        }
    }

    /// How many bytes at the beginning are labels, by what their head says.
    pub(crate) fn written_length(bytes: &[u8]) -> Option<usize> {
        let count = |n: usize| Some(u32::from_le_bytes(*bytes.get(4 * n..)?.first_chunk()?));
        let counts = u64::from(count(7)?) + u64::from(count(8)?) + u64::from(count(9)?);
        usize::try_from(4 * (HEAD as u64 + counts)).ok()
    }

    /// The labels of a map of this size from what [`HubStore::write`] made, and the number in the
    /// head, not [checked](HubStore::check).
    pub(crate) fn read(bytes: &[u8], (width, height): (u32, u32)) -> Result<(HubStore, u32), Bad> {
        use Bad::Words;
        if !bytes.len().is_multiple_of(4) {
            return Err(Words("not a whole number of words"));
        }
        let word = |four: &[u8]| four.iter().rev().fold(0, |word, &b| word << 8 | u32::from(b));
        let mut rest = bytes.chunks_exact(4).map(word);
        let mut next = || rest.next().ok_or(Words("cut short"));
        let found = next()?;
        if found != FIRST && found != VERSION {
            return Err(Words("of another version"));
        }
        let size = (next()?, next()?);
        let kind = next()?;
        if size != (width, height) {
            return Err(Bad::Map);
        }
        let (shift, wide, corners) = (next()?, next()?, next()?);
        if !(2..=3).contains(&shift) || wide > 1 {
            return Err(Words("unknown kind of blocks"));
        }
        let places = (u64::from(width) + 1) * (u64::from(height) + 1);
        if corners as usize >= MAX_CORNERS || u64::from(corners) > places || height > MAX_ROWS {
            return Err(Words("too large"));
        }
        let counts = [next()?, next()?, next()?].map(|count| count as usize);
        let side = 1 << shift;
        if counts[0] != (width.div_ceil(side) * height.div_ceil(side)) as usize {
            return Err(Words("wrong number of blocks"));
        }
        if counts.iter().sum::<usize>() != rest.len() {
            return Err(Words("cut short, or too long"));
        }
        let [blocks, words, trees] = counts.map(|count| rest.by_ref().take(count).collect());
        let layout = Layout { shift, wide: wide == 1 };
        let trees = HubTrees::from_words(trees);
        if corners as usize != trees.hubs() {
            return Err(Words("wrong number of hubs"));
        }
        let size = (width, height);
        let store = HubStore::new(size, layout, blocks, words, trees);
        Ok((if found == FIRST { store.in_todays_words()? } else { store }, kind))
    }

    /// What was read as words of the first version, in the words of today.
    fn in_todays_words(self) -> Result<HubStore, Bad> {
        let place = |hub: usize| (pack(self.place(hub as u32).unwrap_or_default()), hub as u32);
        let ranks: HashMap<u32, u32> = (0..self.corners as usize).map(place).collect();
        let mut chunks = Vec::with_capacity(self.blocks.len());
        let mut parts = Parts::default();
        for (number, &begin) in self.blocks.iter().enumerate() {
            let bad = Bad::Block(number);
            let block = self.block_at(begin).ok_or(bad)?;
            parts.vias.clear();
            parts.entries.clear();
            for place in block.vias {
                parts.vias.push((*ranks.get(place).ok_or(bad)?, 0));
            }
            for lane in 0..1 << (2 * self.layout.shift) {
                block.each_open(lane, |n, open| {
                    parts.vias[n].1 |= u64::from(open & 1) << lane;
                });
            }
            for (n, (&key, &cost)) in block.keys.iter().zip(block.costs).enumerate() {
                let (hub, via) = (key >> VIA_BITS, key & ((1 << VIA_BITS) - 1));
                let &(rank, _) = parts.vias.get(via as usize).ok_or(bad)?;
                if rank != hub {
                    parts.entries.push((hub, via, cost, block.position(n).ok_or(bad)?));
                }
            }
            chunks.push(parts.encode(self.layout));
        }
        let size = (self.width, self.height);
        let joined = HubStore::join(size, self.layout.shift, chunks, self.trees, u64::MAX);
        joined.map_err(|_| Bad::Words("too large"))
    }

    /// Checks everything that queries rely on.
    pub(crate) fn check(&self, lines: &impl Lines) -> Result<(), Bad> {
        let places = self.check_trees(lines)?;
        self.check_places()?;
        let bad = threads::map(
            self.blocks.len(),
            64,
            || (),
            |(), n| self.check_block(lines, n, &places).is_none(),
        );
        match bad.iter().position(|&b| b) {
            Some(block) => Err(Bad::Block(block)),
            None => Ok(()),
        }
    }

    /// Blocks must lie one after the other, so that checking takes time in proportion to
    /// the bytes; those without entries share the first word.
    fn check_places(&self) -> Result<(), Bad> {
        let mut end = 1;
        for (n, &begin) in self.blocks.iter().enumerate() {
            let block = self.block_at(begin).ok_or(Bad::Block(n))?;
            if begin == 0 && block.len() == 1 {
                continue;
            }
            if begin as usize != end {
                return Err(Bad::Block(n));
            }
            end += block.len();
        }
        if end == self.words.len() { Ok(()) } else { Err(Bad::Words("loose words")) }
    }

    /// Checks the trees; returns, for each word that is a corner, its hub and cost to it.
    fn check_trees<L: Lines>(&self, lines: &L) -> Result<Vec<(u32, L::Length)>, Bad> {
        let mut places: Vec<(u32, L::Length)> = Vec::new();
        let mut hubs = 0_u32;
        let mut before = None;
        for n in 0..self.trees.words().len() {
            let bad = Bad::Tree(n);
            let mut place = (u32::MAX, L::Length::ZERO);
            match self.trees.at(n as u32) {
                Word::End => {
                    hubs += 1;
                    before = None;
                }
                Word::Link(to) if (to as usize) < n => {
                    before = match self.trees.at(to) {
                        Word::Tile(corner) => Some((corner, places[to as usize])),
                        _ => return Err(bad),
                    };
                }
                Word::Tile(corner) if hubs > 0 && lines.is_corner(corner) => {
                    place = match before {
                        // The first word after an end is the hub.
                        None if matches!(self.trees.at(n as u32 - 1), Word::End) => {
                            (hubs - 1, L::Length::ZERO)
                        }
                        Some((from, (hub, cost))) => {
                            let leg = lines.line(from, corner).ok_or(bad)?;
                            (hub, leg.plus(cost).min(L::Length::INFINITY))
                        }
                        _ => return Err(bad),
                    };
                    if place.1 > L::Length::LIMIT {
                        return Err(bad);
                    }
                    before = Some((corner, place));
                }
                _ => return Err(bad),
            }
            places.push(place);
        }
        // The last word must be a corner, so that no link or end is left open.
        let open = matches!(places.last(), Some((u32::MAX, _)));
        if hubs != self.corners || hubs as usize != self.trees.hubs() || open {
            Err(Bad::Tree(places.len()))
        } else {
            Ok(places)
        }
    }

    /// Checks one block; `None` if anything in it is wrong.
    fn check_block<L: Lines>(
        &self,
        lines: &L,
        number: usize,
        places: &[(u32, L::Length)],
    ) -> Option<()> {
        let block: Block<'_> = self.block_at(self.blocks[number])?;
        let shift = self.layout.shift;
        let across = self.width.div_ceil(1 << shift) as usize;
        let origin = ((number % across) << shift, (number / across) << shift);
        let side = 1 << shift;
        for lane in 0..side * side {
            let (x, y) = (origin.0 + lane % side, origin.1 + lane / side);
            let inside = x < self.width as usize && y < self.height as usize;
            let tile = Tile::new(x as u16, y as u16);
            let seen = |via: u32| self.place(via).is_some_and(|via| lines.reaches(tile, via));
            let mut right = true;
            block.each_open(lane as u32, |n, open| {
                right &= open == 0 || (inside && seen(block.vias[n]));
            });
            right.then_some(())?;
        }
        for (n, (&key, &cost)) in block.keys.iter().zip(block.costs).enumerate() {
            let via = *block.vias.get((key & ((1 << VIA_BITS) - 1)) as usize)?;
            let hub = key >> VIA_BITS;
            let position = self.trees.start(hub).checked_add(block.position(n)?)? as usize;
            let (owner, length) = *places.get(position)?;
            let right = owner == hub
                && lines.stored(length) == cost
                && unpack(*self.trees.words().get(position)?) == self.place(via)?
                && cost <= lines.most();
            right.then_some(())?;
        }
        Some(())
    }
}
