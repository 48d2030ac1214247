//! Blocks of labels for walks at any angle: what they are made from.

use super::super::plane::Bend;
use super::super::point::Way;
use super::super::scan::bends_around;
use super::graph::{BendGraph, SPAN_BITS, Span, point};
use crate::grid::{Grid, Tile};
use crate::hubs::{BlockSource, CornerLabels, Entry, HubGraph, Links};

/// A length as blocks keep it, with so many bits below the point.
#[inline]
pub(super) fn stored(span: Span, bits: u32) -> u32 {
    let below = SPAN_BITS - bits;
    ((span.0 + (1 << (below - 1))) >> below) as u32
}

/// Everything that blocks are made from.
pub(super) struct Source<'a> {
    pub(super) grid: &'a Grid,
    pub(super) graph: &'a BendGraph,
    pub(super) links: &'a Links,
    pub(super) labels: &'a CornerLabels<Span>,
    pub(super) bits: u32,
}

impl BlockSource for Source<'_> {
    type Length = Span;
    type Arrival = Way;
    /// The wall of the via and the way on; none where the via is the hub.
    type Departure = Option<(Bend, Way)>;

    fn grid(&self) -> &Grid {
        self.grid
    }

    fn links(&self) -> &Links {
        self.links
    }

    fn labels(&self) -> &CornerLabels<Span> {
        self.labels
    }

    fn place(&self, corner: u32) -> Tile {
        self.graph.place(corner)
    }

    fn approach(&self, tile: Tile, corner: u32) -> (Span, Way) {
        self.graph.approach(tile, corner)
    }

    fn no_arrival(&self) -> Way {
        Way { x: 0, y: 0 }
    }

    fn departure(&self, corner: u32, entry: &Entry<Span>) -> Option<(Bend, Way)> {
        let next = self.labels.trees.above(entry.position)?;
        let way = point(self.place(corner)).to(point(next));
        Some((self.graph.walls[corner as usize], way))
    }

    #[inline]
    fn may_turn(came: Way, departure: Option<(Bend, Way)>) -> bool {
        let Some((wall, on)) = departure else { return true };
        bends_around(came, wall, on) || is_nearly_straight(came, on)
    }

    #[inline]
    fn stored(&self, length: Span) -> u32 {
        stored(length, self.bits)
    }
}

/// Whether a turn makes a walk longer by less than lengths are exact: a turn the wrong way is always
/// longer, but then rounding may not know.
#[inline]
fn is_nearly_straight(came: Way, on: Way) -> bool {
    let cross = came.cross(on) as f64;
    // What is cut off is about cross^2 / (2 a b (a + b)), a and b being the lengths of both lines.
    let longest = (came.x.abs() + came.y.abs()).max(on.x.abs() + on.y.abs()) as f64;
    came.x * on.x + came.y * on.y > 0 && cross * cross <= 1e-6 * longest * longest * longest
}
