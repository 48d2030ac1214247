//! How long an approximate answer may be: an engine that cannot say by itself hands over
//! its path here, and it leaves at most four times as long as the best.

use super::tile_search::run;
use super::{QueryObserver, ResolvedQuery};
use crate::cost::Cost;
use crate::grid::CellId;
use crate::path::Path;
use crate::search::{BelowCost, BucketQueue, End, Octile, SearchScratch, Stats};

/// No answer that [`replace_detour`] has seen costs more than this many times the least cost,
/// unless a query's budget ends its search.
pub const MOST_DETOUR: u32 = 4;

/// Looks whether there is a path that would prove this one too long, and if so writes it
/// into `path` and returns its cost. The estimate settles most queries. For the others a
/// search goes as far as a path of a quarter of the cost could lead, and no
/// further, so it expands a small part of what a search for the best path would.
///
/// Where a budget ends the search the path is left as it is.
pub fn replace_detour(
    resolved: &ResolvedQuery<'_>,
    cost: Cost,
    observer: &mut QueryObserver<'_, '_>,
    scratch: &mut SearchScratch<Cost, BucketQueue>,
    path: &mut Path,
) -> (Option<Cost>, Stats) {
    let (grid, query) = (resolved.index.grid(), resolved.query);
    // A path of less than this shows that the one at hand is too long.
    let limit = Cost::new(cost.get().div_ceil(MOST_DETOUR));
    if grid.movement().estimate(query.start, query.goal) >= limit {
        return (None, Stats::default());
    }
    let mut bound = BelowCost { inner: observer, best: limit, beaten: false };
    let (goal, mut octile) = (resolved.goal.index() as u32, Octile::new(grid, query.goal));
    let is_goal = |node| node == goal;
    let (end, stats) = run(query, grid, resolved.start, is_goal, &mut octile, scratch, &mut bound);
    let End::Goal(node, better) = end else { return (None, stats) };
    path.clear();
    let tile = |node: u32| grid.tile(CellId::from_index(node as usize));
    scratch.way_back(node).for_each(|node| path.push(tile(node)));
    path.reverse();
    (Some(better), stats)
}
