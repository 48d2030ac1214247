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

    /// The form they are in: [`Form::Auto`] if they have blocks of both sizes.
    pub fn form(&self) -> Form {
        Form::of_sizes(self.hubs.sizes())
    }

    /// The mean number of entries of a block that has any.
    pub fn mean_entries(&self) -> f64 {
        self.hubs.mean_entries()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AnyAngleScratch, Walk};
    use super::*;
    use crate::labels::LabelOptions;
    use crate::rng::Rng;
    use crate::{Grid, Movement};

    /// With a few bits below the point many sums are tied, and walks are the shortest all the same.
    #[test]
    fn ties_of_rounding_are_told_apart() {
        let mut compared = 0;
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let free = |_, _| !rng.chance(22);
            let grid = Grid::from_fn(15, 14, Movement::default(), free).unwrap();
            let options = LabelOptions { effort: 500, ..LabelOptions::default() };
            let labels = AngleLabels::build_with(&grid, &options, 3).unwrap();
            let (mut scratch, mut search) = (AngleScratch::new(), AnyAngleScratch::new());
            let (mut one, mut other) = (Walk::default(), Walk::default());
            let tiles: Vec<_> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
            for &start in &tiles {
                for &goal in &tiles {
                    let found = labels.map().find_into(start, goal, &mut search, &mut one);
                    assert_eq!(labels.find_into(start, goal, &mut scratch, &mut other), found);
                    let difference = (one.length() - other.length()).abs();
                    assert!(difference < 1e-9, "{seed}: {start} to {goal}: {difference}");
                    labels.find_between(start.into(), goal.into(), &mut scratch, &mut other);
                    let difference = (one.length() - other.length()).abs();
                    assert!(difference < 1e-9, "{seed}: points {start} to {goal}: {difference}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 1_000_000, "{compared}");
    }
}
