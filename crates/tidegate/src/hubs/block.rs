//! Labels of tiles, one list for each square block of tiles.
//!
//! Neighbouring tiles go through the same corners to the same hubs, so a block keeps
//! one list of *via* corners, which of its tiles may go to which via, and entries (hub,
//! via, cost from via to hub, place of the via in the hub's tree). The distance from a
//! tile to a hub is the least `estimate(tile, via) + cost` over the vias open to it.
//! This module knows how that lies in memory; `block_build` makes it.

/// Bits of a key that name the via; the rest names the hub.
pub(crate) const VIA_BITS: u32 = 12;
/// The most vias of a block.
pub(crate) const MAX_VIAS: usize = 1 << VIA_BITS;
/// The most corners of a map.
pub(crate) const MAX_CORNERS: usize = 1 << (32 - VIA_BITS);
/// The most entries of a block.
pub(crate) const MAX_ENTRIES: usize = 1 << (32 - VIA_BITS);

/// How the words of blocks are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Blocks have 2^shift tiles a side.
    pub(crate) shift: u32,
    /// Whether a place in a hub's tree takes a whole word and not half of one.
    pub(crate) wide: bool,
}

impl Layout {
    /// The words that hold the masks of so many vias: half a word a via in a block of 16
    /// tiles, two words in one of 64.
    const fn mask_words(self, vias: usize) -> usize {
        if self.shift > 2 { 2 * vias } else { vias.div_ceil(2) }
    }

    const fn position_words(self, entries: usize) -> usize {
        if self.wide { entries } else { entries.div_ceil(2) }
    }
}

/// The labels of one block, as they lie in memory:
///
/// ```text
///     counts | tiles of the vias | masks | keys | costs | positions
/// ```
///
/// Halves of words are not used in turn: the first half of the vias (or entries) has the
/// lower halves, the second the upper ones, so that loops run over whole words.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    layout: Layout,
    pub(crate) tiles: &'a [u32],
    masks: &'a [u32],
    pub(crate) keys: &'a [u32],
    pub(crate) costs: &'a [u32],
    positions: &'a [u32],
}

/// Some vias, the word with the mask of each, and the bit to look at.
pub(crate) type OpenVias<'a> = (&'a [u32], &'a [u32], u32);

impl<'a> Block<'a> {
    /// The block whose words begin `words`; `None` if they are too few.
    #[inline]
    pub(crate) fn read(words: &'a [u32], layout: Layout) -> Option<Block<'a>> {
        let (&counts, rest) = words.split_first()?;
        let vias = (counts & (MAX_VIAS as u32 - 1)) as usize;
        let entries = (counts >> VIA_BITS) as usize;
        let (tiles, rest) = rest.split_at_checked(vias)?;
        let (masks, rest) = rest.split_at_checked(layout.mask_words(vias))?;
        let (keys, rest) = rest.split_at_checked(entries)?;
        let (costs, rest) = rest.split_at_checked(entries)?;
        let (positions, _) = rest.split_at_checked(layout.position_words(entries))?;
        Some(Block { layout, tiles, masks, keys, costs, positions })
    }

    /// How many words it takes.
    pub(crate) fn len(&self) -> usize {
        let lists = [self.tiles, self.masks, self.keys, self.costs, self.positions];
        1 + lists.iter().map(|list| list.len()).sum::<usize>()
    }

    /// The vias in two lists, each with the masks that tell whether a tile of the block
    /// may use them.
    #[inline]
    pub(crate) fn vias(&self, lane: u32) -> [OpenVias<'a>; 2] {
        let vias = self.tiles.len();
        if self.layout.shift > 2 {
            let row = self.masks.get((lane >> 5) as usize * vias..).unwrap_or(&[]);
            [(self.tiles, row, lane & 31), (&[], &[], 0)]
        } else {
            let (lower, upper) = self.tiles.split_at(vias.div_ceil(2));
            [(lower, self.masks, lane & 15), (upper, self.masks, 16 | (lane & 15))]
        }
    }

    /// The place of an entry's via in the tree of its hub, counted from the tree's end word.
    #[inline]
    pub(crate) fn position(&self, entry: usize) -> Option<u32> {
        if self.layout.wide {
            return self.positions.get(entry).copied();
        }
        match entry.checked_sub(self.positions.len()) {
            None => Some(self.positions.get(entry)? & 0xFFFF),
            Some(upper) => Some(self.positions.get(upper)? >> 16),
        }
    }

    /// Reads one word of every piece of 64 bytes that a query will look at, so that all
    /// of them are on their way from memory at once.
    #[inline]
    pub(crate) fn touch(&self) -> u32 {
        let parts = [self.tiles, self.masks, self.keys, self.costs];
        parts.iter().flat_map(|part| part.iter().step_by(16)).fold(0, |all, word| all | word)
    }
}
