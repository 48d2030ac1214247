//! Long work: without the interpreter lock, on threads that end with it.
//!
//! Threads are made for each piece of work and never kept. A process that forks (as
//! `multiprocessing` does) would otherwise copy a pool whose threads it does not have, and wait
//! for them for ever. For the same reason nothing is done in the pool that all of a process share.

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::argument_error;

/// The most threads that are started.
const MOST: i64 = 1024;

/// Whether this is a number of threads.
pub(crate) fn check(threads: i64) -> PyResult<()> {
    let why =
        || format!("threads is {threads}: give a number from 1 to {MOST}, or 0 for all cores");
    if (0..=MOST).contains(&threads) { Ok(()) } else { Err(argument_error(why())) }
}

/// Does the work while other Python threads run, on so many threads; 0 is one per core.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    threads: i64,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    check(threads)?;
    py.detach(|| {
        let pool = ThreadPoolBuilder::new().num_threads(threads as usize).build();
        let pool = pool.map_err(|error| argument_error(format!("no threads: {error}")))?;
        Ok(pool.install(work))
    })
}

thread_local! {
    /// A pool of this thread alone.
    static ALONE: Option<ThreadPool> =
        ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
}

/// Does work that is mostly short, while other Python threads run: on this thread alone, and at
/// once.
pub(crate) fn at_once<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| ALONE.with(|_| work()))
}
