//! Labels of tiles, one list for each square block of tiles.
//!
//! Neighbouring tiles go through the same corners to the same hubs, so a block keeps
//! one list of *via* corners, which of its tiles may go to which via, and entries (hub,
//! via, cost from via to hub, place of the via in the hub's tree). The distance from a
//! tile to a hub is the least `estimate(tile, via) + cost` over the vias open to it. That
//! every via is a hub, too, at cost 0 from itself, goes without saying: such entries are
//! counted behind the others and take no space.
//! This module knows how that lies in memory; `block_build` makes it.

/// Small blocks have 2^2 tiles a side, large ones twice as many.
pub(crate) const SMALL: u32 = 2;
/// Large blocks.
pub(crate) const LARGE: u32 = SMALL + 1;

/// Bits of the counts that are the number of vias; then comes that of entries.
const COUNT_BITS: u32 = 12;
/// The bit of the counts that says that the block is a large one.
const LARGE_BIT: u32 = 1 << 31;
/// The most vias of a block.
pub(crate) const MAX_VIAS: usize = 1 << COUNT_BITS;
/// The most corners of a map.
pub(crate) const MAX_CORNERS: usize = 1 << (32 - COUNT_BITS);
/// The most entries of a block.
pub(crate) const MAX_ENTRIES: usize = 1 << (31 - COUNT_BITS);

/// Where the places in hubs' trees are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Positions {
    /// In bits of keys and costs that are not needed there.
    Spare,
    /// In half words of their own.
    Halves,
    /// In words of their own.
    Words,
}

impl Positions {
    /// All, by their numbers in files.
    pub(crate) const ALL: [Positions; 3] = [Positions::Spare, Positions::Halves, Positions::Words];
}

/// How the words of blocks are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Small blocks have 2^shift tiles a side: [`SMALL`], but for tests.
    pub(crate) shift: u32,
    /// Bits of a key that name the via; those above name the hub.
    pub(crate) via_bits: u32,
    /// Lower bits of keys and of costs that may hold parts of a position.
    pub(crate) spare: (u32, u32),
    pub(crate) positions: Positions,
}

/// The largest numbers of all blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Most {
    pub(crate) hub: u32,
    pub(crate) via: u32,
    pub(crate) cost: u32,
    pub(crate) position: u32,
}

impl Most {
    /// Raises them to the numbers of an entry.
    pub(crate) fn raise(&mut self, &[hub, via, cost, position]: &[u32; 4]) {
        *self = self.or(Most { hub, via, cost, position });
    }

    /// The larger of each.
    pub(crate) fn or(self, other: Most) -> Most {
        Most {
            hub: self.hub.max(other.hub),
            via: self.via.max(other.via),
            cost: self.cost.max(other.cost),
            position: self.position.max(other.position),
        }
    }
}

impl Layout {
    /// The one that holds everything, for blocks while they are made.
    pub(crate) const fn wide(shift: u32) -> Layout {
        Layout { shift, via_bits: COUNT_BITS, spare: (0, 0), positions: Positions::Words }
    }

    /// The one that fits most maps; loops are compiled for it apart.
    pub(crate) const USUAL: Layout =
        Layout { shift: SMALL, via_bits: 8, spare: (8, 8), positions: Positions::Spare };

    /// The smallest that holds these numbers.
    pub(crate) fn fitting(shift: u32, most: Most) -> Layout {
        let bits = |number: u32| 32 - number.leading_zeros();
        let all = [most.hub, most.via, most.cost, most.position].map(bits);
        if shift == SMALL && all.iter().zip([16, 8, 24, 16]).all(|(&bits, room)| bits <= room) {
            return Layout::USUAL;
        }
        let via_bits = bits(most.via);
        let spare = (32 - bits(most.hub).max(1), 32 - bits(most.cost).max(1));
        let layout = Layout { shift, via_bits, spare: (0, 0), positions: Positions::Spare };
        match spare.0.checked_sub(via_bits) {
            Some(key) if key + spare.1 >= bits(most.position) => {
                Layout { spare: (key, spare.1), ..layout }
            }
            _ if most.position < 1 << 16 => {
                Layout { positions: Positions::Halves, ..Layout::wide(shift) }
            }
            _ => Layout::wide(shift),
        }
    }

    /// Whether it makes sense: no shift of it is a shift too far.
    pub(crate) fn is_sound(&self) -> bool {
        let (key, cost) = self.spare;
        let used = self.positions == Positions::Spare || self.spare == (0, 0);
        used && self.via_bits <= COUNT_BITS && key < 32 && cost < 32 && self.via_bits + key < 32
    }

