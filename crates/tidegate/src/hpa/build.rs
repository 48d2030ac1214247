//! Working out the parts of a level, one cluster at a time. A part depends on its own
//! cluster and the borders around it alone, so parts can be made in any order and on any
//! number of threads, and a repair makes only those that a change has touched.

use std::ops::Range;

use super::Options;
use super::entrance::transitions;
use super::level::{Level, LevelSpace};
use super::reflood::Reflood;
use super::repair::Before;
use super::shape::Shape;
use super::trees::{NO_HOP, NO_STEP, push_hops, push_steps};
use super::window::{SmallScratch, Window};
use crate::cost::{Cost, INFINITY};
use crate::grid::{CellId, Direction, Grid, Tile};
use crate::search::{Blind, HeapQueue, SearchScratch, search};
use crate::threads;

/// What one cluster adds to its level; nodes are numbered from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) below: Vec<u32>,
    pub(crate) tile: Vec<Tile>,
    /// From, to, cost; in order.
    pub(crate) intra: Vec<(u32, u32, Cost)>,
    /// From, where it leads and what that is one level below, cost; by node.
    pub(crate) inter: Vec<(u32, Tile, u32, Cost)>,
    /// Rows of ways, if they are kept.
    pub(crate) rows: Vec<u8>,
}

/// The memory of one thread that builds.
#[derive(Debug, Default)]
pub(crate) struct BuildScratch {
    search: SmallScratch,
    /// Over nodes, which are few and far apart: a heap is faster there than buckets.
    nodes: SearchScratch<Cost, HeapQueue<Cost>>,
    reflood: Reflood,
    /// The ways in the last cluster without walls.
    open: Option<OpenCluster>,
}

/// The ways in a cluster without walls on uniform ground: the same wherever it lies, so on
/// open maps most floods are saved.
#[derive(Debug)]
struct OpenCluster {
    width: u32,
    height: u32,
    /// The nodes, as seen from the corner.
    nodes: Vec<(u32, u32)>,
    costs: Vec<Cost>,
    rows: Vec<u8>,
}

/// The part of a cluster of tiles. What it had before saves work, where it is known and
/// the ground is and was uniform.
pub(crate) fn leaf(
    grid: &Grid,
    shape: &Shape,
    cluster: u32,
    options: &Options,
    before: Option<Before<'_>>,
    scratch: &mut BuildScratch,
) -> Part {
    let cell = |tile: Tile| u32::from(tile.y) * grid.width() + u32::from(tile.x);
    let mut steps = Vec::new();
    transitions(grid, shape, cluster, options.placement, |inside, outside| {
        steps.push((cell(inside), inside, outside));
    });
    // A tile in a corner of the cluster may serve two borders: it stays one node.
    steps.sort_by_key(|&(cell, ..)| cell);
    let mut part = Part::default();
    for (below, inside, outside) in steps {
        if part.below.last() != Some(&below) {
            part.below.push(below);
            part.tile.push(inside);
        }
        let (from, to) = (CellId::from_index(below as usize), cell(outside));
        let (dx, dy) = (delta(inside.x, outside.x), delta(inside.y, outside.y));
        let cost = Direction::from_delta(dx, dy).map_or(INFINITY, |direction| {
            grid.step_cost(from, CellId::from_index(to as usize), direction)
        });
        part.inter.push((part.below.len() as u32 - 1, outside, to, cost));
    }
    let rect = shape.rect(0, cluster);
    let tiles = || (rect.y0..rect.y1).flat_map(|y| (rect.x0..rect.x1).map(move |x| (x, y)));
    let is_free = |(x, y): (u32, u32)| grid.is_free(Tile::new(x as u16, y as u16));
    let open = grid.factors().is_none() && tiles().all(is_free);
    let (width, height) = (rect.width(), rect.height());
    let seen = |t: &Tile| (u32::from(t.x) - rect.x0, u32::from(t.y) - rect.y0);
    let alike = |known: &&OpenCluster| {
        let nodes = known.nodes.iter().copied();
        (known.width, known.height) == (width, height) && nodes.eq(part.tile.iter().map(seen))
    };
    if let Some(known) = scratch.open.as_ref().filter(|_| open).filter(alike) {
        part.rows.extend(&known.rows);
        part.join(&known.costs, options.prune);
        return part;
    }
    let mut costs = Vec::with_capacity(part.tile.len() * part.tile.len());
    let window = Window::new(grid, rect);
    let before = before.and_then(|before| Some((before, before.changed_in(&rect)?)));
    let changed = before.as_ref().map_or(&[][..], |(_, changed)| changed);
    let uniform = grid.factors().is_none();
    if uniform {
        scratch.reflood.begin(grid, rect, changed);
    }
    for i in 0..part.tile.len() {
        let node = part.tile[i];
        if !uniform {
            part.flood(i, &window, tiles(), options.keep_ways, &mut scratch.search, &mut costs);
            continue;
        }
        let reflood = &mut scratch.reflood;
        let old = before.as_ref().and_then(|(before, _)| before.row(node));
        if let Some(old) = old {
            let first = part.rows.len();
            part.rows.extend(old);
            reflood.run(node, old, &mut part.rows[first..]);
        } else {
            reflood.flood(node, options.keep_ways.then_some(&mut part.rows));
        }
        let old = old.unwrap_or_default();
        costs.extend(part.tile.iter().map(|&tile| reflood.cost(tile, old)));
    }
    part.join(&costs, options.prune);
    if open {
        let (nodes, rows) = (part.tile.iter().map(seen).collect(), part.rows.clone());
        scratch.open = Some(OpenCluster { width, height, nodes, costs, rows });
    }
    part
}

