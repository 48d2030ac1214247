//! What is asked besides paths: layers of costs, orders to many units, fields, walks at any angle, and units
//! of several sizes in a world.

use tidegate::anyangle::{AnyAngle, AnyAngleScratch, PARTS, Point, Walk, WalkError, WalkQuery};
use tidegate::cost::{Extra, Factor, INFINITY};
use tidegate::engine::Engine;
use tidegate::field::{FieldQuery, Reach};
use tidegate::grid::Area;
use tidegate::orders::Order;
use tidegate::world::{Profile, World};
use tidegate::{Outcome, Path, Query, Scratch, Tile};

use super::plain::{At, EVEN, Plain};
use super::program::Paint;
use super::questions::blocked_tiles;
use super::run::{Checked, Runner, ensure, tile};
use crate::visibility;

/// Maps of at most so many tiles are small enough for the oracle of walks that tries every line.
const TRY_ALL_LINES: usize = 40;

/// What mud costs in a world, in hundredths.
const MUD: u16 = 250;

/// A world of the same ground. What costs more than ordinary ground is mud there.
pub(super) struct Units {
    world: World,
    plain: Plain,
}

fn class(map: &Plain, place: usize) -> u8 {
    match (map.free[place], map.factors[place]) {
        (false, _) => b'#',
        (true, EVEN) => b'.',
        (true, _) => b'm',
    }
}

impl Runner {
    pub(super) fn paint(&mut self, paints: &[Paint]) -> Checked {
        let (layer, plain) = &mut self.layer;
        let tiles: Vec<Tile> = self.state.plain.tiles().collect();
        for &paint in paints {
            let mut each = |centre: At, radius: u8, change: &dyn Fn(u16) -> u16| {
                for (extra, t) in plain.iter_mut().zip(&tiles) {
                    let far = |a: u16, b: u16| u64::from(a.abs_diff(b)).pow(2);
                    if far(t.x, centre.0) + far(t.y, centre.1) <= u64::from(radius).pow(2) {
                        *extra = change(*extra);
                    }
                }
            };
            match paint {
                Paint::Add(centre, radius, extra) => {
                    let disc = Area::disc(centre, radius.into());
                    layer.add(&disc, Extra::from_hundredths(extra));
                    each(centre, radius, &|old| old.saturating_add(extra));
                }
                Paint::Raise(centre, radius, extra) => {
                    layer.raise(&Area::disc(centre, radius.into()), Extra::from_hundredths(extra));
                    each(centre, radius, &|old| old.max(extra));
                }
                Paint::Fade(sixteenths) => {
                    let keep = u32::from(sixteenths.min(16));
                    layer.fade(f64::from(keep) / 16.0);
                    plain.iter_mut().for_each(|old| *old = (u32::from(*old) * keep / 16) as u16);
                }
                Paint::Clear => {
                    layer.clear();
                    plain.fill(0);
                }
            }
        }
        let told = layer.added().iter().map(|extra| extra.hundredths());
        ensure(told.eq(plain.iter().copied()), || format!("{:?}, not {plain:?}", layer.added()))?;
        let empty = plain.iter().all(|&extra| extra == 0);
        ensure(empty || !layer.is_empty(), || "costs in an empty layer".to_owned())
    }

    pub(super) fn order(&mut self, units: &[At], goal: At, blocked: &[At], costs: bool) -> Checked {
        let (around, mut orders) = (blocked_tiles(blocked), std::mem::take(&mut self.orders));
        let mut order = Order::new(goal);
        order.blocked = (!blocked.is_empty()).then_some(&around);
        order.costs = costs.then_some(&self.layer.0);
        let tiles: Vec<Tile> = units.iter().map(|&unit| tile(unit)).collect();
        let ordered = self.index.order(&tiles, &order, &mut orders);
        let bad_goal = |unit: At| {
            let around = if unit == goal { &[][..] } else { blocked };
            self.bad_end("goal", goal, around).is_some()
        };
        let bad_unit = |&unit: &At| self.bad_end("start", unit, &[]).is_some();
        if units.iter().any(bad_unit) || units.iter().any(|&unit| bad_goal(unit)) {
            self.counts.refused += 1;
            self.orders = orders;
            return ensure(ordered.is_err(), || format!("{ordered:?} with a bad end"));
        }
        if units.is_empty() || ordered.is_err() {
            // A goal that is blocked is an error for all, were one of them there already.
            let is_bad = self.bad_end("goal", goal, blocked).is_some();
            return ensure(ordered.is_ok() || is_bad, || format!("{ordered:?}"));
        }
        ensure(orders.steps().len() == units.len(), || "steps".to_owned())?;
        for (&unit, &next) in units.iter().zip(orders.steps()) {
            self.counts.answers += 1;
            let map = self.seen(unit, blocked, costs);
            let all = map.flood(&[goal]);
            let least = all[map.index(unit)].filter(|_| unit != goal);
            let about = || format!("unit {unit:?} to {next:?}, {least:?} to go");
            let (Some(least), Some(next)) = (least, next) else {
                ensure(least.is_some() == next.is_some(), about)?;
                continue;
            };
            let (x, y) = (i32::from(unit.0), i32::from(unit.1));
            let by = (i32::from(next.x) - x, i32::from(next.y) - y);
            let step = map.step((x, y), by).ok_or_else(about)?;
            ensure(all[map.index((next.x, next.y))] == Some(least - step), about)?;
        }
        self.orders = orders;
        Ok(())
    }

