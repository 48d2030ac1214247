//! `like-thesis`: plain A* as the published experiments must have run it.
//!
//! Double precision, least f first and then larger g, ties between floats as they fall,
//! the popped goal counted. This reading reproduces the expansion counts of the thesis's
//! tables A.1 to A.4. It is handicapped: sums of √2 in different orders differ by noise,
//! and the noise decides ties that exact costs decide well. For comparison only.

use std::f64::consts::SQRT_2;

use tidegate::cost::Cost;
use tidegate::engine::{Engine, EngineInfo, EngineScratch, FindContext, FindResult, ResolvedQuery};
use tidegate::search::{End, HeapQueue, SearchScratch, Space, search};
use tidegate::{Answer, CellId, Grid, Outcome, QueryError};

/// The reading as an engine.
#[derive(Debug)]
pub struct LikeThesis;

static INFO: EngineInfo =
    EngineInfo::optimal("like-thesis", "A* in the arithmetic of the 2015 thesis, for comparison");

/// No other search uses floating point.
#[derive(Debug, Default)]
struct FloatScratch(SearchScratch<f64, HeapQueue<f64>>);

impl EngineScratch for FloatScratch {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

struct Tiles<'g>(&'g Grid);

impl Space for Tiles<'_> {
    type Weight = f64;

    fn nodes(&self) -> usize {
        self.0.tiles()
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, f64)) {
        for (next, direction) in self.0.neighbours(CellId::from_index(node as usize)) {
            visit(next.index() as u32, if direction.is_diagonal() { SQRT_2 } else { 1.0 });
        }
    }
}

impl Engine for LikeThesis {
    fn info(&self) -> &EngineInfo {
        &INFO
    }

    fn find(&self, query: &ResolvedQuery<'_>, context: FindContext<'_>) -> FindResult {
        let FindContext { scratch, path, .. } = context;
        let grid = query.index.grid();
        let goal = query.query.goal;
        let mut octile = |node: u32| {
            let tile = grid.tile(CellId::from_index(node as usize));
            let (dx, dy) = (f64::from(tile.x.abs_diff(goal.x)), f64::from(tile.y.abs_diff(goal.y)));
            Some(SQRT_2 * dx.min(dy) + (dx - dy).abs())
        };
        let FloatScratch(scratch) = scratch.slot();
        let (start, end) = (query.start.index() as u32, query.goal.index() as u32);
        let is_goal = |node| node == end;
        let (end, stats) =
            search(&Tiles(grid), &[(start, 0.0)], is_goal, &mut octile, scratch, &mut ());
        let outcome = match end {
            End::Goal(node, _) => {
                for node in scratch.way_back(node) {
                    path.push(grid.tile(CellId::from_index(node as usize)));
                }
                path.reverse();
                Outcome::Found(Cost::new(path.length().cost() as u32))
            }
            End::TooFar => return Err(QueryError::TooFar),
            End::Stopped => Outcome::Stopped,
            End::Exhausted => Outcome::Unreachable,
        };
        Ok(Answer { outcome, stats })
    }
}
