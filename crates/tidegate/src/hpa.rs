//! HPA* (Botea, Müller, Schaeffer): near-optimal paths at once, over a hierarchy of
//! clusters.
//!
//! The map is cut into square clusters. Where two clusters touch, transitions are chosen;
//! they are the nodes of an abstract graph. Inside a cluster nodes are joined by the true
//! distances there, and clusters are grouped into larger ones, level by level. A query
//! joins its two ends to the graph, searches the highest level, and turns the result into
//! tiles, all at once or piece by piece.
//!
//! What holds: a path is found exactly where one exists; every step is legal; before
//! smoothing the cost does not depend on the number of levels; smoothing never makes a
//! path longer; after a change of the map the repaired graph equals a fresh one.
//!
//! How long a path can be on uniform ground: wherever the best path crosses the border of two
//! clusters, the next transition is at most `d` steps along a free line away (8 by default, 4
//! with the paper's setting), so a way there and back for every border crossed, `2 d` steps,
//! is all that is added, and what a diagonal step over a border costs more as two straight
//! ones. On ground of several costs those lines can be dear, and nothing is promised here;
//! the engines then compare with a search over the tiles.
//!
//! [`Options::default`] is tuned for short paths and fast answers, [`Options::paper`] is
//! the setting of the paper's experiments.

mod assemble;
mod build;
mod check;
mod cross;
mod engine;
mod entrance;
mod find;
mod insert;
mod journey;
mod layered;
mod level;
mod lines;
mod plan;
mod refine;
mod reflood;
mod repair;
mod shape;
mod smooth;
mod stats;
mod trees;
mod view;
mod window;
mod wire;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grid::Grid;
use build::{BuildScratch, Part};
pub use check::GraphError;
pub(crate) use engine::{HPA, HPA_PAPER};
pub use engine::{HpaPaper, HpaTuned};
pub use entrance::Placement;
pub use find::HpaScratch;
pub use insert::Anchor;
pub use journey::{Journey, Piece, StaleAnchor};
use level::Level;
use plan::Halt;
pub use plan::Planner;
use repair::Before;
use shape::Shape;
pub use smooth::Smoothing;
pub use stats::{Effort, LevelSize, OpenMeter};
pub use view::LevelView;

/// How the graph is built and used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Side of the smallest clusters in tiles.
    pub cluster: u32,
    /// A cluster of the next level groups so many by so many.
    pub factor: u32,
    /// Number of levels; `None` chooses by the size of the map.
    pub levels: Option<u32>,
    /// Where transitions are put on entrances.
    pub placement: Placement,
    /// Leaves out intra-edges that a way over a third node replaces at the same cost.
    pub prune: bool,
    /// Keeps the ways behind intra-edges: more memory, no searches in refinement.
    pub keep_ways: bool,
    /// Tries a direct search over the tiles if the ends lie in neighbouring clusters, not
    /// only if they lie in the same one.
    pub adjacent: bool,
    /// How paths are shortened.
    pub smoothing: Smoothing,
}

impl Default for Options {
    /// What is fastest with clusters small enough to be repaired quickly and paths at most
    /// half a per cent too long on StarCraft, Baldur's Gate and Dragon Age maps: large clusters
    /// keep the search small, transitions along wide entrances and lines in smoothing make up
    /// for what they cost.
    fn default() -> Options {
        Options {
            cluster: 32,
            factor: 2,
            levels: None,
            placement: Placement::Spread { wide: 8, gap: 16 },
            prune: true,
            keep_ways: true,
            adjacent: true,
            smoothing: Smoothing::Lines { reach: 32 },
        }
    }
}

impl Options {
    /// The setting of the paper's experiments: clusters of 10 x 10, every intra-edge and
    /// none of their ways kept, straight-line smoothing, one level.
    ///
    /// The paper says that entrances narrower than 6 get one transition and others two,
    /// "one on each end". Taken by the letter this gives a tenth more inter-edges and a
    /// third fewer intra-edges than its table 2 on its own maps. All nine numbers of that
    /// table come out within 5 % if the width is counted in steps (an entrance of 8 tiles
    /// is the first that is wider than 6) and the second transition stands at the start
    /// plus that width less one, so this is what is done here.
    pub fn paper() -> Options {
        Options {
            cluster: 10,
            factor: 2,
            levels: Some(1),
            placement: Placement::MiddleOrEnds { wide: 8, inset: 1 },
            prune: false,
            keep_ways: false,
            adjacent: false,
            smoothing: Smoothing::Lines { reach: u32::MAX },
        }
    }

    fn check(&self) -> Result<(), OptionsError> {
        let wrong = |what| Err(OptionsError { what });
        if self.cluster == 0 || self.cluster > crate::grid::MAX_SIDE {
            return wrong("a cluster has from 1 to 65535 tiles a side");
        }
        if !(2..=64).contains(&self.factor) {
            return wrong("a cluster groups from 2 to 64 smaller ones a side");
        }
        if self.levels.is_some_and(|levels| !(1..=8).contains(&levels)) {
            return wrong("there are from 1 to 8 levels");
        }
        Ok(())
    }

    /// The number of levels for a map: the clusters of the highest are at most ten in a row.
    fn levels_for(&self, grid: &Grid) -> usize {
        self.levels_within(grid, 10)
    }

    /// The number by which graphs were built before, which files may still hold.
    fn former_levels_for(&self, grid: &Grid) -> usize {
        self.levels_within(grid, 16)
    }

