//! What one query did on the sectors in use, timed: what a policy judges.

use crate::clock::Clock;
use crate::hierarchy::SectorId;

/// How a path was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Way {
    /// Start and goal lie in one sector: plain A*, the best path.
    #[default]
    SameSector,
    /// Only sectors that were never split lie on the way: plain A*, the best path.
    Basic,
    /// Through the sub-goals of the sectors on the way.
    Guided,
    /// Plain A*, because the sectors led nowhere, or on a long detour.
    Fallback,
}

/// A sector on the abstract path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The sector.
    pub sector: SectorId,
    /// Time of the legs that begin, end or pass here.
    pub ticks: u64,
    /// Whether the path was led through its sub-goal.
    pub aimed: bool,
}

/// One query: the sectors it took and the time it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trip {
    /// How the path was looked for.
    pub way: Way,
    /// The sectors from start to goal.
    pub route: Vec<Visit>,
    /// The sectors that the abstract search expanded.
    pub expanded: Vec<SectorId>,
    /// Time of planning in all, abstract and on tiles.
    pub ticks: u64,
}

impl Trip {
    pub(super) fn clear(&mut self) {
        self.route.clear();
        self.expanded.clear();
        (self.way, self.ticks) = (Way::default(), 0);
    }

    /// Adds a sector at the end of the route.
    pub(super) fn visit(&mut self, sector: SectorId) {
        self.route.push(Visit { sector, ticks: 0, aimed: false });
    }

    /// The time spent on a sector; `None` if it is not on the route.
    pub fn ticks_of(&self, sector: SectorId) -> Option<u64> {
        let visits = self.route.iter().filter(|visit| visit.sector == sector);
        visits.map(|visit| visit.ticks).reduce(|a, b| a + b)
    }
}

/// A clock together with the expansions it may count.
pub(super) struct Meter<'c> {
    pub(super) clock: &'c mut dyn Clock,
    pub(super) expanded: u64,
}

impl Meter<'_> {
    pub(super) fn now(&mut self) -> u64 {
        self.clock.ticks(self.expanded)
    }
}
