//! A unit on its way: the next piece of its path when it asks, planned again when the map
//! has changed or the way is blocked.

use super::find::HpaScratch;
use super::insert::Anchor;
use super::plan::{Halt, Planner, Route};
use super::refine::{Ends, Stretch};
use super::smooth::Smoothing;
use crate::cost::Cost;
use crate::grid::Tile;
use crate::search::Observer;

/// What a unit gets when it asks for the next piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Tiles to walk over now, without the one the unit stands on.
    Walk(Vec<Tile>),
    /// The unit stands at its goal.
    Arrived,
    /// No way leads to the goal as the map is now.
    NoWay,
}

/// An anchor that belongs to another graph, or to this one before a change of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{tile} was joined to another graph, or to this one before a change: join it again")]
pub struct StaleAnchor {
    /// The anchor's tile.
    pub tile: Tile,
}

/// How many tiles ahead a journey refines before it hands out the first half of them:
/// enough to smooth over the borders of clusters.
const AHEAD: usize = 96;

/// A way that is refined piece by piece. It holds no reference to the map, so a game can
/// keep one per unit while the map changes.
#[derive(Clone, Debug)]
pub struct Journey {
    start: Anchor,
    goal: Anchor,
    /// Tiles refined and not handed out; the first is where the unit stands after the
    /// pieces handed out so far.
    ahead: Vec<Tile>,
    cost: Cost,
    stack: Vec<Stretch>,
    plans: u32,
}

