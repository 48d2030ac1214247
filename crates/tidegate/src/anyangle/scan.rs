//! What a point sees: the corners to which a straight line leads, found by cones that are
//! followed from row to row. All comparisons are by integers.

use super::plane::Plane;
use super::point::{PARTS, Point, Way};

/// A ray from the point: `x` to the side for every `height` away from it.
#[derive(Clone, Copy, Debug)]
struct Ray {
    x: i64,
    height: i64,
    /// It has touched a corner where paths bend: what lies on it behind is reached over that one.
    touched: bool,
}

impl Ray {
    /// Below 0 if this ray lies to the left of the other.
    #[inline]
    fn side(&self, other: &Ray) -> i64 {
        self.x * other.height - other.x * self.height
    }
}

/// Rays between two, ends included, that have come through a row of tiles.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// The line of corners that they have reached.
    line: i32,
    left: Ray,
    right: Ray,
}

/// Whether a walk that comes to a corner like this may go on like that: around the wall, or straight
/// on.
pub(super) fn bends_around(came: Way, wall: super::plane::Bend, on: Way) -> bool {
    let is_in = |way: Way, x: i64, y: i64| way.x * x >= 0 && way.y * y >= 0;
    [(wall.x, -wall.y), (-wall.x, wall.y)].into_iter().any(|(x, y)| {
        let towards_wall = (x * wall.y - y * wall.x).signum();
        is_in(came, x, y) && is_in(on, x, y) && towards_wall * came.cross(on) >= 0
    })
}

/// Who is told what a point sees.
pub(super) trait Seen {
    /// Whether it wants to know about tiles, too.
    const TILES: bool = false;

    /// A corner at which a walk that comes from the point may bend.
    fn bend(&mut self, column: i32, row: i32);

    /// The centres of the tiles of a row from `first` to before `end`.
    fn tiles(&mut self, first: i32, end: i32, row: i32) {
        let _ = (first, end, row);
    }
}

/// Told about corners alone.
impl<F: FnMut(i32, i32)> Seen for F {
    fn bend(&mut self, column: i32, row: i32) {
        self(column, row);
    }
}

/// The memory of scans.
#[derive(Clone, Debug, Default)]
pub(super) struct Cones(Vec<Cone>);

impl Cones {
    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Cone>()
    }
}

/// Tells about every corner that the point sees and at which a walk that comes from there may bend; of
/// several on a ray about the first alone.
pub(super) fn scan(plane: &Plane, from: Point, cones: &mut Cones, visit: &mut impl Seen) {
    for side in [-1, 1] {
        walk_along(plane, from, side, visit);
        fan(plane, from, side, None, None, cones, visit);
    }
}

/// Tells what a corner sees of corners and tiles in the two directions from which a shortest walk may
/// come to it, or go from it. Both ends of a line between corners may then bend.
pub(super) fn scan_from_bend(
    plane: &Plane,
    (column, row): (i32, i32),
    cones: &mut Cones,
    visit: &mut impl Seen,
) {
    let (from, wall) = (Point::corner(column, row), plane.bend(column, row));
    let down = Some((0, 1));
    for x in [wall.x, -wall.x] {
        // Beside the wall, and above or below it.
        let y = if x == wall.x { -wall.y } else { wall.y };
        walk_along(plane, from, x as i32, visit);
        let (left, right) = if x > 0 { (down, None) } else { (None, down) };
        fan(plane, from, y as i32, left, right, cones, visit);
    }
}

/// Along the line of corners on which the point lies, if it does, to one side.
fn walk_along(plane: &Plane, from: Point, side: i32, visit: &mut impl Seen) {
    if from.y % PARTS != 0 {
        return;
    }
    let y = from.y / PARTS;
    let mut x = if side > 0 { from.x.div_euclid(PARTS) } else { -(-from.x).div_euclid(PARTS) };
    loop {
        let tile = if side > 0 { x } else { x - 1 };
        if !plane.is_free(tile, y) && !plane.is_free(tile, y - 1) {
            return;
        }
        x += side;
        if plane.is_bend(x, y) {
            return visit.bend(x, y);
        }
        if plane.is_shut(x, y) {
            return;
        }
    }
}

