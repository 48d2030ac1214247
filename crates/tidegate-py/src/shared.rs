//! An index that threads share, and the memory that each of them asks with.
//!
//! A question takes what the index is at that moment and keeps it until it is answered; changes
//! come one after the other.

use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pyo3::prelude::*;
use tidegate::cost::Cost;
use tidegate::engine::Engine;
use tidegate::{Index, Movement, Path, Query};

use crate::errors::{argument_error, engine_error, query_error};
use crate::work::{at_once, detached};

thread_local! {
    /// The path of the last query of this thread: its memory is used again.
    static PATH: Cell<Path> = Cell::default();
}

/// An index that threads ask while others change it.
pub(crate) struct Shared {
    index: RwLock<Arc<Index>>,
    /// Held by whoever changes the index.
    writer: Mutex<()>,
}

impl Shared {
    pub(crate) fn new(index: Index) -> Shared {
        Shared { index: RwLock::new(Arc::new(index)), writer: Mutex::new(()) }
    }

    /// The index as it is now.
    pub(crate) fn now(&self) -> Arc<Index> {
        self.index.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until nobody else changes the index. Only without the interpreter lock.
    fn writer(&self) -> MutexGuard<'_, ()> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds tables on a clone, which then takes the place of the index: questions go on
    /// meanwhile.
    pub(crate) fn add_tables<T: Send>(
        &self,
        py: Python<'_>,
        threads: i64,
        work: impl FnOnce(&mut Index) -> T + Send,
    ) -> PyResult<T> {
        detached(py, threads, || {
            let _writer = self.writer();
            let mut index = Index::clone(&self.now());
            let result = work(&mut index);
            *self.index.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(index);
            result
        })
    }

    /// Changes the map; what a question still holds is copied first.
    pub(crate) fn change<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Index) -> T + Send,
    ) -> T {
        at_once(py, || {
            let _writer = self.writer();
            let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
            work(Arc::make_mut(&mut index))
        })
    }
}

/// The engine of this name.
pub(crate) fn engine(name: &str) -> PyResult<&'static dyn Engine> {
    tidegate_sectors::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = tidegate_sectors::ENGINES.iter().map(|e| e.name()).collect();
        engine_error(format_args!("no engine {name:?}; there are: {}", names.join(", ")))
    })
}

/// The rule of movement of this name.
pub(crate) fn movement(name: &str) -> PyResult<Movement> {
    Movement::from_name(name).ok_or_else(|| {
        let names = Movement::ALL.map(Movement::name).join(", ");
        argument_error(format_args!("no movement {name:?}; there are: {names}"))
    })
}

/// Answers a query with the memory that thread and index keep.
pub(crate) fn ask<T>(
    index: &Index,
    engine: &dyn Engine,
    query: &Query<'_>,
    answer: impl FnOnce(Cost, &Path) -> T,
) -> PyResult<Option<T>> {
    let mut path = PATH.take();
    let found = index.with_scratch(|scratch| index.find(engine, query, scratch, &mut path));
    let result = found.map(|found| found.cost().map(|cost| answer(cost, &path)));
    PATH.set(path);
    result.map_err(query_error)
}
