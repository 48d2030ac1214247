//! Asking: a query, an engine, an answer.
//!
//! An engine whose tables an [edit](Index::edit) has overtaken is not asked. The best engine
//! that is exact on the map as it is now answers in its place, unless the query
//! [refuses](Query::refuse_stale) that.

use crate::auto::{Automatic, CANDIDATES, find_around};
use crate::cost::Cost;
use crate::grid::{Blocked, Tile};
use crate::index::{
    Answer, DynObserver, Engine, FindContext, Index, Outcome, Query, QueryError, Scratch,
    answer_unconnected,
};
use crate::path::Path;
use crate::threads;

impl Index {
    /// The shortest path from one tile to another, by the best engine that is built;
    /// `None` if there is none. The index keeps the memory that the search needs, so this
    /// may be called in a loop and from many threads. A game loop that counts every
    /// microsecond keeps a [`Scratch`] and a [`Path`] and calls [`Index::find`].
    ///
    /// ```
    /// use tidegate::{Grid, Index};
    /// let index = Index::new(Grid::from_rows(&["..#..", "..#..", "....."]).unwrap());
    /// let path = index.path((0, 0), (4, 0)).unwrap().expect("there is a way");
    /// assert_eq!(path.len(), 7);
    /// for tile in &path {
    ///     assert!(index.grid().is_free(*tile));
    /// }
    /// ```
    pub fn path(
        &self,
        start: impl Into<Tile>,
        goal: impl Into<Tile>,
    ) -> Result<Option<Path>, QueryError> {
        let mut path = Path::new();
        let query = Query::new(start, goal);
        let answer =
            self.with_scratch(|scratch| self.find(&Automatic, &query, scratch, &mut path))?;
        Ok(answer.cost().map(|_| path))
    }

    /// Answers a query and writes the way into `path`.
    ///
    /// ```
    /// use tidegate::cost::STRAIGHT;
    /// use tidegate::{engine, Grid, Index, Path, Query, Scratch, Tile};
    /// let grid = Grid::from_rows(&[".....", ".###.", "....."]).unwrap();
    /// let index = Index::new(grid);
    /// let (mut scratch, mut path) = (Scratch::new(), Path::new());
    /// let query = Query::new(Tile::new(2, 0), Tile::new(2, 2));
    /// let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
    /// assert_eq!(answer.cost(), Some(6 * STRAIGHT));
    /// assert_eq!(path.tiles().len(), 7);
    /// ```
    pub fn find(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Answer, QueryError> {
        self.find_observed(engine, query, scratch, path, None)
    }

    /// Like [`Index::find`], while an observer sees every step of the search.
    pub fn find_observed(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
        observer: Option<&mut DynObserver<'_>>,
    ) -> Result<Answer, QueryError> {
        path.clear();
        let resolved = self.resolve(query)?;
        let engine = self.in_place_of(engine, query)?;
        if !engine.has_tables(self) {
            return Err(engine.not_built());
        }
        if resolved.has_costs() && !engine.info().respects_costs {
            let why =
                "it cannot go by a cost layer: use astar, hpa, or an engine of gates or landmarks";
            return Err(QueryError::Unsupported { engine: engine.name(), why });
        }
        if !resolved.is_connected() {
            return answer_unconnected(&resolved, scratch, path, observer);
        }
        let observer = observer.map(|observer| observer as &mut DynObserver<'_>);
        let context = FindContext { scratch, path, observer };
        let answer = if resolved.has_blocked() && !engine.info().respects_blocked {
            find_around(engine, &resolved, context)?
        } else {
            engine.find(&resolved, context)?
        };
        if !resolved.has_blocked() && answer.outcome == Outcome::Unreachable {
            return Err(QueryError::Contradiction { engine: engine.name() });
        }
        Ok(answer)
    }

    /// The engine itself; or, where an edit has overtaken its tables, the best that is
    /// exact now.
    fn in_place_of<'e>(
        &self,
        engine: &'e dyn Engine,
        query: &Query<'_>,
    ) -> Result<&'e dyn Engine, QueryError> {
        match (self.is_stale(engine), query.refuse_stale) {
            (false, _) => Ok(engine),
            (true, false) => Ok(&Automatic),
            (true, true) => Err(QueryError::Stale { engine: engine.name() }),
        }
    }

