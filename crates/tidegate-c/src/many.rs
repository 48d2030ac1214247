//! Many queries at once, answered by several threads.

use std::ffi::c_char;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tidegate::engine::Engine;
use tidegate::{Index, Path, Query, Scratch, Tile};

use crate::engines::by_name;
use crate::failure::{Failure, answer};
use crate::handle::{TidegateIndex, TidegateScratch, exclusive, shared};
use crate::memory::{Out, array};
use crate::scratch::Memory;
use crate::status::*;
use crate::tile::TidegateTile;

/// Queries that a thread takes at a time.
const BLOCK: usize = 16;
/// No more threads are started.
const MOST_THREADS: usize = 256;

/// The paths of many queries, one behind the other, and the memory of the threads that found
/// them.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    workers: Vec<Worker>,
    /// Path `n` lies from offset `n` to offset `n + 1`.
    offsets: Vec<usize>,
    tiles: Vec<Tile>,
}

/// What one thread writes to.
#[derive(Debug, Default)]
struct Worker {
    scratch: Scratch,
    path: Path,
    /// The paths that it found, one behind the other.
    tiles: Vec<Tile>,
    /// Which queries they answer, and how long each is.
    found: Vec<(usize, usize)>,
    failed: Option<(usize, Failure)>,
}

impl Worker {
    /// Answers blocks of queries until none is left or one fails. Blocks are taken in order, so
    /// whoever fails first in that order is heard of, whatever the number of threads.
    fn run(&mut self, index: &Index, engine: &dyn Engine, asked: &Asked<'_>, next: &AtomicUsize) {
        let count = asked.starts.len();
        loop {
            let first = next.fetch_add(BLOCK, Ordering::Relaxed);
            if first >= count {
                return;
            }
            for n in first..count.min(first + BLOCK) {
                let query = Query::new(asked.starts[n], asked.goals[n]);
                if let Err(error) = index.find(engine, &query, &mut self.scratch, &mut self.path) {
                    self.failed = Some((n, error.into()));
                    next.store(count, Ordering::Relaxed);
                    return;
                }
                self.tiles.extend_from_slice(self.path.tiles());
                self.found.push((n, self.path.len()));
            }
        }
    }
}

/// What the caller asks.
struct Asked<'a> {
    starts: &'a [TidegateTile],
    goals: &'a [TidegateTile],
}

impl Batch {
    pub(crate) fn bytes(&self) -> usize {
        let worker = |worker: &Worker| {
            let found = worker.found.capacity() * size_of::<(usize, usize)>();
            let tiles = worker.tiles.capacity() * size_of::<Tile>();
            worker.scratch.bytes() + worker.path.bytes() + tiles + found
        };
        self.workers.iter().map(worker).sum::<usize>()
            + self.offsets.capacity() * size_of::<usize>()
            + self.tiles.capacity() * size_of::<Tile>()
    }

    fn find(
        &mut self,
        index: &Index,
        engine: &dyn Engine,
        asked: &Asked<'_>,
        threads: usize,
    ) -> Result<(), Failure> {
        let count = asked.starts.len();
        // An engine that learns from its queries answers them one after the other.
        let threads = if engine.info().adapts { 1 } else { threads };
        let threads = threads.clamp(1, MOST_THREADS).min(count.div_ceil(BLOCK).max(1));
        self.offsets.clear();
        self.tiles.clear();
        if self.workers.len() < threads {
            self.workers.resize_with(threads, Worker::default);
        }
        for worker in &mut self.workers {
            worker.tiles.clear();
            worker.found.clear();
            worker.failed = None;
        }
        let next = &AtomicUsize::new(0);
        match &mut self.workers[..threads] {
            [own] => own.run(index, engine, asked, next),
            workers => thread::scope(|scope| {
                let (own, others) = workers.split_first_mut().expect("at least one thread");
                for worker in others {
                    let work = || worker.run(index, engine, asked, next);
                    // Without the thread the others do its work.
                    let _ = thread::Builder::new().spawn_scoped(scope, work);
                }
                own.run(index, engine, asked, next);
            }),
        }
        let failed = self.workers.iter_mut().filter_map(|worker| worker.failed.take());
        if let Some((n, failure)) = failed.min_by_key(|&(n, _)| n) {
            return Err(failure.at(&format!("query {n}")));
        }
        self.put_in_order(count);
        Ok(())
    }

