//! Jump point search against textbook Dijkstra: every map of 4 x 4 tiles, and thousands
//! of larger ones of every shape, under every rule of movement.
#![cfg(feature = "generate")]

use std::ops::ControlFlow;

use tidegate::cost::Cost;
use tidegate::generate::{Kind, Options};
use tidegate::jps::{Jps, JpsMap};
use tidegate::rng::Rng;
use tidegate::search::{End, Observer};
use tidegate::{
    Blocked, CellId, Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile, engine,
};
use tidegate_testkit::{maps, oracle};

/// Answers by jump point search from one start to many goals, each checked for cost and
/// step by step against the oracle's answer.
fn check(grid: &Grid, map: &JpsMap, jps: &mut Jps, start: CellId, goals: &[CellId]) {
    let mut path = Path::new();
    let truth = oracle::distances(grid, grid.tile(start));
    for &goal in goals {
        let (end, _) = jps.search(map, grid, start, goal, &mut ()).unwrap();
        let (a, b) = (grid.tile(start), grid.tile(goal));
        let found = match end {
            End::Goal(node, cost) => {
                assert_eq!(node as usize, goal.index());
                jps.write_path(map, grid, goal, &mut path);
                if let Err(e) = path.check_answer(grid, a, b, cost) {
                    panic!("from {a} to {b}: {e}\n{grid:?}");
                }
                Some(u64::from(cost))
            }
            End::Exhausted => None,
            other => panic!("from {a} to {b}: {other:?}\n{grid:?}"),
        };
        assert_eq!(found, truth[goal.index()], "from {a} to {b}\n{grid:?}");
    }
}

/// All 65,536 maps of 4 x 4 tiles, all pairs of free tiles, all rules.
#[test]
fn all_pairs_on_all_maps_of_four_by_four() {
    let mut jps = Jps::new();
    for movement in Movement::ALL {
        for walls in 0..1u32 << 16 {
            let free = |x: u32, y: u32| walls >> (4 * y + x) & 1 == 0;
            let grid = Grid::from_fn(4, 4, movement, free).unwrap();
            let map = JpsMap::new(&grid).unwrap();
            let cells: Vec<CellId> = grid.free_cells().collect();
            for &start in &cells {
                check(&grid, &map, &mut jps, start, &cells);
            }
        }
    }
}

#[test]
fn small_maps_of_every_shape() {
    let mut jps = Jps::new();
    for movement in Movement::ALL {
        for seed in 0..700 {
            let grid = maps::small(seed, movement);
            let map = JpsMap::new(&grid).unwrap();
            let cells: Vec<CellId> = grid.free_cells().collect();
            let mut rng = Rng::new(seed);
            for _ in 0..2 {
                let Some(&start) = rng.pick(&cells) else { break };
                let goals: Vec<CellId> =
                    (0..40).filter_map(|_| rng.pick(&cells).copied()).collect();
                check(&grid, &map, &mut jps, start, &goals);
            }
        }
    }
}

/// Widths and heights around 64, 128 and 192: scans cross the borders of words.
#[test]
fn maps_that_cross_the_borders_of_words() {
    let mut jps = Jps::new();
    let mut none = 0;
    for movement in Movement::ALL {
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let side =
                |rng: &mut Rng| *rng.pick(&[3, 62, 63, 64, 65, 127, 128, 129, 191, 194]).unwrap();
            let kind = *rng.pick(&Kind::ALL).unwrap();
            let (width, height) = (side(&mut rng), side(&mut rng));
            let percent = *rng.pick(&[1, 3, 10, 25, 40]).unwrap();
            let options = Options { percent, ..Options::new(kind, width, height, seed) };
            let grid = options.generate().unwrap().grid(movement);
            let map = JpsMap::new(&grid).unwrap();
            let cells: Vec<CellId> = grid.free_cells().collect();
            let Some(&start) = rng.pick(&cells) else {
                none += 1;
                continue;
            };
            let goals: Vec<CellId> = (0..60).filter_map(|_| rng.pick(&cells).copied()).collect();
            check(&grid, &map, &mut jps, start, &goals);
        }
    }
    assert_eq!(none, 0, "maps without a free tile");
}

/// One long line, one wall in it: whatever the position within a word.
#[test]
fn lines_with_one_gap() {
    let mut jps = Jps::new();
    for movement in Movement::ALL {
        for gap in 0..200 {
            for upright in [false, true] {
                let free =
                    |x: u32, y: u32| if upright { x != 1 || y == gap } else { y != 1 || x == gap };
                let (w, h) = if upright { (3, 200) } else { (200, 3) };
                let grid = Grid::from_fn(w, h, movement, free).unwrap();
                let map = JpsMap::new(&grid).unwrap();
                let corner = |x, y| grid.cell(Tile::new(x, y)).unwrap();
                let (w, h) = (w as u16 - 1, h as u16 - 1);
                let corners = [corner(0, 0), corner(w, 0), corner(0, h), corner(w, h)];
                check(&grid, &map, &mut jps, corners[gap as usize & 3], &corners);
            }
        }
    }
}

