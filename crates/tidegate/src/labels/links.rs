//! How every tile is connected to the taut corner graph.

use crate::grid::{Grid, Tile};
use crate::hubs::{Gather, Links};
use crate::taut::{CornerBits, CornerGraph, Rules};
use crate::threads;

/// The corners of a map, in row order, before anything is joined.
pub(super) struct Survey<'a> {
    grid: &'a Grid,
    rules: &'a Rules,
    bits: CornerBits,
    pub(super) corners: Vec<(Tile, u8)>,
}

impl<'a> Survey<'a> {
    pub(super) fn new(grid: &'a Grid, rules: &'a Rules) -> Survey<'a> {
        let bits = CornerBits::new(grid, rules);
        let corners = bits.corners();
        Survey { grid, rules, bits, corners }
    }

    /// How many tiles are connected to the corner of this number.
    pub(super) fn connections(&self, corner: usize) -> usize {
        let (tile, pattern) = self.corners[corner];
        let mut count = 0;
        let classes = self.rules.ends(pattern);
        self.bits.each_span(self.rules, tile, classes, |span| count += span.count as usize);
        count
    }

    /// Joins everything; `None` if the number of connections does not fit 32 bits.
    pub(super) fn join(self) -> Option<(CornerGraph, Links)> {
        let Survey { grid, rules, bits, corners } = self;
        let graph = CornerGraph::new(&bits, rules, &corners);
        let size = (grid.width(), grid.height());
        let reached = threads::map(
            corners.len(),
            64,
            || Gather::new(size),
            |gather, n| {
                let (tile, pattern) = corners[n];
                bits.each_span(rules, tile, rules.ends(pattern), |span| {
                    span.tiles().for_each(|tile| gather.add(tile));
                });
                gather.take()
            },
        );
        let links = Links::new(size, &reached)?;
        Some((graph, links))
    }
}