    fn put_in_order(&mut self, count: usize) {
        self.offsets.resize(count + 1, 0);
        for &(n, length) in self.workers.iter().flat_map(|worker| &worker.found) {
            self.offsets[n + 1] = length;
        }
        for n in 0..count {
            self.offsets[n + 1] += self.offsets[n];
        }
        self.tiles.resize(self.offsets[count], Tile::default());
        for worker in &self.workers {
            let mut rest = &worker.tiles[..];
            for &(n, length) in &worker.found {
                let (path, others) = rest.split_at(length);
                self.tiles[self.offsets[n]..self.offsets[n + 1]].copy_from_slice(path);
                rest = others;
            }
        }
    }
}

/// Where many paths are to go.
struct PathsOut<'a> {
    offsets: Out<'a, usize>,
    tiles: Out<'a, TidegateTile>,
    total: Out<'a, usize>,
}

impl PathsOut<'_> {
    /// # Safety
    /// As for [`Out::array`].
    unsafe fn new(
        (offsets, count): (*mut usize, usize),
        (tiles, capacity): (*mut TidegateTile, usize),
        total: *mut usize,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        let total = unsafe { Out::one("total", total) }?;
        // SAFETY: the caller's promise.
        let tiles = unsafe { Out::array("tiles", tiles, capacity) }?;
        // SAFETY: the caller's promise.
        let offsets = unsafe { Out::array("offsets", offsets, count.saturating_add(1)) }?;
        Ok(PathsOut { offsets, tiles, total })
    }

    fn write(&self, batch: &Batch) -> Result<(), Failure> {
        self.total.set(batch.tiles.len());
        self.tiles.fill("tiles", batch.tiles.iter().map(|&tile| tile.into()))?;
        self.offsets.fill("offsets", batch.offsets.iter().copied())
    }
}

/// Finds many paths: from `starts[n]` to `goals[n]`, `count` of them, by as many threads (0: one
/// for each core). Path `n` is `tiles[offsets[n]]` to before `tiles[offsets[n + 1]]`, empty where
/// there is no way; `offsets` has room for `count + 1`. The answers do not depend on the number of
/// threads.
///
/// `total` gets the number of tiles of all paths. If there are more than `capacity`, the answer is
/// `TIDEGATE_TOO_SMALL` and neither array is touched: the paths wait in the scratch, see
/// `tidegate_last_paths`. A query that cannot be answered, such as one from a wall, is an error of
/// the whole call, and the text names it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_paths(
    index: *const TidegateIndex,
    scratch: *mut TidegateScratch,
    engine: *const c_char,
    starts: *const TidegateTile,
    goals: *const TidegateTile,
    count: usize,
    threads: u32,
    offsets: *mut usize,
    tiles: *mut TidegateTile,
    capacity: usize,
    total: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (starts, goals) =
            unsafe { (array("starts", starts, count)?, array("goals", goals, count)?) };
        // SAFETY: the caller's promise.
        let out = unsafe { PathsOut::new((offsets, count), (tiles, capacity), total) }?;
        // SAFETY: the caller's promise.
        let engine = unsafe { by_name(engine) }?;
        let (index, mut held) = (shared(index)?, exclusive(scratch)?);
        let memory = Memory::of(&mut held);
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads as usize,
        };
        memory.batch.find(&index, engine, &Asked { starts, goals }, threads)?;
        out.write(&memory.batch)?;
        Ok(TIDEGATE_OK)
    })
}

/// Copies the paths that the last `tidegate_paths` with this scratch found; `count` is the number of
/// its queries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_last_paths(
    scratch: *mut TidegateScratch,
    offsets: *mut usize,
    count: usize,
    tiles: *mut TidegateTile,
    capacity: usize,
    total: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { PathsOut::new((offsets, count), (tiles, capacity), total) }?;
        let mut held = exclusive(scratch)?;
        let memory = Memory::of(&mut held);
        let known = memory.batch.offsets.len();
        if known != count.saturating_add(1) {
            let known = known.saturating_sub(1);
            return Err(Failure::argument(format!(
                "{count} paths are asked for, there are {known}"
            )));
        }
        out.write(&memory.batch)?;
        Ok(TIDEGATE_OK)
    })
}
