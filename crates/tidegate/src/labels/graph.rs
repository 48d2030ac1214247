//! The taut corner graph, and how every tile is connected to it.
//!
//! Vertices are corner tiles. Two corners are joined, and a tile is connected to a
//! corner, if they see each other safely and a taut path can turn at the corner ends.
//! A tile that is a corner itself is connected like any other tile: only the far end
//! is asked. Distances in this graph are exact (`docs/taut.md`).

use super::compass::{class, opposite};
use super::corner::{self, Rules};
use super::reach::Runs;
use crate::cost::Cost;
use crate::grid::{Grid, Movement, Tile};
use crate::threads;

/// An edge to another corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) cost: Cost,
}

/// Corners and the safe, taut lines between them.
pub(super) struct CornerGraph {
    pub(super) movement: Movement,
    pub(super) tiles: Vec<Tile>,
    pub(super) patterns: Vec<u8>,
    first: Vec<u32>,
    edges: Vec<Edge>,
}

impl CornerGraph {
    pub(super) fn len(&self) -> usize {
        self.tiles.len()
    }

    #[inline]
    pub(super) fn edges(&self, corner: u32) -> &[Edge] {
        &self.edges[self.first[corner as usize] as usize..self.first[corner as usize + 1] as usize]
    }

    /// The class of the direction from one corner to another.
    #[inline]
    pub(super) fn class_between(&self, from: u32, to: u32) -> usize {
        direction(self.tiles[from as usize], self.tiles[to as usize])
    }

    /// The same graph with corner `order[i]` renamed to `i`.
    pub(super) fn renamed(&self, order: &[u32]) -> CornerGraph {
        let mut name = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            name[old as usize] = new as u32;
        }
        let mut first = vec![0];
        let mut edges = Vec::with_capacity(self.edges.len());
        for &old in order {
            let renamed = |e: &Edge| Edge { to: name[e.to as usize], cost: e.cost };
            let begin = edges.len();
            edges.extend(self.edges(old).iter().map(renamed));
            edges[begin..].sort_unstable_by_key(|e| e.to);
            first.push(edges.len() as u32);
        }
        CornerGraph {
            movement: self.movement,
            tiles: order.iter().map(|&o| self.tiles[o as usize]).collect(),
            patterns: order.iter().map(|&o| self.patterns[o as usize]).collect(),
            first,
            edges,
        }
    }
}

/// The class of the direction from one tile to another.
#[inline]
pub(super) fn direction(from: Tile, to: Tile) -> usize {
    class(i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}

/// For every tile, the corners it is connected to.
pub(super) struct Links {
    first: Vec<u32>,
    corners: Vec<u32>,
}

impl Links {
    /// The corners that the tile in this place of row order may go to first.
    #[inline]
    pub(super) fn of(&self, cell: usize) -> &[u32] {
        &self.corners[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// The same connections with corner `order[i]` renamed to `i`.
    pub(super) fn rename(&mut self, order: &[u32]) {
        let mut name = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            name[old as usize] = new as u32;
        }
        self.corners.iter_mut().for_each(|c| *c = name[*c as usize]);
        for cell in self.first.windows(2) {
            self.corners[cell[0] as usize..cell[1] as usize].sort_unstable();
        }
    }
}

/// The corners of a map, in row order, before anything is joined.
pub(super) struct Survey<'a> {
    grid: &'a Grid,
    rules: &'a Rules,
    runs: Runs<'a>,
    pub(super) corners: Vec<(Tile, u8)>,
}

impl<'a> Survey<'a> {
    pub(super) fn new(grid: &'a Grid, rules: &'a Rules) -> Survey<'a> {
        let runs = Runs::new(grid, rules);
        Survey { grid, rules, runs, corners: corner::corners(grid, rules) }
    }

    /// How many tiles are connected to the corner of this number.
    pub(super) fn connections(&self, corner: usize) -> usize {
        let (tile, pattern) = self.corners[corner];
        let mut count = 0;
        self.runs.each(tile, self.rules.ends(pattern), |_| count += 1);
        count
    }

    /// Joins everything; `None` if the number of connections does not fit 32 bits.
    pub(super) fn join(self) -> Option<(CornerGraph, Links)> {
        let Survey { grid, rules, runs, corners } = self;
        let mut number = vec![u32::MAX; grid.tiles()];
        let cell_of = |t: Tile| usize::from(t.y) * grid.width() as usize + usize::from(t.x);
        for (n, &(tile, _)) in corners.iter().enumerate() {
            number[cell_of(tile)] = n as u32;
        }
        let reached: Vec<Vec<u32>> = threads::map(
            corners.len(),
            64,
            || (),
            |(), n| {
                let (tile, pattern) = corners[n];
                let mut cells = Vec::new();
                runs.each(tile, rules.ends(pattern), |t| cells.push(cell_of(t) as u32));
                cells
            },
        );
        u32::try_from(reached.iter().map(Vec::len).sum::<usize>()).ok()?;
        let mut graph = CornerGraph {
            movement: rules.movement,
            tiles: corners.iter().map(|&(t, _)| t).collect(),
            patterns: corners.iter().map(|&(_, p)| p).collect(),
            first: vec![0],
            edges: Vec::new(),
        };
        let mut first = vec![0_u32; grid.tiles() + 1];
        for (n, cells) in reached.iter().enumerate() {
            let (tile, _) = corners[n];
            for &cell in cells {
                first[cell as usize + 1] += 1;
                let to = number[cell as usize];
                if to == u32::MAX {
                    continue;
                }
                let (other, pattern) = corners[to as usize];
                if rules.ends(pattern) >> opposite(direction(tile, other)) & 1 != 0 {
                    let cost = rules.movement.estimate(tile, other);
                    graph.edges.push(Edge { to, cost });
                }
            }
            graph.first.push(graph.edges.len() as u32);
        }
        for cell in 0..grid.tiles() {
            first[cell + 1] += first[cell];
        }
        let mut next = first.clone();
        let mut linked = vec![0_u32; first[grid.tiles()] as usize];
        for (n, cells) in reached.iter().enumerate() {
            for &cell in cells {
                linked[next[cell as usize] as usize] = n as u32;
                next[cell as usize] += 1;
            }
        }
        Some((graph, Links { first, corners: linked }))
    }
}
