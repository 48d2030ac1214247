//! Asking labels of a map that has changed since: an exact answer, or none.

use super::LiveLabels;
use super::cluster::{Cluster, Ways};
use super::legs::{LegScratch, write_legal};
use super::terminals::shorten;
use super::zone::ZoneScratch;
use crate::cost::{Cost, INFINITY};
use crate::grid::{Grid, Tile};
use crate::labels::LabelScratch;
use crate::labels::query::LabelRoute;
use crate::path::Path;

/// What labels know of a changed map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveAnswer {
    /// The length of a shortest path on the map as it is now.
    Found(Cost),
    /// Nothing: a search has to find the path, or that there is none.
    Unknown,
}

impl LiveAnswer {
    /// The length, if it is known.
    pub fn cost(self) -> Option<Cost> {
        match self {
            LiveAnswer::Found(cost) => Some(cost),
            LiveAnswer::Unknown => None,
        }
    }
}

/// The memory of a query: make one for each thread and keep it.
#[derive(Clone, Debug, Default)]
pub struct LiveScratch {
    pub(super) labels: LabelScratch,
    /// How to come from the start, and to the goal, to tiles that the labels know.
    pub(super) ends: [End; 2],
    /// Terminals that may lie on a shorter way.
    near: Vec<u32>,
    /// Their distances from the start on the old map.
    costs: Vec<Cost>,
    /// By terminal: the distance from the start.
    reached: Vec<Cost>,
    /// Terminals that may be the last on a shorter way.
    lasts: Vec<u32>,
    goals: Vec<Tile>,
    pub(super) turns: Vec<Tile>,
    legs: LegScratch,
    /// Where a query that wants only the distance writes its path.
    path: Path,
}

/// The start or the goal.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    pub(super) tile: Tile,
    /// The cluster and the number in its zone, if the tile was opened.
    pub(super) inside: Option<(u32, usize)>,
    /// Tiles that the labels know, the cost to each, and their numbers in the zone.
    pub(super) exits: Vec<(Tile, Cost, usize)>,
    pub(super) zone: ZoneScratch,
}

impl LiveScratch {
    /// The memory of a query to labels of the map as it is.
    pub(in crate::labels) fn labels(&mut self) -> &mut LabelScratch {
        &mut self.labels
    }

    /// Memory that grows to fit the labels it is first used with.
    pub fn new() -> LiveScratch {
        LiveScratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let exit = size_of::<(Tile, Cost, usize)>();
        let ends = self.ends.iter().map(|end| exit * end.exits.capacity() + end.zone.bytes());
        let near = self.near.capacity() + self.reached.capacity() + self.lasts.capacity();
        let lists = near + self.goals.capacity() + self.costs.capacity() + self.turns.capacity();
        let lists = 4 * lists;
        self.labels.bytes() + ends.sum::<usize>() + lists + self.legs.bytes() + self.path.bytes()
    }
}

/// How the shortest way with all opened tiles goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// As the labels say.
    Labels(LabelRoute),
    /// Without leaving the zone that both ends lie in.
    Zone,
    /// An old way between exits of the ends.
    Old(usize, usize),
    /// By way of terminals.
    Terminals(usize, usize),
}

impl LiveLabels {
    /// The length of a shortest path on `grid`, the map that was [followed](Self::follow).
    pub fn distance(
        &self,
        grid: &Grid,
        start: Tile,
        goal: Tile,
        scratch: &mut LiveScratch,
    ) -> LiveAnswer {
        let mut path = std::mem::take(&mut scratch.path);
        let answer = self.path(grid, start, goal, scratch, &mut path);
        scratch.path = path;
        answer
    }

    /// Writes every tile of a shortest path on `grid`, the map that was
    /// [followed](Self::follow), and returns its length. The path is empty where the
    /// answer is unknown: also for ends that are wall or have no way between them, and on
    /// another map than the one that was followed.
    pub fn path(
        &self,
        grid: &Grid,
        start: Tile,
        goal: Tile,
        scratch: &mut LiveScratch,
        path: &mut Path,
    ) -> LiveAnswer {
        path.clear();
        if self.revision.check(grid).is_err() {
            return LiveAnswer::Unknown;
        }
        let found = if self.is_current() {
            self.labels.path(start, goal, &mut scratch.labels, path)
        } else {
            self.changed_path(grid, start, goal, scratch, path)
        };
        found.map_or(LiveAnswer::Unknown, LiveAnswer::Found)
    }

    fn changed_path(
        &self,
        grid: &Grid,
        start: Tile,
        goal: Tile,
        scratch: &mut LiveScratch,
        path: &mut Path,
    ) -> Option<Cost> {
        if !grid.is_free(start) || !grid.is_free(goal) {
            return None;
        }
        for (end, tile) in scratch.ends.iter_mut().zip([start, goal]) {
            self.find_exits(grid, tile, end)?;
        }
        let (cost, way) = self.shortest(start, goal, scratch)?;
        let movement = self.labels.movement;
        self.write_turns(way, scratch)?;
        let LiveScratch { turns, legs, .. } = scratch;
        let sum: u64 =
            turns.windows(2).map(|leg| u64::from(movement.estimate(leg[0], leg[1]))).sum();
        // Never otherwise, unless the labels were made up.
        if sum != u64::from(cost) {
            return None;
        }
        // A direct way was tested in one order of steps: slanting first from the upper tile.
        let slant_first = turns.len() > 2 || start.y <= goal.y;
        write_legal(grid, turns, slant_first, legs, path).then_some(cost)
    }

    pub(super) fn cluster(&self, number: u32) -> Option<&Cluster> {
        self.clusters.get(number as usize)?.as_deref()
    }

