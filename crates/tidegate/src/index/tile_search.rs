//! A query answered by the loop over tiles: what all A*-based engines share.

use std::ops::ControlFlow;

use super::{Answer, DynObserver, Outcome, Query, QueryError, ResolvedQuery, Scratch};
use crate::cost::{Cost, STRAIGHT};
use crate::grid::{CellId, Grid, Tile};
use crate::path::Path;
use crate::search::{
    BlockedSpace, BucketQueue, Budget, CostSpace, End, GridSpace, Heuristic, MartelliQueue,
    Nearest, Observer, Octile, Open, SearchScratch, Slice, Stats,
};

/// Searches from the start to the goal by this estimate and writes the path.
pub fn search_tiles<Q: Open<Cost>>(
    resolved: &ResolvedQuery<'_>,
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    path: &mut Path,
    observer: Option<&mut DynObserver<'_>>,
) -> Result<Answer, QueryError> {
    let (query, grid) = (resolved.query, resolved.index.grid());
    let (mut observer, mut slice) = (QueryObserver::new(resolved, observer), scratch.take_slice());
    let goal = resolved.goal.index() as u32;
    let is_goal = |node| node == goal;
    let end = observer.run_slice(resolved, is_goal, heuristic, scratch, &mut slice);
    let stats = slice.run.stats;
    let (outcome, last) = observer.conclude(query, end)?;
    if let Some(last) = last {
        write_way(grid, last, scratch, path);
    }
    Ok(Answer { outcome, stats })
}

/// Answers a query whose ends are not connected: where a partial path is wanted, by the
/// way to the nearest tile, for every engine the same.
pub fn answer_unconnected(
    resolved: &ResolvedQuery<'_>,
    scratch: &mut Scratch,
    path: &mut Path,
    observer: Option<&mut DynObserver<'_>>,
) -> Result<Answer, QueryError> {
    if !resolved.query.partial {
        return Ok(Answer::without_search(Outcome::Unreachable));
    }
    let (query, grid, tiles) = (resolved.query, resolved.index.grid(), scratch.tiles());
    let (octile, mut slice) = (Octile::new(grid, query.goal), tiles.take_slice());
    if !slice.is_resumed() {
        slice.least = least_estimate(resolved);
    }
    let mut observer = QueryObserver::new(resolved, observer);
    observer.nearest = Some((octile, slice.nearest));
    observer.least = slice.least;
    let end = observer.run_slice(resolved, |_| false, &mut { octile }, tiles, &mut slice);
    let stats = slice.run.stats;
    let end = if observer.is_settled { End::Exhausted } else { end };
    let (outcome, last) = observer.conclude(query, end)?;
    if let Some(last) = last {
        write_way(grid, last, tiles, path);
    }
    Ok(Answer { outcome, stats })
}

/// The least estimate of the cost to the goal from any tile that the start reaches on the
/// map without blocked tiles: looked for in ever larger squares around the goal. `None` if
/// that is more work than the budget allows.
fn least_estimate(resolved: &ResolvedQuery<'_>) -> Option<Cost> {
    let (grid, components) = (resolved.index.grid(), resolved.index.components());
    let octile = Octile::new(grid, resolved.query.goal);
    let mut least = octile.from(resolved.query.start);
    let (x, y) = (i32::from(resolved.query.goal.x), i32::from(resolved.query.goal.y));
    for radius in 1_i32.. {
        // From the sides of the square it is at least so many straight steps.
        if radius as u32 * STRAIGHT >= least {
            break;
        }
        // About four times its square of tiles were looked at, which is much less work each
        // than an expansion.
        let looks = 4 * u64::from(radius.unsigned_abs()).pow(2);
        if resolved.query.budget.is_some_and(|budget| looks / 16 > budget) {
            return None;
        }
        for along in -radius..=radius {
            let sides = [(along, -radius), (along, radius), (-radius, along), (radius, along)];
            for (dx, dy) in sides {
                let (Ok(x), Ok(y)) = (u16::try_from(x + dx), u16::try_from(y + dy)) else {
                    continue;
                };
                let tile = Tile::new(x, y);
                let reached = |&cell: &CellId| components.connected(resolved.start, cell);
                if grid.cell(tile).filter(reached).is_some() {
                    least = least.min(octile.from(tile));
                }
            }
        }
    }
    Some(least)
}

