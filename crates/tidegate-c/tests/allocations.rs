//! A game loop in C allocates nothing once warm: counted by an allocator of this test's own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::{null, null_mut};

use tidegate_c::blocked::*;
use tidegate_c::edit::*;
use tidegate_c::engines::*;
use tidegate_c::field::*;
use tidegate_c::index::*;
use tidegate_c::layer::*;
use tidegate_c::many::*;
use tidegate_c::query::*;
use tidegate_c::scratch::*;
use tidegate_c::status::*;
use tidegate_c::tile::*;

struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SIDE: u32 = 64;

/// Walls in every eighth column, with a door each, and a tile that is walled in.
fn is_free(n: u32) -> u8 {
    let (x, y) = (n % SIDE, n / SIDE);
    let walled_in = x.abs_diff(60) <= 1 && y.abs_diff(60) <= 1 && (x, y) != (60, 60);
    ((x % 8 != 7 || y == x * 5 % SIDE) && !walled_in).into()
}

#[test]
fn a_warm_game_loop_allocates_nothing() {
    let free: Vec<u8> = (0..SIDE * SIDE).map(is_free).collect();
    let (mut index, mut scratch, mut blocked) = (null_mut(), null_mut(), null_mut());
    let (mut field, mut layer) = (null_mut(), null_mut());
    let tile = |x, y| TidegateTile { x, y };
    // SAFETY: arrays have as many elements as they say; names end with a zero.
    unsafe {
        let ok = |status| assert_eq!(status, TIDEGATE_OK);
        ok(tidegate_index_new(free.as_ptr(), free.len(), SIDE, SIDE, 0, null(), &mut index));
        ok(tidegate_scratch_new(&mut scratch));
        ok(tidegate_blocked_new([tile(3, 3)].as_ptr(), 1, &mut blocked));
        ok(tidegate_field_new(&mut field));
        ok(tidegate_layer_new(index, &mut layer));
        let engines = [c"astar", c"jps", c"corners", c"labels", c"hpa", c"gateway"];
        engines.iter().for_each(|name| ok(tidegate_prepare(index, name.as_ptr())));
        let mut tiles = vec![TidegateTile::default(); 4096];
        let mut offsets = [0; 5];
        let (mut length, mut cost, mut number, mut near) = (0, 0, 0, tile(0, 0));
        let mut answer = TidegateAnswer::default();
        let starts = [tile(0, 0), tile(5, 5), tile(0, 63), tile(9, 9)];
        let goals = [tile(62, 1), tile(62, 62), tile(60, 60), tile(12, 40)];
        let mut round = || {
            for (&start, &goal) in starts.iter().zip(&goals) {
                let reached = goal != tile(60, 60);
                let expected = if reached { TIDEGATE_OK } else { TIDEGATE_UNREACHABLE };
                for engine in engines.iter().map(|name| name.as_ptr()).chain([null()]) {
                    let (room, capacity) = (tiles.as_mut_ptr(), tiles.len());
                    let found = tidegate_path(
                        index,
                        scratch,
                        engine,
                        start,
                        goal,
                        room,
                        capacity,
                        &mut length,
                        &mut cost,
                    );
                    assert_eq!(found, expected);
                    ok(tidegate_last_path(scratch, room, capacity, &mut length));
                    ok(tidegate_path_state(index, scratch, room, length.max(1), 0, &mut number));
                    ok(tidegate_last_turning_points(scratch, room, capacity, &mut length));
                    let found = tidegate_distance(index, scratch, engine, start, goal, &mut cost);
                    assert_eq!(found, expected);
                }
                let query = TidegateQuery {
                    start,
                    goal,
                    engine: c"astar".as_ptr(),
                    blocked,
                    layer,
                    budget: 0,
                    partial: 1,
                    refuse_stale: 0,
                };
                let (room, capacity) = (tiles.as_mut_ptr(), tiles.len());
                let found = tidegate_find(index, scratch, &query, room, capacity, &mut answer);
                assert_eq!(found, expected);
                ok(tidegate_reachable(index, start, goal, &mut number));
                ok(tidegate_nearest_reachable(index, start, goal, &mut near));
            }
            ok(tidegate_layer_clear(layer));
            ok(tidegate_layer_add_falling(layer, tile(20, 20), 9.0, 300));
            ok(tidegate_layer_fade(layer, 0.5));
            let query = TidegateFieldQuery {
                goals: goals.as_ptr(),
                goal_count: 2,
                units: null(),
                unit_count: 0,
                blocked,
                layer,
            };
            ok(tidegate_field_fill(field, index, scratch, &query));
            ok(tidegate_field_next(field, starts[0], &mut near, &mut cost));
            let (room, capacity) = (tiles.as_mut_ptr(), tiles.len());
            let from = starts[0];
            ok(tidegate_field_path(field, scratch, from, room, capacity, &mut length, &mut cost));
            ok(tidegate_paths(
                index,
                scratch,
                null(),
                starts.as_ptr(),
                goals.as_ptr(),
                4,
                1,
                offsets.as_mut_ptr(),
                tiles.as_mut_ptr(),
                tiles.len(),
                &mut length,
            ));
        };
        round();
        round();
        let before = CALLS.get();
        (0..20).for_each(|_| round());
        assert_eq!(CALLS.get() - before, 0, "allocations in a warm loop");
        ok(tidegate_field_free(field));
        ok(tidegate_layer_free(layer));
        ok(tidegate_blocked_free(blocked));
        ok(tidegate_scratch_free(scratch));
        ok(tidegate_index_free(index));
    }
}
