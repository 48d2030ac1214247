//! When to split and merge, and what: the part in which DSMA and MAAT differ.
//!
//! A policy only chooses. The planner does what it says, keeps the bounds and counts.

use crate::cover::Cover;
use crate::hierarchy::{Hierarchy, SectorId};
use crate::trip::Trip;

/// The sectors in use, as a policy sees them.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// All sectors there may be.
    pub hierarchy: &'a dyn Hierarchy,
    /// Those in use.
    pub cover: &'a Cover,
}

/// Chooses what to change after a query.
pub trait Policy: Clone + std::fmt::Debug {
    /// The name in saved states.
    const NAME: &'static str;

    /// Notes a query, whether or not anything is changed after it.
    fn note(&mut self, view: View<'_>, trip: &Trip);

    /// The sector to split after a query that took too long.
    fn to_split(&self, view: View<'_>, trip: &Trip) -> Option<SectorId>;

    /// The sector whose halves to merge after a query with time to spare.
    fn to_merge(&self, view: View<'_>, trip: &Trip) -> Option<SectorId>;

    /// A sector was split into these halves.
    fn was_split(&mut self, whole: SectorId, halves: [SectorId; 2]);

    /// These halves were merged into a sector.
    fn was_merged(&mut self, whole: SectorId, halves: [SectorId; 2]);

    /// The policy's own state as numbers, to be saved: nothing, or one per sector.
    fn numbers(&self) -> &[u32];

    /// The policy with saved numbers; `None` if they cannot be its own.
    fn from_numbers(view: View<'_>, numbers: Vec<u32>) -> Option<Self>;
}

impl View<'_> {
    /// The sectors whose halves can be merged, in rising order of their numbers.
    pub(super) fn mergeable(&self) -> impl Iterator<Item = (SectorId, [SectorId; 2])> + '_ {
        self.cover.splits().filter_map(|whole| {
            let halves = self.hierarchy.halves(whole)?;
            self.cover.can_merge(self.hierarchy, whole).then_some((whole, halves))
        })
    }
}
