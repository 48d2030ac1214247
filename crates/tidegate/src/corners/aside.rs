//! Arcs that searches leave aside: those for which there is a *strictly* shorter way over
//! a third corner. (One of two equal ways may be the only one that allows a turn.)
//!
//! ```text
//!          u            v and both others have arcs between them, and v - u - w is
//!        /   \          shorter than the arc v - w: no shortest path uses that arc.
//!      v ----- w        It is kept, because other arcs may have been made of it.
//! ```

use super::arc::Arc;
use super::hierarchy::Hierarchy;

impl Hierarchy {
    /// Sorts out the arcs of a corner. `marks` is 0 for every corner.
    pub(super) fn sort_out(&mut self, corner: u32, marks: &mut [u32]) {
        let mut arcs: Vec<(Arc, bool)> = self.all(corner).map(|arc| (*arc, false)).collect();
        for (place, (arc, _)) in (1..).zip(&arcs) {
            marks[arc.to as usize] = place;
        }
        for n in 0..arcs.len() {
            let (first, mut longer) = arcs[n];
            for second in self.all(first.to) {
                let mark = marks[second.to as usize] as usize;
                if mark != 0 {
                    let (other, other_longer) = &mut arcs[mark - 1];
                    *other_longer |= first.cost + second.cost < other.cost;
                    longer |= other.cost + second.cost < first.cost;
                }
            }
            arcs[n].1 = longer;
        }
        arcs.iter().for_each(|(arc, _)| marks[arc.to as usize] = 0);
        self.set_arcs(corner, arcs);
    }

    /// Whether there is a strictly shorter way than an arc over a third corner.
    pub(super) fn is_longer(&self, corner: u32, arc: &Arc) -> bool {
        self.all(corner).filter(|via| via.cost < arc.cost).any(|via| {
            let (low, high) =
                if self.is_below(via.to, arc.to) { (via.to, arc.to) } else { (arc.to, via.to) };
            self.arc(low, high).is_some_and(|rest| via.cost + rest.cost < arc.cost)
        })
    }

    /// Takes over the arcs of a corner, each with whether it is longer than another way.
    pub(super) fn set_arcs(&mut self, corner: u32, mut arcs: Vec<(Arc, bool)>) {
        arcs.sort_unstable_by_key(|(arc, longer)| (*longer, arc.to));
        let used = arcs.partition_point(|(_, longer)| !longer);
        let list: Vec<Arc> = arcs.into_iter().map(|(arc, _)| arc).collect();
        let (used, aside) = list.split_at(used);
        self.corners[corner as usize].leaves = used.iter().fold(0, |set, arc| set | arc.leave);
        self.up.set(corner, used);
        self.aside.set(corner, aside);
    }
}
