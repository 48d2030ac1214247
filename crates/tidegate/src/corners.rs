//! Exact answers in about ten microseconds, from tables that are built in a moment: a
//! contraction hierarchy over the corners of the map.
//!
//! A shortest path pulled tight bends only at corners of walls (`docs/taut.md`). A map of
//! half a million tiles has some thousand corners, and each sees a few others. Corners
//! are contracted one by one; what remains of each is a short list of arcs to corners
//! contracted later. A query goes up from both of its ends and takes the best meeting:
//!
//! ```text
//!              h              rank
//!            /   \
//!          u       v         from the start to the corners it sees, and up;
//!        /           \       from the goal the same; they meet at h
//!      s . . . . . . . t
//! ```
//!
//! | module | what the map has become |
//! |---|---|
//! | `order` | the corners in the order of their contraction |
//! | `hierarchy`, `arc` | up-lists: arcs to corners contracted later |
//! | `aside` | which of these no search needs |
//! | `vias`, `gather` | for every block of tiles, the corners that its tiles see |
//! | `query`, `unpack` | answers: distance, turning points, every tile |
//! | `repair` | what an edit changes in the graph of corners |
//! | `recontract`, `pass_on`, `settle` | the hierarchy after that |
//!
//! ```
//! use tidegate::corners::{CornerScratch, Corners};
//! use tidegate::{Grid, Path, Tile};
//! let grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
//! let corners = Corners::build(&grid).unwrap();
//! let (mut scratch, mut path) = (CornerScratch::new(), Path::new());
//! let (start, goal) = (Tile::new(2, 0), Tile::new(2, 2));
//! let cost = corners.path(start, goal, &mut scratch, &mut path).unwrap();
//! assert_eq!(cost.tiles(), 6.0);
//! assert_eq!(path.len(), 7);
//! ```
//!
//! **When not to.** Cost factors, and maps of scattered walls: contraction adds ever more
//! arcs there, and [`Corners::build`] gives up ([`CornersError::TooDense`]).

mod arc;
mod aside;
mod engine;
mod gather;
mod hierarchy;
mod order;
mod pass_on;
mod query;
mod recontract;
mod repair;
mod settle;
mod slab;
mod unpack;
mod vias;

#[cfg(test)]
mod corner_tests;

use std::collections::BTreeMap;

use crate::grid::{Grid, Movement, Revision, Tile};
use crate::taut::{CornerBits, CornerGraph, Rules};
use hierarchy::{Corner, Hierarchy};
use vias::Vias;

pub(crate) use engine::CornerEngine;
pub use query::CornerScratch;

/// The hierarchy of a map's corners: exact distances and paths in microseconds. Shared by
/// threads; each thread keeps a [`CornerScratch`].
#[derive(Clone, Debug)]
pub struct Corners {
    width: u32,
    movement: Movement,
    revision: Revision,
    rules: &'static Rules,
    bits: CornerBits,
    hierarchy: Hierarchy,
    vias: Vias,
    /// The numbers at which [tiers](tiers) begin, and where the last one ends. Later
    /// corners were added by repairs, by row and column of their tiles.
    tiers: Vec<usize>,
    added: BTreeMap<(u16, u16), u32>,
    /// Arcs when it was built.
    built_arcs: usize,
}

/// Why there is no hierarchy of corners.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CornersError {
    /// The map has cost factors; corners rest on uniform ground.
    #[error(
        "corners need uniform ground, and this map has cost factors: use an engine that searches, such as astar"
    )]
    Factors,
    /// Contraction adds too many arcs.
    #[error(
        "the {corners} corners of this map see too much of each other, as where walls are scattered: use jps, which needs no tables"
    )]
    TooDense {
        /// Corners of the map.
        corners: usize,
    },
    /// The order does not fit the map.
    #[error("the order of {ranks} corners is none for the {corners} corners of this map")]
    Order {
        /// Ranks given.
        ranks: usize,
        /// Corners of the map.
        corners: usize,
    },
}

/// The place of a tile on a Z-order curve: tiles near each other on the map have places
/// near each other.
fn place(tile: Tile) -> u32 {
    let spread = |v: u16| {
        let v = u32::from(v);
        let v = (v | v << 8) & 0x00FF_00FF;
        let v = (v | v << 4) & 0x0F0F_0F0F;
        let v = (v | v << 2) & 0x3333_3333;
        (v | v << 1) & 0x5555_5555
    };
    spread(tile.x) | spread(tile.y) << 1
}

/// Numbers of corners: those contracted last come first, because every search meets
/// them, and they should lie together in memory. Within such a tier they stand in the
/// order of [`place`]. The sizes of the tiers, as shares of all corners.
const TIERS: [usize; 3] = [64, 8, 1];

/// Where the tiers of so many corners begin, and the end.
fn tiers(count: usize) -> Vec<usize> {
    let ends = TIERS.iter().map(|share| count / share);
    std::iter::once(0).chain(ends).collect()
}