fn write_way<Q: Open<Cost>>(
    grid: &Grid,
    last: u32,
    scratch: &SearchScratch<Cost, Q>,
    path: &mut Path,
) {
    for node in scratch.way_back(last) {
        path.push(grid.tile(CellId::from_index(node as usize)));
    }
    path.reverse();
}

/// Like [`search_tiles`] for estimates that are not consistent. The records of `tiles`
/// serve both orders, so that a scratch holds them once.
pub fn search_in_martellis_order(
    resolved: &ResolvedQuery<'_>,
    heuristic: &mut impl Heuristic<Cost>,
    tiles: &mut SearchScratch<Cost, BucketQueue>,
    martelli: &mut SearchScratch<Cost, MartelliQueue>,
    path: &mut Path,
    observer: Option<&mut DynObserver<'_>>,
) -> Result<Answer, QueryError> {
    martelli.swap_records(tiles);
    let answer = search_tiles(resolved, heuristic, martelli, path, observer);
    martelli.swap_records(tiles);
    answer
}

pub(super) fn run<Q: Open<Cost>>(
    query: &Query<'_>,
    grid: &Grid,
    from: CellId,
    is_goal: impl FnMut(u32) -> bool,
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    observer: &mut impl Observer<Cost>,
) -> (End<Cost>, Stats) {
    let mut whole = Slice::whole();
    let end = run_slice(query, grid, from, is_goal, heuristic, scratch, observer, &mut whole);
    (end.unwrap_or(End::Stopped), whole.run.stats)
}

/// One slice of a search; `None` if the search has not ended with it.
#[expect(clippy::too_many_arguments)]
fn run_slice<Q: Open<Cost>>(
    query: &Query<'_>,
    grid: &Grid,
    from: CellId,
    is_goal: impl FnMut(u32) -> bool,
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    observer: &mut impl Observer<Cost>,
    slice: &mut Slice<Cost>,
) -> Option<End<Cost>> {
    let (sources, most) = ([(from.index() as u32, Cost::ZERO)], slice.expansions);
    let (run, pauses) = (&mut slice.run, slice.expansions < u64::MAX);
    macro_rules! go_on {
        ($space:expr, $pauses:literal) => {
            run.go_on::<$pauses, _, _, _, _>(
                &$space, &sources, is_goal, heuristic, scratch, observer, most,
            )
        };
    }
    // A layer of another size was refused when the query was resolved.
    let costs = query.costs.filter(|costs| !costs.is_empty());
    if let Some(Ok(space)) = costs.map(|costs| CostSpace::new(grid, query.blocked, costs)) {
        return if pauses { go_on!(space, true) } else { go_on!(space, false) };
    }
    match (query.blocked.filter(|blocked| !blocked.is_empty()), pauses) {
        (None, false) => go_on!(GridSpace::new(grid), false),
        (None, true) => go_on!(GridSpace::new(grid), true),
        (Some(blocked), false) => go_on!(BlockedSpace::new(grid, blocked), false),
        (Some(blocked), true) => go_on!(BlockedSpace::new(grid, blocked), true),
    }
}

/// The observer of a query with a budget, a watcher, or a wish for a partial path that
/// may have to be granted. Where a query takes several searches, they share the budget.
pub struct QueryObserver<'a, 'b> {
    budget: Budget,
    /// The nearest tile expanded, by the measure of [`Query::partial`], where somebody may
    /// ask for it.
    nearest: Option<(Octile<'a>, Nearest<Cost>)>,
    /// Where no tile has a lesser estimate than this, and the search goes by it: it ends as
    /// soon as no other such tile can cost as little as the one that was found.
    least: Option<Cost>,
    is_settled: bool,
    observer: Option<&'a mut DynObserver<'b>>,
}

impl<'a, 'b> QueryObserver<'a, 'b> {
    /// For one query.
    pub fn new(
        resolved: &ResolvedQuery<'a>,
        observer: Option<&'a mut DynObserver<'b>>,
    ) -> QueryObserver<'a, 'b> {
        let query = resolved.query;
        let budget = Budget { left: query.budget.unwrap_or(u64::MAX) };
        // A search whose goal is connected with the start is kept from it by these alone.
        let may_fail = query.budget.is_some() || observer.is_some() || resolved.has_blocked();
        let nearest = (query.partial && may_fail)
            .then(|| (Octile::new(resolved.index.grid(), query.goal), Nearest::default()));
        QueryObserver { budget, nearest, least: None, is_settled: false, observer }
    }

