//! Blocks of labels for paths of steps: what they are made from.

use crate::cost::Cost;
use crate::grid::{Grid, Tile};
use crate::hubs::{BlockSource, CornerLabels, Entry, HubGraph, Links};
use crate::taut::{CornerGraph, Edge, Rules, direction};

impl HubGraph for CornerGraph {
    type Length = Cost;

    fn len(&self) -> usize {
        self.tiles.len()
    }

    #[inline]
    fn edges(&self, corner: u32) -> &[Edge] {
        self.edges(corner)
    }

    #[inline]
    fn place(&self, corner: u32) -> Tile {
        self.tiles[corner as usize]
    }

    /// Its class.
    #[inline]
    fn first_edge(&self, from: u32, to: u32) -> u16 {
        1 << self.class_between(from, to)
    }

    fn first_edges(&self, all: u16) -> u16 {
        (self.first_edges)(all)
    }
}

/// Everything that blocks are made from.
pub(super) struct Source<'a> {
    pub(super) grid: &'a Grid,
    pub(super) rules: &'a Rules,
    pub(super) graph: &'a CornerGraph,
    pub(super) links: &'a Links,
    pub(super) labels: &'a CornerLabels<Cost>,
}

/// A class that every tile may go on in.
const ANY: u32 = 1 << 16;

impl BlockSource for Source<'_> {
    type Length = Cost;
    /// The classes in which a path from the tile may go on, and [`ANY`].
    type Arrival = u32;
    /// The classes of the first edges after the via, or [`ANY`] if the via is the hub: nothing
    /// follows that one would have to turn into.
    type Departure = u32;

    fn grid(&self) -> &Grid {
        self.grid
    }

    fn links(&self) -> &Links {
        self.links
    }

    fn labels(&self) -> &CornerLabels<Cost> {
        self.labels
    }

    #[inline]
    fn approach(&self, tile: Tile, corner: u32) -> (Cost, u32) {
        let (to, pattern) = (self.graph.place(corner), self.graph.patterns[corner as usize]);
        let classes = self.rules.departures(pattern, direction(tile, to));
        (self.graph.movement.estimate(tile, to), ANY | u32::from(classes))
    }

    fn either(a: u32, b: u32) -> u32 {
        a | b
    }

    fn no_arrival(&self) -> u32 {
        ANY
    }

    #[inline]
    fn departure(&self, corner: u32, entry: &Entry<Cost>) -> u32 {
        if entry.hub == corner { ANY } else { u32::from(entry.first) }
    }

    #[inline]
    fn may_turn(arrival: u32, departure: u32) -> bool {
        arrival & departure != 0
    }

    #[inline]
    fn stored(&self, cost: Cost) -> u32 {
        cost.get()
    }
}