#[test]
fn an_updated_map_answers_as_a_new_one() {
    let mut jps = Jps::new();
    for movement in Movement::ALL {
        let options = Options { percent: 30, ..Options::new(Kind::Random, 70, 66, 3) };
        let mut grid = options.generate().unwrap().grid(movement);
        let mut map = JpsMap::new(&grid).unwrap();
        let mut rng = Rng::new(9);
        for _ in 0..300 {
            let tile = Tile::new(rng.below(70) as u16, rng.below(66) as u16);
            let free = rng.chance(60);
            grid.set_free(tile, free);
            map.update(&grid, &[tile]);
        }
        let cells: Vec<CellId> = grid.free_cells().collect();
        for _ in 0..6 {
            let start = *rng.pick(&cells).unwrap();
            let goals: Vec<CellId> = (0..40).filter_map(|_| rng.pick(&cells).copied()).collect();
            check(&grid, &map, &mut jps, start, &goals);
        }
    }
}

/// Budgets, partial paths and watchers work as with any other engine.
#[test]
fn the_engine_keeps_budgets_and_can_be_watched() {
    struct Count(u64);
    impl Observer<Cost> for Count {
        fn expand(&mut self, _: u32, _: Cost, _: Cost) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Continue(())
        }
    }
    let (mut stopped, mut none) = (0, 0);
    for seed in 0..200 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let tiles = maps::free_tiles(&grid, 2, &mut Rng::new(seed));
        let [start, goal] = tiles[..] else {
            none += 1;
            continue;
        };
        let mut index = Index::new(grid);
        index.prepare(engine::JPS).unwrap();
        let (mut scratch, mut path, mut again) = (Scratch::new(), Path::new(), Path::new());
        let query = Query::new(start, goal);
        let alone = index.find(engine::JPS, &query, &mut scratch, &mut path).unwrap();
        let mut count = Count(0);
        let watched =
            index.find_observed(engine::JPS, &query, &mut scratch, &mut again, Some(&mut count));
        assert_eq!(watched.unwrap(), alone);
        assert_eq!((count.0, &again), (alone.stats.expanded, &path));
        for budget in 0..6 {
            let query = query.with_budget(budget).with_partial();
            let answer = index.find(engine::JPS, &query, &mut scratch, &mut path).unwrap();
            let stop = answer.outcome == Outcome::Stopped;
            assert!(answer.stats.expanded <= budget);
            assert!(!stop || answer.stats.expanded == budget, "{answer:?}");
            stopped += u32::from(stop);
            if stop && budget == 0 {
                assert!(path.is_empty());
            } else {
                path.check(index.grid()).unwrap();
                assert_eq!(path.tiles()[0], start);
            }
        }
    }
    println!("{stopped} searches stopped by their budget; {none} of 200 maps have no free tile");
    assert!(stopped > 200 && none < 50, "{stopped} stopped, {none} maps without a free tile");
}

#[test]
fn cost_factors_are_refused() {
    let factor = tidegate::cost::Factor::new(2.0).unwrap();
    let grid = Grid::from_rows(&["..", ".."]).unwrap().with_factors(vec![factor; 4]);
    let error = Index::new(grid).prepare(engine::JPS).unwrap_err().to_string();
    assert!(error.contains("jps") && error.contains("cost factors"), "{error}");
}

/// A search leaves nothing behind that another on another map could stumble over.
#[test]
fn one_scratch_serves_many_maps() {
    let mut jps = Jps::new();
    for round in 0..40 {
        for seed in 0..5 {
            let grid = maps::small(seed * 31 + round, Movement::ALL[seed as usize % 3]);
            let map = JpsMap::new(&grid).unwrap();
            let cells: Vec<CellId> = grid.free_cells().collect();
            let goals: Vec<CellId> = cells.iter().copied().step_by(7).collect();
            if let Some(&start) = cells.last() {
                check(&grid, &map, &mut jps, start, &goals);
            }
        }
    }
}

/// More than 65,535 searches: the stamps of records start over.
#[test]
fn the_stamps_may_run_over() {
    let grid = Grid::from_rows(&["....", ".@@.", "...."]).unwrap();
    let map = JpsMap::new(&grid).unwrap();
    let cells: Vec<CellId> = grid.free_cells().collect();
    let mut jps = Jps::new();
    let truth: Vec<_> = oracle::distances(&grid, grid.tile(cells[0]));
    for round in 0..140_000 {
        let goal = cells[round % cells.len()];
        let (end, _) = jps.search(&map, &grid, cells[0], goal, &mut ()).unwrap();
        let End::Goal(_, cost) = end else { panic!("round {round}: {end:?}") };
        assert_eq!(Some(u64::from(cost)), truth[goal.index()], "round {round}");
    }
}

