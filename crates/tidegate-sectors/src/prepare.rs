//! MAAT's preprocessing: fits sectors and bounds to a map before any query.
//!
//! Random solvable pairs are planned one after the other. One that takes too long has
//! its most time-consuming sector split and is planned again; the split stays only if
//! it helped. One with time to spare has its least time-consuming pair merged,
//! likewise. Changes that brought the time nearer to the bound than to the old time are
//! good; the new bounds are the means of the good times.

use std::sync::Arc;

use crate::clock::Clock;
use crate::cover::Cover;
use crate::ground::Ground;
use crate::maat::Maat;
use crate::planner::{Change, SectorPlanner};
use crate::tally::Bounds;
use crate::trip::Meter;
use tidegate::grid::component::Components;
use tidegate::grid::{CellId, Grid};
use tidegate::index::{Index, Query, Scratch};
use tidegate::path::Path;
use tidegate::rng::Rng;

/// How to prepare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// Random pairs to plan.
    pub pairs: usize,
    /// Where the randomness begins.
    pub seed: u64,
    /// The bounds to begin with.
    pub bounds: Bounds,
}

impl Default for Preparation {
    /// The paper's thousand pairs and its bounds in expansions.
    fn default() -> Preparation {
        Preparation { pairs: 1_000, seed: 1, bounds: Bounds::default() }
    }
}

/// The good times after one kind of change.
#[derive(Clone, Copy, Debug, Default)]
struct Good {
    sum: u64,
    count: u64,
}

impl Good {
    fn mean_or(self, otherwise: u64) -> u64 {
        self.sum.checked_div(self.count).unwrap_or(otherwise)
    }

    /// Notes a kept change from one time to another. A time that came over the bound
    /// into the range says nothing about how near to the bound one can get, and is not
    /// rated: the paper's figure 3 draws only times that stay outside, and its bounds
    /// became wider (0.8 and 8.4 ms from 1 and 3).
    fn rate(&mut self, before: u64, after: u64, bound: u64) {
        let outside = (before < bound) == (after < bound);
        if outside && after.abs_diff(bound) <= after.abs_diff(before) {
            self.sum += after;
            self.count += 1;
        }
    }
}

/// A planner of MAAT, fitted to the map. Its tally tells what was changed and reverted.
pub fn prepare(
    index: &Index,
    ground: Arc<Ground>,
    how: &Preparation,
    clock: &mut dyn Clock,
) -> SectorPlanner<Maat> {
    let cover = Cover::new(ground.hierarchy());
    let mut planner = SectorPlanner::new(ground, cover, Maat, how.bounds);
    let mut pairs = Pairs::new(index.grid(), index.components(), how.seed);
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let mut meter = Meter { clock, expanded: 0 };
    let (mut after_splits, mut after_merges) = (Good::default(), Good::default());
    for (start, goal) in pairs.by_ref().take(how.pairs) {
        let query = Query::new(index.grid().tile(start), index.grid().tile(goal));
        let mut time = |planner: &mut SectorPlanner<Maat>| {
            path.clear();
            let ask = index.resolve(&query).ok()?;
            planner.travel(&ask, &mut meter, &mut scratch, &mut path, None, false).ok()?;
            Some(planner.last_trip().ticks)
        };
        let Some(before) = time(&mut planner) else { continue };
        planner.count();
        match planner.verdict() {
            Some(Change::Split) => {
                let Some(whole) = planner.split() else { continue };
                match time(&mut planner).filter(|&after| after < before) {
                    Some(after) => {
                        planner.tally.splits += 1;
                        after_splits.rate(before, after, how.bounds.upper());
                    }
                    None => planner.tally.reverts += u64::from(planner.merge_at(whole)),
                }
            }
            Some(Change::Merge) => {
                let Some(whole) = planner.merge() else { continue };
                match time(&mut planner).filter(|&after| after > before) {
                    Some(after) => {
                        planner.tally.merges += 1;
                        after_merges.rate(before, after, how.bounds.lower());
                    }
                    None => planner.tally.reverts += u64::from(planner.split_at(whole)),
                }
            }
            None => {}
        }
    }
    let upper = after_splits.mean_or(how.bounds.upper());
    let lower = after_merges.mean_or(how.bounds.lower());
    planner.bounds = Bounds::new(lower, upper).unwrap_or(how.bounds);
    planner.rested()
}

/// Seeded random pairs of different free tiles that reach each other, without end;
/// empty where no two tiles do.
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    components: &'a Components,
    free: Vec<CellId>,
    rng: Rng,
}

impl<'a> Pairs<'a> {
    /// Pairs on a map.
    pub fn new(grid: &Grid, components: &'a Components, seed: u64) -> Pairs<'a> {
        let in_company = |&cell: &CellId| {
            components.number(cell).is_some_and(|n| components.sizes()[n as usize] > 1)
        };
        let free = grid.free_cells().filter(in_company).collect();
        Pairs { components, free, rng: Rng::new(seed) }
    }
}

impl Iterator for Pairs<'_> {
    type Item = (CellId, CellId);

    /// Draws both ends again until they reach each other, so that every solvable pair is
    /// as likely as any other. On a map of very many small islands it settles, after a
    /// thousand draws, for a neighbourly pair.
    fn next(&mut self) -> Option<(CellId, CellId)> {
        if self.free.is_empty() {
            return None;
        }
        for _ in 0..1_000 {
            let (a, b) = (*self.rng.pick(&self.free)?, *self.rng.pick(&self.free)?);
            if a != b && self.components.connected(a, b) {
                return Some((a, b));
            }
        }
        let a = *self.rng.pick(&self.free)?;
        let mate = |&&b: &&CellId| a != b && self.components.connected(a, b);
        self.free.iter().find(mate).map(|&b| (a, b))
    }
}
