//! Labels as bytes and back: little-endian words, and nothing trusted on the way in.
//!
//! Reading checks everything that a query relies on. Every tree word is a tile that
//! sees the tile before it, every via is seen by the tiles that may use it, and every
//! entry names the right hub, place and cost. So what was read, whoever wrote it, gives
//! legal paths whose cost is the cost stated, and no query can fail or run on for ever.
//! Only that the paths are the *shortest* rests on who built the labels.

use super::Labels;
use super::block::{Block, Layout, MAX_CORNERS, VIA_BITS};
use super::build::Form;
use super::tree::{HubTrees, MAX_ROWS, Word};
use crate::artifact::Writer;
use crate::cost::{Cost, LIMIT, octile};
use crate::grid::{Grid, Tile};
use crate::taut::Sight;
use crate::taut::walk::unpack;
use crate::threads;

/// Version of the layout.
const VERSION: u32 = 1;
/// Words of the head; the last three are counts of the words that follow.
const HEAD: usize = 10;

/// Why bytes are not the labels of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelsReadError {
    /// The bytes end too early, go on too long or are of another version.
    #[error("labels: {0}")]
    Words(&'static str),
    /// They are not labels of this map.
    #[error("labels: made for another map or rule of movement")]
    Map,
    /// A tree is wrong.
    #[error("labels: bad hub tree at word {0}")]
    Tree(usize),
    /// A block is wrong.
    #[error("labels: bad block {0}")]
    Block(usize),
}

