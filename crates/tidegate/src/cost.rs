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

mod extra;
mod factor;

pub use extra::Extra;
pub use factor::Factor;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// What a path or a step costs, in units of 1/5741 of a straight step.
///
/// Costs are added, compared, multiplied and divided by a count as integers are, and cannot be
/// mistaken for the number of a cell or a node. Shown to people, a cost is a number of tiles:
///
/// ```
/// use tidegate::cost::{Cost, DIAGONAL, STRAIGHT};
/// let cost = 2 * STRAIGHT + DIAGONAL;
/// assert_eq!(cost, Cost::new(2 * 5741 + 8119));
/// assert_eq!(cost.to_string(), "3.414");
/// assert!((cost.tiles() - 3.4142).abs() < 0.0001);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Cost(u32);

impl Cost {
    /// Nothing.
    pub const ZERO: Cost = Cost(0);

    /// So many units of 1/5741 of a straight step.
    #[inline]
    pub const fn new(units: u32) -> Cost {
        Cost(units)
    }

    /// The number of units of 1/5741 of a straight step.
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The sum, or the largest number there is where it does not fit.
    #[inline]
    pub const fn saturating_add(self, other: Cost) -> Cost {
        Cost(self.0.saturating_add(other.0))
    }

    /// The difference, or nothing where `other` is more.
    #[inline]
    pub const fn saturating_sub(self, other: Cost) -> Cost {
        Cost(self.0.saturating_sub(other.0))
    }

    /// The difference, whichever is more.
    #[inline]
    pub const fn abs_diff(self, other: Cost) -> Cost {
        Cost(self.0.abs_diff(other.0))
    }

    /// The cost in straight steps.
    #[inline]
    pub fn tiles(self) -> f64 {
        f64::from(self.0) / f64::from(STRAIGHT.0)
    }
}

impl fmt::Debug for Cost {
    /// The number of units alone: exact, and short where many costs are listed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Cost {
    /// The cost in straight steps, with three digits unless the format asks for others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.precision() {
            Some(_) => self.tiles().fmt(f),
            None => f.pad(&format!("{:.3}", self.tiles())),
        }
    }
}

impl Add for Cost {
    type Output = Cost;

    #[inline]
    fn add(self, other: Cost) -> Cost {
        Cost(self.0 + other.0)
    }
}

impl AddAssign for Cost {
    #[inline]
    fn add_assign(&mut self, other: Cost) {
        self.0 += other.0;
    }
}

impl Sub for Cost {
    type Output = Cost;

    #[inline]
    fn sub(self, other: Cost) -> Cost {
        Cost(self.0 - other.0)
    }
}

impl SubAssign for Cost {
    #[inline]
    fn sub_assign(&mut self, other: Cost) {
        self.0 -= other.0;
    }
}

impl Mul<u32> for Cost {
    type Output = Cost;

    #[inline]
    fn mul(self, count: u32) -> Cost {
        Cost(self.0 * count)
    }
}

impl Mul<Cost> for u32 {
    type Output = Cost;

    #[inline]
    fn mul(self, cost: Cost) -> Cost {
        cost * self
    }
}

impl Div<u32> for Cost {
    type Output = Cost;

    /// Rounded down.
    #[inline]
    fn div(self, by: u32) -> Cost {
        Cost(self.0 / by)
    }
}

impl Sum for Cost {
    #[inline]
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

impl From<Cost> for u32 {
    #[inline]
    fn from(cost: Cost) -> u32 {
        cost.0
    }
}

impl From<Cost> for u64 {
    #[inline]
    fn from(cost: Cost) -> u64 {
        u64::from(cost.0)
    }
}

impl TryFrom<u64> for Cost {
    type Error = std::num::TryFromIntError;

