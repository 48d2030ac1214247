//! What a search looked at, and the path it found.

use super::colour::{GROUND, INK, PAPER, WALL, mix};
use super::{Colour, DrawError, Picture};
use crate::grid::{CellId, Grid, Tile};
use crate::path::Path;

const FIRST: Colour = [0xfd, 0xe7, 0x8a];
const LAST: Colour = [0x3b, 0x8e, 0xa5];
const AGAIN: Colour = [0xd9, 0x5f, 0x43];
const WAY: Colour = [0xb0, 0x0b, 0x69];

/// Draws the map with the expanded cells, early ones yellow and late ones blue, those
/// expanded again red, and the path on top.
///
/// ```
/// use tidegate::{draw, Grid, Path, Tile};
/// let grid = Grid::from_rows(&["....", ".##.", "...."]).unwrap();
/// let mut path = Path::new();
/// path.run_to(Tile::new(0, 0));
/// path.run_to(Tile::new(3, 0));
/// let picture = draw::search(&grid, &[], &path, 8).unwrap();
/// assert_eq!(picture.width(), 32);
/// ```
pub fn search(
    grid: &Grid,
    expanded: &[CellId],
    path: &Path,
    scale: u32,
) -> Result<Picture, DrawError> {
    let mut tint: Vec<Option<Colour>> = vec![None; grid.tiles()];
    for (i, cell) in expanded.iter().enumerate() {
        let share = (i * 100 / expanded.len()) as u16;
        let old = &mut tint[cell.index()];
        *old = Some(if old.is_some() { AGAIN } else { mix(LAST, FIRST, share) });
    }
    let mut picture = Picture::of_tiles(grid.width(), grid.height(), scale, |x, y| {
        let cell = CellId::from_index((y * grid.width() + x) as usize);
        match tint[cell.index()] {
            Some(tint) => tint,
            None if grid.is_free_cell(cell) => GROUND,
            None => WALL,
        }
    })?;
    let middle = |tile: Tile| {
        let at = |v: u16| i64::from(v) * i64::from(scale) + i64::from(scale / 2);
        (at(tile.x), at(tile.y))
    };
    for pair in path.tiles().windows(2) {
        let ((x, y), (to_x, to_y)) = (middle(pair[0]), middle(pair[1]));
        let steps = i64::from(scale.max(1));
        for i in 0..=steps {
            let at = (x + (to_x - x) * i / steps, y + (to_y - y) * i / steps);
            disc(&mut picture, at, i64::from(scale / 4).max(1), WAY);
        }
    }
    let ends = [path.tiles().first(), path.tiles().last()];
    for (tile, fill) in ends.into_iter().flatten().zip([PAPER, WAY]) {
        let radius = i64::from(scale).max(4);
        disc(&mut picture, middle(*tile), radius + 1, INK);
        disc(&mut picture, middle(*tile), radius, fill);
    }
    Ok(picture)
}

/// Draws the map with lines over it, their points in tiles: the centre of tile (0, 0) is (0.5, 0.5).
/// The ends of the first are marked.
///
/// ```
/// use tidegate::{draw, Index, Grid};
/// let index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
/// let walk = index.walk((0, 1), (3, 1)).unwrap().unwrap();
/// let points: Vec<(f64, f64)> = walk.points().iter().map(|point| point.in_tiles()).collect();
/// let picture = draw::lines(index.grid(), &[(&points, [0xb0, 0x0b, 0x69])], 8).unwrap();
/// assert_eq!(picture.at(16, 8), Some([0xb0, 0x0b, 0x69])); // along the wall
/// ```
pub fn lines(
    grid: &Grid,
    lines: &[(&[(f64, f64)], Colour)],
    scale: u32,
) -> Result<Picture, DrawError> {
    let mut picture = Picture::of_tiles(grid.width(), grid.height(), scale, |x, y| {
        let cell = CellId::from_index((y * grid.width() + x) as usize);
        if grid.is_free_cell(cell) { GROUND } else { WALL }
    })?;
    let pixel = |at: f64| (at * f64::from(scale)).round() as i64;
    for (points, colour) in lines {
        for pair in points.windows(2) {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let steps = (dx.abs().max(dy.abs()) * f64::from(scale)).ceil().max(1.0) as u32;
            for step in 0..=steps {
                let share = f64::from(step) / f64::from(steps);
                let at = (pixel(pair[0].0 + dx * share), pixel(pair[0].1 + dy * share));
                disc(&mut picture, at, i64::from(scale / 6).max(1), *colour);
            }
        }
    }
    let ends = lines.first().map(|(points, colour)| ([points.first(), points.last()], *colour));
    if let Some((ends, colour)) = ends {
        for (&(x, y), fill) in ends.into_iter().flatten().zip([PAPER, colour]) {
            let radius = i64::from(scale).max(4);
            disc(&mut picture, (pixel(x), pixel(y)), radius + 1, INK);
            disc(&mut picture, (pixel(x), pixel(y)), radius, fill);
        }
    }
    Ok(picture)
}

fn disc(picture: &mut Picture, (x, y): (i64, i64), radius: i64, colour: Colour) {
    for dy in -radius..=radius {
        for dx in -radius..=radius {
            if dx * dx + dy * dy <= radius * radius {
                picture.set(x + dx, y + dy, colour);
            }
        }
    }
}
