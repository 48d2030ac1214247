//! All blocks and trees of a map, and the least sum over the hubs that two tiles share.
//!
//! The start's block is spread into an array by hub, the goal's block is scanned against
//! it, and the array is cleaned again: no sorting, no merging, few branches.

use super::block::{Block, LARGE, Layout, MAX_VIAS, Most, SMALL};
use super::tree::HubTrees;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::taut::walk::unpack;

/// The costs to the vias of a block.
#[derive(Clone, Debug)]
pub(crate) struct ViaCosts(Box<[Cost; MAX_VIAS]>);

impl Default for ViaCosts {
    fn default() -> ViaCosts {
        ViaCosts(Box::new([INFINITY; MAX_VIAS]))
    }
}

impl std::ops::Deref for ViaCosts {
    type Target = [Cost; MAX_VIAS];

    #[inline]
    fn deref(&self) -> &[Cost; MAX_VIAS] {
        &self.0
    }
}

/// The memory of a query.
#[derive(Clone, Debug)]
pub(crate) struct HubScratch {
    /// For each hub the distance from the start (upper half) and the start's entry that
    /// gives it (lower half); [`NOTHING`] between queries.
    pub(crate) hubs: Vec<u64>,
    /// The costs to the vias of a block.
    pub(crate) vias: ViaCosts,
    /// Where they lie.
    places: Box<[u32; MAX_VIAS]>,
}

/// The words of a block that are read ahead.
const TOUCHED: usize = 160;

/// A hub that the start does not reach.
pub(crate) const NOTHING: u64 = (INFINITY.get() as u64) << 32;

impl Default for HubScratch {
    fn default() -> HubScratch {
        HubScratch { hubs: Vec::new(), vias: ViaCosts::default(), places: Box::new([0; MAX_VIAS]) }
    }
}

impl HubScratch {
    pub(crate) fn bytes(&self) -> usize {
        8 * self.hubs.capacity() + 8 * MAX_VIAS
    }
}

/// The least sum over shared hubs, and the entries of start and goal that give it.
pub(crate) type Shared = (Cost, usize, usize);

/// Why blocks cannot be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooLarge {
    /// They take so many bytes.
    Bytes(u64),
    /// One has more vias or entries than a block can hold.
    Block,
}

/// The labels of all tiles of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HubStore {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) layout: Layout,
    /// The corners of the map; hubs are numbers below.
    pub(crate) corners: u32,
    /// Where each block's words begin.
    pub(crate) blocks: Vec<u32>,
    pub(crate) words: Vec<u32>,
    pub(crate) trees: HubTrees,
    /// Where each hub lies, as trees keep it.
    places: Vec<u32>,
}

impl HubStore {
    /// Puts blocks behind each other, in the smallest layout that holds them all. They come in wide
    /// words, square by square: one large block, or the small ones that lie on the map.
    pub(crate) fn join(
        size: (u32, u32),
        chunks: Vec<Option<Vec<u32>>>,
        trees: HubTrees,
        limit: u64,
    ) -> Result<HubStore, TooLarge> {
        let mut most = Most::default();
        let (mut wide, mut entries, mut count) = (0, 0, 0);
        for chunk in &chunks {
            let chunk = chunk.as_ref().ok_or(TooLarge::Block)?;
            wide += chunk.len();
            each_block(chunk, Layout::wide(SMALL), |block| {
                block.entries().for_each(|entry| most.raise(&entry));
                entries += block.keys.len();
                count += 1;
            });
        }
        let layout = Layout::fitting(SMALL, most);
        // An entry takes three words in the wide layout; half a word may be left in each block. With room for
        // all, nothing is copied when words become many.
        let saved = entries * (12 - layout.entry_bytes() as usize) / 4;
        let room = (wide - saved + count).min(limit as usize / 4) + 1;
        let across = size.0.div_ceil(1 << SMALL);
        let down = size.1.div_ceil(1 << SMALL);
        let mut blocks = vec![0; (across * down) as usize];
        // The empty block, which all blocks without entries share.
        let mut words = Vec::with_capacity(room);
        words.push(0);
        for (n, chunk) in (0..).zip(chunks) {
            let mut slots = slots(size, n);
            each_block(&chunk.unwrap_or_default(), Layout::wide(SMALL), |block| {
                let begin = if block.vias.is_empty() { 0 } else { words.len() as u32 };
                let count = if block.large { 4 } else { 1 };
                slots.by_ref().take(count).for_each(|slot| blocks[slot] = begin);
                if begin != 0 {
                    block.write_as(layout, &mut words);
                }
            });
            if 4 * words.len() as u64 > limit.min(u64::from(u32::MAX)) {
                return Err(TooLarge::Bytes(4 * words.len() as u64));
            }
        }
        Ok(HubStore::new(size, layout, blocks, words, trees))
    }

