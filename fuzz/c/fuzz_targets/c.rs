//! Calls of the C binding in any order, with good handles, freed ones, ones of another kind and ones that
//! never were; null pointers, arrays that are too small, engines that do not exist, tiles outside. Arrays
//! lie on the heap at their exact size, where the address sanitizer sees one element too many. A panic
//! inside is a code (`TIDEGATE_INTERNAL`), which is a fault here; so is a handle that is left.
#![no_main]

use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut, without_provenance_mut};

use tidegate_c::status::{TIDEGATE_INTERNAL, TIDEGATE_OK, TIDEGATE_STOPPED, TidegateStatus};
use tidegate_c::tile::TidegateTile;
use tidegate_c::{blocked::*, edit::*, engines::*, field::*, handle::*, index::*, layer::*};
use tidegate_c::{many::*, query::*, region::*, route::*, scratch::*, store::*, walk::*, world::*};

/// The most calls of one input.
const CALLS: usize = 48;

const ENGINES: [&str; 14] = [
    "astar", "jps", "corners", "labels", "hpa", "gateway", "dead-end", "portal", "differential",
    "auto", "dsma", "gateway-consistent", "", "no such engine",
];

/// Bytes to choose by, and every handle there was, by kind.
struct Caller<'a> {
    bytes: &'a [u8],
    handles: [Vec<usize>; 6],
    names: Vec<CString>,
}

/// An array of the caller's: its elements, or null.
struct Array<T>(Option<Box<[T]>>, usize);

impl<T> Array<T> {
    fn ptr(&self) -> *const T {
        self.0.as_ref().map_or(null(), |all| all.as_ptr())
    }

    fn out(&mut self) -> *mut T {
        self.0.as_mut().map_or(null_mut(), |all| all.as_mut_ptr())
    }
}

