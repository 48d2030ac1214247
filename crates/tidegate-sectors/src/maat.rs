//! Map Abstraction with Adjustable Time bounds: sectors that cost time are made finer.
//!
//! The time of a sector is that of the low-level searches that begin, end or pass there
//! on the path just found; nothing is remembered between queries. Before any query the
//! sectors and the bounds are fitted to the map, see [`prepare`](crate::prepare).

use crate::hierarchy::SectorId;
use crate::policy::{Policy, View};
use crate::trip::Trip;

/// The policy of MAAT. It has no state of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Maat;

impl Policy for Maat {
    const NAME: &'static str = "maat";

    fn note(&mut self, _: View<'_>, _: &Trip) {}

    /// The sector on the way that took most time; of equals the least split, then the
    /// first on the way.
    fn to_split(&self, view: View<'_>, trip: &Trip) -> Option<SectorId> {
        let able = trip.route.iter().filter(|v| view.cover.can_split(view.hierarchy, v.sector));
        let most = able.min_by_key(|visit| {
            (std::cmp::Reverse(visit.ticks), view.hierarchy.level(visit.sector))
        });
        most.map(|visit| visit.sector)
    }

    /// Of the pairs of halves on the way the one that took least time together; where
    /// no pair lies on the way with both halves, one half is enough.
    fn to_merge(&self, view: View<'_>, trip: &Trip) -> Option<SectorId> {
        let rated = view.mergeable().filter_map(|(whole, halves)| {
            let ticks = halves.map(|half| trip.ticks_of(half));
            let missing = ticks.iter().filter(|t| t.is_none()).count();
            let together: u64 = ticks.iter().flatten().sum();
            (missing < 2).then_some((missing, together, whole))
        });
        rated.min().map(|(_, _, whole)| whole)
    }

    fn was_split(&mut self, _: SectorId, _: [SectorId; 2]) {}

    fn was_merged(&mut self, _: SectorId, _: [SectorId; 2]) {}

    fn numbers(&self) -> &[u32] {
        &[]
    }

    fn from_numbers(_: View<'_>, numbers: Vec<u32>) -> Option<Maat> {
        numbers.is_empty().then_some(Maat)
    }
}
