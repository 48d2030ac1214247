//! Smooth random fields: value noise on a lattice, the same everywhere for a seed.

use crate::rng::Rng;

/// A family of random fields, one for every salt.
#[derive(Clone, Copy)]
pub(super) struct Noise(u64);

impl Noise {
    pub(super) fn new(rng: &mut Rng) -> Noise {
        Noise(rng.bits())
    }

    /// A number from −1 to 1 for a point of the lattice.
    fn lattice(self, salt: u64, x: i64, y: i64) -> f64 {
        let mixed = self.0
            ^ salt.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (x as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
            ^ (y as u64).wrapping_mul(0x1656_67B1_9E37_79F9);
        (Rng::new(mixed).bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The field's value, from −1 to 1; hills and valleys are about `size` wide.
    pub(super) fn at(self, salt: u64, x: f64, y: f64, size: f64) -> f64 {
        let (x, y) = (x / size, y / size);
        let (fx, fy) = (x.floor(), y.floor());
        let ease = |t: f64| t * t * (3.0 - 2.0 * t);
        let (u, v) = (ease(x - fx), ease(y - fy));
        let (ix, iy) = (fx as i64, fy as i64);
        let row = |iy: i64| {
            let (a, b) = (self.lattice(salt, ix, iy), self.lattice(salt, ix + 1, iy));
            a + (b - a) * u
        };
        let (a, b) = (row(iy), row(iy + 1));
        a + (b - a) * v
    }

    /// Large shapes with finer and finer detail: three octaves, from −1 to 1.
    pub(super) fn rough(self, salt: u64, x: f64, y: f64, size: f64) -> f64 {
        let octave = |k: u64, scale: f64| self.at(salt * 4 + k, x, y, size / scale);
        (octave(0, 1.0) * 4.0 + octave(1, 2.0) * 2.0 + octave(2, 4.0)) / 7.0
    }
}