/// Walls that come one by one bring jump points until all numbers that were left for them are taken.
#[test]
fn jump_points_may_take_all_numbers() {
    let mut rng = Rng::new(3);
    for movement in Movement::ALL {
        let mut grid = Grid::from_fn(24, 20, movement, |_, _| true).unwrap();
        let (mut map, mut jps) = (JpsMap::new(&grid).unwrap(), Jps::new());
        for _ in 0..40 {
            let tile = Tile::new(rng.below(24) as u16, rng.below(20) as u16);
            grid.set_free(tile, false);
            map.update(&grid, &[tile]);
            let cells: Vec<CellId> = grid.free_cells().collect();
            for _ in 0..6 {
                check(&grid, &map, &mut jps, cells[rng.below(cells.len())], &cells);
            }
        }
    }
}

/// One scratch, one set of blocked tiles after the other, and edits of the map in between: each
/// answer is that of a map with walls in their place.
#[test]
fn blocked_tiles_change_from_query_to_query() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..90 {
        let mut rng = Rng::new(seed);
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let mut map = JpsMap::new(&grid).unwrap();
        let (mut jps, mut path) = (Jps::new(), Path::new());
        for _ in 0..12 {
            let cells: Vec<CellId> = grid.free_cells().collect();
            let Some(&start) = rng.pick(&cells) else { break };
            let goal = cells[rng.below(cells.len())];
            let ends = [start, goal].map(|cell| grid.tile(cell));
            let any = |_| grid.tile(cells[rng.below(cells.len())]);
            let tiles: Vec<Tile> = (0..4).map(any).filter(|tile| !ends.contains(tile)).collect();
            let blocked = Blocked::new(tiles.iter().copied());
            let mut walled = grid.clone();
            tiles.iter().for_each(|&tile| _ = walled.set_free(tile, false));
            let truth = oracle::distance(&walled, ends[0], ends[1]);
            let (end, _) =
                jps.search_around(&map, &grid, &blocked, [start, goal], &mut ()).unwrap();
            match end {
                End::Goal(_, cost) => {
                    jps.write_path_around(&grid, goal, &mut path);
                    path.check_answer(&walled, ends[0], ends[1], cost).unwrap();
                    assert_eq!(Some(u64::from(cost)), truth, "{tiles:?} in\n{grid:?}");
                    found += 1;
                }
                _ => {
                    assert_eq!((end, truth), (End::Exhausted, None), "{tiles:?} in\n{grid:?}");
                    none += 1;
                }
            }
            if rng.chance(20) {
                grid.set_free(ends[0], false);
                map.update(&grid, &[ends[0]]);
            }
        }
    }
    assert!(found > 300 && none > 100, "{found} {none}");
}

/// Only tiles where a way may have to turn are expanded: a handful, however long the way is.
#[test]
fn few_tiles_are_expanded() {
    let (start, goal) = (Tile::new(3, 5), Tile::new(130, 61));
    let gap = |x: u32, y: u32| x != 70 || y == 40;
    let box_in_the_way = |x: u32, y: u32| !(60..80).contains(&x) || !(20..50).contains(&y);
    let maps: [&dyn Fn(u32, u32) -> bool; 3] = [&|_, _| true, &gap, &box_in_the_way];
    for (movement, free) in Movement::ALL.into_iter().flat_map(|m| maps.map(|free| (m, free))) {
        let wide = Grid::from_fn(140, 70, movement, free).unwrap();
        let high = Grid::from_fn(70, 140, movement, |x, y| free(y, x)).unwrap();
        let turned = |tile: Tile| Tile::new(tile.y, tile.x);
        for (grid, ends) in [(wide, [start, goal]), (high, [turned(start), turned(goal)])] {
            // Bits that were brought up to date are no worse than those of a new map.
            let mut edited = grid.clone();
            edited.set_free(Tile::new(66, 66), false);
            let mut map = JpsMap::new(&edited).unwrap();
            map.update(&grid, &[Tile::new(66, 66)]);
            let ends = ends.map(|tile| grid.cell(tile).unwrap());
            for map in [map, JpsMap::new(&grid).unwrap()] {
                let (end, stats) =
                    Jps::new().search(&map, &grid, ends[0], ends[1], &mut ()).unwrap();
                assert!(
                    matches!(end, End::Goal(..)) && stats.expanded <= 30,
                    "{stats:?} {movement}"
                );
            }
        }
    }
}
