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
    /// Sorts out the arcs of all corners. Every list is sorted by where the arcs lead.
    pub(super) fn sort_out_all(&mut self) {
        let count = self.corners.len();
        let (mut places, mut longer) = (vec![0; count], Vec::new());
        for corner in 0..count as u32 {
            let list = self.up.get(corner);
            longer.clear();
            longer.resize(list.len(), false);
            for (place, arc) in (1..).zip(list) {
                places[arc.to as usize] = place;
            }
            for (n, first) in list.iter().enumerate() {
                for second in self.up.get(first.to) {
                    let place = places[second.to as usize];
                    if place != 0 {
                        let m = place as usize - 1;
                        longer[m] |= first.cost + second.cost < list[m].cost;
                        longer[n] |= list[m].cost + second.cost < first.cost;
                    }
                }
            }
            list.iter().for_each(|arc| places[arc.to as usize] = 0);
            let flags = longer.iter().copied();
            self.arrange(corner, flags);
        }
    }

    /// Sorts out the arcs of one corner, whose list is sorted by where they lead.
    pub(super) fn sort_out(&mut self, corner: u32) {
        let list = self.up.get(corner);
        let longer: Vec<bool> = list.iter().map(|arc| self.is_longer(corner, arc)).collect();
        self.arrange(corner, longer.into_iter());
    }

    /// Whether there is a strictly shorter way than an arc over a third corner.
    pub(super) fn is_longer(&self, corner: u32, arc: &Arc) -> bool {
        self.up.get(corner).iter().filter(|via| via.cost < arc.cost).any(|via| {
            let (low, high) =
                if self.is_below(via.to, arc.to) { (via.to, arc.to) } else { (arc.to, via.to) };
            self.arc(low, high).is_some_and(|rest| via.cost + rest.cost < arc.cost)
        })
    }

    /// Puts the arcs of a corner in order, given which of them are longer than other ways.
    pub(super) fn arrange(&mut self, corner: u32, longer: impl Iterator<Item = bool>) {
        let list = self.up.get_mut(corner);
        // Arcs lead to different corners, so there are no equals.
        let mut order: Vec<(bool, Arc)> = longer.zip(list.iter().copied()).collect();
        order.sort_unstable_by_key(|(longer, arc)| (*longer, arc.to));
        let used = order.iter().take_while(|(longer, _)| !longer);
        let (count, leaves) = used.fold((0, 0), |(n, set), (_, arc)| (n + 1, set | arc.leave));
        list.iter_mut().zip(order).for_each(|(place, (_, arc))| *place = arc);
        let corner = &mut self.corners[corner as usize];
        (corner.used, corner.leaves) = (count, leaves);
    }
}
