//! Open lists: what to expand next.
//!
//! Both lists here give entries in exactly the same total order (least f, then larger
//! g, then smaller node number), so that a search does not depend on which one it uses.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::Weight;
use super::chunks::Chunks;
use crate::cost::Cost;

/// A priority queue of nodes.
pub trait Open<W> {
    /// Forgets everything and keeps the memory; node numbers will lie below `nodes`.
    fn clear(&mut self, nodes: usize);
    /// Adds a node reached at cost `g` with `f` in all.
    fn push(&mut self, f: W, g: W, node: u32);
    /// Takes the next entry: its g and its node.
    fn pop(&mut self) -> Option<(W, u32)>;
    /// Entries held, stale ones included.
    fn len(&self) -> usize;
    /// Whether nothing is left.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

/// The reference: the standard library's heap. Works with any weight.
#[derive(Clone, Debug)]
pub struct HeapQueue<W: Weight>(BinaryHeap<HeapEntry<W>>);

#[derive(Clone, Copy, Debug)]
struct HeapEntry<W> {
    f: W,
    g: W,
    node: u32,
}

impl<W: Weight> Ord for HeapEntry<W> {
    /// Greater is expanded sooner.
    fn cmp(&self, other: &Self) -> Ordering {
        let f = other.f.order(&self.f);
        f.then_with(|| self.g.order(&other.g)).then_with(|| other.node.cmp(&self.node))
    }
}

impl<W: Weight> PartialOrd for HeapEntry<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<W: Weight> PartialEq for HeapEntry<W> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<W: Weight> Eq for HeapEntry<W> {}

impl<W: Weight> Default for HeapQueue<W> {
    fn default() -> Self {
        HeapQueue(BinaryHeap::new())
    }
}

impl<W: Weight> Open<W> for HeapQueue<W> {
    fn clear(&mut self, _: usize) {
        self.0.clear();
    }

    fn push(&mut self, f: W, g: W, node: u32) {
        self.0.push(HeapEntry { f, g, node });
    }

    fn pop(&mut self) -> Option<(W, u32)> {
        self.0.pop().map(|entry| (entry.g, entry.node))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<HeapEntry<W>>()
    }
}

/// Bits of g in a packed entry: costs stay below 2^31.
const G_BITS: u32 = 31;
/// The widest bucket is 2^MAX_SHIFT cost units, a fraction of a step.
const MAX_SHIFT: u32 = 10;
/// Buckets reach 2^REACH cost units ahead of the one in hand: 16 diagonal steps.
const REACH: u32 = 17;

/// An entry that comes to the bucket in hand while it is sorted already is put in its place
/// if fewer than so many are better.
const AMONG: usize = 16;

/// The fast list: entries lie unsorted in buckets by f. The bucket in hand is sorted
/// once; what is added to it later is put in its place if that is near the end, or waits in
/// a small heap beside it.
///
/// An entry is one 64-bit number: the low bits of f (its bucket says the rest), the
/// complement of g, the node. Its natural order is the order of expansion.
///
/// Estimates may let f fall below the bucket in hand; such entries wait in a heap of
/// their own, with all of f. So do entries that lie far ahead, as they do where ground is
/// hundreds of times dearer than elsewhere: buckets for all of it would be many and empty.
///
/// However many searches there were, at most 82 bytes are held for each of the most
/// entries at once, and 272 for each of the most buckets.
#[derive(Clone, Debug, Default)]
pub struct BucketQueue {
    /// The bucket in hand, best entry last.
    run: Vec<u64>,
    /// Entries added to the bucket in hand.
    near: BinaryHeap<Reverse<u64>>,
    /// Entries below it: f and the complement of g, node.
    below: BinaryHeap<Reverse<(u64, u32)>>,
    /// Entries beyond the buckets, likewise.
    beyond: BinaryHeap<Reverse<(u64, u32)>>,
    /// Buckets by f >> shift, counted from `base`, in turn around a ring.
    far: Chunks,
    base: u32,
    /// Bucket in hand; those above it that may hold something end at `top`.
    hand: usize,
    top: usize,
    len: usize,
    /// The place of a bucket around the ring is its number and this.
    ring: usize,
    /// Width of a bucket and of a node number, in bits.
    shift: u32,
    node_bits: u32,
}

/// All of f and the complement of g as one number: its order is the order of expansion.
#[inline]
fn join(f: Cost, g: Cost) -> u64 {
    u64::from(f) << 32 | u64::from(!g.get())
}

/// The f and g of a number that [`join`] made.
#[inline]
fn split(key: u64) -> (Cost, Cost) {
    (Cost::new((key >> 32) as u32), Cost::new(!(key as u32)))
}

impl BucketQueue {
    #[inline]
    fn unpack(&self, entry: u64) -> (Cost, u32) {
        let node = entry & ((1 << self.node_bits) - 1);
        let g = !(entry >> self.node_bits) & ((1 << G_BITS) - 1);
        (Cost::new(g as u32), node as u32)
    }

