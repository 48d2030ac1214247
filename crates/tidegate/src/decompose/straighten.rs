//! Straight gates from gate clusters, changed as little as possible.
//!
//! A cluster gives one or more spans, pairs of tiles at walls: with two contacts the
//! closest pair of their tiles, with more the edges of a shortest tree over them, with a
//! single one the shortest line from wall to wall through a tile of the cluster. Each
//! span becomes the best chord near it: a line at 0, 45, 90 or 135 degrees from wall to
//! wall. The best is short, keeps its ends near the span's, and joins the same two
//! pieces of wall, because a line to another piece would close nothing off.

use super::cluster::Cluster;
use super::gate::{GateLine, Source, flanks};
use super::zone::components;
use crate::grid::{Direction, Grid, Tile};

/// The connected pieces of wall (over eight neighbours). Piece 0 is the outside of the
/// map with all that hangs on it.
pub(super) struct WallPieces {
    width: i32,
    height: i32,
    labels: Vec<u32>,
}

impl WallPieces {
    pub(super) fn new(grid: &Grid) -> WallPieces {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let parts = components(width, grid.tiles(), |i| {
            let (x, y) = (i % width, i / width);
            let west = u8::from(x > 0) * (Direction::W.mask() | Direction::NW.mask());
            let east = u8::from(x + 1 < width) * Direction::NE.mask();
            let north = Direction::NW.mask() | Direction::N.mask() | Direction::NE.mask();
            let mask = (west | east | Direction::N.mask()) & if y > 0 { !0 } else { !north };
            (!grid.free_bits().contains(i)).then_some(mask)
        });
        let mut labels = parts.labels;
        let mut outside = vec![false; parts.parts.len() + 1];
        for y in 0..height {
            let inner = y > 0 && y + 1 < height;
            for x in (0..width).step_by(if inner { (width - 1).max(1) } else { 1 }) {
                outside[labels[y * width + x] as usize] = true;
            }
        }
        // Free tiles have label 0 too, but nobody asks for theirs.
        for label in &mut labels {
            if outside[*label as usize] {
                *label = 0;
            }
        }
        WallPieces { width: width as i32, height: height as i32, labels }
    }

    /// The piece that the wall at these coordinates belongs to.
    pub(super) fn at(&self, x: i32, y: i32) -> u32 {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        if inside { self.labels[(y * self.width + x) as usize] } else { 0 }
    }

