//! All blocks and trees of a map, and the least sum over the hubs that two tiles share.
//!
//! The start's block is spread into an array by hub, the goal's block is scanned against
//! it, and the array is cleaned again: no sorting, no merging, few branches.

use super::block::{Block, Layout, MAX_VIAS, VIA_BITS};
use super::tree::HubTrees;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::taut::walk::unpack;

/// The memory of a query.
#[derive(Clone, Debug)]
pub(crate) struct HubScratch {
    /// For each hub the distance from the start (upper half) and the start's entry that
    /// gives it (lower half); [`NOTHING`] between queries.
    pub(crate) hubs: Vec<u64>,
    pub(crate) vias: Box<[Cost; MAX_VIAS]>,
}

/// A hub that the start does not reach.
pub(crate) const NOTHING: u64 = (INFINITY.get() as u64) << 32;

impl Default for HubScratch {
    fn default() -> HubScratch {
        HubScratch { hubs: Vec::new(), vias: Box::new([INFINITY; MAX_VIAS]) }
    }
}

impl HubScratch {
    pub(crate) fn bytes(&self) -> usize {
        8 * self.hubs.capacity() + 4 * MAX_VIAS
    }
}

/// The hub and the via of a key.
#[inline]
pub(crate) fn split(key: u32) -> (usize, usize) {
    ((key >> VIA_BITS) as usize, key as usize & (MAX_VIAS - 1))
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
}

impl HubStore {
    /// Puts the words of blocks of 2^shift tiles a side behind each other.
    pub(crate) fn join(
        (width, height): (u32, u32),
        shift: u32,
        chunks: Vec<Option<Vec<u32>>>,
        trees: HubTrees,
        limit: u64,
    ) -> Result<HubStore, TooLarge> {
        let total: usize = chunks.iter().flatten().map(Vec::len).sum();
        if 4 * total as u64 > limit.min(u64::from(u32::MAX)) {
            return Err(TooLarge::Bytes(4 * total as u64));
        }
        let layout = Layout { shift, wide: trees.is_wide() };
        let corners = trees.hubs() as u32;
        let mut blocks = Vec::with_capacity(chunks.len());
        let mut words = Vec::with_capacity(total + 1);
        // The empty block, which all blocks without entries share.
        words.push(0);
        for chunk in chunks {
            let chunk = chunk.ok_or(TooLarge::Block)?;
            if chunk.len() == 1 {
                blocks.push(0);
            } else {
                blocks.push(words.len() as u32);
                words.extend(chunk);
            }
        }
        Ok(HubStore { width, height, layout, corners, blocks, words, trees })
    }

