//! Tables built again on a thread of their own, while the game goes on asking and editing.
//!
//! The library starts no thread by itself. This is the helper for those who want one: the
//! same can be done on any thread with [`Index::build_again_apart`] and [`Index::adopt`].

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use crate::index::{BuildError, Built, Index, Mismatch, TableKind, TableState};

/// Builds the tables of an index again that edits have left behind, on a thread.
///
/// ```
/// use tidegate::background::Background;
/// use tidegate::index::Change;
/// use tidegate::{engine, Grid, Index};
/// let mut index = Index::new(Grid::from_rows(&[".....", ".###.", "....."]).unwrap());
/// index.prepare(engine::GATEWAY).unwrap();
/// index.edit([Change::free((2, 1))]).unwrap();
/// assert!(index.is_stale(engine::GATEWAY));
///
/// let mut background = Background::new();
/// background.start(&index); // between two ticks
/// while background.is_working() {
///     for finished in background.poll(&mut index) { // once a tick
///         assert!(finished.result.is_ok());
///     }
/// }
/// assert!(!index.is_stale(engine::GATEWAY));
/// ```
#[derive(Debug, Default)]
pub struct Background {
    work: Option<Receiver<(&'static TableKind, Result<Built, BuildError>)>>,
}

/// A table that the thread is done with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// Which table.
    pub table: &'static TableKind,
    /// How it stands to the map, edits since taken into account; or why there is none.
    pub result: Result<TableState, BackgroundError>,
}

/// Why a table was not built again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackgroundError {
    /// It cannot be built for the map.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// It does not fit the index any more; [`Background::start`] it again.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

impl Background {
    /// Nothing is being built.
    pub fn new() -> Background {
        Background::default()
    }

    /// Begins to build, on a thread, all tables that [want it](Index::want_rebuild), unless
    /// there are none or the last work is not done yet. The index is only cloned here: it
    /// goes on as it is. Says whether work has begun.
    pub fn start(&mut self, index: &Index) -> bool {
        let kinds = index.want_rebuild();
        if self.is_working() || kinds.is_empty() {
            return false;
        }
        let (results, receiver) = channel();
        let snapshot = index.clone();
        thread::spawn(move || {
            for kind in kinds {
                // A clone each: a table that is shared with a snapshot is copied when edited.
                let built = snapshot.clone().build_again_apart(kind);
                // Nobody wants it any more if the receiver is gone.
                if results.send((kind, built)).is_err() {
                    return;
                }
            }
        });
        self.work = Some(receiver);
        true
    }

    /// Whether there is work that was not taken into an index yet.
    pub fn is_working(&self) -> bool {
        self.work.is_some()
    }

    /// Takes what is done into the index, and carries over what was edited since. To be
    /// called once in a while, such as once a tick; it does not wait.
    pub fn poll(&mut self, index: &mut Index) -> Vec<Finished> {
        let mut finished = Vec::new();
        while let Some(work) = &self.work {
            match work.try_recv() {
                Ok((table, built)) => {
                    let old = index.built(table);
                    let adopt = |built| index.adopt(built).map_err(BackgroundError::from);
                    let result = built.map_err(BackgroundError::from).and_then(adopt);
                    finished.push(Finished { table, result });
                    // To give back the memory of large tables takes milliseconds.
                    thread::spawn(move || drop(old));
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.work = None,
            }
        }
        finished
    }
}
