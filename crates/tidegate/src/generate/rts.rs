//! A strategy map, the same seen from either end: turning it by 180 degrees changes nothing.
//!
//! The ground is cut into **fields**, the Voronoi cells of jittered seeds seen through a
//! bent pane of glass, which makes their borders look grown and not drawn. Each field
//! has a level: low ground, plateau, or the high ground of a start base in a corner;
//! some are lakes. Then the borders get their meaning: open (rocks where three fields
//! meet narrow the way to a natural choke point), a cliff, or a cliff with a ramp. Last
//! come rocks, groves and swamps, and a tunnel for whatever is still cut off.
//! Symmetry holds because every field of noise is used in a form that turning keeps or
//! negates, and every random choice is made once for a place and its counterpart.

mod fields;
mod paint;

use super::canvas::Canvas;
use super::noise::Noise;
use super::root;
use crate::rng::Rng;
use fields::BorderLine;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Level {
    Lake,
    Low,
    High,
    Base,
}

/// What lies between two neighbouring fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Border {
    Open,
    Cliff,
    Ramp,
}

pub(super) fn draw(width: i32, height: i32, rng: &mut Rng) -> Canvas {
    let plan = Plan::new(width, height, rng);
    let fields = plan.survey();
    let mut borders = fields.borders(&plan);
    plan.decide(&mut borders, rng);
    let mut canvas = plan.raise(&fields, &borders);
    plan.scatter(&mut canvas, &fields, rng);
    for border in borders.iter().filter(|b| b.kind == Border::Ramp) {
        plan.ramp(&mut canvas, border);
    }
    plan.frame(&mut canvas);
    canvas.connect(
        (plan.pitch * plan.pitch / 6.0) as usize + 4,
        (plan.cliff / 2.0) as i32 + 1,
        true,
    );
    canvas
}

/// Everything decided about the fields.
struct Plan {
    width: i32,
    height: i32,
    /// Fields across and down.
    nx: i32,
    ny: i32,
    /// The mean distance of seeds; all sizes follow it.
    pitch: f64,
    /// The usual thickness of a cliff.
    cliff: f64,
    seeds: Vec<(f64, f64)>,
    /// How much farther than others a field reaches: some are large, some small.
    bonus: Vec<f64>,
    levels: Vec<Level>,
    noise: Noise,
}

impl Plan {
    fn new(width: i32, height: i32, rng: &mut Rng) -> Plan {
        let wanted = (f64::from(width.min(height)) / 6.2).clamp(9.0, 80.0);
        // Odd numbers: there is a field in the very middle.
        let count = |side: i32| ((f64::from(side) / wanted) as i32 | 1).min(151);
        let (nx, ny) = (count(width), count(height));
        let (px, py) = (f64::from(width) / f64::from(nx), f64::from(height) / f64::from(ny));
        let pitch = px.min(py);
        let fields = (nx * ny) as usize;
        let mut seeds = vec![(0.0, 0.0); fields];
        let mut bonus = vec![0.0; fields];
        for k in 0..=fields / 2 {
            let (i, j) = (k as i32 % nx, k as i32 / nx);
            let mut shift =
                |free: bool| if free { f64::from(rng.between(-400, 400)) / 1000.0 } else { 0.0 };
            let free = k != fields / 2;
            let x = (f64::from(i) + 0.5 + shift(free)) * px;
            let y = (f64::from(j) + 0.5 + shift(free)) * py;
            bonus[k] = pitch * f64::from(rng.between(-180, 180)) / 1000.0;
            bonus[fields - 1 - k] = bonus[k];
            seeds[k] = (x, y);
            seeds[fields - 1 - k] = (f64::from(width) - x, f64::from(height) - y);
        }
        let noise = Noise::new(rng);
        let cliff = (pitch / 11.0).max(1.5);
        let levels = levels(nx, ny, rng);
        for (bonus, _) in bonus.iter_mut().zip(&levels).filter(|(_, l)| **l == Level::Base) {
            *bonus = pitch * 0.15;
        }
        Plan { width, height, nx, ny, pitch, cliff, seeds, bonus, levels, noise }
    }

