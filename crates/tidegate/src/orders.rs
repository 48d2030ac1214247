//! An order to many units: the next step of each to one goal, by whatever is cheaper here:
//! asking for each, or one field for all.

use crate::auto::Automatic;
use crate::field::{FieldQuery, GoalField, Reach};
use crate::grid::{Blocked, CostLayer, Tile};
use crate::index::{Engine, Index, Query, QueryError, Scratch, StateMark};

/// About what a field costs for each free tile, in microseconds.
const FIELD_MICROS: f64 = 0.007;

/// What is ordered: all units to one goal.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Order<'a> {
    /// Where they are to go.
    pub goal: Tile,
    /// Tiles that cannot be entered. A unit's own tile does not block it.
    pub blocked: Option<&'a Blocked>,
    /// What tiles cost more than the map says.
    pub costs: Option<&'a CostLayer>,
}

impl<'a> Order<'a> {
    /// To this tile.
    pub fn new(goal: impl Into<Tile>) -> Order<'a> {
        Order { goal: goal.into(), blocked: None, costs: None }
    }

    /// Around these tiles.
    pub fn with_blocked(self, blocked: &'a Blocked) -> Order<'a> {
        Order { blocked: Some(blocked), ..self }
    }

    /// On the ways that cost least with what this layer adds.
    pub fn with_costs(self, costs: &'a CostLayer) -> Order<'a> {
        Order { costs: Some(costs), ..self }
    }

    fn query(&self, unit: Tile) -> Query<'a> {
        let Order { goal, blocked, costs } = *self;
        Query { blocked, costs, ..Query::new(unit, goal) }
    }
}

/// How an order was worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderedBy {
    /// One field for all units.
    Field,
    /// Each unit by itself, with this engine.
    Engine(&'static str),
}

/// The memory of orders: keep it from tick to tick.
#[derive(Debug, Default)]
pub struct Orders {
    steps: Vec<Option<Tile>>,
    field: GoalField,
    /// The goal and the map that the field is of, if it is of no blocked tiles and no costs.
    filled: Option<(Tile, StateMark)>,
    scratch: Scratch,
}

impl Orders {
    /// Empty; it grows to the map and the number of units.
    pub fn new() -> Orders {
        Orders::default()
    }

    /// Where each unit goes next, in their order: `None` if it is there or cannot come there.
    pub fn steps(&self) -> &[Option<Tile>] {
        &self.steps
    }

    /// Takes the steps from the field of the last call if that knows of all these units.
    fn are_known(&mut self, index: &Index, units: &[Tile], goal: Tile) -> bool {
        let Orders { steps, field, filled, .. } = self;
        if !filled.as_ref().is_some_and(|(to, mark)| *to == goal && mark.is_of(index)) {
            return false;
        }
        let known =
            |&unit: &Tile| index.grid().is_free(unit) && field.reach(unit) != Reach::Unknown;
        steps.clear();
        steps
            .extend(units.iter().take_while(|unit| known(unit)).map(|&unit| field.next_tile(unit)));
        steps.len() == units.len()
    }
}

impl Index {
    /// Works out the next step of every unit to one goal, and says how: by one field for all
    /// of them, or one by one, whichever is likely to be quicker with what is built. A field
    /// that the last call has filled is used again if it was for the same goal and map, without
    /// blocked tiles and costs: units that are on their way then cost next to nothing. A
    /// unit or a goal that is a wall or outside the map is an error, so is a blocked goal.
    ///
    /// ```
    /// use tidegate::orders::{Order, Orders};
    /// use tidegate::{Grid, Index, Tile};
    /// let index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    /// let units = [Tile::new(0, 0), Tile::new(3, 2), Tile::new(0, 2)];
    /// let mut orders = Orders::new();
    /// index.order(&units, &Order::new((0, 2)), &mut orders).unwrap();
    /// let next = [Some(Tile::new(0, 1)), Some(Tile::new(2, 2)), None];
    /// assert_eq!(orders.steps(), next);
    /// ```
    pub fn order(
        &self,
        units: &[Tile],
        order: &Order<'_>,
        orders: &mut Orders,
    ) -> Result<OrderedBy, QueryError> {
        let is_plain = order.blocked.is_none() && order.costs.is_none();
        if is_plain && orders.are_known(self, units, order.goal) {
            return Ok(OrderedBy::Field);
        }
        let Orders { steps, field, filled, scratch } = orders;
        steps.clear();
        if let Some(engine) = self.cheaper_one_by_one(units, order)? {
            for &unit in units {
                steps.push(self.next_step(&Automatic, &order.query(unit), scratch)?);
            }
            return Ok(OrderedBy::Engine(engine));
        }
        let goals = [order.goal];
        let query =
            FieldQuery { blocked: order.blocked, costs: order.costs, ..FieldQuery::new(&goals) };
        *filled = None;
        field.fill(self, &query.until(units))?;
        *filled = is_plain.then(|| (order.goal, StateMark::of(self)));
        steps.extend(units.iter().map(|&unit| field.next_tile(unit)));
        Ok(OrderedBy::Field)
    }

    /// The engine that answers, if asking it for each unit is likely to be quicker than a
    /// field for all. Judged by a few of the units.
    fn cheaper_one_by_one(
        &self,
        units: &[Tile],
        order: &Order<'_>,
    ) -> Result<Option<&'static str>, QueryError> {
        let field = FIELD_MICROS * self.grid().free_tiles() as f64;
        let (mut sum, mut seen, mut engine) = (0.0, 0_u32, Automatic.name());
        for &unit in units.iter().step_by(units.len() / 8 + 1) {
            let query = order.query(unit);
            let resolved = self.resolve(&query)?;
            engine = Automatic.answered_by(&resolved);
            sum += Automatic.expected_micros(&resolved).unwrap_or(f64::INFINITY);
            seen += 1;
        }
        let expected = sum / f64::from(seen.max(1)) * units.len() as f64;
        Ok((expected <= field).then_some(engine))
    }
}
