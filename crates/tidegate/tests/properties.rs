//! Properties over maps of every shape, against the oracle.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tidegate::cost::Cost;
use tidegate::engine::{self, Engine, Promise};
use tidegate::rng::Rng;
use tidegate::search::{
    Blind, BucketQueue, End, GridSpace, HeapQueue, MartelliQueue, Observer, Open, SearchScratch,
    search,
};
use tidegate::{CellId, Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile, cost};
use tidegate_testkit::{maps, oracle, properties};

fn movement() -> impl Strategy<Value = Movement> {
    prop::sample::select(Movement::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn legal_steps_are_the_rule_of_movement(seed: u64, movement in movement()) {
        prop_assert_eq!(properties::legal_steps(&maps::small(seed, movement)), Ok(()));
    }

    #[test]
    fn legal_steps_follow_every_edit(seed: u64, movement in movement()) {
        let mut grid = maps::small(seed, movement);
        let mut rng = Rng::new(seed ^ 1);
        for _ in 0..20 {
            let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
            let tile = Tile::new(x as u16, y as u16);
            let free = !grid.is_free(tile);
            prop_assert!(grid.set_free(tile, free));
            prop_assert!(!grid.set_free(tile, free));
        }
        prop_assert_eq!(properties::legal_steps(&grid), Ok(()));
        let fresh = tidegate::Grid::from_fn(grid.width(), grid.height(), movement, |x, y| {
            grid.is_free_at(x as i32, y as i32)
        });
        prop_assert_eq!(fresh.unwrap(), grid);
    }

    #[test]
    fn every_engine_answers_as_the_oracle(seed: u64, movement in movement()) {
        let grid = maps::small(seed, movement);
        let mut rng = Rng::new(seed ^ 2);
        let tiles = maps::free_tiles(&grid, 12, &mut rng);
        let mut index = Index::new(grid);
        for engine in tidegate_sectors::ENGINES {
            prop_assert_eq!(properties::prepare(&mut index, *engine), Ok(true));
            let mut scratch = Scratch::new();
            for pair in tiles.chunks_exact(2) {
                let checked = properties::answers_as_oracle(&index, *engine, pair[0], pair[1], &mut scratch);
                prop_assert!(checked.is_ok(), "seed {}: {}", seed, checked.unwrap_err());
            }
        }
    }

    #[test]
    fn distances_are_symmetric(seed: u64, movement in movement()) {
        let grid = maps::small(seed, movement);
        let mut rng = Rng::new(seed ^ 3);
        let tiles = maps::free_tiles(&grid, 2, &mut rng);
        prop_assume!(tiles.len() == 2);
        let index = optimal_engines(grid);
        prop_assert_eq!(costs_of(&index, tiles[0], tiles[1]), costs_of(&index, tiles[1], tiles[0]));
    }

    #[test]
    fn turned_mirrored_and_transposed_maps_give_the_same_cost(seed: u64, way in 1_u32..8) {
        let grid = maps::small(seed, Movement::NoCornerCutting);
        let mut rng = Rng::new(seed ^ 3);
        let (turned, turn) = maps::turned(&grid, way);
        let tiles = maps::free_tiles(&grid, 2, &mut rng);
        prop_assume!(tiles.len() == 2);
        let here = costs_of(&optimal_engines(grid), tiles[0], tiles[1]);
        prop_assert_eq!(here, costs_of(&optimal_engines(turned), turn(tiles[0]), turn(tiles[1])));
    }

    #[test]
    fn both_open_lists_expand_the_same_nodes(seed: u64) {
        let grid = maps::small(seed, Movement::NoCornerCutting);
        let tiles = maps::free_tiles(&grid, 2, &mut Rng::new(seed ^ 4));
        prop_assume!(tiles.len() == 2);
        let cell = |tile| grid.cell(tile).unwrap().index() as u32;
        let (start, goal) = (cell(tiles[0]), cell(tiles[1]));
        let mut bucket = SearchScratch::<Cost, BucketQueue>::new();
        let mut heap = SearchScratch::<Cost, HeapQueue<Cost>>::new();
        let (mut seen, mut expected) = (Log::default(), Log::default());
        let mut octile = tidegate::search::Octile::new(&grid, tiles[1]);
        let (is_goal, space) = (|node| node == goal, GridSpace::new(&grid));
        let sources = [(start, Cost::ZERO)];
        let one = search(&space, &sources, is_goal, &mut octile, &mut bucket, &mut seen);
        let two = search(&space, &sources, is_goal, &mut octile, &mut heap, &mut expected);
        prop_assert_eq!(one, two);
        prop_assert_eq!(seen.0, expected.0);
    }

    /// Whatever an estimate says, also far too much: a way is found where there is one, and
    /// the cost it claims is that of its tiles, not that at which the goal was once written down.
    #[test]
    fn the_cost_is_that_of_the_path_whatever_the_estimate(
        seed: u64,
        movement in movement(),
        most in 1_u32..2_000_000,
    ) {
        let mut grid = maps::small(seed, movement);
        let mut rng = Rng::new(seed ^ 9);
        if rng.chance(30) {
            let factor = |_| cost::Factor::from_hundredths(100 + rng.below(400) as u16).unwrap();
            let factors = (0..grid.tiles()).map(factor).collect();
            grid = grid.with_factors(factors);
        }
        if let [a, b] = maps::free_tiles(&grid, 2, &mut rng)[..] {
            let truth = oracle::distance(&grid, a, b);
            let mut estimate = |node: u32| match Rng::new(seed ^ u64::from(node)).bits() {
                // Beyond what can be added to a cost, now and then.
                bits if bits % 50 == 0 => Some(Cost::new(u32::MAX)),
                bits => Some(Cost::new((bits >> 8) as u32 % most)),
            };
            let ends = (a, b);
            let mut claimed = vec![
                claimed_and_walked::<BucketQueue>(&grid, ends, &mut estimate),
                claimed_and_walked::<HeapQueue<Cost>>(&grid, ends, &mut estimate),
                claimed_and_walked::<MartelliQueue>(&grid, ends, &mut estimate),
            ];
            prop_assert_eq!(claimed[0], claimed[1], "one order, two lists");
            claimed.dedup();
            for claimed in claimed {
                let both = claimed.map(|(claimed, walked)| (u64::from(claimed), walked));
                prop_assert_eq!(both.map(|(claimed, _)| claimed), both.map(|(_, walked)| walked));
                prop_assert_eq!(both.is_some(), truth.is_some());
                prop_assert!(both.is_none_or(|(claimed, _)| Some(claimed) >= truth));
            }
        }
    }

    #[test]
    fn watching_a_search_does_not_change_it(seed: u64, movement in movement()) {
        let grid = maps::small(seed, movement);
        let tiles = maps::free_tiles(&grid, 2, &mut Rng::new(seed ^ 6));
        prop_assume!(tiles.len() == 2);
        let (a, b) = (tiles[0], tiles[1]);
        let mut index = Index::new(grid);
        for engine in tidegate_sectors::ENGINES {
            prop_assert_eq!(properties::prepare(&mut index, *engine), Ok(true));
            // Scratches of their own: some engines learn from queries.
            let (mut path, mut watched, mut log) = (Path::new(), Path::new(), Log::default());
            let query = Query::new(a, b);
            let alone = index.find(*engine, &query, &mut Scratch::new(), &mut path).unwrap();
            let seen = index
                .find_observed(*engine, &query, &mut Scratch::new(), &mut watched, Some(&mut log))
                .unwrap();
            prop_assert_eq!(alone, seen, "{}", engine.name());
            prop_assert_eq!(&path, &watched, "{}", engine.name());
            prop_assert_eq!(log.0.len() as u64, seen.stats.expanded, "{}", engine.name());
        }
    }

    #[test]
    fn a_budget_is_kept_and_the_partial_path_is_legal(seed: u64, budget in 0_u64..60) {
        let grid = maps::small(seed, Movement::NoCornerCutting);
        let tiles = maps::free_tiles(&grid, 2, &mut Rng::new(seed ^ 7));
        prop_assume!(tiles.len() == 2);
        let (a, b, index) = (tiles[0], tiles[1], Index::new(grid));
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let query = Query::new(a, b).with_budget(budget).with_partial();
        let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
        let stopped = answer.outcome == Outcome::Stopped;
        prop_assert!(answer.stats.expanded <= budget);
        prop_assert!(!stopped || answer.stats.expanded == budget);
        if stopped && budget == 0 {
            prop_assert!(path.is_empty());
        } else {
            prop_assert!(path.check(index.grid()).is_ok());
            prop_assert_eq!(path.tiles()[0], a);
            let end = *path.tiles().last().unwrap();
            prop_assert!(end.octile(b) <= a.octile(b));
        }
    }

    #[test]
    fn a_flood_from_many_sources_gives_the_least_of_their_distances(seed: u64) {
        let grid = maps::small(seed, Movement::OneSideFree);
        let tiles = maps::free_tiles(&grid, 3, &mut Rng::new(seed ^ 8));
        let sources: Vec<_> =
            tiles.iter().map(|&t| (grid.cell(t).unwrap().index() as u32, Cost::ZERO)).collect();
        let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
        search(&GridSpace::new(&grid), &sources, |_| false, &mut Blind, &mut scratch, &mut ());
        let tables: Vec<_> = tiles.iter().map(|&t| oracle::distances(&grid, t)).collect();
        for cell in (0..grid.tiles()).map(CellId::from_index) {
            let least = tables.iter().filter_map(|t| t[cell.index()]).min();
            let found = scratch.cost(cell.index() as u32).map(u64::from);
            prop_assert_eq!(found, least);
        }
    }
}

/// The cost that a search tells and the cost of the tiles on its way back; `None` if it
/// finds no way.
fn claimed_and_walked<Q: Open<Cost> + Default>(
    grid: &Grid,
    (start, goal): (Tile, Tile),
    estimate: &mut impl FnMut(u32) -> Option<Cost>,
) -> Option<(Cost, u64)> {
    let [from, to] = [start, goal].map(|tile| grid.cell(tile).unwrap().index() as u32);
    let mut scratch = SearchScratch::<Cost, Q>::new();
    let space = GridSpace::new(grid);
    let mut estimate = |node| estimate(node);
    let (end, _) = search(
        &space,
        &[(from, Cost::ZERO)],
        |node| node == to,
        &mut estimate,
        &mut scratch,
        &mut (),
    );
    let End::Goal(node, claimed) = end else { return None };
    assert_eq!(scratch.cost(node), Some(claimed));
    let tile = |node| grid.tile(CellId::from_index(node as usize));
    let mut path = Path::from_tiles(scratch.way_back(node).map(tile).collect());
    path.reverse();
    assert_eq!((path.tiles()[0], path.tiles().last()), (start, Some(&goal)));
    Some((claimed, path.check(grid).unwrap()))
}

/// An admissible but wildly inconsistent estimate, a random share of the truth: still
/// optimal, because nodes are expanded again, and every second expansion is counted as one.
/// The truth itself is consistent: nothing is expanded twice.
#[test]
fn inconsistent_estimates_are_reopened_and_stay_optimal() {
    let (mut maps, mut again) = (0, 0);
    for seed in 0..300 {
        let grid = maps::small(seed, Movement::NoCornerCutting);
        let [a, b] = maps::free_tiles(&grid, 2, &mut Rng::new(seed ^ 5))[..] else { continue };
        maps += 1;
        let truth = oracle::distances(&grid, b);
        let [start, goal] = [a, b].map(|tile| grid.cell(tile).unwrap().index() as u32);
        let expected = match truth[start as usize] {
            Some(least) => End::Goal(goal, Cost::new(least as u32)),
            None => End::Exhausted,
        };
        let (space, mut scratch) =
            (GridSpace::new(&grid), SearchScratch::<Cost, BucketQueue>::new());
        for wild in [true, false] {
            let mut estimate = |node: u32| {
                let share = Rng::new(seed ^ u64::from(node)).below(101) as u64;
                let t = truth[node as usize]?;
                Cost::try_from(if wild { t * share / 100 } else { t }).ok()
            };
            let mut log = Log::default();
            let (end, stats) = search(
                &space,
                &[(start, Cost::ZERO)],
                |node| node == goal,
                &mut estimate,
                &mut scratch,
                &mut log,
            );
            assert_eq!(end, expected, "seed {seed}\n{grid:?}");
            let nodes: BTreeSet<u32> = log.0.iter().map(|&(node, ..)| node).collect();
            assert_eq!(stats.expanded, log.0.len() as u64, "seed {seed}");
            assert_eq!(stats.reexpanded, (log.0.len() - nodes.len()) as u64, "seed {seed}");
            assert!(wild || stats.reexpanded == 0, "seed {seed}: {stats:?}\n{grid:?}");
            again += stats.reexpanded;
        }
    }
    println!("{maps} of 300 maps have free tiles; {again} nodes were expanded again");
    assert!(maps > 200 && again > 500, "{again} on {maps} maps are too few to mean anything");
}

/// Terrain costs: the octile estimate stays admissible and the answer is the oracle's.
#[test]
fn variable_terrain_is_answered_as_the_oracle_does() {
    for seed in 0..200 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let mut rng = Rng::new(seed);
        let factor = |_| cost::Factor::from_hundredths(100 + rng.below(900) as u16).unwrap();
        let factors = (0..grid.tiles()).map(factor).collect();
        let grid = grid.with_factors(factors);
        let tiles = maps::free_tiles(&grid, 6, &mut rng);
        let index = Index::new(grid);
        let mut scratch = Scratch::new();
        for pair in tiles.chunks_exact(2) {
            let checked = properties::answers_as_oracle(
                &index,
                engine::ASTAR,
                pair[0],
                pair[1],
                &mut scratch,
            );
            assert_eq!(checked, Ok(()), "seed {seed}");
        }
    }
}

/// The index of a map with every engine that promises the least cost.
fn optimal_engines(grid: Grid) -> Index {
    let mut index = Index::new(grid);
    for engine in tidegate_sectors::ENGINES.iter().filter(|e| e.promise() == Promise::Optimal) {
        assert_eq!(properties::prepare(&mut index, *engine), Ok(true));
    }
    index
}

/// What each of them says.
fn costs_of(index: &Index, a: Tile, b: Tile) -> Vec<(&'static str, Option<Cost>)> {
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let ready = tidegate_sectors::ENGINES.iter().filter(|engine| engine.is_ready(index));
    let mut cost = |engine: &&dyn Engine| {
        index.find(*engine, &Query::new(a, b), &mut scratch, &mut path).unwrap().cost()
    };
    ready.map(|engine| (engine.name(), cost(engine))).collect()
}

#[derive(Default)]
struct Log(Vec<(u32, Cost, Cost)>);

impl Observer<Cost> for Log {
    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> std::ops::ControlFlow<()> {
        self.0.push((node, g, h));
        std::ops::ControlFlow::Continue(())
    }
}
