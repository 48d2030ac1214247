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
//! | `hubs::order` | the corners ranked as hubs |
//! | `estimate` | what labels would take, from samples: refused here where they do not pay |
//! | `hubs` | labels of corners, then of tiles, shared by square blocks |
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

mod blocks;
mod build;
mod engine;
mod estimate;
mod links;
mod live;
mod many;
mod query;
mod unpack;
mod wire;

#[cfg(test)]
mod canonical_tests;
#[cfg(test)]
mod label_tests;

pub use build::{Form, LabelOptions, LabelsError};
pub(crate) use build::{MAX_TREE_ENTRIES, WORKING};
pub(crate) use engine::LabelEngine;
pub use live::{LiveAnswer, LiveLabels, LiveScratch};
pub use query::LabelScratch;
pub use wire::LabelsReadError;

use crate::grid::Movement;
use crate::hubs::HubStore;
use crate::taut::Sight;

/// The labels of a map: exact distances and paths in about a microsecond. Immutable and
/// shared by threads; each thread keeps a [`LabelScratch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    movement: Movement,
    hubs: HubStore,
    sight: Sight,
}

impl Labels {
    /// The memory the labels take, in bytes.
    pub fn bytes(&self) -> usize {
        self.hubs.bytes() + self.sight.bytes()
    }

    /// How many corners, the possible hubs, the map has.
    pub fn corners(&self) -> usize {
        self.hubs.corners as usize
    }

    /// The form they are in: [`Form::Auto`] if they have blocks of both sizes.
    pub fn form(&self) -> Form {
        Form::of_sizes(self.hubs.sizes())
    }

    /// The mean number of entries of a block that has any.
    pub fn mean_entries(&self) -> f64 {
        self.hubs.mean_entries()
    }
}
