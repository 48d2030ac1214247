//! Contracting again what a change of the graph reaches, arc by arc.
//!
//! An arc from `v` up to `w` is the shortest of the edge between them and the ways over
//! the corners below both. When arcs of such a corner change, so does its way. A way that
//! is now shorter than the arc takes its place; if one as short as the arc got longer or
//! allows other turns, all ways are compared again; else nothing happened. Corners are
//! taken in the order of contraction, and the work ends where arcs come out as they were.

use std::collections::BTreeMap;

use super::arc::{Arc, EDGE, back, departures};
use super::hierarchy::{Hierarchy, find};
use crate::cost::LIMIT;
use crate::taut::Rules;

/// What changed in the graph of corners.
#[derive(Debug, Default)]
pub(super) struct GraphChanges {
    /// By the lower and the higher corner: whether there is an edge now.
    pub(super) edges: BTreeMap<(u32, u32), bool>,
    /// Corners that allow other turns now, with their patterns before.
    pub(super) patterns: BTreeMap<u32, u8>,
}

/// A way that changed, for the arc that it contributes to.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) to: u32,
    /// The way as it is now, if there is one.
    pub(super) way: Option<Arc>,
    /// Whether the arc may rest on the way as it was.
    pub(super) lost: bool,
}

/// Arcs to look at again, by rank and number of the corner they leave.
pub(super) type Queue = BTreeMap<(u32, u32), Vec<Change>>;

/// An arc that is now longer or shorter, with both costs.
#[derive(Debug)]
pub(super) struct Recosted {
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) costs: [Option<u32>; 2],
}

/// What contracting again has changed.
#[derive(Debug, Default)]
pub(super) struct Recontracted {
    /// Corners with other arcs.
    pub(super) lists: Vec<u32>,
    /// Those of one corner follow each other.
    pub(super) recosted: Vec<Recosted>,
}

impl Hierarchy {
    /// Brings all arcs up to date. The patterns of corners are those after the change.
    pub(super) fn recontract(&mut self, rules: &Rules, changes: &GraphChanges) {
        let mut queue = Queue::new();
        for (&(low, high), &present) in &changes.edges {
            let [from, to] = [low, high].map(|n| self.corners[n as usize].tile);
            let way = present.then(|| Arc::edge(rules, from, high, to));
            let change = Change { to: high, way, lost: !present };
            queue.entry(self.key(low)).or_default().push(change);
        }
        for &corner in changes.patterns.keys() {
            queue.entry(self.key(corner)).or_default();
        }
        let mut done = Recontracted::default();
        let mut marks = vec![0; self.corners.len()];
        let mut downs = DownChanges::new();
        while let Some(((_, corner), mut looks)) = queue.pop_first() {
            if let Some(changes) = downs.remove(&corner) {
                self.update_down(corner, changes);
            }
            looks.sort_unstable_by_key(|change| change.to);
            let old = self.sorted_arcs(corner);
            let new = self.look_again(rules, changes, corner, (&old, &looks), &mut marks);
            if old != new {
                self.replace(corner, &old, &new, &mut downs);
                done.lists.push(corner);
            } else if !changes.patterns.contains_key(&corner) {
                continue;
            }
            let pattern = self.corners[corner as usize].pattern;
            let before = changes.patterns.get(&corner).copied().unwrap_or(pattern);
            let ends = self.ends(rules, [(before, &old), (pattern, &new)]);
            done.recosted.extend(ends.iter().filter_map(|end| {
                let costs = end.arcs.map(|arc| arc.map(|arc| arc.cost));
                (costs[0] != costs[1]).then_some(Recosted { low: corner, high: end.to, costs })
            }));
            self.pass_on(corner, &ends, &mut queue, &mut marks);
        }
        downs.into_iter().for_each(|(corner, changes)| self.update_down(corner, changes));
        self.settle(rules, changes, &done, &mut marks);
    }

    pub(super) fn key(&self, corner: u32) -> (u32, u32) {
        (self.corners[corner as usize].rank, corner)
    }

    /// The arcs of a corner sorted by where they lead, without their turns.
    fn sorted_arcs(&self, corner: u32) -> Vec<Arc> {
        let arcs = self.all(corner).map(|arc| Arc { turns: 0, ..*arc });
        let mut arcs: Vec<Arc> = arcs.collect();
        arcs.sort_unstable_by_key(|arc| arc.to);
        arcs
    }

