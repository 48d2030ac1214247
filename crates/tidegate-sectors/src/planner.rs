//! A planner: sectors in use, bounds and a policy, changed by the queries it answers.
//!
//! A query may change the planner, so it belongs to one thread and not to the shared
//! index. Two planners that begin in the same state and answer the same queries under
//! the expansion clock give the same paths and end in the same state.

use std::sync::Arc;

use crate::clock::Clock;
use crate::cover::Cover;
use crate::dsma::Dsma;
use crate::ground::Ground;
use crate::hierarchy::SectorId;
use crate::policy::{Policy, View};
use crate::tally::{Bounds, Tally};
use crate::travel::{Memory, Travel};
use crate::trip::{Meter, Trip, Way};
use tidegate::index::{Answer, Index, Query, QueryError, Scratch};
use tidegate::index::{DynObserver, QueryObserver, ResolvedQuery, answer_unconnected};
use tidegate::path::Path;

/// Answers queries within bounds of time as well as it can, and learns from them.
///
/// ```
/// use std::sync::Arc;
/// use tidegate_sectors::{Bounds, Expansions, Ground, SectorPlanner};
/// use tidegate::{Grid, Index, Movement, Path, Query, Scratch, Tile};
/// let grid = Grid::from_fn(60, 40, Movement::OneSideFree, |x, y| x != 30 || y == 3).unwrap();
/// let ground = Arc::new(Ground::triangles(&grid, 4).unwrap());
/// let index = Index::new(grid);
/// let mut planner = SectorPlanner::dsma(ground, Bounds::new(10, 100).unwrap());
/// let (mut scratch, mut path) = (Scratch::new(), Path::new());
/// let query = Query::new(Tile::new(2, 30), Tile::new(57, 35));
/// let answer = planner.find(&index, &query, &mut Expansions, &mut scratch, &mut path).unwrap();
/// assert!(answer.stats.expanded > 100, "too slow, so a sector is split");
/// assert_eq!(planner.tally().splits, 1);
/// assert_eq!(planner.cover().leaf_count(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct SectorPlanner<P> {
    pub(super) ground: Arc<Ground>,
    pub(super) cover: Cover,
    pub(super) policy: P,
    pub(super) bounds: Bounds,
    pub(super) tally: Tally,
    /// Expansions of all searches so far.
    pub(super) expanded: u64,
    /// Whether the knots are taken out of paths.
    pub(super) tidy: bool,
    trip: Trip,
    memory: Memory,
}

impl SectorPlanner<Dsma> {
    /// A planner of DSMA that begins with the basic sectors.
    pub fn dsma(ground: Arc<Ground>, bounds: Bounds) -> SectorPlanner<Dsma> {
        let cover = Cover::new(ground.hierarchy());
        let policy = Dsma::new(View { hierarchy: ground.hierarchy(), cover: &cover });
        SectorPlanner::new(ground, cover, policy, bounds)
    }
}

impl<P: Policy> SectorPlanner<P> {
    pub(super) fn new(
        ground: Arc<Ground>,
        cover: Cover,
        policy: P,
        bounds: Bounds,
    ) -> SectorPlanner<P> {
        let (trip, memory) = (Trip::default(), Memory::default());
        let tally = Tally::default();
        SectorPlanner {
            ground,
            cover,
            policy,
            bounds,
            tally,
            expanded: 0,
            tidy: false,
            trip,
            memory,
        }
    }

    /// The same planner, taking the knots out of its paths: where a path comes back
    /// beside a tile that it has left, it takes the step at once. Beyond the paper.
    pub fn tidied(self) -> SectorPlanner<P> {
        SectorPlanner { tidy: true, ..self }
    }

    /// The map's sectors.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The sectors in use.
    pub fn cover(&self) -> &Cover {
        &self.cover
    }

    /// The policy with its state.
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// The bounds in force.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// What was done so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts from zero again.
    pub fn reset_tally(&mut self) {
        self.tally = Tally::default();
    }

    /// The last query, sector by sector.
    pub fn last_trip(&self) -> &Trip {
        &self.trip
    }

    /// Bytes held, the shared ground not counted.
    pub fn bytes(&self) -> usize {
        self.state_bytes() + self.memory.bytes()
    }

    /// Bytes of the state alone, without the memory of queries.
    pub(crate) fn state_bytes(&self) -> usize {
        self.cover.bytes() + self.policy.numbers().len() * 4
    }

    /// The same planner without the memory of queries.
    pub(super) fn rested(self) -> SectorPlanner<P> {
        SectorPlanner { trip: Trip::default(), memory: Memory::default(), ..self }
    }

