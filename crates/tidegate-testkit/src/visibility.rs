//! The oracle of walks at any angle: every corner of tiles, every line between two of them tried
//! against every wall, and the least sums of lengths. Nothing is left out by any argument.

use tidegate::anyangle::{PARTS, Point};
use tidegate::{Grid, Tile};

/// The points, then every corner of tiles.
fn with_corners(grid: &Grid, points: &[Point]) -> Vec<Point> {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    let mut all = points.to_vec();
    for y in 0..=height {
        for x in 0..=width {
            let around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
            // Where walls touch at a corner alone nothing passes.
            let free = around.map(|(x, y)| grid.is_free_at(x, y));
            let is_shut = (!free[0] && !free[3]) || (!free[1] && !free[2]);
            if !is_shut {
                all.push(Point::new(x * PARTS, y * PARTS));
            }
        }
    }
    all
}

/// The length of the shortest walk between two points that are free, in tiles; infinite if there is none. The
/// same as [`lengths`] says, from one point on until the other is the nearest.
pub fn length(grid: &Grid, from: Point, to: Point) -> f64 {
    let all = with_corners(grid, &[from, to]);
    let mut least = vec![f64::INFINITY; all.len()];
    let mut open: Vec<usize> = (0..all.len()).collect();
    least[0] = 0.0;
    while let Some(place) =
        (0..open.len()).min_by(|&a, &b| least[open[a]].total_cmp(&least[open[b]]))
    {
        let at = open.swap_remove(place);
        if at == 1 || least[at].is_infinite() {
            break;
        }
        for &next in &open {
            let sum = least[at] + all[at].distance(all[next]);
            if sum < least[next] && is_walk(grid, all[at], all[next]) {
                least[next] = sum;
            }
        }
    }
    least[1]
}

/// The length of the shortest walk between each two points, in tiles; infinite if there is none. The
/// points must be free.
pub fn lengths(grid: &Grid, points: &[Point]) -> Vec<Vec<f64>> {
    let all = with_corners(grid, points);
    let count = all.len();
    let mut least = vec![vec![f64::INFINITY; count]; count];
    for a in 0..count {
        least[a][a] = 0.0;
        for b in 0..a {
            if is_walk(grid, all[a], all[b]) {
                let length = all[a].distance(all[b]);
                (least[a][b], least[b][a]) = (length, length);
            }
        }
    }
    for via in 0..count {
        let row = least[via].clone();
        for from in least.iter_mut() {
            let before = from[via];
            if before.is_finite() {
                for (known, &on) in from.iter_mut().zip(&row) {
                    *known = known.min(before + on);
                }
            }
        }
    }
    least.truncate(points.len());
    least.iter_mut().for_each(|row| row.truncate(points.len()));
    least
}

/// Whether the straight line between two points enters no wall's inside, passes between no two walls
/// that touch, and stays on the map.
pub fn is_walk(grid: &Grid, a: Point, b: Point) -> bool {
    let (width, height) = (grid.width() as i32, grid.height() as i32);
    for y in -1..=height {
        for x in -1..=width {
            if !grid.is_free_at(x, y) && enters(a, b, x * PARTS, y * PARTS) {
                return false;
            }
        }
    }
    for y in 0..=height {
        for x in 0..=width {
            let wall = |dx, dy| !grid.is_free_at(x - dx, y - dy);
            let corner = Point::new(x * PARTS, y * PARTS);
            let touching = (wall(0, 0) && wall(1, 1)) || (wall(1, 0) && wall(0, 1));
            if touching && corner != a && corner != b && lies_on(a, b, corner) {
                return false;
            }
            // Between two walls side by side.
            let right = Point::new(corner.x + PARTS / 2, corner.y);
            let below = Point::new(corner.x, corner.y + PARTS / 2);
            if wall(0, 0) && wall(0, 1) && a.y == b.y && lies_near(a, b, right, true) {
                return false;
            }
            if wall(0, 0) && wall(1, 0) && a.x == b.x && lies_near(a, b, below, false) {
                return false;
            }
        }
    }
    true
}

