//! Memory, counted by an allocator of this test's own: a game loop allocates nothing once
//! warm, a scratch says what it holds, and it does not grow with the number of queries.
#![cfg(feature = "generate")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;

use tidegate::cost::{Cost, Extra, INFINITY};
use tidegate::engine::Engine;
use tidegate::field::{FieldQuery, GoalField};
use tidegate::generate::problems::problems;
use tidegate::generate::{Kind, generate};
use tidegate::grid::{Area, CostLayer};
use tidegate::index::Change;
use tidegate::rng::Rng;
use tidegate::search::Octile;
use tidegate::search::{BucketQueue, GridSpace, Observer, SearchScratch, search};
use tidegate::{Blocked, Grid, Index, Movement, Path, Query, Scratch, Tile};
use tidegate_testkit::maps;

struct Counting;

thread_local! {
    /// What this thread asked for: how often, and bytes not given back.
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<usize> = const { Cell::new(0) };
}

fn count(taken: usize, given: usize) {
    // A thread that ends may free after its own counters are gone.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + u64::from(taken > 0)));
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_add(taken).wrapping_sub(given)));
}

// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Maps with zones, gates and rooms that nothing leads into.
fn some_maps() -> [Grid; 3] {
    let made =
        |kind, width, height, movement| generate(kind, width, height, 7).unwrap().grid(movement);
    [
        made(Kind::Rts, 128, 128, Movement::NoCornerCutting),
        made(Kind::Rooms, 100, 80, Movement::FourConnected),
        made(Kind::Random, 90, 90, Movement::OneSideFree),
    ]
}

/// Queries of every kind: plain, partial, with budgets and with tiles blocked.
fn queries<'a>(grid: &Grid, blocked: &'a Blocked) -> Vec<Query<'a>> {
    let near = problems(grid, "made", 100, 3).into_iter().map(|p| (p.start, p.goal));
    let tiles = maps::free_tiles(grid, 300, &mut Rng::new(3));
    let any = tiles.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    let ends = near.chain(any).filter(|(a, b)| !blocked.contains(*a) && !blocked.contains(*b));
    let query = |(n, (start, goal)): (usize, (Tile, Tile))| {
        let query = Query::new(start, goal);
        match n % 5 {
            0 | 1 => query,
            2 => query.with_partial(),
            3 => query.with_partial().with_budget(50),
            _ => query.with_partial().with_blocked(blocked),
        }
    };
    ends.enumerate().map(query).collect()
}

