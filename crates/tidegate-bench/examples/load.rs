//! The library under load: all engines on one index, from several threads, queries of
//! every kind, each answer checked, memory watched.
//!
//! ```text
//! cargo run --release -p tidegate-bench --example load -- [SECONDS [THREADS [MAP]]]
//! ```
//!
//! Without arguments: ten minutes, two threads, a bundled map. Exit code 1 if an answer
//! was wrong or memory grew. What scratches hold is told apart: their lists keep the room of
//! the largest search so far, so they grow at first and then no more. An engine that refuses
//! the map is named and left out.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use tidegate::cost::Cost;
use tidegate::engine::{Engine, Promise};
use tidegate::grid::TileMap;
use tidegate::rng::Rng;
use tidegate::{
    Blocked, CellId, Grid, Index, Movement, Outcome, Path, Query, QueryError, Scratch, Tile,
};
use tidegate_testkit::{maps, oracle};

/// Starts with the distances to every tile, so that any goal can be judged.
const STARTS: usize = 64;
/// Growth beyond this many bytes after the first fifth of the run is a leak, in scratches as
/// well as outside of them.
const MOST_GROWTH: u64 = 8 << 20;
/// Queries after which a thread tells how much its scratch holds.
const REPORT_EVERY: u64 = 500;

/// One start, the tiles blocked for it (or none), and the truth.
struct Case {
    start: Tile,
    blocked: Blocked,
    walled: Grid,
    least: Vec<Option<u64>>,
}

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let seconds: u64 = arguments.next().map_or(Ok(600), |a| a.parse()).context("SECONDS")?;
    let threads: u64 = arguments.next().map_or(Ok(2), |a| a.parse()).context("THREADS")?;
    let bundled = concat!(env!("CARGO_MANIFEST_DIR"), "/suite/maps/bundled/rts-256.map");
    let file = arguments.next().unwrap_or_else(|| bundled.to_owned());
    let map = TileMap::parse(&std::fs::read(&file).context(file)?)?;
    let mut index = Index::new(map.grid(Movement::default()));
    let mut engines = Vec::new();
    for engine in tidegate_sectors::ENGINES {
        match index.prepare(*engine) {
            Ok(()) => engines.push(*engine),
            Err(error) => println!("left out: {error}"),
        }
    }
    let cases = cases(index.grid());
    ensure!(!cases.is_empty(), "the map has no free tile");
    let (stop, asked, refused) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let held: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
    let wrong = std::sync::Mutex::new(Vec::new());
    let (mut early, mut late) = ([0; 2], [0; 2]);
    std::thread::scope(|scope| {
        for (seed, held) in (0..).zip(&held) {
            let (index, engines, cases, stop, asked, refused, wrong) =
                (&index, &engines, &cases, &stop, &asked, &refused, &wrong);
            scope.spawn(move || {
                let (mut rng, mut scratch, mut path) =
                    (Rng::new(seed), Scratch::new(), Path::new());
                for n in 0_u64.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    if n.is_multiple_of(REPORT_EVERY) {
                        held.store(scratch.bytes() as u64, Ordering::Relaxed);
                    }
                    match ask(index, engines, cases, &mut rng, &mut scratch, &mut path) {
                        Ok(answered) => {
                            asked.fetch_add(1, Ordering::Relaxed);
                            refused.fetch_add(u64::from(!answered), Ordering::Relaxed);
                        }
                        Err(what) => {
                            wrong.lock().unwrap_or_else(|e| e.into_inner()).push(what);
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
        let clock = Instant::now();
        let step = Duration::from_secs((seconds / 20).max(1));
        while clock.elapsed().as_secs() < seconds && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(step);
            let spent = clock.elapsed().as_secs();
            let scratches: u64 = held.iter().map(|held| held.load(Ordering::Relaxed)).sum();
            late = [scratches, resident().saturating_sub(scratches)];
            if spent * 5 <= seconds || early == [0; 2] {
                early = late;
            }
            let asked = asked.load(Ordering::Relaxed);
            let [scratches, rest] = late.map(|bytes| bytes / 1024);
            println!(
                "{spent:>5} s {asked:>9} queries {scratches:>7} KB in scratches {rest:>7} KB else"
            );
        }
        stop.store(true, Ordering::Relaxed);
    });
    let wrong = wrong.into_inner().unwrap_or_else(|e| e.into_inner());
    wrong.iter().for_each(|what| println!("WRONG {what}"));
    println!(
        "{} queries on {threads} threads, {} of them refused by engines that cannot, {} wrong",
        asked.into_inner(),
        refused.into_inner(),
        wrong.len(),
    );
    for (what, early, late) in [("scratches", early[0], late[0]), ("all else", early[1], late[1])] {
        let (early, late) = (early / 1024, late / 1024);
        println!("{what}: {early} KB after a fifth of the time, {late} KB at the end");
    }
    let flat = early.iter().zip(late).all(|(early, late)| late <= early + MOST_GROWTH);
    let sound = wrong.is_empty() && flat;
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cases(grid: &Grid) -> Vec<Case> {
    let mut rng = Rng::new(77);
    let starts = maps::free_tiles(grid, STARTS, &mut rng);
    let case = |(n, start): (usize, Tile)| {
        let count = if n % 4 == 3 { 200 } else { 0 };
        let tiles = maps::free_tiles(grid, count, &mut rng);
        let blocked = Blocked::new(tiles.into_iter().filter(|&tile| tile != start));
        let mut walled = grid.clone();
        for cell in grid.free_cells() {
            if blocked.contains(grid.tile(cell)) {
                walled.set_free(grid.tile(cell), false);
            }
        }
        let least = oracle::distances(&walled, start);
        Case { start, blocked, walled, least }
    };
    starts.into_iter().enumerate().map(case).collect()
}

/// One query of a random kind; whether it was answered, or what was wrong.
fn ask(
    index: &Index,
    engines: &[&dyn Engine],
    cases: &[Case],
    rng: &mut Rng,
    scratch: &mut Scratch,
    path: &mut Path,
) -> Result<bool, String> {
    let (Some(case), Some(engine)) = (rng.pick(cases), rng.pick(engines)) else {
        return Err("nothing to ask".into());
    };
    let Some(&goal) = maps::free_tiles(&case.walled, 1, rng).first() else { return Ok(false) };
    let mut query = Query::new(case.start, goal).with_blocked(&case.blocked);
    query.partial = rng.chance(20);
    query.budget = rng.chance(10).then(|| rng.below(5_000) as u64);
    let failure = |what: String| format!("{}: {query:?}: {what}", engine.name());
    let answer = match index.find(*engine, &query, scratch, path) {
        Ok(answer) => answer,
        Err(QueryError::Unsupported { .. }) => return Ok(false),
        Err(error) => return Err(failure(error.to_string())),
    };
    let cell = index.grid().cell(goal).ok_or("a goal outside")?;
    judge(case, *engine, &query, answer.outcome, case.least[cell.index()], path)
        .map_err(failure)?;
    Ok(true)
}

fn judge(
    case: &Case,
    engine: &dyn Engine,
    query: &Query<'_>,
    outcome: Outcome,
    least: Option<u64>,
    path: &Path,
) -> Result<(), String> {
    match (outcome, least) {
        (Outcome::Found(cost), Some(least)) => {
            path.check_answer(&case.walled, query.start, query.goal, cost)
                .map_err(|e| e.to_string())?;
            let exact = engine.promise() == Promise::Optimal;
            if u64::from(cost) < least || (exact && u64::from(cost) > least) {
                return Err(format!("costs {}, the oracle says {least}", cost.get()));
            }
            Ok(())
        }
        (Outcome::Stopped, _) if query.budget.is_some() => Ok(()),
        (Outcome::Unreachable, None) if query.partial => judge_nearest(case, query, path),
        (Outcome::Unreachable, None) => Ok(()),
        (outcome, least) => Err(format!("{outcome:?}, the oracle says {least:?}")),
    }
}

/// The way to a goal that cannot be reached: to the nearest tile, and a shortest.
fn judge_nearest(case: &Case, query: &Query<'_>, path: &Path) -> Result<(), String> {
    let grid = &case.walled;
    let key = |cell: CellId| {
        let estimate = grid.movement().estimate(grid.tile(cell), query.goal);
        case.least[cell.index()].map(|least| (estimate, least, cell))
    };
    let (_, least, cell) = grid.free_cells().filter_map(key).min().ok_or("nothing is reached")?;
    path.check_answer(grid, query.start, grid.tile(cell), Cost::new(least as u32))
        .map_err(|error| format!("the way to the nearest tile: {error}"))
}

/// Bytes of this process in memory; zero where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
