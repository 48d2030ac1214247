//! Demand Sensitive Map Abstraction: sectors in demand are made finer.
//!
//! The demand of a sector counts how often it held a start or a goal and how often the
//! abstract search expanded it; it falls by one with every query that does not. The
//! sectors in use stand in a queue by falling demand. After a slow query the first of
//! the queue that can be split is; after a quick one the two halves with the least
//! demand together are merged. A sector's demand is shared out to its halves, and
//! halves add theirs up again, so that the total stays what the queries made it.

use crate::hierarchy::SectorId;
use crate::policy::{Policy, View};
use crate::trip::Trip;

/// Demands and the queue. The queue holds exactly the sectors in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dsma {
    demand: Vec<u32>,
    queue: Vec<SectorId>,
    /// By sector: whether the last query used it. Kept to save an allocation.
    used: Vec<bool>,
}

impl Dsma {
    /// No demand anywhere.
    pub fn new(view: View<'_>) -> Dsma {
        let sectors = view.hierarchy.len();
        let queue = view.cover.leaves(view.hierarchy).collect();
        Dsma { demand: vec![0; sectors], queue, used: vec![false; sectors] }
    }

    /// The demand of a sector in use.
    pub fn demand(&self, sector: SectorId) -> u32 {
        self.demand[sector.index()]
    }

    /// The sectors in use by falling demand; equals in the order of their numbers.
    pub fn queue(&self) -> &[SectorId] {
        &self.queue
    }

    fn sort(&mut self) {
        // No two are equal, so any sort gives the same order; this one allocates nothing.
        let demand = &self.demand;
        self.queue.sort_unstable_by_key(|&s| (std::cmp::Reverse(demand[s.index()]), s));
    }
}

impl Policy for Dsma {
    const NAME: &'static str = "dsma";

    fn note(&mut self, _: View<'_>, trip: &Trip) {
        let ends = trip.route.first().into_iter().chain(trip.route.last());
        let ends = ends.map(|visit| visit.sector);
        for sector in ends.chain(trip.expanded.iter().copied()) {
            let demand = &mut self.demand[sector.index()];
            *demand = demand.saturating_add(1);
            self.used[sector.index()] = true;
        }
        for sector in &self.queue {
            let used = std::mem::take(&mut self.used[sector.index()]);
            let demand = &mut self.demand[sector.index()];
            *demand = demand.saturating_sub(u32::from(!used));
        }
        self.sort();
    }

    fn to_split(&self, view: View<'_>, _: &Trip) -> Option<SectorId> {
        self.queue.iter().copied().find(|&s| view.cover.can_split(view.hierarchy, s))
    }

    fn to_merge(&self, view: View<'_>, _: &Trip) -> Option<SectorId> {
        let together = |halves: [SectorId; 2]| -> u64 {
            halves.iter().map(|&half| u64::from(self.demand(half))).sum()
        };
        let least = view.mergeable().min_by_key(|&(_, halves)| together(halves));
        least.map(|(whole, _)| whole)
    }

    fn was_split(&mut self, whole: SectorId, halves: [SectorId; 2]) {
        let demand = std::mem::take(&mut self.demand[whole.index()]);
        self.demand[halves[0].index()] = demand.div_ceil(2);
        self.demand[halves[1].index()] = demand / 2;
        self.queue.retain(|&s| s != whole);
        self.queue.extend(halves);
        self.sort();
    }

    fn was_merged(&mut self, whole: SectorId, halves: [SectorId; 2]) {
        let demands = halves.map(|half| std::mem::take(&mut self.demand[half.index()]));
        self.demand[whole.index()] = demands[0].saturating_add(demands[1]);
        self.queue.retain(|s| !halves.contains(s));
        self.queue.push(whole);
        self.sort();
    }

    fn numbers(&self) -> &[u32] {
        &self.demand
    }

    fn from_numbers(view: View<'_>, numbers: Vec<u32>) -> Option<Dsma> {
        let mut dsma = Dsma::new(view);
        let idle = |(i, &n): (usize, &u32)| {
            n == 0 || view.cover.is_leaf(view.hierarchy, SectorId::from_index(i))
        };
        if numbers.len() != dsma.demand.len() || !numbers.iter().enumerate().all(idle) {
            return None;
        }
        dsma.demand = numbers;
        dsma.sort();
        Some(dsma)
    }
}
