//! A query answered by the loop over tiles: what all A*-based engines share.

use std::ops::ControlFlow;

use super::{Ask, Observe};
use crate::cost::Cost;
use crate::grid::{CellId, Grid};
use crate::index::{Answer, Outcome, Query, QueryError};
use crate::path::Path;
use crate::search::{
    BlockedSpace, BucketQueue, Budget, End, GridSpace, Heuristic, MartelliQueue, Nearest, Observer,
    Open, SearchScratch, Stats, search,
};

/// Searches from the start to the goal by this estimate and writes the path.
pub(crate) fn search_tiles<Q: Open<Cost>>(
    ask: &Ask<'_>,
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    path: &mut Path,
    watch: Option<&mut Observe<'_>>,
) -> Result<Answer, QueryError> {
    let (query, grid) = (ask.query, ask.index.grid());
    let mut attended = Attended::new(query, watch);
    let (end, stats) = attended.search(query, grid, (ask.start, ask.goal), heuristic, scratch);
    let (outcome, last) = attended.conclude(query, end)?;
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
pub(crate) fn search_in_martellis_order(
    ask: &Ask<'_>,
    heuristic: &mut impl Heuristic<Cost>,
    tiles: &mut SearchScratch<Cost, BucketQueue>,
    martelli: &mut SearchScratch<Cost, MartelliQueue>,
    path: &mut Path,
    watch: Option<&mut Observe<'_>>,
) -> Result<Answer, QueryError> {
    martelli.swap_records(tiles);
    let answer = search_tiles(ask, heuristic, martelli, path, watch);
    martelli.swap_records(tiles);
    answer
}

pub(super) fn run<Q: Open<Cost>>(
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
pub(crate) struct Attended<'a, 'b> {
    budget: Budget,
    nearest: Nearest<Cost>,
    watch: Option<&'a mut Observe<'b>>,
}

impl<'a, 'b> Attended<'a, 'b> {
    pub(crate) fn new(query: &Query<'_>, watch: Option<&'a mut Observe<'b>>) -> Attended<'a, 'b> {
        let budget = Budget { left: query.budget.unwrap_or(u64::MAX) };
        Attended { budget, nearest: Nearest::default(), watch }
    }

    /// Whether nobody attends: the search may then be run without an observer.
    pub(crate) fn is_alone(&self, query: &Query<'_>) -> bool {
        query.budget.is_none() && !query.partial && self.watch.is_none()
    }

    /// One search from tile to tile, around what the query blocks.
    pub(crate) fn search<Q: Open<Cost>>(
        &mut self,
        query: &Query<'_>,
        grid: &Grid,
        ends: (CellId, CellId),
        heuristic: &mut impl Heuristic<Cost>,
        scratch: &mut SearchScratch<Cost, Q>,
    ) -> (End<Cost>, Stats) {
        self.nearest = Nearest::default();
        // A search that nobody attends is compiled without an observer.
        if self.is_alone(query) {
            run(query, grid, ends, heuristic, scratch, &mut ())
        } else {
            run(query, grid, ends, heuristic, scratch, self)
        }
    }

    /// What the end of a search means for the query, and the node to which a path is to
    /// be written, if any.
    pub(crate) fn conclude(
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

impl Observer<Cost> for Attended<'_, '_> {
    fn generate(&mut self, node: u32, parent: u32, g: Cost, h: Cost) {
        if let Some(watch) = &mut self.watch {
            watch.generate(node, parent, g, h);
        }
    }

    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        Observer::<Cost>::expand(&mut self.budget, node, g, h)?;
        self.nearest.expand(node, g, h)?;
        match &mut self.watch {
            Some(watch) => watch.expand(node, g, h),
            None => ControlFlow::Continue(()),
        }
    }

    fn spend(&mut self, expansions: u64) -> ControlFlow<()> {
        Observer::<Cost>::spend(&mut self.budget, expansions)?;
        match &mut self.watch {
            Some(watch) => watch.spend(expansions),
            None => ControlFlow::Continue(()),
        }
    }
}