    fn turned(&self, x: f64, y: f64) -> (f64, f64) {
        (f64::from(self.width) - x, f64::from(self.height) - y)
    }

    /// Noise that turning the map does not change.
    fn even(&self, salt: u64, x: f64, y: f64, size: f64) -> f64 {
        let (tx, ty) = self.turned(x, y);
        (self.noise.rough(salt, x, y, size) + self.noise.rough(salt, tx, ty, size)) * 0.7
    }

    /// Noise that turning the map negates.
    fn odd(&self, salt: u64, x: f64, y: f64, size: f64) -> f64 {
        let (tx, ty) = self.turned(x, y);
        (self.noise.rough(salt, x, y, size) - self.noise.rough(salt, tx, ty, size)) * 0.7
    }

    /// Gives every border its meaning, the same for a border and its counterpart.
    fn decide(&self, borders: &mut [BorderLine], rng: &mut Rng) {
        let last = (self.nx * self.ny - 1) as u16;
        let mut entered = vec![false; self.levels.len()];
        let mut order: Vec<usize> = (0..borders.len()).collect();
        rng.shuffle(&mut order);
        let mut joined: Vec<usize> = (0..self.levels.len()).collect();
        for i in order {
            let (a, b) = (borders[i].a, borders[i].b);
            let twin = borders.binary_search_by_key(&(last - b, last - a), |l| (l.a, l.b));
            let Ok(twin) = twin else { continue };
            if (borders[twin].a, borders[twin].b) < (a, b) {
                continue;
            }
            let (la, lb) = (self.levels[usize::from(a)], self.levels[usize::from(b)]);
            let lower = if la < lb { la } else { lb };
            let wide = borders[i].length as f64 > self.pitch * 0.3;
            let base = [a, b].into_iter().find(|&f| self.levels[usize::from(f)] == Level::Base);
            let (ra, rb) = (root(&mut joined, a.into()), root(&mut joined, b.into()));
            let kind = match base {
                _ if lower == Level::Lake => Border::Open,
                // A start base has a single way in.
                Some(f) if wide && !entered[usize::from(f)] && lower != Level::Base => {
                    (entered[usize::from(f)], entered[usize::from(last - f)]) = (true, true);
                    Border::Ramp
                }
                Some(_) => Border::Cliff,
                None if la == lb && (rng.chance(62) || self.is_middle(a) && self.is_middle(b)) => {
                    Border::Open
                }
                None if wide && (ra != rb || rng.chance(38)) => Border::Ramp,
                None => Border::Cliff,
            };
            (borders[i].kind, borders[twin].kind) = (kind, kind);
            if lower != Level::Lake && kind != Border::Cliff {
                joined[ra] = rb;
                let (ra, rb) =
                    (root(&mut joined, (last - a).into()), root(&mut joined, (last - b).into()));
                joined[ra] = rb;
            }
        }
    }

    fn is_middle(&self, field: u16) -> bool {
        let (i, j) = (i32::from(field) % self.nx, i32::from(field) / self.nx);
        (i - self.nx / 2).abs() <= 1 && (j - self.ny / 2).abs() <= 1
    }
}

/// Levels: bases in the corners, low ground in the middle, the rest as it falls; the
/// second half is the first one turned.
fn levels(nx: i32, ny: i32, rng: &mut Rng) -> Vec<Level> {
    let fields = (nx * ny) as usize;
    let mut levels = vec![Level::Low; fields];
    for k in 0..=fields / 2 {
        let (i, j) = (k as i32 % nx, k as i32 / nx);
        let corner = |i: i32, n: i32| i == 0 || i == n - 1;
        let near = |i: i32, n: i32| i <= 1 || i >= n - 2;
        let middle = |i: i32, n: i32| (i - n / 2).abs() <= 1;
        let level = if nx.min(ny) >= 5 && corner(i, nx) && corner(j, ny) {
            Level::Base
        } else if middle(i, nx) && middle(j, ny) {
            Level::Low
        } else {
            match rng.below(100) {
                0..16 if !(near(i, nx) && near(j, ny)) => Level::Lake,
                0..58 => Level::Low,
                _ => Level::High,
            }
        };
        (levels[k], levels[fields - 1 - k]) = (level, level);
    }
    levels
}
