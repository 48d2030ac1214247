//! The thread that owns the index and edits it, and the one that builds tables for it.
//!
//! Tables that edits have left behind are built on snapshots, one after the other, while the
//! map goes on changing; each is adopted when it is done, so after any number of further
//! edits. What cannot follow them is refused then. When each has had its turn, all that are
//! left behind are built on one snapshot: it is whole again and is offered to the asking
//! threads beside the newest one, so that engines whose tables no edit leaves in use (sectors)
//! are asked too, on maps that were edited.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use tidegate::index::{BuildError, Built, TableKind};
use tidegate::{Index, Tile};
use tidegate_bench::histogram::Histogram;
use tidegate_bench::stopwatch;
use tidegate_testkit::walls::Walls;

/// So many edits only build walls, which more tables can follow, then so many do anything.
const PHASE: u64 = 150;
/// Tiles edited lately that threads are told of.
const RECENT: usize = 64;

/// What the asking threads take.
#[derive(Clone)]
pub(crate) struct Snapshots {
    pub(crate) newest: Index,
    /// An earlier one with all tables built for its map.
    pub(crate) whole: Index,
    pub(crate) recent: Vec<Tile>,
}

/// What was done.
#[derive(Default)]
pub(crate) struct Edits {
    pub(crate) edits: u64,
    /// How often everything that edits had left behind was built on one snapshot.
    pub(crate) rounds: u64,
    pub(crate) edit_times: Histogram,
    pub(crate) longest_edit: u64,
    pub(crate) tables: BTreeMap<&'static str, Adoptions>,
}

/// What became of one table each time it was built again.
#[derive(Default)]
pub(crate) struct Adoptions {
    pub(crate) at_once: u64,
    /// Adopted after further edits.
    pub(crate) late: u64,
    /// Edits that were made while it was built, at most, among those adopted.
    pub(crate) most_edits: u64,
    /// Not adopted because it cannot follow the edits made meanwhile.
    pub(crate) refused: u64,
    pub(crate) not_built: u64,
}

enum Done {
    Table(&'static TableKind, u64, Result<Built, BuildError>),
    Whole(Box<Index>),
    Nothing,
}

/// Edits and adopts until told to stop.
pub(crate) fn run(
    mut index: Index,
    every: Duration,
    snapshots: &Mutex<Snapshots>,
    stop: &AtomicBool,
) -> Result<Edits> {
    let mut walls = Walls::new(index.grid(), 4);
    let mut turns = Turns::default();
    let (orders, wanted) = channel();
    let (results, done) = channel();
    thread::scope(|scope| {
        scope.spawn(move || build(&wanted, &results));
        let (mut edits, mut is_building, mut next) = (Edits::default(), false, Instant::now());
        while !stop.load(Ordering::Relaxed) {
            for done in done.try_iter() {
                match done {
                    Done::Table(kind, revision, built) => {
                        edits.adopt(&mut index, kind, revision, built)
                    }
                    Done::Whole(whole) => {
                        lock(snapshots).whole = *whole;
                        edits.rounds += 1;
                    }
                    Done::Nothing => is_building = false,
                }
            }
            let changes = walls.next(&index, (edits.edits / PHASE).is_multiple_of(2));
            let (nanos, report) = timed(|| index.edit(changes.iter().copied()));
            report?;
            edits.edits += 1;
            edits.edit_times.add(nanos);
            edits.longest_edit = edits.longest_edit.max(nanos);
            let mut now = lock(snapshots);
            now.newest = index.clone();
            now.recent.extend(changes.iter().map(|change| change.tile()));
            let more = now.recent.len().saturating_sub(RECENT);
            now.recent.drain(..more);
            drop(now);
            if !is_building && !index.want_rebuild().is_empty() {
                let kind = turns.next(&index);
                orders.send((index.clone(), kind)).context("the building thread is gone")?;
                is_building = true;
            }
            next = Instant::now().max(next + every);
            thread::sleep(next - Instant::now());
        }
        drop(orders);
        Ok(edits)
    })
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|error| error.into_inner())
}

/// Nanoseconds of some work: the lesser of the clock and the processor's time of this thread.
/// On a busy machine the clock measures the others, and for what is quick the processor's time
/// is too coarse.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let (spent, begin) = (stopwatch::nanos(), Instant::now());
    let result = work();
    let wall = begin.elapsed().as_nanos() as u64;
    (wall.min(stopwatch::nanos() - spent), result)
}

/// Which table is built next: one after the other, then all on one snapshot.
#[derive(Default)]
struct Turns(Vec<&'static TableKind>);

impl Turns {
    /// The next that wants it; `None` for all.
    fn next(&mut self, index: &Index) -> Option<&'static TableKind> {
        let had_its_turn = |kind: &TableKind| self.0.iter().any(|other| other.name == kind.name);
        // Sectors follow no edit: on a snapshot of their own they are of use.
        let is_sectors =
            |kind: &TableKind| tidegate_sectors::ALL.iter().any(|e| e.name() == kind.name);
        let mut wanted = index.want_rebuild().into_iter();
        let next = wanted.find(|kind| !had_its_turn(kind) && !is_sectors(kind));
        match next {
            Some(kind) => self.0.push(kind),
            None => self.0.clear(),
        }
        next
    }
}

/// Builds the table that is wanted for each index that comes, or all that want it.
fn build(orders: &Receiver<(Index, Option<&'static TableKind>)>, results: &Sender<Done>) {
    let send = |done| results.send(done).is_ok();
    for (mut snapshot, kind) in orders {
        let revision = snapshot.revision();
        let kinds = kind.map_or_else(|| snapshot.want_rebuild(), |kind| vec![kind]);
        for kind in kinds {
            let built = snapshot.clone().build_again_apart(kind);
            if let Ok(built) = &built {
                // On the map it was built for nothing is in its way.
                let adopted = snapshot.adopt(built.clone());
                assert!(adopted.is_ok(), "{}: {adopted:?}", kind.name);
            }
            if !send(Done::Table(kind, revision, built)) {
                return;
            }
        }
        if kind.is_none() && !send(Done::Whole(Box::new(snapshot))) || !send(Done::Nothing) {
            return;
        }
    }
}

impl Edits {
    fn adopt(
        &mut self,
        index: &mut Index,
        kind: &'static TableKind,
        revision: u64,
        built: Result<Built, BuildError>,
    ) {
        let table = self.tables.entry(kind.name).or_default();
        let since = index.revision() - revision;
        match built.map(|built| index.adopt(built)) {
            Err(_) => table.not_built += 1,
            Ok(Err(_)) => table.refused += 1,
            Ok(Ok(_)) if since == 0 => table.at_once += 1,
            Ok(Ok(_)) => {
                table.late += 1;
                table.most_edits = table.most_edits.max(since);
            }
        }
    }
}
