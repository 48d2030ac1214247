//! What a graph of HPA* says it holds is what the heap grew by.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use tidegate::hpa::{Hpa, Options};
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