fn ask_all(
    index: &Index,
    engine: &dyn Engine,
    queries: &[Query<'_>],
    scratch: &mut Scratch,
    path: &mut Path,
) -> usize {
    let mut asked = 0;
    for query in queries {
        index.find(engine, query, scratch, path).unwrap();
        index.distance(engine, query, scratch).unwrap();
        asked += 2;
    }
    asked
}

#[test]
fn no_engine_allocates_once_warm() {
    for grid in some_maps() {
        let blocked = Blocked::new(maps::free_tiles(&grid, 40, &mut Rng::new(8)));
        let queries = queries(&grid, &blocked);
        let mut index = Index::new(grid);
        for engine in tidegate_sectors::ENGINES {
            index.prepare(*engine).unwrap();
            let (mut scratch, mut path) = (Scratch::new(), Path::new());
            // An engine that learns from queries is warm when it has learnt.
            for _ in 0..if engine.info().adapts { 12 } else { 1 } {
                ask_all(&index, *engine, &queries, &mut scratch, &mut path);
            }
            let before = CALLS.get();
            let asked = ask_all(&index, *engine, &queries, &mut scratch, &mut path);
            let calls = CALLS.get() - before;
            assert_eq!(calls, 0, "{}: {calls} allocations, {asked} queries", engine.name());
            assert!(asked > 300);
        }
    }
}

/// `slack` is in thousandths of what is held.
fn states_what_it_holds(index: &Index, engine: &dyn Engine, queries: &[Query<'_>], slack: usize) {
    let mut path = Path::new();
    let before = HELD.get();
    let mut scratch = Scratch::new();
    ask_all(index, engine, queries, &mut scratch, &mut path);
    let held = HELD.get() - before - path.bytes();
    // What an engine that learns has learnt is stated to a percent.
    let slack = if engine.info().adapts { held / 100 } else { held * slack / 1000 };
    let stated = scratch.bytes();
    assert!(held.abs_diff(stated) <= slack, "{}: {stated} of {held}", engine.name());
}

#[test]
fn a_scratch_says_what_it_holds() {
    for grid in some_maps() {
        let blocked = Blocked::new(maps::free_tiles(&grid, 40, &mut Rng::new(8)));
        let queries = queries(&grid, &blocked);
        let mut index = Index::new(grid);
        for engine in tidegate_sectors::ENGINES {
            index.prepare(*engine).unwrap();
            states_what_it_holds(&index, *engine, &queries, 0);
        }
        // On a map that has changed since, an engine may answer in another way. Labels then hold
        // bits and exits that they count roughly.
        let is_end = |tile| queries.iter().any(|q| [q.start, q.goal].contains(&tile));
        let mut rng = Rng::new(9);
        let (width, height) = (index.grid().width() as usize, index.grid().height() as usize);
        let any = |_| Tile::new(rng.below(width) as u16, rng.below(height) as u16);
        let tiles: Vec<Tile> = (0..60).map(any).filter(|&tile| !is_end(tile)).collect();
        let changes = tiles.iter().map(|&tile| match index.grid().is_free(tile) {
            true => Change::wall(tile),
            false => Change::free(tile),
        });
        let changes: Vec<Change> = changes.collect();
        assert!(!index.edit(changes).unwrap().edit.is_empty());
        for engine in tidegate_sectors::ENGINES.iter().filter(|engine| engine.has_tables(&index)) {
            states_what_it_holds(&index, *engine, &queries, 1);
        }
    }
}

/// A field is filled again and again for other goals, other blocked tiles and a layer that
/// changes, and read, without a single allocation; and it says what it holds.
#[test]
fn fields_and_layers_allocate_nothing_once_warm() {
    for grid in some_maps() {
        let tiles = maps::free_tiles(&grid, 60, &mut Rng::new(5));
        let blocked = Blocked::new(tiles[40..].iter().copied());
        let index = Index::new(grid);
        let mut layer = CostLayer::new(index.grid());
        let before = HELD.get();
        let (mut field, mut path, mut steps) = (GoalField::new(), Path::new(), Vec::new());
        let mut round = || {
            layer.clear();
            for &goal in tiles[..40].iter().filter(|&&goal| !blocked.contains(goal)) {
                layer.fade(0.9);
                layer.add(&Area::disc(goal, 7.5), Extra::from_hundredths(5_000));
                let goals = [goal, tiles[0]];
                let plain = FieldQuery::new(&goals);
                field.fill(&index, &plain).unwrap();
                field.fill(&index, &plain.with_costs(&layer)).unwrap();
                field.fill(&index, &plain.until(&tiles)).unwrap();
                field.fill(&index, &plain.with_blocked(&blocked).with_costs(&layer)).unwrap();
                tiles.iter().for_each(|&tile| _ = field.path_from(tile, &mut path));
                field.next_steps_into(&mut steps);
            }
        };
        round();
        let calls = CALLS.get();
        round();
        assert_eq!(CALLS.get() - calls, 0);
        let held = HELD.get() - before - path.bytes() - steps.capacity();
        assert_eq!(field.bytes(), held);
    }
}

/// The least and the largest f that a search put on its list.
struct Range(Cost, Cost);

impl Observer<Cost> for Range {
    fn generate(&mut self, _: u32, _: u32, g: Cost, h: Cost) {
        *self = Range(self.0.min(g + h), self.1.max(g + h));
    }

    fn expand(&mut self, _: u32, _: Cost, _: Cost) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// However many searches: 16 bytes a tile for the records, and for the open list 82 for
/// each entry held at once and 272 for each bucket of 1,024 units of cost.
#[test]
fn memory_does_not_grow_with_the_number_of_searches() {
    let grid = generate(Kind::Rts, 256, 256, 7).unwrap().grid(Movement::default());
    let tiles = maps::free_tiles(&grid, 4_000, &mut Rng::new(1));
    let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
    let (mut most, mut buckets, mut early) = (0, 0, 0);
    for (n, pair) in tiles.chunks_exact(2).enumerate() {
        let [start, goal] = [pair[0], pair[1]].map(|t| grid.cell(t).unwrap().index() as u32);
        let (space, mut octile) = (GridSpace::new(&grid), Octile::new(&grid, pair[1]));
        let (mut range, is_goal) = (Range(INFINITY, Cost::ZERO), |node| node == goal);
        let (_, stats) =
            search(&space, &[(start, Cost::ZERO)], is_goal, &mut octile, &mut scratch, &mut range);
        most = most.max(stats.peak_open as usize);
        buckets = buckets.max(((range.1.get() >> 10) - (range.0.get() >> 10) + 1) as usize);
        let bound = 16 * grid.tiles() + 82 * most + 272 * buckets;
        assert!(scratch.bytes() <= bound, "{} bytes of {bound}", scratch.bytes());
        if n == 200 {
            early = scratch.bytes();
        }
    }
    // Most of the searches come after this, and few of them are the largest so far.
    let late = scratch.bytes();
    assert!(late <= early + early / 8, "{early} bytes after 200 searches, {late} in the end");
}