    /// The f of an entry of the bucket in hand.
    #[inline]
    fn f_in_hand(&self, entry: u64) -> Cost {
        let low = (entry >> G_BITS >> self.node_bits) as u32;
        Cost::new((self.base + self.hand as u32) << self.shift | low)
    }

    #[inline]
    fn pack(&self, f: Cost, g: Cost, node: u32) -> u64 {
        let low = u64::from(f.get() & ((1 << self.shift) - 1)) << G_BITS;
        (low | u64::from(!g.get() << 1 >> 1)) << self.node_bits | u64::from(node)
    }

    /// The bucket of an entry that keeps all of its f.
    fn bucket_of(&self, Reverse((key, _)): &Reverse<(u64, u32)>) -> usize {
        (((key >> 32) as u32 >> self.shift) - self.base) as usize
    }

    /// Adds an entry to the bucket in hand: mostly it is among the best, for those who have
    /// come from the last one expanded have come farthest.
    #[inline]
    fn push_in_hand(&mut self, entry: u64) {
        let better = self.run.iter().rev().take(AMONG).take_while(|&&run| run < entry).count();
        if better < AMONG {
            self.run.insert(self.run.len() - better, entry);
        } else {
            self.near.push(Reverse(entry));
        }
    }

    /// Adds an entry wherever it belongs.
    #[inline(never)]
    fn push_anywhere(&mut self, f: Cost, g: Cost, node: u32) {
        let number = f.get() >> self.shift;
        if self.len == 0 && self.top == 0 {
            self.base = number;
        }
        self.len += 1;
        let bucket = number.wrapping_sub(self.base) as usize;
        if bucket == self.hand {
            self.push_in_hand(self.pack(f, g, node));
        } else if bucket < self.hand || number < self.base {
            self.below.push(Reverse((join(f, g), node)));
        } else if bucket - self.hand > self.ring {
            self.beyond.push(Reverse((join(f, g), node)));
        } else {
            if bucket >= self.top {
                self.reach(bucket + 1);
            }
            self.far.push(bucket & self.ring, self.pack(f, g, node));
        }
    }

    /// Makes room for buckets below `top`.
    #[cold]
    fn reach(&mut self, top: usize) {
        self.top = top;
        self.far.reach(top.min(self.ring + 1));
    }

    /// The best entry if it lies in the bucket in hand and nothing waits beside or below it, as mostly.
    #[inline]
    fn pop_run(&mut self) -> Option<u64> {
        if !self.below.is_empty() || !self.near.is_empty() {
            return None;
        }
        let entry = self.run.pop()?;
        self.len -= 1;
        Some(entry)
    }

    /// Takes the next entry: its f, its g and its node.
    #[inline]
    pub(super) fn pop_with_f(&mut self) -> Option<(Cost, Cost, u32)> {
        let Some(entry) = self.pop_run() else { return self.pop_anywhere() };
        let (g, node) = self.unpack(entry);
        Some((self.f_in_hand(entry), g, node))
    }

    /// The same, wherever it lies.
    #[inline(never)]
    fn pop_anywhere(&mut self) -> Option<(Cost, Cost, u32)> {
        if let Some(Reverse((key, node))) = self.below.pop() {
            self.len -= 1;
            let (f, g) = split(key);
            return Some((f, g, node));
        }
        loop {
            let entry = match (self.near.peek(), self.run.last()) {
                (Some(Reverse(near)), Some(run)) if near < run => self.near.pop()?.0,
                (Some(_), None) => self.near.pop()?.0,
                (_, Some(_)) => self.run.pop()?,
                (None, None) => {
                    self.hand += 1;
                    if self.hand >= self.top {
                        // No bucket holds anything: on to what lies beyond them.
                        let Some(entry) = self.beyond.peek() else {
                            self.hand -= 1;
                            return None;
                        };
                        self.hand = self.bucket_of(entry);
                        self.reach(self.hand + 1);
                    }
                    self.far.drain(self.hand & self.ring, &mut self.run);
                    while let Some(entry) = self.beyond.peek()
                        && self.bucket_of(entry) == self.hand
                        && let Some(Reverse((key, node))) = self.beyond.pop()
                    {
                        let (f, g) = split(key);
                        self.run.push(self.pack(f, g, node));
                    }
                    self.run.sort_unstable_by(|a, b| b.cmp(a));
                    continue;
                }
            };
            self.len -= 1;
            let (g, node) = self.unpack(entry);
            return Some((self.f_in_hand(entry), g, node));
        }
    }
}

impl Open<Cost> for BucketQueue {
    fn clear(&mut self, nodes: usize) {
        self.run.clear();
        self.near.clear();
        self.below.clear();
        self.beyond.clear();
        self.far.clear(self.top.min(self.ring + 1));
        (self.hand, self.top, self.len) = (0, 0, 0);
        self.node_bits = usize::BITS - nodes.leading_zeros();
        self.shift = (u64::BITS - G_BITS).saturating_sub(self.node_bits).min(MAX_SHIFT);
        self.ring = (1 << (REACH - self.shift)) - 1;
    }

