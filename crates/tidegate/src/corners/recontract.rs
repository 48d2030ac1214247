//! Contracting again what a change of the graph reaches, arc by arc.
//!
//! An arc from `v` up to `w` is the shortest of the edge between them and the ways over
//! the corners below both. So when an arc changes, those arcs are looked at again to which
//! it contributed, or now contributes, a way at least as short as they are. Corners are
//! taken in the order of contraction; the work ends where arcs come out as they were.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use super::hierarchy::{Arc, EDGE, Hierarchy, Workspace, back, departures};
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

/// The way over a middle corner from the end of one of its arcs to that of another.
fn way(rules: &Rules, pattern: u8, middle: u32, one: &Arc, other: &Arc) -> Option<Arc> {
    let turns = departures(rules, pattern, back(one.leave));
    let fits = one.cost + other.cost <= LIMIT.get();
    (fits && other.leave & turns != 0).then(|| one.through(middle, other))
}

impl Hierarchy {
    /// The arc from a corner up to another, as it should be.
    fn work_out(&self, rules: &Rules, low: u32, high: u32, is_edge: bool) -> Option<Arc> {
        let [from, to] = [low, high].map(|n| self.corners[n as usize].tile);
        let mut best = is_edge.then(|| Arc::edge(rules, from, high, to));
        let (few, many) = {
            let lists = [self.down.get(low), self.down.get(high)];
            if lists[0].len() < lists[1].len() {
                (lists[0], lists[1])
            } else {
                (lists[1], lists[0])
            }
        };
        for &below in few.iter().filter(|below| many.binary_search(below).is_ok()) {
            let list = self.up.get(below);
            let arc = |to: u32| list.iter().find(|arc| arc.to == to);
            let (Some(one), Some(other)) = (arc(low), arc(high)) else { continue };
            let pattern = self.corners[below as usize].pattern;
            if let Some(found) = way(rules, pattern, below, one, other) {
                match &mut best {
                    Some(best) => best.merge(found),
                    None => best = Some(found),
                }
            }
        }
        best
    }

    /// Brings all arcs up to date. The patterns of corners are those after the change.
    pub(super) fn recontract(&mut self, rules: &Rules, changes: &GraphChanges) {
        let mut queue: BinaryHeap<Reverse<(u32, u32, u32)>> = BinaryHeap::new();
        let rank = |made: &Hierarchy, n: u32| made.corners[n as usize].rank;
        for &(low, high) in changes.edges.keys() {
            queue.push(Reverse((rank(self, low), low, high)));
        }
        for &corner in changes.patterns.keys() {
            // A mark, so that the corner has its turn.
            queue.push(Reverse((rank(self, corner), corner, corner)));
        }
        let mut touched: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut targets = Vec::new();
        while let Some(Reverse((_, corner, first))) = queue.pop() {
            targets.clear();
            targets.push(first);
            while let Some(&Reverse((_, next, target))) = queue.peek()
                && next == corner
            {
                queue.pop();
                if targets.last() != Some(&target) {
                    targets.push(target);
                }
            }
            targets.retain(|&target| target != corner);
            let old = self.sorted_arcs(corner);
            let mut new = old.clone();
            for &target in &targets {
                let at = new.binary_search_by_key(&target, |arc| arc.to);
                let was_edge = at.is_ok_and(|at| new[at].middle == EDGE);
                let is_edge = changes.edges.get(&(corner, target)).copied().unwrap_or(was_edge);
                match (self.work_out(rules, corner, target, is_edge), at) {
                    (Some(arc), Ok(at)) => new[at] = arc,
                    (Some(arc), Err(at)) => new.insert(at, arc),
                    (None, Ok(at)) => drop(new.remove(at)),
                    (None, Err(_)) => {}
                }
            }
            let turned = changes.patterns.contains_key(&corner);
            if old == new && !turned {
                continue;
            }
            if old != new {
                self.replace(corner, &old, &new);
            }
            self.pass_on(rules, changes, corner, (&old, &new), |made, low, high| {
                queue.push(Reverse((rank(made, low), low, high)));
            });
            let all = old.iter().chain(&new).map(|arc| arc.to);
            touched.extend(
                all.filter(|&to| arc_to(&old, to) != arc_to(&new, to)).map(|to| (corner, to)),
            );
        }
        self.finish(rules, changes, &touched);
    }

