//! A path under a cost layer: the graph knows nothing of what a layer adds, but it knows
//! where a short way leads.
//!
//! What a layer adds makes no way cheaper. So a path to which nothing is added is as near to
//! the best as it was without the layer, and is the answer. Any other is searched for
//! again over the tiles, with all costs, among the clusters that it passes and those around
//! them: what costs least there, and never more than the path at hand. That the best way
//! may lead elsewhere is seen to by [`replace_detour`].

use super::shape::Layer;
use crate::cost::{Cost, Extra, INFINITY};
use crate::grid::{CellId, CostLayer, Grid};
use crate::index::{QueryObserver, ResolvedQuery, replace_detour};
use crate::path::Path;
use crate::search::{BucketQueue, End, Heuristic, Octile, SearchScratch, Stats};

/// The octile estimate among some clusters; nothing leads beyond.
struct Among<'a> {
    octile: Octile<'a>,
    grid: &'a Grid,
    clusters: &'a Layer,
    open: &'a [bool],
}

impl Heuristic<Cost> for Among<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let tile = self.grid.tile(CellId::from_index(node as usize));
        let is_open = self.open[self.clusters.cluster_of(tile) as usize];
        is_open.then(|| self.octile.from(tile))
    }
}

/// Makes the best of a path under the layer of a query and returns what it costs then;
/// `None` if that is more than can be counted.
pub(super) fn improve(
    resolved: &ResolvedQuery<'_>,
    layer: &CostLayer,
    clusters: &Layer,
    open: &mut Vec<bool>,
    observer: &mut QueryObserver<'_, '_>,
    tiles: &mut SearchScratch<Cost, BucketQueue>,
    path: &mut Path,
) -> (Option<Cost>, Stats) {
    let (grid, query) = (resolved.index.grid(), resolved.query);
    let sum = path.check_under(grid, layer).ok().and_then(|sum| u32::try_from(sum).ok());
    let mut cost = sum.map(Cost::new).filter(|&cost| cost < INFINITY);
    let mut stats = Stats::default();
    if path.tiles().iter().any(|&tile| layer.at(tile) != Extra::NONE) {
        open_around(clusters, path, open);
        let octile = Octile::new(grid, query.goal);
        let mut among = Among { octile, grid, clusters, open };
        let ends = (resolved.start, resolved.goal);
        let (end, work) = observer.search(query, grid, ends, &mut among, tiles);
        stats += work;
        if let End::Goal(node, better) = end
            && cost.is_none_or(|cost| better < cost)
        {
            path.clear();
            let tile = |node: u32| grid.tile(CellId::from_index(node as usize));
            tiles.way_back(node).for_each(|node| path.push(tile(node)));
            path.reverse();
            cost = Some(better);
        }
    }
    if let Some(known) = cost {
        let (better, work) = replace_detour(resolved, known, observer, tiles, path);
        stats += work;
        cost = better.or(cost);
    }
    (cost, stats)
}

/// How far beside a path another is looked for, in tiles.
const BESIDE: u32 = 32;

/// The clusters that a path passes and those around each. Around those alone where
/// something is added, answers took two thirds of the time and were up to 6 % longer than
/// the best instead of 1 %.
fn open_around(clusters: &Layer, path: &Path, open: &mut Vec<bool>) {
    open.clear();
    open.resize(clusters.clusters(), false);
    let rings = BESIDE.div_ceil(clusters.side());
    let mut last = None;
    for &tile in path.tiles() {
        let cluster = clusters.cluster_of(tile);
        if last.replace(cluster) != Some(cluster) {
            clusters.around(cluster, rings).for_each(|cluster| open[cluster as usize] = true);
        }
    }
}
