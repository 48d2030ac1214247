//! The fastest exact answers: every tile knows its distances to a few hubs, such that
//! every shortest path passes a hub that both its ends know.
//!
//! ```text
//!     s . . . . .        a path pulled tight bends only at corners: u, h, v.
//!     . . . . u .        s keeps  (hub h, via u, cost from u to h)
//!     # # # # . .        t keeps  (hub h, via v, cost from v to h)
//!     # # # # . .        and the distance is the least sum over shared hubs:
//!     . . . . h .        s to u + u to h + h to v + v to t
//!     . v . . . .
//!     . . # # # #
//!     . . t . . .
//! ```
//!
//! Data flows through the modules like this:
//!
//! | module | what the map has become |
//! |---|---|
//! | `links` | the taut corner graph and the connections of tiles to it |
//! | `order` | the corners ranked as hubs |
//! | `estimate` | what labels would take, from samples: refused here where they do not pay |
//! | `prune`, `tree` | canonical labels of corners, and each hub's tree laid out to be walked |
//! | `block_build`, `block` | labels of tiles, shared by square blocks |
//! | `sight`, `query`, `unpack`, `many` | answers: distance, turning points, every tile, many at once |
//! | `wire` | the same as bytes, checked when read |
//! | `live` | answers on a map that has changed since |
//!
//! `docs/taut.md` has the definitions and the proofs: for all three rules of movement the
//! answers are exactly those of Dijkstra's algorithm on the tiles.
//!
//! ```
//! use tidegate::cost::STRAIGHT;
//! use tidegate::labels::{LabelOptions, LabelScratch, Labels};
//! use tidegate::{Grid, Path, Tile};
//! let grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
//! let labels = Labels::build(&grid, &LabelOptions::default()).unwrap();
//! let (mut scratch, mut path) = (LabelScratch::new(), Path::new());
//! let (start, goal) = (Tile::new(2, 0), Tile::new(2, 2));
//! assert_eq!(labels.distance(start, goal, &mut scratch), Some(6 * STRAIGHT));
//! labels.path(start, goal, &mut scratch, &mut path);
//! assert_eq!(path.tiles().len(), 7);
//! ```
//!
//! **When not to.** Labels rest on uniform ground, and they are large where a map has
//! many corners and no order: scattered walls. [`Labels::build`] notices from samples
//! and says so ([`LabelsError::TooLarge`]) before the work begins; `jps` answers there.

mod block;
mod block_build;
mod build;
mod engine;
mod estimate;
mod links;
mod live;
mod many;
mod order;
mod prune;
mod query;
mod tree;
mod unpack;
mod wire;

#[cfg(test)]
mod label_tests;

use block::{Block, Layout};
use tree::HubTrees;

pub use build::{Form, LabelOptions, LabelsError};
pub(crate) use engine::LabelEngine;
pub use live::{LiveAnswer, LiveLabels, LiveScratch};
pub use query::LabelScratch;
pub use wire::LabelsReadError;

use crate::grid::{Movement, Tile};
use crate::taut::Sight;

/// The labels of a map: exact distances and paths in about a microsecond. Immutable and
/// shared by threads; each thread keeps a [`LabelScratch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    width: u32,
    height: u32,
    movement: Movement,
    layout: Layout,
    /// The corners of the map; hubs are numbers below.
    corners: u32,
    /// Where each block's words begin.
    blocks: Vec<u32>,
    words: Vec<u32>,
    trees: HubTrees,
    sight: Sight,
}

impl Labels {
    /// The memory the labels take, in bytes.
    pub fn bytes(&self) -> usize {
        let words = self.blocks.len() + self.words.len();
        4 * words + self.trees.bytes() + self.sight.bytes()
    }

    /// How many corners, the possible hubs, the map has.
    pub fn corners(&self) -> usize {
        self.corners as usize
    }

    /// The form they were built in: [`Form::Fast`] or [`Form::Small`].
    pub fn form(&self) -> Form {
        if self.layout.shift == Form::Fast.shift() { Form::Fast } else { Form::Small }
    }

    /// The mean number of entries of a block that has any.
    pub fn mean_entries(&self) -> f64 {
        let counts = self.blocks.iter().filter_map(|&b| Some(self.block_at(b)?.keys.len()));
        let (blocks, entries) = counts.filter(|&n| n > 0).fold((0, 0), |(b, e), n| (b + 1, e + n));
        entries as f64 / f64::from(blocks.max(1))
    }

    #[inline]
    fn block_at(&self, begin: u32) -> Option<Block<'_>> {
        Block::read(self.words.get(begin as usize..)?, self.layout)
    }

    /// The block that holds a tile of the map, and the tile's number in it.
    #[inline]
    fn block_of(&self, tile: Tile) -> Option<(Block<'_>, u32)> {
        let (x, y) = (u32::from(tile.x), u32::from(tile.y));
        let shift = self.layout.shift;
        let across = self.width.div_ceil(1 << shift);
        let number = (y >> shift) * across + (x >> shift);
        let inner = (1 << shift) - 1;
        let lane = ((y & inner) << shift) | (x & inner);
        Some((self.block_at(*self.blocks.get(number as usize)?)?, lane))
    }
}
