//! Labels of tiles, one list for each square block of tiles.
//!
//! Neighbouring tiles go through the same corners to the same hubs, so a block keeps
//! one list of *via* corners, which of its tiles may go to which via, and entries (hub,
//! via, cost from via to hub, place of the via in the hub's tree). The distance from a
//! tile to a hub is the least `estimate(tile, via) + cost` over the vias open to it. That
//! every via is a hub, too, at cost 0 from itself, goes without saying: such entries are
//! counted behind the others and take no space.
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
///     counts | ranks of the vias | masks | keys | costs | positions
/// ```
///
/// Halves of words are not used in turn: the first half of the vias (or entries) has the
/// lower halves, the second the upper ones, so that loops run over whole words.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    layout: Layout,
    /// The vias, by their numbers as hubs.
    pub(crate) vias: &'a [u32],
    masks: &'a [u32],
    pub(crate) keys: &'a [u32],
    pub(crate) costs: &'a [u32],
    positions: &'a [u32],
}

impl<'a> Block<'a> {
    /// The block whose words begin `words`; `None` if they are too few.
    #[inline]
    pub(crate) fn read(words: &'a [u32], layout: Layout) -> Option<Block<'a>> {
        let (&counts, rest) = words.split_first()?;
        let count = (counts & (MAX_VIAS as u32 - 1)) as usize;
        let entries = (counts >> VIA_BITS) as usize;
        let (vias, rest) = rest.split_at_checked(count)?;
        let (masks, rest) = rest.split_at_checked(layout.mask_words(count))?;
        let (keys, rest) = rest.split_at_checked(entries)?;
        let (costs, rest) = rest.split_at_checked(entries)?;
        let (positions, _) = rest.split_at_checked(layout.position_words(entries))?;
        Some(Block { layout, vias, masks, keys, costs, positions })
    }

    /// How many words it takes.
    pub(crate) fn len(&self) -> usize {
        let lists = [self.vias, self.masks, self.keys, self.costs, self.positions];
        1 + lists.iter().map(|list| list.len()).sum::<usize>()
    }

    /// Calls `visit` with the place of each via in the list and whether a tile of the block may go
    /// there: all ones if so, else 0.
    #[inline]
    pub(crate) fn each_open(&self, lane: u32, mut visit: impl FnMut(usize, u32)) {
        let vias = self.vias.len();
        if self.layout.shift > 2 {
            let row = self.masks.get((lane >> 5) as usize * vias..).unwrap_or(&[]);
            for (n, mask) in row.iter().take(vias).enumerate() {
                visit(n, 0_u32.wrapping_sub(mask >> (lane & 31) & 1));
            }
        } else {
            let half = vias.div_ceil(2);
            for (n, mask) in self.masks.iter().take(half).enumerate() {
                visit(n, 0_u32.wrapping_sub(mask >> (lane & 15) & 1));
            }
            for (n, mask) in self.masks.iter().take(vias - half).enumerate() {
                visit(half + n, 0_u32.wrapping_sub(mask >> (16 | (lane & 15)) & 1));
            }
        }
    }

    /// The hub of an entry.
    #[inline]
    pub(crate) fn hub(&self, entry: usize) -> Option<u32> {
        match entry.checked_sub(self.keys.len()) {
            None => Some(self.keys[entry] >> VIA_BITS),
            Some(via) => self.vias.get(via).copied(),
        }
    }

    /// The place of an entry's via in the tree of its hub, counted from the tree's end word.
    #[inline]
    pub(crate) fn position(&self, entry: usize) -> Option<u32> {
        if entry >= self.keys.len() {
            // The hub itself, behind the end word.
            return (entry - self.keys.len() < self.vias.len()).then_some(1);
        }
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
        let parts = [self.vias, self.masks, self.keys, self.costs];
        parts.iter().flat_map(|part| part.iter().step_by(16)).fold(0, |all, word| all | word)
    }
}

/// What a block is written from.
#[derive(Default)]
pub(crate) struct Parts {
    /// The vias by their numbers as hubs, and the tiles that may go to each.
    pub(crate) vias: Vec<(u32, u64)>,
    /// Hub, place of the via in the list, cost, position; by hub.
    pub(crate) entries: Vec<(u32, u32, u32, u32)>,
}

impl Parts {
    /// The words; `None` if there are more vias or entries than a block can hold.
    pub(crate) fn encode(&self, layout: Layout) -> Option<Vec<u32>> {
        let Parts { vias, entries } = self;
        if vias.len() >= MAX_VIAS || entries.len() >= MAX_ENTRIES {
            return None;
        }
        let mut words = vec![vias.len() as u32 | (entries.len() as u32) << VIA_BITS];
        words.extend(vias.iter().map(|&(rank, _)| rank));
        if layout.shift > 2 {
            words.extend(vias.iter().map(|&(_, mask)| mask as u32));
            words.extend(vias.iter().map(|&(_, mask)| (mask >> 32) as u32));
        } else {
            push_halves(&mut words, vias.iter().map(|&(_, mask)| mask as u32));
        }
        words.extend(entries.iter().map(|&(hub, via, ..)| hub << VIA_BITS | via));
        words.extend(entries.iter().map(|&(_, _, cost, _)| cost));
        let positions = entries.iter().map(|&(.., position)| position);
        if layout.wide {
            words.extend(positions);
        } else {
            push_halves(&mut words, positions);
        }
        Some(words)
    }
}

/// Appends numbers below 65,536, two to a word: the first half of them low, the second high.
fn push_halves(words: &mut Vec<u32>, numbers: impl ExactSizeIterator<Item = u32> + Clone) {
    let half = numbers.len().div_ceil(2);
    let upper = numbers.clone().skip(half).chain(std::iter::repeat(0));
    words.extend(numbers.take(half).zip(upper).map(|(low, high)| low | high << 16));
}
