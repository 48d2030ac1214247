//! Walls scattered without order: each tile by itself, so pieces may be cut off.

use super::canvas::{Canvas, GROUND, WALL};
use crate::rng::Rng;

pub(super) fn draw(width: i32, height: i32, percent: u32, rng: &mut Rng) -> Canvas {
    let mut canvas = Canvas::new(width, height, GROUND);
    for letter in &mut canvas.letters {
        if rng.chance(percent) {
            *letter = WALL;
        }
    }
    canvas
}