    pub(super) fn field(
        &mut self,
        goals: &[At],
        until: Option<&[At]>,
        blocked: &[At],
        costs: bool,
    ) -> Checked {
        let tiles = |all: &[At]| -> Vec<Tile> { all.iter().map(|&at| tile(at)).collect() };
        let (around, targets, units) = (blocked_tiles(blocked), tiles(goals), until.map(tiles));
        let mut query = FieldQuery::new(&targets);
        query.blocked = (!blocked.is_empty()).then_some(&around);
        query.costs = costs.then_some(&self.layer.0);
        query.until = units.as_deref();
        let mut field = std::mem::take(&mut self.field);
        let filled = field.fill(&self.index, &query);
        let bad_goal = goals.iter().find_map(|&goal| self.bad_end("goal", goal, blocked));
        let mut units = until.into_iter().flatten();
        let bad = bad_goal.or_else(|| units.find_map(|&unit| self.bad_end("start", unit, &[])));
        if let Some(refusal) = bad {
            self.counts.refused += 1;
            let refused = filled.as_ref().is_err_and(|error| refusal.is(error));
            return ensure(refused, || format!("{filled:?}, not {refusal:?}"));
        }
        filled.map_err(|error| error.to_string())?;
        let layer = costs.then_some(&self.layer.1[..]);
        let open = self.state.plain.seen(blocked, None, layer);
        let all = open.flood(goals);
        ensure(field.is_complete() || until.is_some(), || "not complete".to_owned())?;
        ensure(field.revision() == self.state.revision, || "revision".to_owned())?;
        let mut path = Path::new();
        // On a large map not every way is walked.
        let every = all.len() / 1000 + 1;
        for (place, t) in self.state.plain.tiles().enumerate() {
            let at = (t.x, t.y);
            // Who stands on a blocked tile can leave it.
            let left =
                blocked.contains(&at).then(|| self.state.plain.seen(blocked, Some(at), layer));
            let least = left.as_ref().map_or(all[place], |map| map.flood(goals)[place]);
            let (least, told) = (self.claimed(least), field.reach(t));
            self.counts.answers += 1;
            let unit = until.is_some_and(|units| units.contains(&at));
            let holds = match told {
                Reach::Goal(cost) => least == Some(cost.into()),
                Reach::Unreachable => least.is_none(),
                Reach::Unknown => !(field.is_complete() || unit && least.is_some()),
            };
            ensure(holds, || format!("{t}: {told:?}, not {least:?}"))?;
            let cost = field.costs()[place];
            ensure((cost < INFINITY) == matches!(told, Reach::Goal(_)), || format!("{t}: {cost}"))?;
            if !place.is_multiple_of(every) {
                continue;
            }
            if let Some(cost) = field.path_from(t, &mut path) {
                let walked = left.as_ref().unwrap_or(&open).cost_of(&path)?;
                let ends = path.last().is_some_and(|last| targets.contains(last));
                ensure(ends && walked == u64::from(cost), || format!("{path:?}: {walked}"))?;
            }
        }
        self.field = field;
        Ok(())
    }

