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
use super::slab::Slab;

impl Hierarchy {
    /// Sorts out the arcs of all corners. Up to now all are among those that searches use.
    pub(super) fn sort_out_all(&mut self) {
        let count = self.corners.len();
        let all = std::mem::replace(&mut self.up, Slab::new(count));
        let (mut places, mut longer) = (vec![0; count], Vec::new());
        for corner in 0..count as u32 {
            let list = all.get(corner);
            longer.clear();
            longer.resize(list.len(), false);
            for (place, arc) in (1..).zip(list) {
                places[arc.to as usize] = place;
            }
            for (n, first) in list.iter().enumerate() {
                for second in all.get(first.to) {
                    let place = places[second.to as usize];
                    if place != 0 {
                        let m = place as usize - 1;
                        longer[m] |= first.cost + second.cost < list[m].cost;
                        longer[n] |= list[m].cost + second.cost < first.cost;
                    }
                }
            }
            list.iter().for_each(|arc| places[arc.to as usize] = 0);
            self.set_arcs(corner, list.iter().copied().zip(longer.iter().copied()));
        }
    }

    /// Sorts out the arcs of one corner.
    pub(super) fn sort_out(&mut self, corner: u32) {
        let arcs = self.all(corner).map(|arc| (*arc, self.is_longer(corner, arc)));
        let mut arcs: Vec<(Arc, bool)> = arcs.collect();
        arcs.sort_unstable_by_key(|(arc, _)| arc.to);
        self.set_arcs(corner, arcs.into_iter());
    }

    /// Whether there is a strictly shorter way than an arc over a third corner.
    pub(super) fn is_longer(&self, corner: u32, arc: &Arc) -> bool {
        self.all(corner).filter(|via| via.cost < arc.cost).any(|via| {
            let (low, high) =
                if self.is_below(via.to, arc.to) { (via.to, arc.to) } else { (arc.to, via.to) };
            self.arc(low, high).is_some_and(|rest| via.cost + rest.cost < arc.cost)
        })
    }

    /// Takes over the arcs of a corner, sorted by where they lead, each with whether it
    /// is longer than another way.
    pub(super) fn set_arcs(&mut self, corner: u32, arcs: impl Iterator<Item = (Arc, bool)>) {
        let (aside, used): (Vec<_>, Vec<_>) = arcs.partition(|(_, longer)| *longer);
        let [used, aside] = [used, aside]
            .map(|list| list.into_iter().map(|(arc, _)| arc).collect::<Vec<Arc>>());
        self.corners[corner as usize].leaves = used.iter().fold(0, |set, arc| set | arc.leave);
        self.up.set(corner, &used);
        self.aside.set(corner, &aside);
    }
}