impl Labels {
    /// Appends the labels as bytes. The same labels always give the same bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new();
        self.write_to(&mut writer);
        out.extend_from_slice(&writer.into_bytes());
    }

    /// The same, to a file perhaps.
    pub(super) fn write_to(&self, out: &mut Writer) {
        let words = self.trees.words();
        let head: [u32; HEAD] = [
            VERSION,
            self.width,
            self.height,
            self.movement as u32,
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
    pub(super) fn written_length(bytes: &[u8]) -> Option<usize> {
        let count = |n: usize| Some(u32::from_le_bytes(*bytes.get(4 * n..)?.first_chunk()?));
        let counts = u64::from(count(7)?) + u64::from(count(8)?) + u64::from(count(9)?);
        usize::try_from(4 * (HEAD as u64 + counts)).ok()
    }

    /// The labels of a map from the bytes that [`Labels::write`] made.
    pub fn read(grid: &Grid, bytes: &[u8]) -> Result<Labels, LabelsReadError> {
        use LabelsReadError::Words;
        if !bytes.len().is_multiple_of(4) {
            return Err(Words("not a whole number of words"));
        }
        let word = |four: &[u8]| four.iter().rev().fold(0, |word, &b| word << 8 | u32::from(b));
        let mut rest = bytes.chunks_exact(4).map(word);
        let mut next = || rest.next().ok_or(Words("cut short"));
        if next()? != VERSION {
            return Err(Words("of another version"));
        }
        let (width, height, movement) = (next()?, next()?, next()?);
        let same = (width, height) == (grid.width(), grid.height());
        if !same || movement != grid.movement() as u32 || grid.factors().is_some() {
            return Err(LabelsReadError::Map);
        }
        let (shift, wide, corners) = (next()?, next()?, next()?);
        if (shift != Form::Fast.shift() && shift != Form::Small.shift()) || wide > 1 {
            return Err(Words("unknown kind of blocks"));
        }
        if corners as usize >= MAX_CORNERS || corners as usize > grid.tiles() || height > MAX_ROWS {
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
        let labels = Labels {
            width,
            height,
            movement: grid.movement(),
            layout: Layout { shift, wide: wide == 1 },
            corners,
            blocks,
            words,
            trees: HubTrees::from_words(trees),
            sight: Sight::new(grid),
        };
        labels.check()?;
        Ok(labels)
    }

    fn check(&self) -> Result<(), LabelsReadError> {
        let places = self.check_trees()?;
        self.check_places()?;
        let bad = threads::map(
            self.blocks.len(),
            64,
            || (),
            |(), n| self.check_block(n, &places).is_none(),
        );
        match bad.iter().position(|&b| b) {
            Some(block) => Err(LabelsReadError::Block(block)),
            None => Ok(()),
        }
    }

    /// Blocks must lie one after the other, so that checking takes time in proportion to
    /// the bytes; those without entries share the first word.
    fn check_places(&self) -> Result<(), LabelsReadError> {
        let mut end = 1;
        for (n, &begin) in self.blocks.iter().enumerate() {
            let block = self.block_at(begin).ok_or(LabelsReadError::Block(n))?;
            if begin == 0 && block.len() == 1 {
                continue;
            }
            if begin as usize != end {
                return Err(LabelsReadError::Block(n));
            }
            end += block.len();
        }
        if end == self.words.len() { Ok(()) } else { Err(LabelsReadError::Words("loose words")) }
    }

    /// Whether both ways between two tiles of a line are free.
    fn is_line(&self, a: Tile, b: Tile) -> bool {
        self.contains(a)
            && self.contains(b)
            && self.sight.sees(a, b)
            && self.sight.sees_other_way(a, b)
    }

    /// Checks the trees; returns, for each word that is a tile, its hub and cost to it.
    fn check_trees(&self) -> Result<Vec<(u32, Cost)>, LabelsReadError> {
        let mut places: Vec<(u32, Cost)> = Vec::new();
        let mut hubs = 0_u32;
        let mut before = None;
        for n in 0..self.trees.words().len() {
            let bad = LabelsReadError::Tree(n);
            let mut place = (u32::MAX, Cost::ZERO);
            match self.trees.at(n as u32) {
                Word::End => {
                    hubs += 1;
                    before = None;
                }
                Word::Link(to) if (to as usize) < n => {
                    before = match self.trees.at(to) {
                        Word::Tile(tile) => Some((tile, places[to as usize])),
                        _ => return Err(bad),
                    };
                }
                Word::Tile(tile) if hubs > 0 => {
                    place = match before {
                        // The first word after an end is the hub.
                        None if matches!(self.trees.at(n as u32 - 1), Word::End) => {
                            (hubs - 1, Cost::ZERO)
                        }
                        Some((from, (hub, cost))) if self.is_line(from, tile) => {
                            (hub, cost.saturating_add(self.movement.estimate(from, tile)))
                        }
                        _ => return Err(bad),
                    };
                    if !self.sight.is_free(tile) || place.1 > LIMIT {
                        return Err(bad);
                    }
                    before = Some((tile, place));
                }
                _ => return Err(bad),
            }
            places.push(place);
        }
        // The last word must be a tile, so that no link or end is left open.
        let open = matches!(places.last(), Some((u32::MAX, _)));
        if hubs != self.corners || hubs as usize != self.trees.hubs() || open {
            Err(LabelsReadError::Tree(places.len()))
        } else {
            Ok(places)
        }
    }

    /// Checks one block; `None` if anything in it is wrong.
    fn check_block(&self, number: usize, places: &[(u32, Cost)]) -> Option<()> {
        let block: Block<'_> = self.block_at(self.blocks[number])?;
        let shift = self.layout.shift;
        let across = self.width.div_ceil(1 << shift) as usize;
        let origin = ((number % across) << shift, (number / across) << shift);
        let side = 1 << shift;
        for lane in 0..side * side {
            let (x, y) = (origin.0 + lane % side, origin.1 + lane / side);
            let inside = x < self.width as usize && y < self.height as usize;
            for (tiles, masks, bit) in block.vias(lane as u32) {
                let open = tiles.iter().zip(masks).filter(|(_, mask)| *mask >> bit & 1 != 0);
                let seen = |via: u32| self.is_line(Tile::new(x as u16, y as u16), unpack(via));
                if !open.into_iter().all(|(&via, _)| inside && seen(via)) {
                    return None;
                }
            }
        }
        let reach = octile(self.width, self.height);
        for (n, (&key, &cost)) in block.keys.iter().zip(block.costs).enumerate() {
            let via = *block.tiles.get((key & ((1 << VIA_BITS) - 1)) as usize)?;
            let hub = key >> VIA_BITS;
            let position = self.trees.start(hub).checked_add(block.position(n)?)? as usize;
            let right = *places.get(position)? == (hub, Cost::new(cost))
                && *self.trees.words().get(position)? == via
                && 2 * (u64::from(cost) + u64::from(reach)) <= u64::from(LIMIT);
            right.then_some(())?;
        }
        Some(())
    }
}
