//! Straight gates from gate clusters, changed as little as possible.
//!
//! A cluster gives one or more spans, pairs of tiles at walls: with contacts at two or
//! more stretches of wall the edges of a shortest tree over them, with a single one the
//! shortest line from wall to wall through a tile of the cluster. Each
//! span becomes the best stroke near it: a line at 0, 45, 90 or 135 degrees from wall to
//! wall. The best is short, keeps its ends near the span's, and joins the same two pieces
//! of wall, over small walls in between if need be, because a line to another piece would
//! close nothing off.

use super::cluster::Cluster;
use super::gate::{GateLine, Source, flanks};
use super::zone::{Parts, parts};
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
        let mut walls = grid.free_bits().clone();
        walls.toggle_range(..);
        let Parts { runs, parts } = parts(grid.width(), &walls, |_, _| true);
        // By part: whether it hangs on the outside.
        let mut outside = vec![false; parts.len()];
        for run in &runs {
            let (from, to) = (run.from as usize, run.to as usize);
            let at_rim = from < width
                || from >= width * (height - 1)
                || from.is_multiple_of(width)
                || to.is_multiple_of(width);
            outside[run.part as usize] |= at_rim;
        }
        let mut labels = vec![0u32; grid.tiles()];
        for run in runs.iter().filter(|run| !outside[run.part as usize]) {
            labels[run.from as usize..run.to as usize].fill(run.part + 1);
        }
        WallPieces { width: width as i32, height: height as i32, labels }
    }

    /// The piece that the wall at these coordinates belongs to.
    pub(super) fn at(&self, x: i32, y: i32) -> u32 {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        if inside { self.labels[(y * self.width + x) as usize] } else { 0 }
    }
}

/// The four directions of gates.
pub(super) const AXES: [Direction; 4] = [Direction::E, Direction::S, Direction::SE, Direction::SW];

/// A straight stroke through the map from one piece of wall to another, and the gates it
/// makes: more than one where small walls stand in its way.
struct Stroke {
    a: Tile,
    b: Tile,
    lines: Vec<GateLine>,
}

impl Stroke {
    fn span(&self) -> f64 {
        GateLine::new(self.a, self.b, Source::Automatic).span()
    }
}

/// The walls a stroke may end at: any, or one of two pieces at each end.
type Ends = Option<(u32, u32)>;

/// The stroke through a tile, unless it would be longer than `limit` tiles or not join
/// the two pieces of wall asked for.
fn stroke(
    grid: &Grid,
    pieces: &WallPieces,
    tile: Tile,
    axis: Direction,
    ends: Ends,
    limit: u32,
) -> Option<Stroke> {
    let fits = |piece: u32| ends.is_none_or(|(p, q)| piece == p || piece == q);
    let mut left = limit;
    let mut lines = Vec::new();
    let mut tips = [(tile, 0); 2];
    let mut inner = [tile; 2];
    for (i, direction) in [axis, axis.opposite()].into_iter().enumerate() {
        let mut from = tile;
        for step in 0.. {
            let (last, piece) = run(grid, pieces, from, direction, &mut left)?;
            if step == 0 {
                inner[i] = last;
            } else {
                lines.push(GateLine::new(from, last, Source::Automatic));
            }
            if fits(piece) {
                tips[i] = (last, piece);
                break;
            }
            from = leap(grid, last, direction, &mut left)?;
        }
    }
    let joins = |(p, q): (u32, u32)| {
        let (s, t) = (tips[0].1, tips[1].1);
        (s == p && t == q) || (s == q && t == p)
    };
    ends.is_none_or(joins).then(|| {
        lines.push(GateLine::new(inner[0], inner[1], Source::Automatic));
        Stroke { a: tips[0].0, b: tips[1].0, lines }
    })
}

/// Walks until a wall stops the line: the last free tile and the wall's piece.
fn run(
    grid: &Grid,
    pieces: &WallPieces,
    from: Tile,
    direction: Direction,
    left: &mut u32,
) -> Option<(Tile, u32)> {
    let (dx, dy) = direction.delta();
    let mut tile = from;
    loop {
        let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
        if !grid.is_free_at(x, y) {
            return Some((tile, pieces.at(x, y)));
        }
        if direction.is_diagonal() {
            let (p, q) = flanks(tile, direction);
            if let Some(wall) = [p, q].into_iter().find(|w| !grid.is_free_at(w.0, w.1)) {
                return Some((tile, pieces.at(wall.0, wall.1)));
            }
        }
        *left = left.checked_sub(1)?;
        tile = Tile::new(x as u16, y as u16);
    }
}

/// Goes on over walls to the next free tile.
fn leap(grid: &Grid, from: Tile, direction: Direction, left: &mut u32) -> Option<Tile> {
    let (dx, dy) = direction.delta();
    let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
    loop {
        (x, y) = (x + dx, y + dy);
        *left = left.checked_sub(1)?;
        let inside = x >= 0 && y >= 0 && x < grid.width() as i32 && y < grid.height() as i32;
        if !inside {
            return None;
        }
        if grid.is_free_at(x, y) {
            return Some(Tile::new(x as u16, y as u16));
        }
    }
}

