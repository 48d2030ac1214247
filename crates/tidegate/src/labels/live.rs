//! Labels that stay in use while the map changes.
//!
//! The labels are those of the map they were made for, the *old* map. Kept beside them is
//! what is different now: tiles that were closed, tiles that were opened. An answer is
//! exact on the map as it is now, or it is [`LiveAnswer::Unknown`] and a search has to say.
//!
//! * **Closed tiles** only make ways longer. If the path of the labels is still legal, it is
//!   still a shortest one; if not, another order of its steps may be (`legs`).
//! * **Opened tiles** make new steps, all of them in the *zones* of opened clusters (`zone`).
//!   Where a way through a zone is shorter than any old way between its ends, it is a
//!   *crossing* (`cluster`); most niches have none. The ends of crossings are the
//!   *terminals*, and the distances between them are kept (`terminals`). A shortest way
//!   with new steps is an old way to a terminal, the way from there to another, and an old
//!   way to the goal.
//! * **Both**: the way found with the opened tiles and without the closed ones is at most as
//!   long as any. If it is legal, it is a shortest one.
//!
//! What is too large to keep stays unknown: a query is answered if its way is so short that
//! no way through such a cluster can be shorter, by the distance on an empty map.

mod answer;
mod cluster;
mod legs;
mod terminals;
mod unpack;
mod wire;
mod zone;

#[cfg(test)]
mod live_tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Labels;
use crate::grid::{CellId, Direction, Grid, Revision, Tile};
use cluster::{Cluster, CrossingScratch, Ways};
use terminals::Terminals;
use zone::{Opened, neighbour};

pub use answer::{LiveAnswer, LiveScratch};

/// How many tiles of zones may be looked at in one call of [`LiveLabels::follow`], some
/// milliseconds of work, and how many for clusters that had to wait before.
const WORK: usize = 40_000;
const WORK_FOR_WAITING: usize = 5_000;
/// The cluster of a tile that has none yet.
const NO_CLUSTER: u32 = u32::MAX;

/// The labels of a map, and what has changed on the map since they were made.
///
/// An answer is exact on the map as it is now, or [`LiveAnswer::Unknown`], and a search has to
/// say. Tiles that were closed only make ways longer: a path of the labels that is still legal
/// is still a shortest one, and where it is not, another order of its steps may be. Tiles that
/// were opened give new ways through them; those that are shorter than the old ones are kept,
/// with the distances between their ends, and queries take them into account. Of these a
/// limited number is kept: beyond it, queries are answered whose way is too short to be
/// affected. Build the labels again when too many answers are unknown.
///
/// A clone shares the labels.
///
/// ```
/// use tidegate::cost::STRAIGHT;
/// use tidegate::labels::{LabelOptions, Labels, LiveAnswer, LiveLabels, LiveScratch};
/// use tidegate::{Grid, Path, Tile};
/// let mut grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
/// let labels = Labels::build(&grid, &LabelOptions::default()).unwrap();
/// let mut live = LiveLabels::new(&grid, labels);
/// let door = Tile::new(2, 1);
/// grid.set_free(door, true);
/// live.follow(&grid, &[door]);
/// let (mut scratch, mut path) = (LiveScratch::new(), Path::new());
/// let found = live.path(&grid, Tile::new(2, 0), Tile::new(2, 2), &mut scratch, &mut path);
/// assert_eq!(found, LiveAnswer::Found(2 * STRAIGHT));
/// assert!(path.tiles().contains(&door));
/// ```
#[derive(Clone, Debug)]
pub struct LiveLabels {
    labels: Arc<Labels>,
    /// The map it follows, as it is now.
    revision: Revision,
    closed: BTreeSet<CellId>,
    /// With the cluster of each.
    opened: BTreeMap<CellId, u32>,
    clusters: Vec<Option<Arc<Cluster>>>,
    /// Clusters whose ways are not known.
    unknown: Vec<u32>,
    terminals: Terminals,
}

impl LiveLabels {
    /// The labels of this map as it is now.
    pub fn new(grid: &Grid, labels: Labels) -> LiveLabels {
        LiveLabels {
            labels: Arc::new(labels),
            revision: Revision::of(grid),
            closed: BTreeSet::new(),
            opened: BTreeMap::new(),
            clusters: Vec::new(),
            unknown: Vec::new(),
            terminals: Terminals::default(),
        }
    }

    /// The labels, which hold for the map they were made for: its distances are those of
    /// the map now only if they are [current](LiveLabels::is_current).
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Whether the map is the one that the labels were made for.
    pub fn is_current(&self) -> bool {
        self.closed.is_empty() && self.opened.is_empty()
    }

    /// How many tiles were free when the labels were made and are wall now.
    pub fn closed(&self) -> usize {
        self.closed.len()
    }

    /// How many tiles were wall when the labels were made and are free now.
    pub fn opened(&self) -> usize {
        self.opened.len()
    }

    /// How many tiles a new way may lead over, all of which a query looks at.
    pub(super) fn terminals(&self) -> usize {
        self.terminals.tiles.len()
    }

    /// About what share of answers is [unknown](LiveAnswer::Unknown), from what was seen on
    /// maps of the evaluation: a search has to find those.
    pub(super) fn share_unknown(&self) -> f64 {
        let closed = self.closed.len() as f64;
        let closed = closed / (closed + 1500.0);
        let opened = if self.unknown.is_empty() { 0.0 } else { 0.9 };
        closed.max(opened)
    }

    /// Bytes held, the labels included.
    pub fn bytes(&self) -> usize {
        let clusters = self.clusters.iter().flatten().map(|cluster| cluster.bytes());
        let lists = 8 * (self.closed.len() + 2 * self.opened.len() + self.clusters.len());
        self.labels.bytes() + lists + clusters.sum::<usize>() + self.terminals.bytes()
    }

