//! A query answered by the loop over tiles: what all A*-based engines share.

use std::ops::ControlFlow;

use super::{Ask, Observe};
use crate::cost::Cost;
use crate::grid::CellId;
use crate::index::{Answer, Outcome, QueryError};
use crate::path::Path;
use crate::search::{
    Budget, End, GridSpace, Heuristic, Nearest, Observer, Open, SearchScratch, search,
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
    let mut attended = Attended {
        budget: Budget { left: query.budget.unwrap_or(u64::MAX) },
        nearest: Nearest::default(),
        watch,
    };
    // A search that nobody attends is compiled without any of this.
    let alone = query.budget.is_none() && !query.partial && attended.watch.is_none();
    let (end, stats) = if alone {
        run(ask, heuristic, scratch, &mut ())
    } else {
        run(ask, heuristic, scratch, &mut attended)
    };
    let (outcome, last) = match end {
        End::Goal(node, cost) => (Outcome::Found(cost), Some(node)),
        End::TooFar => return Err(QueryError::TooFar),
        End::Exhausted => (Outcome::Unreachable, attended.nearest()),
        End::Stopped => (Outcome::Stopped, attended.nearest()),
    };
    if let Some(last) = last.filter(|_| query.partial || matches!(outcome, Outcome::Found(_))) {
        let grid = ask.index.grid();
        for node in scratch.way_back(last) {
            path.push(grid.tile(CellId::from_index(node as usize)));
        }
        path.reverse();
    }
    Ok(Answer { outcome, stats })
}

fn run<Q: Open<Cost>>(
    ask: &Ask<'_>,
    heuristic: &mut impl Heuristic<Cost>,
    scratch: &mut SearchScratch<Cost, Q>,
    observer: &mut impl Observer<Cost>,
) -> (End<Cost>, crate::search::Stats) {
    let space = GridSpace::new(ask.index.grid());
    let (start, goal) = (ask.start.index() as u32, ask.goal.index() as u32);
    search(&space, &[(start, 0)], |node| node == goal, heuristic, scratch, observer)
}

/// The observer of a query with a budget, a wish for partial paths or a watcher.
struct Attended<'a, 'b> {
    budget: Budget,
    nearest: Nearest<Cost>,
    watch: Option<&'a mut Observe<'b>>,
}

impl Attended<'_, '_> {
    fn nearest(&self) -> Option<u32> {
        self.nearest.best.map(|(_, _, node)| node)
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
