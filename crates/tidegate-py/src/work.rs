//! Long work: without the interpreter lock, on threads that end with it.
//!
//! Threads are made for each piece of work and never kept. A process that forks (as
//! `multiprocessing` does) would otherwise copy a pool whose threads it does not have, and wait
//! for them for ever.

use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::errors::argument_error;

/// The most threads that are started.
const MOST: usize = 1024;

/// Does the work while other Python threads run, on so many threads; 0 is one per core.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    threads: i64,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let Some(threads) = usize::try_from(threads).ok().filter(|&threads| threads <= MOST) else {
        let why =
            format!("threads is {threads}: give a number from 1 to {MOST}, or 0 for all cores");
        return Err(argument_error(why));
    };
    py.detach(|| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| argument_error(format!("no threads: {error}")))?;
        Ok(pool.install(work))
    })
}