    /// Takes over tiles that became free or wall, one or many; `grid` is the map after the
    /// change. Tiles that did not change or lie outside do no harm; if some are left out,
    /// that is noticed and the whole map is looked at. A grid of another size or rule is
    /// not followed: all queries on it are answered [`LiveAnswer::Unknown`].
    pub fn follow(&mut self, grid: &Grid, changed: &[Tile]) {
        if self.revision.check_form(grid).is_err() {
            return;
        }
        let cells = changed.iter().filter_map(|&tile| grid.cell(tile));
        let mut turned: Vec<CellId> = cells.filter(|&cell| self.has_turned(grid, cell)).collect();
        turned.sort_unstable();
        turned.dedup();
        let after = |cells: &[CellId]| {
            cells.iter().fold(self.revision, |revision, &cell| revision.after_change(cell))
        };
        if after(&turned) != Revision::of(grid) {
            let all = (0..grid.tiles()).map(CellId::from_index);
            turned = all.filter(|&cell| self.has_turned(grid, cell)).collect();
        }
        self.revision = Revision::of(grid);
        self.take_over(grid, &turned);
    }

    /// Whether a tile differs from the old map and did not before, or the other way round.
    fn has_turned(&self, grid: &Grid, cell: CellId) -> bool {
        let differed = self.closed.contains(&cell) || self.opened.contains_key(&cell);
        let was_free = self.labels.sight.is_free(grid.tile(cell));
        differed != (was_free != grid.is_free_cell(cell))
    }

    fn take_over(&mut self, grid: &Grid, turned: &[CellId]) {
        let mut loose = Vec::new();
        let mut stale = BTreeSet::new();
        for &cell in turned {
            let tile = grid.tile(cell);
            if self.labels.sight.is_free(tile) {
                if !self.closed.remove(&cell) {
                    self.closed.insert(cell);
                }
            } else if let Some(cluster) = self.opened.remove(&cell) {
                stale.insert(cluster);
            } else {
                self.opened.insert(cell, NO_CLUSTER);
                loose.push(tile);
            }
        }
        if loose.is_empty() && stale.is_empty() {
            return;
        }
        for &tile in &loose {
            let near = Direction::ALL.into_iter().filter_map(|d| grid.cell(neighbour(tile, d)?));
            stale.extend(near.filter_map(|cell| self.opened.get(&cell)));
        }
        stale.remove(&NO_CLUSTER);
        for &cluster in &stale {
            let cluster = self.clusters.get_mut(cluster as usize).and_then(Option::take);
            let tiles = cluster.iter().flat_map(|cluster| &cluster.tiles);
            let left = |tile: &&Tile| {
                grid.cell(**tile).is_some_and(|cell| self.opened.contains_key(&cell))
            };
            loose.extend(tiles.filter(left));
        }
        let stale: Vec<u32> = stale.into_iter().collect();
        self.unknown.retain(|cluster| stale.binary_search(cluster).is_err());
        let has_room = self.terminals.remove(&stale);
        let waiting = if has_room { std::mem::take(&mut self.unknown) } else { Vec::new() };
        let mut fresh = Vec::new();
        let mut numbers: Vec<u32> =
            (0..).zip(&self.clusters).filter(|(_, c)| c.is_none()).map(|(n, _)| n).collect();
        for tiles in connected(loose) {
            let number = numbers.pop().unwrap_or_else(|| {
                self.clusters.push(None);
                self.clusters.len() as u32 - 1
            });
            for &tile in &tiles {
                if let Some(cluster) = grid.cell(tile).and_then(|c| self.opened.get_mut(&c)) {
                    *cluster = number;
                }
            }
            self.clusters[number as usize] = Some(Arc::new(Cluster::new(tiles)));
            fresh.push(number);
        }
        self.solve(grid, fresh, WORK);
        self.solve(grid, waiting, WORK_FOR_WAITING);
    }

    /// Finds the crossings of clusters whose ways are not known, as far as there is room.
    fn solve(&mut self, grid: &Grid, clusters: Vec<u32>, mut work: usize) {
        if clusters.is_empty() {
            return;
        }
        let map = Opened { before: &self.labels.sight, now: grid };
        let mut scratch = CrossingScratch::default();
        for number in clusters {
            let Some(Some(cluster)) = self.clusters.get_mut(number as usize) else { continue };
            let ways = match cluster.ways {
                Ways::Waiting => cluster.solve(map, &self.labels, &mut scratch, &mut work),
                _ => Ways::TooLarge,
            };
            match ways {
                Ways::Known(zone, crossings)
                    if self.terminals.add(
                        number,
                        &crossings,
                        &self.labels,
                        &mut scratch.labels,
                    ) =>
                {
                    *cluster = Arc::new(cluster.with(Ways::Known(zone, crossings)));
                }
                Ways::TooLarge => {
                    *cluster = Arc::new(cluster.with(Ways::TooLarge));
                    self.unknown.push(number);
                }
                _ => self.unknown.push(number),
            }
        }
    }
}

/// Groups tiles that touch each other by sides or corners; each group is in order.
fn connected(tiles: Vec<Tile>) -> Vec<Vec<Tile>> {
    let mut left: BTreeSet<Tile> = tiles.into_iter().collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut group = vec![first];
        let mut done = 0;
        while let Some(&tile) = group.get(done) {
            done += 1;
            let near = Direction::ALL.into_iter().filter_map(|d| neighbour(tile, d));
            group.extend(near.filter(|tile| left.remove(tile)));
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}
