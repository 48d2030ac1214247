//! Goal fields: how far it is from every tile to the nearest of some goals, and which step
//! leads there. One field serves any number of units with the same goals.
//!
//! Filled by a flood from the goals, which is right because steps cost the same both ways.
//! Costs are all that is kept; a step is read off them when somebody asks, so it does not
//! depend on the order of the flood.

mod flood;
mod steps;

use crate::cost::{Cost, INFINITY};
use crate::grid::{Blocked, CellId, CostLayer, Direction, Tile};
use crate::index::{Index, QueryError};
use crate::path::Path;
use flood::Flood;
use steps::Steps;

/// The number of no direction in [`GoalField::next_steps_into`].
pub const NO_STEP: u8 = u8::MAX;

/// What a field is to be filled for: goals, and what stands or costs in the way.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FieldQuery<'a> {
    /// Where the ways lead: for every tile to the nearest of these.
    pub goals: &'a [Tile],
    /// Tiles that cannot be entered. A goal among them is an error. A unit on one of them is
    /// not kept from leaving it: see [`GoalField::distance`].
    pub blocked: Option<&'a Blocked>,
    /// What tiles cost more than the map says.
    pub costs: Option<&'a CostLayer>,
    /// If there are any: fill only until these are reached.
    pub until: Option<&'a [Tile]>,
}

