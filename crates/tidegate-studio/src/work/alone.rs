//! Work in WebAssembly: there is one thread, and it is not the page's. Requests are answered at once; jobs run one after
//! the other when nobody asks ([`JobRunner::run_next`]), so that the page hears that there is one and goes
//! on; tables are built again one at a time.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tidegate::Index;
use tidegate::background::BackgroundError;
use tidegate::index::{TableKind, TableState};

use super::Stop;
use crate::api_error::ApiResult;
use crate::jobs::{Job, Made};

/// Where requests do their heavy work.
#[derive(Clone, Debug)]
pub(crate) struct WorkPool;

impl WorkPool {
    pub(crate) fn new(_: usize) -> WorkPool {
        WorkPool
    }

    /// Does a piece of work.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        work(&Stop::default())
    }
}

/// Does short work.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> ApiResult<T> {
    Ok(work())
}

/// Nobody else is at work who could be waited for.
pub(crate) fn pause(_: Duration) -> bool {
    false
}

/// Nobody waits for the end of a job: it comes after the answer.
#[derive(Debug, Default)]
pub(crate) struct Ended;

impl Ended {
    pub(crate) fn set(&self) {}

    pub(crate) async fn wait(&self, _: Duration) {}
}

type Work = Box<dyn FnOnce(&Job) -> ApiResult<Made> + Send>;

/// Keeps jobs until there is time for them.
pub(crate) struct JobRunner {
    waiting: Mutex<VecDeque<(Arc<Job>, Work)>>,
}

impl fmt::Debug for JobRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobRunner").finish_non_exhaustive()
    }
}

impl JobRunner {
    pub(crate) fn new() -> JobRunner {
        JobRunner { waiting: Mutex::default() }
    }

    /// Has a job done later.
    pub(crate) fn start(
        &self,
        job: Arc<Job>,
        work: impl FnOnce(&Job) -> ApiResult<Made> + Send + 'static,
    ) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back((job, Box::new(work)));
    }

    /// Does the next job that was not cancelled; whether there was one.
    pub(crate) fn run_next(&self) -> bool {
        loop {
            let next = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some((job, work)) = next else { return false };
            if job.begin() {
                job.finish(work(&job));
                return true;
            }
        }
    }
}

/// A table that was built again, or could not be.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) table: &'static TableKind,
    pub(crate) result: Result<TableState, BackgroundError>,
}

/// Tables that are built again: one whenever it is asked how far it is.
#[derive(Debug, Default)]
pub(crate) struct Background {
    waiting: VecDeque<&'static TableKind>,
}

impl Background {
    pub(crate) fn is_working(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Begins to build what wants to be built again; whether there is anything.
    pub(crate) fn start(&mut self, index: &Index) -> bool {
        if self.waiting.is_empty() {
            self.waiting = index.want_rebuild().into();
        }
        self.is_working()
    }

    /// Builds the next one.
    pub(crate) fn poll(&mut self, index: &mut Index) -> Vec<Finished> {
        let Some(table) = self.waiting.pop_front() else { return Vec::new() };
        let built = index.build_again_apart(table).map_err(BackgroundError::from);
        let result = built.and_then(|built| index.adopt(built).map_err(BackgroundError::from));
        vec![Finished { table, result }]
    }
}