    /// The arcs of a corner sorted by where they lead, without their turns.
    fn sorted_arcs(&self, corner: u32) -> Vec<Arc> {
        let arcs = self.up.get(corner).iter().map(|arc| Arc { turns: 0, ..*arc });
        let mut arcs: Vec<Arc> = arcs.collect();
        arcs.sort_unstable_by_key(|arc| arc.to);
        arcs
    }

    /// Takes over the arcs of a corner.
    fn replace(&mut self, corner: u32, old: &[Arc], new: &[Arc]) {
        for (list, other, add) in [(old, new, false), (new, old, true)] {
            for arc in list.iter().filter(|arc| arc_to(other, arc.to).is_none()) {
                let mut down = self.down.get(arc.to).to_vec();
                match (down.binary_search(&corner), add) {
                    (Err(at), true) => down.insert(at, corner),
                    (Ok(at), false) => drop(down.remove(at)),
                    _ => {}
                }
                self.down.set(arc.to, &down);
            }
        }
        self.up.set(corner, new);
    }

    /// Calls `look` for the arcs further up that a change of a corner's arcs may concern.
    fn pass_on(
        &self,
        rules: &Rules,
        changes: &GraphChanges,
        corner: u32,
        (old, new): (&[Arc], &[Arc]),
        mut look: impl FnMut(&Hierarchy, u32, u32),
    ) {
        let now = self.corners[corner as usize].pattern;
        let before = changes.patterns.get(&corner).copied().unwrap_or(now);
        let mut ends: Vec<u32> = old.iter().chain(new).map(|arc| arc.to).collect();
        ends.sort_unstable();
        ends.dedup();
        let differs = |to: u32| before != now || arc_to(old, to) != arc_to(new, to);
        for (n, &a) in ends.iter().enumerate() {
            for &b in &ends[n + 1..] {
                if !differs(a) && !differs(b) {
                    continue;
                }
                let (low, high) = if self.is_below(a, b) { (a, b) } else { (b, a) };
                let over = |list: &[Arc], pattern: u8| {
                    way(rules, pattern, corner, arc_to(list, low)?, arc_to(list, high)?)
                };
                let ways = [over(old, before), over(new, now)];
                let known = self.up.get(low).iter().find(|arc| arc.to == high);
                let counts = |way: &Arc| known.is_none_or(|known| way.cost <= known.cost);
                if ways[0] != ways[1] && ways.iter().flatten().any(counts) {
                    look(self, low, high);
                }
            }
        }
    }

    /// Works out again which arcs searches use, and how they go on.
    fn finish(&mut self, rules: &Rules, changes: &GraphChanges, touched: &BTreeSet<(u32, u32)>) {
        // An arc stands aside for a way over a third corner: those of the two ends, and
        // of the corners below both.
        let mut resort: BTreeSet<u32> = BTreeSet::new();
        for &(low, high) in touched {
            let (of_low, of_high) = (self.down.get(low), self.down.get(high));
            resort.insert(low);
            resort.extend(of_low.iter().filter(|below| of_high.binary_search(below).is_ok()));
        }
        let mut space = Workspace::new(self.corners.len());
        let mut moved: BTreeSet<u32> = changes.patterns.keys().copied().collect();
        for &corner in &resort {
            let leaves = self.corners[corner as usize].leaves;
            self.sort_out(corner, &mut space);
            if self.corners[corner as usize].leaves != leaves {
                moved.insert(corner);
            }
        }
        let below: BTreeSet<u32> = moved.iter().flat_map(|&n| self.down.get(n)).copied().collect();
        resort.extend(below);
        resort.iter().for_each(|&corner| self.find_turns(rules, corner));
        self.up.tidy();
        self.down.tidy();
    }
}

/// The arc to a corner in a sorted list.
fn arc_to(list: &[Arc], to: u32) -> Option<&Arc> {
    list.binary_search_by_key(&to, |arc| arc.to).ok().map(|at| &list[at])
}
