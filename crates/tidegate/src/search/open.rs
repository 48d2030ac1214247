//! Open lists: what to expand next.
//!
//! Both lists here give entries in exactly the same total order (least f, then larger
//! g, then smaller node number), so that a search does not depend on which one it uses.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::Weight;
use crate::cost::Cost;

/// A priority queue of nodes.
pub trait Open<W> {
    /// Forgets everything and keeps the memory.
    fn clear(&mut self);
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
    fn clear(&mut self) {
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

/// Width of a bucket: 2^SHIFT cost units, a fraction of a step.
const SHIFT: u32 = 11;

/// An entry packed so that its natural order is the order of expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Packed {
    /// f in the upper half, the complement of g in the lower.
    key: u64,
    node: u32,
}

/// The fast list: entries lie unsorted in buckets by f; only the bucket in hand is a
/// heap. Estimates may let f fall: such an entry goes into the bucket in hand.
#[derive(Clone, Debug, Default)]
pub struct BucketQueue {
    /// The bucket in hand and everything below it.
    near: BinaryHeap<Reverse<Packed>>,
    /// Buckets by f >> SHIFT, counted from `base`.
    far: Vec<Vec<Packed>>,
    base: u32,
    /// Bucket in hand; those above it that may hold something end at `top`.
    hand: usize,
    top: usize,
    len: usize,
}

impl Open<Cost> for BucketQueue {
    fn clear(&mut self) {
        self.near.clear();
        for bucket in &mut self.far[..self.top] {
            bucket.clear();
        }
        (self.hand, self.top, self.len) = (0, 0, 0);
    }

    #[inline]
    fn push(&mut self, f: Cost, g: Cost, node: u32) {
        let entry = Packed { key: u64::from(f) << 32 | u64::from(!g), node };
        if self.len == 0 && self.top == 0 {
            self.base = f >> SHIFT;
        }
        self.len += 1;
        let bucket = (f >> SHIFT).saturating_sub(self.base) as usize;
        if bucket <= self.hand {
            self.near.push(Reverse(entry));
            return;
        }
        if bucket >= self.top {
            self.top = bucket + 1;
            if self.far.len() < self.top {
                self.far.resize_with(self.top, Vec::new);
            }
        }
        self.far[bucket].push(entry);
    }

    #[inline]
    fn pop(&mut self) -> Option<(Cost, u32)> {
        while self.near.is_empty() {
            self.hand += 1;
            if self.hand >= self.top {
                self.hand = self.top;
                return None;
            }
            let bucket = &mut self.far[self.hand];
            if !bucket.is_empty() {
                self.near.extend(bucket.drain(..).map(Reverse));
            }
        }
        let Reverse(entry) = self.near.pop()?;
        self.len -= 1;
        Some((!(entry.key as u32), entry.node))
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        let entries = self.near.capacity() + self.far.iter().map(Vec::capacity).sum::<usize>();
        entries * size_of::<Packed>() + self.far.capacity() * size_of::<Vec<Packed>>()
    }
}
