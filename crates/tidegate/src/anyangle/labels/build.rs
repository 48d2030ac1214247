//! Building labels for walks at any angle.

use super::super::AnyAngle;
use super::AngleLabels;
use super::blocks::{Source, stored};
use super::graph::{BendGraph, SPAN_BITS, Span};
use crate::cost::LIMIT;
use crate::grid::{Grid, Tile};
use crate::hubs::{
    self, BlockSource, CornerLabels, Estimate, HubStore, Joined, Links, MAX_CORNERS, MAX_ROWS,
    Stop, TooLarge, blocks,
};
use crate::labels::{LabelOptions, LabelsError, MAX_TREE_ENTRIES, WORKING};

/// The most bits below the point that lengths have in blocks.
pub(super) const MOST_BITS: u32 = 20;

/// Walks at any angle.
struct Walks;

impl Joined for Walks {
    type Graph = BendGraph;
    // Each corner sees more others than paths of steps go to, so that fewer take as long.
    const WINDOW: f64 = 0.25;

    fn corners(&self, grid: &Grid) -> Vec<Tile> {
        let bends = AnyAngle::new(grid).plane.bends();
        bends.into_iter().map(|(x, y)| Tile::new(x as u16, y as u16)).collect()
    }

    fn join(&self, grid: &Grid) -> Option<(BendGraph, Links)> {
        BendGraph::new(&AnyAngle::new(grid).plane)
    }

    fn renamed(graph: BendGraph, order: &[u32]) -> BendGraph {
        graph.renamed(order)
    }

    fn length(graph: &BendGraph, tile: Tile, corner: u32) -> Span {
        graph.approach(tile, corner)
    }

    fn source<'a>(
        &'a self,
        grid: &'a Grid,
        graph: &'a BendGraph,
        links: &'a Links,
        labels: &'a CornerLabels<Span>,
    ) -> Option<impl BlockSource> {
        let bits = bits(grid, labels.radius, MOST_BITS)?;
        Some(Source::new(grid, graph, links, labels, bits))
    }
}

impl AngleLabels {
    /// Builds the labels of a map; its rule of movement does not matter, nor what tiles cost.
    pub fn build(grid: &Grid, options: &LabelOptions) -> Result<AngleLabels, LabelsError> {
        AngleLabels::build_with(grid, options, MOST_BITS)
    }

    /// The same with at most so many bits below the point.
    pub(super) fn build_with(
        grid: &Grid,
        options: &LabelOptions,
        most: u32,
    ) -> Result<AngleLabels, LabelsError> {
        if grid.height() >= MAX_ROWS {
            return Err(LabelsError::Rows(grid.height()));
        }
        let budget = options.budget_bytes;
        let too_large = |estimate: u64| LabelsError::TooLarge { estimate, budget };
        let ahead = Estimate::ahead(grid, &Walks, (options.effort, options.seed));
        ahead.map_or(Ok(()), |ahead| options.refuse(&ahead))?;
        let angle = AnyAngle::new(grid);
        let corners = angle.plane.bends().len();
        if corners >= MAX_CORNERS {
            return Err(LabelsError::TooManyCorners { most: MAX_CORNERS as u64 });
        }
        // Eight bytes for each connection, while labels are built.
        let connections = 8 * BendGraph::connections(&angle.plane);
        if connections > WORKING.saturating_mul(budget) {
            return Err(LabelsError::TooManyConnections { connections, budget });
        }
        let (graph, mut links) =
            BendGraph::new(&angle.plane).ok_or(LabelsError::TooManyCorners { most: 1 << 32 })?;
        let length = |tile, corner| graph.approach(tile, corner);
        let order = hubs::order(&graph, &links, length, (options.effort, options.seed));
        let graph = graph.renamed(&order);
        links.rename(&order);
        let limit = (budget / 4).min(MAX_TREE_ENTRIES);
        let labels = hubs::label(&graph, limit as usize).map_err(|stop| match stop {
            Stop::Long => LabelsError::TooLong,
            Stop::Many => too_large(4 * (limit + 1)),
        })?;
        let bits = bits(grid, labels.radius, most).ok_or(LabelsError::TooLong)?;
        let source = Source::new(grid, &graph, &links, &labels, bits);
        let besides = angle.bytes() + labels.trees.bytes() + 4 * corners;
        let growth = options.fit(&source, besides as u64)?;
        let size = (grid.width(), grid.height());
        let made = blocks(&source, growth);
        drop(source);
        // Blocks are written again, in fewer bits: what they were made from goes before.
        drop((graph, links, labels.labels));
        let hubs = HubStore::join(size, made, labels.trees, budget);
        let hubs = hubs.map_err(|why| match why {
            TooLarge::Bytes(bytes) => too_large(bytes),
            TooLarge::Block => too_large(budget.saturating_mul(2)),
        })?;
        Ok(AngleLabels { hubs, angle, bits, lists: Default::default() })
    }
}

/// How many bits below the point lengths may have: as many as leave room for every sum.
fn bits(grid: &Grid, radius: Span, most: u32) -> Option<u32> {
    (1..=most).rev().find(|&bits| {
        let most =
            u64::from(stored(radius, bits)) + u64::from(reach(grid.width(), grid.height(), bits));
        radius.0 >> (SPAN_BITS - bits) < u64::from(u32::MAX) && 2 * most <= u64::from(LIMIT)
    })
}

/// The longest straight line, as blocks keep it.
pub(super) fn reach(width: u32, height: u32, bits: u32) -> u32 {
    (f64::from(width).hypot(f64::from(height)) * f64::from(1_u32 << bits)).ceil() as u32 + 1
}
