//! A query answered by the loop over tiles: what all A*-based engines share.

use std::ops::ControlFlow;

use super::{Ask, Observe};
use crate::cost::Cost;
use crate::grid::CellId;
use crate::index::{Answer, Outcome, Query, QueryError};
use crate::path::Path;
use crate::search::{
    BlockedSpace, BucketQueue, Budget, End, GridSpace, Heuristic, MartelliQueue, Nearest, Observer,
    Open, SearchScratch, search,
};

/// Searches from the start to the goal by this estimate and writes the path.
pub(crate) fn search_tiles<Q: Open<Cost>>(
    ask: &Ask<'_>,
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    path: &mut Path,
    watch: Option<&mut Observe<'_>>,
) -> Result<Answer, QueryError> {
    let query = ask.query;
    let mut attended = Attended::new(query, watch);
    // A search that nobody attends is compiled without any of this.
    let (end, stats) = if attended.is_alone(query) {
        run(ask, heuristic, scratch, &mut ())
    } else {
        run(ask, heuristic, scratch, &mut attended)
    };
    let (outcome, last) = attended.conclude(query, end)?;
    if let Some(last) = last {
        let grid = ask.index.grid();
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

fn run<Q: Open<Cost>>(
    ask: &Ask<'_>,
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    observer: &mut impl Observer<Cost>,
) -> (End<Cost>, crate::search::Stats) {
    let grid = ask.index.grid();
    let (sources, goal) = ([(ask.start.index() as u32, 0)], ask.goal.index() as u32);
    let is_goal = |node| node == goal;
    match ask.query.blocked.filter(|blocked| !blocked.is_empty()) {
        None => search(&GridSpace::new(grid), &sources, is_goal, heuristic, scratch, observer),
        Some(blocked) => {
            let space = BlockedSpace::new(grid, blocked);
            search(&space, &sources, is_goal, heuristic, scratch, observer)
        }
    }
}

/// The observer of a query with a budget, a wish for partial paths or a watcher.
pub(super) struct Attended<'a, 'b> {
    budget: Budget,
    nearest: Nearest<Cost>,
    watch: Option<&'a mut Observe<'b>>,
}

impl<'a, 'b> Attended<'a, 'b> {
    pub(super) fn new(query: &Query<'_>, watch: Option<&'a mut Observe<'b>>) -> Attended<'a, 'b> {
        let budget = Budget { left: query.budget.unwrap_or(u64::MAX) };
        Attended { budget, nearest: Nearest::default(), watch }
    }

    /// Whether nobody attends: the search may then be run without an observer.
    pub(super) fn is_alone(&self, query: &Query<'_>) -> bool {
        query.budget.is_none() && !query.partial && self.watch.is_none()
    }

    /// What the end of a search means for the query, and the node to which a path is to
    /// be written, if any.
    pub(super) fn conclude(
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
}
