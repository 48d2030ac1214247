//! What a thread asks and how every answer is judged.
//!
//! One Dijkstra on the map of a snapshot, from one start, is the truth for all goals: each
//! engine is asked for several of them before the thread takes the next snapshot.

use tidegate::cost::Cost;
use tidegate::engine::{Engine, Promise};
use tidegate::rng::Rng;
use tidegate::{Blocked, CellId, Grid, Index, Outcome, Path, Query, QueryError, Scratch, Tile};
use tidegate_bench::histogram::Histogram;
use tidegate_testkit::oracle;
use tidegate_testkit::walls::end;

use crate::edit::timed;

/// Goals that every engine is asked for on one snapshot.
const GOALS: usize = 10;
/// Tiles blocked for the queries of one batch in four.
const BLOCKED: usize = 200;

/// What the queries to one engine came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Answers, all judged.
    pub(crate) answers: u64,
    /// Those that another engine gave because the tables were stale.
    pub(crate) in_place: u64,
    /// Queries that the engine cannot answer and says so.
    pub(crate) refused: u64,
    /// How long answers took.
    pub(crate) times: Histogram,
    /// The longest, in nanoseconds.
    pub(crate) longest: u64,
    /// The worst path against the best.
    pub(crate) worst: f64,
}

impl Tally {
    pub(crate) fn merge(&mut self, other: &Tally) {
        self.answers += other.answers;
        self.in_place += other.in_place;
        self.refused += other.refused;
        self.times.merge(&other.times);
        self.longest = self.longest.max(other.longest);
        self.worst = self.worst.max(other.worst);
    }
}

/// An answer that is not as it should be, and the state that gave it.
pub(crate) struct Wrong {
    pub(crate) what: String,
    pub(crate) index: Index,
}

/// A snapshot, a start, the tiles blocked for it (or none), and the truth.
struct Case<'a> {
    index: &'a Index,
    start: Tile,
    blocked: Blocked,
    /// The map with walls on what is blocked.
    walled: Grid,
    free: Vec<CellId>,
    least: Vec<Option<u64>>,
}

impl<'a> Case<'a> {
    fn new(index: &'a Index, recent: &[Tile], rng: &mut Rng) -> Option<Case<'a>> {
        let grid = index.grid();
        let all: Vec<CellId> = grid.free_cells().collect();
        let start = end(grid, &all, recent, rng)?;
        let count = if rng.chance(25) { BLOCKED } else { 0 };
        let some = (0..count).filter_map(|_| rng.pick(&all).map(|&cell| grid.tile(cell)));
        let blocked = Blocked::new(some.filter(|&tile| tile != start).collect::<Vec<_>>());
        let mut walled = grid.clone();
        for tile in blocked.iter() {
            walled.set_free(tile, false);
        }
        let least = oracle::distances(&walled, start);
        let free = walled.free_cells().collect();
        Some(Case { index, start, blocked, walled, free, least })
    }
}

/// Asks every engine on one snapshot, from one start; `tallies` has one for each engine.
pub(crate) fn batch(
    index: &Index,
    recent: &[Tile],
    (engines, tallies): (&[&dyn Engine], &mut [Tally]),
    rng: &mut Rng,
    (scratch, path): (&mut Scratch, &mut Path),
) -> Result<u64, Wrong> {
    let Some(case) = Case::new(index, recent, rng) else { return Ok(0) };
    let mut asked = 0;
    for _ in 0..GOALS {
        for (engine, tally) in engines.iter().zip(&mut *tallies) {
            let Some(goal) = end(&case.walled, &case.free, recent, rng) else { return Ok(asked) };
            let mut query = Query::new(case.start, goal).with_blocked(&case.blocked);
            query.partial = rng.chance(20);
            query.budget = rng.chance(10).then(|| rng.below(5_000) as u64);
            ask(&case, *engine, &query, tally, (scratch, path)).map_err(|what| {
                let revision = index.revision();
                let what = format!("{} at revision {revision}: {query:?}: {what}", engine.name());
                Wrong { what, index: index.clone() }
            })?;
            asked += 1;
        }
    }
    Ok(asked)
}

fn ask(
    case: &Case<'_>,
    engine: &dyn Engine,
    query: &Query<'_>,
    tally: &mut Tally,
    (scratch, path): (&mut Scratch, &mut Path),
) -> Result<(), String> {
    let (nanos, answer) = timed(|| case.index.find(engine, query, scratch, path));
    let answer = match answer {
        Ok(answer) => answer,
        Err(QueryError::Unsupported { .. }) => {
            tally.refused += 1;
            return Ok(());
        }
        Err(error) => return Err(error.to_string()),
    };
    let cell = case.walled.cell(query.goal).ok_or("a goal outside")?;
    let ratio = judge(case, engine, query, answer.outcome, case.least[cell.index()], path)?;
    tally.answers += 1;
    tally.in_place += u64::from(case.index.is_stale(engine));
    tally.times.add(nanos);
    tally.longest = tally.longest.max(nanos);
    tally.worst = tally.worst.max(ratio);
    Ok(())
}

/// How the answer stands to the truth: its cost over the least.
fn judge(
    case: &Case<'_>,
    engine: &dyn Engine,
    query: &Query<'_>,
    outcome: Outcome,
    least: Option<u64>,
    path: &Path,
) -> Result<f64, String> {
    match (outcome, least) {
        (Outcome::Found(cost), Some(least)) => {
            path.check_answer(&case.walled, query.start, query.goal, cost)
                .map_err(|e| e.to_string())?;
            let exact = engine.promise() == Promise::Optimal || case.index.is_stale(engine);
            if u64::from(cost) < least || (exact && u64::from(cost) > least) {
                return Err(format!("costs {}, the oracle says {least}", cost.get()));
            }
            Ok(u64::from(cost) as f64 / least.max(1) as f64)
        }
        (Outcome::Stopped, _) if query.budget.is_some() => Ok(0.0),
        (Outcome::Unreachable, None) if query.partial => judge_nearest(case, query, path),
        (Outcome::Unreachable, None) => Ok(0.0),
        (outcome, least) => Err(format!("{outcome:?}, the oracle says {least:?}")),
    }
}

/// The way to a goal that cannot be reached: to the nearest tile, and a shortest.
fn judge_nearest(case: &Case<'_>, query: &Query<'_>, path: &Path) -> Result<f64, String> {
    let grid = &case.walled;
    let key = |&cell: &CellId| {
        let estimate = grid.movement().estimate(grid.tile(cell), query.goal);
        case.least[cell.index()].map(|least| (estimate, least, cell))
    };
    let nearest = case.free.iter().filter_map(key).min();
    let (_, least, cell) = nearest.ok_or("nothing is reached")?;
    path.check_answer(grid, query.start, grid.tile(cell), Cost::new(least as u32))
        .map_err(|error| format!("the way to the nearest tile: {error}"))?;
    Ok(1.0)
}