    pub(super) fn walk(&mut self, start: (i32, i32), goal: (i32, i32), blocked: &[At]) -> Checked {
        let point = |(x, y): (i32, i32)| Point::new(x, y);
        let (from, to, around) = (point(start), point(goal), blocked_tiles(blocked));
        let mut query = WalkQuery::new(from, to);
        query.blocked = (!blocked.is_empty()).then_some(&around);
        let mut walk = Walk::default();
        let found = self.index.find_walk(&query, &mut self.scratch, &mut walk);
        let seen = self.state.plain.seen(blocked, None, None);
        let free = |map: &Plain, (x, y): (i32, i32)| {
            // A point on an edge is free if a tile beside it is, one in a corner where walls touch is not.
            let near = |at: i32| {
                if at % PARTS == 0 { vec![at / PARTS - 1, at / PARTS] } else { vec![at / PARTS] }
            };
            let mut tiles =
                near(y).into_iter().flat_map(|y| near(x).into_iter().map(move |x| (x, y)));
            tiles.any(|(x, y)| map.is_free(x, y))
        };
        let inside = |(x, y): (i32, i32)| {
            (0..=self.state.plain.width * PARTS).contains(&x)
                && (0..=self.state.plain.height * PARTS).contains(&y)
        };
        let grid = seen.grid();
        let now = AnyAngle::new(&grid);
        let ends = [start, goal];
        let about = || format!("{found:?}, {walk:?}");
        match &found {
            Err(error) => {
                self.counts.refused += 1;
                let right = match error {
                    WalkError::Outside { .. } => ends.iter().any(|&end| !inside(end)),
                    WalkError::Wall { point, .. } => {
                        !AnyAngle::new(&self.state.plain.grid()).is_free(*point)
                    }
                    WalkError::Blocked { point, .. } => {
                        AnyAngle::new(&self.state.plain.grid()).is_free(*point)
                            && !now.is_free(*point)
                    }
                    _ => false,
                };
                return ensure(right, about);
            }
            Ok(_) => ensure(ends.iter().all(|&end| inside(end) && free(&seen, end)), about)?,
        }
        self.counts.answers += 1;
        let wanted = if seen.free.len() <= TRY_ALL_LINES {
            let length = visibility::length(&grid, from, to);
            length.is_finite().then_some(length)
        } else {
            now.find(from, to, &mut AnyAngleScratch::new()).map(|walk| walk.length())
        };
        let about = || format!("{found:?}, {walk:?}, not {wanted:?}");
        if found == Ok(None) {
            return ensure(wanted.is_none() && walk.points().is_empty(), about);
        }
        let wanted_length = wanted.ok_or_else(about)?;
        ensure((walk.length() - wanted_length).abs() < 1e-6, about)?;
        let points = walk.points();
        ensure((points.first(), points.last()) == (Some(&from), Some(&to)), about)?;
        let lines = points.windows(2).all(|line| visibility::is_walk(&grid, line[0], line[1]));
        ensure(lines, about)
    }

    /// The world's ground follows the map.
    pub(super) fn units_follow(&mut self) -> Checked {
        let Some(units) = &mut self.units else { return Ok(()) };
        let map = &self.state.plain;
        let places = map.tiles().enumerate();
        let changes = places.filter(|&(n, _)| class(map, n) != class(&units.plain, n));
        let changes: Vec<(Tile, u8)> = changes.map(|(n, tile)| (tile, class(map, n))).collect();
        units.world.edit(changes).map_err(|error| error.to_string())?;
        units.plain = map.clone();
        Ok(())
    }

    pub(super) fn unit(
        &mut self,
        size: u8,
        engine: &'static dyn Engine,
        start: At,
        goal: At,
    ) -> Checked {
        let map = &self.state.plain;
        let units = self.units.get_or_insert_with(|| {
            let ground = (0..map.free.len()).map(|place| class(map, place)).collect();
            let world = World::new(map.width as u32, map.height as u32, ground);
            Units { world: world.expect("the size of the map"), plain: map.clone() }
        });
        let mud = Factor::from_hundredths(MUD).expect("at least one");
        let profile = Profile::new().of_size(size).moving(map.movement).entering(b".");
        let id = units.world.add(profile.entering_at(b'm', mud));
        // Mud is the worst ground there is.
        let mut own = map.for_size(size);
        for (place, factor) in own.factors.iter_mut().enumerate() {
            let muddy = own.free[place] && *factor > EVEN;
            *factor = if muddy { MUD } else { EVEN };
        }
        let index = units.world.index_of(id);
        for (place, t) in own.tiles().enumerate() {
            let (free, factor) = (index.grid().is_free(t), index.grid().factor(t).hundredths());
            let same = free == own.free[place] && (!free || factor == own.factors[place]);
            ensure(same, || format!("size {size} at {t}: free {free}, factor {factor}"))?;
        }
        let _ = units.world.prepare(id, engine);
        let index = units.world.index_of(id);
        let able = engine.has_tables(index) || index.is_stale(engine);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let found = index.find(engine, &Query::new(start, goal), &mut scratch, &mut path);
        let bad = !own.is_free_tile(start) || !own.is_free_tile(goal);
        if bad || !able {
            self.counts.refused += 1;
            return ensure(found.is_err(), || format!("{found:?}"));
        }
        self.counts.answers += 1;
        let least = own.flood(&[start])[own.index(goal)];
        let answer = found.map_err(|error| error.to_string())?;
        match (answer.outcome, least) {
            (Outcome::Unreachable, None) => Ok(()),
            (Outcome::Found(cost), Some(least)) => {
                let (walked, cost) = (own.cost_of(&path)?, u64::from(cost));
                let exact = engine.promise() == tidegate::engine::Promise::Optimal;
                let holds = walked == cost && cost >= least && (!exact || cost == least);
                ensure(holds, || format!("size {size}: {cost}, walked {walked}, not {least}"))
            }
            (outcome, least) => Err(format!("size {size}: {outcome:?}, not {least:?}")),
        }
    }
}
