//! The graph of corners at which shortest walks bend, with exact sums of lengths.

use super::super::plane::{Bend, Plane};
use super::super::point::Point;
use super::super::scan::{Cones, Seen, scan_from_bend};
use crate::grid::Tile;
use crate::hubs::{Gather, HubGraph, Length, Links};
use crate::taut::{Edge, Edges};
use crate::threads;

/// A length in 2^-40 of a tile. Each line is rounded once, so sums do not depend on their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Span(pub(super) u64);

/// Bits of a [`Span`] below the point.
pub(super) const SPAN_BITS: u32 = 40;

impl Span {
    /// Of the straight line between two points.
    #[inline]
    pub(super) fn between(from: Point, to: Point) -> Span {
        Span((from.distance(to) * (1_u64 << SPAN_BITS) as f64).round() as u64)
    }
}

impl Length for Span {
    const ZERO: Span = Span(0);
    const INFINITY: Span = Span(1 << 62);
    const LIMIT: Span = Span(1 << 61);
    type Key = u128;

    #[inline]
    fn plus(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }

    #[inline]
    fn key(self, corner: u32) -> u128 {
        u128::from(self.0) << 32 | u128::from(corner)
    }

    #[inline]
    fn of_key(key: u128) -> (Span, u32) {
        (Span((key >> 32) as u64), key as u32)
    }
}

/// Corners whose connections are sampled.
const SAMPLES: usize = 256;

/// A corner as a point; corners are kept as the tiles to their lower right.
#[inline]
pub(super) fn point(corner: Tile) -> Point {
    Point::corner(i32::from(corner.x), i32::from(corner.y))
}

/// Corners and the lines between them at whose both ends a shortest walk may bend.
pub(super) struct BendGraph {
    corners: Vec<Tile>,
    pub(super) walls: Vec<Bend>,
    edges: Edges<Span>,
}

/// What a corner sees.
struct View<'a> {
    bends: Vec<(i32, i32)>,
    gather: &'a mut Gather,
}

/// How many tiles it sees.
struct Count(u64);

impl Seen for Count {
    const TILES: bool = true;

    fn bend(&mut self, _: i32, _: i32) {}

    fn tiles(&mut self, first: i32, end: i32, _: i32) {
        self.0 += (end - first).max(0) as u64;
    }
}

impl Seen for View<'_> {
    const TILES: bool = true;

    fn bend(&mut self, column: i32, row: i32) {
        self.bends.push((column, row));
    }

    fn tiles(&mut self, first: i32, end: i32, row: i32) {
        if first < end {
            self.gather.add_run((first as u16, end as u16), row as u16);
        }
    }
}

impl BendGraph {
    /// About how many connections there are between tiles and corners, from samples.
    pub(super) fn connections(plane: &Plane) -> u64 {
        let corners = plane.bends();
        let step = corners.len().div_ceil(SAMPLES).max(1);
        let sampled: Vec<(i32, i32)> = corners.into_iter().step_by(step).collect();
        let counts = threads::map(sampled.len(), 256, Cones::default, |cones, n| {
            let mut seen = Count(0);
            scan_from_bend(plane, sampled[n], cones, &mut seen);
            seen.0
        });
        counts.iter().sum::<u64>() * step as u64
    }

    /// Of a map, and the corners that its tiles may go to first; `None` if these are more than 32
    /// bits can count.
    pub(super) fn new(plane: &Plane) -> Option<(BendGraph, Links)> {
        let corners = plane.bends();
        let across = plane.width as usize + 1;
        let mut number = vec![u32::MAX; across * (plane.height as usize + 1)];
        for (n, &(column, row)) in corners.iter().enumerate() {
            number[row as usize * across + column as usize] = n as u32;
        }
        let size = (plane.width as u32, plane.height as u32);
        let space = || (Cones::default(), Gather::new(size));
        let views = threads::map(corners.len(), 256, space, |(cones, gather), n| {
            let mut view = View { bends: Vec::new(), gather };
            scan_from_bend(plane, corners[n], cones, &mut view);
            let from = Point::corner(corners[n].0, corners[n].1);
            let edge = |&(column, row): &(i32, i32)| Edge {
                to: number[row as usize * across + column as usize],
                cost: Span::between(from, Point::corner(column, row)),
            };
            (view.bends.iter().map(edge).collect::<Vec<_>>(), view.gather.take())
        });
        let (edges, reached): (Vec<_>, Vec<_>) = views.into_iter().unzip();
        let links = Links::new(size, &reached)?;
        let graph = BendGraph {
            corners: corners.iter().map(|&(x, y)| Tile::new(x as u16, y as u16)).collect(),
            walls: corners.iter().map(|&(x, y)| plane.bend(x, y)).collect(),
            edges: Edges::new(edges),
        };
        Some((graph, links))
    }

    /// The same with corner `order[i]` renamed to `i`.
    pub(super) fn renamed(&self, order: &[u32]) -> BendGraph {
        BendGraph {
            corners: order.iter().map(|&old| self.corners[old as usize]).collect(),
            walls: order.iter().map(|&old| self.walls[old as usize]).collect(),
            edges: self.edges.renamed(order),
        }
    }

    /// How far it is from a tile's centre to a corner that it sees.
    #[inline]
    pub(super) fn approach(&self, tile: Tile, corner: u32) -> Span {
        Span::between(tile.into(), point(self.place(corner)))
    }
}

impl HubGraph for BendGraph {
    type Length = Span;

    fn len(&self) -> usize {
        self.corners.len()
    }

    #[inline]
    fn edges(&self, corner: u32) -> &[Edge<Span>] {
        self.edges.of(corner)
    }

    #[inline]
    fn place(&self, corner: u32) -> Tile {
        self.corners[corner as usize]
    }

    /// Nothing: the tree of a hub has the one first edge.
    fn first_edge(&self, _: u32, _: u32) -> u16 {
        0
    }

    fn first_edges(&self, _: u16) -> u16 {
        0
    }
}
