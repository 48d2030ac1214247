//! Drawing what was planned: levels, cliffs, lakes, rocks, groves, swamps, ramps, rim.
//! Every stroke is drawn with its counterpart, or depends on even noise alone.

use super::fields::{BorderLine, Fields};
use super::{Border, Level, Plan};
use crate::generate::canvas::{Canvas, GROUND, WALL};
use crate::rng::Rng;

const PLATEAU: u8 = b'G';
const SWAMP: u8 = b'S';
const TREES: u8 = b'T';
const WATER: u8 = b'W';

impl Plan {
    /// Draws levels, cliffs and the rocks where fields meet.
    pub(super) fn raise(&self, fields: &Fields, borders: &[BorderLine]) -> Canvas {
        let mut canvas = Canvas::new(self.width, self.height, WALL);
        for y in 0..self.height {
            for x in 0..self.width {
                let i = canvas.index(x, y);
                let (px, py) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let (own, next) = (fields.own[i], fields.next[i]);
                let (second, third) =
                    (f64::from(fields.second[i]) / 4.0, f64::from(fields.third[i]) / 4.0);
                let level = self.levels[usize::from(own)];
                let key = (own.min(next), own.max(next));
                let border = borders
                    .binary_search_by_key(&key, |l| (l.a, l.b))
                    .map_or(Border::Cliff, |k| borders[k].kind);
                let lake_beside = self.levels[usize::from(next)] == Level::Lake;
                let wide = second < self.cliff * 2.6;
                let rough = if wide { self.even(3, px, py, self.pitch * 0.5) } else { 0.0 };
                let cliff = (self.cliff * (1.1 + 1.2 * rough)).clamp(1.6, self.cliff * 2.4);
                let mut rocks = self.cliff * if border == Border::Open { 1.2 } else { 1.8 };
                if third < self.cliff * 4.6 {
                    rocks += self.cliff * 3.4 * self.even(4, px, py, self.pitch * 0.9);
                }
                canvas.letters[i] = match level {
                    Level::Lake if lake_beside => WATER,
                    Level::Lake if second < self.cliff * (0.6 + rough) => {
                        ground(self.levels[usize::from(next)])
                    }
                    Level::Lake => WATER,
                    _ if lake_beside => ground(level),
                    _ if third < rocks => WALL,
                    _ if border != Border::Open && second < cliff => WALL,
                    _ => ground(level),
                };
            }
        }
        canvas
    }

    /// Rocks, groves and swamps: on open ground, and trees along the foot of cliffs.
    pub(super) fn scatter(&self, canvas: &mut Canvas, fields: &Fields, rng: &mut Rng) {
        for k in 0..self.seeds.len().div_ceil(2) {
            let rocks = match self.levels[k] {
                Level::Lake => 0,
                Level::Base => usize::from(rng.chance(50)),
                _ => rng.below(4),
            };
            for _ in 0..rocks {
                let angle = (f64::from(rng.between(-100, 100)), f64::from(rng.between(-100, 100)));
                let (x, y) = self.seeds[k];
                let (x, y) = (x + self.pitch * angle.0 * 0.0042, y + self.pitch * angle.1 * 0.0042);
                let radius = self.pitch * f64::from(rng.between(25, 85)) / 1000.0;
                let letter = if rng.chance(45) { TREES } else { WALL };
                self.blob(canvas, (x, y), radius, letter);
                self.blob(canvas, self.turned(x, y), radius, letter);
            }
        }
        for y in 0..self.height {
            for x in 0..self.width {
                let i = canvas.index(x, y);
                let (px, py) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let low = canvas.letters[i] == GROUND;
                if low && self.even(6, px, py, self.pitch * 0.8) > 0.42 {
                    canvas.letters[i] = SWAMP;
                }
                let foot = f64::from(fields.second[i]) / 4.0 < self.cliff * 2.6;
                if canvas.is_free(x, y) && foot && self.even(5, px, py, self.pitch * 0.3) > 0.40 {
                    canvas.letters[i] = TREES;
                }
            }
        }
    }

    /// A patch with a frayed edge, on free ground only.
    fn blob(&self, canvas: &mut Canvas, (cx, cy): (f64, f64), radius: f64, letter: u8) {
        let r = (radius * 1.8) as i32 + 1;
        for y in cy as i32 - r..=cy as i32 + r {
            for x in cx as i32 - r..=cx as i32 + r {
                let (px, py) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let d = ((px - cx) * (px - cx) + (py - cy) * (py - cy)).sqrt();
                let frayed = radius * (1.0 + 0.9 * self.even(7, px, py, radius.max(3.0)));
                if d < frayed && canvas.is_free(x, y) {
                    canvas.set(x, y, letter);
                }
            }
        }
    }

    /// Cuts a ramp through the cliff at the middle of a border: a straight lane.
    pub(super) fn ramp(&self, canvas: &mut Canvas, line: &BorderLine) {
        let (a, b) = (self.seeds[usize::from(line.a)], self.seeds[usize::from(line.b)]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let long = (dx * dx + dy * dy).sqrt().max(1.0);
        let (dx, dy) = (dx / long, dy / long);
        let (mx, my) = line.middle;
        let reach = self.cliff * 1.4 + 1.5;
        let main = [line.a, line.b].into_iter().any(|f| self.levels[usize::from(f)] == Level::Base);
        // Some lanes are wide; the way into a start base is always narrow.
        let wide = self.even(8, mx, my, self.pitch * 0.6) > 0.15 && !main;
        let half = (self.pitch * if wide { 0.095 } else { 0.055 }).max(1.0);
        let r = (reach + half) as i32 + 2;
        for y in my as i32 - r..=my as i32 + r {
            for x in mx as i32 - r..=mx as i32 + r {
                let (px, py) = (f64::from(x) + 0.5 - mx, f64::from(y) + 0.5 - my);
                let (along, across) = (px * dx + py * dy, px * dy - py * dx);
                let beyond = (along.abs() - reach).max(0.0);
                let lane = across * across + beyond * beyond <= half * half;
                if lane && !canvas.is_free(x, y) {
                    canvas.set(x, y, GROUND);
                }
            }
        }
    }

    /// The rim of the map is rock, thicker here and thinner there.
    pub(super) fn frame(&self, canvas: &mut Canvas) {
        let usual = self.pitch / 14.0 - 0.5;
        for y in 0..self.height {
            for x in 0..self.width {
                let rim = f64::from(x.min(y).min(self.width - 1 - x).min(self.height - 1 - y));
                if rim > usual * 2.2 {
                    continue;
                }
                let (px, py) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                if rim < usual * (1.0 + 1.1 * self.even(9, px, py, self.pitch * 0.35)) {
                    canvas.set(x, y, WALL);
                }
            }
        }
    }
}

fn ground(level: Level) -> u8 {
    if level >= Level::High { PLATEAU } else { GROUND }
}
