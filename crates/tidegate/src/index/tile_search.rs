//! A query answered by the loop over tiles: what all A*-based engines share.

use std::ops::ControlFlow;

use super::{Answer, DynObserver, Outcome, Query, QueryError, ResolvedQuery};
use crate::cost::Cost;
use crate::grid::{CellId, Grid};
use crate::path::Path;
use crate::search::{
    BlockedSpace, BucketQueue, Budget, End, GridSpace, Heuristic, MartelliQueue, Nearest, Observer,
    Open, SearchScratch, Stats, search,
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
    let mut observer = QueryObserver::new(query, observer);
    let (end, stats) = observer.search(query, grid, (resolved.start, resolved.goal), heuristic, scratch);
    let (outcome, last) = observer.conclude(query, end)?;
    if let Some(last) = last {
        for node in scratch.way_back(last) {
            path.push(grid.tile(CellId::from_index(node as usize)));
        }
        path.reverse();
    }
    Ok(Answer { outcome, stats })
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

fn run<Q: Open<Cost>>(
    query: &Query<'_>,
    grid: &Grid,
    (from, to): (CellId, CellId),
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    observer: &mut impl Observer<Cost>,
) -> (End<Cost>, Stats) {
    let (sources, to) = ([(from.index() as u32, 0)], to.index() as u32);
    let is_goal = |node| node == to;
    match query.blocked.filter(|blocked| !blocked.is_empty()) {
        None => search(&GridSpace::new(grid), &sources, is_goal, heuristic, scratch, observer),
        Some(blocked) => {
            let space = BlockedSpace::new(grid, blocked);
            search(&space, &sources, is_goal, heuristic, scratch, observer)
        }
    }
}

/// The observer of a query with a budget, a wish for partial paths or a watcher. Where a
/// query takes several searches, they share the budget.
pub struct QueryObserver<'a, 'b> {
    budget: Budget,
    nearest: Nearest<Cost>,
    observer: Option<&'a mut DynObserver<'b>>,
}

impl<'a, 'b> QueryObserver<'a, 'b> {
    /// For one query.
    pub fn new(query: &Query<'_>, observer: Option<&'a mut DynObserver<'b>>) -> QueryObserver<'a, 'b> {
        let budget = Budget { left: query.budget.unwrap_or(u64::MAX) };
        QueryObserver { budget, nearest: Nearest::default(), observer }
    }

    /// Whether nobody attends: the search may then be run without an observer.
    pub fn is_unobserved(&self, query: &Query<'_>) -> bool {
        query.budget.is_none() && !query.partial && self.observer.is_none()
    }

    /// One search from tile to tile, around what the query blocks.
    pub fn search<Q: Open<Cost>>(
        &mut self,
        query: &Query<'_>,
        grid: &Grid,
        ends: (CellId, CellId),
        heuristic: &mut impl Heuristic<Cost>,
        scratch: &mut SearchScratch<Cost, Q>,
    ) -> (End<Cost>, Stats) {
        self.nearest = Nearest::default();
        // A search that nobody attends is compiled without an observer.
        if self.is_unobserved(query) {
            run(query, grid, ends, heuristic, scratch, &mut ())
        } else {
            run(query, grid, ends, heuristic, scratch, self)
        }
    }

    /// What the end of a search means for the query, and the node to which a path is to
    /// be written, if any.
    pub fn conclude(
        &self,
        query: &Query<'_>,
        end: End<Cost>,
    ) -> Result<(Outcome, Option<u32>), QueryError> {
        let nearest = self.nearest.best.map(|(_, _, node)| node).filter(|_| query.partial);
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
        self.nearest.expand(node, g, h)?;
        match &mut self.observer {
            Some(observer) => observer.expand(node, g, h),
            None => ControlFlow::Continue(()),
        }
    }
}
