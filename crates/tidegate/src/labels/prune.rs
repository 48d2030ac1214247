//! Labels of corners by pruned landmark labelling: each corner keeps its distances to
//! the hubs that no higher-ranked corner replaces.
//!
//! Corners are numbered by rank, the best hub being 0. The labels are canonical: hub h
//! stands in the label of v exactly if no corner of higher rank lies on any shortest
//! path from h to v. So they do not depend on how the work is cut up: roots are searched
//! in batches side by side, each pruned by what earlier batches left, and then cleaned
//! in rank order by what the batch itself found.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::tree::HubTrees;
use crate::cost::{Cost, INFINITY, LIMIT};
use crate::taut::CornerGraph;
use crate::taut::Rules;
use crate::threads;

/// One hub of a corner's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) hub: u32,
    pub(super) cost: Cost,
    /// Where the corner stands in the hub's tree.
    pub(super) position: u32,
    /// The classes of the first edges of all shortest paths to the hub (none at the hub).
    pub(super) first: u16,
}

/// The labels of all corners, hubs in rank order, and the trees of all hubs.
pub(super) struct CornerLabels {
    pub(super) labels: Vec<Vec<Entry>>,
    pub(super) trees: HubTrees,
    /// No distance between corners that are connected at all is above twice this.
    pub(super) radius: Cost,
}

/// A corner reached from a root.
struct Reached {
    corner: u32,
    cost: Cost,
    first: u16,
    /// Where the corner before it stands in the same list.
    parent: u32,
}

/// Why labelling stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A distance is above [`LIMIT`].
    Long,
    /// There are more entries than allowed.
    Many,
}

/// Labels all corners of a graph numbered by rank; gives up above `limit` entries.
pub(super) fn label(
    graph: &CornerGraph,
    rules: &Rules,
    limit: usize,
) -> Result<CornerLabels, Stop> {
    let n = graph.len();
    let mut made = CornerLabels {
        labels: vec![Vec::new(); n],
        trees: HubTrees::default(),
        radius: Cost::ZERO,
    };
    let mut cleaner = Cleaner { to_hub: vec![INFINITY; n], place: vec![u32::MAX; n] };
    let mut total = 0;
    let mut done = 0;
    while done < n {
        // Small batches first: the first hubs prune nearly everything that follows.
        let batch = (done / 8).clamp(1, 1024).min(n - done);
        let found = threads::map(
            batch,
            (n - done) / 8,
            || Pruned::new(n),
            |space, i| space.search(graph, rules, &made.labels, (done + i) as u32),
        );
        let begin = done as u32;
        for (i, reached) in found.into_iter().enumerate() {
            total += cleaner.keep(graph, &mut made, begin, begin + i as u32, reached?);
        }
        if total > limit {
            return Err(Stop::Many);
        }
        done += batch;
    }
    Ok(made)
}

/// The memory of one pruned search.
struct Pruned {
    distance: Vec<Cost>,
    first: Vec<u16>,
    parent: Vec<u32>,
    place: Vec<u32>,
    to_hub: Vec<Cost>,
    touched: Vec<u32>,
    open: BinaryHeap<Reverse<u64>>,
}

