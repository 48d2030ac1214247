//! The decomposition as a picture: coloured zones, gates, walls, numbers if asked.

use super::colour::{self, GATE, INK, MANUAL_GATE, PAPER, POCKET, WALL};
use super::{Colour, DrawError, DrawOptions, Picture, font};
use crate::decompose::{Decomposition, Gate, Place, Source, Zone};
use crate::grid::{CellId, Grid};
use crate::region::Regions;

/// Walls thinner than this let two colours be compared across them.
const THIN_WALL: usize = 12;

/// The colour of every zone; pockets have one of their own.
pub(super) fn zone_colours(grid: &Grid, parts: &Decomposition) -> Vec<Colour> {
    let colour = |(zone, number): (&Zone, u32)| match zone.is_pocket() {
        true => POCKET,
        false => colour::shade(number),
    };
    parts.zones().iter().zip(zone_shades(grid, parts)).map(colour).collect()
}

/// The number of a colour for every zone, to be looked up with [`super::shade`]; zones
/// joined by a gate never have the same, and zones that face each other across a thin wall
/// only if need be.
pub fn zone_shades(grid: &Grid, parts: &Decomposition) -> Vec<u32> {
    let mut joined = Vec::new();
    for gate in parts.gates() {
        let zones = gate.zones();
        for (i, a) in zones.iter().enumerate() {
            joined.extend(zones[..i].iter().map(|b| (a.index() as u32, b.index() as u32)));
        }
        // Gates may touch with no zone between them: then these meet across both.
        for other in gate.gates().iter().map(|g| &parts.gates()[g.index()]) {
            let pairs = zones.iter().flat_map(|a| other.zones().iter().map(move |b| (a, b)));
            joined.extend(pairs.map(|(a, b)| (a.index() as u32, b.index() as u32)));
        }
    }
    let (width, height) = (grid.width() as usize, grid.height() as usize);
    let mut near = Vec::new();
    let mut look = |cells: &mut dyn Iterator<Item = usize>| {
        let mut last: Option<(usize, u32)> = None;
        for (i, cell) in cells.enumerate() {
            if let Place::Zone(zone) = parts.place(CellId::from_index(cell)) {
                let zone = zone.index() as u32;
                match last {
                    Some((at, other)) if other != zone && i - at <= THIN_WALL => {
                        near.push((zone, other));
                    }
                    _ => {}
                }
                last = Some((i, zone));
            }
        }
    };
    for y in 0..height {
        look(&mut (y * width..(y + 1) * width));
    }
    for x in 0..width {
        look(&mut (0..height).map(|y| y * width + x));
    }
    near.sort_unstable();
    near.dedup();
    colour::assign(parts.zones().len(), &joined, &near)
}

/// The colour of a gate.
pub(super) fn gate_colour(gate: &Gate) -> Colour {
    match gate.source() {
        Source::Automatic => GATE,
        Source::Manual => MANUAL_GATE,
    }
}

/// Draws zones and gates of a map.
///
/// ```
/// use tidegate::decompose::{Decomposition, WaterOptions};
/// use tidegate::{Grid, draw};
/// let grid = Grid::from_rows(&["...", ".#.", "..."]).unwrap();
/// let parts = Decomposition::water(&grid, &WaterOptions::default());
/// let options = draw::DrawOptions::default().with_scale(4);
/// let png = draw::zones(&grid, &parts, &options).unwrap().to_png().unwrap();
/// assert_eq!(&png[1..4], b"PNG");
/// ```
pub fn zones(
    grid: &Grid,
    parts: &Decomposition,
    options: &DrawOptions,
) -> Result<Picture, DrawError> {
    let colours = zone_colours(grid, parts);
    // On the line itself a gate has its full colour; its stairs and offcuts are paler.
    let mut on_line = fixedbitset::FixedBitSet::with_capacity(grid.tiles());
    for tile in parts.lines().flat_map(|line| line.tiles()) {
        on_line.extend(grid.cell(tile).map(CellId::index));
    }
    let mut picture = Picture::of_tiles(grid.width(), grid.height(), options.scale, |x, y| {
        let cell = CellId::from_index((y * grid.width() + x) as usize);
        match parts.place(cell) {
            Place::Wall => WALL,
            Place::Zone(zone) => colours[zone.index()],
            Place::Gate(gate) => {
                let full = gate_colour(&parts.gates()[gate.index()]);
                if on_line.contains(cell.index()) { full } else { colour::mix(full, PAPER, 45) }
            }
        }
    })?;
    if options.labels {
        label(&mut picture, grid, parts, options.scale);
    }
    Ok(picture)
}

/// Writes the numbers of zones at their deepest tiles and of gates at their middles.
fn label(picture: &mut Picture, grid: &Grid, parts: &Decomposition, scale: u32) {
    let regions = Regions::new(grid, parts);
    let mut centred = |text: &str, x: u32, y: u32, dot: u32, ink: Colour| {
        let (wide, high) = font::size(text, dot);
        let at = |tile: u32, size: u32| i64::from(tile * scale + scale / 2) - i64::from(size / 2);
        font::write(picture, text, (at(x, wide), at(y, high)), dot, ink, Some(PAPER));
    };
    for gate in parts.live_gates() {
        let middle = gate.line().middle();
        let dot = if scale >= 4 { scale / 4 } else { 1 };
        let text = gate.id().to_string();
        centred(&text, middle.x.into(), middle.y.into(), dot.min(3), gate_colour(gate));
    }
    for zone in parts.live_zones() {
        let deepest = regions.deepest(zone.id());
        // Text that fits into the disc around the deepest tile, within reason.
        let room = regions.altitude(deepest) * f64::from(scale);
        let text = zone.id().to_string();
        let dot = (2.0 * room / (4.0 * text.len() as f64 + 2.0)) as u32;
        if dot >= 1 {
            let dot = dot.clamp(1, 2 + scale);
            centred(&text, deepest.x.into(), deepest.y.into(), dot, INK);
        }
    }
}
