//! Many queries at once, into memory that is kept: an army's orders.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::grid::Tile;
use crate::index::{Answer, Engine, Index, Query, QueryError, Scratch};
use crate::path::Path;
use crate::threads;

/// So many queries are taken by a thread at a time.
const PORTION: usize = 16;

/// The most tiles that a batch holds unless told otherwise: 1 GiB.
pub const MOST_TILES: usize = 1 << 28;

/// The answers to many queries: all paths in one list of tiles, and where each begins. Kept
/// and used again, it allocates nothing once it has grown.
///
/// ```
/// use tidegate::batch::Batch;
/// use tidegate::{engine, Grid, Index, Query};
/// let index = Index::new(Grid::from_rows(&[".....", ".###.", "....."]).unwrap());
/// let queries = [Query::new((0, 0), (4, 0)), Query::new((2, 0), (2, 2))];
/// let mut batch = Batch::new();
/// index.find_batch(engine::ASTAR, &queries, &mut batch);
/// assert_eq!(batch.path(0).len(), 5);
/// assert_eq!(batch.offsets(), [0, 5, 12]);
/// ```
#[derive(Debug)]
pub struct Batch {
    threads: usize,
    most: usize,
    offsets: Vec<usize>,
    tiles: Vec<Tile>,
    answers: Vec<Result<Answer, QueryError>>,
    workers: Vec<Worker>,
}

/// What a thread works with.
#[derive(Debug, Default)]
struct Worker {
    scratch: Scratch,
    path: Path,
    tiles: Vec<Tile>,
    /// Query, answer, and where its path ends in `tiles`.
    done: Vec<(usize, Result<Answer, QueryError>, usize)>,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch {
            threads: 0,
            most: MOST_TILES,
            offsets: Vec::new(),
            tiles: Vec::new(),
            answers: Vec::new(),
            workers: Vec::new(),
        }
    }
}

impl Batch {
    /// Empty; queries run on all cores.
    pub fn new() -> Batch {
        Batch::default()
    }

    /// Empty; queries run on so many threads, 0 being all cores. Without the feature
    /// `parallel` it is always one.
    pub fn with_threads(threads: usize) -> Batch {
        Batch { threads, ..Batch::default() }
    }

    /// The same for paths of at most so many tiles together, [`MOST_TILES`] unless told. Where they have more,
    /// no query of the batch is answered: each is [`QueryError::TooManyTiles`].
    ///
    /// ```
    /// use tidegate::batch::Batch;
    /// use tidegate::{engine, Grid, Index, Query, QueryError};
    /// let index = Index::new(Grid::from_rows(&["....."]).unwrap());
    /// let queries = [Query::new((0, 0), (2, 0)), Query::new((0, 0), (4, 0))];
    /// let mut batch = Batch::new().holding_at_most(7);
    /// index.find_batch(engine::ASTAR, &queries, &mut batch);
    /// assert_eq!(batch.answers()[0], Err(QueryError::TooManyTiles { most: 7 }));
    /// index.find_batch(engine::ASTAR, &queries[1..], &mut batch);
    /// assert_eq!(batch.path(0).len(), 5);
    /// ```
    pub fn holding_at_most(self, tiles: usize) -> Batch {
        Batch { most: tiles, ..self }
    }

    /// How many queries were answered.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The answers, in the order of the queries.
    pub fn answers(&self) -> &[Result<Answer, QueryError>] {
        &self.answers
    }

    /// The path of one query; empty if it has none.
    ///
    /// # Panics
    /// If there were not so many queries.
    pub fn path(&self, query: usize) -> &[Tile] {
        &self.tiles[self.offsets[query]..self.offsets[query + 1]]
    }

    /// Where in [`Batch::tiles`] the path of each query begins, and where the last ends.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The tiles of all paths, one after the other.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// Refuses all queries, and lets go of what was found.
    fn refuse(&mut self, queries: usize) {
        (self.tiles, self.workers) = (Vec::new(), Vec::new());
        self.offsets.clear();
        self.offsets.resize(queries + 1, 0);
        let refused = Err(QueryError::TooManyTiles { most: self.most });
        self.answers.clear();
        self.answers.resize(queries, refused);
    }

    /// Puts the workers' answers into the order of the queries.
    fn gather(&mut self, queries: usize) {
        let Batch { offsets, tiles, answers, workers, .. } = self;
        offsets.clear();
        offsets.resize(queries + 1, 0);
        let empty = || Err(QueryError::TooFar);
        answers.clear();
        answers.resize_with(queries, empty);
        for worker in &mut *workers {
            let mut begin = 0;
            for &(query, _, end) in &worker.done {
                offsets[query + 1] = end - begin;
                begin = end;
            }
        }
        for query in 0..queries {
            offsets[query + 1] += offsets[query];
        }
        if let [only] = &mut workers[..] {
            // They are in order already.
            std::mem::swap(tiles, &mut only.tiles);
            for (answer, (_, done, _)) in answers.iter_mut().zip(only.done.drain(..)) {
                *answer = done;
            }
            return;
        }
        tiles.clear();
        tiles.resize(offsets[queries], Tile::new(0, 0));
        for worker in workers {
            let mut begin = 0;
            for (query, answer, end) in worker.done.drain(..) {
                let place = offsets[query]..offsets[query + 1];
                tiles[place].copy_from_slice(&worker.tiles[begin..end]);
                answers[query] = answer;
                begin = end;
            }
        }
    }
}

impl Index {
    /// Answers many queries into a batch that is kept, on as many threads as the
    /// batch has. Answers and paths stand in the order of the queries and do not depend on
    /// the number of threads; an engine that learns from its queries answers them on one.
    pub fn find_batch(&self, engine: &dyn Engine, queries: &[Query<'_>], batch: &mut Batch) {
        let wanted = if batch.threads == 0 { threads::count() } else { batch.threads };
        let most = if engine.info().adapts { 1 } else { queries.len().div_ceil(PORTION).max(1) };
        let count = wanted.min(threads::count()).clamp(1, most);
        batch.workers.resize_with(batch.workers.len().max(count), Worker::default);
        // Workers that are not needed this time have nothing to tell.
        for worker in &mut batch.workers {
            worker.tiles.clear();
            worker.done.clear();
        }
        let (next, total, limit) = (AtomicUsize::new(0), AtomicUsize::new(0), batch.most);
        threads::each(&mut batch.workers[..count], |worker| {
            loop {
                let first = PORTION * next.fetch_add(1, Ordering::Relaxed);
                let Some(rest) = queries.get(first..).filter(|rest| !rest.is_empty()) else {
                    break;
                };
                for (n, query) in rest.iter().take(PORTION).enumerate() {
                    if total.load(Ordering::Relaxed) > limit {
                        return;
                    }
                    let answer = self.find(engine, query, &mut worker.scratch, &mut worker.path);
                    if answer.is_ok() {
                        worker.tiles.extend_from_slice(worker.path.tiles());
                        total.fetch_add(worker.path.len(), Ordering::Relaxed);
                    }
                    worker.done.push((first + n, answer, worker.tiles.len()));
                }
            }
        });
        if total.into_inner() > limit {
            batch.refuse(queries.len());
        } else {
            batch.gather(queries.len());
        }
    }
}
