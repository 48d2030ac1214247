//! A* over the corners at which walks bend, each found when one that sees it is expanded.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::plane::Plane;
use super::point::Point;
use super::scan::{Cones, bends_around, scan, scan_from_bend, sees};

const NONE: u32 = u32::MAX;

/// A corner that a walk has reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    column: i32,
    row: i32,
    length: f64,
    /// Where the walk came from; none: from the start.
    parent: u32,
    is_expanded: bool,
}

/// A node on the open list; the goal has no number.
#[derive(Clone, Copy, Debug)]
struct Open {
    estimate: f64,
    length: f64,
    node: u32,
}

impl Ord for Open {
    /// The least estimate is the greatest; then the longest walk, then the node found first.
    fn cmp(&self, other: &Open) -> Ordering {
        let estimates = other.estimate.total_cmp(&self.estimate);
        let lengths = self.length.total_cmp(&other.length);
        estimates.then(lengths).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// A corner that another sees, and how far it is there.
#[derive(Clone, Copy, Debug)]
struct Line {
    column: u16,
    row: u16,
    number: u32,
    length: f64,
}

/// What corners see, as far as searches on one map have come.
#[derive(Clone, Debug, Default)]
struct Views {
    /// Of which map.
    stamp: u64,
    /// By corner, where its lines begin and end; nowhere if it was not asked yet.
    places: Vec<(u32, u32)>,
    lines: Vec<Line>,
}

/// So many lines are remembered at most: 64 MB.
const MOST_LINES: usize = 1 << 22;

impl Views {
    /// Forgets what was seen on another map.
    fn begin(&mut self, plane: &Plane) {
        if self.stamp != plane.stamp() || self.lines.len() > MOST_LINES {
            self.stamp = plane.stamp();
            self.lines.clear();
            self.places.clear();
            self.places.resize(plane.bend_count(), (NONE, NONE));
        }
    }

    /// The lines from a corner on which a shortest walk may go on.
    fn of(&mut self, plane: &Plane, column: i32, row: i32, cones: &mut Cones) -> &[Line] {
        let (mut first, mut end) = self.places[plane.rank(column, row)];
        if first == NONE {
            first = self.lines.len() as u32;
            let (from, lines) = (Point::corner(column, row), &mut self.lines);
            scan_from_bend(plane, (column, row), cones, &mut |column, row| {
                lines.push(Line::new(plane, from, column, row));
            });
            end = self.lines.len() as u32;
            self.places[plane.rank(column, row)] = (first, end);
        }
        &self.lines[first as usize..end as usize]
    }
}

impl Line {
    fn new(plane: &Plane, from: Point, column: i32, row: i32) -> Line {
        Line {
            column: column as u16,
            row: row as u16,
            number: plane.rank(column, row) as u32,
            length: from.distance(Point::corner(column, row)),
        }
    }

    fn end(&self) -> Point {
        Point::corner(self.column.into(), self.row.into())
    }
}

/// The memory of queries: one per thread, for any number of maps. It also remembers what corners see,
/// so that later queries on the same map are quicker.
#[derive(Clone, Debug, Default)]
pub struct AnyAngleScratch {
    cones: Cones,
    nodes: Vec<Node>,
    open: BinaryHeap<Open>,
    /// By corner: the query that reached it last, and its node.
    reached: Vec<(u32, u32)>,
    query: u32,
    /// Corners that the last query has expanded.
    expanded: u64,
    views: Views,
    /// What the start sees.
    first: Vec<Line>,
}

impl AnyAngleScratch {
    /// Empty; it grows to what is asked.
    pub fn new() -> AnyAngleScratch {
        AnyAngleScratch::default()
    }

    /// How many corners the last query has expanded.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let lists = [
            self.nodes.capacity() * size_of::<Node>(),
            self.open.capacity() * size_of::<Open>(),
            self.reached.capacity() * 8,
            self.views.places.capacity() * 8,
            (self.views.lines.capacity() + self.first.capacity()) * size_of::<Line>(),
        ];
        lists.iter().sum::<usize>() + self.cones.bytes()
    }

