//! Where heavy work is done: on threads of its own beside a server; at once, or when nobody asks, in WebAssembly.

#[cfg(target_arch = "wasm32")]
mod alone;
#[cfg(not(target_arch = "wasm32"))]
mod threads;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(target_arch = "wasm32")]
pub(crate) use alone::{Background, Ended, JobRunner, WorkPool, apart, pause};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use threads::{Ended, JobRunner, WorkPool, apart, pause};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use tidegate::background::Background;

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