    /// Finds how an end is connected to tiles that the labels know; `None` if the tile was
    /// opened in a cluster whose ways are not known.
    fn find_exits(&self, grid: &Grid, tile: Tile, end: &mut End) -> Option<()> {
        end.tile = tile;
        end.inside = None;
        end.exits.clear();
        let opened = if self.opened.is_empty() { None } else { self.opened.get(&grid.cell(tile)?) };
        let Some(&cluster) = opened else {
            end.exits.push((tile, Cost::ZERO, 0));
            return Some(());
        };
        let Ways::Known(zone, _) = &self.cluster(cluster)?.ways else { return None };
        let inside = zone.number(tile)?;
        zone.search(inside, &mut end.zone);
        let exits = zone.exits(inside, &end.zone);
        end.exits.extend(exits.map(|(n, cost)| (zone.tiles[n], cost, n)));
        end.inside = Some((cluster, inside));
        Some(())
    }

    /// The shortest way on the old map with all opened tiles.
    fn shortest(&self, start: Tile, goal: Tile, scratch: &mut LiveScratch) -> Option<(Cost, Way)> {
        let mut best = (INFINITY, Way::Zone);
        let [from, to] = &scratch.ends;
        if from.inside.is_none() && to.inside.is_none() {
            if let Some((cost, route)) = self.labels.route(start, goal, &mut scratch.labels) {
                best = (cost, Way::Labels(route));
            }
        } else {
            self.between_exits(&mut best, scratch);
        }
        // A way by terminals may be shorter than all through clusters that are not known. This
        // is seldom so, and the search that follows otherwise is quicker than to find out.
        let may_be_shorter = |&number: &u32| {
            let bounds = self.cluster(number).map(|cluster| cluster.bounds);
            bounds.is_none_or(|b| b.detour(self.labels.movement, start, goal) < best.0)
        };
        if self.unknown.iter().any(may_be_shorter) {
            return None;
        }
        self.by_terminals(start, goal, &mut best, scratch);
        (best.0 < INFINITY).then_some(best)
    }

    /// Looks for the shortest old way between exits of the ends, of which one or both were
    /// opened.
    fn between_exits(&self, best: &mut (Cost, Way), scratch: &mut LiveScratch) {
        let [from, to] = &scratch.ends;
        if let (Some((cluster, _)), Some((other, inside))) = (from.inside, to.inside)
            && cluster == other
        {
            best.0 = from.zone.cost(inside);
        }
        scratch.goals.clear();
        scratch.goals.extend(to.exits.iter().map(|&(tile, ..)| tile));
        for (n, &(tile, cost, _)) in from.exits.iter().enumerate() {
            let goals = &scratch.goals;
            self.labels.costs_from(tile, goals, &mut scratch.labels, &mut scratch.costs);
            for (m, (&between, &(_, rest, _))) in scratch.costs.iter().zip(&to.exits).enumerate() {
                let sum = cost.saturating_add(between).saturating_add(rest);
                if sum < best.0 {
                    *best = (sum, Way::Old(n, m));
                }
            }
        }
    }

    /// Looks for a shorter way by terminals.
    fn by_terminals(
        &self,
        start: Tile,
        goal: Tile,
        best: &mut (Cost, Way),
        scratch: &mut LiveScratch,
    ) {
        let LiveScratch { labels, ends, near, costs, reached, lasts, .. } = scratch;
        let terminals = &self.terminals;
        let estimate = |a, b| self.labels.movement.estimate(a, b);
        let is_near = |tile: Tile| estimate(start, tile) + estimate(tile, goal) < best.0;
        near.clear();
        near.extend((0..).zip(&terminals.tiles).filter(|&(_, &t)| is_near(t)).map(|(n, _)| n));
        if near.is_empty() {
            return;
        }
        let listed = |n: u32| (terminals.tiles[n as usize], &*terminals.hubs[n as usize]);
        // Distances from the start to terminals, then from there over arcs to others.
        costs.clear();
        costs.resize(near.len(), INFINITY);
        for &(tile, cost, _) in &ends[0].exits {
            let mut least = costs.iter_mut();
            self.labels.costs_to_listed(tile, near.iter().map(|&n| listed(n)), labels, |between| {
                if let Some(least) = least.next() {
                    *least = (*least).min(cost.saturating_add(between));
                }
            });
        }
        reached.clear();
        reached.resize(terminals.tiles.len(), INFINITY);
        for (&u, &before) in near.iter().zip(&*costs) {
            if before.saturating_add(estimate(terminals.tiles[u as usize], goal)) < best.0 {
                shorten(reached, before, terminals.row(u as usize));
            }
        }
        // From the goal to those that may still be on a shorter way.
        let last = (0..).zip(&*reached).filter(|&(v, &cost)| {
            cost.saturating_add(estimate(terminals.tiles[v as usize], goal)) < best.0
        });
        let last = last.map(|(v, _): (u32, _)| v);
        lasts.clear();
        lasts.extend(last);
        if lasts.is_empty() {
            return;
        }
        let mut shortest = None;
        for &(tile, cost, _) in &ends[1].exits {
            let mut numbers = lasts.iter();
            self.labels.costs_to_listed(
                tile,
                lasts.iter().map(|&n| listed(n)),
                labels,
                |between| {
                    let Some(&v) = numbers.next() else { return };
                    let sum = reached[v as usize].saturating_add(between).saturating_add(cost);
                    if sum < best.0 {
                        best.0 = sum;
                        shortest = Some(v as usize);
                    }
                },
            );
        }
        let Some(v) = shortest else { return };
        let first = near.iter().zip(&*costs).find(|&(&u, &before)| {
            before < INFINITY && before + terminals.row(u as usize)[v] == reached[v]
        });
        if let Some((&u, _)) = first {
            best.1 = Way::Terminals(u as usize, v);
        }
    }
}
