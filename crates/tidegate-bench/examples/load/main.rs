//! The library under load while its map changes: all engines, queries of every kind from
//! several threads, edits several times a second, tables built again beside them and adopted
//! late, each answer checked, memory watched.
//!
//! ```text
//! cargo run --release -p tidegate-bench --example load -- [SECONDS [THREADS [EDITS [MAP]]]]
//! ```
//!
//! Without arguments: ten minutes, two asking threads, four edits a second (with 0 the map
//! stays as it is), ArcticStation where the benchmark's maps are (see `bench_data`), else a
//! bundled map. Exit code 1 if an answer was wrong or memory grew; the index that gave a wrong
//! answer is kept in a file. Memory is what was asked of the allocator and not given back; what
//! the allocator itself keeps, in pieces between other things, is told beside it. What scratches
//! hold is told apart: their lists keep the room of the largest search so far, so they grow at
//! first and then no more. An engine that refuses the map is named and left out.

mod ask;
mod edit;

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use ask::{Tally, Wrong};
use edit::{Edits, Snapshots, lock};
use tidegate::engine::{Engine, Promise};
use tidegate::grid::TileMap;
use tidegate::index::Change;
use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Index, Movement, Path, Scratch};
use tidegate_bench::stopwatch::wall_seconds;
use tidegate_testkit::bench_data;

/// Growth of the scratches beyond this many bytes is a leak.
const MOST_GROWTH: u64 = 16 << 20;

/// What may be held beyond what was held at first, when all edits are taken back and all tables are built
/// again: lists that have grown keep some room, and the last edits are remembered. In an hour it
/// is 150 bytes for each edit.
const MOST_KEPT: u64 = 2 << 20;

