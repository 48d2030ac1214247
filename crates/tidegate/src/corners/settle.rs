//! After contracting again: which arcs searches use, and how they go on.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::repeat;

use super::arc::Arc;
use super::hierarchy::Hierarchy;
use super::recontract::{GraphChanges, Recontracted};
use crate::taut::Rules;

impl Hierarchy {
    pub(super) fn finish(&mut self, rules: &Rules, changes: &GraphChanges, done: &Recontracted) {
        let doubtful = self.doubtful(done);
        let mut moved: BTreeSet<u32> = changes.patterns.keys().copied().collect();
        let leaves = |made: &Hierarchy, n: u32| made.corners[n as usize].leaves;
        for &corner in &done.lists {
            let before = leaves(self, corner);
            self.sort_out(corner);
            if leaves(self, corner) != before {
                moved.insert(corner);
            }
        }
        for (&corner, ends) in &doubtful {
            let before = leaves(self, corner);
            let lists = [(self.up.get(corner), false), (self.aside.get(corner), true)];
            let arcs = lists.into_iter().flat_map(|(list, was)| list.iter().zip(repeat(was)));
            let mut arcs: Vec<(Arc, bool)> = arcs
                .map(|(arc, was)| {
                    let doubt = ends.contains(&arc.to);
                    (*arc, if doubt { self.is_longer(corner, arc) } else { was })
                })
                .collect();
            arcs.sort_unstable_by_key(|(arc, _)| arc.to);
            self.set_arcs(corner, arcs.into_iter());
            if leaves(self, corner) != before {
                moved.insert(corner);
            }
        }
        for &corner in &done.lists {
            self.find_turns(rules, corner);
        }
        for &corner in &moved {
            for n in 0..self.down.get(corner).len() {
                let below = self.down.get(corner)[n];
                self.find_turns_of(rules, below, corner);
            }
        }
        self.up.tidy();
        self.aside.tidy();
        self.down.tidy();
    }

    /// Arcs, by the corners they leave, that may be longer than another way where they
    /// were not, or the other way round: an arc between their end and another one has
    /// another cost. Lists that changed themselves are left out.
    fn doubtful(&self, done: &Recontracted) -> BTreeMap<u32, BTreeSet<u32>> {
        let mut found: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for arc in &done.recosted {
            for corner in self.below_both(arc.low, arc.high) {
                if done.lists.contains(&corner) {
                    continue;
                }
                let ends = [arc.low, arc.high];
                let [Some(one), Some(other)] = ends.map(|end| self.arc(corner, end)) else {
                    continue;
                };
                for (arc_to, over) in [(one, other), (other, one)] {
                    let [was, is] = arc.costs.map(|rest| {
                        rest.is_some_and(|rest| over.cost + rest < arc_to.cost)
                    });
                    if was != is {
                        found.entry(corner).or_default().insert(arc_to.to);
                    }
                }
            }
        }
        found
    }
}
