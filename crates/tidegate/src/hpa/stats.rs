//! How much work an answer was, told apart as the paper does, and how large a graph is.

use std::ops::ControlFlow;

use super::Hpa;
use crate::cost::Cost;
use crate::search::{Observer, Stats};

/// The work behind one path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Joining start and goal to the graph (the paper's SG).
    pub insertion: Stats,
    /// Finding the abstract path, direct searches between near ends included.
    pub main: Stats,
    /// Turning the abstract path into tiles.
    pub refinement: Stats,
    /// Searches that shorten the path afterwards. Straight lines are no searches; they
    /// count against a budget, one for every 64 tiles looked at.
    pub smoothing: Stats,
}

impl Effort {
    /// Everything together.
    pub fn total(&self) -> Stats {
        let mut sum = self.insertion;
        sum += self.main;
        sum += self.refinement;
        sum += self.smoothing;
        sum
    }
}

/// Size of one level, counted as in table 2 of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelSize {
    /// Clusters.
    pub clusters: usize,
    /// Nodes on this level.
    pub nodes: usize,
    /// Pairs of nodes joined by a step between clusters.
    pub inter_edges: usize,
    /// Pairs of nodes joined by a way inside their cluster.
    pub intra_edges: usize,
}

impl Hpa {
    /// The sizes of all levels, the lowest first. A node that rises to a higher level is
    /// counted on every level it is on.
    pub fn sizes(&self) -> Vec<LevelSize> {
        let size = |level: usize| {
            let (layer, level) = (self.shape.layer(level), &self.levels[level]);
            let clusters = layer.clusters();
            let (mut inter, mut all) = (0, 0);
            for cluster in 0..clusters as u32 {
                let nodes = level.cluster(cluster);
                let edges = nodes.clone().flat_map(|node| level.edges(node));
                all += edges.clone().count();
                inter += edges.filter(|e| !nodes.contains(&e.to)).count();
            }
            LevelSize {
                clusters,
                nodes: level.nodes() as usize,
                inter_edges: inter / 2,
                intra_edges: (all - inter) / 2,
            }
        };
        (0..self.levels.len()).map(size).collect()
    }
}

/// The mean length of the open list, as in table 3 of the paper: over the expansions of a
/// search, then over the searches. A node that got cheaper is one entry, not two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenMeter {
    /// Number of the search in which a node was last put on the list; 0 once expanded.
    listed: Vec<u32>,
    search: u32,
    open: u64,
    sum: u64,
    expansions: u64,
    /// Means of the searches before this one.
    means: f64,
}

impl OpenMeter {
    /// The mean over everything watched; 0 if there was nothing.
    pub fn mean(&self) -> f64 {
        (self.means + self.current()) / f64::from(self.search.max(1))
    }

    fn current(&self) -> f64 {
        self.sum as f64 / self.expansions.max(1) as f64
    }
}

impl Observer<Cost> for OpenMeter {
    fn generate(&mut self, node: u32, parent: u32, _: Cost, _: Cost) {
        // Sources come before the first expansion, so one after it begins a new search.
        let first = parent == crate::search::NO_PARENT;
        if first && (self.expansions > 0 || self.search == 0) {
            self.means += self.current();
            (self.open, self.sum, self.expansions) = (0, 0, 0);
            self.search += 1;
        }
        let node = node as usize;
        if self.listed.len() <= node {
            self.listed.resize(node + 1, 0);
        }
        self.open += u64::from(self.listed[node] != self.search);
        self.listed[node] = self.search;
    }

    fn expand(&mut self, node: u32, _: Cost, _: Cost) -> ControlFlow<()> {
        self.sum += self.open;
        self.expansions += 1;
        self.open = self.open.saturating_sub(1);
        if let Some(listed) = self.listed.get_mut(node as usize) {
            *listed = 0;
        }
        ControlFlow::Continue(())
    }
}
