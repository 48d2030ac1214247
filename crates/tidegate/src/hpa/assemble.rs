//! Putting the parts of clusters into a level: all of them when it is built, those that a
//! change has touched when it is repaired. Either way the level is the same in the end.

use super::build::Part;
use super::level::{Edge, Level};
use super::shape::Layer;
use crate::cost::Cost;
use crate::grid::Tile;

impl Level {
    /// Puts parts in, sorted by cluster, in place of what these clusters had. Returns the
    /// clusters of which the level above may see a difference: in nodes or edges.
    pub(crate) fn replace(&mut self, layer: &Layer, parts: Vec<(u32, Part)>) -> Vec<u32> {
        let mut changed = Vec::new();
        let mut moved: Vec<(u32, Vec<Tile>)> = Vec::new();
        for (cluster, part) in &parts {
            let slots = self.slots(*cluster);
            if self.tile[slots.clone()] != part.tile {
                moved.push((*cluster, self.tile[slots].to_vec()));
            }
            self.place_nodes(*cluster, part);
        }
        let mut edges = EdgeList::default();
        for (cluster, part) in &parts {
            self.list_edges(layer, *cluster, part, &mut edges);
            let renumbered = moved.binary_search_by_key(cluster, |(moved, _)| *moved).is_ok();
            if renumbered || !self.has_edges(*cluster, &edges) {
                self.place_edges(*cluster, &edges);
                changed.push(*cluster);
            }
        }
        for (cluster, old) in &moved {
            for beside in layer.beside(*cluster) {
                if parts.binary_search_by_key(&beside, |(cluster, _)| *cluster).is_err() {
                    self.follow(beside, *cluster, old);
                }
            }
        }
        if let Some(trees) = &mut self.trees {
            for (cluster, part) in parts {
                trees.rows[cluster as usize] = part.rows;
                trees.rows[cluster as usize].shrink_to_fit();
            }
        }
        self.close_gaps();
        changed
    }

    fn place_nodes(&mut self, cluster: u32, part: &Part) {
        let (first, end) = (self.start[cluster as usize], self.start[cluster as usize + 1]);
        assert!(part.tile.len() < (end - first) as usize, "more nodes than a cluster can have");
        self.count[cluster as usize] = part.tile.len() as u32;
        let slots = self.slots(cluster);
        self.tile[slots.clone()].copy_from_slice(&part.tile);
        self.below[slots].copy_from_slice(&part.below);
    }

    /// The edges of a part with the numbers of the nodes they lead to.
    fn list_edges(&self, layer: &Layer, cluster: u32, part: &Part, list: &mut EdgeList) {
        let first = self.start[cluster as usize];
        let (mut intra, mut inter) = (part.intra.iter().peekable(), part.inter.iter().peekable());
        list.edges.clear();
        list.ends.clear();
        for number in 0..part.below.len() as u32 {
            while let Some(&(_, to, cost)) = intra.next_if(|e| e.0 == number) {
                list.edges.push(Edge { to: first + to, cost });
            }
            while let Some(&(_, tile, below, cost)) = inter.next_if(|e| e.0 == number) {
                // Borders look the same from both sides, so the other end exists.
                if let Some(to) = self.find(layer.cluster_of(tile), below) {
                    list.edges.push(Edge { to, cost });
                }
            }
            list.ends.push(list.edges.len() as u32);
        }
    }

    fn has_edges(&self, cluster: u32, list: &EdgeList) -> bool {
        let slots = self.slots(cluster);
        let from = self.edge_start[slots.start];
        let ends = self.edge_start[slots.start + 1..=slots.end].iter().map(|end| end - from);
        let to = self.edge_start[slots.end];
        ends.eq(list.ends.iter().copied()) && self.edges[from as usize..to as usize] == list.edges
    }

    /// Writes the edges of a cluster where its edges were, or at the end if they are more.
    pub(crate) fn place_edges(&mut self, cluster: u32, list: &EdgeList) {
        let slots = self.slots(cluster);
        let (needed, room) = (list.edges.len(), self.edge_room[cluster as usize] as usize);
        if needed > room {
            // Where edges have been before, more may come again.
            let wanted = if room == 0 { needed } else { needed + needed / 4 };
            self.edge_room[cluster as usize] = wanted as u32;
            self.edge_start[slots.start] = self.edges.len() as u32;
            self.edges.resize(self.edges.len() + wanted, Edge { to: 0, cost: Cost::ZERO });
        }
        let from = self.edge_start[slots.start];
        self.edges[from as usize..][..needed].copy_from_slice(&list.edges);
        for (slot, end) in self.edge_start[slots.start + 1..=slots.end].iter_mut().zip(&list.ends) {
            *slot = from + end;
        }
    }

    /// The edges of a cluster that lead into another follow its nodes to their numbers.
    fn follow(&mut self, cluster: u32, moved: u32, old: &[Tile]) {
        let (first, slots) = (self.start[moved as usize], self.slots(moved));
        let from = self.slots(cluster);
        let edges = self.edge_start[from.start] as usize..self.edge_start[from.end] as usize;
        for edge in &mut self.edges[edges] {
            let old = edge.to.checked_sub(first).and_then(|number| old.get(number as usize));
            let now = old.and_then(|old| self.tile[slots.clone()].iter().position(|t| t == old));
            if let Some(now) = now {
                edge.to = first + now as u32;
            }
        }
    }

    /// Moves all edges together once less than half of the room is in use.
    fn close_gaps(&mut self) {
        let room = self.edge_room.iter().map(|&room| room as usize).sum::<usize>();
        if self.edges.len() <= 2 * room {
            return;
        }
        let mut edges = Vec::with_capacity(room);
        for cluster in self.clusters() {
            let slots = self.slots(cluster);
            let (from, first) = (self.edge_start[slots.start] as usize, edges.len() as u32);
            let room = self.edge_room[cluster as usize] as usize;
            edges.extend(&self.edges[from..from + room]);
            let starts = &mut self.edge_start[slots.start..=slots.end];
            starts.iter_mut().for_each(|start| *start = *start - from as u32 + first);
        }
        self.edges = edges;
    }
}

/// The edges of a cluster, node by node, and where those of each node end.
#[derive(Debug, Default)]
pub(crate) struct EdgeList {
    pub(crate) edges: Vec<Edge>,
    pub(crate) ends: Vec<u32>,
}
