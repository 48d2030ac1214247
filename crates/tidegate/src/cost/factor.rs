//! How much more than ordinary ground a tile costs to cross.

use super::Cost;

/// How hard it is to cross a tile, in hundredths: 100 is ordinary ground. Never below
/// 100, so that estimates made for ordinary ground stay admissible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor(pub(super) u16);

impl Factor {
    /// Ordinary ground.
    pub const ONE: Factor = Factor(100);

    /// A factor from 1 to 655.35, rounded to hundredths; `None` outside.
    ///
    /// ```
    /// use tidegate::cost::Factor;
    /// assert_eq!(Factor::new(1.5).unwrap().hundredths(), 150);
    /// assert!(Factor::new(0.5).is_none());
    /// ```
    pub fn new(value: f64) -> Option<Factor> {
        let hundredths = (value * 100.0).round();
        (100.0..=65535.0).contains(&hundredths).then_some(Factor(hundredths as u16))
    }

    /// The factor from its hundredths; `None` below 100.
    pub const fn from_hundredths(hundredths: u16) -> Option<Factor> {
        if hundredths >= 100 { Some(Factor(hundredths)) } else { None }
    }

    /// The factor in hundredths.
    pub const fn hundredths(self) -> u16 {
        self.0
    }

    /// A step of cost `base` between tiles of these two factors costs their mean times
    /// `base`, rounded down: the same in both directions and never below `base`.
    #[inline]
    pub const fn step(self, other: Factor, base: Cost) -> Cost {
        Cost::new(base.get() * (self.0 as u32 + other.0 as u32) / 200)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{DIAGONAL, STRAIGHT};

    #[test]
    fn a_step_is_symmetric_and_never_cheaper_than_ordinary_ground() {
        let factors = [100, 101, 133, 150, 999, 65535].map(|f| Factor::from_hundredths(f).unwrap());
        for a in factors {
            for b in factors {
                for base in [STRAIGHT, DIAGONAL] {
                    assert_eq!(a.step(b, base), b.step(a, base));
                    assert!(a.step(b, base) >= base);
                }
            }
        }
    }
}