impl Corners {
    /// Builds the hierarchy of a map.
    pub fn build(grid: &Grid) -> Result<Corners, CornersError> {
        Corners::build_by(grid, Rules::of(grid.movement()))
    }

    /// The same by given rules, which tests break.
    fn build_by(grid: &Grid, rules: &'static Rules) -> Result<Corners, CornersError> {
        Corners::build_ordered(grid, rules, |graph| {
            let dense = |_| CornersError::TooDense { corners: graph.len() };
            order::ranks(rules, graph).map_err(dense)
        })
    }

    /// The same with given ranks of the corners, in the order of [`place`].
    fn with_ranks(grid: &Grid, ranks: &[u32]) -> Result<Corners, CornersError> {
        Corners::build_ordered(grid, Rules::of(grid.movement()), |graph| {
            let mut seen = vec![false; ranks.len()];
            let fresh = |&rank: &u32| {
                let seen = seen.get_mut(rank as usize);
                seen.is_some_and(|seen| !std::mem::replace(seen, true))
            };
            if ranks.len() == graph.len() && ranks.iter().all(fresh) {
                Ok(ranks.to_vec())
            } else {
                Err(CornersError::Order { ranks: ranks.len(), corners: graph.len() })
            }
        })
    }

    fn build_ordered(
        grid: &Grid,
        rules: &'static Rules,
        ranks: impl FnOnce(&CornerGraph) -> Result<Vec<u32>, CornersError>,
    ) -> Result<Corners, CornersError> {
        if grid.factors().is_some() {
            return Err(CornersError::Factors);
        }
        let (width, height) = (grid.width(), grid.height());
        let bits = CornerBits::new(grid, rules);
        let mut found = bits.corners();
        found.sort_unstable_by_key(|&(tile, _)| place(tile));
        let graph = CornerGraph::new(&bits, rules, &found);
        let ranks = ranks(&graph)?;
        let tiers = tiers(found.len());
        let tier = |rank: u32| tiers.partition_point(|&end| end <= found.len() - 1 - rank as usize);
        let mut order: Vec<u32> = (0..found.len() as u32).collect();
        order.sort_by_key(|&n| tier(ranks[n as usize]));
        let mut numbers = vec![0; order.len()];
        (0..).zip(&order).for_each(|(number, &n)| numbers[n as usize] = number);
        let numbered = || order.iter().map(|&n| (n, found[n as usize]));
        let corners =
            numbered().map(|(n, (t, pattern))| Corner::new(t, pattern, ranks[n as usize]));
        let hierarchy = Hierarchy::contract(rules, corners.collect(), |corner, visit| {
            let edges = graph.edges(order[corner as usize]);
            edges.iter().for_each(|edge| visit(numbers[edge.to as usize]));
        });
        let hierarchy = hierarchy.map_err(|_| CornersError::TooDense { corners: graph.len() })?;
        drop(graph);
        let vias = Vias::new((width, height), &bits, rules, numbered().map(|(_, corner)| corner));
        let (movement, revision) = (grid.movement(), Revision::of(grid));
        let (added, built_arcs) = (BTreeMap::new(), hierarchy.arcs());
        let made = Corners {
            width,
            movement,
            revision,
            rules,
            bits,
            hierarchy,
            vias,
            tiers,
            added,
            built_arcs,
        };
        Ok(made)
    }

    /// The order of contraction, by corner in the order of [`place`].
    fn ranks(&self) -> Vec<u32> {
        let live = (0..).zip(&self.hierarchy.corners).filter(|(_, corner)| corner.pattern != 0);
        let mut order: Vec<(u32, u32, Tile)> = live.map(|(n, c)| (c.rank, n, c.tile)).collect();
        order.sort_unstable_by_key(|&(rank, n, _)| (rank, n));
        let mut ranks: Vec<(u32, u32)> =
            (0..).zip(order).map(|(rank, (_, _, tile))| (place(tile), rank)).collect();
        ranks.sort_unstable();
        ranks.into_iter().map(|(_, rank)| rank).collect()
    }

    /// The number of the corner that is, or once was, on a tile.
    fn number(&self, tile: Tile) -> Option<u32> {
        let in_tier = |tier: &[usize]| {
            let sorted = &self.hierarchy.corners[tier[0]..tier[1]];
            let found = sorted.binary_search_by_key(&place(tile), |corner| place(corner.tile));
            found.ok().map(|n| (tier[0] + n) as u32)
        };
        let added = || self.added.get(&(tile.y, tile.x)).copied();
        self.tiers.windows(2).find_map(in_tier).or_else(added)
    }

    /// How many corners the map has.
    pub fn corners(&self) -> usize {
        self.hierarchy.corners.iter().filter(|corner| corner.pattern != 0).count()
    }

    /// How many arcs the hierarchy has.
    pub fn arcs(&self) -> usize {
        self.hierarchy.arcs()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bits.bytes() + self.hierarchy.bytes() + self.vias.bytes()
    }
}
