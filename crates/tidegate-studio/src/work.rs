//! Heavy work off the threads that answer: as many pieces at once as there are cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::api_error::{ApiError, ApiResult};

/// Where requests do their heavy work.
#[derive(Clone, Debug)]
pub(crate) struct WorkPool {
    permits: Arc<Semaphore>,
}

/// Given to work whose client has left or whose time is up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

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
