//! The abstract search: from an anchor to an anchor over the highest level.
//!
//! The cost found is that of the best path over the lowest level's graph, however many
//! levels there are: a path either leaves the cluster that both ends share on a level,
//! over its border nodes, or stays inside and is searched there one level below.

use super::Hpa;
use super::insert::Anchor;
use super::level::{Level, LevelSpace, Target};
use super::lines::LineMemory;
use super::shape::Rect;
use super::stats::Effort;
use super::window::{SmallScratch, Window};
use crate::cost::{Cost, INFINITY};
use crate::grid::{Grid, Tile};
use crate::search::{BelowCost, NodesToCells};
use crate::search::{End, Observer, search};

/// A map and the graph built for it, ready to plan.
#[derive(Clone, Copy, Debug)]
pub struct Planner<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) hpa: &'a Hpa,
}

/// Why planning ended without a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The observer said stop.
    Stopped,
    /// No way, or none that 32-bit costs can count.
    NoWay,
}

/// The memory of the searches inside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) tiles: SmallScratch,
    pub(crate) nodes: SmallScratch,
    pub(crate) sources: Vec<(u32, Cost)>,
    /// A way in the making.
    pub(crate) way: Vec<Tile>,
    /// An abstract way in the making.
    pub(crate) chain: Vec<u32>,
    pub(crate) lines: LineMemory,
    /// Tiles looked at that are not yet worth an expansion.
    looked: usize,
    pub(crate) effort: Effort,
}

/// So many tiles looked at without a search take about as long as one expansion.
const LOOKS: usize = 64;

/// An abstract path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    pub(crate) cost: Cost,
    /// The level its nodes are on; `None`: one search over the tiles of `window`.
    pub(crate) level: Option<usize>,
    /// From the first border node to the last.
    pub(crate) nodes: Vec<u32>,
    pub(crate) window: Option<Rect>,
}

impl Work {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let searches = self.tiles.bytes() + self.nodes.bytes() + self.lines.bytes();
        let ways = size_of::<Tile>() * self.way.capacity() + 4 * self.chain.capacity();
        searches + ways + size_of::<(u32, Cost)>() * self.sources.capacity()
    }

    /// Counts from zero again.
    pub(crate) fn begin(&mut self) {
        (self.looked, self.effort) = (0, Effort::default());
    }

    /// Charges the observer for tiles that are looked at without a search: on kept ways and
    /// in smoothing. So a budget bounds them too.
    #[inline]
    pub(crate) fn look(
        &mut self,
        tiles: usize,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        self.looked += tiles;
        if self.looked >= LOOKS {
            let worth = std::mem::replace(&mut self.looked, 0) / LOOKS;
            if observer.spend(worth as u64).is_break() {
                return Err(Halt::Stopped);
            }
        }
        Ok(())
    }

    /// The links of an anchor on a level as sources, nodes counted from `lo`.
    pub(crate) fn set_sources(&mut self, hpa: &Hpa, level: usize, anchor: &Anchor, lo: u32) {
        let first = hpa.levels[level].cluster(anchor.cluster[level]).start;
        let links = anchor.costs[level].iter().enumerate().filter(|&(_, &c)| c < INFINITY);
        self.sources.clear();
        self.sources.extend(links.map(|(i, &cost)| (first - lo + i as u32, cost)));
    }
}

impl<'a> Planner<'a> {
    /// The cell of a node, for observers.
    pub(crate) fn cell_of(&self, level: &Level, node: u32) -> u32 {
        let tile = level.tile[node as usize];
        u32::from(tile.y) * self.grid.width() + u32::from(tile.x)
    }

    /// The best abstract path, written into `route`.
    pub(crate) fn plan(
        &self,
        start: &Anchor,
        goal: &Anchor,
        route: &mut Route,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        (route.cost, route.level, route.window) = (INFINITY, None, None);
        route.nodes.clear();
        self.plan_direct(start, goal, route, work, observer)?;
        if route.cost == self.grid.movement().estimate(start.tile, goal.tile) {
            return Ok(());
        }
        let top = self.hpa.levels.len() - 1;
        for level in 0..top {
            let cluster = start.cluster[level + 1];
            if cluster == goal.cluster[level + 1] {
                let inside = self.hpa.numbers_inside(level + 1, cluster);
                self.plan_on(level, inside, start, goal, route, work, observer)?;
            }
        }
        let all = 0..self.hpa.levels[top].numbers();
        self.plan_on(top, all, start, goal, route, work, observer)?;
        if route.cost < INFINITY { Ok(()) } else { Err(Halt::NoWay) }
    }

    /// Ends in the same cluster (or, by option, in neighbouring ones): over the tiles.
    fn plan_direct(
        &self,
        start: &Anchor,
        goal: &Anchor,
        route: &mut Route,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let shape = &self.hpa.shape;
        let (a, b) = (start.cluster[0], goal.cluster[0]);
        let ((ax, ay), (bx, by)) = (shape.layer(0).place(a), shape.layer(0).place(b));
        let near = u32::from(self.hpa.options.adjacent);
        if ax.abs_diff(bx) > near || ay.abs_diff(by) > near {
            return Ok(());
        }
        let rect = shape.rect(0, a).joined(&shape.rect(0, b));
        let window = Window::new(self.grid, rect);
        let mut lens = NodesToCells { inner: observer, cell: |n| window.cell(n) };
        let (end, stats) = window.find(start.tile, goal.tile, &mut work.tiles, &mut lens);
        work.effort.main += stats;
        match end {
            End::Goal(_, cost) => (route.cost, route.window) = (cost, Some(rect)),
            End::Stopped => return Err(Halt::Stopped),
            End::Exhausted | End::TooFar => {}
        }
        Ok(())
    }

    /// Over the nodes of a level inside a range, if that beats what the route has.
    #[allow(clippy::too_many_arguments)]
    fn plan_on(
        &self,
        level: usize,
        nodes: std::ops::Range<u32>,
        start: &Anchor,
        goal: &Anchor,
        route: &mut Route,
        work: &mut Work,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let graph = &self.hpa.levels[level];
        let first = graph.cluster(goal.cluster[level]).start;
        let target = Target { first, costs: &goal.costs[level] };
        let space = LevelSpace::new(graph, nodes).with_target(target);
        work.set_sources(self.hpa, level, start, space.lo);
        let mut lens = NodesToCells {
            inner: observer,
            cell: |n| {
                let node = space.lo + n;
                if node < space.hi { self.cell_of(graph, node) } else { self.cell(goal.tile) }
            },
        };
        let mut bound = BelowCost { inner: &mut lens, best: route.cost, beaten: false };
        let (end, stats) = search(
            &space,
            &work.sources,
            |node| node == space.goal(),
            &mut space.estimate(self.grid.movement(), goal.tile),
            &mut work.nodes,
            &mut bound,
        );
        work.effort.main += stats;
        match end {
            End::Goal(node, cost) => {
                (route.cost, route.level, route.window) = (cost, Some(level), None);
                route.nodes.clear();
                route.nodes.extend(work.nodes.way_back(node).skip(1).map(|n| n + space.lo));
                route.nodes.reverse();
                Ok(())
            }
            End::Stopped if !bound.beaten => Err(Halt::Stopped),
            End::Stopped | End::Exhausted | End::TooFar => Ok(()),
        }
    }

    pub(crate) fn cell(&self, tile: Tile) -> u32 {
        u32::from(tile.y) * self.grid.width() + u32::from(tile.x)
    }
}
