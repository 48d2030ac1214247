//! Putting the parts of a level together into flat arrays. Parts that were not made again
//! are taken over from the old level with their numbers moved along, so a repaired level
//! is bit by bit the level of a fresh build.

use super::build::Part;
use super::level::{Edge, Level};
use super::shape::Layer;
use super::trees::ClusterTrees;

/// A number that no longer exists.
pub(crate) const GONE: u32 = u32::MAX;

/// The old level and where its own nodes and those below have moved.
pub(crate) struct Old<'a> {
    pub(crate) level: &'a Level,
    /// New number of each old node one level below; `None` at the bottom.
    pub(crate) below: Option<&'a [u32]>,
}

/// The level made of these parts; a part that is `None` is taken from the old level.
/// Also returns the new number of each old node.
pub(crate) fn assemble(
    layer: &Layer,
    parts: &[Option<Part>],
    old: Option<&Old<'_>>,
    keep_ways: bool,
) -> (Level, Vec<u32>) {
    let mut level = Level::default();
    place_nodes(&mut level, parts, old);
    let moved = old.map_or(Vec::new(), |old| moved(&level, parts, old));
    level.edge_start.reserve_exact(level.tile.len() + 1);
    level.edge_start.push(0);
    for (cluster, part) in parts.iter().enumerate() {
        match (part, old) {
            (Some(part), _) => add_edges(&mut level, layer, cluster as u32, part),
            (None, Some(old)) => take_edges(&mut level, cluster as u32, old.level, &moved),
            (None, None) => {}
        }
    }
    if keep_ways {
        level.trees = Some(rows(parts, old));
    }
    // What grew by doubling gives back what it does not use.
    level.edges.shrink_to_fit();
    (level, moved)
}

fn place_nodes(level: &mut Level, parts: &[Option<Part>], old: Option<&Old<'_>>) {
    level.start.reserve_exact(parts.len() + 1);
    level.start.push(0);
    let nodes = |(cluster, part): (usize, &Option<Part>)| match (part, old) {
        (Some(part), _) => part.tile.len(),
        (None, Some(old)) => old.level.cluster(cluster as u32).len(),
        (None, None) => 0,
    };
    let nodes = parts.iter().enumerate().map(nodes).sum();
    level.tile.reserve_exact(nodes);
    level.below.reserve_exact(nodes);
    for (cluster, part) in parts.iter().enumerate() {
        match (part, old) {
            (Some(part), _) => {
                level.below.extend(&part.below);
                level.tile.extend(&part.tile);
            }
            (None, Some(old)) => {
                let nodes = old.level.cluster(cluster as u32);
                let nodes = nodes.start as usize..nodes.end as usize;
                level.tile.extend(&old.level.tile[nodes.clone()]);
                let below = old.level.below[nodes].iter();
                match old.below {
                    None => level.below.extend(below),
                    Some(moved) => level.below.extend(below.map(|&b| moved[b as usize])),
                }
            }
            (None, None) => {}
        }
        level.start.push(level.tile.len() as u32);
    }
}

/// The new number of each old node.
fn moved(level: &Level, parts: &[Option<Part>], old: &Old<'_>) -> Vec<u32> {
    let mut moved = Vec::with_capacity(old.level.tile.len());
    for (cluster, part) in parts.iter().enumerate() {
        let nodes = old.level.cluster(cluster as u32);
        let first = level.start[cluster];
        match part {
            None => moved.extend((0..nodes.end - nodes.start).map(|i| first + i)),
            Some(_) => moved.extend(nodes.map(|node| {
                let below = old.level.below[node as usize];
                let below = old.below.map_or(below, |moved| moved[below as usize]);
                level.find(cluster as u32, below).unwrap_or(GONE)
            })),
        }
    }
    moved
}

fn add_edges(level: &mut Level, layer: &Layer, cluster: u32, part: &Part) {
    let first = level.start[cluster as usize];
    let (mut intra, mut inter) = (part.intra.iter().peekable(), part.inter.iter().peekable());
    for number in 0..part.below.len() as u32 {
        while let Some(&(_, to, cost)) = intra.next_if(|e| e.0 == number) {
            level.edges.push(Edge { to: first + to, cost });
        }
        while let Some(&(_, tile, below, cost)) = inter.next_if(|e| e.0 == number) {
            // Borders look the same from both sides, so the other end exists.
            if let Some(to) = level.find(layer.cluster_of(tile), below) {
                level.edges.push(Edge { to, cost });
            }
        }
        level.edge_start.push(level.edges.len() as u32);
    }
}

fn take_edges(level: &mut Level, cluster: u32, old: &Level, moved: &[u32]) {
    let nodes = old.cluster(cluster);
    let (from, to) = (old.edge_start[nodes.start as usize], old.edge_start[nodes.end as usize]);
    let shift = (level.edges.len() as u32).wrapping_sub(from);
    let edges = &old.edges[from as usize..to as usize];
    level.edges.extend(edges.iter().map(|e| Edge { to: moved[e.to as usize], cost: e.cost }));
    let ends = &old.edge_start[nodes.start as usize + 1..=nodes.end as usize];
    level.edge_start.extend(ends.iter().map(|&end| end.wrapping_add(shift)));
}

fn rows(parts: &[Option<Part>], old: Option<&Old<'_>>) -> ClusterTrees {
    let mut trees = ClusterTrees::default();
    let bytes = |(cluster, part): (usize, &Option<Part>)| match (part, old) {
        (Some(part), _) => part.rows.len(),
        (None, Some(old)) => old.level.trees.as_ref().map_or(0, |t| t.bytes_of(cluster).len()),
        (None, None) => 0,
    };
    trees.bytes.reserve_exact(parts.iter().enumerate().map(bytes).sum());
    trees.start.reserve_exact(parts.len() + 1);
    trees.start.push(0);
    for (cluster, part) in parts.iter().enumerate() {
        match (part, old.and_then(|old| old.level.trees.as_ref())) {
            (Some(part), _) => trees.bytes.extend(&part.rows),
            (None, Some(old)) => trees.bytes.extend(old.bytes_of(cluster)),
            (None, None) => {}
        }
        trees.start.push(trees.bytes.len() as u64);
    }
    trees
}
