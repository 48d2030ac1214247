//! Joining a tile to the graph: costs to the border nodes of its cluster on every level.
//!
//! The graph itself is never touched. An [`Anchor`] is a value of the caller's, and can
//! be kept: many units that walk to one goal insert it once.

use super::level::LevelSpace;
use super::plan::{Halt, Planner, Work};
use super::window::Window;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::search::NodesToCells;
use crate::search::{Blind, End, Observer, search};

/// A tile joined to a graph. It belongs to that graph as it was then: another graph, or
/// the same one after a change of the map, refuses it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    pub(crate) tile: Tile,
    pub(crate) revision: u64,
    /// The cluster that holds the tile, by level.
    pub(crate) cluster: Vec<u32>,
    /// By level: costs to the nodes of that cluster; infinite where no way leads.
    pub(crate) costs: Vec<Vec<Cost>>,
}

impl Anchor {
    /// Bytes held on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let costs = self.costs.iter().map(|costs| 4 * costs.capacity()).sum::<usize>();
        4 * self.cluster.capacity() + size_of::<Vec<Cost>>() * self.costs.capacity() + costs
    }

    /// The tile.
    pub fn tile(&self) -> Tile {
        self.tile
    }
}

impl Planner<'_> {
    /// Joins a tile, writing into an anchor that is reused.
    pub(crate) fn insert(
        &self,
        tile: Tile,
        anchor: &mut Anchor,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let levels = self.hpa.levels.len();
        anchor.tile = tile;
        anchor.revision = self.hpa.revision;
        // Lists of more levels than this graph has are kept for the next one.
        anchor.costs.resize_with(levels.max(anchor.costs.len()), Vec::new);
        anchor.cluster.clear();
        let cluster = |level| self.hpa.shape.layer(level).cluster_of(tile);
        anchor.cluster.extend((0..levels).map(cluster));
        self.insert_below(anchor, work, observer)?;
        for level in 1..levels {
            self.lift(level, anchor, work, observer)?;
        }
        Ok(())
    }

    /// The lowest level: over the kept ways if there are any, else by a flood.
    fn insert_below(
        &self,
        anchor: &mut Anchor,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let (level, cluster) = (&self.hpa.levels[0], anchor.cluster[0]);
        let nodes = level.cluster(cluster);
        let (tile, costs) = (anchor.tile, &mut anchor.costs[0]);
        costs.clear();
        if level.trees.is_some() {
            let mut steps = 0;
            for node in nodes {
                let mut sum = Cost::ZERO;
                let there = self.walk(cluster, node, tile, |_, cost| {
                    (sum, steps) = (sum + cost, steps + 1);
                });
                costs.push(if there { sum } else { INFINITY });
            }
            return work.look(steps, observer);
        }
        let window = Window::new(self.grid, self.hpa.shape.rect(0, cluster));
        let mut lens = NodesToCells { inner: observer, cell: |n| window.cell(n) };
        let (end, stats) = window.flood(tile, &mut work.tiles, &mut lens);
        work.effort.insertion += stats;
        Halt::unless_exhausted(end)?;
        let tiles = &level.tile[level.slots(cluster)];
        let cost = |&t: &Tile| work.tiles.cost(window.node(t)).unwrap_or(INFINITY);
        costs.extend(tiles.iter().map(cost));
        Ok(())
    }

    /// From one level to the next: a flood over the level below inside the cluster.
    fn lift(
        &self,
        level: usize,
        anchor: &mut Anchor,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let (lower, upper) = (&self.hpa.levels[level - 1], &self.hpa.levels[level]);
        let inside = self.hpa.numbers_inside(level, anchor.cluster[level]);
        let space = LevelSpace::new(lower, inside);
        work.set_sources(self.hpa, level - 1, anchor, space.lo);
        let mut lens =
            NodesToCells { inner: observer, cell: |n| self.cell_of(lower, space.lo + n) };
        let (end, stats) =
            search(&space, &work.sources, |_| false, &mut Blind, &mut work.nodes, &mut lens);
        work.effort.insertion += stats;
        Halt::unless_exhausted(end)?;
        let below = &upper.below[upper.slots(anchor.cluster[level])];
        let costs = &mut anchor.costs[level];
        costs.clear();
        let cost = |&n: &u32| work.nodes.cost(n - space.lo).unwrap_or(INFINITY);
        costs.extend(below.iter().map(cost));
        Ok(())
    }
}

impl Halt {
    fn unless_exhausted(end: End<Cost>) -> Result<(), Halt> {
        match end {
            End::Stopped => Err(Halt::Stopped),
            // What is too far for one number is simply not joined; the main search then
            // finds nothing and says so.
            End::Goal(..) | End::Exhausted | End::TooFar => Ok(()),
        }
    }
}
