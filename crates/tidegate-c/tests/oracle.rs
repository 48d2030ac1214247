//! What C gets is what the oracle says: random maps, three rules of movement, every function
//! that answers a query.

use std::ffi::CString;
use std::ptr::{null, null_mut};

use tidegate::rng::Rng;
use tidegate::{CellId, Grid, Movement, Path, Tile};
use tidegate_c::edit::*;
use tidegate_c::engines::*;
use tidegate_c::handle::*;
use tidegate_c::index::*;
use tidegate_c::many::*;
use tidegate_c::query::*;
use tidegate_c::scratch::*;
use tidegate_c::status::*;
use tidegate_c::store::*;
use tidegate_c::tile::*;
use tidegate_testkit::{maps, oracle};

const ENGINES: [&str; 6] = ["auto", "astar", "jps", "corners", "labels", "gateway-consistent"];

/// An index and a scratch as C holds them.
struct Held {
    index: *mut TidegateIndex,
    scratch: *mut TidegateScratch,
}

impl Held {
    fn new(grid: &Grid) -> Held {
        let free: Vec<u8> =
            (0..grid.tiles()).map(|n| grid.is_free_cell(CellId::from_index(n)).into()).collect();
        let factors: Option<Vec<u16>> =
            grid.factors().map(|factors| factors.iter().map(|f| f.hundredths()).collect());
        let factors = factors.as_ref().map_or(null(), |factors| factors.as_ptr());
        let (mut index, mut scratch) = (null_mut(), null_mut());
        let (width, height, movement) = (grid.width(), grid.height(), grid.movement() as u32);
        // SAFETY: as many elements as tiles.
        unsafe {
            let (count, free) = (free.len(), free.as_ptr());
            ok(tidegate_index_new(free, count, width, height, movement, factors, &mut index));
            ok(tidegate_scratch_new(&mut scratch));
        }
        Held { index, scratch }
    }

    fn prepare(&self, engine: &str) {
        let name = CString::new(engine).unwrap();
        // SAFETY: the name ends with a zero.
        ok(unsafe { tidegate_prepare(self.index, name.as_ptr()) });
    }

    fn path(&self, engine: &str, start: Tile, goal: Tile) -> (TidegateStatus, Vec<Tile>, u32) {
        let name = CString::new(engine).unwrap();
        let mut tiles = vec![TidegateTile::default(); 2000];
        let (mut length, mut cost) = (0, 0);
        // SAFETY: room for so many tiles.
        let status = unsafe {
            tidegate_path(
                self.index,
                self.scratch,
                name.as_ptr(),
                start.into(),
                goal.into(),
                tiles.as_mut_ptr(),
                tiles.len(),
                &mut length,
                &mut cost,
            )
        };
        tiles.truncate(length);
        (status, tiles.into_iter().map(Tile::from).collect(), cost)
    }

    fn edit(&self, changes: &[TidegateChange]) {
        // SAFETY: so many changes.
        ok(unsafe { tidegate_edit(self.index, changes.as_ptr(), changes.len(), null_mut()) });
    }

    /// The same index through the bytes of its file.
    fn saved(&self) -> Held {
        let (mut length, mut index, mut scratch) = (0, null_mut(), null_mut());
        // SAFETY: room for so many bytes.
        unsafe {
            ok(tidegate_index_to_bytes(self.index, null_mut(), 0, &mut length));
            let mut bytes = vec![0; length];
            ok(tidegate_index_to_bytes(self.index, bytes.as_mut_ptr(), length, &mut length));
            ok(tidegate_index_from_bytes(bytes.as_ptr(), length, &mut index));
            ok(tidegate_scratch_new(&mut scratch));
        }
        Held { index, scratch }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: handles are checked.
        unsafe {
            tidegate_index_free(self.index);
            tidegate_scratch_free(self.scratch);
        }
    }
}

#[track_caller]
fn ok(status: TidegateStatus) {
    assert_eq!(status, TIDEGATE_OK);
}

