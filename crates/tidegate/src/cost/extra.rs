//! What is added to a tile's cost factor for a time.

use super::Factor;

/// What a [layer](crate::grid::CostLayer) adds to the cost factor of a tile, in hundredths:
/// 100 on ordinary ground makes it cost twice. Never negative, so that nothing becomes
/// cheaper than the map says and every estimate stays admissible.
///
/// ```
/// use tidegate::cost::{Extra, Factor};
/// let danger = Extra::new(1.5).unwrap();
/// assert_eq!(danger.hundredths(), 150);
/// assert_eq!(Factor::ONE.plus(danger), Factor::new(2.5).unwrap());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Extra(u16);

impl Extra {
    /// Nothing is added.
    pub const NONE: Extra = Extra(0);
    /// The most that can be added.
    pub const MOST: Extra = Extra(u16::MAX);

    /// From 0 to 655.35, rounded to hundredths; `None` outside.
    pub fn new(value: f64) -> Option<Extra> {
        let hundredths = (value * 100.0).round();
        (0.0..=65535.0).contains(&hundredths).then_some(Extra(hundredths as u16))
    }

    /// So many hundredths.
    #[inline]
    pub const fn from_hundredths(hundredths: u16) -> Extra {
        Extra(hundredths)
    }

    /// In hundredths.
    #[inline]
    pub const fn hundredths(self) -> u16 {
        self.0
    }
}

impl Factor {
    /// The factor with so much added; at most 655.35.
    #[inline]
    pub const fn plus(self, extra: Extra) -> Factor {
        Factor(self.0.saturating_add(extra.0))
    }
}
