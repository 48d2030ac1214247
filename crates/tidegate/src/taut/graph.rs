//! The taut corner graph, and how every tile is connected to it.
//!
//! Vertices are corner tiles. Two corners are joined, and a tile is connected to a
//! corner, if they see each other safely and a taut path can turn at the corner ends.
//! A tile that is a corner itself is connected like any other tile: only the far end
//! is asked. Distances in this graph are exact (`docs/taut.md`).

use super::compass::{class, opposite};
use super::corner::Rules;
use super::edges::{Edge, Edges};
use super::scan::CornerBits;
use crate::cost::Cost;
use crate::grid::{Movement, Tile};
use crate::threads;

/// Corners and the safe, taut lines between them.
pub(crate) struct CornerGraph {
    pub(crate) movement: Movement,
    pub(crate) tiles: Vec<Tile>,
    pub(crate) patterns: Vec<u8>,
    pub(crate) first_edges: fn(u16) -> u16,
    edges: Edges<Cost>,
}

impl CornerGraph {
    /// Joins these corners of a map, all that it has, in this order.
    pub(crate) fn new(bits: &CornerBits, rules: &Rules, corners: &[(Tile, u8)]) -> CornerGraph {
        let numbers = Numbers::new(corners);
        let joined = threads::map(
            corners.len(),
            64,
            || (),
            |(), n| {
                let (tile, pattern) = corners[n];
                let mut edges = Vec::new();
                bits.each_span(rules, tile, rules.ends(pattern), |span| {
                    bits.each_corner(span, |other| {
                        let to = numbers.of(other);
                        let ends = rules.ends(corners[to as usize].1);
                        if ends >> opposite(direction(tile, other)) & 1 != 0 {
                            edges.push(Edge { to, cost: rules.movement.estimate(tile, other) });
                        }
                    });
                });
                edges
            },
        );
        CornerGraph {
            movement: rules.movement,
            tiles: corners.iter().map(|&(tile, _)| tile).collect(),
            patterns: corners.iter().map(|&(_, pattern)| pattern).collect(),
            first_edges: rules.first_edges,
            edges: Edges::new(joined),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.tiles.len()
    }

    #[inline]
    pub(crate) fn edges(&self, corner: u32) -> &[Edge] {
        self.edges.of(corner)
    }

    /// How far it is from a tile to a corner that it is connected to.
    #[inline]
    pub(crate) fn to_corner(&self, tile: Tile, corner: u32) -> Cost {
        self.movement.estimate(tile, self.tiles[corner as usize])
    }

    /// The class of the direction from one corner to another.
    #[inline]
    pub(crate) fn class_between(&self, from: u32, to: u32) -> usize {
        direction(self.tiles[from as usize], self.tiles[to as usize])
    }

    /// The same graph with corner `order[i]` renamed to `i`.
    pub(crate) fn renamed(&self, order: &[u32]) -> CornerGraph {
        CornerGraph {
            movement: self.movement,
            tiles: order.iter().map(|&o| self.tiles[o as usize]).collect(),
            patterns: order.iter().map(|&o| self.patterns[o as usize]).collect(),
            first_edges: self.first_edges,
            edges: self.edges.renamed(order),
        }
    }
}

/// The class of the direction from one tile to another.
#[inline]
pub(crate) fn direction(from: Tile, to: Tile) -> usize {
    class(i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}

/// The numbers of corners by their tiles.
struct Numbers {
    /// By row, where its corners begin; each with its column.
    first: Vec<u32>,
    columns: Vec<(u16, u32)>,
}

impl Numbers {
    fn new(corners: &[(Tile, u8)]) -> Numbers {
        let rows = corners.iter().map(|(tile, _)| usize::from(tile.y) + 1).max().unwrap_or(0);
        let mut sorted: Vec<(Tile, u32)> = (0..).zip(corners).map(|(n, c)| (c.0, n)).collect();
        sorted.sort_unstable_by_key(|(tile, _)| (tile.y, tile.x));
        let mut first = vec![0; rows + 1];
        sorted.iter().for_each(|(tile, _)| first[usize::from(tile.y) + 1] += 1);
        (0..rows).for_each(|row| first[row + 1] += first[row]);
        Numbers { first, columns: sorted.into_iter().map(|(tile, n)| (tile.x, n)).collect() }
    }

    /// The number of the corner on a tile.
    fn of(&self, tile: Tile) -> u32 {
        let row = usize::from(tile.y);
        let row = &self.columns[self.first[row] as usize..self.first[row + 1] as usize];
        let found = row.binary_search_by_key(&tile.x, |&(x, _)| x);
        row[found.expect("every corner has a number")].1
    }
}