    /// Answers a query, writes the way into `path` and adapts the sectors.
    pub fn find(
        &mut self,
        index: &Index,
        query: &Query<'_>,
        clock: &mut dyn Clock,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Answer, QueryError> {
        path.clear();
        let ask = index.resolve(query)?;
        if !ask.is_connected() {
            return answer_unconnected(&ask, scratch, path, None);
        }
        self.answer(&ask, clock, scratch, path, None)
    }

    pub(crate) fn answer(
        &mut self,
        ask: &ResolvedQuery<'_>,
        clock: &mut dyn Clock,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut DynObserver<'_>>,
    ) -> Result<Answer, QueryError> {
        let mut meter = Meter { clock, expanded: self.expanded };
        let answer = self.travel(ask, &mut meter, scratch, path, watch, true)?;
        if answer.cost().is_some() {
            self.learn(&mut meter);
        }
        Ok(answer)
    }

    /// Answers a query and changes nothing but the memory of the last trip. Who only
    /// measures does not want the path itself.
    pub(super) fn travel(
        &mut self,
        ask: &ResolvedQuery<'_>,
        meter: &mut Meter<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        watch: Option<&mut DynObserver<'_>>,
        wanted: bool,
    ) -> Result<Answer, QueryError> {
        let SectorPlanner { ground, cover, memory, trip, tidy, .. } = self;
        let attended = QueryObserver::new(ask, watch);
        let (tiles, tidy) = (scratch.tiles(), *tidy);
        let travel = Travel { ask, ground, cover, memory, tiles, meter, attended, tidy, wanted };
        let answer = travel.run(trip, path);
        self.expanded = meter.expanded;
        answer
    }

    /// Judges the last trip against the bounds and changes one sector at most.
    fn learn(&mut self, meter: &mut Meter<'_>) {
        let begin = meter.now();
        let view = View { hierarchy: self.ground.hierarchy(), cover: &self.cover };
        self.policy.note(view, &self.trip);
        let noted = meter.now();
        self.count();
        self.tally.note_ticks += noted - begin;
        match self.verdict() {
            Some(Change::Split) if self.split().is_some() => {
                self.tally.splits += 1;
                self.tally.split_ticks += meter.now() - noted;
            }
            Some(Change::Merge) if self.merge().is_some() => {
                self.tally.merges += 1;
                self.tally.merge_ticks += meter.now() - noted;
            }
            _ => {}
        }
    }

    /// Counts the last trip.
    pub(super) fn count(&mut self) {
        self.tally.queries += 1;
        self.tally.direct += u64::from(self.trip.way != Way::Guided);
        self.tally.above += u64::from(self.trip.ticks > self.bounds.upper());
        self.tally.below += u64::from(self.trip.ticks < self.bounds.lower());
    }

    /// What the last trip calls for. Within one sector the path is the best already, so
    /// that time to spare is no reason to merge.
    pub(super) fn verdict(&self) -> Option<Change> {
        if self.trip.ticks > self.bounds.upper() {
            Some(Change::Split)
        } else if self.trip.ticks < self.bounds.lower() && self.trip.way != Way::SameSector {
            Some(Change::Merge)
        } else {
            None
        }
    }

    /// Splits the sector that the policy chooses.
    pub(super) fn split(&mut self) -> Option<SectorId> {
        let whole = self.policy.to_split(self.view(), &self.trip)?;
        self.split_at(whole).then_some(whole)
    }

    /// Merges the halves that the policy chooses.
    pub(super) fn merge(&mut self) -> Option<SectorId> {
        let whole = self.policy.to_merge(self.view(), &self.trip)?;
        self.merge_at(whole).then_some(whole)
    }

    pub(super) fn split_at(&mut self, whole: SectorId) -> bool {
        let Some(halves) = self.ground.hierarchy().halves(whole) else { return false };
        let done = self.cover.split(self.ground.hierarchy(), whole);
        if done {
            self.policy.was_split(whole, halves);
        }
        done
    }

    pub(super) fn merge_at(&mut self, whole: SectorId) -> bool {
        let Some(halves) = self.ground.hierarchy().halves(whole) else { return false };
        let done = self.cover.merge(self.ground.hierarchy(), whole);
        if done {
            self.policy.was_merged(whole, halves);
        }
        done
    }

    fn view(&self) -> View<'_> {
        View { hierarchy: self.ground.hierarchy(), cover: &self.cover }
    }
}

/// What a query's time calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Split,
    Merge,
}
