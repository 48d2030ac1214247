//! All sectors a map may ever have: a forest in which a sector is the sum of two halves.
//!
//! A hierarchy is fixed when it exists; which of its sectors are in use at the moment is
//! a [`Cover`](crate::Cover). It keeps one invariant: every tile of the map belongs to
//! exactly one root and, of a sector it belongs to, to exactly one half.

use tidegate::grid::Tile;

/// The number of a sector in its [`Hierarchy`]. Roots come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectorId(u32);

impl SectorId {
    /// The sector with this number.
    pub const fn from_index(index: usize) -> SectorId {
        SectorId(index as u32)
    }

    /// The number as an index into per-sector tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for SectorId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "s{}", self.0)
    }
}

/// A forest of sectors over a map.
#[allow(clippy::len_without_is_empty, reason = "a hierarchy covers at least one tile")]
pub trait Hierarchy: std::fmt::Debug + Send + Sync {
    /// How many sectors there are on all levels together.
    fn len(&self) -> usize;

    /// How many of them are roots: numbers 0 to this.
    fn roots(&self) -> usize;

    /// The sector this is a half of; `None` for a root.
    fn parent(&self, sector: SectorId) -> Option<SectorId>;

    /// The halves of a sector; `None` where it cannot be split.
    fn halves(&self, sector: SectorId) -> Option<[SectorId; 2]>;

    /// The root that holds a tile of the map.
    fn root_of(&self, tile: Tile) -> SectorId;

    /// Which half of a sector holds a tile of it, 0 or 1.
    fn half_of(&self, sector: SectorId, tile: Tile) -> usize;

    /// Whether two sectors that do not overlap have a border in common.
    fn touch(&self, a: SectorId, b: SectorId) -> bool;

    /// Bytes held.
    fn bytes(&self) -> usize;

    /// How often a root was halved to get this sector.
    fn level(&self, sector: SectorId) -> usize {
        std::iter::successors(self.parent(sector), |&s| self.parent(s)).count()
    }
}
