//! The ends of all crossings, and the distances between them on the map with all that was
//! opened: any way that takes new steps is an old way to a terminal, the way from there to
//! another terminal, and an old way to the goal.
//!
//! The distances are a closed matrix. A terminal joins it with its old distances; a crossing
//! is one shorter arc, after which each pair of terminals is looked at once. What goes away
//! lets the matrix be made again from the old distances, which are kept.

use super::cluster::Crossing;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::labels::query::HubList;
use crate::labels::{LabelScratch, Labels};

/// The most terminals. A query looks at those near its way, and what is taken away lets the
/// whole matrix be made again: with so many, a query takes about as long as one of `corners`
/// and following a change some milliseconds at worst.
pub(super) const MAX_TERMINALS: usize = 160;

/// A crossing as an arc between terminals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) ends: [u16; 2],
    pub(super) cost: Cost,
    /// The cluster, and the place of the crossing in its list.
    pub(super) cluster: u32,
    pub(super) crossing: u32,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Terminals {
    pub(super) tiles: Vec<Tile>,
    pub(super) hubs: Vec<HubList>,
    clusters: Vec<u32>,
    arcs: Vec<Arc>,
    /// Old distances, row by row.
    before: Vec<Cost>,
    /// Distances with all arcs, row by row.
    now: Vec<Cost>,
}

impl Terminals {
    pub(super) fn bytes(&self) -> usize {
        let arcs = self.arcs.capacity() * size_of::<Arc>();
        let hubs = self.hubs.iter().map(|list| 16 + size_of_val(&**list)).sum::<usize>();
        4 * (self.tiles.capacity() + self.clusters.capacity())
            + arcs
            + hubs
            + 4 * (self.before.capacity() + self.now.capacity())
    }

    /// The distances from a terminal to all, with all arcs.
    #[inline]
    pub(super) fn row(&self, from: usize) -> &[Cost] {
        let n = self.tiles.len();
        &self.now[from * n..(from + 1) * n]
    }

    /// Adds the crossings of a cluster, unless they are too many. Returns whether it did.
    pub(super) fn add(
        &mut self,
        cluster: u32,
        crossings: &[Crossing],
        labels: &Labels,
        scratch: &mut LabelScratch,
    ) -> bool {
        let ends = |c: &Crossing| [c.way[0], c.way[c.way.len() - 1]];
        let mut fresh: Vec<Tile> = crossings.iter().flat_map(ends).collect();
        fresh.sort_unstable();
        fresh.dedup();
        let first = self.tiles.len();
        if first + fresh.len() > MAX_TERMINALS {
            return false;
        }
        self.grow(cluster, &fresh, labels, scratch);
        let number = |tile: Tile| (first + fresh.binary_search(&tile).unwrap_or(0)) as u16;
        for (crossing, c) in (0..).zip(crossings) {
            let arc = Arc { ends: ends(c).map(number), cost: c.cost, cluster, crossing };
            self.arcs.push(arc);
            self.relax(arc);
        }
        true
    }

    /// Adds terminals with their old distances; the matrix stays closed.
    fn grow(&mut self, cluster: u32, fresh: &[Tile], labels: &Labels, scratch: &mut LabelScratch) {
        let (old, all) = (self.tiles.len(), self.tiles.len() + fresh.len());
        self.tiles.extend_from_slice(fresh);
        self.clusters.resize(all, cluster);
        for matrix in [&mut self.before, &mut self.now] {
            let mut wider = vec![INFINITY; all * all];
            for row in 0..old {
                wider[row * all..row * all + old].copy_from_slice(&matrix[row * old..][..old]);
            }
            *matrix = wider;
        }
        self.hubs.extend(fresh.iter().map(|&tile| labels.hubs_of(tile, scratch)));
        for at in old..all {
            let listed = self.tiles[..=at].iter().copied().zip(self.hubs.iter().map(|h| &**h));
            let mut other = 0;
            labels.costs_to_listed(self.tiles[at], listed, scratch, |cost| {
                self.before[at * all + other] = cost;
                self.before[other * all + at] = cost;
                other += 1;
            });
        }
        // The nearest way to another terminal is an old way to one that was there, and arcs
        // from there, or an old way.
        for at in old..all {
            let mut row = self.before[at * all..(at + 1) * all].to_vec();
            for via in 0..old {
                let base = self.before[at * all + via];
                if base < INFINITY {
                    shorten(&mut row, base, &self.now[via * all..(via + 1) * all]);
                }
            }
            for (other, &cost) in row.iter().enumerate() {
                self.now[at * all + other] = cost;
                self.now[other * all + at] = cost;
            }
        }
    }

    /// Shortens all distances that an arc shortens.
    fn relax(&mut self, arc: Arc) {
        let n = self.tiles.len();
        let [u, v] = arc.ends.map(usize::from);
        if arc.cost >= self.now[u * n + v] {
            return;
        }
        let beyond = [u, v].map(|end| self.row(end).to_vec());
        for row in self.now.chunks_exact_mut(n) {
            let (to_u, to_v) = (row[u], row[v]);
            let (base, rest) = if to_u + arc.cost < to_v {
                (to_u + arc.cost, &beyond[1])
            } else if to_v + arc.cost < to_u {
                (to_v + arc.cost, &beyond[0])
            } else {
                continue;
            };
            shorten(row, base, rest);
        }
    }

    /// Takes away the terminals of these clusters, given in order. Returns whether there were any.
    pub(super) fn remove(&mut self, clusters: &[u32]) -> bool {
        let n = self.tiles.len();
        let stays: Vec<usize> =
            (0..n).filter(|&t| clusters.binary_search(&self.clusters[t]).is_err()).collect();
        if stays.len() == n {
            return false;
        }
        let rows = stays.iter().flat_map(|&a| stays.iter().map(move |&b| a * n + b));
        self.before = rows.map(|place| self.before[place]).collect();
        self.now = self.before.clone();
        self.tiles = stays.iter().map(|&t| self.tiles[t]).collect();
        self.hubs = stays.iter().map(|&t| self.hubs[t].clone()).collect();
        self.clusters = stays.iter().map(|&t| self.clusters[t]).collect();
        self.arcs.retain(|arc| clusters.binary_search(&arc.cluster).is_err());
        for n in 0..self.arcs.len() {
            let renamed = |end: u16| stays.partition_point(|&t| t < end.into()) as u16;
            self.arcs[n].ends = self.arcs[n].ends.map(renamed);
            self.relax(self.arcs[n]);
        }
        true
    }

    /// The first arc on the way between two terminals, the terminal where it begins, to
    /// which an old way leads, and the one where it ends; `None` where the old way is as
    /// short.
    pub(super) fn first_arc(&self, from: usize, to: usize) -> Option<(Arc, usize, usize)> {
        let n = self.tiles.len();
        let whole = self.now[from * n + to];
        if self.before[from * n + to] <= whole {
            return None;
        }
        self.arcs.iter().find_map(|&arc| {
            let [u, v] = arc.ends.map(usize::from);
            let fits = |&(near, far): &(usize, usize)| {
                let sum = self.before[from * n + near].saturating_add(arc.cost);
                sum.saturating_add(self.now[far * n + to]) == whole
            };
            [(u, v), (v, u)].into_iter().find(fits).map(|(near, far)| (arc, near, far))
        })
    }
}

/// Lowers distances to those by way of a place at distance `base`, which is not infinite.
#[inline]
pub(super) fn shorten(row: &mut [Cost], base: Cost, rest: &[Cost]) {
    for (cost, &rest) in row.iter_mut().zip(rest) {
        *cost = (*cost).min(base + rest);
    }
}