    fn begin(&mut self, plane: &Plane) {
        let corners = plane.bend_count();
        self.views.begin(plane);
        if self.reached.len() != corners || self.query == u32::MAX {
            self.reached.clear();
            self.reached.resize(corners, (0, 0));
            self.query = 0;
        }
        self.query += 1;
        self.nodes.clear();
        self.open.clear();
        self.expanded = 0;
    }
}

/// Finds the shortest walk and writes its points; false if there is none.
pub(super) fn find(
    plane: &Plane,
    start: Point,
    goal: Point,
    scratch: &mut AnyAngleScratch,
    points: &mut Vec<Point>,
) -> bool {
    points.clear();
    points.push(start);
    scratch.expanded = 0;
    if sees(plane, start, goal) {
        if start != goal {
            points.push(goal);
        }
        return true;
    }
    scratch.begin(plane);
    // The walk to the goal that is best so far, over this node.
    let mut best = (f64::INFINITY, NONE);
    let AnyAngleScratch { cones, first, .. } = scratch;
    first.clear();
    scan(plane, start, cones, &mut |column, row| {
        first.push(Line::new(plane, start, column, row));
    });
    for n in 0..scratch.first.len() {
        let line = scratch.first[n];
        scratch.reach(line, 0.0, NONE, goal);
    }
    while let Some(Open { estimate, length, node }) = scratch.open.pop() {
        if estimate >= best.0 {
            break;
        }
        let Node { column, row, is_expanded, parent, length: known } = scratch.nodes[node as usize];
        if is_expanded || length > known {
            continue;
        }
        scratch.nodes[node as usize].is_expanded = true;
        scratch.expanded += 1;
        let at = Point::corner(column, row);
        let before = match parent {
            NONE => start,
            parent => place(&scratch.nodes[parent as usize]),
        };
        let (came, wall) = (before.to(at), plane.bend(column, row));
        let whole = length + at.distance(goal);
        if whole < best.0 && bends_around(came, wall, at.to(goal)) && sees(plane, at, goal) {
            best = (whole, node);
        }
        let AnyAngleScratch { views, cones, first, .. } = scratch;
        let around = |line: &&Line| bends_around(came, wall, at.to(line.end()));
        first.clear();
        first.extend(views.of(plane, column, row, cones).iter().filter(around));
        for n in 0..scratch.first.len() {
            let line = scratch.first[n];
            scratch.reach(line, length, node, goal);
        }
    }
    if best.1 == NONE {
        return false;
    }
    let first = points.len();
    let mut node = best.1;
    while node != NONE {
        let Node { parent, .. } = scratch.nodes[node as usize];
        points.push(place(&scratch.nodes[node as usize]));
        node = parent;
    }
    points[first..].reverse();
    if points.last() != Some(&goal) {
        points.push(goal);
    }
    true
}

fn place(node: &Node) -> Point {
    Point::corner(node.column, node.row)
}

impl AnyAngleScratch {
    /// Takes note of a walk that goes on along a line.
    #[inline]
    fn reach(&mut self, line: Line, walked: f64, parent: u32, goal: Point) {
        let length = walked + line.length;
        let (last, mut number) = self.reached[line.number as usize];
        if last != self.query {
            number = self.nodes.len() as u32;
            self.reached[line.number as usize] = (self.query, number);
            let (column, row) = (line.column.into(), line.row.into());
            self.nodes.push(Node { column, row, length, parent, is_expanded: false });
        } else {
            let node = &mut self.nodes[number as usize];
            if node.is_expanded || node.length <= length {
                return;
            }
            (node.length, node.parent) = (length, parent);
        }
        let estimate = length + line.end().distance(goal);
        self.open.push(Open { estimate, length, node: number });
    }
}