    /// The pieces around a tile, sorted.
    fn around(&self, grid: &Grid, tile: Tile) -> Vec<u32> {
        let near = Direction::ALL.into_iter().map(|d| {
            let (dx, dy) = d.delta();
            (i32::from(tile.x) + dx, i32::from(tile.y) + dy)
        });
        let mut pieces: Vec<u32> =
            near.filter(|&(x, y)| !grid.is_free_at(x, y)).map(|(x, y)| self.at(x, y)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        pieces
    }
}

/// A line from wall to wall and the pieces of wall at its ends.
#[derive(Clone, Copy)]
pub(super) struct Chord {
    pub(super) line: GateLine,
    pub(super) walls: (u32, u32),
}

/// The four directions of chords.
pub(super) const AXES: [Direction; 4] =
    [Direction::E, Direction::S, Direction::SE, Direction::SW];

/// The chord through a tile, unless it would be wider than `limit` tiles.
pub(super) fn chord(
    grid: &Grid,
    pieces: &WallPieces,
    tile: Tile,
    axis: Direction,
    limit: u32,
) -> Option<Chord> {
    let (b, end, left) = run(grid, pieces, tile, axis, limit)?;
    let (a, start, _) = run(grid, pieces, tile, axis.opposite(), left)?;
    let line = GateLine::new(a, b, Source::Automatic);
    let walls = if line.a() == a { (start, end) } else { (end, start) };
    Some(Chord { line, walls })
}

/// Walks until a wall stops the line: the last tile, the wall's piece, the steps left.
fn run(
    grid: &Grid,
    pieces: &WallPieces,
    from: Tile,
    direction: Direction,
    limit: u32,
) -> Option<(Tile, u32, u32)> {
    let (dx, dy) = direction.delta();
    let (mut tile, mut left) = (from, limit);
    loop {
        let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
        if !grid.is_free_at(x, y) {
            return Some((tile, pieces.at(x, y), left));
        }
        if direction.is_diagonal() {
            let (p, q) = flanks(tile, direction);
            if let Some(wall) = [p, q].into_iter().find(|w| !grid.is_free_at(w.0, w.1)) {
                return Some((tile, pieces.at(wall.0, wall.1), left));
            }
        }
        left = left.checked_sub(1)?;
        tile = Tile::new(x as u16, y as u16);
    }
}

/// The straight gates of the clusters, in their order, without repetitions.
pub(super) fn straight_gates(grid: &Grid, clusters: &[Cluster]) -> Vec<GateLine> {
    let pieces = WallPieces::new(grid);
    let mut lines: Vec<GateLine> = Vec::new();
    for cluster in clusters {
        let found: Vec<GateLine> = match cluster.contacts().len() {
            0 => Vec::new(),
            1 => shortest_chord(grid, &pieces, cluster).into_iter().collect(),
            _ => spans(grid, cluster)
                .into_iter()
                .filter_map(|(p, q)| best_chord(grid, &pieces, cluster, p, q))
                .collect(),
        };
        for line in found {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// The narrowest chord through a tile of the cluster; of equal ones the first found from
/// the middle of the cluster outwards.
fn shortest_chord(grid: &Grid, pieces: &WallPieces, cluster: &Cluster) -> Option<GateLine> {
    let tiles = cluster.tiles();
    let middle = tiles.len() / 2;
    let limit = grid.width().max(grid.height());
    let mut best: Option<GateLine> = None;
    for i in (0..tiles.len()).map(|i| outwards(middle, i)).filter(|&i| i < tiles.len()) {
        for axis in AXES {
            let Some(found) = chord(grid, pieces, grid.tile(tiles[i]), axis, limit) else {
                continue;
            };
            if best.is_none_or(|b| found.line.span() < b.span() - 1e-9) {
                best = Some(found.line);
            }
        }
    }
    best
}

/// 0, 1, 2, 3 … become middle, middle − 1, middle + 1, middle − 2 …
fn outwards(middle: usize, i: usize) -> usize {
    if i % 2 == 0 { middle + i / 2 } else { middle.wrapping_sub(i / 2 + 1) }
}

fn distance2(a: Tile, b: Tile) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}

/// The edges of a shortest tree over the contacts, each by its closest pair of tiles.
fn spans(grid: &Grid, cluster: &Cluster) -> Vec<(Tile, Tile)> {
    let contacts: Vec<Vec<Tile>> = cluster
        .contacts()
        .iter()
        .map(|group| group.iter().map(|&cell| grid.tile(cell)).collect())
        .collect();
    let closest = |a: &[Tile], b: &[Tile]| {
        let pairs = a.iter().flat_map(|&p| b.iter().map(move |&q| (distance2(p, q), p, q)));
        pairs.min_by_key(|&(d, ..)| d)
    };
    // Prim's algorithm; contacts are few.
    let mut outside: Vec<usize> = (1..contacts.len()).collect();
    let mut inside = vec![0];
    let mut tree = Vec::new();
    while !outside.is_empty() {
        let edges = inside.iter().flat_map(|&i| outside.iter().map(move |&o| (i, o)));
        let best = edges
            .filter_map(|(i, o)| closest(&contacts[i], &contacts[o]).map(|(d, p, q)| (d, o, p, q)))
            .min_by_key(|&(d, ..)| d);
        let Some((_, next, p, q)) = best else { break };
        outside.retain(|&o| o != next);
        inside.push(next);
        tree.push((p, q));
    }
    tree
}

/// The chord that replaces the span from p to q.
fn best_chord(
    grid: &Grid,
    pieces: &WallPieces,
    cluster: &Cluster,
    p: Tile,
    q: Tile,
) -> Option<GateLine> {
    let span = (distance2(p, q) as f64).sqrt();
    let limit = (2.0 * span) as u32 + 8;
    let (at_p, at_q) = (pieces.around(grid, p), pieces.around(grid, q));
    let joins = |(a, b): (u32, u32)| {
        let has = |list: &[u32], piece: u32| list.binary_search(&piece).is_ok();
        (has(&at_p, a) && has(&at_q, b)) || (has(&at_p, b) && has(&at_q, a))
    };
    let mut best: Option<(f64, GateLine)> = None;
    for base in bases(grid, cluster, p, q) {
        for axis in AXES {
            let Some(found) = chord(grid, pieces, base, axis, limit) else { continue };
            let (a, b) = (found.line.a(), found.line.b());
            let apart = |s: Tile, t: Tile| (distance2(s, t) as f64).sqrt();
            let moved = (apart(a, p) + apart(b, q)).min(apart(a, q) + apart(b, p));
            let other_walls = if joins(found.walls) { 0.0 } else { 1e6 };
            let cost = found.line.span() + 0.7 * moved + other_walls;
            if best.is_none_or(|(least, _)| cost < least - 1e-9) {
                best = Some((cost, found.line));
            }
        }
    }
    best.map(|(_, line)| line)
}

/// The tiles through which chords are tried: those on the span, those of the cluster
/// near it, and those around its ends.
fn bases(grid: &Grid, cluster: &Cluster, p: Tile, q: Tile) -> Vec<Tile> {
    let steps = u32::from(p.x.abs_diff(q.x).max(p.y.abs_diff(q.y))).max(1);
    let between = |from: u16, to: u16, i: u32| {
        let (from, to) = (f64::from(from), f64::from(to));
        (from + (to - from) * f64::from(i) / f64::from(steps)).round() as u16
    };
    let mut tiles: Vec<Tile> =
        (0..=steps).map(|i| Tile::new(between(p.x, q.x, i), between(p.y, q.y, i))).collect();
    let reach = distance2(p, q);
    let near = |t: &Tile| distance2(*t, p) <= reach && distance2(*t, q) <= reach;
    tiles.extend(cluster.tiles().iter().map(|&cell| grid.tile(cell)).filter(near));
    for end in [p, q] {
        for dy in -2..=2 {
            for dx in -2..=2 {
                let (x, y) = (i32::from(end.x) + dx, i32::from(end.y) + dy);
                if grid.is_free_at(x, y) {
                    tiles.push(Tile::new(x as u16, y as u16));
                }
            }
        }
    }
    tiles.retain(|&tile| grid.is_free(tile));
    tiles.sort_unstable();
    tiles.dedup();
    tiles
}
