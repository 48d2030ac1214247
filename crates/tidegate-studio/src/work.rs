//! Heavy work off the threads that answer: as many pieces at once as there are cores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::fault::{Answer, Fault};

/// Where requests do their heavy work.
#[derive(Clone, Debug)]
pub(crate) struct Bench {
    seats: Arc<Semaphore>,
}

/// Told to work whose client has left or whose time is up.
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

impl Bench {
    pub(crate) fn new(seats: usize) -> Bench {
        Bench { seats: Arc::new(Semaphore::new(seats)) }
    }

    /// Does a piece of work when a seat is free. The seat is given back when the work ends,
    /// not when its client leaves.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Stop) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let seat = Arc::clone(&self.seats).acquire_owned().await.map_err(Fault::internal)?;
        let stop = Stop::default();
        let _leaving = Leaving(stop.clone());
        let done = tokio::task::spawn_blocking(move || {
            let answer = work(&stop);
            drop(seat);
            answer
        });
        done.await.map_err(|_| Fault::internal("this request broke down; the map is as it was"))?
    }
}
