//! A query spread over the frames of a game: a fixed number of expansions at a time, and in
//! the end the answer that one run would have given.

use crate::grid::{Blocked, CostLayer, Tile};
use crate::index::{Answer, Engine, Index, Outcome, Query, QueryError, Scratch, StateMark};
use crate::path::Path;
use crate::search::Stats;

/// A search that pauses and goes on where it was.
///
/// Path, cost and expansions are those of [`Index::find`] with the same engine and query,
/// however the search is sliced. It keeps what it needs of the query and its own memory, and
/// borrows nothing between two slices: the game may do what it likes meanwhile. If it
/// changes the map or its tables, the next slice says so ([`QueryError::Changed`]) and
/// [`SlicedSearch::restart`] begins again.
///
/// `astar`, `differential` and the gate engines pause; so does every engine that searches by
/// [`search_tiles`](crate::index::search_tiles). `jps`, `corners`, `labels` and `hpa` answer
/// in the first slice, whatever it may spend, and only where they hand the query over to a
/// search over tiles does that one pause.
///
/// A search under way holds 16 bytes for each tile of the map, and its open list. For many
/// searches one after the other keep a few of these and restart them.
///
/// ```
/// use tidegate::{engine, Grid, Index, Path, Query, Slice, SlicedSearch};
/// let index = Index::new(Grid::from_rows(&["......", ".####.", "......"]).unwrap());
/// let query = Query::new((2, 0), (2, 2));
/// let mut search = SlicedSearch::new(&index, engine::ASTAR, &query).unwrap();
/// let (mut path, mut frames) = (Path::new(), 1);
/// let answer = loop {
///     match search.run(&index, 4, &mut path).unwrap() {
///         Slice::Paused(_) => frames += 1, // the game goes on, and calls again
///         Slice::Done(answer) => break answer,
///     }
/// };
/// assert_eq!(path.len(), 7);
/// assert_eq!(frames, answer.stats.expanded.div_ceil(4));
/// ```
#[derive(Debug)]
pub struct SlicedSearch {
    engine: &'static dyn Engine,
    start: Tile,
    goal: Tile,
    budget: Option<u64>,
    partial: bool,
    blocked: Option<Blocked>,
    costs: Option<CostLayer>,
    refuse_stale: bool,
    /// The index as it was when the search began.
    mark: StateMark,
    scratch: Scratch,
}

/// How a slice of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// Its expansions are spent; the next slice goes on from here. The work so far, all
    /// slices together. With [`Query::partial`] the path leads to the nearest tile expanded
    /// so far, so that a unit can set out; else it is empty.
    Paused(Stats),
    /// The search has ended: the answer that [`Index::find`] gives, and its path.
    Done(Answer),
}

impl SlicedSearch {
    /// A search that has not begun. The query's ends are checked here; its blocked tiles
    /// and its cost layer are copied.
    pub fn new(
        index: &Index,
        engine: &'static dyn Engine,
        query: &Query<'_>,
    ) -> Result<SlicedSearch, QueryError> {
        SlicedSearch::with_scratch(index, engine, query, Scratch::new())
    }

    /// Begins again, or with another query or map. The memory is kept.
    ///
    /// ```
    /// use tidegate::index::Change;
    /// use tidegate::{engine, Grid, Index, Path, Query, QueryError, SlicedSearch};
    /// let mut index = Index::new(Grid::from_rows(&["......", ".####.", "......"]).unwrap());
    /// let query = Query::new((2, 0), (2, 2));
    /// let mut search = SlicedSearch::new(&index, engine::ASTAR, &query).unwrap();
    /// let mut path = Path::new();
    /// search.run(&index, 4, &mut path).unwrap();
    /// index.edit([Change::wall((0, 1))]).unwrap();
    /// assert_eq!(search.run(&index, 4, &mut path), Err(QueryError::Changed));
    /// search.restart(&index, engine::ASTAR, &query).unwrap();
    /// search.run(&index, 100, &mut path).unwrap();
    /// assert_eq!(path.len(), 9); // around the other side
    /// ```
    pub fn restart(
        &mut self,
        index: &Index,
        engine: &'static dyn Engine,
        query: &Query<'_>,
    ) -> Result<(), QueryError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.tiles().forget_paused();
        *self = SlicedSearch::with_scratch(index, engine, query, scratch)?;
        Ok(())
    }

    fn with_scratch(
        index: &Index,
        engine: &'static dyn Engine,
        query: &Query<'_>,
        scratch: Scratch,
    ) -> Result<SlicedSearch, QueryError> {
        index.resolve(query)?;
        let &Query { start, goal, budget, partial, blocked, costs, refuse_stale } = query;
        let (blocked, costs, mark) = (blocked.cloned(), costs.cloned(), StateMark::of(index));
        let search = SlicedSearch {
            engine,
            start,
            goal,
            budget,
            partial,
            blocked,
            costs,
            refuse_stale,
            mark,
            scratch,
        };
        Ok(search)
    }

    /// Goes on for so many expansions, one at least, and writes what there is of the way into
    /// `path`. After its end, or an error of the query, the next slice is the first of the same
    /// search again.
    ///
    /// The index must be the one that the search began on, or a clone, unchanged: with any
    /// other the search stays where it is, and [`QueryError::Changed`] is the answer.
    pub fn run(
        &mut self,
        index: &Index,
        expansions: u64,
        path: &mut Path,
    ) -> Result<Slice, QueryError> {
        path.clear();
        if !self.mark.is_of(index) {
            return Err(QueryError::Changed);
        }
        let &mut SlicedSearch { engine, start, goal, budget, partial, refuse_stale, .. } = self;
        let (blocked, costs) = (self.blocked.as_ref(), self.costs.as_ref());
        let query = Query { start, goal, budget, partial, blocked, costs, refuse_stale };
        self.scratch.tiles().ask_for_slice(expansions);
        let answer = index.find(engine, &query, &mut self.scratch, path);
        match answer {
            Ok(Answer { outcome: Outcome::Stopped, stats }) if self.has_begun() => {
                Ok(Slice::Paused(stats))
            }
            answer => {
                self.scratch.tiles().forget_paused();
                answer.map(Slice::Done)
            }
        }
    }

    /// Whether a slice was run and others are to follow.
    pub fn has_begun(&self) -> bool {
        self.scratch.last_tiles().has_paused()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.scratch.bytes()
    }
}
