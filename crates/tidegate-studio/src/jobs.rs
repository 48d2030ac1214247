//! Work in the background: with progress, cancelled when asked, two pieces at a time.
//!
//! A job ends once: done, failed or cancelled. One that is cancelled while it runs is ended
//! at once; what its thread still makes is thrown away.

mod judge;
mod samples;
mod tide;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use serde_json::{Value, json};
use tidegate::engine::Engine;

pub(crate) use judge::judge;
pub(crate) use samples::{Against, samples};
pub(crate) use tide::tide;

use crate::api_error::{ApiError, ApiResult};
use crate::document::{Document, Scene};
use crate::work::{Ended, JobRunner, Stop};

/// Jobs that may wait or run.
const MAX_OPEN: usize = 32;
/// Jobs that have ended and are still listed.
const MAX_ENDED: usize = 64;

/// What a job made.
#[derive(Debug, Default)]
pub(crate) struct Made {
    pub(crate) value: Value,
    pub(crate) file: Option<(String, Bytes)>,
}

#[derive(Debug)]
enum Phase {
    Waiting,
    Running,
    Done(Made),
    Failed(String),
    Cancelled,
}

/// What a job is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) map: String,
    pub(crate) kind: &'static str,
    pub(crate) engine: String,
    /// For builds: the state they are for, so that the same is not built twice at once.
    pub(crate) state: Option<(u64, u64)>,
}

/// One piece of work.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) number: u64,
    about: About,
    stop: Stop,
    done: AtomicU64,
    total: AtomicU64,
    phase: Mutex<Phase>,
    ended: Ended,
}

impl Job {
    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_open(&self) -> bool {
        matches!(*self.phase(), Phase::Waiting | Phase::Running)
    }

    /// Ends the job, unless it has ended.
    fn end(&self, phase: Phase) {
        let mut now = self.phase();
        if matches!(*now, Phase::Waiting | Phase::Running) {
            *now = phase;
            drop(now);
            self.ended.set();
        }
    }

    /// Whether it is the build of the same tables for another state.
    fn is_outdone_by(&self, about: &About) -> bool {
        let same = About { state: about.state, ..self.about.clone() } == *about;
        same && about.state.is_some() && self.about.state != about.state
    }

    fn end_if_waiting(&self) {
        let waits = matches!(*self.phase(), Phase::Waiting);
        if waits {
            self.stop.set();
            self.end(Phase::Cancelled);
        }
    }

    /// Begins to count to `total`.
    pub(crate) fn expect(&self, total: usize) {
        self.total.store(total as u64, Ordering::Relaxed);
    }

    /// One more is done; an error if the job was cancelled.
    pub(crate) fn step(&self) -> ApiResult<()> {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.go_on()
    }

    /// An error if the job was cancelled.
    pub(crate) fn go_on(&self) -> ApiResult<()> {
        if self.stop.is_set() { Err(ApiError::refused("cancelled")) } else { Ok(()) }
    }

    /// Waits until the job has ended, but no longer than this.
    pub(crate) async fn wait(&self, patience: Duration) {
        self.ended.wait(patience).await;
    }

    /// Begins the work, unless the job was cancelled while it waited.
    pub(crate) fn begin(&self) -> bool {
        let mut phase = self.phase();
        let waits = matches!(*phase, Phase::Waiting);
        if waits {
            *phase = Phase::Running;
        }
        waits
    }

    /// Ends the job with what came of it.
    pub(crate) fn finish(&self, made: ApiResult<Made>) {
        self.end(match made {
            Ok(made) => Phase::Done(made),
            Err(error) => Phase::Failed(error.message().to_owned()),
        });
    }

    /// Why it failed, if it did.
    pub(crate) fn failure(&self) -> Option<String> {
        match &*self.phase() {
            Phase::Failed(why) => Some(why.clone()),
            _ => None,
        }
    }

    /// The file it made.
    pub(crate) fn file(&self) -> Option<(String, Bytes)> {
        match &*self.phase() {
            Phase::Done(made) => made.file.clone(),
            _ => None,
        }
    }

