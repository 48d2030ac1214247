//! A* over the corners at which walks bend, each found when one that sees it is expanded.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::plane::Plane;
use super::point::Point;
use super::scan::{Cones, Look, bends_around, scan, sees};

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

/// The memory of queries: one per thread, for any number of maps.
#[derive(Clone, Debug, Default)]
pub struct AnyAngleScratch {
    cones: Cones,
    nodes: Vec<Node>,
    open: BinaryHeap<Open>,
    /// By corner of tiles: the query that reached it last, and its node.
    reached: Vec<(u32, u32)>,
    query: u32,
    /// Corners that the last query has expanded.
    expanded: u64,
    seen: Vec<(i32, i32)>,
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
            self.seen.capacity() * 8,
        ];
        lists.iter().sum::<usize>() + self.cones.bytes()
    }

    fn begin(&mut self, corners: usize) {
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
    scratch.begin((plane.width + 1) as usize * (plane.height + 1) as usize);
    if sees(plane, start, goal) {
        if start != goal {
            points.push(goal);
        }
        return true;
    }
    // The walk to the goal that is best so far, over this node.
    let mut best = (f64::INFINITY, NONE);
    expand(plane, start, NONE, Look::Around, goal, scratch);
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
        expand(plane, at, node, Look::On { came, wall }, goal, scratch);
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

/// Puts everything that a point sees on the open list.
fn expand(
    plane: &Plane,
    from: Point,
    parent: u32,
    look: Look,
    goal: Point,
    scratch: &mut AnyAngleScratch,
) {
    let AnyAngleScratch { cones, nodes, open, reached, query, seen, .. } = scratch;
    let walked = if parent == NONE { 0.0 } else { nodes[parent as usize].length };
    seen.clear();
    scan(plane, from, look, cones, &mut |column, row| seen.push((column, row)));
    for &(column, row) in seen.iter() {
        let at = Point::corner(column, row);
        let length = walked + from.distance(at);
        let corner = row as usize * (plane.width + 1) as usize + column as usize;
        let (last, mut number) = reached[corner];
        if last != *query {
            number = nodes.len() as u32;
            reached[corner] = (*query, number);
            nodes.push(Node { column, row, length, parent, is_expanded: false });
        } else {
            let node = &mut nodes[number as usize];
            if node.is_expanded || node.length <= length {
                continue;
            }
            (node.length, node.parent) = (length, parent);
        }
        open.push(Open { estimate: length + at.distance(goal), length, node: number });
    }
}
