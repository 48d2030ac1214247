//! How long an approximate answer may be: an engine that cannot say by itself hands over
//! its path here, and it leaves at most [`MOST`] times as long as the best.

use super::Ask;
use super::tile_search::{Attended, run};
use crate::cost::Cost;
use crate::grid::CellId;
use crate::heuristic::Octile;
use crate::hpa::Bound;
use crate::path::Path;
use crate::search::{BucketQueue, End, SearchScratch, Stats};

/// No answer is more than this many times as long as the best.
pub(crate) const MOST: Cost = 4;

/// Looks whether there is a path that would prove this one too long, and if so writes it
/// into `path` and returns its cost. The estimate settles most queries. For the others a
/// search goes as far as a path of the `MOST`-th part of the cost could lead, and no
/// further, so it expands a small part of what a search for the best path would.
///
/// Where a budget ends the search the path is left as it is.
pub(crate) fn replace_detour(
    ask: &Ask<'_>,
    cost: Cost,
    attended: &mut Attended<'_, '_>,
    scratch: &mut SearchScratch<Cost, BucketQueue>,
    path: &mut Path,
) -> (Option<Cost>, Stats) {
    let (grid, query) = (ask.index.grid(), ask.query);
    // A path of less than this shows that the one at hand is too long.
    let limit = cost.div_ceil(MOST);
    if grid.movement().estimate(query.start, query.goal) >= limit {
        return (None, Stats::default());
    }
    let mut bound = Bound { inner: attended, best: limit, beaten: false };
    let ends = (ask.start, ask.goal);
    let mut octile = Octile::new(grid, query.goal);
    let (end, stats) = run(query, grid, ends, &mut octile, scratch, &mut bound);
    let End::Goal(node, better) = end else { return (None, stats) };
    path.clear();
    let tile = |node: u32| grid.tile(CellId::from_index(node as usize));
    scratch.way_back(node).for_each(|node| path.push(tile(node)));
    path.reverse();
    (Some(better), stats)
}