    /// The same from blocks of single tiles, in row order.
    #[cfg(test)]
    pub(crate) fn join_single(
        size: (u32, u32),
        chunks: Vec<Option<Vec<u32>>>,
        trees: HubTrees,
    ) -> HubStore {
        let mut words = Vec::new();
        let mut blocks = Vec::new();
        for chunk in chunks {
            blocks.push(words.len() as u32);
            words.extend(chunk.expect("a block"));
        }
        HubStore::new(size, Layout::wide(0), blocks, words, trees)
    }

    pub(crate) fn new(
        (width, height): (u32, u32),
        layout: Layout,
        mut blocks: Vec<u32>,
        mut words: Vec<u32>,
        mut trees: HubTrees,
    ) -> HubStore {
        // It stays for long: no room that is not used, so that budgets hold.
        blocks.shrink_to_fit();
        words.shrink_to_fit();
        trees.shrink_to_fit();
        let places = trees.hub_places();
        HubStore {
            width,
            height,
            layout,
            corners: trees.hubs() as u32,
            blocks,
            words,
            trees,
            places,
        }
    }

    /// Where a hub lies.
    pub(crate) fn place(&self, hub: u32) -> Option<Tile> {
        self.places.get(hub as usize).map(|&word| unpack(word))
    }

    /// The memory taken, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.blocks.len() + self.words.len() + self.places.len()) + self.trees.bytes()
    }

    /// The mean number of entries of a block that has any.
    pub(crate) fn mean_entries(&self) -> f64 {
        let counts = self.blocks.iter().filter_map(|&b| Some(self.block_at(b)?.keys.len()));
        let (blocks, entries) = counts.filter(|&n| n > 0).fold((0, 0), |(b, e), n| (b + 1, e + n));
        entries as f64 / f64::from(blocks.max(1))
    }

    /// Whether there are small blocks, and whether there are large ones.
    pub(crate) fn sizes(&self) -> (bool, bool) {
        let blocks = self.blocks.iter().filter_map(|&begin| self.block_at(begin));
        blocks
            .filter(|block| !block.vias.is_empty())
            .fold((false, false), |(small, large), block| {
                (small | !block.large, large | block.large)
            })
    }

    #[inline]
    pub(crate) fn contains(&self, tile: Tile) -> bool {
        u32::from(tile.x) < self.width && u32::from(tile.y) < self.height
    }

    #[inline]
    pub(crate) fn block_at(&self, begin: u32) -> Option<Block<'_>> {
        Block::read(self.words.get(begin as usize..)?, self.layout)
    }

    /// Reads one word of every piece of 64 bytes that most blocks have, for the blocks of both tiles,
    /// so that all of them are on their way from memory at once: before their counts are known, and
    /// while the query is still looking whether it needs them.
    #[inline]
    pub(crate) fn touch(&self, start: Tile, goal: Tile) {
        let mut all = 0;
        for tile in [start, goal] {
            let begin = self.blocks.get(self.number(tile)).copied().unwrap_or(0) as usize;
            if let Some(words) = self.words.get(begin..begin + TOUCHED) {
                (0..TOUCHED).step_by(16).for_each(|n| all |= words[n]);
            }
        }
        std::hint::black_box(all);
    }

    /// The number of a tile's block.
    #[inline]
    fn number(&self, tile: Tile) -> usize {
        let shift = self.layout.shift;
        let across = self.width.div_ceil(1 << shift);
        ((u32::from(tile.y) >> shift) * across + (u32::from(tile.x) >> shift)) as usize
    }

    /// The block that holds a tile of the map, and the tile's number in it.
    #[inline]
    pub(crate) fn block_of(&self, tile: Tile) -> Option<(Block<'_>, u32)> {
        let block = self.block_at(*self.blocks.get(self.number(tile))?)?;
        Some((block, block.lane((tile.x.into(), tile.y.into()))))
    }

    /// Works out the costs to all vias of a tile's block, infinite for those it may not use.
    #[inline]
    pub(crate) fn approach(
        &self,
        (block, lane): (Block<'_>, u32),
        scratch: &mut HubScratch,
        cost: impl Fn(Tile) -> Cost,
    ) {
        // First where they lie, so that the rest runs over whole words.
        let count = block.vias.len().min(MAX_VIAS);
        let (places, costs) = (&mut scratch.places[..count], &mut scratch.vias.0[..count]);
        for (place, &via) in places.iter_mut().zip(block.vias) {
            *place = self.places.get(via as usize).copied().unwrap_or(0);
        }
        block.each_open(lane, |n, open| {
            // Chosen without a branch.
            let cost = cost(unpack(places[n])).get();
            costs[n] = Cost::new((cost & open) | (INFINITY.get() & !open));
        });
    }

    /// Writes the start's distances to hubs into the array; the costs to its vias are worked out.
    #[inline]
    pub(crate) fn spread(&self, from: &Block<'_>, scratch: &mut HubScratch) {
        if scratch.hubs.len() < self.corners as usize {
            scratch.hubs.resize(self.corners as usize, NOTHING);
        }
        let (hubs, vias) = (&mut scratch.hubs[..], &*scratch.vias.0);
        let behind = from.keys.len() as u64;
        for (entry, (&hub, &cost)) in (behind..).zip(from.vias.iter().zip(vias)) {
            if let Some(best) = hubs.get_mut(hub as usize) {
                *best = (u64::from(cost) << 32 | entry).min(*best);
            }
        }
        // Compiled apart for the layout that nearly all maps have.
        if from.layout == Layout::USUAL {
            spread_entries(from, Layout::USUAL, hubs, vias);
        } else {
            spread_entries(from, from.layout, hubs, vias);
        }
    }

    /// Calls `visit` with every entry of the goal, the entry of the start that goes with it, and
    /// their sum; the costs to the goal's vias are worked out.
    #[inline]
    pub(crate) fn each_sum(
        to: &Block<'_>,
        scratch: &HubScratch,
        mut visit: impl FnMut(usize, usize, u64),
    ) {
        let (hubs, vias) = (&scratch.hubs[..], &*scratch.vias.0);
        for (n, (&hub, &cost)) in (to.keys.len()..).zip(to.vias.iter().zip(vias)) {
            let before = hubs.get(hub as usize).copied().unwrap_or(NOTHING);
            visit(before as u32 as usize, n, (before >> 32) + u64::from(cost));
        }
        if to.layout == Layout::USUAL {
            sum_entries(to, Layout::USUAL, hubs, vias, visit);
        } else {
            sum_entries(to, to.layout, hubs, vias, visit);
        }
    }

    /// The least sum over shared hubs; the costs to the goal's vias are worked out.
    #[inline]
    pub(crate) fn scan(to: &Block<'_>, scratch: &HubScratch) -> Option<Shared> {
        let mut best = u64::from(INFINITY);
        let mut found = None;
        HubStore::each_sum(to, scratch, |near, far, sum| {
            if sum < best {
                best = sum;
                found = Some((near, far));
            }
        });
        found.map(|(near, far)| (Cost::new(best as u32), near, far))
    }

    /// Calls `visit` with every hub of a block, some of them several times.
    #[inline]
    pub(crate) fn each_hub(from: &Block<'_>, mut visit: impl FnMut(u32)) {
        from.vias.iter().for_each(|&via| visit(via));
        from.keys.iter().for_each(|&key| visit(from.layout.hub(key)));
    }

    /// Makes the array empty again.
    #[inline]
    pub(crate) fn clean(from: &Block<'_>, scratch: &mut HubScratch) {
        HubStore::each_hub(from, |hub| {
            if let Some(best) = scratch.hubs.get_mut(hub as usize) {
                *best = NOTHING;
            }
        });
    }

    /// Where the vias of two entries with one hub stand in its tree.
    #[inline]
    pub(crate) fn places(
        &self,
        (from, near): (&Block<'_>, usize),
        (to, far): (&Block<'_>, usize),
    ) -> Option<(u32, u32)> {
        let start = self.trees.start(to.hub(far)?);
        let near = start.checked_add(from.position(near)?)?;
        let far = start.checked_add(to.position(far)?)?;
        Some((near, far))
    }

    /// Calls `visit` with the corners from one place in a tree to the hub and on to another.
    #[inline]
    pub(crate) fn append_corners(&self, (near, far): (u32, u32), out: &mut Vec<Tile>) {
        self.trees.touch(near, far);
        self.trees.climb(near, |tile| out.push(tile));
        // The hub comes again at the end of the other climb.
        out.pop();
        let begin = out.len();
        self.trees.climb(far, |tile| out.push(tile));
        out[begin..].reverse();
    }
}

/// The part of [`HubStore::spread`] that reads entries.
#[inline(always)]
fn spread_entries(from: &Block<'_>, layout: Layout, hubs: &mut [u64], vias: &[Cost; MAX_VIAS]) {
    for (entry, (&key, &cost)) in (0_u64..).zip(from.keys.iter().zip(from.costs)) {
        // Two infinities fit 32 bits, so a via that is not open only stays above.
        let reached = vias[layout.via(key)].get() + layout.cost(cost);
        if let Some(best) = hubs.get_mut(layout.hub(key) as usize) {
            *best = (u64::from(reached) << 32 | entry).min(*best);
        }
    }
}

/// The part of [`HubStore::each_sum`] that reads entries.
#[inline(always)]
fn sum_entries(
    to: &Block<'_>,
    layout: Layout,
    hubs: &[u64],
    vias: &[Cost; MAX_VIAS],
    mut visit: impl FnMut(usize, usize, u64),
) {
    for (n, (&key, &cost)) in to.keys.iter().zip(to.costs).enumerate() {
        let before = hubs.get(layout.hub(key) as usize).copied().unwrap_or(NOTHING);
        let rest = u64::from(vias[layout.via(key)]) + u64::from(layout.cost(cost));
        visit(before as u32 as usize, n, (before >> 32) + rest);
    }
}

/// Calls `visit` with the blocks that words hold one after the other.
fn each_block<'a>(mut words: &'a [u32], layout: Layout, mut visit: impl FnMut(&Block<'a>)) {
    while let Some(block) = Block::read(words, layout) {
        visit(&block);
        words = &words[block.len()..];
    }
}

/// The numbers of the small blocks of a square that lie on a map of this size.
pub(super) fn slots((width, height): (u32, u32), square: u32) -> impl Iterator<Item = usize> {
    let (across, down) = (width.div_ceil(1 << SMALL), height.div_ceil(1 << SMALL));
    let squares = width.div_ceil(1 << LARGE);
    let (x, y) = (2 * (square % squares), 2 * (square / squares));
    let four = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
    let inside = four.into_iter().filter(move |&(x, y)| x < across && y < down);
    inside.map(move |(x, y)| (y * across + x) as usize)
}
