//! What maps and tables say they hold is what the heap grew by, before and after edits.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use tidegate::gateway::{TuneOptions, TunedDistances};
use tidegate::grid::CostLayer;
use tidegate::grid::component::Components;
use tidegate::hpa::{Hpa, Options};
use tidegate::index::{Change, Table as _, TableState};
use tidegate::jps::JpsMap;
use tidegate::labels::{LabelOptions, Labels, LiveLabels};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Tile, engine};

/// Counts the bytes that are held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

// Safety: everything is done by the system's allocator; the count changes nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn held() -> usize {
    HELD.load(Ordering::Relaxed)
}

fn is_near(said: usize, grown: usize, what: &str) {
    let off = said.abs_diff(grown) * 100 / grown;
    assert!(off < 10, "{what}: {said} bytes said, {grown} held");
}

/// One test alone, so that no other one allocates at the same time.
#[test]
fn bytes_are_what_the_heap_grew_by() {
    maps();
    graphs();
    stale_tables();
}

/// What is kept for a map, made and after edits: walls that come and go all over it.
fn maps() {
    let mut rng = Rng::new(3);
    let mut grid = Grid::from_fn(90, 70, Movement::default(), |_, _| !rng.chance(25)).unwrap();
    let mut edit = |grid: &mut Grid| {
        let any = |_| Tile::new(rng.below(90) as u16, rng.below(70) as u16);
        let changed: Vec<Tile> = (0..10).map(any).collect();
        changed.iter().for_each(|&tile| _ = grid.set_free(tile, !grid.is_free(tile)));
        changed
    };
    let before = held();
    let layer = CostLayer::new(&grid);
    assert_eq!(layer.bytes(), held() - before);
    drop(layer);
    let mut components = Components::of(&grid);
    assert_eq!(components.bytes(), held() - before);
    for _ in 0..20 {
        let changed = edit(&mut grid);
        components.update(&grid, &changed);
        drop(changed);
        assert_eq!(components.bytes(), held() - before);
    }
    drop(components);
    let mut jps = JpsMap::new(&grid).unwrap();
    // One table of the library's own is counted too.
    let table = 8 * 256;
    assert_eq!(jps.bytes() - table, held() - before);
    for _ in 0..20 {
        let changed = edit(&mut grid);
        jps.update(&grid, &changed);
        drop(changed);
        assert_eq!(jps.bytes() - table, held() - before);
    }
    drop(jps);

    let build = |grid: &Grid| Labels::build(grid, &LabelOptions::default()).unwrap();
    // The threads that build are there before anything is counted.
    drop(build(&grid));
    let before = held();
    let labels = build(&grid);
    assert_eq!(labels.bytes(), held() - before);
    let mut live = LiveLabels::new(&grid, labels);
    let before = held();
    for round in 0..8 {
        let changed = edit(&mut grid);
        live.follow(&grid, &changed);
        drop(changed);
        // What differs from the labels, without the labels.
        let (said, grown) = (live.bytes() - live.labels().bytes(), held() - before);
        assert!(said > grown * 4 / 5 && said <= grown, "round {round}: {said} said, {grown} held");
    }
}

fn graphs() {
    let mut rng = Rng::new(2);
    let mut grid = Grid::from_fn(300, 260, Movement::default(), |_, _| !rng.chance(20)).unwrap();
    for options in [Options::default(), Options::paper()] {
        // The threads that build are there before anything is counted.
        drop(Hpa::build(&grid, &options).unwrap());
        let before = held();
        let mut hpa = Hpa::build(&grid, &options).unwrap();
        is_near(hpa.bytes(), held() - before, "built");
        let tile = Tile::new(100, 100);
        for free in [false, true] {
            grid.set_free(tile, free);
            hpa.repair(&grid, &[tile]);
            is_near(hpa.bytes(), held() - before, "repaired");
        }
    }
    for engine in [engine::HPA, engine::HPA_PAPER] {
        let mut index = Index::new(grid.clone());
        let before = held();
        index.prepare(engine).unwrap();
        is_near(engine.bytes(&index), held() - before, engine.name());
        let file = index.to_bytes();
        let bare = Index::new(grid.clone()).to_bytes();
        let before = held();
        let bare = Index::from_bytes_with(&bare, tidegate_sectors::ENGINES).unwrap();
        let empty = held() - before;
        let loaded = Index::from_bytes_with(&file, tidegate_sectors::ENGINES).unwrap();
        is_near(engine.bytes(&loaded), held() - before - 2 * empty, "loaded");
        drop(bare);
    }
}

/// A table that an edit has made stale gives its memory back; how it was built is kept.
fn stale_tables() {
    // Rooms with doors.
    let free = |x, y| (x % 15 > 0 || y % 14 == 7) && (y % 14 > 0 || x % 15 == 7);
    let mut index = Index::new(Grid::from_fn(91, 71, Movement::default(), free).unwrap());
    let wall = Tile::new(5, 5);
    let options = TuneOptions { seed: 7, ..Default::default() };
    index.build::<TunedDistances>(&options).unwrap();
    index.edit([Change::Wall(wall)]).unwrap();
    let (said, before) = (index.table_bytes(TunedDistances::KIND), held());
    index.edit([Change::Free(wall)]).unwrap();
    assert_eq!(index.table_state(TunedDistances::KIND), Some(TableState::Stale));
    is_near(said, before - held(), "given back");
    index.rebuild().unwrap();
    assert_eq!(index.options::<TunedDistances>(), Some(&options));
}
