//! Exact triangles: corners are integers, so every question has one answer.
//!
//! Lengths are counted in a unit that is a power-of-two fraction of a tile, fine enough
//! that every middle of a side taken by the hierarchy is again an integer. Corners run
//! clockwise on the screen (y grows downwards); every split keeps that.

use std::cmp::Ordering;

/// A point of the plane, in the hierarchy's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// To the right.
    pub x: i64,
    /// Downwards.
    pub y: i64,
}

impl Point {
    /// The point (x, y).
    pub const fn new(x: i64, y: i64) -> Point {
        Point { x, y }
    }

    fn minus(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }

    fn dot(self, other: Point) -> i64 {
        self.x * other.x + self.y * other.y
    }
}

/// Where `point` lies seen along the ray from `from` to `to`: less on its left, equal
/// on its line, greater on its right (on a screen).
pub(super) fn turn(from: Point, to: Point, point: Point) -> Ordering {
    let (ray, way) = (to.minus(from), point.minus(from));
    (ray.x * way.y - ray.y * way.x).cmp(&0)
}

/// A triangle; the first corner is the one that was made last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    corners: [Point; 3],
}

/// How a triangle is cut in two: from the corner opposite its longest side to the
/// middle of that side. Of equally long sides it is the one opposite the newest corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The corner opposite the longest side.
    pub apex: Point,
    /// The middle of the longest side.
    pub middle: Point,
}

impl Cut {
    /// Which half a point of the triangle belongs to, 0 or 1. A point on the cut
    /// itself belongs to half 1.
    pub fn half(&self, point: Point) -> usize {
        usize::from(turn(self.apex, self.middle, point) != Ordering::Less)
    }
}

impl Triangle {
    /// The triangle with these corners, clockwise on the screen, newest first.
    pub(super) const fn new(corners: [Point; 3]) -> Triangle {
        Triangle { corners }
    }

    /// Its corners, clockwise on the screen.
    pub fn corners(&self) -> [Point; 3] {
        self.corners
    }

    /// Twice its area; greater than zero.
    pub fn double_area(&self) -> i64 {
        let [a, b, c] = self.corners;
        let (ab, ac) = (b.minus(a), c.minus(a));
        ab.x * ac.y - ab.y * ac.x
    }

    /// Three times its centroid, which need not be an integer.
    pub fn triple_centroid(&self) -> Point {
        let sum = |of: fn(&Point) -> i64| self.corners.iter().map(of).sum();
        Point::new(sum(|p| p.x), sum(|p| p.y))
    }

    /// The corners turned so that the apex of the cut comes first.
    fn apex_first(&self) -> [Point; 3] {
        let [a, b, c] = self.corners;
        let turned = [[a, b, c], [b, c, a], [c, a, b]];
        let base = |t: &[Point; 3]| t[2].minus(t[1]).dot(t[2].minus(t[1]));
        let longest =
            (1..3).fold(0, |best, i| if base(&turned[i]) > base(&turned[best]) { i } else { best });
        turned[longest]
    }

    /// Where it is cut. The sum of the longest side's ends must be even: the hierarchy
    /// chooses its unit so that it is.
    pub fn cut(&self) -> Cut {
        let [apex, b, c] = self.apex_first();
        Cut { apex, middle: Point::new((b.x + c.x) / 2, (b.y + c.y) / 2) }
    }

    /// The two halves of [`Triangle::cut`], in the order of [`Cut::half`].
    pub fn halves(&self) -> [Triangle; 2] {
        let [apex, b, c] = self.apex_first();
        let middle = self.cut().middle;
        [Triangle::new([middle, apex, b]), Triangle::new([middle, c, apex])]
    }

    /// Whether the borders of two triangles that do not overlap have more than single
    /// points in common.
    pub fn touches(&self, other: &Triangle) -> bool {
        let sides = |t: &Triangle| {
            let [a, b, c] = t.corners;
            [(a, b), (b, c), (c, a)]
        };
        let theirs = sides(other);
        sides(self).iter().any(|&side| theirs.iter().any(|&other| overlap(side, other)))
    }
}

/// Whether two line segments have more than a point in common.
fn overlap((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    if turn(a, b, c).is_ne() || turn(a, b, d).is_ne() {
        return false;
    }
    let along = |p: Point| b.minus(a).dot(p.minus(a));
    let (low, high) = (along(c).min(along(d)), along(c).max(along(d)));
    low.max(0) < high.min(along(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(corners: [(i64, i64); 3]) -> Triangle {
        Triangle::new(corners.map(|(x, y)| Point::new(x, y)))
    }

    #[test]
    fn halves_have_half_the_area_and_touch_each_other() {
        let whole = triangle([(32, 20), (0, 0), (64, 0)]);
        let [left, right] = whole.halves();
        assert_eq!(left.double_area() * 2, whole.double_area());
        assert_eq!(right.double_area() * 2, whole.double_area());
        assert!(left.touches(&right) && right.touches(&left));
        let cut = whole.cut();
        assert_eq!((cut.apex, cut.middle), (Point::new(32, 20), Point::new(32, 0)));
        assert_eq!([0, 31, 32, 33, 64].map(|x| cut.half(Point::new(x, 1))), [0, 0, 1, 1, 1]);
    }

    #[test]
    fn a_t_joint_is_a_border_and_a_common_corner_is_not() {
        let whole = triangle([(32, 32), (0, 0), (64, 0)]);
        let below = triangle([(32, 32), (64, 0), (64, 64)]);
        let [left, right] = below.halves();
        // The long side of `right` lies on half of a side of nothing else here.
        assert!(whole.touches(&left), "the upper half keeps the common diagonal");
        assert!(!whole.touches(&right), "they meet in the centre only");
    }
}
