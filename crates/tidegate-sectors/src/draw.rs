//! The sectors in use over their map, as SVG.
//!
//! A dot is a sub-goal that can be stood on, a ring one that is wall, so that paths
//! pass it over. Borders of triangles are drawn over walls as well: one that ends in the
//! middle of another is a T-joint.

use std::fmt::Write as _;

use crate::{Cover, Ground, Point, SectorId, Triangles};
use tidegate::draw::colour::{GROUND, INK, PAPER, assign, mix, shade};
use tidegate::draw::svg::{ground as free_ground, hex, open, outline, polyline};
use tidegate::grid::Grid;
use tidegate::path::Path;
use tidegate::region::borders;

/// Draws a map with its sectors in use and, if given, a path.
///
/// ```
/// use tidegate_sectors::{Cover, Ground};
/// use tidegate::Grid;
/// use tidegate_sectors::draw;
/// let grid = Grid::from_rows(&["....", ".##.", "...."]).unwrap();
/// let ground = Ground::triangles(&grid, 4).unwrap();
/// let svg = draw::sectors_svg(&grid, &ground, &Cover::new(ground.hierarchy()), None);
/// assert_eq!(svg.matches("<polygon").count(), 4);
/// ```
pub fn sectors_svg(grid: &Grid, ground: &Ground, cover: &Cover, path: Option<&Path>) -> String {
    let (width, height) = (grid.width(), grid.height());
    // Lines look the same on a map of any size.
    let line = f64::from(width.max(height)) / 400.0;
    let mut out = String::new();
    open(&mut out, grid, 2048 / width.max(height).clamp(1, 2048));
    let colours = colours(ground, cover);
    match ground.as_triangles() {
        Some(triangles) => {
            free_ground(&mut out, grid);
            fill_triangles(&mut out, triangles, cover, &colours, line);
        }
        None => fill_zones(&mut out, grid, ground, cover, &colours),
    }
    let radius = if ground.as_triangles().is_some() { 3.0 * line } else { 0.5 };
    for tile in ground.stops(cover) {
        let fill = if grid.is_free(tile) { INK } else { PAPER };
        let _ = writeln!(
            out,
            r#"<circle cx="{}.5" cy="{}.5" r="{radius:.2}" fill="{}" stroke="{}" stroke-width="{line:.2}" shape-rendering="auto"/>"#,
            tile.x,
            tile.y,
            hex(fill),
            hex(INK),
        );
    }
    if let Some(path) = path {
        polyline(&mut out, path, line);
    }
    out.push_str("</svg>\n");
    out
}

/// A sector in use as it can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct SectorShape {
    /// The sector.
    pub sector: SectorId,
    /// The number of its colour, for [`tidegate::draw::shade`]; neighbours in use never have the same.
    pub shade: u32,
    /// Its borders over the corners of tiles, those of holes too.
    pub borders: Vec<Vec<(f64, f64)>>,
}

/// The shapes of all sectors in use.
pub fn sector_shapes(grid: &Grid, ground: &Ground, cover: &Cover) -> Vec<SectorShape> {
    let shades = shades(ground, cover);
    let shape = |sector: SectorId, borders| {
        let shade = shades[sector.index()];
        SectorShape { sector, shade, borders }
    };
    if let Some(triangles) = ground.as_triangles() {
        let unit = triangles.unit() as f64;
        let corner = |p: Point| (p.x as f64 / unit, p.y as f64 / unit);
        let corners = |s| vec![triangles.triangle(s).corners().map(corner).to_vec()];
        return cover.leaves(triangles).map(|s| shape(s, corners(s))).collect();
    }
    let wide = |border: Vec<(u16, u16)>| {
        border.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect()
    };
    zone_borders(grid, ground, cover)
        .into_iter()
        .map(|(sector, borders)| shape(sector, borders.into_iter().map(wide).collect()))
        .collect()
}

/// The colour of every sector.
fn colours(ground: &Ground, cover: &Cover) -> Vec<String> {
    shades(ground, cover).into_iter().map(|n| hex(mix(shade(n), GROUND, 80))).collect()
}

fn shades(ground: &Ground, cover: &Cover) -> Vec<u32> {
    let mut joined = Vec::new();
    for sector in cover.leaves(ground.hierarchy()) {
        let beside = cover.neighbours(sector).iter();
        joined.extend(beside.map(|other| (sector.index() as u32, other.index() as u32)));
    }
    assign(ground.hierarchy().len(), &joined, &[])
}

/// Triangles over free ground; walls shine through.
fn fill_triangles(
    out: &mut String,
    triangles: &Triangles,
    cover: &Cover,
    colours: &[String],
    line: f64,
) {
    let unit = triangles.unit() as f64;
    let corner = |p: Point| format!("{},{}", p.x as f64 / unit, p.y as f64 / unit);
    for sector in cover.leaves(triangles) {
        let _ = writeln!(
            out,
            r##"<polygon points="{}" fill="{}" fill-opacity="0.55" stroke="#777" stroke-width="{line:.2}" shape-rendering="auto" style="mix-blend-mode:multiply"><title>sector {}</title></polygon>"##,
            triangles.triangle(sector).corners().map(corner).join(" "),
            colours[sector.index()],
            sector.index(),
        );
    }
}

/// One outline for every sector.
fn fill_zones(out: &mut String, grid: &Grid, ground: &Ground, cover: &Cover, colours: &[String]) {
    for (sector, borders) in zone_borders(grid, ground, cover) {
        let _ = writeln!(
            out,
            r#"<path d="{}" fill="{}" fill-rule="evenodd"><title>sector {}</title></path>"#,
            outline(borders),
            colours[sector.index()],
            sector.index(),
        );
    }
}

/// Closed lines through the corners of tiles.
type Borders = Vec<Vec<(u16, u16)>>;

/// The borders of sectors that are made of zones, around their free tiles.
fn zone_borders(grid: &Grid, ground: &Ground, cover: &Cover) -> Vec<(SectorId, Borders)> {
    let hierarchy = ground.hierarchy();
    let mut sector_at: Vec<Option<SectorId>> = vec![None; grid.tiles()];
    let mut bounds = vec![[i32::MAX, i32::MAX, -1, -1]; hierarchy.len()];
    for cell in grid.free_cells() {
        let tile = grid.tile(cell);
        let sector = cover.sector_of(hierarchy, tile);
        sector_at[cell.index()] = Some(sector);
        let (x, y) = (i32::from(tile.x), i32::from(tile.y));
        let [x0, y0, x1, y1] = bounds[sector.index()];
        bounds[sector.index()] = [x0.min(x), y0.min(y), x1.max(x), y1.max(y)];
    }
    let around = |sector: SectorId| {
        let inside = |x: i32, y: i32| {
            let cell = y as usize * grid.width() as usize + x as usize;
            grid.is_free_at(x, y) && sector_at[cell] == Some(sector)
        };
        (sector, borders(bounds[sector.index()], inside))
    };
    cover.leaves(hierarchy).filter(|s| bounds[s.index()][2] >= 0).map(around).collect()
}