/// Bytes asked for and not given back.
static HELD: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_add(size, Ordering::Relaxed);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let seconds: u64 = arguments.next().map_or(Ok(600), |a| a.parse()).context("SECONDS")?;
    let threads: u64 = arguments.next().map_or(Ok(2), |a| a.parse()).context("THREADS")?;
    let rate: u32 = arguments.next().map_or(Ok(4), |a| a.parse()).context("EDITS")?;
    let map = arguments.next().map_or_else(usual_map, Into::into);
    println!("{}", map.file_name().unwrap_or_default().display());
    let (index, engines) = prepared(&map)?;
    let (original, prepared) = (index.grid().clone(), held());
    let snapshots = Snapshots { newest: index.clone(), whole: index.clone(), recent: Vec::new() };
    let (snapshots, stop, asked) =
        (Mutex::new(snapshots), AtomicBool::new(false), AtomicU64::new(0));
    let held: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
    let wrong = Mutex::new(Vec::new());
    let (tallies, edits, memory) = thread::scope(|scope| {
        let asking = |(seed, held)| {
            let (engines, snapshots, stop, asked, wrong) =
                (&engines, &snapshots, &stop, &asked, &wrong);
            scope.spawn(move || {
                let (tallies, found) = ask_on(engines, snapshots, stop, (asked, held), seed);
                lock(wrong).extend(found);
                tallies
            })
        };
        let asking: Vec<_> = (0..).zip(&held).map(asking).collect();
        let every = (rate > 0).then(|| Duration::from_secs(1) / rate);
        let (shared, ended) = (&snapshots, &stop);
        let editing =
            every.map(|every| scope.spawn(move || edit::run(index, every, shared, ended)));
        let memory = watch(seconds, &stop, &asked, &held, &snapshots);
        stop.store(true, Ordering::Relaxed);
        let mut tallies = vec![Tally::default(); engines.len()];
        for thread in asking {
            let one = thread.join().map_err(|_| anyhow::anyhow!("an asking thread panicked"))?;
            tallies.iter_mut().zip(&one).for_each(|(sum, one)| sum.merge(one));
        }
        let edits = editing.map(|thread| thread.join());
        let edits =
            edits.transpose().map_err(|_| anyhow::anyhow!("the editing thread panicked"))?;
        anyhow::Ok((tallies, edits.transpose()?.unwrap_or_default(), memory))
    })?;
    tell_edits(&edits);
    tell_engines(&engines, &tallies);
    let wrong = wrong.into_inner().unwrap_or_else(|error| error.into_inner());
    for (n, Wrong { what, index }) in wrong.iter().enumerate() {
        let file = std::env::temp_dir().join(format!("tidegate-load-wrong-{n}.tide"));
        index.save(&file)?;
        println!("WRONG {what}\n      the index is kept in {}", file.display());
    }
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum::<u64>();
    println!(
        "{} queries on {threads} threads: {} answers judged ({} given in place of a stale engine), {} refused \
         by engines that cannot, {} wrong; {} edits",
        asked.into_inner(),
        sum(|tally| tally.answers),
        sum(|tally| tally.in_place),
        sum(|tally| tally.refused),
        wrong.len(),
        edits.edits,
    );
    drop((tallies, edits));
    let Snapshots { newest, .. } =
        snapshots.into_inner().unwrap_or_else(|error| error.into_inner());
    let returned = taken_back(newest, &original, &engines)?;
    println!(
        "all edits taken back and all tables built again: {} KB held, {} KB at the beginning",
        returned / 1024,
        prepared / 1024
    );
    let is_flat = memory.is_flat() && returned <= prepared + MOST_KEPT;
    Ok(if is_flat && wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn held() -> u64 {
    HELD.load(Ordering::Relaxed) as u64
}

/// What is held when the map is again what it was, with the tables that it had.
fn taken_back(mut index: Index, original: &Grid, engines: &[&dyn Engine]) -> Result<u64> {
    let tiles = (0..original.tiles()).map(|n| original.tile(CellId::from_index(n)));
    let changed = tiles.filter(|&tile| original.is_free(tile) != index.grid().is_free(tile));
    let back = |tile| if original.is_free(tile) { Change::Free(tile) } else { Change::Wall(tile) };
    let changes: Vec<Change> = changed.map(back).collect();
    index.edit(changes)?;
    for kind in index.table_states().map(|(kind, _)| kind).collect::<Vec<_>>() {
        index.remove_kind(kind);
    }
    engines.iter().try_for_each(|engine| index.prepare(*engine))?;
    Ok(held())
}

fn usual_map() -> std::path::PathBuf {
    let real = bench_data::folder("load").map(|folder| folder.join("maps/sc1/ArcticStation.map"));
    let bundled = || bench_data::bundled_suite().join("maps/bundled/rts-256.map");
    real.filter(|file| file.is_file()).unwrap_or_else(bundled)
}

/// The index of a map with the tables of all engines that take it, and those engines.
fn prepared(map: &std::path::Path) -> Result<(Index, Vec<&'static dyn Engine>)> {
    let bytes = std::fs::read(map).with_context(|| map.display().to_string())?;
    let mut index = Index::new(TileMap::parse(&bytes)?.grid(Movement::default()));
    ensure!(index.grid().free_cells().next().is_some(), "the map has no free tile");
    let mut engines = Vec::new();
    for engine in tidegate_sectors::ENGINES {
        match wall_seconds(|| index.prepare(*engine)) {
            (seconds, Ok(())) => {
                println!("{:<20} built in {seconds:.1} s", engine.name());
                engines.push(*engine);
            }
            (_, Err(error)) => println!("left out: {error}"),
        }
    }
    Ok((index, engines))
}

/// Asks until told to stop or an answer is wrong: mostly on the newest snapshot.
fn ask_on(
    engines: &[&dyn Engine],
    snapshots: &Mutex<Snapshots>,
    stop: &AtomicBool,
    (asked, held): (&AtomicU64, &AtomicU64),
    seed: u64,
) -> (Vec<Tally>, Option<Wrong>) {
    let (mut rng, mut scratch, mut path) = (Rng::new(seed), Scratch::new(), Path::new());
    let mut tallies = vec![Tally::default(); engines.len()];
    while !stop.load(Ordering::Relaxed) {
        let Snapshots { newest, whole, recent } = lock(snapshots).clone();
        let index = if rng.chance(25) { whole } else { newest };
        let batch = ask::batch(
            &index,
            &recent,
            (engines, &mut tallies),
            &mut rng,
            (&mut scratch, &mut path),
        );
        held.store(scratch.bytes() as u64, Ordering::Relaxed);
        match batch {
            Ok(count) => _ = asked.fetch_add(count, Ordering::Relaxed),
            Err(wrong) => {
                stop.store(true, Ordering::Relaxed);
                return (tallies, Some(wrong));
            }
        }
    }
    (tallies, None)
}

/// Bytes in scratches, and all else.
type Reading = [u64; 2];

/// The least that was held once everything was there, and at the end. While tables are built
/// there is more for a time; a leak stays.
#[derive(Default)]
struct Memory {
    early: Option<Reading>,
    late: Option<Reading>,
    most: u64,
}

impl Memory {
    /// Of the scratches: what else is held depends on what is being built, and is judged when all
    /// edits are taken back.
    fn is_flat(&self) -> bool {
        let both = self.early.zip(self.late);
        both.is_none_or(|(early, late)| late[0] <= early[0] + MOST_GROWTH)
    }
}

/// Reads memory every second, tells it twenty times.
fn watch(
    seconds: u64,
    stop: &AtomicBool,
    asked: &AtomicU64,
    held: &[AtomicU64],
    snapshots: &Mutex<Snapshots>,
) -> Memory {
    let (clock, mut memory, mut told) = (Instant::now(), Memory::default(), 0);
    let least = |all: &mut Option<Reading>, [scratches, rest]: Reading| {
        let [a, b] = all.unwrap_or([scratches, rest]);
        *all = Some([a.max(scratches), b.min(rest)]);
    };
    while clock.elapsed().as_secs() < seconds && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_secs(1));
        let spent = clock.elapsed().as_secs();
        let scratches: u64 = held.iter().map(|held| held.load(Ordering::Relaxed)).sum();
        let reading = [scratches, self::held().saturating_sub(scratches)];
        memory.most = memory.most.max(reading[1]);
        match spent * 10 / seconds.max(1) {
            1 => least(&mut memory.early, reading),
            9.. => least(&mut memory.late, reading),
            _ => {}
        }
        if spent * 20 / seconds.max(1) > told {
            told = spent * 20 / seconds.max(1);
            let (asked, [scratches, rest]) =
                (asked.load(Ordering::Relaxed), reading.map(|b| b / 1024));
            let revision = lock(snapshots).newest.revision();
            println!(
                "{spent:>5} s {asked:>9} queries, revision {revision:>6} {scratches:>7} KB in scratches {rest:>7} KB else \
                 ({} KB of the process)",
                resident() / 1024
            );
        }
    }
    for (n, what) in ["scratches", "all else"].into_iter().enumerate() {
        let [early, late] =
            [memory.early, memory.late].map(|reading| reading.map_or(0, |r| r[n] / 1024));
        println!(
            "{what}: {early} KB between a tenth and a fifth of the time, {late} KB in the last tenth"
        );
    }
    println!("all else at most {} KB, while tables are built", memory.most / 1024);
    memory
}

