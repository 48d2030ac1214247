//! A query on the sectors in use: the abstract plan, then legs from sub-goal to sub-goal.
//!
//! A path is found whenever there is one: a sub-goal that is a wall or cannot be reached
//! is passed over, and where the sectors lead nowhere the goal is searched from the
//! start directly. Both searches are the common loop.

use std::ops::RangeInclusive;

use crate::cover::Cover;
use crate::ground::{Ground, Shape};
use crate::route::{self, SectorRoute, Stop, StopAt};
use crate::tidy::Tidy;
use crate::trip::{Meter, Trip, Way};
use tidegate::cost::{Cost, LIMIT};
use tidegate::grid::{CellId, Tile};
use tidegate::index::{Answer, Outcome, QueryError, QueryObserver, ResolvedQuery, replace_detour};
use tidegate::path::Path;
use tidegate::search::{BucketQueue, End, Octile, SearchScratch, Stats};

/// The memory of trips.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    route: route::Memory,
    stops: Vec<Stop>,
    leg: Vec<u32>,
    tidy: Tidy,
}

impl Memory {
    pub(super) fn bytes(&self) -> usize {
        self.route.bytes() + self.leg.capacity() * 4 + self.tidy.bytes()
    }
}

/// One query under way.
pub(super) struct Travel<'a, 'w, 'o, 'c> {
    pub(super) ask: &'a ResolvedQuery<'a>,
    pub(super) ground: &'a Ground,
    pub(super) cover: &'a Cover,
    pub(super) memory: &'a mut Memory,
    pub(super) tiles: &'a mut SearchScratch<Cost, BucketQueue>,
    pub(super) meter: &'a mut Meter<'c>,
    pub(super) attended: QueryObserver<'w, 'o>,
    /// Whether to take the knots out of paths.
    pub(super) tidy: bool,
    /// Whether somebody wants the path: it is then made sure that it is no long detour.
    pub(super) wanted: bool,
}

impl Travel<'_, '_, '_, '_> {
    /// Answers the query, writes the path and tells what was done.
    pub(super) fn run(mut self, trip: &mut Trip, path: &mut Path) -> Result<Answer, QueryError> {
        let begin = self.meter.now();
        let mut stats = Stats::default();
        trip.clear();
        let Some(way) = self.plan(trip, &mut stats) else {
            // Stopped before a search over tiles began: the start is all that was reached.
            if self.ask.query.partial {
                path.push(self.ask.query.start);
            }
            return Ok(Answer { outcome: Outcome::Stopped, stats });
        };
        trip.way = way;
        let outcome = match way {
            Way::Guided => self.legs(trip, path, &mut stats),
            _ => self.direct(trip, path, &mut stats),
        };
        trip.ticks = self.meter.now() - begin;
        let outcome = match outcome? {
            Outcome::Found(cost) if trip.way == Way::Guided && self.wanted => {
                Outcome::Found(self.polish(cost, trip, path, &mut stats))
            }
            outcome => outcome,
        };
        Ok(Answer { outcome, stats })
    }

    /// Replaces a long detour by the best path, and takes the knots out of other paths. Not
    /// counted as time of the sectors: the method that is to adapt them knows neither.
    fn polish(&mut self, cost: Cost, trip: &mut Trip, path: &mut Path, stats: &mut Stats) -> Cost {
        let (better, work) = replace_detour(self.ask, cost, &mut self.attended, self.tiles, path);
        *stats += work;
        if let Some(better) = better {
            trip.way = Way::Fallback;
            return better;
        }
        let (grid, blocked) = (self.ask.index.grid(), self.ask.query.blocked);
        let shorter = self.tidy.then(|| self.memory.tidy.shorten(grid, blocked, path));
        shorter.flatten().unwrap_or(cost)
    }

    /// Finds the sectors to go through; `None` if the observer said stop.
    fn plan(&mut self, trip: &mut Trip, stats: &mut Stats) -> Option<Way> {
        let hierarchy = self.ground.hierarchy();
        let (start, goal) = (self.ask.query.start, self.ask.query.goal);
        let from = self.cover.sector_of(hierarchy, start);
        let to = self.cover.sector_of(hierarchy, goal);
        trip.visit(from);
        if from == to {
            return Some(Way::SameSector);
        }
        let connected = self.ask.index.components().connected(self.ask.start, self.ask.goal);
        if !connected || self.cover.is_basic(hierarchy) {
            trip.visit(to);
            return Some(if connected { Way::Basic } else { Way::Fallback });
        }
        let route = SectorRoute {
            ground: self.ground,
            cover: self.cover,
            grid: self.ask.index.grid(),
            start: (from, start),
            goal: (to, goal),
        };
        let memory = &mut *self.memory;
        let (end, work) =
            route.find(&mut memory.route, trip, &mut memory.stops, &mut self.attended);
        self.meter.expanded += work.expanded;
        *stats += work;
        if end == End::Stopped {
            return None;
        }
        if trip.route.is_empty() {
            [from, to].into_iter().for_each(|end| trip.visit(end));
            return Some(Way::Fallback);
        }
        let basic = trip.route.iter().all(|visit| hierarchy.parent(visit.sector).is_none());
        Some(if basic { Way::Basic } else { Way::Guided })
    }

