//! `like-thesis`: plain A* as the published experiments must have run it.
//!
//! Double precision, least f first and then larger g, ties between floats as they fall,
//! the popped goal counted. This reading reproduces the expansion counts of the thesis's
//! tables A.1 to A.4. It is handicapped: sums of √2 in different orders differ by noise,
//! and the noise decides ties that exact costs decide well. For comparison only.

use std::f64::consts::SQRT_2;
use std::sync::{Mutex, PoisonError};

use tidegate::engine::{Ask, Engine, Observe, Promise};
use tidegate::search::{End, HeapQueue, SearchScratch, Space, search};
use tidegate::{Answer, CellId, Grid, Outcome, Path, QueryError, Scratch};

/// The reading as an engine. It carries its own scratch, since no other search uses
/// floating point.
#[derive(Debug, Default)]
pub struct LikeThesis(Mutex<SearchScratch<f64, HeapQueue<f64>>>);

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
    fn name(&self) -> &'static str {
        "like-thesis"
    }

    fn about(&self) -> &'static str {
        "A* in the arithmetic of the 2015 thesis, for comparison"
    }

    fn promise(&self) -> Promise {
        Promise::Optimal
    }

    fn find(
        &self,
        ask: &Ask<'_>,
        _: &mut Scratch,
        path: &mut Path,
        _: Option<&mut Observe<'_>>,
    ) -> Result<Answer, QueryError> {
        let grid = ask.index.grid();
        let goal = ask.query.goal;
        let mut octile = |node: u32| {
            let tile = grid.tile(CellId::from_index(node as usize));
            let (dx, dy) = (f64::from(tile.x.abs_diff(goal.x)), f64::from(tile.y.abs_diff(goal.y)));
            Some(SQRT_2 * dx.min(dy) + (dx - dy).abs())
        };
        let mut scratch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (start, end) = (ask.start.index() as u32, ask.goal.index() as u32);
        let is_goal = |node| node == end;
        let (end, stats) =
            search(&Tiles(grid), &[(start, 0.0)], is_goal, &mut octile, &mut *scratch, &mut ());
        let outcome = match end {
            End::Goal(node, _) => {
                for node in scratch.way_back(node) {
                    path.push(grid.tile(CellId::from_index(node as usize)));
                }
                path.reverse();
                Outcome::Found(path.length().cost() as u32)
            }
            End::TooFar => return Err(QueryError::TooFar),
            End::Stopped => Outcome::Stopped,
            End::Exhausted => Outcome::Unreachable,
        };
        Ok(Answer { outcome, stats })
    }
}