/// Up (-1) or down (1) from the point, between two rays: each `x` to the side for a height above 0.
fn fan<V: Seen>(
    plane: &Plane,
    from: Point,
    down: i32,
    left: Option<(i64, i64)>,
    right: Option<(i64, i64)>,
    cones: &mut Cones,
    visit: &mut V,
) {
    let is_on_line = from.y % PARTS == 0;
    let row = from.y.div_euclid(PARTS) - i32::from(is_on_line && down < 0);
    let line = row + i32::from(down > 0);
    if row < 0 || row >= plane.height {
        return;
    }
    let to = |x: i32, line: i32| {
        let way = from.to(Point::corner(x, line));
        Ray { x: way.x, height: way.y * i64::from(down), touched: false }
    };
    let ray = |(x, height): (i64, i64)| Ray { x, height, touched: false };
    // The tile, or the two, in whose row the point looks.
    let column = from.x.div_euclid(PARTS);
    let before = column - i32::from(from.x % PARTS == 0);
    let Some(tile) = [column, before].into_iter().find(|&x| plane.is_free(x, row)) else { return };
    let (start, end) = plane.run(tile, row);
    let widest = (to(start, line), to(end, line));
    let further_right = |a: Ray, b: Ray| if a.side(&b) >= 0 { a } else { b };
    let further_left = |a: Ray, b: Ray| if a.side(&b) <= 0 { a } else { b };
    // Where a ray crosses the middle of a row, in parts of a tile times its height.
    let middle = |ray: &Ray, row: i32| {
        let height = (row * PARTS + PARTS / 2 - from.y) * down;
        i64::from(from.x - PARTS / 2) * ray.height + ray.x * i64::from(height)
    };
    let whole = |ray: &Ray| ray.height * i64::from(PARTS);
    if V::TILES {
        let first =
            left.map(ray).map_or(start, |ray| -(-middle(&ray, row)).div_euclid(whole(&ray)) as i32);
        let end =
            right.map(ray).map_or(end, |ray| middle(&ray, row).div_euclid(whole(&ray)) as i32 + 1);
        visit.tiles(first, end, row);
    }
    let left = left.map_or(widest.0, |limit| further_right(ray(limit), widest.0));
    let right = right.map_or(widest.1, |limit| further_left(ray(limit), widest.1));
    cones.0.clear();
    if left.side(&right) <= 0 {
        cones.0.push(Cone { line, left, right });
    }
    while let Some(mut cone) = cones.0.pop() {
        let height = i64::from(cone.line * PARTS - from.y) * i64::from(down);
        // Where a ray crosses the line, in parts of a tile times its height.
        let at = |ray: &Ray| i64::from(from.x) * ray.height + ray.x * height;
        let floor = |ray: &Ray| at(ray).div_euclid(whole(ray)) as i32;
        let ceil = |ray: &Ray| -((-at(ray)).div_euclid(whole(ray))) as i32;
        let (first, last) = (ceil(&cone.left), floor(&cone.right));
        let is_on = |ray: &Ray, x: i32| at(ray) == i64::from(x) * whole(ray);
        let (mut left, mut right) = (cone.left, cone.right);
        plane.each_bend(first, last, cone.line, |x| {
            let on = (is_on(&cone.left, x), is_on(&cone.right, x));
            if (on.0 && cone.left.touched) || (on.1 && cone.right.touched) {
                return;
            }
            let (wall, way) = (plane.bend(x, cone.line), to(x, cone.line));
            if way.x * i64::from(down) * wall.x * wall.y > 0 {
                return;
            }
            visit.bend(x, cone.line);
            left.touched |= on.0;
            right.touched |= on.1;
        });
        (cone.left, cone.right) = (left, right);
        // On through the next row, in each run of free tiles. A single ray has touched the walls on
        // both sides, and what it would see is reached over their corners.
        let row = cone.line - i32::from(down < 0);
        if row < 0 || row >= plane.height || cone.left.side(&cone.right) == 0 {
            continue;
        }
        let next = cone.line + down;
        // A run that only touches the cone at the corner of two walls is not among these tiles.
        let (mut tile, last) = (floor(&cone.left), ceil(&cone.right));
        loop {
            tile = plane.next_free(tile, row, last);
            if tile >= last {
                break;
            }
            let (start, end) = plane.run(tile, row);
            let (mut left, mut right) = (cone.left, cone.right);
            let (near, far) = (to(start, cone.line), to(start, next));
            if left.side(&near) < 0 {
                left = Ray { touched: true, ..near };
            }
            let left_near = left;
            if left.side(&far) < 0 {
                left = far;
            }
            let (near, far) = (to(end, cone.line), to(end, next));
            if right.side(&near) > 0 {
                right = Ray { touched: true, ..near };
            }
            if V::TILES {
                let first = -(-middle(&left_near, row)).div_euclid(whole(&left_near)) as i32;
                let last = middle(&right, row).div_euclid(whole(&right)) as i32;
                visit.tiles(first.max(start), (last + 1).min(end), row);
            }
            if right.side(&far) > 0 {
                right = far;
            }
            // A single ray may still reach a corner at the end of the row.
            if left.side(&right) <= 0 {
                cones.0.push(Cone { line: next, left, right });
            }
            tile = end;
        }
    }
}

