//! One level of the abstract graph: flat arrays, and the space that searches run in.
//!
//! Every cluster has a range of node numbers, as many as it can ever need: the ranges
//! follow from the size of the map and the options, and a change of the map inside one
//! cluster moves no number of another. Within its range a cluster's nodes are numbered
//! from the first number on, in the order of what they stand for one level below, so equal
//! maps give equal numbers. The edges of a node are its intra-edges
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Level {
    /// First number of each cluster, and the end. Every range has one number more than
    /// the cluster can have nodes.
    pub(crate) start: Vec<u32>,
    /// Nodes of each cluster.
    pub(crate) count: Vec<u32>,
    /// Where each node stands.
    pub(crate) tile: Vec<Tile>,
    /// What each node is one level below: its cell at the bottom, else a node.
    pub(crate) below: Vec<u32>,
    /// The place of each node among those of the cluster of the next level around it.
    pub(crate) place: Vec<u16>,
    /// First edge of each node; the number after a cluster's last node has the end.
    pub(crate) edge_start: Vec<u32>,
    /// Those of a cluster lie together; between the clusters there may be gaps.
    pub(crate) edges: Vec<Edge>,
    /// By cluster: how many edges fit where its edges are.
    pub(crate) edge_room: Vec<u32>,
    /// The ways behind the intra-edges, if they are kept.
    pub(crate) trees: Option<ClusterTrees>,
}

impl Level {
    /// A level without nodes whose clusters have these ranges of numbers.
    pub(crate) fn new(start: Vec<u32>, keep_ways: bool) -> Level {
        let clusters = start.len() - 1;
        let numbers = start[clusters] as usize;
        Level {
            start,
            count: vec![0; clusters],
            tile: vec![Tile::default(); numbers],
            below: vec![0; numbers],
            place: vec![0; numbers],
            edge_start: vec![0; numbers],
            edges: Vec::new(),
            edge_room: vec![0; clusters],
            trees: keep_ways.then(|| ClusterTrees { rows: vec![Vec::new(); clusters] }),
        }
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> u32 {
        self.count.iter().sum()
    }

    /// How many numbers there are, those that are no node included.
    pub(crate) fn numbers(&self) -> u32 {
        self.tile.len() as u32
    }

    /// The numbers of a run of clusters.
    #[inline]
    pub(crate) fn numbers_of(&self, clusters: Range<usize>) -> Range<u32> {
        self.start[clusters.start]..self.start[clusters.end]
    }

    /// The nodes of one cluster.
    #[inline]
    pub(crate) fn cluster(&self, cluster: u32) -> Range<u32> {
        let first = self.start[cluster as usize];
        first..first + self.count[cluster as usize]
    }

    /// The nodes of one cluster as a range of the arrays.
    pub(crate) fn slots(&self, cluster: u32) -> Range<usize> {
        let nodes = self.cluster(cluster);
        nodes.start as usize..nodes.end as usize
    }

    /// The nodes of a run of clusters.
    pub(crate) fn nodes_of(&self, clusters: Range<usize>) -> impl Iterator<Item = u32> + use<'_> {
        clusters.flat_map(|cluster| self.cluster(cluster as u32))
    }

    /// Counts the nodes of a cluster of the next level, which holds these.
    pub(crate) fn set_places(&mut self, clusters: Range<usize>) {
        let mut place = 0;
        for cluster in clusters {
            for slot in self.slots(cluster as u32) {
                // More than two bytes hold are counted only where no ways are kept.
                self.place[slot] = place as u16;
                place += 1;
            }
        }
    }

    /// The clusters of this level.
    pub(crate) fn clusters(&self) -> Range<u32> {
        0..self.count.len() as u32
    }

    /// Whether a number is a node.
    pub(crate) fn is_node(&self, number: u32) -> bool {
        let after = self.start.partition_point(|&start| start <= number);
        after > 0 && after <= self.count.len() && self.cluster(after as u32 - 1).contains(&number)
    }

    /// The edges that leave a node.
    #[inline]
    pub(crate) fn edges(&self, node: u32) -> &[Edge] {
        let (from, to) = (self.edge_start[node as usize], self.edge_start[node as usize + 1]);
        &self.edges[from as usize..to as usize]
    }

    /// The node of a cluster that stands for this one below.
    pub(crate) fn find(&self, cluster: u32, below: u32) -> Option<u32> {
        let slots = self.slots(cluster);
        let found = self.below[slots.clone()].binary_search(&below).ok();
        found.map(|i| (slots.start + i) as u32)
    }

    /// Bytes held on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let nodes = self.tile.capacity() + self.below.capacity() + self.edge_start.capacity();
        let clusters = self.start.capacity() + self.count.capacity() + self.edge_room.capacity();
        4 * (clusters + nodes)
            + 2 * self.place.capacity()
            + 8 * self.edges.capacity()
            + self.trees.as_ref().map_or(0, ClusterTrees::bytes)
    }
}

/// Equal in every node, number, edge and kept way; where edges lie does not matter.
impl PartialEq for Level {
    fn eq(&self, other: &Level) -> bool {
        let alike = |cluster: u32| {
            let slots = self.slots(cluster);
            self.tile[slots.clone()] == other.tile[slots.clone()]
                && self.below[slots.clone()] == other.below[slots]
                && self.cluster(cluster).all(|node| self.edges(node) == other.edges(node))
        };
        (&self.start, &self.count, &self.trees) == (&other.start, &other.count, &other.trees)
            && self.clusters().all(alike)
    }
}

impl Eq for Level {}

/// The end of a search on a level: a node of its own, joined to the nodes of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    /// The first node it is joined to.
    pub(crate) first: u32,
    /// Costs from it to the node and those that follow; infinite where no way leads.
    pub(crate) costs: &'a [Cost],
}

/// The numbers of a level from `lo` to `hi`, counted from 0, and one more for the target.
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