impl Planner<'_> {
    /// Joins a free tile to the graph, to be used for any number of journeys. `None` for
    /// a wall or a tile outside.
    pub fn anchor(&self, tile: Tile, scratch: &mut HpaScratch) -> Option<Anchor> {
        self.anchor_watched(tile, scratch, &mut ())
    }

    /// Like [`Planner::anchor`], watched; also `None` if the observer says stop.
    pub fn anchor_watched(
        &self,
        tile: Tile,
        scratch: &mut HpaScratch,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Option<Anchor> {
        if !self.grid.is_free(tile) {
            return None;
        }
        let mut anchor = Anchor::default();
        self.insert(tile, &mut anchor, &mut scratch.work, observer).ok()?;
        Some(anchor)
    }

    /// Plans a journey between two anchors; `Ok(None)` if no way leads there.
    ///
    /// ```
    /// use tidegate::{Grid, Tile, hpa::{Hpa, HpaScratch, Options, Piece}};
    /// let grid = Grid::from_rows(&[".........", ".#######.", "........."]).unwrap();
    /// let options = Options { cluster: 3, ..Options::default() };
    /// let hpa = Hpa::build(&grid, &options).unwrap();
    /// let (planner, mut scratch) = (hpa.planner(&grid), HpaScratch::new());
    /// let start = planner.anchor(Tile::new(4, 0), &mut scratch).unwrap();
    /// let goal = planner.anchor(Tile::new(4, 2), &mut scratch).unwrap();
    /// let mut journey = planner.journey(&start, &goal, &mut scratch).unwrap().unwrap();
    /// let mut steps = 0;
    /// while let Piece::Walk(tiles) = journey.next(planner, &mut scratch) {
    ///     steps += tiles.len();
    /// }
    /// assert_eq!(steps, 10);
    /// ```
    pub fn journey(
        &self,
        start: &Anchor,
        goal: &Anchor,
        scratch: &mut HpaScratch,
    ) -> Result<Option<Journey>, StaleAnchor> {
        self.journey_watched(start, goal, scratch, &mut ())
    }

    /// Like [`Planner::journey`], watched; also `None` if the observer says stop.
    pub fn journey_watched(
        &self,
        start: &Anchor,
        goal: &Anchor,
        scratch: &mut HpaScratch,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<Option<Journey>, StaleAnchor> {
        for anchor in [start, goal] {
            if anchor.revision != self.hpa.revision {
                return Err(StaleAnchor { tile: anchor.tile });
            }
        }
        let mut journey = Journey {
            start: start.clone(),
            goal: goal.clone(),
            ahead: Vec::new(),
            cost: Cost::ZERO,
            stack: Vec::new(),
            plans: 0,
        };
        Ok(journey.plan(*self, scratch, observer).is_ok().then_some(journey))
    }
}

impl Journey {
    /// Where the unit stands after the pieces handed out so far.
    pub fn at(&self) -> Tile {
        self.ahead.first().copied().unwrap_or(self.start.tile)
    }

    /// The cost of the whole way as it was last planned, before any smoothing.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// How often the way was planned.
    pub fn plans(&self) -> u32 {
        self.plans
    }

    /// The next piece of the way, smoothed if the graph's options say so. If the map has
    /// changed since the way was planned, or the planner has another graph, it is planned
    /// again from where the unit stands.
    pub fn next(&mut self, planner: Planner<'_>, scratch: &mut HpaScratch) -> Piece {
        self.next_watched(planner, scratch, &mut ())
    }

    /// Like [`Journey::next`], watched.
    pub fn next_watched(
        &mut self,
        planner: Planner<'_>,
        scratch: &mut HpaScratch,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Piece {
        if self.goal.revision != planner.hpa.revision && !self.renew(planner, scratch) {
            return Piece::NoWay;
        }
        match self.walk(planner, scratch, observer) {
            Ok(tiles) if tiles.is_empty() => Piece::Arrived,
            Ok(tiles) => Piece::Walk(tiles),
            Err(_) => Piece::NoWay,
        }
    }

    /// Plans again from a tile (the unit was pushed aside, or what blocks its way was put
    /// on the map) and returns the first piece.
    pub fn replan(&mut self, at: Tile, planner: Planner<'_>, scratch: &mut HpaScratch) -> Piece {
        self.ahead.clear();
        self.start.tile = at;
        if self.renew(planner, scratch) { self.next(planner, scratch) } else { Piece::NoWay }
    }

    fn walk(
        &mut self,
        planner: Planner<'_>,
        scratch: &mut HpaScratch,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<Vec<Tile>, Halt> {
        let (work, smoothing) = (&mut scratch.work, planner.hpa.options.smoothing);
        let ends = Ends { start: &self.start, goal: &self.goal };
        let off = smoothing == Smoothing::Off;
        let (mut more, mut enough) = (true, if off { 2 } else { AHEAD });
        let steps = loop {
            while more && self.ahead.len() < enough {
                let (stack, ahead) = (&mut self.stack, &mut self.ahead);
                more = planner.refine_next(ends, stack, work, ahead, observer)?;
            }
            smoothing.apply(planner.grid, &mut self.ahead, work, observer)?;
            let last = self.ahead.len() - 1;
            let steps = if more && !off { last / 2 } else { last };
            if steps > 0 || !more {
                break steps;
            }
            enough += AHEAD;
        };
        // The last tile handed out stays behind as the place where the unit stands.
        let tiles = self.ahead[1..=steps].to_vec();
        self.ahead.drain(..steps);
        Ok(tiles)
    }

    /// Joins both ends again and plans; whether there is a way.
    fn renew(&mut self, planner: Planner<'_>, scratch: &mut HpaScratch) -> bool {
        let ends = [self.at(), self.goal.tile].map(|tile| planner.anchor(tile, scratch));
        let [Some(start), Some(goal)] = ends else { return false };
        (self.start, self.goal) = (start, goal);
        self.plan(planner, scratch, &mut ()).is_ok()
    }

    fn plan(
        &mut self,
        planner: Planner<'_>,
        scratch: &mut HpaScratch,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let mut route = Route::default();
        self.plans += 1;
        planner.plan(&self.start, &self.goal, &mut route, &mut scratch.work, observer)?;
        self.cost = route.cost;
        planner.unroll(&route, &mut self.stack);
        self.ahead.clear();
        self.ahead.push(self.start.tile);
        Ok(())
    }
}