    /// The arcs of a corner, given what they were and which ways changed, both sorted.
    fn look_again(
        &self,
        rules: &Rules,
        changes: &GraphChanges,
        corner: u32,
        (old, looks): (&[Arc], &[Change]),
        marks: &mut [u32],
    ) -> Vec<Arc> {
        let mut new = Vec::with_capacity(old.len() + 8);
        // Arcs for which all ways are to be compared.
        let mut open: Vec<(u32, Option<Arc>)> = Vec::new();
        let mut kept = old.iter().peekable();
        for group in looks.chunk_by(|a, b| a.to == b.to) {
            let to = group[0].to;
            while let Some(arc) = kept.next_if(|arc| arc.to < to) {
                new.push(*arc);
            }
            let known = kept.next_if(|arc| arc.to == to);
            let ways = group.iter().filter_map(|change| change.way);
            let least = ways.clone().map(|way| way.cost).min();
            let is_shorter = known.is_none_or(|known| least.is_some_and(|cost| cost < known.cost));
            if is_shorter {
                new.extend(ways.reduce(merged));
            } else if group.iter().any(|change| change.lost) {
                let was_edge = known.is_some_and(|arc| arc.middle == EDGE);
                let is_edge = changes.edges.get(&(corner, to)).copied().unwrap_or(was_edge);
                let [from, end] = [corner, to].map(|n| self.corners[n as usize].tile);
                open.push((to, is_edge.then(|| Arc::edge(rules, from, to, end))));
            } else {
                new.extend(known.map(|known| ways.fold(*known, merged)));
            }
        }
        new.extend(kept);
        if !open.is_empty() {
            self.compare_ways(rules, corner, &mut open, marks);
            new.extend(open.into_iter().filter_map(|(_, best)| best));
            new.sort_unstable_by_key(|arc| arc.to);
        }
        new
    }

    /// Finds the best ways from a corner to some others over the corners below it.
    fn compare_ways(
        &self,
        rules: &Rules,
        corner: u32,
        open: &mut [(u32, Option<Arc>)],
        marks: &mut [u32],
    ) {
        (1..).zip(&*open).for_each(|(n, (to, _))| marks[*to as usize] = n);
        for &below in self.down.get(corner) {
            let Some(here) = self.arc(below, corner) else { continue };
            let turns = departures(rules, self.corners[below as usize].pattern, back(here.leave));
            for there in self.all(below) {
                let mark = marks[there.to as usize];
                let fits = here.cost + there.cost <= LIMIT.get();
                if mark != 0 && fits && there.leave & turns != 0 {
                    let (best, way) = (&mut open[mark as usize - 1].1, here.through(below, there));
                    *best = Some(best.map_or(way, |best| merged(best, way)));
                }
            }
        }
        open.iter().for_each(|(to, _)| marks[*to as usize] = 0);
    }

    /// Takes over the arcs of a corner, and notes which corners it leads to that it did
    /// not lead to before, or the other way round.
    fn replace(&mut self, corner: u32, old: &[Arc], new: &[Arc], ends: &mut DownChanges) {
        for (list, other, is_new) in [(old, new, false), (new, old, true)] {
            for arc in list.iter().filter(|arc| find(other, arc.to).is_none()) {
                ends.entry(arc.to).or_default().push((corner, is_new));
            }
        }
        // All among those that searches use, until they are sorted out.
        self.up.set(corner, new);
        self.aside.set(corner, &[]);
    }

    /// Brings the list of the corners that lead to this one up to date.
    fn update_down(&mut self, corner: u32, mut changes: Vec<(u32, bool)>) {
        changes.sort_unstable();
        let known = self.down.get(corner).iter().copied();
        let mut down: Vec<u32> = known
            .filter(|below| changes.binary_search_by_key(below, |&(below, _)| below).is_err())
            .collect();
        down.extend(changes.into_iter().filter(|&(_, is_new)| is_new).map(|(below, _)| below));
        down.sort_unstable();
        self.down.set(corner, &down);
    }
}

/// By corner: corners that lead to it now, or no more.
type DownChanges = BTreeMap<u32, Vec<(u32, bool)>>;

/// Of two arcs between the same corners the better one, or both in one.
fn merged(mut one: Arc, other: Arc) -> Arc {
    one.merge(other);
    one
}
