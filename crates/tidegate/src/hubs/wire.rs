//! Hub labels as words and back, with nothing trusted on the way in.
//!
//! Reading checks everything that a query relies on. Every tree word is a corner that sees the
//! corner before it, every via is seen by the tiles that may use it, and every entry names the
//! right hub, place and cost. So what was read, whoever wrote it, gives legal paths whose cost is
//! the cost stated, and no query can fail or run on for ever. Only that the paths are the
//! *shortest* rests on who built the labels.

use std::collections::HashMap;

use super::block::{Block, LARGE, Layout, MAX_CORNERS, Parts, Positions, SMALL};
use super::length::Length;
use super::store::{HubStore, slots};
use super::tree::{HubTrees, MAX_ROWS, Word};
use crate::artifact::Writer;
use crate::grid::Tile;
use crate::taut::walk::{pack, unpack};
use crate::threads;

/// Version of the layout.
const VERSION: u32 = 3;
/// The version before: all blocks of one size, in row order.
const ONE_SIZE: u32 = 2;
/// The first version: as the second, but vias were named by where they lie, and each had an entry
/// for itself.
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

/// How blocks of an earlier version lie.
#[derive(Clone, Copy)]
struct Old {
    layout: Layout,
    /// Whether all are large.
    large: bool,
    /// Whether they are of the first version.
    first: bool,
}

impl Old {
    /// By the numbers in the head; `None` if they are not of an earlier version, or unknown.
    fn of(version: u32, shift: u32, wide: u32) -> Option<Old> {
        let known = version < VERSION && (SMALL..=LARGE).contains(&shift) && wide <= 1;
        let positions = if wide == 1 { Positions::Words } else { Positions::Halves };
        let layout = Layout { positions, ..Layout::wide(SMALL) };
        known.then_some(Old { layout, large: shift == LARGE, first: version < ONE_SIZE })
    }

    fn shift(self) -> u32 {
        if self.large { LARGE } else { SMALL }
    }
}