    #[inline]
    fn push(&mut self, f: Cost, g: Cost, node: u32) {
        let bucket = (f.get() >> self.shift).wrapping_sub(self.base) as usize;
        // What lies below `base` has a number beyond `top`.
        if bucket > self.hand && bucket < self.top && bucket - self.hand <= self.ring {
            self.len += 1;
            self.far.push(bucket & self.ring, self.pack(f, g, node));
        } else {
            self.push_anywhere(f, g, node);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(Cost, u32)> {
        let Some(entry) = self.pop_run() else {
            return self.pop_anywhere().map(|(_, g, node)| (g, node));
        };
        Some(self.unpack(entry))
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        (self.run.capacity() + self.near.capacity()) * size_of::<u64>()
            + (self.below.capacity() + self.beyond.capacity()) * size_of::<(u64, u32)>()
            + self.far.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Every search fills another bucket. Buckets with memory of their own would in the
    /// end all be as large as the largest.
    #[test]
    fn memory_is_that_of_the_most_entries_at_once() {
        let (buckets, large) = (1_000, 2_000);
        let (mut open, mut most) = (BucketQueue::default(), 0);
        for round in 0..buckets {
            open.clear(1 << 20);
            for bucket in 0..buckets {
                open.push(Cost::new(bucket << MAX_SHIFT), Cost::ZERO, bucket);
            }
            for node in 0..large {
                open.push(Cost::new(round << MAX_SHIFT), Cost::new(1), node);
            }
            most = most.max(open.len());
            let mut last = Cost::ZERO;
            while let Some((f, ..)) = open.pop_with_f() {
                assert!(f >= last);
                last = f;
            }
        }
        let bound = 82 * most + 272 * buckets as usize;
        assert!(open.bytes() <= bound, "{} bytes of {bound}", open.bytes());
    }

    /// Near, far and hundreds of times farther ahead, as on ground of cost factor 655: the
    /// order is that of the heap, and the buckets stay few.
    #[test]
    fn what_lies_far_ahead_comes_in_the_same_order_and_needs_no_buckets() {
        let (mut open, mut heap) = (BucketQueue::default(), HeapQueue::default());
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let nodes = [300, 1 << 20, 1 << 28][rng.below(3)];
            open.clear(nodes);
            Open::<Cost>::clear(&mut heap, nodes);
            let (mut least, mut f) = (0, rng.below(1 << 20) as u32);
            for _ in 0..rng.below(300) {
                for _ in 0..rng.below(4) {
                    let ahead = [0, 300, 16_000, 200_000, 7_000_000][rng.below(5)];
                    f = least + rng.below(ahead + 1) as u32;
                    let (g, node) = (rng.below(f as usize + 1) as u32, rng.below(300) as u32);
                    open.push(Cost::new(f), Cost::new(g), node);
                    heap.push(Cost::new(f), Cost::new(g), node);
                }
                let next = open.pop_with_f();
                assert_eq!(next.map(|(_, g, node)| (g, node)), heap.pop(), "seed {seed}");
                // Now and then an estimate falls below what was popped.
                let popped = next.map_or(f, |(f, ..)| f.get());
                least = popped.saturating_sub(rng.below(9) as u32 / 8 * 5_000);
            }
            while let Some(next) = heap.pop() {
                assert_eq!(open.pop(), Some(next), "seed {seed}");
            }
            assert_eq!(open.pop(), None);
        }
        assert!(open.bytes() < 1 << 18, "{} bytes", open.bytes());
    }
}
