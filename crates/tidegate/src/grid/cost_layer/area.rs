//! Which tiles a change of costs is about: discs, rings and polygons, row by row.
//!
//! A tile belongs to an area if its middle does, the border included. All of it is integers,
//! but for the square of a radius.

use std::ops::Range;

use crate::grid::Tile;

/// Tiles by their shape. What lies outside a map is left out when it is used.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Area<'a> {
    /// The tiles at most `radius` from the centre.
    Disc {
        /// The tile in the middle.
        centre: Tile,
        /// In tiles; with less than nothing, or no number, the disc is empty.
        radius: f64,
    },
    /// The tiles of the disc of `outer` that are not in the disc of `inner`.
    Ring {
        /// The tile in the middle.
        centre: Tile,
        /// The radius of the hole.
        inner: f64,
        /// The radius of the whole.
        outer: f64,
    },
    /// The tiles inside a polygon, or on its border, whose corners are these tiles in order;
    /// where it crosses itself, those that an odd number of crossings parts from the outside.
    Polygon(&'a [Tile]),
}

impl<'a> Area<'a> {
    /// The tiles at most `radius` from the centre.
    pub fn disc(centre: impl Into<Tile>, radius: f64) -> Area<'a> {
        Area::Disc { centre: centre.into(), radius }
    }

    /// The tiles more than `inner` and at most `outer` from the centre.
    pub fn ring(centre: impl Into<Tile>, inner: f64, outer: f64) -> Area<'a> {
        Area::Ring { centre: centre.into(), inner, outer }
    }

    /// Calls `visit` with rows below `height` and ranges of columns, which end wherever they
    /// do: together they are the area, and no tile is in two.
    pub(super) fn spans(&self, height: u32, mut visit: impl FnMut(u32, Range<u32>)) {
        match *self {
            Area::Disc { centre, radius } => {
                for (row, half) in rows_of_disc(centre, radius, height).into_iter().flatten() {
                    visit(row, span(centre.x, half));
                }
            }
            Area::Ring { centre, inner, outer } => {
                let hole = square(inner);
                for (row, half) in rows_of_disc(centre, outer, height).into_iter().flatten() {
                    let down = u64::from(row.abs_diff(centre.y.into()));
                    let whole = span(centre.x, half);
                    match hole.and_then(|hole| hole.checked_sub(down * down)) {
                        None => visit(row, whole),
                        Some(left) => {
                            let hole = left.isqrt().min(1 << 17) as u32;
                            let (x, hole) = (u32::from(centre.x), hole.min(half));
                            // The first column of the hole, unless it lies left of the map.
                            visit(row, whole.start..x.saturating_sub(hole).max(whole.start));
                            visit(row, x + hole + 1..whole.end);
                        }
                    }
                }
            }
            Area::Polygon(corners) => polygon(corners, height, visit),
        }
    }
}

/// The largest square of a distance between tiles that is within a radius; none if the radius
/// is less than nothing or no number.
fn square(radius: f64) -> Option<u64> {
    // Beyond any map it does not matter how far.
    (radius >= 0.0).then(|| (radius.min(131_072.0).powi(2)) as u64)
}

/// Whether two tiles are within a radius of each other.
pub(crate) fn is_within(a: Tile, b: Tile, radius: f64) -> bool {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    square(radius).is_some_and(|square| dx * dx + dy * dy <= square)
}

/// The tiles of a disc on a map of this size, in row order.
pub(crate) fn tiles_of_disc(
    centre: Tile,
    radius: f64,
    (width, height): (u32, u32),
) -> impl Iterator<Item = Tile> {
    let rows = rows_of_disc(centre, radius, height).into_iter().flatten();
    rows.flat_map(move |(row, half)| {
        let columns = span(centre.x, half);
        let columns = columns.start..columns.end.min(width);
        columns.map(move |column| Tile::new(column as u16, row as u16))
    })
}

/// The rows of a disc below `height`, each with half its width; none if the disc is empty.
pub(super) fn rows_of_disc(
    centre: Tile,
    radius: f64,
    height: u32,
) -> Option<impl Iterator<Item = (u32, u32)>> {
    let square = square(radius)?;
    let (y, reach) = (u32::from(centre.y), square.isqrt() as u32);
    let rows = y.saturating_sub(reach)..(y + reach + 1).min(height);
    Some(rows.map(move |row| {
        let down = u64::from(row.abs_diff(y));
        (row, (square - down * down).isqrt() as u32)
    }))
}

/// The columns at most `half` from a column.
pub(super) fn span(x: u16, half: u32) -> Range<u32> {
    u32::from(x).saturating_sub(half)..u32::from(x) + half + 1
}

/// The rows of a polygon. In every row the border's crossings are sorted; between the first
/// and the second, the third and the fourth and so on lies the inside. The border itself is
/// added where it meets the middle of a tile.
fn polygon(corners: &[Tile], height: u32, mut visit: impl FnMut(u32, Range<u32>)) {
    let Some(&last) = corners.last() else { return };
    let before = std::iter::once(last).chain(corners.iter().copied());
    let edges = || before.clone().zip(corners.iter().copied());
    let rows = corners.iter().map(|tile| u32::from(tile.y));
    let (top, bottom) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
    let (mut crossings, mut spans) = (Vec::new(), Vec::new());
    for row in top..(bottom + 1).min(height) {
        crossings.clear();
        spans.clear();
        for (a, b) in edges() {
            let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
            let (y0, y1) = (u32::from(low.y), u32::from(high.y));
            if row < y0 || row > y1 {
                continue;
            }
            if y0 == y1 {
                spans.push(u32::from(a.x.min(b.x))..u32::from(a.x.max(b.x)) + 1);
                continue;
            }
            // Where the edge crosses the row, as a fraction.
            let (run, over) = (i64::from(high.x) - i64::from(low.x), i64::from(y1 - y0));
            let across = i64::from(low.x) * over + run * i64::from(row - y0);
            if across % over == 0 {
                let column = (across / over) as u32;
                spans.push(column..column + 1);
            }
            // An edge has its upper end and not its lower one, so that a border which goes on
            // downwards there crosses once.
            if row < y1 {
                crossings.push((across, over));
            }
        }
        // Between the middles of two tiles it does not matter which comes first.
        crossings.sort_unstable_by_key(|&(across, over)| {
            (across.div_euclid(over), across.rem_euclid(over) > 0)
        });
        for pair in crossings.chunks_exact(2) {
            let ((a, over_a), (b, over_b)) = (pair[0], pair[1]);
            let first = (a + over_a - 1).div_euclid(over_a);
            spans.push(first as u32..(b.div_euclid(over_b) + 1) as u32);
        }
        spans.sort_unstable_by_key(|span| span.start);
        let mut spans = spans.drain(..).filter(|span| !span.is_empty());
        let Some(mut whole) = spans.next() else { continue };
        for span in spans {
            if span.start <= whole.end {
                whole.end = whole.end.max(span.end);
            } else {
                visit(row, std::mem::replace(&mut whole, span));
            }
        }
        visit(row, whole);
    }
}
