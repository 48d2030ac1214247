//! The numbers a search adds and compares.

use std::cmp::Ordering;
use std::ops::Add;

use crate::cost::{Cost, LIMIT};

/// A cost in a search: exact 32-bit units, 64-bit ones for endless maps, or the
/// floating-point lengths of older experiments.
pub trait Weight: Copy + PartialOrd + Add<Output = Self> + std::fmt::Debug {
    /// Nothing.
    const ZERO: Self;
    /// The largest cost a path may have. Adding any estimate to it must not overflow.
    const LIMIT: Self;

    /// A total order.
    fn order(&self, other: &Self) -> Ordering;

    /// Whether this is less than `old`. If the node was `expanded` already, by more than
    /// rounding noise: noise is no reason to expand it again.
    fn improves(self, old: Self, expanded: bool) -> bool;
}

impl Weight for Cost {
    const ZERO: Cost = Cost::ZERO;
    const LIMIT: Cost = LIMIT;

    #[inline]
    fn order(&self, other: &Cost) -> Ordering {
        self.cmp(other)
    }

    #[inline]
    fn improves(self, old: Cost, _: bool) -> bool {
        self < old
    }
}

impl Weight for u64 {
    const ZERO: u64 = 0;
    const LIMIT: u64 = u64::MAX / 4;

    #[inline]
    fn order(&self, other: &u64) -> Ordering {
        self.cmp(other)
    }

    #[inline]
    fn improves(self, old: u64, _: bool) -> bool {
        self < old
    }
}

impl Weight for f64 {
    const ZERO: f64 = 0.0;
    const LIMIT: f64 = f64::MAX;

    #[inline]
    fn order(&self, other: &f64) -> Ordering {
        self.total_cmp(other)
    }

    #[inline]
    fn improves(self, old: f64, expanded: bool) -> bool {
        self < if expanded { old - 1e-9 } else { old }
    }
}