/// The layout by the numbers in the head.
fn layout(positions: u32, bits: u32) -> Option<Layout> {
    let positions = *Positions::ALL.get(positions as usize)?;
    let spare = (bits >> 8 & 0xFF, bits >> 16);
    let layout = Layout { shift: SMALL, via_bits: bits & 0xFF, spare, positions };
    layout.is_sound().then_some(layout)
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
            self.layout.positions as u32,
            self.layout.via_bits | self.layout.spare.0 << 8 | self.layout.spare.1 << 16,
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
        if !(FIRST..=VERSION).contains(&found) {
            return Err(Words("of another version"));
        }
        let size = (next()?, next()?);
        let kind = next()?;
        if size != (width, height) {
            return Err(Bad::Map);
        }
        let (kind_of_blocks, bits, corners) = (next()?, next()?, next()?);
        let old = Old::of(found, kind_of_blocks, bits);
        let layout = match old {
            Some(old) => Some(old.layout),
            None if found == VERSION => layout(kind_of_blocks, bits),
            None => None,
        };
        let layout = layout.ok_or(Words("unknown kind of blocks"))?;
        let places = (u64::from(width) + 1) * (u64::from(height) + 1);
        if corners as usize >= MAX_CORNERS || u64::from(corners) > places || height > MAX_ROWS {
            return Err(Words("too large"));
        }
        let counts = [next()?, next()?, next()?].map(|count| count as usize);
        let side = 1 << old.map_or(SMALL, Old::shift);
        if counts[0] != (width.div_ceil(side) * height.div_ceil(side)) as usize {
            return Err(Words("wrong number of blocks"));
        }
        if counts.iter().sum::<usize>() != rest.len() {
            return Err(Words("cut short, or too long"));
        }
        let [blocks, words, trees] = counts.map(|count| rest.by_ref().take(count).collect());
        let trees = HubTrees::from_words(trees);
        if corners as usize != trees.hubs() {
            return Err(Words("wrong number of hubs"));
        }
        let store = HubStore::new(size, layout, blocks, words, trees);
        Ok((if let Some(old) = old { store.in_todays_words(old)? } else { store }, kind))
    }

    /// What was read as words of an earlier version, in the words of today.
    fn in_todays_words(self, old: Old) -> Result<HubStore, Bad> {
        let place = |hub: usize| (pack(self.place(hub as u32).unwrap_or_default()), hub as u32);
        let ranks: HashMap<u32, u32> = (0..self.corners as usize).map(place).collect();
        let size = (self.width, self.height);
        let squares = self.width.div_ceil(1 << LARGE) * self.height.div_ceil(1 << LARGE);
        let mut chunks = Vec::with_capacity(squares as usize);
        for square in 0..squares {
            let mut words = Vec::new();
            let mut append = |number: usize| {
                let begin = *self.blocks.get(number)? as usize;
                let block = Block::read_as(self.words.get(begin..)?, old.layout, old.large)?;
                let rank =
                    |&via: &u32| if old.first { ranks.get(&via).copied() } else { Some(via) };
                let vias = block.vias.iter().map(rank).collect::<Option<Vec<u32>>>()?;
                let mut entries: Vec<[u32; 4]> = block.entries().collect();
                if entries.iter().any(|entry| entry[1] as usize >= vias.len()) {
                    return None;
                }
                entries.retain(|&[hub, via, ..]| !old.first || vias[via as usize] != hub);
                let vias = vias.into_iter().zip(block.open()).collect();
                Parts { large: old.large, vias, entries }.encode(Layout::wide(SMALL), &mut words)
            };
            let bad = |number| Bad::Block(number);
            if old.large {
                append(square as usize).ok_or(bad(square as usize))?;
            } else {
                slots(size, square).try_for_each(|slot| append(slot).ok_or(bad(slot)))?;
            }
            chunks.push(Some(words));
        }
        let joined = HubStore::join(size, chunks, self.trees, u64::MAX);
        joined.map_err(|_| Bad::Words("too large"))
    }

    /// Checks everything that queries rely on.
    pub(crate) fn check(&self, lines: &impl Lines) -> Result<(), Bad> {
        let places = self.check_trees(lines)?;
        let own = self.check_places()?;
        let bad = threads::map(
            own.len(),
            64,
            || (),
            |(), n| self.check_block(lines, own[n] as usize, &places).is_none(),
        );
        match bad.iter().position(|&b| b) {
            Some(n) => Err(Bad::Block(own[n] as usize)),
            None => Ok(()),
        }
    }

    /// Blocks must lie one after the other, square by square, so that checking takes time in
    /// proportion to the bytes; those without vias share the first word. Returns the numbers of
    /// small blocks, and of the first small block in each large one.
    fn check_places(&self) -> Result<Vec<u32>, Bad> {
        let mut end = 1;
        let mut own = Vec::new();
        let size = (self.width, self.height);
        let squares = self.width.div_ceil(1 << LARGE) * self.height.div_ceil(1 << LARGE);
        for square in 0..squares {
            let mut large = None;
            for slot in slots(size, square) {
                let bad = Bad::Block(slot);
                let begin = self.blocks[slot];
                if let Some(large) = large {
                    if begin != large {
                        return Err(bad);
                    }
                    continue;
                }
                let block = self.block_at(begin).ok_or(bad)?;
                if begin == 0 && block.len() == 1 && !block.large {
                    continue;
                }
                // Only the first of a square can be all of it.
                let first = slots(size, square).next() == Some(slot);
                if begin as usize != end || (block.large && !first) {
                    return Err(bad);
                }
                large = block.large.then_some(begin);
                end += block.len();
                own.push(slot as u32);
            }
        }
        if end == self.words.len() { Ok(own) } else { Err(Bad::Words("loose words")) }
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
        let across = self.width.div_ceil(1 << SMALL) as usize;
        let origin = ((number % across) << SMALL, (number / across) << SMALL);
        let side = 1 << if block.large { LARGE } else { SMALL };
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
        for [hub, via, cost, position] in block.entries() {
            let via = *block.vias.get(via as usize)?;
            let position = self.trees.start(hub).checked_add(position)? as usize;
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
