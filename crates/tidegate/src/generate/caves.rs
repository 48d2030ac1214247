//! Caves: a cellular automaton over a field that is denser here and thinner there, so
//! that there are halls, passages and massive rock.

use super::canvas::{Canvas, GROUND, WALL};
use super::noise::Noise;
use crate::rng::Rng;

pub(super) fn draw(width: i32, height: i32, rng: &mut Rng) -> Canvas {
    let noise = Noise::new(rng);
    let mut canvas = Canvas::new(width, height, WALL);
    for y in 0..height {
        for x in 0..width {
            let field = |salt: u64, size: f64| noise.rough(salt, x.into(), y.into(), size);
            let dense = 47.0 + 14.0 * field(1, 64.0) + 34.0 * field(2, 15.0);
            if !rng.chance(dense.clamp(0.0, 100.0) as u32) {
                canvas.set(x, y, GROUND);
            }
        }
    }
    for round in 0..5 {
        // The first rounds also fill wide empty places, which makes pillars in halls.
        canvas = smooth(&canvas, round == 0);
    }
    canvas.connect(24, 1, false);
    canvas
}

/// One step of the automaton: a tile becomes what most of the nine tiles around it
/// are; with `pillars`, a tile far from all rock becomes rock too.
fn smooth(old: &Canvas, pillars: bool) -> Canvas {
    let near = walls_around(old, 1);
    let far = if pillars { walls_around(old, 2) } else { Vec::new() };
    let mut new = Canvas::new(old.width, old.height, WALL);
    for (i, letter) in new.letters.iter_mut().enumerate() {
        if near[i] < 5 && far.get(i).is_none_or(|&walls| walls >= 3) {
            *letter = GROUND;
        }
    }
    new
}

/// How many of the tiles at most `r` columns and rows away are walls, by row sums.
fn walls_around(canvas: &Canvas, r: i32) -> Vec<u8> {
    let (w, h) = (canvas.width, canvas.height);
    let across: Vec<u8> = (0..h)
        .flat_map(|y| (0..w).map(move |x| (x, y)))
        .map(|(x, y)| (x - r..=x + r).map(|x| u8::from(canvas.at(x, y) == WALL)).sum())
        .collect();
    let row = |x: i32, y: i32| {
        let inside = (0..h).contains(&y);
        if inside { across[canvas.index(x, y)] } else { (2 * r + 1) as u8 }
    };
    (0..h)
        .flat_map(|y| (0..w).map(move |x| (x, y)))
        .map(|(x, y)| (y - r..=y + r).map(|y| row(x, y)).sum())
        .collect()
}
