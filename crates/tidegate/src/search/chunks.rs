//! Many lists of numbers in one piece of memory.
//!
//! The buckets of an open list fill and empty one after the other. If each kept memory
//! of its own, all of them together would grow towards their number times the largest;
//! here they share chunks, and what one gives back the next one takes. So the memory is
//! that of the most numbers held at once, and one chunk more for each list in use.

/// Numbers to a chunk: with the link a chunk is two cache lines.
pub(super) const CHUNK: usize = 15;
/// No chunk.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Chunk {
    numbers: [u64; CHUNK],
    /// The chunk that was filled before, or the next free one.
    next: u32,
}

/// A list: the chunk in which its newest numbers lie, and how many of them.
#[derive(Clone, Copy, Debug)]
struct List {
    chunk: u32,
    len: u32,
}

impl List {
    /// As if a chunk before the first were full.
    const EMPTY: List = List { chunk: NONE, len: CHUNK as u32 };
}

/// Lists by number, and the chunks they share.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    lists: Vec<List>,
    chunks: Vec<Chunk>,
    /// Chunks below this number were handed out since the last `clear`; those that were
    /// given back hang on `free`.
    used: usize,
    free: u32,
}

impl Default for Chunks {
    fn default() -> Chunks {
        Chunks { lists: Vec::new(), chunks: Vec::new(), used: 0, free: NONE }
    }
}

impl Chunks {
    /// Empties the lists below `lists`; those from there on must be empty.
    pub(super) fn clear(&mut self, lists: usize) {
        self.lists[..lists].fill(List::EMPTY);
        (self.used, self.free) = (0, NONE);
    }

    /// Makes room for so many lists.
    #[inline]
    pub(super) fn reach(&mut self, lists: usize) {
        if self.lists.len() < lists {
            self.lists.resize(lists, List::EMPTY);
        }
    }

    /// Adds a number to a list.
    #[inline]
    pub(super) fn push(&mut self, list: usize, number: u64) {
        let mut to = self.lists[list];
        if to.len as usize == CHUNK {
            to = List { chunk: self.take(to.chunk), len: 0 };
        }
        self.chunks[to.chunk as usize].numbers[to.len as usize] = number;
        self.lists[list] = List { len: to.len + 1, ..to };
    }

    /// A chunk that is not in use, linked to the chunk filled before it.
    fn take(&mut self, next: u32) -> u32 {
        let chunk = self.free;
        if chunk != NONE {
            let taken = &mut self.chunks[chunk as usize];
            self.free = std::mem::replace(&mut taken.next, next);
            return chunk;
        }
        let chunk = self.used;
        self.used += 1;
        match self.chunks.get_mut(chunk) {
            Some(taken) => taken.next = next,
            None => self.chunks.push(Chunk { numbers: [0; CHUNK], next }),
        }
        chunk as u32
    }

    /// Moves the numbers of a list to the end of `to`, in no particular order.
    pub(super) fn drain(&mut self, list: usize, to: &mut Vec<u64>) {
        let List { mut chunk, mut len } = std::mem::replace(&mut self.lists[list], List::EMPTY);
        while chunk != NONE {
            let from = &mut self.chunks[chunk as usize];
            to.extend_from_slice(&from.numbers[..len as usize]);
            let next = std::mem::replace(&mut from.next, self.free);
            self.free = chunk;
            (chunk, len) = (next, CHUNK as u32);
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.lists.capacity() * size_of::<List>() + self.chunks.capacity() * size_of::<Chunk>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Lists with and without use in between hold what plain vectors hold, and no more
    /// chunks are made than the fullest moment needs.
    #[test]
    fn lists_hold_what_vectors_hold_in_no_more_memory() {
        let mut chunks = Chunks::default();
        let mut most = 0;
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut plain = vec![Vec::new(); 1 + rng.below(40)];
            chunks.reach(plain.len());
            for number in 0..rng.below(4_000) as u64 {
                let list = rng.below(plain.len());
                plain[list].push(number);
                chunks.push(list, number);
                if rng.chance(2) {
                    let list = rng.below(plain.len());
                    let mut out = vec![u64::MAX];
                    chunks.drain(list, &mut out);
                    assert_eq!(out[0], u64::MAX, "what was there stays");
                    out[1..].sort_unstable();
                    assert_eq!(out[1..], std::mem::take(&mut plain[list]), "seed {seed}");
                }
                most = most.max(plain.iter().map(|p| p.len().div_ceil(CHUNK)).sum());
            }
            chunks.clear(plain.len());
        }
        assert!(chunks.chunks.len() <= most, "{} chunks, {most} needed", chunks.chunks.len());
    }
}