fn tell_edits(edits: &Edits) {
    let Edits { edits: count, rounds, edit_times, longest_edit, tables } = edits;
    let [p50, p99] = [0.5, 0.99].map(|share| edit_times.micros_at(share));
    println!(
        "{count} edits: p50 {p50:.0} µs, p99 {p99:.0}, most {}; {rounds} times all tables were built on one snapshot",
        longest_edit / 1000
    );
    println!(
        "{:<37} {:>7} {:>7} {:>11} {:>8} {:>9}",
        "table", "at once", "late", "most edits", "refused", "not built"
    );
    for (name, table) in tables {
        let edit::Adoptions { at_once, late, most_edits, refused, not_built } = table;
        println!("{name:<37} {at_once:>7} {late:>7} {most_edits:>11} {refused:>8} {not_built:>9}");
    }
}

fn tell_engines(engines: &[&dyn Engine], tallies: &[Tally]) {
    println!(
        "{:<22} {:>8} {:>9} {:>8} {:>9} {:>9} {:>9} {:>7}",
        "engine", "answers", "in place", "refused", "p50 µs", "p99 µs", "most µs", "longer"
    );
    for (engine, tally) in engines.iter().zip(tallies) {
        let Tally { answers, in_place, refused, times, longest, worst } = tally;
        let [p50, p99] = [0.5, 0.99].map(|share| times.micros_at(share));
        let exact = engine.promise() == Promise::Optimal;
        let worst = if exact { "exact".to_owned() } else { format!("{worst:.2} x") };
        println!(
            "{:<22} {answers:>8} {in_place:>9} {refused:>8} {p50:>9.1} {p99:>9.0} {:>9} {worst:>7}",
            engine.name(),
            longest / 1000
        );
    }
}

/// Bytes of this process in memory; zero where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
