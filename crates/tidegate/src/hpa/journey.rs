//! A unit on its way: the next piece of its path when it asks, planned anew when the map
//! has changed or the way is blocked.

use super::find::HpaScratch;
use super::insert::Anchor;
use super::plan::{Halt, Planner, Route};
use super::refine::{Ends, Stretch};
use crate::cost::Cost;
use crate::grid::Tile;

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

/// An anchor that belongs to the graph before a change of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the map has changed since {tile} was joined to the graph: join it again")]
pub struct StaleAnchor {
    /// The anchor's tile.
    pub tile: Tile,
}

/// A way that is refined piece by piece. It holds no reference to the map, so a game can
/// keep one per unit while the map changes.
#[derive(Clone, Debug)]
pub struct Journey {
    start: Anchor,
    goal: Anchor,
    /// Where the unit stands after the pieces handed out so far.
    at: Tile,
    cost: Cost,
    stack: Vec<Stretch>,
    plans: u32,
}

impl Planner<'_> {
    /// Joins a free tile to the graph, to be used for any number of journeys. `None` for
    /// a wall or a tile outside.
    pub fn anchor(&self, tile: Tile, scratch: &mut HpaScratch) -> Option<Anchor> {
        if !self.grid.is_free(tile) {
            return None;
        }
        let mut anchor = Anchor::default();
        self.insert(tile, &mut anchor, &mut scratch.work, &mut ()).ok()?;
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
        for anchor in [start, goal] {
            if anchor.revision != self.hpa.revision {
                return Err(StaleAnchor { tile: anchor.tile });
            }
        }
        let mut journey = Journey {
            start: start.clone(),
            goal: goal.clone(),
            at: start.tile,
            cost: 0,
            stack: Vec::new(),
            plans: 0,
        };
        Ok(journey.plan(*self, scratch).is_ok().then_some(journey))
    }
}

impl Journey {
    /// Where the unit stands after the pieces handed out so far.
    pub fn at(&self) -> Tile {
        self.at
    }

    /// The cost of the whole way as it was last planned, before any smoothing.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// How often the way was planned.
    pub fn plans(&self) -> u32 {
        self.plans
    }

    /// The next piece of the way. If the map has changed since the way was planned, it is
    /// planned anew from where the unit stands.
    pub fn next(&mut self, planner: Planner<'_>, scratch: &mut HpaScratch) -> Piece {
        if self.goal.revision != planner.hpa.revision {
            return self.replan(self.at, planner, scratch);
        }
        if self.at == self.goal.tile {
            return Piece::Arrived;
        }
        let mut tiles = Vec::new();
        let ends = Ends { start: &self.start, goal: &self.goal };
        // A stretch from a tile to itself is empty: take the next one.
        while tiles.is_empty() {
            let work = &mut scratch.work;
            match planner.refine_next(ends, &mut self.stack, work, &mut tiles, &mut ()) {
                Ok(true) => {}
                Ok(false) | Err(_) => return Piece::NoWay,
            }
        }
        self.at = tiles.last().copied().unwrap_or(self.at);
        Piece::Walk(tiles)
    }

    /// Plans anew from a tile (the unit was pushed aside, or another unit stands in its
    /// way and was put on the map as a wall) and returns the first piece.
    pub fn replan(&mut self, at: Tile, planner: Planner<'_>, scratch: &mut HpaScratch) -> Piece {
        self.at = at;
        let ends = [at, self.goal.tile].map(|tile| planner.anchor(tile, scratch));
        let [Some(start), Some(goal)] = ends else { return Piece::NoWay };
        (self.start, self.goal) = (start, goal);
        match self.plan(planner, scratch) {
            Ok(()) => self.next(planner, scratch),
            Err(_) => Piece::NoWay,
        }
    }

    fn plan(&mut self, planner: Planner<'_>, scratch: &mut HpaScratch) -> Result<(), Halt> {
        let mut route = Route::default();
        self.plans += 1;
        planner.plan(&self.start, &self.goal, &mut route, &mut scratch.work, &mut ())?;
        self.cost = route.cost;
        planner.unroll(&route, &mut self.stack);
        Ok(())
    }
}
