//! After contracting again: which arcs searches use, and how they go on.

use std::collections::BTreeSet;

use super::arc::Arc;
use super::hierarchy::Hierarchy;
use super::recontract::{GraphChanges, Recontracted};
use crate::taut::Rules;

impl Hierarchy {
    /// Sorts out arcs again, and finds how searches go on, where that changed. `marks` is
    /// 0 for every corner.
    pub(super) fn settle(
        &mut self,
        rules: &Rules,
        changes: &GraphChanges,
        done: &Recontracted,
        marks: &mut [u32],
    ) {
        let doubtful = self.doubtful(done, marks);
        let mut moved: BTreeSet<u32> = changes.patterns.keys().copied().collect();
        let leaves = |made: &Hierarchy, n: u32| made.corners[n as usize].leaves;
        for &corner in &done.lists {
            let before = leaves(self, corner);
            self.sort_out(corner, marks);
            if leaves(self, corner) != before {
                moved.insert(corner);
            }
        }
        for arcs in doubtful.chunk_by(|a, b| a.0 == b.0) {
            let corner = arcs[0].0;
            let before = leaves(self, corner);
            self.sort_out_some(corner, arcs);
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

    /// Sorts out some arcs of a corner, given by both their ends.
    fn sort_out_some(&mut self, corner: u32, some: &[(u32, u32)]) {
        let judged = |arc: &Arc, was: bool| {
            let doubt = some.iter().any(|&(_, to)| to == arc.to);
            (*arc, if doubt { self.is_longer(corner, arc) } else { was })
        };
        let used = self.up.get(corner).iter().map(|arc| judged(arc, false));
        let aside = self.aside.get(corner).iter().map(|arc| judged(arc, true));
        let arcs: Vec<(Arc, bool)> = used.chain(aside).collect();
        self.set_arcs(corner, arcs);
    }

    /// Arcs, by both their ends and sorted, that may be longer than another way where they
    /// were not, or the other way round: an arc between their upper end and another one has
    /// another cost. Lists that changed themselves are left out.
    fn doubtful(&self, done: &Recontracted, marks: &mut [u32]) -> Vec<(u32, u32)> {
        let mut is_new = vec![false; marks.len()];
        done.lists.iter().for_each(|&corner| is_new[corner as usize] = true);
        let mut found = Vec::new();
        for arcs in done.recosted.chunk_by(|a, b| a.low == b.low) {
            let low = arcs[0].low;
            (1..).zip(arcs).for_each(|(n, arc)| marks[arc.high as usize] = n);
            for &corner in self.down.get(low).iter().filter(|&&below| !is_new[below as usize]) {
                let Some(one) = self.arc(corner, low) else { continue };
                for other in self.all(corner) {
                    let mark = marks[other.to as usize] as usize;
                    if mark == 0 {
                        continue;
                    }
                    for (arc, over) in [(one, other), (other, one)] {
                        let [was, is] = arcs[mark - 1]
                            .costs
                            .map(|rest| rest.is_some_and(|rest| over.cost + rest < arc.cost));
                        if was != is {
                            found.push((corner, arc.to));
                        }
                    }
                }
            }
            arcs.iter().for_each(|arc| marks[arc.high as usize] = 0);
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
