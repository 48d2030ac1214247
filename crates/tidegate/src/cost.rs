//! What a step costs: exact integers that order paths as their real lengths do.
//!
//! A straight step costs [`STRAIGHT`] = 5741 and a diagonal one [`DIAGONAL`] = 8119.
//! 8119/5741 is a convergent of the continued fraction of √2, so the integers are as
//! good as real numbers for as long as it matters:
//!
//! > Two paths whose numbers of diagonal steps differ by less than 5741 compare by
//! > their integer cost exactly as they compare by their real length.
//!
//! *Why.* Let the paths differ by `a` straight and `b` diagonal steps, `0 < |b| < 5741`,
//! and write `R = a + b√2` for the real difference and `I = 5741·a + 8119·b` for ours.
//! Then `I − 5741·R = b·(8119 − 5741·√2)`, and because `8119² − 2·5741² = −1` the
//! bracket is `−1/(8119 + 5741√2)`, less than 1/16238 in size. So the two differ by
//! less than `|b|/16238 < 0.36`. If `I` is
//! not zero it is at least 1 in size, so `R` has the same sign. If `I` is zero, 5741
//! divides `8119·b`; the numbers are coprime, so 5741 divides `b`, which is impossible
//! for `0 < |b| < 5741`. With `b = 0` both are multiples of `a`. ∎
//!
//! The answer is the same on every platform, "optimal" needs no tolerance, and a
//! length is reported from the two counts as `straight + diagonal·√2`.

/// The unit in which everything is counted: 1/5741 of a straight step.
pub type Cost = u32;

/// Cost of a step to one of the four neighbours beside a tile.
pub const STRAIGHT: Cost = 5741;
/// Cost of a step to one of the four neighbours across a corner.
pub const DIAGONAL: Cost = 8119;
/// "No way". Two infinities can be added without overflow.
pub const INFINITY: Cost = u32::MAX / 2;
/// The largest cost that a search will call a path: about 374,000 straight steps.
/// What would be longer is refused with an error, never answered with a wrong number.
pub const LIMIT: Cost = INFINITY - 1;

/// The cost of going from one tile to another on an empty map: diagonal steps until
/// the tiles are in line, then straight ones.
///
/// ```
/// use tidegate::cost::{octile, DIAGONAL, STRAIGHT};
/// assert_eq!(octile(5, 2), 2 * DIAGONAL + 3 * STRAIGHT);
/// ```
#[inline]
pub const fn octile(dx: u32, dy: u32) -> Cost {
    let (long, short) = if dx > dy { (dx, dy) } else { (dy, dx) };
    (long - short) * STRAIGHT + short * DIAGONAL
}

/// The cost between two tiles on an empty map without diagonal steps.
#[inline]
pub const fn manhattan(dx: u32, dy: u32) -> Cost {
    (dx + dy) * STRAIGHT
}

/// A length in tiles, kept as its two counts so that nothing is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Length {
    /// Steps along rows and columns.
    pub straight: u32,
    /// Steps across corners.
    pub diagonal: u32,
}

impl Length {
    /// `straight + diagonal·√2`.
    pub fn value(self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * std::f64::consts::SQRT_2
    }

    /// The exact cost on uniform ground.
    pub fn cost(self) -> u64 {
        u64::from(self.straight) * u64::from(STRAIGHT)
            + u64::from(self.diagonal) * u64::from(DIAGONAL)
    }
}

/// How hard it is to cross a tile, in hundredths: 100 is ordinary ground. Never below
/// 100, so that estimates made for ordinary ground stay admissible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor(u16);

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
        base * (self.0 as u32 + other.0 as u32) / 200
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The law in the room's head, by brute force: for every number of diagonal steps
    /// below the bound, the straight counts around the tie compare as the reals do.
    /// The reals are compared exactly: the sign of a + b√2 is that of a² − 2b² when
    /// the signs of a and b differ.
    #[test]
    fn integer_order_is_the_order_of_real_lengths() {
        for b in 1..5741_i64 {
            let tie = (b as f64 * std::f64::consts::SQRT_2) as i64;
            for a in (tie - 3).max(0)..=(tie + 4) {
                let integer = 5741 * -a + 8119 * b;
                let real = 2 * b * b - a * a;
                assert_eq!(integer.signum(), real.signum(), "-{a} straight, +{b} diagonal");
            }
        }
    }

    #[test]
    fn the_bound_of_the_law_is_sharp() {
        let (a, b) = (8119_i64, 5741_i64);
        assert_eq!(5741 * -a + 8119 * b, 0);
        assert_ne!(2 * b * b - a * a, 0);
    }

    #[test]
    fn infinities_can_be_added() {
        assert!(INFINITY.checked_add(INFINITY).is_some());
    }

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
