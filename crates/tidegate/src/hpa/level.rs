//! One level of the abstract graph: flat arrays, and the space that searches run in.
//!
//! Nodes are numbered by cluster, within a cluster by what they stand for one level
//! below, so equal maps give equal numbers. The edges of a node are its intra-edges
//! (ways inside its cluster) in order of their ends, then its inter-edges (one step into
//! a neighbouring cluster). Every edge can be walked both ways at the same cost.

use std::ops::Range;

use crate::cost::{Cost, INFINITY};
use crate::grid::{Movement, Tile};
use crate::search::Space;

use super::trees::ClusterTrees;

/// A step on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) cost: Cost,
}

/// The graph of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Level {
    /// First node of each cluster, and the end.
    pub(crate) start: Vec<u32>,
    /// Where each node stands.
    pub(crate) tile: Vec<Tile>,
    /// What each node is one level below: its cell at the bottom, else a node.
    pub(crate) below: Vec<u32>,
    /// First edge of each node, and the end.
    pub(crate) edge_start: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
    /// The ways behind the intra-edges, if they are kept.
    pub(crate) trees: Option<ClusterTrees>,
}

impl Level {
    pub(crate) fn nodes(&self) -> u32 {
        self.tile.len() as u32
    }

    /// The nodes of a run of clusters.
    #[inline]
    pub(crate) fn nodes_of(&self, clusters: Range<usize>) -> Range<u32> {
        self.start[clusters.start]..self.start[clusters.end]
    }

    /// The nodes of one cluster.
    #[inline]
    pub(crate) fn cluster(&self, cluster: u32) -> Range<u32> {
        self.nodes_of(cluster as usize..cluster as usize + 1)
    }

    /// The edges that leave a node.
    #[inline]
    pub(crate) fn edges(&self, node: u32) -> &[Edge] {
        let (from, to) = (self.edge_start[node as usize], self.edge_start[node as usize + 1]);
        &self.edges[from as usize..to as usize]
    }

    /// The node of a cluster that stands for this one below.
    pub(crate) fn find(&self, cluster: u32, below: u32) -> Option<u32> {
        let nodes = self.cluster(cluster);
        let slice = &self.below[nodes.start as usize..nodes.end as usize];
        slice.binary_search(&below).ok().map(|i| nodes.start + i as u32)
    }

    /// Bytes held on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let nodes = self.tile.capacity() + self.below.capacity() + self.edge_start.capacity();
        4 * (self.start.capacity() + nodes)
            + 8 * self.edges.capacity()
            + self.trees.as_ref().map_or(0, ClusterTrees::bytes)
    }
}

/// The end of a search on a level: a node of its own, joined to the nodes of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    /// The first node it is joined to.
    pub(crate) first: u32,
    /// Costs from it to the node and those that follow; infinite where no way leads.
    pub(crate) costs: &'a [Cost],
}

/// The nodes of a level from `lo` to `hi`, numbered from 0, and one more for the target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelSpace<'a> {
    pub(crate) level: &'a Level,
    pub(crate) lo: u32,
    pub(crate) hi: u32,
    pub(crate) target: Option<Target<'a>>,
}

impl<'a> LevelSpace<'a> {
    pub(crate) fn new(level: &'a Level, nodes: Range<u32>) -> LevelSpace<'a> {
        LevelSpace { level, lo: nodes.start, hi: nodes.end, target: None }
    }

    pub(crate) fn with_target(self, target: Target<'a>) -> LevelSpace<'a> {
        LevelSpace { target: Some(target), ..self }
    }

    /// The number of the target.
    #[inline]
    pub(crate) fn goal(&self) -> u32 {
        self.hi - self.lo
    }

    /// The estimate towards a tile; the target is that tile.
    #[inline]
    pub(crate) fn estimate(
        &self,
        movement: Movement,
        goal: Tile,
    ) -> impl FnMut(u32) -> Option<Cost> + use<'a> {
        let (tiles, lo) = (&self.level.tile[self.lo as usize..self.hi as usize], self.lo);
        debug_assert!(lo as usize + tiles.len() == self.hi as usize);
        move |node| {
            Some(tiles.get(node as usize).map_or(Cost::ZERO, |&t| movement.estimate(t, goal)))
        }
    }
}

impl Space for LevelSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        (self.hi - self.lo) as usize + 1
    }

    #[inline]
    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        let node = node + self.lo;
        for edge in self.level.edges(node) {
            // One comparison for both ends of the range.
            let next = edge.to.wrapping_sub(self.lo);
            if next < self.hi - self.lo {
                visit(next, edge.cost);
            }
        }
        if let Some(target) = self.target {
            let cost = target.costs.get(node.wrapping_sub(target.first) as usize);
            if let Some(&cost) = cost.filter(|&&cost| cost < INFINITY) {
                visit(self.goal(), cost);
            }
        }
    }
}