    /// The memory taken, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        4 * (self.blocks.len() + self.words.len()) + self.trees.bytes()
    }

    /// The mean number of entries of a block that has any.
    pub(crate) fn mean_entries(&self) -> f64 {
        let counts = self.blocks.iter().filter_map(|&b| Some(self.block_at(b)?.keys.len()));
        let (blocks, entries) = counts.filter(|&n| n > 0).fold((0, 0), |(b, e), n| (b + 1, e + n));
        entries as f64 / f64::from(blocks.max(1))
    }

    #[inline]
    pub(crate) fn contains(&self, tile: Tile) -> bool {
        u32::from(tile.x) < self.width && u32::from(tile.y) < self.height
    }

    #[inline]
    pub(crate) fn block_at(&self, begin: u32) -> Option<Block<'_>> {
        Block::read(self.words.get(begin as usize..)?, self.layout)
    }

    /// The block that holds a tile of the map, and the tile's number in it.
    #[inline]
    pub(crate) fn block_of(&self, tile: Tile) -> Option<(Block<'_>, u32)> {
        let (x, y) = (u32::from(tile.x), u32::from(tile.y));
        let shift = self.layout.shift;
        let across = self.width.div_ceil(1 << shift);
        let number = (y >> shift) * across + (x >> shift);
        let inner = (1 << shift) - 1;
        let lane = ((y & inner) << shift) | (x & inner);
        Some((self.block_at(*self.blocks.get(number as usize)?)?, lane))
    }

    /// Works out the costs to all vias of a tile's block, infinite for those it may not use.
    #[inline]
    pub(crate) fn approach(
        (block, lane): (Block<'_>, u32),
        vias: &mut [Cost],
        cost: impl Fn(Tile) -> Cost,
    ) {
        let mut out = vias;
        for (tiles, masks, bit) in block.vias(lane) {
            let (costs, rest) = out.split_at_mut(tiles.len().min(out.len()));
            out = rest;
            for ((&via, &mask), to_via) in tiles.iter().zip(masks).zip(costs) {
                // All ones where the via is open: chosen without a branch.
                let open = 0_u32.wrapping_sub(mask >> bit & 1);
                *to_via = Cost::new((cost(unpack(via)).get() & open) | (INFINITY.get() & !open));
            }
        }
    }

    /// Writes the start's distances to hubs into the array; the costs to its vias are worked out.
    #[inline]
    pub(crate) fn spread(&self, from: &Block<'_>, scratch: &mut HubScratch) {
        if scratch.hubs.len() < self.corners as usize {
            scratch.hubs.resize(self.corners as usize, NOTHING);
        }
        let (hubs, vias) = (&mut scratch.hubs[..], &*scratch.vias);
        for (entry, (&key, &cost)) in (0_u64..).zip(from.keys.iter().zip(from.costs)) {
            let (hub, via) = split(key);
            // Two infinities fit 32 bits, so a via that is not open only stays above.
            let reached = u64::from(vias[via].get() + cost) << 32 | entry;
            if let Some(best) = hubs.get_mut(hub) {
                *best = reached.min(*best);
            }
        }
    }

    /// The least sum over shared hubs; the costs to the goal's vias are worked out.
    #[inline]
    pub(crate) fn scan(&self, to: &Block<'_>, scratch: &HubScratch) -> Option<Shared> {
        let (hubs, vias) = (&scratch.hubs[..], &*scratch.vias);
        let mut best = u64::from(INFINITY);
        let mut found = None;
        for (n, (&key, &cost)) in to.keys.iter().zip(to.costs).enumerate() {
            let (hub, via) = split(key);
            let before = hubs.get(hub).copied().unwrap_or(NOTHING);
            let sum = (before >> 32) + u64::from(vias[via]) + u64::from(cost);
            if sum < best {
                best = sum;
                found = Some((before as u32 as usize, n));
            }
        }
        found.map(|(near, far)| (Cost::new(best as u32), near, far))
    }

    /// Makes the array empty again.
    #[inline]
    pub(crate) fn clean(from: &Block<'_>, scratch: &mut HubScratch) {
        for &key in from.keys {
            if let Some(best) = scratch.hubs.get_mut(split(key).0) {
                *best = NOTHING;
            }
        }
    }

    /// Where the vias of two entries with one hub stand in its tree.
    #[inline]
    pub(crate) fn places(
        &self,
        (from, near): (&Block<'_>, usize),
        (to, far): (&Block<'_>, usize),
    ) -> Option<(u32, u32)> {
        let (hub, _) = split(*to.keys.get(far)?);
        let start = self.trees.start(hub as u32);
        let near = start.checked_add(from.position(near)?)?;
        let far = start.checked_add(to.position(far)?)?;
        Some((near, far))
    }

    /// Calls `visit` with the corners from one place in a tree to the hub and on to another.
    #[inline]
    pub(crate) fn append_corners(&self, (near, far): (u32, u32), out: &mut Vec<Tile>) {
        self.trees.climb(near, |tile| out.push(tile));
        // The hub comes again at the end of the other climb.
        out.pop();
        let begin = out.len();
        self.trees.climb(far, |tile| out.push(tile));
        out[begin..].reverse();
    }
}
