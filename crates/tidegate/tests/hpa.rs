//! The laws of HPA*: a path exactly where one exists, legal, at a cost that does not
//! depend on the number of levels; smoothing never lengthens; a repaired graph is a fresh
//! one; a journey in pieces is the path in one.

use proptest::prelude::*;
use tidegate::cost::Factor;
use tidegate::hpa::{Hpa, HpaScratch, Options, Piece, Placement, Smoothing};
use tidegate::rng::Rng;
use tidegate::{Grid, Movement, Path, Tile};
use tidegate_testkit::{maps, oracle};

/// Options of every kind, chosen by the seed.
fn options(rng: &mut Rng) -> Options {
    let wide = 1 + rng.below(8) as u32;
    let gap = 1 + rng.below(9) as u32;
    let placements =
        [Placement::MiddleOrEnds { wide, inset: gap % 3 }, Placement::Spread { wide, gap }];
    Options {
        cluster: 1 + rng.below(12) as u32,
        factor: 2 + rng.below(2) as u32,
        levels: Some(1 + rng.below(3) as u32),
        placement: placements[rng.below(2)],
        prune: rng.chance(50),
        keep_ways: rng.chance(50),
        adjacent: rng.chance(50),
        smoothing: Smoothing::Off,
    }
}

/// A small map, in one of three cases with swamps of several depths.
fn map(seed: u64, movement: Movement) -> Grid {
    let (grid, mut rng) = (maps::small(seed, movement), Rng::new(seed ^ 77));
    if rng.chance(67) {
        return grid;
    }
    let deep = Factor::from_hundredths(100 + rng.below(400) as u16).unwrap();
    let factor = |_| if rng.chance(30) { deep } else { Factor::ONE };
    let factors = (0..grid.tiles()).map(factor).collect();
    grid.with_factors(factors)
}

/// The whole way, refined piece by piece, with the cost that was planned.
fn walk(hpa: &Hpa, grid: &Grid, a: Tile, b: Tile) -> Option<(Path, u32)> {
    let (planner, mut scratch) = (hpa.planner(grid), HpaScratch::new());
    let start = planner.anchor(a, &mut scratch)?;
    let goal = planner.anchor(b, &mut scratch)?;
    let mut journey = planner.journey(&start, &goal, &mut scratch).unwrap()?;
    let (cost, mut tiles) = (journey.cost(), vec![a]);
    while let Piece::Walk(piece) = journey.next(planner, &mut scratch) {
        assert!(!piece.is_empty());
        tiles.extend(piece);
    }
    assert_eq!(journey.next(planner, &mut scratch), Piece::Arrived);
    Some((Path::from_tiles(tiles), cost))
}

fn movement() -> impl Strategy<Value = Movement> {
    prop::sample::select(Movement::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_legal_path_exactly_where_one_exists(seed: u64, movement in movement()) {
        let (grid, mut rng) = (map(seed, movement), Rng::new(seed ^ 1));
        let options = options(&mut rng);
        let hpa = Hpa::build(&grid, &options).unwrap();
        prop_assert_eq!(hpa.check(&grid), Ok(()));
        for pair in maps::free_tiles(&grid, 20, &mut rng).chunks_exact(2) {
            let least = oracle::distance(&grid, pair[0], pair[1]);
            let found = walk(&hpa, &grid, pair[0], pair[1]);
            let context = || format!("seed {seed}: {pair:?} {options:?}\n{grid:?}");
            prop_assert_eq!(found.is_some(), least.is_some(), "{}", context());
            if let (Some((path, cost)), Some(least)) = (found, least) {
                let checked = path.check_answer(&grid, pair[0], pair[1], cost);
                prop_assert_eq!(checked, Ok(()), "{}", context());
                prop_assert!(u64::from(cost) >= least, "{}", context());
            }
        }
    }

    #[test]
    fn the_cost_does_not_depend_on_the_number_of_levels(seed: u64, movement in movement()) {
        let (grid, mut rng) = (map(seed, movement), Rng::new(seed ^ 2));
        let options = Options { cluster: 1 + rng.below(6) as u32, ..options(&mut rng) };
        let graphs: Vec<Hpa> = (1..=4)
            .map(|levels| {
                let prune = rng.chance(50);
                let keep_ways = rng.chance(50);
                let options = Options { levels: Some(levels), prune, keep_ways, ..options };
                Hpa::build(&grid, &options).unwrap()
            })
            .collect();
        for pair in maps::free_tiles(&grid, 12, &mut rng).chunks_exact(2) {
            let cost = |hpa| walk(hpa, &grid, pair[0], pair[1]).map(|(_, cost)| cost);
            let costs: Vec<_> = graphs.iter().map(cost).collect();
            let same = costs.iter().all(|&c| c == costs[0]);
            prop_assert!(same, "seed {seed}: {costs:?} {pair:?} {options:?}\n{grid:?}");
        }
    }

    #[test]
    fn local_repair_is_a_rebuild(seed: u64, movement in movement()) {
        let (mut grid, mut rng) = (map(seed, movement), Rng::new(seed ^ 3));
        let options = options(&mut rng);
        let mut hpa = Hpa::build(&grid, &options).unwrap();
        for _ in 0..12 {
            let changed: Vec<Tile> = (0..1 + rng.below(4))
                .map(|_| {
                    let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
                    let tile = Tile::new(x as u16, y as u16);
                    let free = !grid.is_free(tile);
                    grid.set_free(tile, free);
                    tile
                })
                .collect();
            hpa.repair(&grid, &changed);
            let fresh = Hpa::build(&grid, &options).unwrap();
            prop_assert!(hpa.same_graph(&fresh), "seed {seed}: {changed:?} {options:?}\n{grid:?}");
        }
        prop_assert_eq!(hpa.check(&grid), Ok(()));
    }
}