    fn levels_within(&self, grid: &Grid, most: u64) -> usize {
        let side = u64::from(grid.width().max(grid.height()));
        let auto = || {
            let (mut levels, mut cluster) = (1, u64::from(self.cluster));
            while levels < 8 && cluster * most < side {
                (levels, cluster) = (levels + 1, cluster * u64::from(self.factor));
            }
            levels
        };
        self.levels.unwrap_or_else(auto) as usize
    }
}

/// Options that make no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("these options cannot be used: {what}")]
pub struct OptionsError {
    what: &'static str,
}

/// The abstract graph of a map. Immutable while queries run; see [`Hpa::repair`] for
/// changes of the map.
#[derive(Clone, Debug)]
pub struct Hpa {
    pub(crate) options: Options,
    pub(crate) shape: Shape,
    pub(crate) levels: Vec<Level>,
    /// What distinguishes this graph from every other one in the program and from what it
    /// was before a repair, so that anchors of another graph are noticed. A copy of a graph
    /// has the same: it is the same graph.
    pub(crate) revision: u64,
    /// Whether the ground was uniform.
    pub(crate) uniform: bool,
}

/// A revision that no graph has had.
pub(crate) fn new_revision() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

impl Hpa {
    /// Builds the graph of a map.
    pub fn build(grid: &Grid, options: &Options) -> Result<Hpa, OptionsError> {
        options.check()?;
        let shape = Shape::new(grid, options.cluster, options.factor, options.levels_for(grid));
        let levels = Vec::with_capacity(shape.levels());
        let (revision, uniform) = (new_revision(), grid.factors().is_none());
        let mut hpa = Hpa { options: *options, shape, levels, revision, uniform };
        for level in 0..hpa.shape.levels() {
            let clusters: Vec<u32> = (0..hpa.shape.layer(level).clusters() as u32).collect();
            hpa.set_places(level, &clusters);
            let layer = hpa.shape.layer(level);
            let part = |c, scratch: &mut BuildScratch| hpa.part(grid, level, c, None, scratch);
            let parts = build::each(&clusters, part);
            let mut level = hpa.empty_level(level);
            level.replace(layer, parts);
            level.edges.shrink_to_fit();
            hpa.levels.push(level);
        }
        Ok(hpa)
    }

    /// Counts the nodes inside these clusters, one level below.
    fn set_places(&mut self, level: usize, clusters: &[u32]) {
        for &cluster in clusters.iter().filter(|_| level > 0) {
            let children = self.shape.layer(level).children(cluster);
            self.levels[level - 1].set_places(children);
        }
    }

    /// A level without nodes. The numbers of its clusters are those of the most nodes that
    /// are thinkable, and one more.
    fn empty_level(&self, level: usize) -> Level {
        let (clusters, mut end) = (0..self.shape.layer(level).clusters() as u32, 0);
        let ends = clusters.map(|cluster| {
            end += self.most_nodes(level, cluster) + 1;
            end
        });
        let start = std::iter::once(0).chain(ends).collect();
        Level::new(start, self.keeps_ways(level))
    }

    /// No cluster of this shape has more nodes: they stand on its border, where clusters of
    /// the lowest level have their transitions.
    fn most_nodes(&self, level: usize, cluster: u32) -> u32 {
        let (rect, side) = (self.shape.rect(level, cluster), self.shape.layer(0).side());
        let (width, height) = (rect.width(), rect.height());
        let border =
            if width == 1 || height == 1 { width * height } else { 2 * (width + height) - 4 };
        let most = |length: u32| {
            let placement = self.options.placement;
            length / side * placement.most(side) + placement.most(length % side)
        };
        border.min(2 * most(width) + 2 * most(height))
    }

    /// The part of a cluster; the levels below are there already.
    fn part(
        &self,
        grid: &Grid,
        level: usize,
        cluster: u32,
        before: Option<Before<'_>>,
        scratch: &mut BuildScratch,
    ) -> Part {
        if level == 0 {
            return build::leaf(grid, &self.shape, cluster, &self.options, before, scratch);
        }
        let (lower, children) =
            (&self.levels[level - 1], self.shape.layer(level).children(cluster));
        build::group(lower, children, &self.options, self.keeps_ways(level), scratch)
    }

    /// The numbers one level below inside a cluster.
    pub(crate) fn numbers_inside(&self, level: usize, cluster: u32) -> Range<u32> {
        self.levels[level - 1].numbers_of(self.shape.layer(level).children(cluster))
    }

    /// Whether a level keeps its ways: by option, if two bytes can count the numbers inside
    /// its largest clusters.
    pub(crate) fn keeps_ways(&self, level: usize) -> bool {
        let full = |level: usize| {
            let factor = u64::from(self.options.factor);
            (4 * u64::from(self.shape.layer(level - 1).side()) + 1) * factor * factor
        };
        self.options.keep_ways && (level == 0 || full(level) < u64::from(trees::NO_HOP))
    }

    /// The options it was built with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The same graph used with another smoothing: nothing is built again.
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Hpa {
        self.options.smoothing = smoothing;
        self
    }

    /// A planner on this graph. `grid` must be the map it was built or repaired for.
    pub fn planner<'a>(&'a self, grid: &'a Grid) -> Planner<'a> {
        Planner { grid, hpa: self }
    }

    /// Whether two graphs are equal in every node, edge, number and kept way.
    pub fn same_graph(&self, other: &Hpa) -> bool {
        self.options == other.options && self.shape == other.shape && self.levels == other.levels
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        let levels = self.levels.capacity() * size_of::<Level>();
        self.shape.bytes() + levels + self.levels.iter().map(Level::bytes).sum::<usize>()
    }
}
