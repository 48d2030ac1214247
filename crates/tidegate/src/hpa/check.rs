//! Whether a graph can be what it claims to be: for graphs that come from a file.

use super::Hpa;
use super::level::Level;
use crate::cost::{INFINITY, LIMIT};
use crate::grid::Grid;

/// What is wrong with a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {level} of the graph is damaged: {what}")]
pub struct GraphError {
    /// The level, counted from 1.
    pub level: usize,
    /// What was found.
    pub what: String,
}

impl Hpa {
    /// Checks that all arrays fit together and fit the map, so that no query can leave
    /// them: every node stands on a free tile of its own cluster and is what it claims to
    /// be one level below; every edge leads to a node, costs at least the estimate, and
    /// has its like in the other direction; every step between clusters is legal.
    pub fn check(&self, grid: &Grid) -> Result<(), GraphError> {
        for level in 0..self.levels.len() {
            let told = |what| GraphError { level: level + 1, what };
            self.check_arrays(level).map_err(told)?;
            self.check_nodes(grid, level).map_err(told)?;
            self.check_edges(grid, level).map_err(told)?;
        }
        Ok(())
    }

    fn check_arrays(&self, index: usize) -> Result<(), String> {
        let level = &self.levels[index];
        let (clusters, nodes) = (self.shape.layer(index).clusters(), level.tile.len());
        let same = |what: &str, found: usize, wanted: usize| {
            let fits = found == wanted;
            fits.then_some(()).ok_or_else(|| format!("{found} {what}, not {wanted}"))
        };
        same("cluster starts", level.start.len(), clusters + 1)?;
        same("nodes below", level.below.len(), nodes)?;
        same("edge starts", level.edge_start.len(), nodes + 1)?;
        rises("cluster starts", level.start.iter().map(|&s| s.into()), nodes as u64)?;
        let edges = level.edges.len() as u64;
        rises("edge starts", level.edge_start.iter().map(|&s| s.into()), edges)?;
        same("levels with ways", level.trees.is_some().into(), self.keeps_ways(index).into())?;
        let Some(trees) = &level.trees else { return Ok(()) };
        same("row starts", trees.start.len(), clusters + 1)?;
        rises("row starts", trees.start.iter().copied(), trees.bytes.len() as u64)?;
        for cluster in 0..clusters as u32 {
            let found = trees.start[cluster as usize + 1] - trees.start[cluster as usize];
            let nodes = level.cluster(cluster);
            let wanted = u64::from(nodes.end - nodes.start) * self.row_bytes(index, cluster);
            same("bytes of ways", found as usize, wanted as usize)?;
        }
        Ok(())
    }

    /// Bytes of a row of ways in a cluster.
    fn row_bytes(&self, level: usize, cluster: u32) -> u64 {
        if level == 0 {
            let rect = self.shape.rect(0, cluster);
            (u64::from(rect.width()) * u64::from(rect.height())).div_ceil(2)
        } else {
            let inside = self.nodes_inside(level, cluster);
            2 * u64::from(inside.end - inside.start)
        }
    }

    fn check_nodes(&self, grid: &Grid, index: usize) -> Result<(), String> {
        let (level, layer) = (&self.levels[index], self.shape.layer(index));
        for cluster in 0..layer.clusters() as u32 {
            let nodes = level.cluster(cluster);
            for node in nodes.clone() {
                let (tile, below) = (level.tile[node as usize], level.below[node as usize]);
                let inside = grid.is_free(tile) && layer.cluster_of(tile) == cluster;
                let known = if index == 0 {
                    grid.cell(tile).is_some_and(|cell| cell.index() == below as usize)
                } else {
                    let inside = self.nodes_inside(index, cluster);
                    inside.contains(&below) && self.levels[index - 1].tile[below as usize] == tile
                };
                let ordered = node == nodes.start || level.below[node as usize - 1] < below;
                if !(inside && known && ordered) {
                    return Err(format!("node {node} at {tile} does not belong there"));
                }
            }
        }
        Ok(())
    }

    fn check_edges(&self, grid: &Grid, index: usize) -> Result<(), String> {
        let (level, layer) = (&self.levels[index], self.shape.layer(index));
        for node in 0..level.nodes() {
            let tile = level.tile[node as usize];
            for edge in level.edges(node) {
                let wrong = |what| Err(format!("edge from node {node} to {}: {what}", edge.to));
                let Some(&other) = level.tile.get(edge.to as usize) else {
                    return wrong("no such node");
                };
                let least = grid.movement().estimate(tile, other);
                if !(least..=LIMIT).contains(&edge.cost) || edge.to == node {
                    return wrong("impossible cost");
                }
                let between = layer.cluster_of(tile) != layer.cluster_of(other);
                if between && !grid.is_legal_step(tile, other) {
                    return wrong("not a legal step");
                }
                if back(level, edge.to, node) != edge.cost {
                    return wrong("not the same both ways");
                }
            }
        }
        Ok(())
    }
}

/// The cost of the edge between two nodes.
fn back(level: &Level, from: u32, to: u32) -> u32 {
    level.edges(from).iter().find(|e| e.to == to).map_or(INFINITY, |e| e.cost)
}

/// Checks that numbers start at 0, never fall and end at `end`.
fn rises(what: &str, numbers: impl Iterator<Item = u64>, end: u64) -> Result<(), String> {
    let (mut last, mut first) = (0, true);
    for number in numbers {
        if number < last || (first && number != 0) {
            return Err(format!("the {what} are out of order"));
        }
        (last, first) = (number, false);
    }
    if last == end { Ok(()) } else { Err(format!("the {what} end at {last}, not {end}")) }
}