    /// Connects start, stops and goal.
    fn legs(
        &mut self,
        trip: &mut Trip,
        path: &mut Path,
        stats: &mut Stats,
    ) -> Result<Outcome, QueryError> {
        let last = trip.route.len() - 1;
        let count = self.memory.stops.len();
        let (mut at, mut since, mut cost) = (self.ask.start, 0, 0_u64);
        path.push(self.ask.query.start);
        for stop in 0..=count {
            let (to, visit) = match self.memory.stops.get(stop) {
                Some(&Stop { visit, .. }) => (self.stop_tile(stop, at), visit),
                None => (Some(self.ask.goal), last),
            };
            let Some(to) = to else { continue };
            match self.leg(at, to, trip, since..=visit, stats) {
                End::Goal(node, leg) => {
                    cost += u64::from(leg);
                    self.append(node, path);
                    trip.route[visit].aimed = stop < count;
                    (at, since) = (to, visit);
                }
                End::Stopped => {
                    // As far as it got, if the query wants that.
                    let (outcome, last) = self.attended.conclude(self.ask.query, End::Stopped)?;
                    match last {
                        Some(last) => self.append(last, path),
                        None if self.ask.query.partial => {}
                        None => path.clear(),
                    }
                    return Ok(outcome);
                }
                End::Exhausted | End::TooFar if stop < count => {}
                End::Exhausted | End::TooFar => cost = u64::MAX,
            }
        }
        if cost <= u64::from(LIMIT) {
            return Ok(Outcome::Found(Cost::new(cost as u32)));
        }
        trip.way = Way::Fallback;
        path.clear();
        self.direct(trip, path, stats)
    }

    /// Searches from start to goal without any help.
    fn direct(
        &mut self,
        trip: &mut Trip,
        path: &mut Path,
        stats: &mut Stats,
    ) -> Result<Outcome, QueryError> {
        let all = 0..=trip.route.len() - 1;
        let end = self.leg(self.ask.start, self.ask.goal, trip, all, stats);
        let (outcome, last) = self.attended.conclude(self.ask.query, end)?;
        if let Some(last) = last {
            path.push(self.ask.query.start);
            self.append(last, path);
        }
        Ok(outcome)
    }

    /// One search over tiles; its time goes to the sectors it leaves, passes and reaches.
    fn leg(
        &mut self,
        from: CellId,
        to: CellId,
        trip: &mut Trip,
        sectors: RangeInclusive<usize>,
        stats: &mut Stats,
    ) -> End<Cost> {
        let begin = self.meter.now();
        let grid = self.ask.index.grid();
        let mut octile = Octile::new(grid, grid.tile(to));
        let (end, work) =
            self.attended.search(self.ask.query, grid, (from, to), &mut octile, self.tiles);
        self.meter.expanded += work.expanded;
        *stats += work;
        let spent = self.meter.now() - begin;
        trip.route[sectors].iter_mut().for_each(|visit| visit.ticks += spent);
        end
    }

    /// The tile of a stop, if one can be reached. At a gate it is the tile that makes the
    /// least detour on an empty map, from here to whatever comes next.
    fn stop_tile(&self, stop: usize, at: CellId) -> Option<CellId> {
        let (grid, components) = (self.ask.index.grid(), self.ask.index.components());
        let cell = |&tile: &Tile| grid.cell(tile);
        let blocked = self.ask.query.blocked;
        let reached = |&cell: &CellId| {
            components.connected(self.ask.start, cell)
                && !blocked.is_some_and(|blocked| blocked.contains(grid.tile(cell)))
        };
        match (self.memory.stops[stop].at, self.ground.shape()) {
            (StopAt::Gate(gate), Shape::Zones(_, gates)) => {
                let next = match self.memory.stops.get(stop + 1).map(|next| next.at) {
                    Some(StopAt::Gate(next)) => gates.middle(next),
                    Some(StopAt::Tile(tile)) => tile,
                    None => self.ask.query.goal,
                };
                let here = grid.tile(at);
                let detour = |&cell: &CellId| {
                    let tile = grid.tile(cell);
                    let movement = grid.movement();
                    movement.estimate(here, tile) + movement.estimate(tile, next)
                };
                gates.tiles(gate).iter().filter_map(cell).filter(reached).min_by_key(detour)
            }
            (StopAt::Tile(tile), _) => cell(&tile).filter(reached),
            (StopAt::Gate(_), Shape::Triangles(..)) => None,
        }
    }

    /// Adds the way of the last search to a node of it.
    fn append(&mut self, node: u32, path: &mut Path) {
        let leg = &mut self.memory.leg;
        leg.clear();
        leg.extend(self.tiles.way_back(node));
        let grid = self.ask.index.grid();
        let tile = |&node: &u32| grid.tile(CellId::from_index(node as usize));
        leg.iter().rev().skip(1).map(tile).for_each(|tile| path.push(tile));
    }
}
