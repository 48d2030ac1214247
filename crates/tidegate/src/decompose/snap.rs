//! Finding legal gate lines: near what a person drew, or across a zone.

use super::gate::{GateLine, LineError, Source};
use super::{Decomposition, Place, ZoneId};
use crate::grid::{CellId, Direction, Grid, Tile, flood};

/// The direction out of eight that is nearest to a drawn one.
fn nearest_direction(from: Tile, to: Tile) -> Direction {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    let (long, short) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
    // The tangent of 22.5 degrees is 0.4142.
    let diagonal = short * 10_000 > long * 4_142;
    let (sx, sy) = (dx.signum(), dy.signum());
    let step = match (diagonal, dx.abs() >= dy.abs()) {
        (true, _) => (sx, sy),
        (false, true) => (sx, 0),
        (false, false) => (0, sy),
    };
    Direction::from_delta(step.0, step.1).unwrap_or(Direction::E)
}

/// The next tile in a direction, if a line can go on to it.
fn onward(grid: &Grid, tile: Tile, direction: Direction) -> Option<Tile> {
    let (dx, dy) = direction.delta();
    let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
    let beside = !direction.is_diagonal()
        || grid.is_free_at(x, i32::from(tile.y))
        || grid.is_free_at(i32::from(tile.x), y);
    (grid.is_free_at(x, y) && beside).then(|| Tile::new(x as u16, y as u16))
}

/// The line from `fixed` in the direction nearest to `to`, as long as drawn, stopped by
/// walls.
pub(super) fn towards(grid: &Grid, fixed: Tile, to: Tile) -> Result<GateLine, LineError> {
    if !grid.contains(to) {
        return Err(LineError::Outside(to));
    }
    if !grid.is_free(fixed) {
        return Err(LineError::Wall(fixed));
    }
    let direction = nearest_direction(fixed, to);
    let steps = fixed.x.abs_diff(to.x).max(fixed.y.abs_diff(to.y));
    let mut end = fixed;
    for _ in 0..steps {
        let Some(next) = onward(grid, end, direction) else { break };
        end = next;
    }
    Ok(GateLine::new(fixed, end, Source::Manual))
}

/// The gate that a person meant by drawing from one tile to another: the line through the
/// middle of the drawing (or an end, if that is wall) in the nearest direction. It grows
/// until walls or other gates stop it; if that would make it more than twice as long as
/// drawn, the person meant an open end and it keeps the drawn length.
pub(super) fn to_line(
    grid: &Grid,
    parts: &Decomposition,
    from: Tile,
    to: Tile,
) -> Result<GateLine, LineError> {
    for tile in [from, to] {
        if !grid.contains(tile) {
            return Err(LineError::Outside(tile));
        }
    }
    let middle = |a: u16, b: u16| ((u32::from(a) + u32::from(b)) / 2) as u16;
    let middle = Tile::new(middle(from.x, to.x), middle(from.y, to.y));
    let is_open = |tile: Tile| {
        let place = grid.cell(tile).map(|cell| parts.place(cell));
        matches!(place, Some(Place::Zone(_)))
    };
    let base = [middle, from, to].into_iter().find(|&tile| is_open(tile));
    let base = base.ok_or(LineError::Wall(middle))?;
    let direction = nearest_direction(from, to);
    let drawn = u32::from(from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)));
    let grow = |direction: Direction, limit: u32| {
        let mut end = base;
        for steps in 0..limit {
            match onward(grid, end, direction).filter(|&next| is_open(next)) {
                Some(next) => end = next,
                None => return (end, steps, true),
            }
        }
        (end, limit, false)
    };
    let limit = 2 * drawn + 8;
    let (a, before, a_stopped) = grow(direction.opposite(), limit);
    let (b, after, b_stopped) = grow(direction, limit);
    if a_stopped && b_stopped && before + after <= limit {
        return Ok(GateLine::new(a, b, Source::Manual));
    }
    let (a, ..) = grow(direction.opposite(), drawn.div_ceil(2));
    let (b, ..) = grow(direction, drawn / 2);
    Ok(GateLine::new(a, b, Source::Manual))
}

/// How many lines across a zone are tried in full.
const TRIED: usize = 24;

/// The line across a zone that is shortest for the ground on its smaller side.
pub(super) fn dividing_line(grid: &Grid, parts: &Decomposition, zone: ZoneId) -> Option<GateLine> {
    let inside =
        |tile: Tile| grid.cell(tile).is_some_and(|cell| parts.place(cell) == Place::Zone(zone));
    let cells: Vec<CellId> =
        grid.free_cells().filter(|&cell| parts.place(cell) == Place::Zone(zone)).collect();
    // Lines through tiles spread over the zone, the shortest first.
    let stride = (cells.len() / 256).max(1);
    let mut lines: Vec<GateLine> = Vec::new();
    for &cell in cells.iter().skip(stride / 2).step_by(stride) {
        for axis in [Direction::E, Direction::S, Direction::SE, Direction::SW] {
            let walk = |direction: Direction| {
                let mut end = grid.tile(cell);
                while let Some(next) = onward(grid, end, direction).filter(|&t| inside(t)) {
                    end = next;
                }
                end
            };
            lines.push(GateLine::new(walk(axis), walk(axis.opposite()), Source::Manual));
        }
    }
    lines.sort_by_key(|line| (line.width(), line.a(), line.b()));
    lines.dedup();
    let mut best: Option<(f64, GateLine)> = None;
    let mut tried = 0;
    for line in lines {
        let smaller = smaller_side(grid, parts, zone, &line);
        if smaller == 0 {
            continue;
        }
        let cost = line.span() / f64::from(smaller).sqrt();
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, line));
        }
        tried += 1;
        // Half of an even square is cut off by its side's length: that will do.
        if tried >= TRIED && cost <= 1.5 || tried >= 8 * TRIED {
            break;
        }
    }
    best.map(|(_, line)| line)
}

/// The area on the smaller side of a line across a zone; 0 if it does not divide it.
fn smaller_side(grid: &Grid, parts: &Decomposition, zone: ZoneId, line: &GateLine) -> u32 {
    let claims = super::claims::Claims::new(grid, std::slice::from_ref(line));
    let within =
        |cell: CellId| claims.owners[cell.index()] == 0 && parts.place(cell) == Place::Zone(zone);
    let mut reached = fixedbitset::FixedBitSet::with_capacity(grid.tiles());
    let mut areas = Vec::new();
    let mut stack = Vec::new();
    for &tile in &claims.tiles[0] {
        for (start, _) in grid.neighbours(tile) {
            let enter = |cell: CellId| within(cell) && !reached.put(cell.index());
            let beside = |cell| grid.neighbours(cell).map(|(next, _)| next);
            let area = flood(&mut stack, start, beside, enter);
            areas.extend(Some(area).filter(|&area| area > 0));
        }
    }
    areas.sort_unstable();
    if areas.len() < 2 { 0 } else { areas[areas.len() - 2] }
}
