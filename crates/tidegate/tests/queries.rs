//! Blocked tiles and the other questions, against the oracle.

use tidegate::cost::{Cost, STRAIGHT};
use tidegate::index::Promise;
use tidegate::rng::Rng;
use tidegate::{Blocked, Grid, Index, Movement, Path, Query, QueryError, Scratch, Tile, engine};
use tidegate_testkit::{maps, oracle, properties};

/// A map, some of its tiles blocked, and the same map with walls there.
fn case(seed: u64) -> (Grid, Vec<Tile>, Grid) {
    let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
    let mut rng = Rng::new(seed ^ 0xb10c);
    let count = [1, 3, 10, 40][rng.below(4)];
    let tiles = maps::free_tiles(&grid, count, &mut rng);
    let mut walled = grid.clone();
    tiles.iter().for_each(|&tile| _ = walled.set_free(tile, false));
    (grid, tiles, walled)
}

/// More than 20,000 queries with blocked tiles, which move between them: every engine goes
/// around them as on a map with walls there. The unit's own tile is one of them half the time.
#[test]
fn every_engine_goes_around_blocked_tiles_at_least_cost() {
    let (mut asked, mut around, mut none, mut own) = (0, 0, 0, 0);
    for seed in 0..420 {
        let (grid, tiles, _) = case(seed);
        let mut rng = Rng::new(seed);
        let mut blocked = Blocked::new(tiles.iter().copied());
        let ends = maps::free_tiles(&grid, 14, &mut rng);
        none += usize::from(ends.is_empty());
        let mut index = Index::new(grid);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for engine in tidegate_sectors::ENGINES {
            assert_eq!(properties::prepare(&mut index, *engine), Ok(true));
        }
        for pair in ends.chunks_exact(2) {
            let (start, goal) = (pair[0], pair[1]);
            for tile in maps::free_tiles(index.grid(), 4, &mut rng) {
                if rng.chance(50) {
                    blocked.insert(tile)
                } else {
                    blocked.remove(tile)
                };
            }
            blocked.remove(goal);
            if rng.chance(50) {
                blocked.insert(start)
            } else {
                blocked.remove(start)
            };
            own += u32::from(blocked.contains(start));
            let mut walled = index.grid().clone();
            blocked.iter().for_each(|tile| _ = walled.set_free(tile, false));
            walled.set_free(start, true);
            let least = oracle::distance(&walled, start, goal);
            around += u32::from(least != oracle::distance(index.grid(), start, goal));
            for engine in tidegate_sectors::ENGINES {
                let query = Query::new(start, goal).with_blocked(&blocked);
                let context = format!("seed {seed}, {}: {query:?} in\n{walled:?}", engine.name());
                let answer = index.find(*engine, &query, &mut scratch, &mut path);
                let cost = answer.unwrap_or_else(|e| panic!("{context}: {e}")).cost();
                match (engine.promise(), cost, least) {
                    (Promise::Approximate, Some(cost), Some(least)) => {
                        assert!((least..=4 * least).contains(&cost.into()), "{context}");
                    }
                    (_, cost, least) => assert_eq!(cost.map(u64::from), least, "{context}"),
                }
                if let Some(cost) = cost {
                    assert_eq!(path.check_answer(&walled, start, goal, cost), Ok(()), "{context}");
                }
                asked += 1;
            }
        }
    }
    assert!(asked >= 20_000 && around >= 200 && own >= 500 && none < 100);
    println!(
        "{asked} asked, {around} pairs with another answer than on the open map, {own} own tiles"
    );
}

#[test]
fn a_blocked_goal_is_an_error_and_a_unit_does_not_block_itself() {
    let index = Index::new(Grid::from_rows(&["..."]).unwrap());
    let (a, b) = (Tile::new(0, 0), Tile::new(2, 0));
    let blocked = Blocked::new([b]);
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let mut find = |start, goal| {
        let query = Query::new(start, goal).with_blocked(&blocked);
        index.find(engine::ASTAR, &query, &mut scratch, &mut path)
    };
    assert_eq!(find(a, b), Err(QueryError::Blocked { end: "goal", tile: b }));
    assert_eq!(find(b, a).unwrap().cost(), Some(2 * STRAIGHT));
    assert_eq!(find(b, b).unwrap().cost(), Some(Cost::ZERO));
}

#[test]
fn the_other_questions_agree_with_the_oracle() {
    let mut none = 0;
    for seed in 0..300 {
        let (grid, tiles, walled) = case(seed);
        let blocked = Blocked::new(tiles.iter().copied());
        let mut rng = Rng::new(seed ^ 7);
        let ends = maps::free_tiles(&walled, 9, &mut rng);
        let Some((&start, goals)) = ends.split_first() else {
            none += 1;
            continue;
        };
        let index = Index::new(grid);
        let movement = index.grid().movement();
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let truth = oracle::distances(&walled, start);
        let least = |tile: Tile| {
            truth[walled.cell(tile).unwrap().index()].map(|d| Cost::try_from(d).unwrap())
        };

        let distances = index.distances(start, goals, Some(&blocked), &mut scratch).unwrap();
        let expected: Vec<Option<Cost>> = goals.iter().map(|&goal| least(goal)).collect();
        assert_eq!(distances, expected, "seed {seed}");

        let found = index.nearest(start, goals, Some(&blocked), &mut scratch, &mut path).unwrap();
        let costs = expected.iter().enumerate().filter_map(|(i, &d)| d.map(|d| (d, i)));
        assert_eq!(found, costs.min().map(|(d, i)| (i, d)), "seed {seed}");
        if let Some((i, cost)) = found {
            assert_eq!(path.check_answer(&walled, start, goals[i], cost), Ok(()), "seed {seed}");
        }

        let range = rng.below(20) as u32 * STRAIGHT;
        let within = index.within(start, range, Some(&blocked), &mut scratch).unwrap();
        let near = |cell| least(walled.tile(cell)).filter(|&d| d <= range).map(|d| (cell, d));
        let near = walled.free_cells().filter_map(near).map(|(cell, d)| (walled.tile(cell), d));
        assert_eq!(within, near.collect::<Vec<_>>(), "seed {seed}");

        let target = goals[0];
        let cost = index
            .approach(start, target, range / 4, Some(&blocked), &mut scratch, &mut path)
            .unwrap();
        let enough = |&cell: &_| movement.estimate(walled.tile(cell), target) <= range / 4;
        let costs = walled.free_cells().filter(enough).filter_map(|c| least(walled.tile(c)));
        assert_eq!(cost, costs.min(), "seed {seed}");
    }
    assert!(none < 75, "{none} of 300 maps have no free tile");
}

#[test]
fn many_at_once_answer_as_one_by_one() {
    let grid = maps::small(42, Movement::default());
    let mut rng = Rng::new(3);
    let ends = maps::free_tiles(&grid, 2_000, &mut rng);
    let mut index = Index::new(grid);
    let queries: Vec<Query<'_>> = ends.chunks_exact(2).map(|p| Query::new(p[0], p[1])).collect();
    for engine in tidegate_sectors::ENGINES {
        assert_eq!(properties::prepare(&mut index, *engine), Ok(true));
        let together = index.find_many(*engine, &queries);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for (query, answer) in queries.iter().zip(together) {
            let alone = index.find(*engine, query, &mut scratch, &mut path).unwrap();
            assert_eq!(answer, Ok((alone, path.clone())), "{}", engine.name());
        }
    }
}