/// The line from wall to wall through a tile.
pub(super) fn chord(grid: &Grid, tile: Tile, axis: Direction) -> GateLine {
    let end = |direction: Direction| {
        let ((dx, dy), mut end) = (direction.delta(), tile);
        loop {
            let (x, y) = (i32::from(end.x) + dx, i32::from(end.y) + dy);
            let (p, q) = flanks(end, direction);
            let narrow =
                direction.is_diagonal() && [p, q].into_iter().any(|w| !grid.is_free_at(w.0, w.1));
            if !grid.is_free_at(x, y) || narrow {
                return end;
            }
            end = Tile::new(x as u16, y as u16);
        }
    };
    GateLine::new(end(axis), end(axis.opposite()), Source::Automatic)
}

/// The straight gates of the clusters, in their order, without repetitions.
pub(super) fn straight_gates(
    grid: &Grid,
    pieces: &WallPieces,
    clusters: &[Cluster],
) -> Vec<GateLine> {
    let mut lines: Vec<GateLine> = Vec::new();
    for cluster in clusters {
        let strokes = match cluster.contacts().len() {
            0 => Vec::new(),
            1 => shortest_stroke(grid, pieces, cluster).into_iter().collect(),
            _ => spans(grid, cluster)
                .into_iter()
                .filter_map(|span| best_stroke(grid, pieces, cluster, span))
                .collect(),
        };
        for line in strokes.into_iter().flat_map(|s| s.lines) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// The narrowest line from wall to wall through a tile of the cluster; of equal ones the
/// first found from the middle of the cluster outwards.
fn shortest_stroke(grid: &Grid, pieces: &WallPieces, cluster: &Cluster) -> Option<Stroke> {
    let tiles = cluster.tiles();
    let middle = tiles.len() / 2;
    let limit = grid.width() + grid.height();
    let mut best: Option<Stroke> = None;
    for i in (0..=tiles.len()).map(|i| outwards(middle, i)).filter(|&i| i < tiles.len()) {
        for axis in AXES {
            let tile = grid.tile(tiles[i]);
            let Some(found) = stroke(grid, pieces, tile, axis, None, limit) else { continue };
            if best.as_ref().is_none_or(|b| found.span() < b.span() - 1e-9) {
                best = Some(found);
            }
        }
    }
    best
}

/// 0, 1, 2, 3 … become middle, middle − 1, middle + 1, middle − 2 …
fn outwards(middle: usize, i: usize) -> usize {
    if i.is_multiple_of(2) { middle + i / 2 } else { middle.wrapping_sub(i / 2 + 1) }
}

fn distance2(a: Tile, b: Tile) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}

/// Two contacts to be joined by a straight gate: the closest pair of their tiles and
/// their walls.
struct Span {
    p: Tile,
    q: Tile,
    walls: ((i32, i32), (i32, i32)),
}

/// The edges of a shortest tree over the contacts.
fn spans(grid: &Grid, cluster: &Cluster) -> Vec<Span> {
    let contacts = cluster.contacts();
    let tiles: Vec<Vec<Tile>> =
        contacts.iter().map(|c| c.tiles().iter().map(|&t| grid.tile(t)).collect()).collect();
    let closest = |i: usize, o: usize| {
        let pairs = tiles[i].iter().flat_map(|&p| tiles[o].iter().map(move |&q| (p, q)));
        let (p, q) = pairs.min_by_key(|&(p, q)| distance2(p, q))?;
        Some((distance2(p, q), i, o, p, q))
    };
    // Prim's algorithm; contacts are few.
    let mut outside: Vec<usize> = (1..contacts.len()).collect();
    let mut inside = vec![0];
    let mut tree = Vec::new();
    while !outside.is_empty() {
        let edges = inside.iter().flat_map(|&i| outside.iter().map(move |&o| (i, o)));
        let best = edges.filter_map(|(i, o)| closest(i, o)).min_by_key(|&(d, ..)| d);
        let Some((_, from, next, p, q)) = best else { break };
        outside.retain(|&o| o != next);
        inside.push(next);
        tree.push(Span { p, q, walls: (contacts[from].wall(), contacts[next].wall()) });
    }
    tree
}

/// The stroke that replaces a span.
fn best_stroke(grid: &Grid, pieces: &WallPieces, cluster: &Cluster, span: Span) -> Option<Stroke> {
    let Span { p, q, walls: (wp, wq) } = span;
    let limit = (2.0 * (distance2(p, q) as f64).sqrt()) as u32 + 8;
    let ends = Some((pieces.at(wp.0, wp.1), pieces.at(wq.0, wq.1)));
    let mut best: Option<(f64, Stroke)> = None;
    for base in bases(grid, cluster, p, q) {
        for axis in AXES {
            let Some(found) = stroke(grid, pieces, base, axis, ends, limit) else { continue };
            let apart = |s: Tile, t: Tile| (distance2(s, t) as f64).sqrt();
            let (a, b) = (found.a, found.b);
            let moved = (apart(a, p) + apart(b, q)).min(apart(a, q) + apart(b, p));
            // More than the length itself, or cutting off a corner at one end would pay.
            let cost = found.span() + 1.5 * moved;
            if best.as_ref().is_none_or(|(least, _)| cost < least - 1e-9) {
                best = Some((cost, found));
            }
        }
    }
    best.map(|(_, stroke)| stroke)
}

/// The tiles through which strokes are tried: those on the span, those of the cluster
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