impl Caller<'_> {
    fn next(&mut self) -> u8 {
        self.bytes.split_off_first().copied().unwrap_or(0)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.next()) % n
    }

    /// Mostly one of this kind, good or freed; else of another kind, null or made up.
    fn handle<T>(&mut self, kind: usize) -> *mut T {
        let choice = self.below(16);
        let kind = if choice == 0 { self.below(6) } else { kind };
        let known = &self.handles[kind];
        let number = match choice {
            1 => 0,
            2 => 0x71de_0000_0000_0000 | usize::from(self.next()) << 44 | usize::from(self.next()),
            3 => usize::from(self.next()) << 3,
            _ if known.is_empty() => 0,
            _ => known[usize::from(self.bytes.first().copied().unwrap_or(0)) % known.len()],
        };
        self.next();
        without_provenance_mut(number)
    }

    fn engine(&mut self) -> *const c_char {
        let which = self.below(self.names.len() + 1);
        self.names.get(which).map_or(null(), |name| name.as_ptr())
    }

    /// On the map or just outside, seldom far outside.
    fn tile(&mut self) -> TidegateTile {
        let (x, y) = (self.below(9) as u16, self.next());
        TidegateTile { x, y: if y == 255 { 65_535 } else { u16::from(y % 7) } }
    }

    fn tiles(&mut self) -> Array<TidegateTile> {
        let count = self.below(6);
        let all = (0..count).map(|_| self.tile()).collect();
        if self.below(16) == 0 { Array(None, count) } else { Array(Some(all), count) }
    }

    /// Room for some elements, of which none is needed or all, or null.
    fn room<T: Clone>(&mut self, element: T) -> Array<T> {
        let count = [0, 1, 2, 3, 5, 8, 13, 24, 48, 49, 200][self.below(11)];
        let all = vec![element; count].into_boxed_slice();
        if self.below(24) == 0 { Array(None, count) } else { Array(Some(all), count) }
    }

    fn one<T: Clone>(&mut self, element: T) -> Array<T> {
        let all = vec![element].into_boxed_slice();
        if self.below(24) == 0 { Array(None, 1) } else { Array(Some(all), 1) }
    }

    /// Keeps the handle that a call has written.
    fn keep<T>(&mut self, kind: usize, made: &Array<*mut T>) {
        let made = made.0.as_ref().map_or(0, |all| all[0].addr());
        if made != 0 {
            self.handles[kind].push(made);
        }
    }

    #[expect(clippy::too_many_lines)]
    fn call(&mut self) -> TidegateStatus {
        const TILE: TidegateTile = TidegateTile { x: 0, y: 0 };
        // SAFETY: pointers that are not null lead to as many elements as is said, texts end with zero.
        unsafe {
            match self.below(48) {
                0..3 => {
                    let (width, height) = (self.below(9) as u32, self.below(7) as u32);
                    let count = match self.below(16) {
                        0 => self.below(64),
                        _ => (width * height) as usize,
                    };
                    let free: Box<[u8]> = (0..count).map(|_| u8::from(self.next() < 190)).collect();
                    let factors: Box<[u16]> = (0..count).map(|n| [100, 99, 300][n % 3]).collect();
                    let factors = if self.below(8) == 0 { factors.as_ptr() } else { null() };
                    let (movement, mut made) = (self.below(4) as u32, self.one(null_mut()));
                    let status = tidegate_index_new(
                        free.as_ptr(), count, width, height, movement, factors, made.out(),
                    );
                    self.keep(0, &made);
                    status
                }
                3 => {
                    let (index, mut made) = (self.handle(0), self.one(null_mut()));
                    let status = tidegate_index_clone(index, made.out());
                    self.keep(0, &made);
                    status
                }
                4 => tidegate_index_free(self.handle(0)),
                5 | 6 => {
                    let mut made = self.one(null_mut());
                    let status = tidegate_scratch_new(made.out());
                    self.keep(1, &made);
                    status
                }
                7 => tidegate_scratch_free(self.handle(1)),
                8 => {
                    let (tiles, mut made) = (self.tiles(), self.one(null_mut()));
                    let status = tidegate_blocked_new(tiles.ptr(), tiles.1, made.out());
                    self.keep(2, &made);
                    status
                }
                9 => tidegate_blocked_set(self.handle(2), self.tile(), self.below(2) as u32),
                10 => tidegate_blocked_free(self.handle(2)),
                11 => {
                    let mut made = self.one(null_mut());
                    let status = tidegate_field_new(made.out());
                    self.keep(3, &made);
                    status
                }
                12 => tidegate_field_free(self.handle(3)),
                13 => {
                    let (index, mut made) = (self.handle(0), self.one(null_mut()));
                    let status = tidegate_layer_new(index, made.out());
                    self.keep(4, &made);
                    status
                }
                14 => tidegate_layer_free(self.handle(4)),
                15 => {
                    let radius = [0.0, 1.5, -1.0, f64::NAN, f64::INFINITY, 1e300][self.below(6)];
                    tidegate_layer_add(self.handle(4), self.tile(), radius, u16::from(self.next()) * 257)
                }
                16 => tidegate_layer_fade(self.handle(4), [0.0, 0.5, 1.0, 2.0, f64::NAN][self.below(5)]),
                17 => {
                    let mut values = self.room(0_u16);
                    if self.below(2) == 0 {
                        tidegate_layer_values(self.handle(4), values.out(), values.1)
                    } else {
                        tidegate_layer_add_each(self.handle(4), values.ptr(), values.1)
                    }
                }
                18..21 => tidegate_prepare(self.handle(0), self.engine()),
                21 | 22 => {
                    let count = self.below(4);
                    let change = |c: &mut Self| TidegateChange {
                        tile: c.tile(),
                        kind: c.below(4) as u16,
                        factor: u16::from(c.next()) * 2,
                    };
                    let changes: Box<[TidegateChange]> = (0..count).map(|_| change(self)).collect();
                    let mut revision = self.one(0);
                    tidegate_edit(self.handle(0), changes.as_ptr(), count, revision.out())
                }
                23 => {
                    let mut count = self.one(0);
                    match self.below(4) {
                        0 => tidegate_want_rebuild(self.handle(0), count.out()),
                        1 => tidegate_rebuild(self.handle(0)),
                        2 => tidegate_live_handles(count.out()),
                        _ => tidegate_adopt(self.handle(0), self.handle(0), count.out()),
                    }
                }
                24 => {
                    let (tiles, mut state) = (self.tiles(), self.one(0));
                    let (index, scratch, at) = (self.handle(0), self.handle(1), self.below(4) as u64);
                    tidegate_path_state(index, scratch, tiles.ptr(), tiles.1, at, state.out())
                }
                25 => {
                    let mut state = self.one(0);
                    tidegate_engine_state(self.handle(0), self.engine(), state.out())
                }
                26 | 27 => {
                    let (mut tiles, mut length, mut cost) = (self.room(TILE), self.one(0), self.one(0));
                    let (index, scratch, engine) = (self.handle(0), self.handle(1), self.engine());
                    let (start, goal) = (self.tile(), self.tile());
                    tidegate_path(
                        index, scratch, engine, start, goal, tiles.out(), tiles.1, length.out(), cost.out(),
                    )
                }
                28..31 => {
                    let query = TidegateQuery {
                        start: self.tile(),
                        goal: self.tile(),
                        engine: self.engine(),
                        blocked: self.handle(2),
                        layer: self.handle(4),
                        budget: u64::from(self.next()),
                        partial: self.below(2) as u32,
                        refuse_stale: self.below(2) as u32,
                    };
                    let mut answer = self.one(std::mem::zeroed::<TidegateAnswer>());
                    let mut tiles = self.room(TILE);
                    let (index, scratch) = (self.handle(0), self.handle(1));
                    tidegate_find(index, scratch, &query, tiles.out(), tiles.1, answer.out())
                }
                31 => {
                    let (goals, start) = (self.tiles(), self.tile());
                    let (index, scratch) = (self.handle(0), self.handle(1));
                    if self.below(2) == 0 {
                        let mut costs = vec![0; goals.1].into_boxed_slice();
                        tidegate_distances(index, scratch, start, goals.ptr(), goals.1, costs.as_mut_ptr())
                    } else {
                        let (mut which, mut cost) = (self.one(0), self.one(0));
                        tidegate_nearest(
                            index, scratch, start, goals.ptr(), goals.1, which.out(), cost.out(),
                        )
                    }
                }
                32 => {
                    let (from, to, mut yes) = (self.tile(), self.tile(), self.one(0));
                    let mut near = self.one(TILE);
                    match self.below(3) {
                        0 => tidegate_reachable(self.handle(0), from, to, yes.out()),
                        1 => tidegate_sees(self.handle(0), from, to, yes.out()),
                        _ => tidegate_nearest_reachable(self.handle(0), from, to, near.out()),
                    }
                }
                33 => {
                    let (starts, count) = (self.tiles(), self.below(6));
                    let goals: Box<[TidegateTile]> = (0..starts.1).map(|_| self.tile()).collect();
                    let (mut offsets, mut tiles) =
                        (vec![0; starts.1 + 1].into_boxed_slice(), self.room(TILE));
                    let (index, scratch, engine) = (self.handle(0), self.handle(1), self.engine());
                    let mut total = self.one(0);
                    if count == 0 {
                        let asked = starts.1;
                        tidegate_last_paths(
                            scratch, offsets.as_mut_ptr(), asked, tiles.out(), tiles.1, total.out(),
                        )
                    } else {
                        tidegate_paths(
                            index, scratch, engine, starts.ptr(), goals.as_ptr(), starts.1, 1,
                            offsets.as_mut_ptr(), tiles.out(), tiles.1, total.out(),
                        )
                    }
                }
                34 => {
                    let (mut tiles, mut length) = (self.room(TILE), self.one(0));
                    let (scratch, index, blocked) = (self.handle(1), self.handle(0), self.handle(2));
                    match self.below(4) {
                        0 => tidegate_last_path(scratch, tiles.out(), tiles.1, length.out()),
                        1 => tidegate_last_turning_points(scratch, tiles.out(), tiles.1, length.out()),
                        2 => tidegate_last_walk_tiles(scratch, index, tiles.out(), tiles.1, length.out()),
                        _ => tidegate_last_straightened(
                            scratch, index, blocked, tiles.out(), tiles.1, length.out(),
                        ),
                    }
                }
                35 => {
                    let (goals, units) = (self.tiles(), self.tiles());
                    let query = TidegateFieldQuery {
                        goals: goals.ptr(),
                        goal_count: goals.1,
                        units: units.ptr(),
                        unit_count: units.1,
                        blocked: self.handle(2),
                        layer: self.handle(4),
                    };
                    tidegate_field_fill(self.handle(3), self.handle(0), self.handle(1), &query)
                }
                36 => {
                    let (field, tile, mut cost) = (self.handle(3), self.tile(), self.one(0));
                    let (mut costs, mut next, mut tiles) = (self.room(0), self.one(TILE), self.room(TILE));
                    let (scratch, mut length) = (self.handle(1), self.one(0));
                    match self.below(3) {
                        0 => tidegate_field_costs(field, costs.out(), costs.1),
                        1 => tidegate_field_next(field, tile, next.out(), cost.out()),
                        _ => tidegate_field_path(
                            field, scratch, tile, tiles.out(), tiles.1, length.out(), cost.out(),
                        ),
                    }
                }
                37 => {
                    // Bytes that are an index, with one of them changed at times.
                    let (index, mut length) = (self.handle(0), 0);
                    tidegate_index_to_bytes(index, null_mut(), 0, &mut length);
                    let mut bytes = vec![0; length.min(1 << 16)].into_boxed_slice();
                    let status =
                        tidegate_index_to_bytes(index, bytes.as_mut_ptr(), bytes.len(), &mut length);
                    if status != TIDEGATE_OK {
                        return status;
                    }
                    if self.below(2) == 0 {
                        let at = usize::from(self.next()) * 7 % bytes.len();
                        bytes[at] ^= 1 << self.below(8);
                    }
                    let mut made = self.one(null_mut());
                    let status = tidegate_index_from_bytes(bytes.as_ptr(), bytes.len(), made.out());
                    self.keep(0, &made);
                    status
                }
                38 => {
                    let (index, mut numbers, mut count) = (self.handle(0), self.room(0), self.one(0));
                    let (which, mut tiles) = (self.below(9) as u32, self.room(TILE));
                    match self.below(7) {
                        0 => tidegate_decompose(self.handle(0)),
                        1 => tidegate_decompose_again(self.handle(0)),
                        2 => tidegate_zone_gates(index, which, numbers.out(), numbers.1, count.out()),
                        3 => tidegate_gate_zones(index, which, numbers.out(), numbers.1, count.out()),
                        4 => tidegate_gate_tiles(index, which, tiles.out(), tiles.1, count.out()),
                        5 => tidegate_zone_groups(index, numbers.out(), numbers.1, count.out()),
                        _ => {
                            let (from, to) = (self.tile(), self.tile());
                            tidegate_route(index, from, to, numbers.out(), numbers.1, count.out())
                        }
                    }
                }
                39 => {
                    let tables = self.below(4) as u32;
                    tidegate_prepare_walks(self.handle(0), tables, [0, 1, 1 << 20][self.below(3)])
                }
                40 | 41 => {
                    let odd = [f64::NAN, f64::INFINITY, -1.0, 1e18];
                    let at = |c: &mut Self| match c.below(20) {
                        n @ 0..4 => odd[n],
                        _ => f64::from(c.next()) / 32.0,
                    };
                    let point = |c: &mut Self| TidegatePoint { x: at(c), y: at(c) };
                    let (start, goal) = (point(self), point(self));
                    let (mut points, mut count) = (self.room(start), self.one(0));
                    let (index, scratch, blocked) = (self.handle(0), self.handle(1), self.handle(2));
                    let mut length = self.one(0.0);
                    if self.below(4) == 0 {
                        tidegate_last_walk(scratch, points.out(), points.1, count.out())
                    } else {
                        tidegate_walk(
                            index, scratch, start, goal, blocked, points.out(), points.1, count.out(),
                            length.out(),
                        )
                    }
                }
                44 | 45 => {
                    let (index, which) = (self.handle(0), self.below(9) as u32);
                    let (mut numbers, mut count, mut more) = (self.room(0_u32), self.one(0), self.one(0));
                    let (from, to) = (self.tile(), self.tile());
                    let avoided = [self.below(9) as u32, self.below(9) as u32];
                    let avoid = TidegateAvoid {
                        gates: avoided.as_ptr(),
                        gate_count: self.below(3),
                        zones: avoided.as_ptr(),
                        zone_count: self.below(2),
                    };
                    let avoid = if self.below(2) == 0 { null() } else { &raw const avoid };
                    let k = [0, 1, 3, 100, 1024, 1025, usize::MAX][self.below(7)];
                    match self.below(8) {
                        0 | 1 => {
                            let mut routes = self.room(std::mem::zeroed::<TidegateRoute>());
                            tidegate_routes(
                                index, from, to, k, avoid, routes.out(), routes.1, count.out(), numbers.out(),
                                numbers.1, more.out(),
                            )
                        }
                        2 => {
                            let mut route = self.one(std::mem::zeroed::<TidegateRoute>());
                            tidegate_widest_route(
                                index, from, to, avoid, route.out(), numbers.out(), numbers.1, count.out(),
                            )
                        }
                        3 => {
                            let mut points = self.room(std::mem::zeroed::<TidegateChokePoint>());
                            tidegate_choke_points(index, k, points.out(), points.1, count.out())
                        }
                        4 => {
                            let mut sides = self.room(std::mem::zeroed::<TidegateSide>());
                            tidegate_gate_sides(index, which, sides.out(), sides.1, count.out())
                        }
                        5 => {
                            let mut tile = self.one(TILE);
                            let range = [0, 3, u16::MAX][self.below(3)];
                            tidegate_holding_tile(index, which, avoided[0], range, tile.out())
                        }
                        6 => {
                            let (mut cost, mut end) = (self.one(0), self.one(TILE));
                            tidegate_distance_to_line(index, from, which, cost.out(), end.out())
                        }
                        _ => {
                            let mut bridges = self.room(std::mem::zeroed::<TidegateBridge>());
                            let mut ends = self.room(std::mem::zeroed::<TidegateDeadEnd>());
                            match self.below(2) {
                                0 => tidegate_bridges(index, bridges.out(), bridges.1, count.out()),
                                _ => tidegate_dead_ends(index, ends.out(), ends.1, count.out()),
                            }
                        }
                    }
                }
                46 | 47 => {
                    let (index, scratch, engine) = (self.handle(0), self.handle(1), self.engine());
                    let (from, to, mut cost) = (self.tile(), self.tile(), self.one(0));
                    let (mut count, layer) = (self.one(0), self.handle(4));
                    match self.below(9) {
                        0 => tidegate_distance(index, scratch, engine, from, to, cost.out()),
                        1 => {
                            let mut next = self.one(TILE);
                            tidegate_next_step(index, scratch, engine, from, to, next.out())
                        }
                        2 => {
                            let mut zones = self.room(std::mem::zeroed::<TidegateZone>());
                            tidegate_zone_list(index, zones.out(), zones.1, count.out())
                        }
                        3 => {
                            let mut gates = self.room(std::mem::zeroed::<TidegateGate>());
                            tidegate_gate_list(index, gates.out(), gates.1, count.out())
                        }
                        4 => {
                            let mut zones = self.room(0_i32);
                            tidegate_zones(index, zones.out(), zones.1)
                        }
                        5 => {
                            let mut free = self.room(0_u8);
                            tidegate_index_tiles(index, free.out(), free.1)
                        }
                        6 => {
                            let mut steps = self.room(std::mem::zeroed::<TidegateStep>());
                            tidegate_field_steps(self.handle(3), steps.out(), steps.1)
                        }
                        7 => {
                            let radius = [0.0, 1.5, -1.0, f64::NAN, f64::INFINITY, 1e300][self.below(6)];
                            tidegate_layer_add_falling(layer, from, radius, u16::from(self.next()) * 257)
                        }
                        _ => {
                            tidegate_layer_clear(layer);
                            tidegate_scratch_bytes(scratch, count.out())
                        }
                    }
                }
                42 => {
                    let (width, height) = (1 + self.below(8) as u32, 1 + self.below(6) as u32);
                    let count = (width * height) as usize;
                    let ground: Box<[u8]> = (0..count).map(|_| b"..#m"[self.below(4)]).collect();
                    let mut made = self.one(null_mut());
                    let status = tidegate_world_new(ground.as_ptr(), count, width, height, made.out());
                    self.keep(5, &made);
                    status
                }
                _ => {
                    let world = self.handle(5);
                    let cost = |c: &mut Self| TidegateClassCost {
                        ground: u16::from(b".#m~"[c.below(4)]) + 256 * u16::from(c.below(16) == 0),
                        factor: [0, 99, 100, 250][c.below(4)],
                    };
                    match self.below(6) {
                        0 => tidegate_world_free(world),
                        1 => {
                            let costs: Box<[_]> = (0..self.below(4)).map(|_| cost(self)).collect();
                            let (size, rule) = (self.below(5) as u32, self.below(4) as u32);
                            let mut id = self.one(0);
                            tidegate_world_add(world, size, rule, costs.as_ptr(), costs.len(), id.out())
                        }
                        2 => {
                            let (profile, mut made) = (self.below(3), self.one(null_mut()));
                            let status = tidegate_world_index(world, profile, made.out());
                            self.keep(0, &made);
                            status
                        }
                        3 => {
                            let change = |c: &mut Self| TidegateGroundChange {
                                tile: c.tile(),
                                ground: u16::from(b".#m"[c.below(3)]),
                            };
                            let changes: Box<[_]> = (0..self.below(4)).map(|_| change(self)).collect();
                            let mut count = self.one(0);
                            tidegate_world_edit(world, changes.as_ptr(), changes.len(), count.out())
                        }
                        4 => {
                            let profile = self.below(3);
                            tidegate_world_set_cost(world, profile, cost(self))
                        }
                        _ => {
                            let mut ground = self.room(0);
                            tidegate_world_ground(world, ground.out(), ground.1)
                        }
                    }
                }
            }
        }
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let names = ENGINES.map(|name| CString::new(name).expect("no zero in it")).to_vec();
    let mut caller = Caller { bytes, handles: Default::default(), names };
    for n in 0..CALLS {
        if caller.bytes.is_empty() {
            break;
        }
        let status = caller.call();
        let known = status > TIDEGATE_INTERNAL && status <= TIDEGATE_STOPPED;
        assert!(known, "call {n} has ended with {status}");
    }
    // SAFETY: a handle is a number that is looked up.
    unsafe {
        for (kind, handles) in caller.handles.iter().enumerate() {
            for &handle in handles {
                match kind {
                    0 => tidegate_index_free(without_provenance_mut(handle)),
                    1 => tidegate_scratch_free(without_provenance_mut(handle)),
                    2 => tidegate_blocked_free(without_provenance_mut(handle)),
                    3 => tidegate_field_free(without_provenance_mut(handle)),
                    4 => tidegate_layer_free(without_provenance_mut(handle)),
                    _ => tidegate_world_free(without_provenance_mut(handle)),
                };
            }
        }
        let mut left = 0;
        assert_eq!((tidegate_live_handles(&mut left), left), (TIDEGATE_OK, 0), "handles are left");
    }
});
