//! Heavy work off the threads that answer: as many pieces at once as there are cores, and two jobs.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};

use super::Stop;
use crate::api_error::{ApiError, ApiResult};
use crate::jobs::{Job, Made};

/// Jobs that run at once.
const AT_ONCE: usize = 2;

/// Where requests do their heavy work.
#[derive(Clone, Debug)]
pub(crate) struct WorkPool {
    permits: Arc<Semaphore>,
}

/// Says stop when the request that waits is dropped.
struct Leaving(Stop);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.set();
    }
}

impl WorkPool {
    pub(crate) fn new(permits: usize) -> WorkPool {
        WorkPool { permits: Arc::new(Semaphore::new(permits)) }
    }

    /// Does a piece of work when a permit is free. The permit is given back when the work ends,
    /// not when its client leaves.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(ApiError::internal)?;
        let stop = Stop::default();
        let _leaving = Leaving(stop.clone());
        let done = tokio::task::spawn_blocking(move || {
            let answer = work(&stop);
            drop(permit);
            answer
        });
        done.await
            .map_err(|_| ApiError::internal("this request broke down; the map is as it was"))?
    }
}

/// Does short work that must wait for no permit.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> ApiResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(ApiError::internal)
}

/// Waits for what others do; whether that makes sense.
pub(crate) fn pause(time: Duration) -> bool {
    std::thread::sleep(time);
    true
}

/// Tells those who wait for a job that it has ended.
#[derive(Debug)]
pub(crate) struct Ended(watch::Sender<bool>);

impl Default for Ended {
    fn default() -> Ended {
        Ended(watch::channel(false).0)
    }
}

impl Ended {
    pub(crate) fn set(&self) {
        self.0.send_replace(true);
    }

    /// Waits for the end, but no longer than this.
    pub(crate) async fn wait(&self, patience: Duration) {
        let mut ended = self.0.subscribe();
        let _ = tokio::time::timeout(patience, ended.wait_for(|&ended| ended)).await;
    }
}

/// Runs jobs.
#[derive(Debug)]
pub(crate) struct JobRunner {
    permits: Arc<Semaphore>,
}

impl JobRunner {
    pub(crate) fn new() -> JobRunner {
        JobRunner { permits: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Has a job done when there is a permit, on a thread of its own.
    pub(crate) fn start(
        &self,
        job: Arc<Job>,
        work: impl FnOnce(&Job) -> ApiResult<Made> + Send + 'static,
    ) {
        let permits = Arc::clone(&self.permits);
        tokio::spawn(async move {
            let Ok(permit) = permits.acquire_owned().await else { return };
            if !job.begin() {
                return;
            }
            let worker = Arc::clone(&job);
            let done = tokio::task::spawn_blocking(move || {
                let made = work(&worker);
                drop(permit);
                made
            });
            let broke_down = |_| Err(ApiError::internal("this job broke down"));
            job.finish(done.await.unwrap_or_else(broke_down));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn work_stops_when_its_client_leaves() {
        let bench = WorkPool::new(1);
        let (sender, receiver) = std::sync::mpsc::channel();
        let work = bench.run(move |stop| {
            while !stop.is_set() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = sender.send(());
            Ok(())
        });
        let left = tokio::time::timeout(Duration::from_millis(20), work).await;
        assert!(left.is_err());
        receiver.recv_timeout(Duration::from_secs(60)).expect("the work was told to stop");
        // The permit is free again.
        assert_eq!(bench.run(|_| Ok(7)).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn no_more_at_once_than_there_are_seats() {
        let bench = WorkPool::new(2);
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut all = Vec::new();
        for _ in 0..20 {
            let (bench, now, most) = (bench.clone(), Arc::clone(&now), Arc::clone(&most));
            all.push(tokio::spawn(async move {
                let work = move |_: &Stop| {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                    now.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                };
                bench.run(work).await.is_ok()
            }));
        }
        for one in all {
            assert!(one.await.unwrap());
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn work_that_breaks_down_gives_its_seat_back() {
        let bench = WorkPool::new(1);
        assert!(bench.run::<()>(|_| panic!("on purpose")).await.is_err());
        assert_eq!(bench.run(|_| Ok(7)).await.ok(), Some(7));
    }
}
