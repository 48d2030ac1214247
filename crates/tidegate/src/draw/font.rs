//! A tiny font: capital letters and digits, three pixels wide and five high.

use super::{Colour, Picture};

/// Rows of three bits, the topmost first.
fn glyph(letter: char) -> [u8; 5] {
    match letter {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 7, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 2, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        'A' => [2, 5, 7, 5, 5],
        'B' => [6, 5, 6, 5, 6],
        'C' => [3, 4, 4, 4, 3],
        'D' => [6, 5, 5, 5, 6],
        'E' => [7, 4, 6, 4, 7],
        'F' => [7, 4, 6, 4, 4],
        'G' => [3, 4, 5, 5, 3],
        'H' => [5, 5, 7, 5, 5],
        'I' => [7, 2, 2, 2, 7],
        'J' => [1, 1, 1, 5, 2],
        'K' => [5, 5, 6, 5, 5],
        'L' => [4, 4, 4, 4, 7],
        'M' => [5, 7, 7, 5, 5],
        'N' => [6, 5, 5, 5, 5],
        'O' => [2, 5, 5, 5, 2],
        'P' => [6, 5, 6, 4, 4],
        'Q' => [2, 5, 5, 6, 3],
        'R' => [6, 5, 6, 5, 5],
        'S' => [3, 4, 2, 1, 6],
        'T' => [7, 2, 2, 2, 2],
        'U' => [5, 5, 5, 5, 7],
        'V' => [5, 5, 5, 5, 2],
        'W' => [5, 5, 7, 7, 5],
        'X' => [5, 5, 2, 5, 5],
        'Y' => [5, 5, 2, 2, 2],
        'Z' => [7, 1, 2, 4, 7],
        _ => [0; 5],
    }
}

/// Pixels that a text takes: width and height.
pub(super) fn size(text: &str, scale: u32) -> (u32, u32) {
    ((4 * text.chars().count() as u32).saturating_sub(1) * scale, 5 * scale)
}

/// Writes a text with its top left corner at (x, y), `scale` pixels to a dot. With a
/// halo it can be read on any ground.
pub(super) fn write(
    picture: &mut Picture,
    text: &str,
    (x, y): (i64, i64),
    scale: u32,
    ink: Colour,
    halo: Option<Colour>,
) {
    let scale = i64::from(scale);
    let mut dots: Vec<(i64, i64)> = Vec::new();
    for (i, letter) in text.to_uppercase().chars().enumerate() {
        for (row, bits) in glyph(letter).into_iter().enumerate() {
            for column in (0..3).filter(|c| bits >> (2 - c) & 1 == 1) {
                dots.push((x + (4 * i as i64 + column) * scale, y + row as i64 * scale));
            }
        }
    }
    let mut block = |(left, top): (i64, i64), margin: i64, colour: Colour| {
        for dy in -margin..scale + margin {
            for dx in -margin..scale + margin {
                picture.set(left + dx, top + dy, colour);
            }
        }
    };
    if let Some(halo) = halo {
        dots.iter().for_each(|&dot| block(dot, 1.max(scale / 2), halo));
    }
    dots.iter().for_each(|&dot| block(dot, 0, ink));
}
