//! Problems for a map: solvable pairs of tiles, spread evenly over path lengths, each
//! with its exact length.
//!
//! One flood from a random start (the search loop without an estimate: Dijkstra's
//! algorithm) gives goals of every length, so that many problems cost few floods.
//! Lengths are those of uniform ground: a `.scen` file knows no other.

use crate::cost::{Cost, Factor, Length, STRAIGHT};
use crate::grid::scen_file::Problem;
use crate::grid::{CellId, Grid};
use crate::rng::Rng;
use crate::search::{self, Blind, BucketQueue, GridSpace, SearchScratch};

type Flood = SearchScratch<Cost, BucketQueue>;

/// Tiles of path length per bucket, as the Moving AI scenarios have it.
const BUCKET: u32 = 4 * STRAIGHT.get();
/// Problems taken from one flood.
const PER_FLOOD: usize = 12;

/// `count` problems on this map in order of their bucket, the same for the same seed.
/// Fewer (or none) if the map has no two connected tiles. No problem is unsolvable.
///
/// ```
/// use tidegate::generate::problems::problems;
/// use tidegate::Grid;
/// let grid = Grid::from_rows(&["....", ".@@.", "...."]).unwrap();
/// let made = problems(&grid, "ring.map", 10, 1);
/// assert_eq!(made.len(), 10);
/// assert!(made.iter().all(|p| p.length > 0.0));
/// ```
pub fn problems(grid: &Grid, map: &str, count: usize, seed: u64) -> Vec<Problem> {
    let mut rng = Rng::new(seed);
    let free: Vec<CellId> = grid.free_cells().collect();
    // A scenario's lengths are those of uniform ground.
    let grid = &grid.clone().with_factors(vec![Factor::ONE; grid.tiles()]);
    let space = GridSpace::new(grid);
    let mut flood = Flood::new();
    let mut made: Vec<Problem> = Vec::with_capacity(count);
    // A start on a tiny piece gives nothing; a bounded number of tries finds better ones.
    for _ in 0..count.div_ceil(PER_FLOOD) * 8 + 32 {
        if made.len() >= count {
            break;
        }
        let Some(&start) = rng.pick(&free) else { break };
        let source = (start.index() as u32, Cost::ZERO);
        search::search(&space, &[source], |_| false, &mut Blind, &mut flood, &mut ());
        let reached = free.iter().map(|c| c.index() as u32);
        let reached = reached.filter_map(|node| flood.cost(node).map(|g| (g, node)));
        let mut goals: Vec<(Cost, u32)> = reached.filter(|&(g, _)| g > Cost::ZERO).collect();
        goals.sort_unstable();
        let Some(longest) = goals.last().map(|g| g.0) else { continue };
        for k in 0..PER_FLOOD.min(count - made.len()) {
            // A length drawn evenly from this flood's own slice of all lengths, then any
            // tile of that bucket.
            let slice = longest.get() as usize / PER_FLOOD;
            let drawn = (k * slice + rng.below(slice + 1)) as u32 / BUCKET * BUCKET;
            let first = goals.partition_point(|g| g.0.get() < drawn);
            let end = goals.partition_point(|g| g.0.get() < drawn + BUCKET);
            let Some(&(_, goal)) = rng.pick(&goals[first..end]) else { continue };
            let length = length(grid, &flood, goal).value();
            made.push(Problem {
                bucket: (length / 4.0) as u32,
                map: map.to_string(),
                width: grid.width(),
                height: grid.height(),
                start: grid.tile(start),
                goal: grid.tile(CellId::from_index(goal as usize)),
                length,
                decimals: 8,
            });
        }
    }
    made.sort_by_key(|p| p.bucket);
    made
}

/// The length of the path that the last flood found to a tile.
fn length(grid: &Grid, flood: &Flood, goal: u32) -> Length {
    let mut length = Length::default();
    let mut last = None;
    for node in flood.way_back(goal) {
        let tile = grid.tile(CellId::from_index(node as usize));
        match last.replace(tile) {
            Some(t) if t.x != tile.x && t.y != tile.y => length.diagonal += 1,
            Some(_) => length.straight += 1,
            None => {}
        }
    }
    length
}
