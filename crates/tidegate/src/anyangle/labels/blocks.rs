//! Blocks of labels for walks at any angle: what they are made from.

use super::super::plane::Bend;
use super::super::point::{Point, Way};
use super::graph::{BendGraph, SPAN_BITS, Span, point};
use crate::grid::{Grid, Tile};
use crate::hubs::{BlockSource, CornerLabels, Entry, HubGraph, Links};

/// A length as blocks keep it, with so many bits below the point.
#[inline]
pub(super) fn stored(span: Span, bits: u32) -> u32 {
    let below = SPAN_BITS - bits;
    ((span.0 + (1 << (below - 1))) >> below) as u32
}

/// The entries of a corner by the direction in which a walk goes on to the hub.
struct Fan {
    at: Point,
    wall: Bend,
    /// The corner as its own hub; then, on both sides of the wall, those furthest around it first. Each is the
    /// corner that a walk goes on to, and the place of the entry in the label.
    entries: Box<[(Tile, u32)]>,
    /// Where the two sides begin.
    sides: [u32; 2],
}

impl Fan {
    /// Which side a direction belongs to, and by which sign turns lead around the wall there.
    fn side(wall: Bend, way: Way) -> Option<(usize, i64)> {
        let around = wall.x * wall.y;
        if way.x * wall.x >= 0 && way.y * wall.y <= 0 {
            Some((0, around))
        } else if way.x * wall.x <= 0 && way.y * wall.y >= 0 {
            Some((1, -around))
        } else {
            None
        }
    }

    fn new(corner: u32, graph: &BendGraph, labels: &CornerLabels<Span>) -> Fan {
        let (wall, at) = (graph.walls[corner as usize], point(graph.place(corner)));
        let mut lists = [const { Vec::new() }; 3];
        for (n, entry) in (0..).zip(&labels.labels[corner as usize]) {
            let next = labels.trees.above(entry.position);
            let side = next.and_then(|next| Fan::side(wall, at.to(point(next))));
            let list = side.map_or(0, |(side, _)| 1 + side);
            lists[list].push((next.unwrap_or_default(), n));
        }
        let [own, mut one, mut other] = lists;
        for (side, sign) in [(&mut one, 1), (&mut other, -1)] {
            let sign = sign * wall.x * wall.y;
            let way = |&(next, _): &(Tile, u32)| at.to(point(next));
            side.sort_by(|a, b| (sign * way(a).cross(way(b))).cmp(&0));
        }
        let sides = [own.len() as u32, (own.len() + one.len()) as u32];
        Fan { at, wall, entries: [own, one, other].concat().into(), sides }
    }

    /// The corner as its own hub.
    fn own(&self) -> &[(Tile, u32)] {
        &self.entries[..self.sides[0] as usize]
    }

    /// Those to which a walk that came like this may go on around the wall, or nearly straight on: a turn
    /// the wrong way is always longer, but where it is slight rounding may not know.
    fn prefix(&self, side: usize, sign: i64, came: Way) -> &[(Tile, u32)] {
        let size = |way: Way| way.x.abs().max(way.y.abs()) as f64;
        let [first, second] = self.sides.map(|begin| begin as usize);
        let list = if side == 0 { &self.entries[first..second] } else { &self.entries[second..] };
        let end = list.partition_point(|&(next, _)| {
            let on = self.at.to(point(next));
            (sign * came.cross(on)) as f64 >= -1e-4 * size(came) * size(on)
        });
        &list[..end]
    }
}

/// Everything that blocks are made from.
pub(super) struct Source<'a> {
    grid: &'a Grid,
    graph: &'a BendGraph,
    links: &'a Links,
    labels: &'a CornerLabels<Span>,
    fans: Vec<Fan>,
    bits: u32,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        grid: &'a Grid,
        graph: &'a BendGraph,
        links: &'a Links,
        labels: &'a CornerLabels<Span>,
        bits: u32,
    ) -> Source<'a> {
        let fans = (0..graph.len() as u32).map(|corner| Fan::new(corner, graph, labels)).collect();
        Source { grid, graph, links, labels, fans, bits }
    }
}

impl BlockSource for Source<'_> {
    type Length = Span;
    type Arrival = ();
    type Departure = ();

    fn grid(&self) -> &Grid {
        self.grid
    }

    fn links(&self) -> &Links {
        self.links
    }

    fn labels(&self) -> &CornerLabels<Span> {
        self.labels
    }

    fn approach(&self, tile: Tile, corner: u32) -> (Span, ()) {
        (self.graph.approach(tile, corner), ())
    }

    fn either((): (), (): ()) {}

    fn no_arrival(&self) {}

    /// Those that the tile sees furthest around the wall for which most lie ahead.
    fn entries(
        &self,
        corner: u32,
        tiles: impl Iterator<Item = Tile>,
    ) -> impl Iterator<Item = &Entry<Span>> {
        let fan = &self.fans[corner as usize];
        let label = &self.labels.labels[corner as usize];
        let mut first: [Option<(Way, i64)>; 2] = [None; 2];
        for tile in tiles {
            let came = Point::from(tile).to(fan.at);
            let Some((side, sign)) = Fan::side(fan.wall, came) else { continue };
            if first[side].is_none_or(|(other, _)| sign * came.cross(other) > 0) {
                first[side] = Some((came, sign));
            }
        }
        let ahead = first.into_iter().enumerate().flat_map(move |(side, first)| {
            first.map_or(&[][..], |(came, sign)| fan.prefix(side, sign, came))
        });
        fan.own().iter().chain(ahead).map(|&(_, n)| &label[n as usize])
    }

    fn departure(&self, _: u32, _: &Entry<Span>) {}

    /// What is not ahead of a tile is longer for it, and something else is chosen.
    #[inline]
    fn may_turn((): (), (): ()) -> bool {
        true
    }

    #[inline]
    fn stored(&self, length: Span) -> u32 {
        stored(length, self.bits)
    }
}