    pub(crate) fn tell(&self, with_result: bool) -> Value {
        let phase = self.phase();
        let (state, message, result) = match &*phase {
            Phase::Waiting => ("waiting", None, None),
            Phase::Running => ("running", None, None),
            Phase::Done(made) => ("done", None, with_result.then_some(&made.value)),
            Phase::Failed(why) => ("failed", Some(why), None),
            Phase::Cancelled => ("cancelled", None, None),
        };
        json!({
            "job": self.number,
            "map": self.about.map,
            "kind": self.about.kind,
            "engine": self.about.engine,
            "state": state,
            "done": self.done.load(Ordering::Relaxed),
            "total": self.total.load(Ordering::Relaxed),
            "message": message,
            "result": result,
        })
    }
}

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    list: Mutex<Vec<Arc<Job>>>,
    next: AtomicU64,
    runner: JobRunner,
}

impl Jobs {
    pub(crate) fn new() -> Jobs {
        Jobs { list: Mutex::default(), next: AtomicU64::new(1), runner: JobRunner::new() }
    }

    fn list(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, number: u64) -> ApiResult<Arc<Job>> {
        let list = self.list();
        let found = list.iter().find(|job| job.number == number).cloned();
        found.ok_or_else(|| ApiError::not_found("there is no such job"))
    }

    /// Does the next job that waits; whether there was one.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn run_next(&self) -> bool {
        self.runner.run_next()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Job>> {
        self.list().clone()
    }

    /// The jobs of a map that wait or run.
    pub(crate) fn running(&self, map: &str) -> Vec<u64> {
        let open = |job: &&Arc<Job>| job.about.map == map && job.is_open();
        self.list().iter().filter(open).map(|job| job.number).collect()
    }

    /// The engines of a map that are being built, with their jobs.
    pub(crate) fn building(&self, map: &str) -> Vec<(String, u64)> {
        let builds = |j: &&Arc<Job>| j.about.map == map && j.about.kind == "build" && j.is_open();
        let list = self.list();
        list.iter().filter(builds).map(|j| (j.about.engine.clone(), j.number)).collect()
    }

    /// Cancels the jobs of a map that is closed, and forgets them.
    pub(crate) fn forget(&self, map: &str) {
        let mut list = self.list();
        list.iter().filter(|job| job.about.map == map).for_each(|job| {
            job.stop.set();
            job.end(Phase::Cancelled);
        });
        list.retain(|job| job.about.map != map);
    }

    pub(crate) fn cancel(&self, number: u64) -> ApiResult<()> {
        let job = self.get(number)?;
        job.stop.set();
        job.end(Phase::Cancelled);
        Ok(())
    }

    /// Starts a job; a build that is already under way is joined, and builds that still wait
    /// for a state that is no more are dropped.
    pub(crate) fn start(
        &self,
        about: About,
        work: impl FnOnce(&Job) -> ApiResult<Made> + Send + 'static,
    ) -> ApiResult<Arc<Job>> {
        let mut list = self.list();
        let twin = |job: &&Arc<Job>| about.state.is_some() && job.about == about && job.is_open();
        if let Some(twin) = list.iter().find(twin) {
            return Ok(Arc::clone(twin));
        }
        list.iter().filter(|job| job.is_outdone_by(&about)).for_each(|job| job.end_if_waiting());
        let open = list.iter().filter(|job| job.is_open()).count();
        if open >= MAX_OPEN {
            return Err(ApiError::busy(format!("{open} jobs are waiting: cancel some")));
        }
        while list.len() - open >= MAX_ENDED {
            let Some(oldest) = list.iter().position(|job| !job.is_open()) else { break };
            list.remove(oldest);
        }
        let job = Arc::new(Job {
            number: self.next.fetch_add(1, Ordering::Relaxed),
            about,
            stop: Stop::default(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(1),
            phase: Mutex::new(Phase::Waiting),
            ended: Ended::default(),
        });
        list.push(Arc::clone(&job));
        drop(list);
        self.runner.start(Arc::clone(&job), work);
        Ok(job)
    }

    /// Builds the tables of an engine for a state.
    pub(crate) fn build(
        &self,
        document: &Arc<Document>,
        scene: &Scene,
        engine: &'static dyn Engine,
    ) -> ApiResult<Arc<Job>> {
        let about = About {
            map: document.id.clone(),
            kind: "build",
            engine: engine.name().to_owned(),
            state: Some(scene.key()),
        };
        let (document, scene) = (Arc::clone(document), scene.clone());
        self.start(about, move |job| {
            let clock = web_time::Instant::now();
            let index = document.build(engine, &scene, || job.go_on())?;
            job.step()?;
            let seconds = clock.elapsed().as_secs_f64();
            let bytes = engine.bytes(&index);
            let value = json!({ "engine": engine.name(), "bytes": bytes, "seconds": seconds });
            Ok(Made { value, file: None })
        })
    }
}