    /// The bytes of an entry.
    pub(crate) const fn entry_bytes(self) -> u64 {
        match self.positions {
            Positions::Spare => 8,
            Positions::Halves => 10,
            Positions::Words => 12,
        }
    }

    /// The words that hold the masks of so many vias: half a word a via in a small block, two words
    /// in a large one.
    const fn mask_words(self, vias: usize, large: bool) -> usize {
        if large { 2 * vias } else { vias.div_ceil(2) }
    }

    const fn position_words(self, entries: usize) -> usize {
        match self.positions {
            Positions::Spare => 0,
            Positions::Halves => entries.div_ceil(2),
            Positions::Words => entries,
        }
    }

    /// The hub of a key.
    #[inline]
    pub(crate) fn hub(&self, key: u32) -> u32 {
        key >> (self.via_bits + self.spare.0)
    }

    /// The via of a key, as a place in the block's list.
    #[inline]
    pub(crate) fn via(&self, key: u32) -> usize {
        ((key >> self.spare.0) & ((1 << self.via_bits) - 1)) as usize & (MAX_VIAS - 1)
    }

    /// The cost in a word of costs.
    #[inline]
    pub(crate) fn cost(&self, word: u32) -> u32 {
        word >> self.spare.1
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
    pub(crate) layout: Layout,
    /// Whether it is a large one.
    pub(crate) large: bool,
    /// The vias, by their numbers as hubs.
    pub(crate) vias: &'a [u32],
    masks: &'a [u32],
    pub(crate) keys: &'a [u32],
    /// Costs and, below them, what the layout says.
    pub(crate) costs: &'a [u32],
    positions: &'a [u32],
}

impl<'a> Block<'a> {
    /// The block whose words begin `words`; `None` if they are too few.
    #[inline]
    pub(crate) fn read(words: &'a [u32], layout: Layout) -> Option<Block<'a>> {
        let large = words.first()? & LARGE_BIT != 0;
        Block::read_as(words, layout, large)
    }

    /// The same, whatever the words say about its size: files of before have blocks of one size.
    #[inline]
    pub(crate) fn read_as(words: &'a [u32], layout: Layout, large: bool) -> Option<Block<'a>> {
        let (&counts, rest) = words.split_first()?;
        let count = (counts & (MAX_VIAS as u32 - 1)) as usize;
        let entries = ((counts & !LARGE_BIT) >> COUNT_BITS) as usize;
        let (vias, rest) = rest.split_at_checked(count)?;
        let (masks, rest) = rest.split_at_checked(layout.mask_words(count, large))?;
        let (keys, rest) = rest.split_at_checked(entries)?;
        let (costs, rest) = rest.split_at_checked(entries)?;
        let (positions, _) = rest.split_at_checked(layout.position_words(entries))?;
        Some(Block { layout, large, vias, masks, keys, costs, positions })
    }

    /// How many words it takes.
    pub(crate) fn len(&self) -> usize {
        let lists = [self.vias, self.masks, self.keys, self.costs, self.positions];
        1 + lists.iter().map(|list| list.len()).sum::<usize>()
    }

    /// The number of a tile in the block.
    #[inline]
    pub(crate) fn lane(&self, (x, y): (u32, u32)) -> u32 {
        let shift = if self.large { LARGE } else { self.layout.shift };
        let inner = (1 << shift) - 1;
        ((y & inner) << shift) | (x & inner)
    }

    /// Calls `visit` with the place of each via in the list and whether a tile of the block may go
    /// there: all ones if so, else 0.
    #[inline]
    pub(crate) fn each_open(&self, lane: u32, mut visit: impl FnMut(usize, u32)) {
        let vias = self.vias.len();
        if self.large {
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
            None => Some(self.layout.hub(self.keys[entry])),
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
        match self.layout.positions {
            Positions::Spare => {
                let (key, cost) = self.layout.spare;
                let low = |word: u32, bits: u32| word & ((1 << bits) - 1);
                let (upper, lower) = (low(self.keys[entry], key), low(self.costs[entry], cost));
                Some(upper << cost | lower)
            }
            Positions::Words => self.positions.get(entry).copied(),
            Positions::Halves => match entry.checked_sub(self.positions.len()) {
                None => Some(self.positions.get(entry)? & 0xFFFF),
                Some(upper) => Some(self.positions.get(upper)? >> 16),
            },
        }
    }

    /// The entries: hub, place of the via in the list, cost, position.
    pub(crate) fn entries(&self) -> impl ExactSizeIterator<Item = [u32; 4]> + Clone + '_ {
        let layout = self.layout;
        (0..self.keys.len()).map(move |n| {
            let (hub, via) = (layout.hub(self.keys[n]), layout.via(self.keys[n]) as u32);
            let cost = self.costs.get(n).map_or(0, |&word| layout.cost(word));
            [hub, via, cost, self.position(n).unwrap_or(0)]
        })
    }

    /// The tiles that may go to each via.
    pub(crate) fn open(&self) -> Vec<u64> {
        let mut masks = vec![0; self.vias.len()];
        let shift = if self.large { LARGE } else { self.layout.shift };
        for lane in 0..1 << (2 * shift) {
            self.each_open(lane, |n, open| masks[n] |= u64::from(open & 1) << lane);
        }
        masks
    }

    /// Appends the words of the same block in another layout.
    pub(crate) fn write_as(&self, layout: Layout, words: &mut Vec<u32>) {
        words.push(counts(self.vias.len(), self.keys.len(), self.large));
        words.extend_from_slice(self.vias);
        words.extend_from_slice(self.masks);
        push_entries(words, layout, self.entries());
    }
}

/// The first word of a block.
fn counts(vias: usize, entries: usize, large: bool) -> u32 {
    vias as u32 | (entries as u32) << COUNT_BITS | if large { LARGE_BIT } else { 0 }
}

/// What a block is written from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) large: bool,
    /// The vias by their numbers as hubs, and the tiles that may go to each.
    pub(crate) vias: Vec<(u32, u64)>,
    /// Hub, place of the via in the list, cost, position; by hub.
    pub(crate) entries: Vec<[u32; 4]>,
}

impl Parts {
    /// Appends the words; `None` if there are more vias or entries than a block can hold.
    pub(crate) fn encode(&self, layout: Layout, words: &mut Vec<u32>) -> Option<()> {
        let Parts { large, vias, entries } = self;
        if vias.len() >= MAX_VIAS || entries.len() >= MAX_ENTRIES {
            return None;
        }
        if vias.is_empty() {
            words.push(0);
            return Some(());
        }
        words.push(counts(vias.len(), entries.len(), *large));
        words.extend(vias.iter().map(|&(rank, _)| rank));
        if *large {
            words.extend(vias.iter().map(|&(_, mask)| mask as u32));
            words.extend(vias.iter().map(|&(_, mask)| (mask >> 32) as u32));
        } else {
            push_halves(words, vias.iter().map(|&(_, mask)| mask as u32));
        }
        push_entries(words, layout, entries.iter().copied());
        Some(())
    }
}

/// Appends the words of entries.
fn push_entries(
    words: &mut Vec<u32>,
    layout: Layout,
    entries: impl ExactSizeIterator<Item = [u32; 4]> + Clone,
) {
    let (key, cost) = layout.spare;
    let is_spare = layout.positions == Positions::Spare;
    let part = |position: u32| {
        if is_spare { (position >> cost, position & ((1 << cost) - 1)) } else { (0, 0) }
    };
    let keys = entries
        .clone()
        .map(|[hub, via, _, position]| (hub << layout.via_bits | via) << key | part(position).0);
    words.extend(keys);
    words.extend(entries.clone().map(|[_, _, length, position]| length << cost | part(position).1));
    let positions = entries.map(|[.., position]| position);
    match layout.positions {
        Positions::Spare => {}
        Positions::Halves => push_halves(words, positions),
        Positions::Words => words.extend(positions),
    }
}

/// Appends numbers below 65,536, two to a word: the first half of them low, the second high.
fn push_halves(words: &mut Vec<u32>, numbers: impl ExactSizeIterator<Item = u32> + Clone) {
    let half = numbers.len().div_ceil(2);
    let upper = numbers.clone().skip(half).chain(std::iter::repeat(0));
    words.extend(numbers.take(half).zip(upper).map(|(low, high)| low | high << 16));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// More vias or entries than there are numbers for are refused, either alone.
    #[test]
    fn a_block_has_room_for_so_many() {
        for (vias, entries, fits) in [
            (MAX_VIAS - 1, 1, true),
            (MAX_VIAS, 1, false),
            (1, MAX_ENTRIES - 1, true),
            (1, MAX_ENTRIES, false),
        ] {
            let (vias, entries) = (vec![(0, 1); vias], vec![[0; 4]; entries]);
            let parts = Parts { large: false, vias, entries };
            assert_eq!(parts.encode(Layout::wide(SMALL), &mut Vec::new()).is_some(), fits);
        }
    }

    /// Whatever the largest numbers are, a block says what was put into it.
    #[test]
    fn every_layout_holds_what_it_fits() {
        let mut rng = Rng::new(5);
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let below = |rng: &mut Rng, most: u32| {
                let bits = rng.between(0, most as i32);
                rng.below(1 << bits) as u32
            };
            let limits = [
                below(&mut rng, 20),
                below(&mut rng, 12),
                below(&mut rng, 31),
                below(&mut rng, 20),
            ];
            let vias = limits[1] as usize + 1;
            let mut parts = Parts { large: rng.chance(50), ..Parts::default() };
            let open = if parts.large { u64::MAX } else { 0xFFFF };
            parts.vias = (0..vias.min(MAX_VIAS - 1))
                .map(|_| (rng.below(MAX_CORNERS) as u32, rng.bits() & open))
                .collect();
            let mut most = Most::default();
            for _ in 0..rng.below(20) {
                let [hub, via, cost, position] =
                    limits.map(|limit| rng.below(limit as usize + 1) as u32);
                let via = via.min(parts.vias.len() as u32 - 1);
                most.raise(&[hub, via, cost, position]);
                parts.entries.push([hub, via, cost, position]);
            }
            let layout = Layout::fitting(SMALL, most);
            assert!(layout.is_sound());
            seen[layout.positions as usize] += 1;
            let mut words = vec![];
            parts.encode(layout, &mut words).unwrap();
            let block = Block::read(&words, layout).unwrap();
            assert_eq!(block.len(), words.len());
            let vias: Vec<(u32, u64)> = block.vias.iter().copied().zip(block.open()).collect();
            let found = Parts { large: block.large, vias, entries: block.entries().collect() };
            assert!(found == parts, "{layout:?} {most:?}");
            let mut wide = Vec::new();
            block.write_as(Layout::wide(SMALL), &mut wide);
            let block = Block::read(&wide, Layout::wide(SMALL)).unwrap();
            assert!(block.entries().eq(parts.entries.iter().copied()), "{layout:?} {most:?}");
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }

    /// Layouts from files are refused if a shift of theirs would be one too far.
    #[test]
    fn layouts_that_make_no_sense_are_refused() {
        let sound =
            Layout { shift: SMALL, via_bits: 5, spare: (9, 12), positions: Positions::Spare };
        assert!(sound.is_sound() && Layout::USUAL.is_sound() && Layout::wide(SMALL).is_sound());
        assert!(Layout { via_bits: COUNT_BITS, spare: (0, 31), ..sound }.is_sound());
        assert!(Layout { via_bits: 1, spare: (30, 0), ..sound }.is_sound());
        for positions in Positions::ALL {
            let other = Layout { positions, ..sound };
            assert_eq!(other.is_sound(), positions == Positions::Spare);
            for (via_bits, spare) in
                [(COUNT_BITS + 1, (0, 0)), (0, (32, 0)), (0, (0, 32)), (1, (31, 0)), (5, (27, 12))]
            {
                let wrong = Layout { via_bits, spare, ..other };
                assert!(!wrong.is_sound(), "{wrong:?}");
            }
        }
    }

    /// The smallest layout, up to the last number that it holds.
    #[test]
    fn the_smallest_layout_is_taken() {
        let full = (1 << 16) - 1;
        let fitting = |hub, via, cost, position| {
            let layout = Layout::fitting(SMALL, Most { hub, via, cost, position });
            (layout.positions, layout.entry_bytes())
        };
        assert_eq!(
            Layout::fitting(
                SMALL,
                Most { hub: full, via: 255, cost: (1 << 24) - 1, position: full }
            ),
            Layout::USUAL
        );
        // Bits to spare: 32 less those of hub and via, and 32 less those of the cost.
        assert_eq!(fitting(1 << 20, 1, 1 << 25, (1 << 16) - 1), (Positions::Spare, 8));
        assert_eq!(fitting(1 << 20, 1, 1 << 25, 1 << 16), (Positions::Words, 12));
        assert_eq!(fitting(1 << 20, 1, 1 << 28, (1 << 13) - 1), (Positions::Spare, 8));
        assert_eq!(fitting(1 << 20, 1, 1 << 28, 1 << 13), (Positions::Halves, 10));
        assert_eq!(fitting(1 << 20, 1, 1 << 28, full), (Positions::Halves, 10));
        assert_eq!(fitting(1 << 20, 1, 1 << 28, full + 1), (Positions::Words, 12));
        assert_eq!(fitting(u32::MAX, 1, 5, 5), (Positions::Halves, 10));
    }
}