    /// The name of the engine that answers a query if this one is asked: its own, unless
    /// it only chooses another or an edit has overtaken its tables.
    pub fn answered_by(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
    ) -> Result<&'static str, QueryError> {
        let resolved = self.resolve(query)?;
        Ok(self.in_place_of(engine, query)?.answered_by(&resolved))
    }

    /// How far it is: the cost of the way from start to goal, and no path.
    ///
    /// ```
    /// use tidegate::cost::STRAIGHT;
    /// use tidegate::{engine, Grid, Index, Query, Scratch, Tile};
    /// let index = Index::new(Grid::from_rows(&["...#."]).unwrap());
    /// let mut scratch = Scratch::new();
    /// let near = Query::new(Tile::new(0, 0), Tile::new(2, 0));
    /// let far = Query::new(Tile::new(0, 0), Tile::new(4, 0));
    /// assert_eq!(index.distance(engine::ASTAR, &near, &mut scratch), Ok(Some(2 * STRAIGHT)));
    /// assert_eq!(index.distance(engine::ASTAR, &far, &mut scratch), Ok(None));
    /// ```
    pub fn distance(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
        scratch: &mut Scratch,
    ) -> Result<Option<Cost>, QueryError> {
        let mut path = std::mem::take(&mut scratch.path);
        let answer = self.find(engine, query, scratch, &mut path);
        scratch.path = path;
        Ok(answer?.cost())
    }

    /// The first step of the path: where a unit goes now that asks again next time. `None` if
    /// it is there or there is no way.
    ///
    /// ```
    /// use tidegate::{engine, Grid, Index, Query, Scratch, Tile};
    /// let index = Index::new(Grid::from_rows(&[".....", ".###.", "....."]).unwrap());
    /// let query = Query::new((1, 0), (1, 2));
    /// let step = index.next_step(engine::ASTAR, &query, &mut Scratch::new()).unwrap();
    /// assert_eq!(step, Some(Tile::new(0, 0)));
    /// ```
    pub fn next_step(
        &self,
        engine: &dyn Engine,
        query: &Query<'_>,
        scratch: &mut Scratch,
    ) -> Result<Option<Tile>, QueryError> {
        // The path stays in the scratch.
        self.distance(engine, query, scratch)?;
        Ok(scratch.path.tiles().get(1).copied())
    }

    /// How far it is from one tile to each of many: the costs in the order of `goals`,
    /// `None` where there is no way. Labels or corners tell where they are built and the goals
    /// are few; else a single search that ends with the last goal. It is as far back as there:
    /// for the distances from many tiles to one, ask from that one.
    ///
    /// ```
    /// use tidegate::{Grid, Index, Scratch, Tile};
    /// let index = Index::new(Grid::from_rows(&["...#."]).unwrap());
    /// let goals = [Tile::new(2, 0), Tile::new(4, 0)];
    /// let costs = index.distances(Tile::new(0, 0), &goals, None, &mut Scratch::new()).unwrap();
    /// assert_eq!(costs, [Some(2 * tidegate::cost::STRAIGHT), None]);
    /// ```
    pub fn distances(
        &self,
        start: Tile,
        goals: &[Tile],
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
    ) -> Result<Vec<Option<Cost>>, QueryError> {
        match self.known_distances(start, goals, blocked, scratch)? {
            Some(costs) => Ok(costs),
            None => self.flooded_distances(start, goals, blocked, scratch),
        }
    }

    /// What an engine knows without a search over the map.
    fn known_distances(
        &self,
        start: Tile,
        goals: &[Tile],
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
    ) -> Result<Option<Vec<Option<Cost>>>, QueryError> {
        let from = self.end("start", start, None)?;
        let cells = self.ends(start, goals, blocked)?;
        if blocked.is_some_and(|blocked| !blocked.is_empty()) {
            return Ok(None);
        }
        let mut ready = CANDIDATES.into_iter().filter(|engine| engine.is_ready(self));
        let costs = ready.find_map(|engine| engine.distances(self, start, goals, scratch));
        // A way that is too long to count is told apart by the search.
        let counted = |costs: &Vec<Option<Cost>>| {
            let mut pairs = costs.iter().zip(&cells);
            pairs.all(|(cost, &cell)| cost.is_some() == self.components().connected(from, cell))
        };
        Ok(costs.filter(counted))
    }

    /// The nearest of many goals by true distance: its position in `goals` (the first
    /// of equals), and the way to it in `path`. `None` if none can be reached.
    ///
    /// ```
    /// use tidegate::{Grid, Index, Path, Scratch, Tile};
    /// let grid = Grid::from_rows(&["..#..", "..#..", "....."]).unwrap();
    /// let index = Index::new(grid);
    /// let goals = [Tile::new(3, 0), Tile::new(0, 2)];
    /// let (mut scratch, mut path) = (Scratch::new(), Path::new());
    /// let found = index.nearest(Tile::new(1, 0), &goals, None, &mut scratch, &mut path);
    /// assert_eq!(found.unwrap().unwrap().0, 1); // (3, 0) is nearer only for a bird
    /// ```
    pub fn nearest(
        &self,
        start: Tile,
        goals: &[Tile],
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Option<(usize, Cost)>, QueryError> {
        let Some(costs) = self.known_distances(start, goals, blocked, scratch)? else {
            return self.nearest_by_search(start, goals, blocked, scratch, path);
        };
        path.clear();
        let known = costs.iter().enumerate().filter_map(|(n, cost)| Some((n, (*cost)?)));
        let Some((nearest, cost)) = known.min_by_key(|&(_, cost)| cost) else { return Ok(None) };
        self.find(&Automatic, &Query::new(start, goals[nearest]), scratch, path)?;
        Ok(Some((nearest, cost)))
    }

    /// Answers many queries, on all cores if the library is built with `parallel`, each
    /// thread with a scratch of its own. Answers come in the order of the queries and do
    /// not depend on the number of threads; so an engine that learns from its queries
    /// answers them on one thread, one after the other.
    pub fn find_many(
        &self,
        engine: &dyn Engine,
        queries: &[Query<'_>],
    ) -> Vec<Result<(Answer, Path), QueryError>> {
        let one = |scratch: &mut Scratch, n: usize| {
            let mut path = Path::new();
            self.find(engine, &queries[n], scratch, &mut path).map(|answer| (answer, path))
        };
        if engine.info().adapts {
            let mut scratch = Scratch::new();
            return (0..queries.len()).map(|n| one(&mut scratch, n)).collect();
        }
        threads::map(queries.len(), self.grid().tiles(), Scratch::new, one)
    }
}
