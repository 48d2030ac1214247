//! From an abstract path to tiles, piece by piece: a piece is refined only when asked
//! for, so a unit can set out before the rest of its way is known.

use super::insert::Anchor;
use super::level::{LevelSpace, Target};
use super::plan::{Halt, Planner, Route, Work};
use super::shape::Rect;
use super::trees::{self, NO_HOP};
use crate::cost::Cost;
use crate::grid::Tile;
use crate::search::NodesToCells;
use crate::search::{End, Observer, search};

/// A stretch of an abstract path that is still to be refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// From start to goal over the tiles of a window.
    Direct(Rect),
    /// From the start to a node of its cluster.
    Out { level: usize, node: u32 },
    /// Over an edge.
    Over { level: usize, from: u32, to: u32 },
    /// From a node of its cluster to the goal.
    In { level: usize, node: u32 },
}

/// The two ends of a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends<'a> {
    pub(crate) start: &'a Anchor,
    pub(crate) goal: &'a Anchor,
}

impl Planner<'_> {
    /// Puts the stretches of a route on a stack, the first on top.
    pub(crate) fn unroll(&self, route: &Route, stack: &mut Vec<Stretch>) {
        stack.clear();
        match (route.level, route.window) {
            (Some(level), _) => chain(level, &route.nodes, true, true, stack),
            (None, Some(rect)) => stack.push(Stretch::Direct(rect)),
            (None, None) => {}
        }
    }

    /// Refines the next piece and adds its tiles, without the one it begins at.
    /// `false` if nothing is left.
    pub(crate) fn refine_next(
        &self,
        ends: Ends<'_>,
        stack: &mut Vec<Stretch>,
        work: &mut Work,
        tiles: &mut Vec<Tile>,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<bool, Halt> {
        while let Some(stretch) = stack.pop() {
            match stretch {
                Stretch::Direct(rect) => {
                    let (start, goal) = (ends.start.tile, ends.goal.tile);
                    self.search_tiles(rect, start, goal, work, tiles, observer)?;
                }
                Stretch::Out { level: 0, node } => {
                    self.cross_to(ends.start.tile, node, work, tiles, observer)?;
                }
                Stretch::In { level: 0, node } => {
                    self.cross_from(node, ends.goal.tile, work, tiles, observer)?;
                }
                Stretch::Over { level, from, to } => {
                    let graph = &self.hpa.levels[level];
                    let (a, b) = (graph.tile[from as usize], graph.tile[to as usize]);
                    let layer = self.hpa.shape.layer(level);
                    let cluster = layer.cluster_of(a);
                    if cluster != layer.cluster_of(b) {
                        tiles.push(b);
                    } else if level == 0 {
                        self.cross_to(a, to, work, tiles, observer)?;
                    } else {
                        self.descend(level, cluster, from, to, stack, work, observer)?;
                        continue;
                    }
                }
                Stretch::Out { level, node } => {
                    self.descend_out(level, node, ends.start, stack, work, observer)?;
                    continue;
                }
                Stretch::In { level, node } => {
                    self.descend_in(level, node, ends.goal, stack, work, observer)?;
                    continue;
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// An intra-edge of a higher level becomes a chain of edges one level below.
    #[allow(clippy::too_many_arguments)]
    fn descend(
        &self,
        level: usize,
        cluster: u32,
        from: u32,
        to: u32,
        stack: &mut Vec<Stretch>,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let graph = &self.hpa.levels[level];
        let lower = &self.hpa.levels[level - 1];
        let (a, b) = (graph.below[from as usize], graph.below[to as usize]);
        let inside = self.hpa.numbers_inside(level, cluster);
        if let Some(trees) = &graph.trees {
            // The row of `from` leads from `to` back to it, so the stretches come out
            // last first: just as the stack wants them.
            let nodes = graph.cluster(cluster);
            let row = trees.row(cluster, from - nodes.start, nodes.end - nodes.start);
            let mut at = b;
            while at != a {
                let hop = trees::hop(row, lower.place[at as usize].into());
                if hop == NO_HOP {
                    return Err(Halt::NoWay);
                }
                let back = inside.start + u32::from(hop);
                stack.push(Stretch::Over { level: level - 1, from: back, to: at });
                work.look(1, observer)?;
                at = back;
            }
            return Ok(());
        }
        let space = LevelSpace::new(lower, inside);
        work.sources.clear();
        work.sources.push((a - space.lo, Cost::ZERO));
        let goal = graph.tile[to as usize];
        self.search_nodes(space, b - space.lo, goal, work, observer)?;
        chain(level - 1, &work.chain, false, false, stack);
        Ok(())
    }

    fn descend_out(
        &self,
        level: usize,
        node: u32,
        start: &Anchor,
        stack: &mut Vec<Stretch>,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let graph = &self.hpa.levels[level];
        let inside = self.hpa.numbers_inside(level, start.cluster[level]);
        let space = LevelSpace::new(&self.hpa.levels[level - 1], inside);
        work.set_sources(self.hpa, level - 1, start, space.lo);
        let (goal, tile) = (graph.below[node as usize] - space.lo, graph.tile[node as usize]);
        self.search_nodes(space, goal, tile, work, observer)?;
        chain(level - 1, &work.chain, true, false, stack);
        Ok(())
    }

    fn descend_in(
        &self,
        level: usize,
        node: u32,
        goal: &Anchor,
        stack: &mut Vec<Stretch>,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let (graph, lower) = (&self.hpa.levels[level], &self.hpa.levels[level - 1]);
        let inside = self.hpa.numbers_inside(level, goal.cluster[level]);
        let first = lower.cluster(goal.cluster[level - 1]).start;
        let target = Target { first, costs: &goal.costs[level - 1] };
        let space = LevelSpace::new(lower, inside).with_target(target);
        work.sources.clear();
        work.sources.push((graph.below[node as usize] - space.lo, Cost::ZERO));
        self.search_nodes(space, space.goal(), goal.tile, work, observer)?;
        work.chain.pop();
        chain(level - 1, &work.chain, false, true, stack);
        Ok(())
    }

    /// The nodes of the best way from the sources to a node of the space, left in
    /// `work.chain`.
    fn search_nodes(
        &self,
        space: LevelSpace<'_>,
        goal: u32,
        tile: Tile,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let mut lens = NodesToCells {
            inner: observer,
            cell: |n: u32| {
                if n == goal { self.cell(tile) } else { self.cell_of(space.level, space.lo + n) }
            },
        };
        let (end, stats) = search(
            &space,
            &work.sources,
            |node| node == goal,
            &mut space.estimate(self.grid.movement(), tile),
            &mut work.nodes,
            &mut lens,
        );
        work.effort.refinement += stats;
        let (node, _) = Halt::unless_goal(end)?;
        work.chain.clear();
        work.chain.extend(work.nodes.way_back(node).map(|n| n + space.lo));
        work.chain.reverse();
        Ok(())
    }
}

/// Pushes the stretches along a chain of nodes, the first on top.
fn chain(level: usize, nodes: &[u32], out: bool, into: bool, stack: &mut Vec<Stretch>) {
    let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) else { return };
    if into {
        stack.push(Stretch::In { level, node: last });
    }
    let pairs = nodes.windows(2).rev();
    stack.extend(pairs.map(|w| Stretch::Over { level, from: w[0], to: w[1] }));
    if out {
        stack.push(Stretch::Out { level, node: first });
    }
}

impl Halt {
    pub(crate) fn unless_goal(end: End<Cost>) -> Result<(u32, Cost), Halt> {
        match end {
            End::Goal(node, cost) => Ok((node, cost)),
            End::Stopped => Err(Halt::Stopped),
            End::Exhausted | End::TooFar => Err(Halt::NoWay),
        }
    }
}