    /// Whether nobody attends: the search may then be run without an observer.
    pub fn is_unobserved(&self, query: &Query<'_>) -> bool {
        query.budget.is_none() && self.nearest.is_none() && self.observer.is_none()
    }

    /// One search from tile to tile, around what the query blocks.
    pub fn search<Q: Open<Cost>>(
        &mut self,
        query: &Query<'_>,
        grid: &Grid,
        (from, to): (CellId, CellId),
        heuristic: &mut impl Heuristic<Cost>,
        scratch: &mut SearchScratch<Cost, Q>,
    ) -> (End<Cost>, Stats) {
        let to = to.index() as u32;
        let is_goal = |node| node == to;
        if let Some((_, nearest)) = &mut self.nearest {
            *nearest = Nearest::default();
        }
        // A search that nobody attends is compiled without an observer.
        if self.is_unobserved(query) {
            run(query, grid, from, is_goal, heuristic, scratch, &mut ())
        } else {
            run(query, grid, from, is_goal, heuristic, scratch, self)
        }
    }

    /// The search that answers a query, or the next slice of it. One that is to go on in the
    /// slice after this one counts as stopped.
    fn run_slice<Q: Open<Cost>>(
        &mut self,
        resolved: &ResolvedQuery<'a>,
        is_goal: impl FnMut(u32) -> bool,
        heuristic: &mut impl Heuristic<Cost>,
        scratch: &mut SearchScratch<Cost, Q>,
        slice: &mut Slice<Cost>,
    ) -> End<Cost> {
        let (query, grid, from) = (resolved.query, resolved.index.grid(), resolved.start);
        self.budget.left = self.budget.left.saturating_sub(slice.run.stats.expanded);
        if query.partial && (self.nearest.is_some() || slice.may_pause()) {
            self.nearest = Some((Octile::new(grid, query.goal), slice.nearest));
        }
        let end = if self.is_unobserved(query) {
            run_slice(query, grid, from, is_goal, heuristic, scratch, &mut (), slice)
        } else {
            run_slice(query, grid, from, is_goal, heuristic, scratch, self, slice)
        };
        if end.is_none() {
            slice.nearest = self.nearest.map_or(slice.nearest, |(_, nearest)| nearest);
            scratch.pause(*slice);
        }
        end.unwrap_or(End::Stopped)
    }

    /// What the end of a search means for the query, and the node to which a path is to
    /// be written, if any.
    pub fn conclude(
        &self,
        query: &Query<'_>,
        end: End<Cost>,
    ) -> Result<(Outcome, Option<u32>), QueryError> {
        let nearest = self.nearest.as_ref().and_then(|(_, nearest)| nearest.best);
        let nearest = nearest.map(|(_, _, node)| node).filter(|_| query.partial);
        match end {
            End::Goal(node, cost) => Ok((Outcome::Found(cost), Some(node))),
            End::TooFar => Err(QueryError::TooFar),
            End::Exhausted => Ok((Outcome::Unreachable, nearest)),
            End::Stopped => Ok((Outcome::Stopped, nearest)),
        }
    }
}

impl Observer<Cost> for QueryObserver<'_, '_> {
    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        if let Some(observer) = &mut self.observer {
            observer.generate(node, parent, g, h);
        }
    }

    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        Observer::<Cost>::expand(&mut self.budget, node, g, h)?;
        let best = self.nearest.as_ref().and_then(|(_, nearest)| nearest.best);
        if let Some((estimate, cost, _)) = best
            && Some(estimate) == self.least
            && g + h > cost + estimate
        {
            self.is_settled = true;
            return ControlFlow::Break(());
        }
        if let Some((octile, nearest)) = &mut self.nearest {
            nearest.expand(node, g, octile.at(node))?;
        }
        match &mut self.observer {
            Some(observer) => observer.expand(node, g, h),
            None => ControlFlow::Continue(()),
        }
    }

    fn spend(&mut self, expansions: u64) -> ControlFlow<()> {
        Observer::<Cost>::spend(&mut self.budget, expansions)?;
        match &mut self.observer {
            Some(observer) => observer.spend(expansions),
            None => ControlFlow::Continue(()),
        }
    }
}