/// Compares every kind of answer with the oracle; returns how many queries there were.
fn compare(grid: &Grid, held: &Held, rng: &mut Rng, about: &str) -> usize {
    let tiles = maps::free_tiles(grid, 12, rng);
    let Some((&start, goals)) = tiles.split_first() else { return 0 };
    let all = oracle::distances(grid, start);
    let best = |goal: Tile| all[grid.cell(goal).unwrap().index()];
    let units = |goal: Tile| best(goal).map_or(TIDEGATE_NO_COST, |cost| cost as u32);
    for engine in ENGINES {
        for &goal in goals {
            let (status, path, cost) = held.path(engine, start, goal);
            let about = format!("{about}, {engine}, {start} to {goal}\n{grid:?}");
            assert_eq!(cost, units(goal), "{about}");
            if best(goal).is_none() {
                assert_eq!((status, path.len()), (TIDEGATE_UNREACHABLE, 0), "{about}");
                continue;
            }
            assert_eq!(status, TIDEGATE_OK, "{about}");
            assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)), "{about}");
            assert_eq!(Path::from_tiles(path).check(grid), Ok(u64::from(cost)), "{about}");
        }
    }
    let goal_tiles: Vec<TidegateTile> = goals.iter().map(|&goal| goal.into()).collect();
    let start_tiles = vec![TidegateTile::from(start); goals.len()];
    let expected: Vec<u32> = goals.iter().map(|&goal| units(goal)).collect();
    let count = goals.len();
    let (mut costs, mut offsets) = (vec![0; count], vec![0; count + 1]);
    let (mut total, mut which, mut least) = (0, usize::MAX, 0);
    let mut room = vec![TidegateTile::default(); 20_000];
    // SAFETY: arrays have as many elements as they say.
    unsafe {
        let (index, scratch, goals) = (held.index, held.scratch, goal_tiles.as_ptr());
        ok(tidegate_distances(index, scratch, start.into(), goals, count, costs.as_mut_ptr()));
        assert_eq!(costs, expected, "{about}, {start}\n{grid:?}");
        let found =
            tidegate_nearest(index, scratch, start.into(), goals, count, &mut which, &mut least);
        let (first, nearest) = expected.iter().enumerate().min_by_key(|&(_, cost)| cost).unwrap();
        assert_eq!(least, *nearest, "{about}");
        assert_eq!(found == TIDEGATE_OK, *nearest != TIDEGATE_NO_COST, "{about}");
        assert!(found != TIDEGATE_OK || which == first, "{about}");
        ok(tidegate_paths(
            index,
            scratch,
            null(),
            start_tiles.as_ptr(),
            goals,
            count,
            rng.below(4) as u32,
            offsets.as_mut_ptr(),
            room.as_mut_ptr(),
            room.len(),
            &mut total,
        ));
    }
    assert_eq!(offsets[count], total);
    for (n, &cost) in expected.iter().enumerate() {
        let path = room[offsets[n]..offsets[n + 1]].iter().map(|&tile| Tile::from(tile)).collect();
        let checked = Path::from_tiles(path).check(grid).ok().map(|cost| cost as u32);
        assert_eq!(checked.unwrap_or(TIDEGATE_NO_COST), cost, "{about}, path {n}\n{grid:?}");
    }
    count * ENGINES.len()
}

#[test]
fn answers_are_those_of_the_oracle_before_and_after_edits_and_saving() {
    let mut asked = 0;
    for seed in 0..60 {
        for movement in Movement::ALL {
            let mut rng = Rng::new(seed);
            let mut grid = maps::small(seed, movement);
            let held = Held::new(&grid);
            ENGINES.iter().for_each(|engine| held.prepare(engine));
            asked += compare(&grid, &held, &mut rng, &format!("seed {seed}, {movement}"));
            let changes: Vec<TidegateChange> = (0..1 + rng.below(8))
                .map(|_| {
                    let cell = CellId::from_index(rng.below(grid.tiles()));
                    let (tile, free) = (grid.tile(cell), rng.chance(50));
                    grid.set_free(tile, free);
                    let kind = if free { TIDEGATE_CHANGE_FREE } else { TIDEGATE_CHANGE_WALL };
                    TidegateChange { tile: tile.into(), kind, factor: 0 }
                })
                .collect();
            held.edit(&changes);
            asked += compare(&grid, &held, &mut rng, &format!("seed {seed}, {movement}, edited"));
            let saved = held.saved();
            ENGINES.iter().for_each(|engine| saved.prepare(engine));
            asked += compare(&grid, &saved, &mut rng, &format!("seed {seed}, {movement}, saved"));
        }
    }
    assert!(asked > 20_000, "only {asked} queries were asked");
}
