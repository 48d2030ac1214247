//! Walks at any angle from labels: in about half a microsecond.
//!
//! The same as [`labels`](crate::labels), on the graph of the corners at which walks bend: every tile knows
//! its distances to a few hubs, such that every shortest walk passes a hub that both its ends know.
//! Lengths are sums of square roots. Labels are built with sums that are exact to 2^-40 of a tile,
//! kept in fewer bits, and where these cannot tell two walks apart both are added up.
//!
//! ```
//! use tidegate::Grid;
//! use tidegate::anyangle::{AngleLabels, AngleScratch};
//! use tidegate::labels::LabelOptions;
//! let grid = Grid::from_rows(&[
//!     "......",
//!     "..##..",
//!     "......",
//! ]).unwrap();
//! let labels = AngleLabels::build(&grid, &LabelOptions::default()).unwrap();
//! let walk = labels.find((1, 1).into(), (4, 1).into(), &mut AngleScratch::new()).unwrap();
//! assert_eq!(walk.points().len(), 4); // around two corners
//! assert_eq!(walk.length(), 2.0 + 2.0 * 0.5_f64.sqrt());
//! ```

mod blocks;
mod build;
mod estimate;
mod graph;
mod points;
mod query;
mod wire;

pub use query::AngleScratch;

use super::AnyAngle;
use crate::hubs::HubStore;
use crate::labels::Form;
use points::LazyLists;

/// The labels of a map for walks at any angle between the centres of its tiles. Immutable and shared by
/// threads; each thread keeps an [`AngleScratch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AngleLabels {
    hubs: HubStore,
    angle: AnyAngle,
    /// Bits below the point of lengths in blocks.
    bits: u32,
    /// The labels of corners, for points that are no centres.
    lists: LazyLists,
}

impl AngleLabels {
    /// The memory the labels take, in bytes.
    pub fn bytes(&self) -> usize {
        self.hubs.bytes() + self.angle.bytes() + self.lists.bytes()
    }

    /// The map that they were built for.
    pub fn map(&self) -> &AnyAngle {
        &self.angle
    }

    /// How many corners, the possible hubs, the map has.
    pub fn corners(&self) -> usize {
        self.hubs.corners as usize
    }

    /// The form they were built in: [`Form::Fast`] or [`Form::Small`].
    pub fn form(&self) -> Form {
        if self.hubs.layout.shift == Form::Fast.shift() { Form::Fast } else { Form::Small }
    }

    /// The mean number of entries of a block that has any.
    pub fn mean_entries(&self) -> f64 {
        self.hubs.mean_entries()
    }
}