impl<'a> FieldQuery<'a> {
    /// The nearest of these goals, from everywhere.
    pub fn new(goals: &'a [Tile]) -> FieldQuery<'a> {
        FieldQuery { goals, blocked: None, costs: None, until: None }
    }

    /// Goes around these tiles.
    pub fn with_blocked(self, blocked: &'a Blocked) -> FieldQuery<'a> {
        FieldQuery { blocked: Some(blocked), ..self }
    }

    /// Goes the ways that cost least with what this layer adds.
    pub fn with_costs(self, costs: &'a CostLayer) -> FieldQuery<'a> {
        FieldQuery { costs: Some(costs), ..self }
    }

    /// Ends as soon as these tiles, the units, are reached. What lies farther from the goals
    /// than all of them is then [unknown](Reach::Unknown).
    pub fn until(self, units: &'a [Tile]) -> FieldQuery<'a> {
        FieldQuery { until: Some(units), ..self }
    }
}

/// What a field knows of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The nearest goal is this far.
    Goal(Cost),
    /// No way leads to any goal.
    Unreachable,
    /// The field was filled only [until](FieldQuery::until) some tiles were reached, and not
    /// as far as here.
    Unknown,
}

/// The cost and the next step from every tile to the nearest of some goals. Keep one and
/// [fill](GoalField::fill) it again: that allocates nothing once it has grown to the map.
/// It stays what it is when the map changes later.
///
/// ```
/// use tidegate::cost::{DIAGONAL, STRAIGHT};
/// use tidegate::field::{FieldQuery, GoalField, Reach};
/// use tidegate::{Direction, Grid, Index, Path, Tile};
/// let index = Index::new(Grid::from_rows(&["..#..", "..#..", "..#.."]).unwrap());
/// let goals = [Tile::new(0, 0), Tile::new(0, 2)];
/// let mut field = GoalField::new();
/// field.fill(&index, &FieldQuery::new(&goals))?;
/// assert_eq!(field.distance((1, 2)), Some(STRAIGHT));
/// assert_eq!(field.next_step((1, 2)), Some(Direction::W));
/// assert_eq!(field.reach((4, 0)), Reach::Unreachable);
/// let mut path = Path::new();
/// assert_eq!(field.path_from((1, 1), &mut path), Some(DIAGONAL));
/// assert_eq!(path.tiles(), [(1, 1), (0, 2)].map(Tile::from));
/// # Ok::<(), tidegate::QueryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GoalField {
    steps: Steps,
    /// By tile; [`INFINITY`] where no cost is known.
    costs: Vec<Cost>,
    /// Every cost below this is known: [`INFINITY`] if the flood went to its end.
    known: Cost,
    flood: Flood,
    /// Which map it is of.
    revision: u64,
}

impl GoalField {
    /// Empty: it knows of no tile until it is filled.
    pub fn new() -> GoalField {
        GoalField::default()
    }

    /// Fills the field for these goals on this map. A goal that is a wall, blocked or outside
    /// the map is an error, so is one of the tiles [until](FieldQuery::until) which to fill if
    /// it is a wall or outside, and a way that costs more than [`crate::cost::LIMIT`]; the field is then
    /// empty. Without goals nothing is reachable.
    pub fn fill(&mut self, index: &Index, query: &FieldQuery<'_>) -> Result<(), QueryError> {
        let filled = self.fill_all(index, query);
        if filled.is_err() {
            self.steps.clear();
            self.costs.clear();
        }
        filled
    }

    fn fill_all(&mut self, index: &Index, query: &FieldQuery<'_>) -> Result<(), QueryError> {
        let (grid, components) = (index.grid(), index.components());
        query.costs.map_or(Ok(()), |costs| costs.check(grid))?;
        self.flood.begin();
        for &goal in query.goals {
            self.flood.add_goal(index.end("goal", goal, query.blocked)?);
        }
        for &unit in query.until.into_iter().flatten() {
            let cell = index.end("start", unit, None)?;
            let reaches =
                |&goal: &u32| components.connected(cell, CellId::from_index(goal as usize));
            let can = self.flood.goals().iter().any(reaches);
            self.flood.add_unit(cell, can);
        }
        self.revision = index.revision();
        self.steps.set(grid, query.blocked, query.costs);
        self.costs.clear();
        self.costs.resize(grid.tiles(), INFINITY);
        self.known = self.flood.run(&self.steps, &mut self.costs, query.until.is_some());
        // Nobody enters a blocked tile, but who stands there can leave it.
        for &cell in &self.steps.blocked {
            let cost = self.steps.least(&self.costs, cell as usize);
            self.costs[cell as usize] = if cost < self.known { cost } else { INFINITY };
        }
        if self.flood.is_far() && self.steps.leads_on(&self.costs) {
            return Err(QueryError::TooFar);
        }
        Ok(())
    }

    /// The cost of the way from a tile to the nearest goal; `None` where none leads or, in a
    /// field that is not [complete](GoalField::is_complete), where it is not known:
    /// [`GoalField::reach`] tells these apart. A blocked tile has the cost of leaving it,
    /// whoever stands there; no way leads over it.
    #[inline]
    pub fn distance(&self, tile: impl Into<Tile>) -> Option<Cost> {
        let cost = self.costs[self.steps.cell(tile.into())?];
        (cost < INFINITY).then_some(cost)
    }

    /// What the field knows of a tile. Walls, and what lies outside the map, are unreachable.
    pub fn reach(&self, tile: impl Into<Tile>) -> Reach {
        let tile = tile.into();
        match self.distance(tile) {
            Some(cost) => Reach::Goal(cost),
            None if self.is_complete() => Reach::Unreachable,
            None => {
                let closed = |cell| self.steps.moves[cell] == 0 || self.flood.is_apart(cell);
                let closed = self.steps.cell(tile).is_none_or(closed);
                if closed { Reach::Unreachable } else { Reach::Unknown }
            }
        }
    }

    /// Whether every tile's cost is known, so that those without one cannot reach a goal.
    pub fn is_complete(&self) -> bool {
        self.known == INFINITY
    }

    /// Every cost up to here is known, and none beyond: [`INFINITY`] if the field is complete.
    pub fn known_below(&self) -> Cost {
        self.known
    }

    /// The [revision](Index::revision) of the map that it was filled for.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The first step of a cheapest way to the nearest goal: of those that begin one the first
    /// in the order of [`Direction::ALL`]. `None` on a goal, and where no way is known.
    #[inline]
    pub fn next_step(&self, tile: impl Into<Tile>) -> Option<Direction> {
        let cell = self.steps.cell(tile.into())?;
        self.steps.next(&self.costs, cell)
    }

    /// The tile that [`GoalField::next_step`] leads to.
    pub fn next_tile(&self, tile: impl Into<Tile>) -> Option<Tile> {
        let tile = tile.into();
        let (dx, dy) = self.next_step(tile)?.delta();
        let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
        Some(Tile::new(x as u16, y as u16))
    }

    /// Writes the way from a tile to the nearest goal, step by step as
    /// [`GoalField::next_step`] says, and returns its cost; `None`, and an empty path, where
    /// no way is known.
    pub fn path_from(&self, tile: impl Into<Tile>, path: &mut Path) -> Option<Cost> {
        let mut tile = tile.into();
        path.clear();
        let cost = self.distance(tile)?;
        path.push(tile);
        while let Some(next) = self.next_tile(tile) {
            path.push(next);
            tile = next;
        }
        Some(cost)
    }

    /// The costs of all tiles in row order: [`INFINITY`] where [`GoalField::distance`] is
    /// `None`.
    #[inline]
    pub fn costs(&self) -> &[Cost] {
        &self.costs
    }

    /// Writes the next steps of all tiles in row order, as the numbers of their
    /// [directions](Direction::ALL); [`NO_STEP`] where there is none.
    pub fn next_steps_into(&self, steps: &mut Vec<u8>) {
        steps.clear();
        steps.extend((0..self.costs.len()).map(|cell| {
            self.steps.next(&self.costs, cell).map_or(NO_STEP, |direction| direction as u8)
        }));
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.costs.capacity() * size_of::<Cost>() + self.steps.bytes() + self.flood.bytes()
    }
}

impl Index {
    /// How far it is from every tile to the nearest of these goals, and which step leads
    /// there. A game keeps a [`GoalField`] and [fills](GoalField::fill) it, with blocked
    /// tiles and cost layers if it has them.
    ///
    /// ```
    /// use tidegate::{Grid, Index, Tile};
    /// let index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    /// let field = index.field(&[Tile::new(0, 0)])?;
    /// assert_eq!(field.next_tile((1, 0)), Some(Tile::new(0, 0)));
    /// # Ok::<(), tidegate::QueryError>(())
    /// ```
    pub fn field(&self, goals: &[Tile]) -> Result<GoalField, QueryError> {
        let mut field = GoalField::new();
        field.fill(self, &FieldQuery::new(goals))?;
        Ok(field)
    }
}
