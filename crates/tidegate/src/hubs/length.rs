//! What hub labels ask of lengths, and of the graph of corners.

use std::fmt::Debug;

use crate::cost::{Cost, INFINITY, LIMIT};
use crate::grid::Tile;
use crate::taut::Edge;

/// The length of a path while labels are built. Sums are exact, so that it does not matter in
/// which order they are taken.
pub(crate) trait Length: Copy + Ord + Debug + Send + Sync + 'static {
    /// Of no step at all.
    const ZERO: Self;
    /// Where there is no path. The sum of two is above every length.
    const INFINITY: Self;
    /// The longest path that may be.
    const LIMIT: Self;
    /// A length with a corner, ordered by length first.
    type Key: Copy + Ord + Send;

    /// The sum of two, neither above [`Length::INFINITY`].
    fn plus(self, other: Self) -> Self;

    /// With a corner.
    fn key(self, corner: u32) -> Self::Key;

    /// What a key was made of.
    fn of_key(key: Self::Key) -> (Self, u32);
}

impl Length for Cost {
    const ZERO: Cost = Cost::ZERO;
    const INFINITY: Cost = INFINITY;
    const LIMIT: Cost = LIMIT;
    type Key = u64;

    #[inline]
    fn plus(self, other: Cost) -> Cost {
        Cost::new(self.get() + other.get())
    }

    #[inline]
    fn key(self, corner: u32) -> u64 {
        u64::from(self) << 32 | u64::from(corner)
    }

    #[inline]
    fn of_key(key: u64) -> (Cost, u32) {
        (Cost::new((key >> 32) as u32), key as u32)
    }
}

/// A graph of corners.
pub(crate) trait HubGraph: Sync {
    /// How long its edges are.
    type Length: Length;

    /// How many corners there are.
    fn len(&self) -> usize;

    /// The edges that leave a corner; each is there in the other direction too.
    fn edges(&self, corner: u32) -> &[Edge<Self::Length>];

    /// Where a corner lies, as trees keep it.
    fn place(&self, corner: u32) -> Tile;

    /// What to remember of an edge as the first of a path: one bit, or nothing.
    fn first_edge(&self, from: u32, to: u32) -> u16;

    /// What to keep of all first edges that were remembered.
    fn first_edges(&self, all: u16) -> u16;
}
