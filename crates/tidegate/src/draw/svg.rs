//! Zones and gates as SVG: one path for every zone, one line for every gate.

use std::fmt::Write as _;

use super::colour::{GATE, GROUND, INK, PAPER, POCKET, WALL, shade};
use super::zones::{gate_colour, zone_shades};
use super::{Colour, DrawOptions};
use crate::decompose::{Decomposition, Place, ZoneId};
use crate::grid::{CellId, Grid};
use crate::path::Path;
use crate::region::{Regions, borders};

/// A colour as SVG writes it.
pub fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The numbers that zones and gates carry in a picture, and the colours of zones, by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// By zone: its number.
    pub zones: Vec<u32>,
    /// By zone: its colour, for [`super::shade`].
    pub shades: Vec<u32>,
    /// By gate: its number.
    pub gates: Vec<u32>,
}

impl Numbering {
    /// The ids themselves, and [`super::zone_shades`].
    pub fn by_id(grid: &Grid, parts: &Decomposition) -> Numbering {
        Numbering {
            zones: (0..parts.zones().len() as u32).collect(),
            shades: zone_shades(grid, parts),
            gates: (0..parts.gates().len() as u32).collect(),
        }
    }
}

/// Draws zones and gates of a map as SVG. Every zone and gate has its number and facts
/// as a title, which viewers show under the pointer.
pub fn zones_svg(grid: &Grid, parts: &Decomposition, options: &DrawOptions) -> String {
    numbered_svg(grid, parts, &Numbering::by_id(grid, parts), &Path::new(), options)
}

/// The same with numbers and colours of one's own, and a path, of which the turning points are
/// enough.
///
/// # Panics
///
/// If the numbering is not one of these zones and gates.
pub fn numbered_svg(
    grid: &Grid,
    parts: &Decomposition,
    numbering: &Numbering,
    path: &Path,
    options: &DrawOptions,
) -> String {
    let mut out = String::new();
    open(&mut out, grid, options.scale.max(1));
    ground(&mut out, grid);
    let regions = Regions::new(grid, parts);
    for zone in parts.live_zones().chain(parts.pockets()) {
        let (id, place) = (zone.id(), Place::Zone(zone.id()));
        let outline = outline(borders(regions.bounds(id).map(i32::from), |x, y| {
            place_at(grid, parts, x, y) == place
        }));
        let (kind, fill) = match zone.is_pocket() {
            true => ("pocket", POCKET),
            false => ("zone", shade(numbering.shades[id.index()])),
        };
        let _ = writeln!(
            out,
            r#"<path d="{outline}" fill="{}" fill-rule="evenodd"><title>{kind} {}: {} tiles, {} gates</title></path>"#,
            hex(fill),
            numbering.zones[id.index()],
            zone.area(),
            zone.gates().len(),
        );
    }
    for gate in parts.live_gates() {
        let centre = |v: u16| f64::from(v) + 0.5;
        let (a, b) = (gate.a(), gate.b());
        let number = |zone: &ZoneId| numbering.zones[zone.index()].to_string();
        let zones: Vec<String> = gate.zones().iter().map(number).collect();
        let _ = writeln!(
            out,
            r#"<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="1" stroke-linecap="square"><title>gate {}: {} tiles wide, zones {}</title></line>"#,
            centre(a.x),
            centre(a.y),
            centre(b.x),
            centre(b.y),
            hex(gate_colour(gate)),
            numbering.gates[gate.id().index()],
            gate.width(),
            zones.join(", "),
        );
    }
    // About as wide on the screen on a map of any size.
    polyline(&mut out, path, f64::from(grid.width().max(grid.height())) / 400.0);
    if options.labels {
        labels(&mut out, &regions, parts, numbering);
    }
    out.push_str("</svg>\n");
    out
}

/// A path as a line of this width, with a light border that sets it off.
pub fn polyline(out: &mut String, path: &Path, line: f64) {
    let turns: Vec<String> =
        path.turning_points().map(|t| format!("{}.5,{}.5", t.x, t.y)).collect();
    for (colour, times) in [(PAPER, 4.5), (GATE, 2.5)] {
        if turns.is_empty() {
            return;
        }
        let _ = writeln!(
            out,
            r#"<polyline points="{}" fill="none" stroke="{}" stroke-width="{:.2}" stroke-linejoin="round" shape-rendering="auto"/>"#,
            turns.join(" "),
            hex(colour),
            line * times,
        );
    }
}

/// Begins a picture of a map, all wall as yet, `scale` pixels along the side of a tile.
pub fn open(out: &mut String, grid: &Grid, scale: u32) {
    let (width, height) = (grid.width(), grid.height());
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" viewBox="0 0 {width} {height}" shape-rendering="crispEdges" font-family="sans-serif" text-anchor="middle">"#,
        u64::from(width) * u64::from(scale),
        u64::from(height) * u64::from(scale),
    );
    let _ = writeln!(out, r#"<rect width="{width}" height="{height}" fill="{}"/>"#, hex(WALL));
}

fn place_at(grid: &Grid, parts: &Decomposition, x: i32, y: i32) -> Place {
    if !grid.is_free_at(x, y) {
        return Place::Wall;
    }
    parts.place(CellId::from_index(y as usize * grid.width() as usize + x as usize))
}

/// All free ground: what shows through under stairs and offcuts of gates.
pub fn ground(out: &mut String, grid: &Grid) {
    let bounds = [0, 0, grid.width() as i32 - 1, grid.height() as i32 - 1];
    let outline = outline(borders(bounds, |x, y| grid.is_free_at(x, y)));
    let _ = writeln!(out, r#"<path d="{outline}" fill="{}" fill-rule="evenodd"/>"#, hex(GROUND));
}

/// Closed polygons as a path: only moves along rows and columns.
pub fn outline(polygons: Vec<Vec<(u16, u16)>>) -> String {
    let mut d = String::new();
    for polygon in polygons {
        let Some(&(x, mut y)) = polygon.first() else { continue };
        let _ = write!(d, "M{x} {y}");
        for &(nx, ny) in &polygon[1..] {
            if ny == y {
                let _ = write!(d, "H{nx}");
            } else {
                let _ = write!(d, "V{ny}");
            }
            y = ny;
        }
        d.push('Z');
    }
    d
}

fn labels(out: &mut String, regions: &Regions<'_>, parts: &Decomposition, numbering: &Numbering) {
    let mut text = |x: f64, y: f64, size: f64, colour: Colour, number: u32| {
        let _ = writeln!(
            out,
            r#"<text x="{x}" y="{:.2}" font-size="{size:.2}" fill="{}" stroke="{}" stroke-width="{:.2}" paint-order="stroke">{number}</text>"#,
            y + size * 0.36,
            hex(colour),
            hex(PAPER),
            size / 6.0,
        );
    };
    for zone in parts.live_zones() {
        let deepest = regions.deepest(zone.id());
        let size = (regions.altitude(deepest) * 0.9).clamp(1.5, 24.0);
        let (x, y) = (f64::from(deepest.x) + 0.5, f64::from(deepest.y) + 0.5);
        text(x, y, size, INK, numbering.zones[zone.id().index()]);
    }
    for gate in parts.live_gates() {
        let middle = gate.line().middle();
        let size = (gate.line().span() * 0.5).clamp(1.5, 8.0);
        let (x, y) = (f64::from(middle.x) + 0.5, f64::from(middle.y) + 0.5);
        text(x, y, size, gate_colour(gate), numbering.gates[gate.id().index()]);
    }
}