impl Pruned {
    fn new(corners: usize) -> Pruned {
        Pruned {
            distance: vec![INFINITY; corners],
            first: vec![0; corners],
            parent: vec![0; corners],
            place: vec![0; corners],
            to_hub: vec![INFINITY; corners],
            touched: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    fn search(
        &mut self,
        graph: &CornerGraph,
        rules: &Rules,
        labels: &[Vec<Entry>],
        root: u32,
    ) -> Result<Vec<Reached>, Stop> {
        for entry in &labels[root as usize] {
            self.to_hub[entry.hub as usize] = entry.cost;
        }
        let mut reached = Vec::new();
        let mut long = false;
        self.distance[root as usize] = Cost::ZERO;
        self.first[root as usize] = 0;
        self.touched.push(root);
        self.open.push(Reverse(u64::from(root)));
        while let Some(Reverse(key)) = self.open.pop() {
            let (cost, corner) = (Cost::new((key >> 32) as u32), key as u32);
            if cost > self.distance[corner as usize] {
                continue;
            }
            let covers = |e: &Entry| self.to_hub[e.hub as usize].saturating_add(e.cost) <= cost;
            if labels[corner as usize].iter().any(covers) {
                continue;
            }
            self.place[corner as usize] = reached.len() as u32;
            let parent = if corner == root { root } else { self.parent[corner as usize] };
            let parent = self.place[parent as usize];
            let first = (rules.first_edges)(self.first[corner as usize]);
            reached.push(Reached { corner, cost, first, parent });
            // A corner of higher rank covers all that lies behind it.
            for edge in graph.edges(corner).iter().filter(|e| e.to > root) {
                let to = edge.to as usize;
                let further = cost.saturating_add(edge.cost);
                long |= further > LIMIT;
                if further < self.distance[to] {
                    if self.distance[to] == INFINITY {
                        self.touched.push(edge.to);
                    }
                    self.distance[to] = further;
                    self.first[to] = 0;
                    self.parent[to] = corner;
                    self.open.push(Reverse(u64::from(further) << 32 | u64::from(edge.to)));
                }
                if further == self.distance[to] {
                    self.first[to] |= 1 << graph.class_between(edge.to, corner);
                }
            }
        }
        for corner in self.touched.drain(..) {
            self.distance[corner as usize] = INFINITY;
        }
        for entry in &labels[root as usize] {
            self.to_hub[entry.hub as usize] = INFINITY;
        }
        if long { Err(Stop::Long) } else { Ok(reached) }
    }
}

/// Turns what a batch found into canonical labels and trees.
struct Cleaner {
    to_hub: Vec<Cost>,
    place: Vec<u32>,
}

impl Cleaner {
    /// Keeps what hubs of the same batch (from `begin`) before `root` do not cover.
    /// Returns how many entries were kept.
    fn keep(
        &mut self,
        graph: &CornerGraph,
        made: &mut CornerLabels,
        begin: u32,
        root: u32,
        reached: Vec<Reached>,
    ) -> usize {
        let of_batch = |label: &[Entry]| label.partition_point(|e| e.hub < begin);
        let own = &made.labels[root as usize];
        let own: Vec<Entry> = own[of_batch(own)..].to_vec();
        for entry in &own {
            self.to_hub[entry.hub as usize] = entry.cost;
        }
        let mut nodes = Vec::with_capacity(reached.len());
        let mut kept = Vec::with_capacity(reached.len());
        // A kept corner's parent is kept too: what covers the parent covers the corner.
        for (n, r) in reached.iter().enumerate() {
            let label = &made.labels[r.corner as usize];
            let covers = |e: &Entry| self.to_hub[e.hub as usize].saturating_add(e.cost) <= r.cost;
            if label[of_batch(label)..].iter().any(covers) {
                continue;
            }
            let parent = self.place[reached[r.parent as usize].corner as usize];
            self.place[r.corner as usize] = nodes.len() as u32;
            nodes.push((graph.tiles[r.corner as usize], if n == 0 { 0 } else { parent }));
            kept.push(r);
            made.radius = made.radius.max(r.cost);
        }
        for entry in &own {
            self.to_hub[entry.hub as usize] = INFINITY;
        }
        let positions = made.trees.add(&nodes);
        for (r, position) in kept.iter().zip(positions) {
            let entry = Entry { hub: root, cost: r.cost, position, first: r.first };
            made.labels[r.corner as usize].push(entry);
        }
        kept.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::links::Survey;
    use super::*;
    use crate::grid::Movement;
    use crate::rng::Rng;
    use crate::taut::exact_tests::drawn_map;

    /// The definition of canonical labels, by all distances.
    #[test]
    fn labels_are_canonical_and_trees_hold_their_lengths() {
        let mut rng = Rng::new(2);
        for round in 0..60 {
            let movement = Movement::ALL[round % 3];
            let grid = drawn_map(&mut rng, 16, 13, movement);
            let rules = Rules::new(movement);
            let (graph, _) = Survey::new(&grid, &rules).join().unwrap();
            let n = graph.len();
            let mut order: Vec<u32> = (0..n as u32).collect();
            rng.shuffle(&mut order);
            let graph = graph.renamed(&order);
            let mut between = vec![vec![INFINITY; n]; n];
            for a in 0..n {
                between[a][a] = Cost::ZERO;
                graph.edges(a as u32).iter().for_each(|e| between[a][e.to as usize] = e.cost);
            }
            for via in 0..n {
                for a in 0..n {
                    for b in 0..n {
                        let through = between[a][via] + between[via][b];
                        between[a][b] = between[a][b].min(through);
                    }
                }
            }
            let made = label(&graph, &rules, usize::MAX).unwrap();
            for v in 0..n {
                let canonical = |&h: &usize| {
                    let covered = |x: usize| between[h][x] + between[x][v] == between[h][v];
                    between[h][v] < INFINITY && !(0..h).any(covered)
                };
                let expected: Vec<u32> = (0..n).filter(canonical).map(|h| h as u32).collect();
                let found: Vec<u32> = made.labels[v].iter().map(|e| e.hub).collect();
                assert_eq!(found, expected, "round {round}, corner {v}");
                for entry in &made.labels[v] {
                    assert_eq!(entry.cost, between[entry.hub as usize][v]);
                    let mut way = Vec::new();
                    made.trees.climb(entry.position, |tile| way.push(tile));
                    assert_eq!(way[0], graph.tiles[v]);
                    assert_eq!(way[way.len() - 1], graph.tiles[entry.hub as usize]);
                    let length: Cost =
                        way.windows(2).map(|leg| movement.estimate(leg[0], leg[1])).sum();
                    assert_eq!(length, entry.cost);
                    let firsts = graph.edges(v as u32).iter().filter(|e| {
                        e.cost + between[e.to as usize][entry.hub as usize] == entry.cost
                    });
                    let classes =
                        firsts.fold(0_u16, |set, e| set | 1 << graph.class_between(v as u32, e.to));
                    assert_eq!(classes, entry.first);
                }
            }
        }
    }
}
