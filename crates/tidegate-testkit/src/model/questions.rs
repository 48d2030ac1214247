//! Questions for paths, and what the answers have to be.

use tidegate::cost::STRAIGHT;
use tidegate::engine::{Engine, Promise};
use tidegate::index::{MOST_DETOUR, TableState};
use tidegate::{
    Answer, Blocked, CostLayer, Index, Outcome, Path, Query, QueryError, Slice, SlicedSearch, Tile,
};

use super::plain::{At, Plain};
use super::program::Ask;
use super::run::{Checked, Runner, Sliced, engine, ensure, tile};

/// How a question must be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Outside(&'static str, At),
    Wall(&'static str, At),
    Blocked(&'static str, At),
    NotBuilt,
    Stale,
    Unsupported,
}

impl Refusal {
    /// Whether this is the error.
    pub(super) fn is(self, error: &QueryError) -> bool {
        let at = |tile: &Tile| (tile.x, tile.y);
        match (self, error) {
            (Refusal::Outside(which, at_), QueryError::Outside { end, tile, .. })
            | (Refusal::Wall(which, at_), QueryError::Wall { end, tile })
            | (Refusal::Blocked(which, at_), QueryError::Blocked { end, tile }) => {
                (which, at_) == (*end, at(tile))
            }
            (Refusal::NotBuilt, QueryError::NotBuilt { .. })
            | (Refusal::Stale, QueryError::Stale { .. })
            | (Refusal::Unsupported, QueryError::Unsupported { .. }) => true,
            _ => false,
        }
    }
}

pub(super) fn blocked_tiles(blocked: &[At]) -> Blocked {
    Blocked::new(blocked.iter().map(|&at| tile(at)))
}

impl Ask {
    fn query<'a>(&self, blocked: &'a Blocked, layer: &'a CostLayer) -> Query<'a> {
        let mut query = Query::new(self.start, self.goal);
        query.blocked = (!self.blocked.is_empty()).then_some(blocked);
        query.costs = self.costs.then_some(layer);
        (query.partial, query.budget, query.refuse_stale) =
            (self.partial, self.budget, self.strict);
        query
    }
}

impl Runner {
    /// How an end of a question is refused, if it is.
    pub(super) fn bad_end(&self, which: &'static str, at: At, blocked: &[At]) -> Option<Refusal> {
        let map = &self.state.plain;
        if !map.contains(at) {
            return Some(Refusal::Outside(which, at));
        }
        if !map.is_free_tile(at) {
            return Some(Refusal::Wall(which, at));
        }
        blocked.contains(&at).then_some(Refusal::Blocked(which, at))
    }

    /// The ends of a question from one tile to some: the start is not blocked by who stands there.
    fn bad_ends(&self, start: At, goals: &[At], blocked: &[At]) -> Option<Refusal> {
        let around = |goal: At| if goal == start { &[][..] } else { blocked };
        let bad_goal = |&goal: &At| self.bad_end("goal", goal, around(goal));
        self.bad_end("start", start, &[]).or_else(|| goals.iter().find_map(bad_goal))
    }

    /// Whether an edit has overtaken an engine that was built; `None` if it was not.
    fn is_stale(&self, engine: &dyn Engine) -> Option<bool> {
        let mut tables = engine.tables().iter();
        let built = tables.clone().all(|kind| self.state.built.contains(&kind.tag));
        let stale = tables.any(|kind| self.index.table_state(kind) == Some(TableState::Stale));
        built.then_some(stale)
    }

    /// How a question is refused, if it is, and whether another engine answers it.
    fn refusal(&self, ask: &Ask) -> (Option<Refusal>, bool) {
        if let Some(bad) = self.bad_ends(ask.start, &[ask.goal], &ask.blocked) {
            return (Some(bad), false);
        }
        let engine = engine(ask.engine);
        let Some(stale) = self.is_stale(engine) else { return (Some(Refusal::NotBuilt), false) };
        if stale {
            return (ask.strict.then_some(Refusal::Stale), true);
        }
        let costs = ask.costs && self.layer.1.iter().any(|&extra| extra > 0);
        let unable = costs && !engine.info().respects_costs;
        (unable.then_some(Refusal::Unsupported), false)
    }

    /// The map as a question sees it.
    pub(super) fn seen(&self, start: At, blocked: &[At], costs: bool) -> Plain {
        self.state.plain.seen(blocked, Some(start), costs.then_some(&self.layer.1[..]))
    }

    pub(super) fn find(&mut self, ask: &Ask) -> Checked {
        let (blocked, layer) = (blocked_tiles(&ask.blocked), self.layer.0.clone());
        let (query, mut path) = (ask.query(&blocked, &layer), Path::new());
        let found = self.index.find(engine(ask.engine), &query, &mut self.scratch, &mut path);
        self.judge(ask, &found, &path)?;
        if let Ok(Answer { outcome: Outcome::Found(_), .. }) = found
            && engine(ask.engine).promise() == Promise::Optimal
            && ask.blocked.is_empty()
            && !ask.costs
            && path.len() > 1
        {
            self.paths.push((path, self.state.revision));
        }
        // The short forms.
        let distance = self.index.distance(engine(ask.engine), &query, &mut self.scratch);
        let adapts = engine(ask.engine).info().adapts;
        let same = match (&distance, &found) {
            (Ok(cost), Ok(answer)) => adapts || *cost == answer.cost(),
            (one, other) => one.is_err() == other.is_err(),
        };
        ensure(same, || format!("distance {distance:?}, but {found:?}"))?;
        if self.bad_ends(ask.start, &[ask.goal], &[]).is_none() {
            let connected = self.state.plain.flood(&[ask.start])[self.state.plain.index(ask.goal)];
            let told = self.index.reachable(ask.start, ask.goal);
            ensure(told == connected.is_some(), || format!("reachable: {told}, {connected:?}"))?;
        }
        Ok(())
    }

    /// What came of a question.
    fn judge(&mut self, ask: &Ask, found: &Result<Answer, QueryError>, path: &[Tile]) -> Checked {
        let (refusal, in_place) = self.refusal(ask);
        let answer = match (found, refusal) {
            (Err(error), Some(refusal)) => {
                self.counts.refused += 1;
                ensure(path.is_empty(), || "an error, and a path".to_owned())?;
                return ensure(refusal.is(error), || format!("{error:?}, not {refusal:?}"));
            }
            (Ok(answer), None) => answer,
            (found, refusal) => return Err(format!("{found:?}, not {refusal:?}")),
        };
        self.counts.answers += 1;
        self.counts.in_place += usize::from(in_place);
        let map = self.seen(ask.start, &ask.blocked, ask.costs);
        let all = map.flood(&[ask.start]);
        let least = self.claimed(all[map.index(ask.goal)]);
        let ends = (path.first().copied(), path.last().copied());
        match answer.outcome {
            Outcome::Found(cost) => {
                let cost = u64::from(cost);
                let (walked, least) =
                    (map.cost_of(path)?, least.ok_or("a way where there is none")?);
                ensure(ends == (Some(tile(ask.start)), Some(tile(ask.goal))), || {
                    format!("{ends:?}")
                })?;
                ensure(walked == cost, || format!("costs {cost}, the steps {walked}"))?;
                let exact = in_place || engine(ask.engine).promise() == Promise::Optimal;
                ensure(cost >= least && (!exact || cost == least), || {
                    format!("costs {cost}, the model says {least}")
                })?;
                // Of `hpa` on uniform ground this is not proved, but was never seen otherwise. Where a budget ends the
                // search for a shorter path, the long one stays.
                ensure(ask.budget.is_some() || cost <= u64::from(MOST_DETOUR) * least, || {
                    format!("costs {cost}, more than {MOST_DETOUR} times {least}")
                })?;
                if cost > 0 {
                    self.counts.longest = self.counts.longest.max(cost as f64 / least as f64);
                }
                Ok(())
            }
            Outcome::Unreachable => {
                ensure(least.is_none(), || format!("no way, the model says {least:?}"))?;
                if !ask.partial {
                    return ensure(path.is_empty(), || format!("a path to nowhere: {path:?}"));
                }
                // The nearest tile by the documented measure, by a shortest way.
                let measure = |t: Tile| {
                    let cost = all[map.index((t.x, t.y))]?;
                    let estimate = map.movement.estimate(t, tile(ask.goal));
                    Some((estimate, cost, t.y, t.x))
                };
                let nearest = map.tiles().filter_map(measure).min().ok_or("nothing is near")?;
                let wanted = Tile::new(nearest.3, nearest.2);
                ensure(ends == (Some(tile(ask.start)), Some(wanted)), || {
                    format!("a partial path {path:?}, not to {wanted}")
                })?;
                let walked = map.cost_of(path)?;
                ensure(walked == nearest.1, || format!("partial: {walked}, not {}", nearest.1))
            }
            Outcome::Stopped => {
                ensure(ask.budget.is_some(), || "stopped by nothing".to_owned())?;
                ensure(ask.partial || path.is_empty(), || "stopped, and a path".to_owned())?;
                if path.is_empty() {
                    return Ok(());
                }
                map.cost_of(path)?;
                ensure(ends.0 == Some(tile(ask.start)), || format!("stopped: {path:?}"))
            }
        }
    }

    pub(super) fn batch(&mut self, asks: &[Ask]) -> Checked {
        let Some(first) = asks.first() else { return Ok(()) };
        let asks: Vec<Ask> =
            asks.iter().map(|a| Ask { engine: first.engine, ..a.clone() }).collect();
        let blocked: Vec<Blocked> = asks.iter().map(|ask| blocked_tiles(&ask.blocked)).collect();
        let layer = self.layer.0.clone();
        let pairs = asks.iter().zip(&blocked);
        let queries: Vec<_> = pairs.map(|(ask, blocked)| ask.query(blocked, &layer)).collect();
        let mut batch = std::mem::take(&mut self.batch);
        self.index.find_batch(engine(first.engine), &queries, &mut batch);
        let many = self.index.find_many(engine(first.engine), &queries);
        ensure(batch.len() == asks.len() && many.len() == asks.len(), || "answers".to_owned())?;
        for (n, ask) in asks.iter().enumerate() {
            self.judge(ask, &batch.answers()[n], batch.path(n))?;
            let found = many[n].as_ref().map(|(answer, path)| (*answer, path.tiles()));
            let path = found.map_or(&[][..], |(_, path)| path);
            self.judge(ask, &found.map(|(answer, _)| answer).map_err(Clone::clone), path)?;
        }
        self.batch = batch;
        Ok(())
    }

    pub(super) fn begin(&mut self, ask: &Ask, slice: u8, runs: u8) -> Checked {
        let (blocked, layer) = (blocked_tiles(&ask.blocked), self.layer.0.clone());
        let query = ask.query(&blocked, &layer);
        self.sliced = None;
        match SlicedSearch::new(&self.index, engine(ask.engine), &query) {
            Ok(search) => {
                let began = (self.version(), self.state.plain.clone());
                self.sliced = Some(Sliced { search, ask: ask.clone(), slice, layer, began });
                self.go_on(runs)
            }
            Err(error) => {
                self.counts.refused += 1;
                let refusal = self.bad_ends(ask.start, &[ask.goal], &ask.blocked);
                ensure(refusal.is_some_and(|r| r.is(&error)), || format!("{error:?}, {refusal:?}"))
            }
        }
    }

    pub(super) fn go_on(&mut self, runs: u8) -> Checked {
        let Some(mut sliced) = self.sliced.take() else { return Ok(()) };
        let mut path = Path::new();
        for _ in 0..runs {
            let ran = sliced.search.run(&self.index, sliced.slice.into(), &mut path);
            let unchanged = sliced.began.0 == self.version();
            if ran == Err(QueryError::Changed) {
                self.counts.slices.1 += 1;
                return ensure(!unchanged, || "changed, though nothing has".to_owned());
            }
            let moved = sliced.began.1 != self.state.plain;
            ensure(!moved, || format!("{ran:?} on another map"))?;
            let found = match ran {
                Ok(Slice::Paused(stats)) => {
                    self.counts.slices.0 += 1;
                    let most = sliced.ask.budget.unwrap_or(u64::MAX);
                    ensure(stats.expanded <= most, || format!("{stats:?}, budget {most}"))?;
                    ensure(sliced.ask.partial || path.is_empty(), || "paused, a path".to_owned())?;
                    continue;
                }
                Ok(Slice::Done(answer)) => Ok(answer),
                Err(error) => Err(error),
            };
            return self.judge_slices(&sliced, &found, &path);
        }
        self.sliced = Some(sliced);
        Ok(())
    }

    /// A search that has ended gave what one run gives.
    fn judge_slices(
        &mut self,
        sliced: &Sliced,
        found: &Result<Answer, QueryError>,
        path: &Path,
    ) -> Checked {
        let (ask, blocked) = (&sliced.ask, blocked_tiles(&sliced.ask.blocked));
        let query = ask.query(&blocked, &sliced.layer);
        if !engine(ask.engine).info().adapts {
            let mut whole = Path::new();
            let wanted = self.index.find(engine(ask.engine), &query, &mut self.scratch, &mut whole);
            ensure(*found == wanted && *path == whole, || format!("{found:?}, whole {wanted:?}"))?;
        }
        // The layer may have changed since, which the search does not mind.
        if sliced.layer == self.layer.0 || !ask.costs {
            self.judge(ask, found, path)
        } else {
            Ok(())
        }
    }

    pub(super) fn goals(&mut self, start: At, goals: &[At], blocked: &[At]) -> Checked {
        let around = blocked_tiles(blocked);
        let tiles: Vec<Tile> = goals.iter().map(|&goal| tile(goal)).collect();
        let mut path = Path::new();
        let index: &Index = &self.index;
        let costs = index.distances(tile(start), &tiles, Some(&around), &mut self.scratch);
        let nearest =
            index.nearest(tile(start), &tiles, Some(&around), &mut self.scratch, &mut path);
        if let Some(refusal) = self.bad_ends(start, goals, blocked) {
            self.counts.refused += 2;
            let refused = costs.as_ref().is_err_and(|error| refusal.is(error));
            let both = refused && nearest.as_ref().is_err_and(|error| refusal.is(error));
            return ensure(both, || format!("{costs:?}, {nearest:?}, not {refusal:?}"));
        }
        self.counts.answers += 2;
        let map = self.seen(start, blocked, false);
        let all = map.flood(&[start]);
        let least = |goal: &At| self.claimed(all[map.index(*goal)]);
        let wanted: Vec<Option<u64>> = goals.iter().map(least).collect();
        let told = costs.map_err(|error| error.to_string())?;
        let told: Vec<_> = told.into_iter().map(|cost| cost.map(u64::from)).collect();
        ensure(told == wanted, || format!("distances {told:?}, not {wanted:?}"))?;
        let first = wanted.iter().enumerate().filter_map(|(n, cost)| Some(((*cost)?, n))).min();
        let told = nearest.map_err(|error| error.to_string())?;
        let told = told.map(|(n, cost)| (u64::from(cost), n));
        ensure(told == first, || format!("nearest {told:?}, not {first:?}"))?;
        match told {
            None => ensure(path.is_empty(), || "a path to none".to_owned()),
            Some((cost, n)) => {
                let ends = (path.first(), path.last()) == (Some(&tile(start)), Some(&tiles[n]));
                let walked = map.cost_of(&path)?;
                ensure(ends && walked == cost, || format!("nearest by {path:?}: {walked}"))
            }
        }
    }

    pub(super) fn within(&mut self, start: At, range: u8, blocked: &[At]) -> Checked {
        let (around, range) = (blocked_tiles(blocked), u32::from(range) * STRAIGHT);
        let told = self.index.within(tile(start), range, Some(&around), &mut self.scratch);
        if let Some(refusal) = self.bad_end("start", start, &[]) {
            self.counts.refused += 1;
            let refused = told.as_ref().is_err_and(|error| refusal.is(error));
            return ensure(refused, || format!("{told:?}, not {refusal:?}"));
        }
        self.counts.answers += 1;
        let map = self.seen(start, blocked, false);
        let all = map.flood(&[start]);
        let near =
            |t: Tile| Some((t, all[map.index((t.x, t.y))].filter(|&c| c <= u64::from(range))?));
        let wanted: Vec<(Tile, u64)> = map.tiles().filter_map(near).collect();
        let told = told.map_err(|error| error.to_string())?;
        let told: Vec<_> = told.into_iter().map(|(tile, cost)| (tile, u64::from(cost))).collect();
        ensure(told == wanted, || format!("within {told:?}, not {wanted:?}"))
    }

    pub(super) fn approach(&mut self, start: At, target: At, range: u8, blocked: &[At]) -> Checked {
        let (around, range, mut path) =
            (blocked_tiles(blocked), u32::from(range) * STRAIGHT, Path::new());
        let (from, to) = (tile(start), tile(target));
        let told =
            self.index.approach(from, to, range, Some(&around), &mut self.scratch, &mut path);
        if let Some(refusal) = self.bad_end("start", start, &[]) {
            self.counts.refused += 1;
            let refused = told.as_ref().is_err_and(|error| refusal.is(error));
            return ensure(refused, || format!("{told:?}, not {refusal:?}"));
        }
        self.counts.answers += 1;
        let map = self.seen(start, blocked, false);
        let all = map.flood(&[start]);
        let is_near = |t: &Tile| map.movement.estimate(*t, to) <= range;
        let wanted = map.tiles().filter(is_near).filter_map(|t| all[map.index((t.x, t.y))]).min();
        let told = told.map_err(|error| error.to_string())?.map(u64::from);
        ensure(told == wanted, || format!("approach {told:?}, not {wanted:?}"))?;
        if let Some(cost) = told {
            let walked = map.cost_of(&path)?;
            let near = path.last().is_some_and(is_near) && path.first() == Some(&from);
            ensure(near && walked == cost, || format!("approach by {path:?}: {walked}"))?;
        }
        Ok(())
    }
}
