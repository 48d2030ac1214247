//! The shortest-path tree of every hub, laid out so that unpacking walks backwards.
//!
//! A tree is cut into heavy paths (each node goes on with its largest subtree), and each
//! path lies in one piece, nearest to the hub first, with the tiles in place. In front
//! of a path stands a word that says where it goes on:
//!
//! ```text
//!     END  hub  a  b  c   LINK(a)  d  e   LINK(hub)  f ...
//!
//!     from e:  e, d, then the link to a:  a, hub, end.
//! ```
//!
//! Links point backwards and the first word is an end, so every walk ends.

use super::length::Length;
use crate::grid::Tile;
use crate::taut::walk::{pack, unpack};

/// Marks a word that is not a tile: a link, or the end.
const LINK: u32 = 1 << 31;
/// The word in front of a hub.
const END: u32 = u32::MAX;
/// Rows of a map with labels: a tile's row must leave room for the mark.
pub(crate) const MAX_ROWS: u32 = 1 << 15;

/// What stands in a place of the trees.
pub(crate) enum Word {
    Tile(Tile),
    Link(u32),
    End,
}

/// The trees of all hubs, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HubTrees {
    words: Vec<u32>,
    /// Where the end word of each hub's tree stands.
    starts: Vec<u32>,
}

impl HubTrees {
    pub(crate) fn from_words(words: Vec<u32>) -> HubTrees {
        let ends = words.iter().enumerate().filter(|(_, word)| **word == END);
        let starts: Vec<u32> = ends.map(|(n, _)| n as u32).collect();
        HubTrees { words, starts }
    }

    /// Gives back memory that is not used.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.words.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    /// How many hubs there are.
    pub(crate) fn hubs(&self) -> usize {
        self.starts.len()
    }

    /// Where a hub's tree begins (nowhere, if there is no such hub).
    #[inline]
    pub(crate) fn start(&self, hub: u32) -> u32 {
        self.starts.get(hub as usize).copied().unwrap_or(u32::MAX)
    }

    /// Where the hubs lie: the words behind the ends.
    pub(crate) fn hub_places(&self) -> Vec<u32> {
        let place = |&start: &u32| self.words.get(start as usize + 1).copied().unwrap_or(0);
        self.starts.iter().map(place).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * (self.words.len() + self.starts.len())
    }

    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// What stands at a position (an end, outside).
    #[inline]
    pub(crate) fn at(&self, position: u32) -> Word {
        match self.words.get(position as usize) {
            Some(&word) if word & LINK == 0 => Word::Tile(unpack(word)),
            Some(&word) if word != END => Word::Link(word & !LINK),
            _ => Word::End,
        }
    }

    /// Lays out a tree whose nodes come parents first, the hub being node 0 (its parent
    /// is ignored). Returns the position of each node.
    pub(crate) fn add(&mut self, nodes: &[(Tile, u32)]) -> Vec<u32> {
        let mut size = vec![1_u32; nodes.len()];
        let mut heavy = vec![u32::MAX; nodes.len()];
        for n in (1..nodes.len()).rev() {
            let above = nodes[n].1 as usize;
            size[above] += size[n];
            // Backwards and >=: of equal subtrees the first.
            let best = heavy[above];
            if best == u32::MAX || size[n] >= size[best as usize] {
                heavy[above] = n as u32;
            }
        }
        let mut position = vec![0; nodes.len()];
        for head in 0..nodes.len() {
            let above = nodes[head].1 as usize;
            if head == 0 {
                self.starts.push(self.words.len() as u32);
                self.words.push(END);
            } else if heavy[above] == head as u32 {
                continue;
            } else {
                self.words.push(LINK | position[above]);
            }
            let mut n = head as u32;
            while n != u32::MAX {
                position[n as usize] = self.words.len() as u32;
                self.words.push(pack(nodes[n as usize].0));
                n = heavy[n as usize];
            }
        }
        position
    }

    /// Calls `visit` with every hub, a corner of its tree, how long the way between them is, and where the
    /// corner stands; `add` lengthens a way by the line between two corners.
    pub(crate) fn each_node<L: Length>(
        &self,
        add: impl Fn(Tile, Tile, L) -> L,
        mut visit: impl FnMut(u32, Tile, L, u32),
    ) {
        let mut lengths: Vec<L> = Vec::with_capacity(self.words.len());
        let mut hub = u32::MAX;
        let mut before = None;
        for position in 0..self.words.len() as u32 {
            let mut length = L::ZERO;
            match self.at(position) {
                Word::End => {
                    hub = hub.wrapping_add(1);
                    before = None;
                }
                Word::Link(to) => {
                    before = match self.at(to) {
                        Word::Tile(corner) => lengths.get(to as usize).map(|&l| (corner, l)),
                        _ => None,
                    };
                }
                Word::Tile(corner) => {
                    if let Some((from, way)) = before {
                        length = add(from, corner, way);
                    }
                    visit(hub, corner, length, position);
                    before = Some((corner, length));
                }
            }
            lengths.push(length);
        }
    }

    /// The corner that comes after this one on the way to the hub; `None` at the hub.
    pub(crate) fn above(&self, position: u32) -> Option<Tile> {
        match self.at(position.checked_sub(1)?) {
            Word::Tile(corner) => Some(corner),
            Word::Link(to) => match self.at(to) {
                Word::Tile(corner) => Some(corner),
                _ => None,
            },
            Word::End => None,
        }
    }

    /// Reads both places, so that both are on their way from memory at once.
    #[inline]
    pub(crate) fn touch(&self, near: u32, far: u32) {
        let word = |position: u32| self.words.get(position as usize).copied().unwrap_or(0);
        std::hint::black_box(word(near) | word(far));
    }

    /// The tiles from a position up to its hub, both included.
    #[inline]
    pub(crate) fn climb(&self, position: u32, mut visit: impl FnMut(Tile)) {
        let mut below = self.words.get(..=position as usize).unwrap_or(&[]);
        while let Some((&word, rest)) = below.split_last() {
            if word & LINK == 0 {
                visit(unpack(word));
                below = rest;
            } else if word == END {
                return;
            } else {
                // Links point backwards, so this is always a shorter piece.
                below = rest.get(..=(word & !LINK) as usize).unwrap_or(&[]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn climbing_visits_the_ancestors() {
        // A tree by parents: 0 -> {1, 2}, 1 -> {3, 4}, 3 -> 5.
        let parents = [0, 0, 0, 1, 1, 3];
        let nodes: Vec<(Tile, u32)> =
            parents.iter().enumerate().map(|(n, &p)| (Tile::new(n as u16, 7), p)).collect();
        let mut trees = HubTrees::default();
        trees.add(&[(Tile::new(99, 1), 0)]);
        let position = trees.add(&nodes);
        for n in 0..nodes.len() {
            let mut expected = vec![n as u16];
            while expected.last() != Some(&0) {
                expected.push(parents[usize::from(*expected.last().unwrap())] as u16);
            }
            let mut seen = Vec::new();
            trees.climb(position[n], |tile| seen.push(tile.x));
            assert_eq!(seen, expected);
        }
        trees.climb(10_000, |_| panic!("outside"));
    }
}