/// Whether a line along the edges of tiles has a part in common with the edge in whose middle this
/// point lies.
fn lies_near(a: Point, b: Point, middle: Point, along: bool) -> bool {
    let (from, to, at) = if along { (a.x, b.x, middle.x) } else { (a.y, b.y, middle.y) };
    let on = if along { a.y == middle.y } else { a.x == middle.x };
    let (low, high) = (from.min(to), from.max(to));
    on && low < at + PARTS / 2 && high > at - PARTS / 2
}

fn lies_on(a: Point, b: Point, c: Point) -> bool {
    let cross =
        i64::from(b.x - a.x) * i64::from(c.y - a.y) - i64::from(b.y - a.y) * i64::from(c.x - a.x);
    let within = |a: i32, b: i32, c: i32| a.min(b) <= c && c <= a.max(b);
    cross == 0 && within(a.x, b.x, c.x) && within(a.y, b.y, c.y)
}

/// Whether the line has a point strictly inside the tile whose upper left corner this is: some point of
/// it lies between both pairs of sides.
fn enters(a: Point, b: Point, x: i32, y: i32) -> bool {
    // The line is a + t (b - a). Each pair of sides leaves an open range of t, as fractions.
    let (mut low, mut high) = ((0_i64, 1_i64), (1_i64, 1_i64));
    let (mut low_open, mut high_open) = (false, false);
    for (from, to, side) in [(a.x, b.x, x), (a.y, b.y, y)] {
        let (from, step) = (i64::from(from), i64::from(to) - i64::from(from));
        let (first, second) = (i64::from(side), i64::from(side + PARTS));
        if step == 0 {
            if from <= first || from >= second {
                return false;
            }
            continue;
        }
        let (enter, leave) = if step > 0 { (first, second) } else { (second, first) };
        let fraction = |at: i64| ((at - from) * step.signum(), step.abs());
        let (enter, leave) = (fraction(enter), fraction(leave));
        let less = |a: (i64, i64), b: (i64, i64)| {
            i128::from(a.0) * i128::from(b.1) < i128::from(b.0) * i128::from(a.1)
        };
        if !less(enter, low) {
            (low, low_open) = (enter, true);
        }
        if !less(high, leave) {
            (high, high_open) = (leave, true);
        }
    }
    let less = i128::from(low.0) * i128::from(high.1) - i128::from(high.0) * i128::from(low.1);
    less < 0 || (less == 0 && !low_open && !high_open)
}

/// The centres of the free tiles.
pub fn centres(grid: &Grid) -> Vec<Point> {
    grid.free_cells().map(|cell| Point::from(grid.tile(cell))).collect()
}

/// The map whose tiles are the bits of a number.
pub fn map_of_bits(width: u32, height: u32, bits: u32) -> Grid {
    let free = |x: u32, y: u32| bits >> (y * width + x) & 1 != 0;
    Grid::from_fn(width, height, Default::default(), free).expect("a small map")
}

/// Whether these points are a walk from tile to tile.
pub fn check(grid: &Grid, points: &[Point], start: Tile, goal: Tile) -> bool {
    points.first() == Some(&start.into())
        && points.last() == Some(&goal.into())
        && points.windows(2).all(|pair| is_walk(grid, pair[0], pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_length_is_that_of_all() {
        for bits in [0x0fff, 0x0e7f, 0x0dbf, 0x07de, 0x0b6d, 0x0ffe] {
            let grid = map_of_bits(4, 3, bits);
            let points = centres(&grid);
            let all = lengths(&grid, &points);
            for (a, row) in all.iter().enumerate() {
                for (b, &wanted) in row.iter().enumerate().filter(|(b, _)| *b != a) {
                    let found = length(&grid, points[a], points[b]);
                    assert!(found == wanted || (found - wanted).abs() < 1e-9, "{found}, {wanted}");
                }
            }
        }
    }
}
