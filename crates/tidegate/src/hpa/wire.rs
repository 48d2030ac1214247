//! The graph as a section of the index file: flat arrays, checked before use.
#![warn(clippy::arithmetic_side_effects)]

use super::level::{Edge, Level};
use super::shape::Shape;
use super::{Hpa, Options, new_revision};
use crate::artifact::{Reader, WireError, Writer};
use crate::grid::{Grid, Tile};

impl Hpa {
    /// Writes the levels, only what is in use of them; options, shape and the numbers of
    /// the clusters follow from the engine and the map.
    pub(crate) fn write(&self, out: &mut Writer) {
        for level in &self.levels {
            let nodes = || level.clusters().flat_map(|cluster| level.cluster(cluster));
            let listed = |of: &dyn Fn(u32) -> u32| nodes().map(of).collect::<Vec<u32>>();
            out.u32s(&level.count);
            out.u32s(&listed(&|node| {
                let tile = level.tile[node as usize];
                u32::from(tile.y) << 16 | u32::from(tile.x)
            }));
            out.u32s(&listed(&|node| level.below[node as usize]));
            out.u32s(&listed(&|node| level.edges(node).len() as u32));
            let edges = nodes().flat_map(|node| level.edges(node));
            out.u32s(&edges.flat_map(|e| [e.to, e.cost]).collect::<Vec<_>>());
            for rows in level.trees.iter().flat_map(|trees| &trees.rows) {
                out.u64(rows.len() as u64);
                out.raw(rows);
            }
        }
    }

    /// Reads the graph of a map by these options and checks it.
    pub(crate) fn read(
        from: &mut Reader<'_>,
        grid: &Grid,
        options: &Options,
    ) -> Result<Hpa, WireError> {
        let shape = Shape::new(grid, options.cluster, options.factor, options.levels_for(grid));
        let levels = Vec::with_capacity(shape.levels());
        let (revision, uniform) = (new_revision(), grid.factors().is_none());
        let mut hpa = Hpa { options: *options, shape, levels, revision, uniform };
        for level in 0..hpa.shape.levels() {
            let level = read_level(from, hpa.empty_level(level))?;
            hpa.levels.push(level);
        }
        hpa.check(grid).map_err(|error| WireError::meaning(error.to_string()))?;
        Ok(hpa)
    }
}

/// Fills a level that has no nodes yet.
fn read_level(from: &mut Reader<'_>, mut level: Level) -> Result<Level, WireError> {
    let count = from.u32s("clusters")?;
    let tiles = from.u32s("nodes")?;
    let below = from.u32s("nodes below")?;
    let lengths = from.u32s("edge counts")?;
    let edges = from.u32s("edges")?;
    let wrong = || WireError::meaning("nodes and edges do not fit their clusters");
    let sum = |numbers: &[u32]| numbers.iter().map(|&n| u64::from(n)).sum::<u64>();
    let fits = count.len() == level.count.len()
        && sum(&count) == tiles.len() as u64
        && (tiles.len(), tiles.len()) == (below.len(), lengths.len())
        && sum(&lengths).saturating_mul(2) == edges.len() as u64;
    if !fits {
        return Err(wrong());
    }
    level.edges.reserve_exact(edges.len() / 2);
    let place = |place: u32| Tile::new(place as u16, (place >> 16) as u16);
    let mut nodes = tiles.into_iter().map(place).zip(below).zip(lengths);
    let mut edges = edges.chunks_exact(2).map(|e| Edge { to: e[0], cost: e[1] });
    for (cluster, count) in (0..).zip(count) {
        let slots = level.numbers_of(cluster..cluster.saturating_add(1));
        if count >= slots.end.saturating_sub(slots.start) {
            return Err(wrong());
        }
        level.count[cluster] = count;
        let first = level.edges.len() as u32;
        for slot in slots.start as usize..level.cluster(cluster as u32).end as usize {
            let ((tile, below), length) = nodes.next().ok_or_else(wrong)?;
            (level.tile[slot], level.below[slot]) = (tile, below);
            level.edge_start[slot] = level.edges.len() as u32;
            level.edges.extend(edges.by_ref().take(length as usize));
        }
        let (end, after) = (level.edges.len() as u32, level.slots(cluster as u32).end);
        level.edge_start[after] = end;
        level.edge_room[cluster] = end.saturating_sub(first);
    }
    for rows in level.trees.iter_mut().flat_map(|trees| &mut trees.rows) {
        let count = from.count(1, "ways")?;
        *rows = from.raw(count, "ways")?.to_vec();
    }
    Ok(level)
}