/// Whether a straight line between two points enters no wall and passes between none.
pub(super) fn sees(plane: &Plane, from: Point, to: Point) -> bool {
    // Downwards, or to the right.
    let (a, b) = if (from.y, from.x) <= (to.y, to.x) { (from, to) } else { (to, from) };
    let height = i64::from(b.y - a.y);
    if height == 0 {
        return sees_along(plane, a, b);
    }
    // Where it crosses a line, as a column and a rest below `whole`: in parts of a tile times its
    // height.
    let whole = height * i64::from(PARTS);
    let divide = |at: i64| (at.div_euclid(whole), at.rem_euclid(whole));
    let slope = i64::from(b.x - a.x);
    let mut above = divide(i64::from(a.x) * height);
    let step = divide(slope * i64::from(PARTS));
    let mut y = a.y;
    loop {
        let row = y.div_euclid(PARTS);
        let next = ((row + 1) * PARTS).min(b.y);
        let below = if next - y == PARTS {
            let rest = above.1 + step.1;
            let carry = i64::from(rest >= whole);
            (above.0 + step.0 + carry, rest - carry * whole)
        } else {
            divide(i64::from(a.x) * height + slope * i64::from(next - a.y))
        };
        let (near, far) = if slope >= 0 { (above, below) } else { (below, above) };
        let (first, end) = (near.0 as i32, far.0 as i32 + i32::from(far.1 > 0));
        if first == end {
            // Straight down between two columns.
            if !plane.is_free(first, row) && !plane.is_free(first - 1, row) {
                return false;
            }
        } else if !plane.are_free(first, end, row) {
            return false;
        }
        if next == b.y {
            return true;
        }
        if below.1 == 0 && plane.is_shut(below.0 as i32, next / PARTS) {
            return false;
        }
        (y, above) = (next, below);
    }
}

fn sees_along(plane: &Plane, a: Point, b: Point) -> bool {
    let (first, end) = (a.x.div_euclid(PARTS), -(-b.x).div_euclid(PARTS));
    let row = a.y.div_euclid(PARTS);
    if a.y % PARTS != 0 {
        return first >= end || plane.are_free(first, end, row);
    }
    let open = |x: i32| plane.is_free(x, row) || plane.is_free(x, row - 1);
    // Corners of tiles strictly between the two.
    let passed = a.x.div_euclid(PARTS) + 1..-(-b.x).div_euclid(PARTS);
    (first..end).all(open) && passed.into_iter().all(|x| !plane.is_shut(x, row))
}