/// The part of a cluster of clusters: the nodes below that lead out of it, joined by the
/// best ways over the level below inside it.
pub(crate) fn group(
    lower: &Level,
    children: Range<usize>,
    options: &Options,
    keep_ways: bool,
    scratch: &mut BuildScratch,
) -> Part {
    let scratch = &mut scratch.nodes;
    let mut part = Part::default();
    let nodes = lower.numbers_of(children.clone());
    for node in lower.nodes_of(children.clone()) {
        let mut out = lower.edges(node).iter().filter(|e| !nodes.contains(&e.to)).peekable();
        if out.peek().is_none() {
            continue;
        }
        let number = part.below.len() as u32;
        part.below.push(node);
        part.tile.push(lower.tile[node as usize]);
        part.inter.extend(out.map(|e| (number, lower.tile[e.to as usize], e.to, e.cost)));
    }
    let space = LevelSpace::new(lower, nodes.clone());
    let mut costs = Vec::new();
    for &source in &part.below {
        search(
            &space,
            &[(source - nodes.start, Cost::ZERO)],
            |_| false,
            &mut Blind,
            scratch,
            &mut (),
        );
        let cost = |&n: &u32| scratch.cost(n - nodes.start).unwrap_or(INFINITY);
        costs.extend(part.below.iter().map(cost));
        if keep_ways {
            let hop = |n: u32| scratch.parent(n).map_or(NO_HOP, |p| p as u16);
            let inside = lower.nodes_of(children.clone()).map(|node| node - nodes.start);
            push_hops(&mut part.rows, inside.map(hop));
        }
    }
    part.join(&costs, options.prune);
    part
}

impl Part {
    /// Adds the costs from a node to every node inside the cluster of tiles; writes down
    /// the ways to it, if they are kept.
    fn flood(
        &mut self,
        node: usize,
        window: &Window<'_>,
        tiles: impl Iterator<Item = (u32, u32)>,
        keep_ways: bool,
        scratch: &mut SmallScratch,
        costs: &mut Vec<Cost>,
    ) {
        window.flood(self.tile[node], scratch, &mut ());
        let cost = |&t: &Tile| scratch.cost(window.node(t)).unwrap_or(INFINITY);
        costs.extend(self.tile.iter().map(cost));
        if keep_ways {
            let steps = tiles.map(|(x, y)| {
                let here = Tile::new(x as u16, y as u16);
                let back = scratch.parent(window.node(here)).map(|p| window.tile(p));
                let to = |p: Tile| (delta(here.x, p.x), delta(here.y, p.y));
                let direction = back.and_then(|p| Direction::from_delta(to(p).0, to(p).1));
                direction.map_or(NO_STEP, |d| d as u8)
            });
            push_steps(&mut self.rows, steps);
        }
    }

    /// Adds the intra-edges from the table of all costs, which is the same both ways. With
    /// `prune` an edge is left out if the same cost is reached over a third node: costs are
    /// positive, so by induction over the cost the edges that stay give the same distances.
    fn join(&mut self, costs: &[Cost], prune: bool) {
        let count = self.below.len();
        let row = |i: usize| &costs[i * count..(i + 1) * count];
        for i in 0..count {
            for j in (0..count).filter(|&j| j != i && row(i)[j] < INFINITY) {
                // The two ends themselves always fit; another one makes three. Large clusters
                // have hundreds of nodes, so whole rows are compared, many at a time.
                let (cost, ways) = (row(i)[j], row(i).chunks(64).zip(row(j).chunks(64)));
                let fit = |(a, b): (&Cost, &Cost)| u32::from(*a + *b == cost);
                let mut fits = 0;
                let mut third = ways.filter(|(a, b)| {
                    fits += a.iter().zip(*b).map(fit).sum::<u32>();
                    fits > 2
                });
                if !(prune && third.next().is_some()) {
                    self.intra.push((i as u32, j as u32, cost));
                }
            }
        }
    }
}

fn delta(from: u16, to: u16) -> i32 {
    i32::from(to) - i32::from(from)
}

/// Makes the parts of these clusters, in order, on all cores if allowed and worth it.
pub(crate) fn each<F>(clusters: &[u32], make: F) -> Vec<(u32, Part)>
where
    F: Fn(u32, &mut BuildScratch) -> Part + Sync,
{
    threads::map(clusters.len(), 64, BuildScratch::default, |scratch, i| {
        (clusters[i], make(clusters[i], scratch))
    })
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use crate::grid::Grid;
    use crate::hpa::{Hpa, Options};
    use crate::rng::Rng;

    #[test]
    fn any_number_of_threads_builds_the_same_graph() {
        let mut rng = Rng::new(1);
        let grid = Grid::from_fn(120, 90, Default::default(), |_, _| !rng.chance(25)).unwrap();
        let options = Options { cluster: 6, levels: Some(3), ..Options::default() };
        let build = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Hpa::build(&grid, &options).unwrap())
        };
        let one = build(1);
        assert!((2..=4).all(|threads| build(threads).same_graph(&one)));
    }
}
