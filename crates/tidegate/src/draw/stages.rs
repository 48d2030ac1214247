//! The stages of the water-level method as pictures: depth, lakes, the four stages side
//! by side, and the film of the rising water.

use super::colour::{self, GATE, GROUND, INK, PAPER, WALL};
use super::{Colour, DrawError, DrawOptions, Picture, font, zones};
use crate::decompose::{Decomposition, WaterStages};
use crate::depth::DepthMap;
use crate::grid::{CellId, Grid};

/// Draws how deep every tile lies: the deeper the darker.
pub fn depth(grid: &Grid, depth: &DepthMap, scale: u32) -> Result<Picture, DrawError> {
    Picture::of_tiles(grid.width(), grid.height(), scale, |x, y| {
        let level = depth.level(CellId::from_index((y * grid.width() + x) as usize));
        if level == 0 { WALL } else { colour::depth(level, depth.max_level()) }
    })
}

/// Draws the lakes while the water stands at `level` (1 is the end), and the gate tiles
/// found so far.
pub fn lakes(
    grid: &Grid,
    stages: &WaterStages,
    level: u8,
    scale: u32,
) -> Result<Picture, DrawError> {
    lakes_in(grid, stages, level, scale, &lake_colours(grid, stages))
}

fn lakes_in(
    grid: &Grid,
    stages: &WaterStages,
    level: u8,
    scale: u32,
    colours: &[Colour],
) -> Result<Picture, DrawError> {
    Picture::of_tiles(grid.width(), grid.height(), scale, |x, y| {
        let cell = CellId::from_index((y * grid.width() + x) as usize);
        if !grid.is_free_cell(cell) {
            return WALL;
        }
        match stages.water.lake_at(&stages.depth, cell, level) {
            None => GROUND,
            Some(_) if stages.water.gate_tiles().contains(cell.index()) => GATE,
            Some(lake) => colours[lake as usize],
        }
    })
}

/// Lakes that meet never look alike.
fn lake_colours(grid: &Grid, stages: &WaterStages) -> Vec<Colour> {
    let mut met = Vec::new();
    let width = grid.width() as usize;
    for cell in grid.free_cells() {
        let here = stages.water.lake(cell);
        let beside = [(cell.index() % width + 1 < width).then_some(1), Some(width)];
        for next in beside.into_iter().flatten().map(|d| cell.index() + d) {
            if next < grid.tiles() {
                let pair = here.zip(stages.water.lake(CellId::from_index(next)));
                met.extend(pair.filter(|(a, b)| a != b));
            }
        }
    }
    met.sort_unstable();
    met.dedup();
    let numbers = colour::assign(stages.water.lakes() as usize, &met, &[]);
    numbers.into_iter().map(colour::shade).collect()
}

/// Space around pictures, for the title above.
const MARGIN: u32 = 8;
const TITLE: u32 = 18;

/// Puts pictures of one size in rows of `columns`, each with a title.
fn sheet(panels: &[(String, Picture)], columns: u32) -> Result<Picture, DrawError> {
    let (wide, high) = panels.first().map_or((0, 0), |(_, p)| (p.width, p.height));
    let columns = columns.clamp(1, panels.len().max(1) as u32);
    let rows = (panels.len() as u32).div_ceil(columns);
    let cell = |size: u32, count: u32, extra: u32| {
        u64::from(size + extra + MARGIN) * u64::from(count) + u64::from(MARGIN)
    };
    let mut out = Picture::filled(cell(wide, columns, 0), cell(high, rows, TITLE), PAPER)?;
    for (i, (title, picture)) in panels.iter().enumerate() {
        let (column, row) = (i as u32 % columns, i as u32 / columns);
        let left = MARGIN + column * (wide + MARGIN);
        let top = MARGIN + row * (high + TITLE + MARGIN);
        font::write(&mut out, title, (left.into(), i64::from(top) + 2), 2, INK, None);
        out.paste(picture, left, top + TITLE);
    }
    Ok(out)
}

/// The four stages side by side, as the papers show them: the map, its depth, the lakes
/// with the tiles where they met, and the zones with their straight gates.
pub fn stages(
    grid: &Grid,
    stages: &WaterStages,
    parts: &Decomposition,
    scale: u32,
) -> Result<Picture, DrawError> {
    let plain = Picture::of_tiles(grid.width(), grid.height(), scale, |x, y| {
        if grid.is_free_at(x as i32, y as i32) { GROUND } else { WALL }
    })?;
    let options = DrawOptions::default().with_scale(scale);
    let panels = [
        ("1 MAP".to_string(), plain),
        ("2 DEPTH".to_string(), depth(grid, &stages.depth, scale)?),
        ("3 LAKES".to_string(), lakes(grid, stages, 1, scale)?),
        ("4 ZONES".to_string(), zones::zones(grid, parts, &options)?),
    ];
    sheet(&panels, 2)
}

/// The rising water, one picture for every level from the deepest to the shallowest.
pub fn film(grid: &Grid, stages: &WaterStages, scale: u32) -> Result<Picture, DrawError> {
    let colours = lake_colours(grid, stages);
    let used = (1..=stages.depth.max_level()).rev();
    let used: Vec<u8> = used.filter(|&l| stages.depth.tiles_at(l).len() > 0).collect();
    // Refuse what is too large before anything is drawn.
    let side = |size: u32| u64::from(size) * u64::from(scale);
    let (wide, high) = (side(grid.width()) * used.len() as u64, side(grid.height()));
    if wide.saturating_mul(high) > super::MAX_PIXELS {
        return Err(DrawError::TooLarge { width: wide, height: high });
    }
    let mut panels = Vec::new();
    for level in used {
        let picture = lakes_in(grid, stages, level, scale, &colours)?;
        panels.push((format!("LEVEL {level}"), picture));
    }
    let columns = if grid.width() > 2 * grid.height() { 1 } else { 4 };
    sheet(&panels, columns)
}