    /// A sum of many costs as a cost, if it fits 32 bits.
    #[inline]
    fn try_from(units: u64) -> Result<Cost, Self::Error> {
        u32::try_from(units).map(Cost)
    }
}

/// Cost of a step to one of the four neighbours beside a tile.
pub const STRAIGHT: Cost = Cost(5741);
/// Cost of a step to one of the four neighbours across a corner.
pub const DIAGONAL: Cost = Cost(8119);
/// "No way". Two infinities can be added without overflow.
pub const INFINITY: Cost = Cost(u32::MAX / 2);
/// The largest cost that a search will call a path: about 374,000 straight steps.
/// What would be longer is refused with an error, never answered with a wrong number.
pub const LIMIT: Cost = Cost(INFINITY.0 - 1);

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
    Cost((long - short) * STRAIGHT.0 + short * DIAGONAL.0)
}

/// The cost between two tiles on an empty map without diagonal steps.
#[inline]
pub const fn manhattan(dx: u32, dy: u32) -> Cost {
    Cost((dx + dy) * STRAIGHT.0)
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
    /// The steps that a cost on uniform ground is made of. They can be told from each other up to 5740 diagonal ones,
    /// because 8119 and 5741 have no common divisor; of more, 5741 diagonal ones are taken for 8119
    /// straight ones, which are shorter by less than a thousandth of a tile. `None` for a number that no steps add
    /// up to.
    ///
    /// ```
    /// use tidegate::cost::{DIAGONAL, Length, STRAIGHT};
    /// let length = Length::of(2 * STRAIGHT + 3 * DIAGONAL).unwrap();
    /// assert_eq!((length.straight, length.diagonal), (2, 3));
    /// assert_eq!(Length::of(STRAIGHT / 2), None);
    /// ```
    pub fn of(cost: Cost) -> Option<Length> {
        const INVERSE: u64 = inverse(DIAGONAL.0 as u64, STRAIGHT.0 as u64);
        let (units, straight) = (u64::from(cost), u64::from(STRAIGHT));
        let diagonal = units % straight * INVERSE % straight;
        let rest = units.checked_sub(diagonal * u64::from(DIAGONAL))?;
        Some(Length { straight: (rest / straight) as u32, diagonal: diagonal as u32 })
    }

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

/// The number that gives 1 with `of`, modulo `modulus`.
const fn inverse(of: u64, modulus: u64) -> u64 {
    let mut n = 1;
    while of * n % modulus != 1 {
        n += 1;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_again_in_a_cost() {
        for diagonal in 0..STRAIGHT.get() {
            for straight in [0, 1, 8118, 8119, 300_000] {
                let length = Length { straight, diagonal };
                let cost = Cost::try_from(length.cost()).expect("it fits");
                assert_eq!(Length::of(cost), Some(length));
            }
        }
        // 5741 diagonal steps cost what 8119 straight ones do.
        let many = Length::of(STRAIGHT.get() * DIAGONAL).expect("steps add up to it");
        assert_eq!((many.straight, many.diagonal), (DIAGONAL.get(), 0));
    }

    /// The statement at the head of the module, by brute force: for every number of diagonal steps
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
    fn the_bound_of_the_statement_is_sharp() {
        let (a, b) = (8119_i64, 5741_i64);
        assert_eq!(5741 * -a + 8119 * b, 0);
        assert_ne!(2 * b * b - a * a, 0);
    }

    #[test]
    fn infinities_can_be_added() {
        assert!(INFINITY.0.checked_add(INFINITY.0).is_some());
    }

    #[test]
    fn costs_are_shown_in_tiles_and_debugged_in_units() {
        let cost = 2 * STRAIGHT + DIAGONAL;
        assert_eq!(format!("{cost} {cost:.1} {cost:>7} {cost:?}"), "3.414 3.4   3.414 19601");
        assert_eq!([STRAIGHT, cost, DIAGONAL].into_iter().sum::<Cost>(), Cost::new(33_461));
        assert_eq!(cost / 2 * 2 + Cost::new(1), cost);
        assert_eq!(Cost::try_from(u64::from(cost)), Ok(cost));
        assert!(Cost::try_from(1_u64 << 32).is_err());
    }
}
