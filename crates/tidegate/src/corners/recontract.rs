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
struct Change {
    to: u32,
    /// The way as it is now, if there is one.
    way: Option<Arc>,
    /// Whether the arc may rest on the way as it was.
    lost: bool,
}

/// Arcs to look at again, by rank and number of the corner they leave.
type Queue = BTreeMap<(u32, u32), Vec<Change>>;

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
        while let Some(((_, corner), mut looks)) = queue.pop_first() {
            looks.sort_unstable_by_key(|change| change.to);
            let old = self.sorted_arcs(corner);
            let new = self.look_again(rules, changes, corner, (&old, &looks), &mut marks);
            if old != new {
                self.replace(corner, &old, &new);
                done.lists.push(corner);
            } else if !changes.patterns.contains_key(&corner) {
                continue;
            }
            let ends = self.ends(rules, changes, corner, (&old, &new));
            done.recosted.extend(ends.iter().filter_map(|end| {
                let costs = end.arcs.map(|arc| arc.map(|arc| arc.cost));
                (costs[0] != costs[1]).then_some(Recosted { low: corner, high: end.to, costs })
            }));
            self.pass_on(corner, &ends, &mut queue, &mut marks);
        }
        self.settle(rules, changes, &done, &mut marks);
    }

    fn key(&self, corner: u32) -> (u32, u32) {
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

    /// Takes over the arcs of a corner.
    fn replace(&mut self, corner: u32, old: &[Arc], new: &[Arc]) {
        for (list, other, add) in [(old, new, false), (new, old, true)] {
            for arc in list.iter().filter(|arc| find(other, arc.to).is_none()) {
                let mut down = self.down.get(arc.to).to_vec();
                match (down.binary_search(&corner), add) {
                    (Err(at), true) => down.insert(at, corner),
                    (Ok(at), false) => drop(down.remove(at)),
                    _ => {}
                }
                self.down.set(arc.to, &down);
            }
        }
        // All among those that searches use, until they are sorted out.
        self.up.set(corner, new);
        self.aside.set(corner, &[]);
    }

    /// All ends of a corner's arcs before and after, in the order of contraction.
    fn ends(
        &self,
        rules: &Rules,
        changes: &GraphChanges,
        corner: u32,
        (old, new): (&[Arc], &[Arc]),
    ) -> Vec<End> {
        let now = self.corners[corner as usize].pattern;
        let before = changes.patterns.get(&corner).copied().unwrap_or(now);
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        let mut ends = Vec::new();
        let next = |a: Option<&&Arc>, b: Option<&&Arc>| [a, b].into_iter().flatten().map(|arc| arc.to).min();
        while let Some(to) = next(old.peek(), new.peek()) {
            let arcs = [old.next_if(|arc| arc.to == to), new.next_if(|arc| arc.to == to)];
            let arcs = arcs.map(Option::<&Arc>::copied);
            let turns = [(before, arcs[0]), (now, arcs[1])].map(|(pattern, arc)| {
                arc.map_or(0, |arc| departures(rules, pattern, back(arc.leave)))
            });
            let differs = before != now || arcs[0] != arcs[1];
            ends.push(End { to, key: self.key(to), arcs, turns, differs });
        }
        ends.sort_unstable_by_key(|end| end.key);
        ends
    }

    /// Queues the arcs between the ends of a corner's arcs that its change may concern.
    fn pass_on(&self, corner: u32, ends: &[End], queue: &mut Queue, marks: &mut [u32]) {
        let differing: Vec<&End> = ends.iter().filter(|end| end.differs).collect();
        let mut ways = Vec::new();
        for (n, low) in ends.iter().enumerate() {
            let way = |high: &End| {
                let [was, is] = [0, 1].map(|time| low.way(corner, high, time));
                (was != is).then_some((high.to, was, is))
            };
            ways.clear();
            if low.differs {
                ways.extend(ends[n + 1..].iter().filter_map(way));
            } else {
                let above = differing.partition_point(|end| end.key < low.key);
                ways.extend(differing[above..].iter().filter_map(|high| way(high)));
            }
            if ways.is_empty() {
                continue;
            }
            let mark = |marks: &mut [u32], on: u32| {
                self.all(low.to).for_each(|arc| marks[arc.to as usize] = on * (arc.cost + 1));
            };
            let is_marked = ways.len() > FEW_WAYS;
            if is_marked {
                mark(marks, 1);
            }
            let found = ways.drain(..).filter_map(|(high, was, is)| {
                let known = if is_marked {
                    marks[high as usize].checked_sub(1)
                } else {
                    self.arc(low.to, high).map(|arc| arc.cost)
                };
                change(high, known, was, is)
            });
            let found: Vec<Change> = found.collect();
            if is_marked {
                mark(marks, 0);
            }
            if !found.is_empty() {
                queue.entry(low.key).or_default().extend(found);
            }
        }
    }
}

/// So many arcs of a corner are looked up one by one; for more, all are marked.
const FEW_WAYS: usize = 6;

/// Of two arcs between the same corners the better one, or both in one.
fn merged(mut one: Arc, other: Arc) -> Arc {
    one.merge(other);
    one
}

/// What a way that was and is like this means for an arc that had this cost.
fn change(to: u32, known: Option<u32>, was: Option<Arc>, is: Option<Arc>) -> Option<Change> {
    let counts = |way: &Arc| known.is_none_or(|known| way.cost <= known);
    let (was, is) = (was.filter(counts), is.filter(counts));
    let grown = |was: Arc, is: Arc| {
        is.cost == was.cost && was.leave & !is.leave == 0 && was.arrive & !is.arrive == 0
    };
    let lost = was.is_some_and(|was| !is.is_some_and(|is| grown(was, is)));
    (was.is_some() || is.is_some()).then_some(Change { to, way: is, lost })
}

/// Where an arc of a corner leads or led.
struct End {
    to: u32,
    /// Its rank and number.
    key: (u32, u32),
    /// The arc before and after.
    arcs: [Option<Arc>; 2],
    /// The classes in which ways go on that came over these.
    turns: [u16; 2],
    differs: bool,
}

impl End {
    /// The way over the corner from this end to another, before or after.
    fn way(&self, corner: u32, other: &End, time: usize) -> Option<Arc> {
        let (one, two) = (self.arcs[time].as_ref()?, other.arcs[time].as_ref()?);
        let fits = one.cost + two.cost <= LIMIT.get();
        (fits && two.leave & self.turns[time] != 0).then(|| one.through(corner, two))
    }
}
