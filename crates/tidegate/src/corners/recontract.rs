//! Contracting again what a change of the graph reaches, arc by arc.
//!
//! An arc from `v` up to `w` is the shortest of the edge between them and the ways over
//! the corners below both. When arcs of such a corner change, so does its way. A way that
//! is now shorter than the arc takes its place; if one as short as the arc got longer or
//! allows other turns, all ways are compared again; else nothing happened. Corners are
//! taken in the order of contraction, and the work ends where arcs come out as they were.

use std::collections::{BTreeMap, BTreeSet};

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
    pub(super) lists: BTreeSet<u32>,
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
        while let Some(((_, corner), mut looks)) = queue.pop_first() {
            looks.sort_unstable_by_key(|change| change.to);
            let old = self.sorted_arcs(corner);
            let mut new = Vec::with_capacity(old.len() + 8);
            let mut kept = old.iter().peekable();
            for group in looks.chunk_by(|a, b| a.to == b.to) {
                let to = group[0].to;
                while let Some(arc) = kept.next_if(|arc| arc.to < to) {
                    new.push(*arc);
                }
                let known = kept.next_if(|arc| arc.to == to);
                let is_edge = changes.edges.get(&(corner, to)).copied();
                let is_edge = is_edge.unwrap_or(known.is_some_and(|arc| arc.middle == EDGE));
                new.extend(self.look_again(rules, (corner, to), known, group, is_edge));
            }
            new.extend(kept);
            if old != new {
                self.replace(corner, &old, &new);
                done.lists.insert(corner);
            } else if !changes.patterns.contains_key(&corner) {
                continue;
            }
            self.pass_on(rules, changes, corner, (&old, &new), &mut queue, &mut done.recosted);
        }
        self.finish(rules, changes, &done);
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

    /// An arc, given what it was and which ways changed.
    fn look_again(
        &self,
        rules: &Rules,
        (low, high): (u32, u32),
        known: Option<&Arc>,
        changes: &[Change],
        is_edge: bool,
    ) -> Option<Arc> {
        let ways = changes.iter().filter_map(|change| change.way);
        let merged = |mut a: Arc, b: Arc| {
            a.merge(b);
            a
        };
        let Some(known) = known else { return ways.reduce(merged) };
        let best = ways.clone().map(|way| way.cost).min();
        if best.is_some_and(|best| best < known.cost) {
            return ways.reduce(merged);
        }
        if changes.iter().any(|change| change.lost) {
            return self.work_out(rules, low, high, is_edge);
        }
        Some(ways.fold(*known, merged))
    }

    /// The arc from a corner up to another, over all corners below both.
    fn work_out(&self, rules: &Rules, low: u32, high: u32, is_edge: bool) -> Option<Arc> {
        let [from, to] = [low, high].map(|n| self.corners[n as usize].tile);
        let mut best = is_edge.then(|| Arc::edge(rules, from, high, to));
        for below in self.below_both(low, high) {
            let (Some(one), Some(other)) = (self.arc(below, low), self.arc(below, high)) else {
                continue;
            };
            let turns = departures(rules, self.corners[below as usize].pattern, back(one.leave));
            let cost = one.cost + other.cost;
            if cost > LIMIT.get() || other.leave & turns == 0 {
                continue;
            }
            let found = one.through(below, other);
            match &mut best {
                Some(best) => best.merge(found),
                None => best = Some(found),
            }
        }
        best
    }

    /// The corners with arcs to both of two corners.
    pub(super) fn below_both(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        let (mut few, mut many) = (self.down.get(a), self.down.get(b));
        if few.len() > many.len() {
            (few, many) = (many, few);
        }
        few.iter().copied().filter(|below| many.binary_search(below).is_ok())
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

    /// Queues the arcs further up that a change of a corner's arcs may concern.
    fn pass_on(
        &self,
        rules: &Rules,
        changes: &GraphChanges,
        corner: u32,
        (old, new): (&[Arc], &[Arc]),
        queue: &mut Queue,
        recosted: &mut Vec<Recosted>,
    ) {
        let now = self.corners[corner as usize].pattern;
        let before = changes.patterns.get(&corner).copied().unwrap_or(now);
        let ends = ends(old, new);
        let differs = |end: &End| before != now || end.arcs[0] != end.arcs[1];
        for (n, a) in ends.iter().enumerate().filter(|(_, end)| differs(end)) {
            let costs = a.arcs.map(|arc| arc.map(|arc| arc.cost));
            if costs[0] != costs[1] {
                recosted.push(Recosted { low: corner, high: a.to, costs });
            }
            let turns = [(before, a.arcs[0]), (now, a.arcs[1])].map(|(pattern, arc)| {
                arc.map_or(0, |arc| departures(rules, pattern, back(arc.leave)))
            });
            for (m, b) in ends.iter().enumerate() {
                // A pair of two that differ comes once.
                if n == m || m < n && differs(b) {
                    continue;
                }
                // Turns are the same both ways.
                let over = |time: usize| {
                    let (one, other) = (a.arcs[time]?, b.arcs[time]?);
                    let fits = one.cost + other.cost <= LIMIT.get();
                    (fits && other.leave & turns[time] != 0).then_some((one, other))
                };
                let pairs = [over(0), over(1)];
                if pairs == [None, None] {
                    continue;
                }
                let a_is_low = self.is_below(a.to, b.to);
                let ways = pairs.map(|pair| {
                    pair.map(|(a, b)| {
                        if a_is_low { a.through(corner, &b) } else { b.through(corner, &a) }
                    })
                });
                let (low, high) = if a_is_low { (a.to, b.to) } else { (b.to, a.to) };
                if let Some(change) = self.change(low, high, ways) {
                    queue.entry(self.key(low)).or_default().push(change);
                }
            }
        }
    }

    /// What a way that was and is like this means for an arc that is as it was.
    fn change(&self, low: u32, high: u32, [was, is]: [Option<Arc>; 2]) -> Option<Change> {
        if was == is {
            return None;
        }
        let known = self.arc(low, high);
        let counts = |way: &Arc| known.is_none_or(|known| way.cost <= known.cost);
        let (was, is) = (was.filter(counts), is.filter(counts));
        let grown = |was: Arc, is: Arc| {
            is.cost == was.cost && was.leave & !is.leave == 0 && was.arrive & !is.arrive == 0
        };
        let lost = was.is_some_and(|was| !is.is_some_and(|is| grown(was, is)));
        (was.is_some() || is.is_some()).then_some(Change { to: high, way: is, lost })
    }
}

/// Where an arc of a corner leads or led, with the arc before and after.
struct End {
    to: u32,
    arcs: [Option<Arc>; 2],
}

/// All ends of a corner's arcs before and after, both sorted.
fn ends(old: &[Arc], new: &[Arc]) -> Vec<End> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut ends = Vec::new();
    loop {
        let next = [old.peek(), new.peek()].into_iter().flatten().map(|arc| arc.to).min();
        let Some(to) = next else { return ends };
        let arcs = [old.next_if(|arc| arc.to == to), new.next_if(|arc| arc.to == to)];
        ends.push(End { to, arcs: arcs.map(Option::<&Arc>::copied) });
    }
}
