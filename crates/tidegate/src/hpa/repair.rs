//! Changing the map: only the clusters that a change touches are worked out again, and the
//! graph is then bit by bit that of a fresh build.
//!
//! A tile touches its own cluster, and beyond a border line the neighbouring one, because
//! the entrance there may change. No other cluster sees it: a step inside a rectangle
//! needs only tiles of that rectangle. A cluster of a higher level is touched if one of
//! its clusters below came out with other nodes or edges; a change that leaves all
//! distances between nodes as they were ends on the lowest level.

use super::level::Level;
use super::shape::Rect;
use super::{Hpa, build, new_revision};
use crate::grid::{Grid, Tile};

/// What a cluster of tiles had before the map changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before<'a> {
    pub(crate) level: &'a Level,
    pub(crate) cluster: u32,
    /// Tiles that may have become free or wall.
    pub(crate) changed: &'a [Tile],
}

impl<'a> Before<'a> {
    /// The tiles inside a rectangle that may have changed; `None` if there are so many that
    /// floods are as fast.
    pub(crate) fn changed_in(&self, rect: &Rect) -> Option<Vec<Tile>> {
        let inside = |tile: &&Tile| {
            (rect.x0..rect.x1).contains(&tile.x.into())
                && (rect.y0..rect.y1).contains(&tile.y.into())
        };
        let mut changed: Vec<Tile> = self.changed.iter().filter(inside).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        (changed.len() as u32 <= rect.width() * rect.height() / 16).then_some(changed)
    }

    /// The ways to the node that stood on a tile.
    pub(crate) fn row(&self, tile: Tile) -> Option<&'a [u8]> {
        let (trees, slots) = (self.level.trees.as_ref()?, self.level.slots(self.cluster));
        let number = self.level.tile[slots.clone()].iter().position(|&t| t == tile)?;
        Some(trees.row(self.cluster, number as u32, slots.len() as u32))
    }
}

impl Hpa {
    /// Brings the graph up to date after the given tiles of the map became free or wall,
    /// or got another cost factor. `grid` is the map after the change. Anchors and
    /// journeys made before are then stale: anchors are refused, journeys plan anew.
    ///
    /// ```
    /// use tidegate::{Grid, Tile, hpa::{Hpa, Options}};
    /// let mut grid = Grid::from_rows(&["......"; 6]).unwrap();
    /// let options = Options { cluster: 3, ..Options::default() };
    /// let mut hpa = Hpa::build(&grid, &options).unwrap();
    /// grid.set_free(Tile::new(2, 2), false);
    /// hpa.repair(&grid, &[Tile::new(2, 2)]);
    /// assert!(hpa.same_graph(&Hpa::build(&grid, &options).unwrap()));
    /// ```
    pub fn repair(&mut self, grid: &Grid, changed: &[Tile]) {
        let mut touched = self.touched(grid, changed);
        if touched.is_empty() {
            return;
        }
        self.revision = new_revision();
        // Kept ways know steps, not costs: on uniform ground the steps are enough.
        let uniform = grid.factors().is_none();
        let known = std::mem::replace(&mut self.uniform, uniform) && uniform;
        for level in 0..self.levels.len() {
            self.set_places(level, &touched);
            let lowest = &self.levels[0];
            let part = |cluster, scratch: &mut _| {
                let before = Before { level: lowest, cluster, changed };
                self.part(grid, level, cluster, Some(before).filter(|_| known), scratch)
            };
            let parts = build::each(&touched, part);
            let differs = self.levels[level].replace(self.shape.layer(level), parts);
            if differs.is_empty() || level + 1 == self.levels.len() {
                return;
            }
            touched = self.parents(level, &differs);
        }
    }

    /// The clusters of the lowest level that changes touch, sorted.
    fn touched(&self, grid: &Grid, changed: &[Tile]) -> Vec<u32> {
        let mut touched = Vec::new();
        for &tile in changed.iter().filter(|&&t| grid.contains(t)) {
            let around = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)];
            for (dx, dy) in around {
                let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
                // A negative number becomes one that is larger than every side.
                if (x as u32) < grid.width() && (y as u32) < grid.height() {
                    touched.push(self.shape.layer(0).cluster_of(Tile::new(x as u16, y as u16)));
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// The clusters one level above that hold these, which are sorted, as they are.
    fn parents(&self, level: usize, clusters: &[u32]) -> Vec<u32> {
        let corner = |&cluster: &u32| {
            let rect = self.shape.rect(level, cluster);
            Tile::new(rect.x0 as u16, rect.y0 as u16)
        };
        let above = self.shape.layer(level + 1);
        let mut parents: Vec<u32> =
            clusters.iter().map(corner).map(|t| above.cluster_of(t)).collect();
        // Children of one cluster have consecutive numbers, so the parents are sorted too.
        parents.dedup();
        parents
    }
}
