//! The properties of HPA*: a path exactly where one exists, legal, at a cost that does not
//! depend on the number of levels; smoothing never lengthens; a repaired graph is a fresh
//! one; a journey in pieces is the path in one.

use std::ops::ControlFlow;

use proptest::prelude::*;
use tidegate::cost::{Cost, DIAGONAL, Factor, STRAIGHT};
use tidegate::hpa::{Hpa, HpaScratch, Options, Piece, Placement, Smoothing};
use tidegate::rng::Rng;
use tidegate::search::Observer;
use tidegate::{CellId, Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile, engine};
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
fn walk(hpa: &Hpa, grid: &Grid, a: Tile, b: Tile) -> Option<(Path, Cost)> {
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

    #[test]
    fn smoothing_never_lengthens_and_stays_legal(seed: u64, movement in movement()) {
        let (grid, mut rng) = (map(seed, movement), Rng::new(seed ^ 4));
        let options = options(&mut rng);
        let (reach, margin) = (1 + rng.below(30) as u32, rng.below(4) as u32);
        let ways =
            [Smoothing::Lines { reach }, Smoothing::Windows { reach, margin }, Smoothing::Off];
        let graphs = ways.map(|smoothing| {
            Hpa::build(&grid, &Options { smoothing, ..options }).unwrap()
        });
        let mut scratch = HpaScratch::new();
        for pair in maps::free_tiles(&grid, 12, &mut rng).chunks_exact(2) {
            let Some((_, rough)) = walk(&graphs[2], &grid, pair[0], pair[1]) else { continue };
            for hpa in &graphs {
                let mut path = Path::new();
                let planner = hpa.planner(&grid);
                let cost = planner.find(pair[0], pair[1], &mut scratch, &mut path).unwrap();
                let checked = path.check_answer(&grid, pair[0], pair[1], cost);
                prop_assert_eq!(checked, Ok(()), "seed {}: {:?}\n{:?}", seed, pair, grid);
                prop_assert!(cost <= rough, "seed {seed}: {cost:?} > {rough:?} {pair:?}\n{grid:?}");
                let (pieces, _) = walk(hpa, &grid, pair[0], pair[1]).unwrap();
                let piecewise = pieces.check(&grid).unwrap();
                prop_assert!(piecewise <= rough.into(), "seed {seed}: {pair:?}\n{grid:?}");
            }
        }
    }

    /// The map changes while a unit walks; it plans again and arrives exactly if it can.
    #[test]
    fn a_journey_survives_changes_of_the_map(seed: u64, movement in movement()) {
        let (mut grid, mut rng) = (map(seed, movement), Rng::new(seed ^ 5));
        let options = Options { smoothing: Smoothing::Lines { reach: 20 }, ..options(&mut rng) };
        let mut hpa = Hpa::build(&grid, &options).unwrap();
        let mut scratch = HpaScratch::new();
        let tiles = maps::free_tiles(&grid, 2, &mut rng);
        let [a, b] = tiles[..] else { return Ok(()) };
        let planner = hpa.planner(&grid);
        let start = planner.anchor(a, &mut scratch).unwrap();
        let goal = planner.anchor(b, &mut scratch).unwrap();
        let Some(mut journey) = planner.journey(&start, &goal, &mut scratch).unwrap() else {
            return Ok(());
        };
        let (mut at, mut changes) = (a, 3);
        loop {
            let planner = hpa.planner(&grid);
            match journey.next(planner, &mut scratch) {
                Piece::Arrived => {
                    prop_assert_eq!(at, b);
                    break;
                }
                Piece::NoWay => {
                    prop_assert_eq!(oracle::distance(&grid, at, b), None);
                    break;
                }
                Piece::Walk(piece) => {
                    for tile in piece {
                        prop_assert!(grid.is_legal_step(at, tile), "seed {seed}");
                        at = tile;
                    }
                }
            }
            prop_assert_eq!(journey.at(), at);
            if changes > 0 {
                changes -= 1;
                let (x, y) = (rng.below(grid.width() as usize), rng.below(grid.height() as usize));
                let tile = Tile::new(x as u16, y as u16);
                if tile != at && tile != b {
                    let free = !grid.is_free(tile);
                    grid.set_free(tile, free);
                    hpa.repair(&grid, &[tile]);
                    let stale = hpa.planner(&grid).journey(&start, &goal, &mut scratch);
                    prop_assert!(stale.is_err());
                }
            }
        }
    }
}

/// Walls enough that clusters fall into pieces joined only around corners.
#[test]
fn dense_random_maps_are_answered_as_the_oracle_does() {
    let mut scratch = HpaScratch::new();
    for (seed, movement) in (0..30).flat_map(|s| Movement::ALL.map(|m| (s, m))) {
        let mut rng = Rng::new(seed);
        let free = |_, _| !rng.chance(40);
        let grid = Grid::from_fn(61, 47, movement, free).unwrap();
        let options = Options { cluster: 7, levels: Some(3), ..Options::default() };
        let hpa = Hpa::build(&grid, &options).unwrap();
        let mut path = Path::new();
        let mut rng = Rng::new(seed ^ 9);
        for tile in maps::free_tiles(&grid, 4, &mut rng) {
            let least = oracle::distances(&grid, tile);
            for goal in maps::free_tiles(&grid, 40, &mut rng) {
                let cost = hpa.planner(&grid).find(tile, goal, &mut scratch, &mut path);
                let known = least[grid.cell(goal).unwrap().index()];
                assert_eq!(cost.is_some(), known.is_some(), "{tile} {goal}\n{grid:?}");
                if let Some(cost) = cost {
                    path.check_answer(&grid, tile, goal, cost).unwrap();
                }
            }
        }
    }
}

/// One goal, many units: the goal is joined once, the answers are those of fresh joins.
#[test]
fn an_inserted_goal_serves_many_units() {
    let mut rng = Rng::new(5);
    let grid = Grid::from_fn(80, 70, Movement::default(), |_, _| !rng.chance(20)).unwrap();
    let hpa = Hpa::build(&grid, &Options::paper()).unwrap();
    let (planner, mut scratch) = (hpa.planner(&grid), HpaScratch::new());
    let tiles = maps::free_tiles(&grid, 40, &mut rng);
    let goal = planner.anchor(tiles[0], &mut scratch).unwrap();
    for &tile in &tiles[1..] {
        let start = planner.anchor(tile, &mut scratch).unwrap();
        let journey = planner.journey(&start, &goal, &mut scratch).unwrap();
        let fresh = walk(&hpa, &grid, tile, tiles[0]);
        assert_eq!(journey.map(|j| j.cost()), fresh.map(|(_, cost)| cost));
    }
}

/// The three efforts of the paper are told apart, and kept ways need no refinement.
#[test]
fn efforts_are_told_apart() {
    let grid =
        Grid::from_fn(90, 90, Movement::default(), |x, y| x % 30 != 15 || y % 30 == 3).unwrap();
    let (a, b) = (Tile::new(2, 40), Tile::new(88, 50));
    let (mut scratch, mut path) = (HpaScratch::new(), Path::new());
    let paper = Options { levels: Some(2), ..Options::paper() };
    let hpa = Hpa::build(&grid, &paper).unwrap();
    let rough = hpa.planner(&grid).find(a, b, &mut scratch, &mut path).unwrap();
    let effort = *scratch.effort();
    assert!(effort.insertion.expanded >= 150, "two floods of 10 x 10 tiles: {effort:?}");
    assert!(effort.main.expanded > 0 && effort.main.peak_open > 0, "{effort:?}");
    assert!(effort.refinement.expanded > 60, "{effort:?}");
    assert_eq!(effort.smoothing.expanded, 0);
    let kept = Hpa::build(&grid, &Options { keep_ways: true, ..paper }).unwrap();
    let same = kept.planner(&grid).find(a, b, &mut scratch, &mut path).unwrap();
    assert_eq!(rough, same);
    assert!(scratch.effort().refinement.expanded < effort.refinement.expanded / 4);
}

/// A thousand random edits on maps of several kinds; the soak of ten thousand is part of
/// the evidence run.
#[test]
fn a_thousand_edits_leave_no_trace() {
    for (seed, percent) in [(1_u64, 10), (2, 30), (3, 45), (4, 0)] {
        let mut rng = Rng::new(seed);
        let movement = Movement::ALL[seed as usize % 3];
        let mut grid = Grid::from_fn(53, 47, movement, |_, _| !rng.chance(percent)).unwrap();
        let options = Options { cluster: 6, levels: Some(3), ..Options::default() };
        let mut hpa = Hpa::build(&grid, &options).unwrap();
        for edit in 0..250 {
            let tile = Tile::new(rng.below(53) as u16, rng.below(47) as u16);
            let free = !grid.is_free(tile);
            grid.set_free(tile, free);
            hpa.repair(&grid, &[tile]);
            let fresh = Hpa::build(&grid, &options).unwrap();
            assert!(hpa.same_graph(&fresh), "seed {seed}, edit {edit} at {tile}\n{grid:?}");
        }
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let grid = Grid::from_rows(&["..."]).unwrap();
    for options in [
        Options { cluster: 0, ..Options::default() },
        Options { factor: 1, ..Options::default() },
        Options { levels: Some(0), ..Options::default() },
        Options { levels: Some(9), ..Options::default() },
    ] {
        assert!(Hpa::build(&grid, &options).is_err());
    }
}

#[test]
fn the_largest_numbers_smooth_as_large_ones_do() {
    let most = u32::MAX;
    let pairs = [
        (
            Smoothing::Windows { reach: 8, margin: most },
            Smoothing::Windows { reach: 8, margin: 99 },
        ),
        (
            Smoothing::Windows { reach: most, margin: 3 },
            Smoothing::Windows { reach: 999, margin: 3 },
        ),
        (Smoothing::Lines { reach: most }, Smoothing::Lines { reach: 999 }),
    ];
    let grid = snake(20, 13);
    let (a, b) = (Tile::new(0, 0), Tile::new(10, 12));
    for (largest, large) in pairs {
        let walked = [largest, large].map(|smoothing| {
            let options = Options { cluster: 4, smoothing, ..Options::default() };
            let (hpa, mut path) = (Hpa::build(&grid, &options).unwrap(), Path::new());
            let cost = hpa.planner(&grid).find(a, b, &mut HpaScratch::new(), &mut path).unwrap();
            assert_eq!(path.check_answer(&grid, a, b, cost), Ok(()));
            path.to_vec()
        });
        assert_eq!(walked[0], walked[1], "{largest:?}");
    }
}

/// A corridor that goes to and fro over the whole map.
fn snake(width: u32, height: u32) -> Grid {
    let gap = |y| if y % 4 == 1 { width - 1 } else { 0 };
    Grid::from_fn(width, height, Movement::default(), |x, y| y % 2 == 0 || x == gap(y)).unwrap()
}

/// Counts expansions, and other work in expansions.
#[derive(Default)]
struct Spent {
    expanded: u64,
    other: u64,
}

impl Observer<Cost> for Spent {
    fn expand(&mut self, _: u32, _: Cost, _: Cost) -> ControlFlow<()> {
        self.expanded += 1;
        ControlFlow::Continue(())
    }

    fn spend(&mut self, expansions: u64) -> ControlFlow<()> {
        self.other += expansions;
        ControlFlow::Continue(())
    }
}

/// On a corridor of twice the length smoothing takes twice the work; it once took four
/// times as much, and a budget did not know of it.
#[test]
fn smoothing_is_near_linear_and_a_budget_counts_it() {
    for engine in [engine::HPA, engine::HPA_PAPER] {
        let [short, long] = [101, 201].map(|rows| {
            let mut index = Index::new(snake(400, rows));
            index.prepare(engine).unwrap();
            let (mut scratch, mut path) = (Scratch::new(), Path::new());
            // To the middle of the last row, so that its end is no straight line either.
            let query = Query::new(Tile::new(0, 0), Tile::new(200, rows as u16 - 1));
            let mut spent = Spent::default();
            let watch = Some(&mut spent as &mut dyn Observer<Cost>);
            let answer = index.find_observed(engine, &query, &mut scratch, &mut path, watch);
            assert_eq!(answer.unwrap().stats.expanded, spent.expanded);
            assert!(path.tiles().len() > rows as usize * 190);
            // The searches of the plan can be paid, the rest cannot.
            let plan = scratch.last::<HpaScratch>().unwrap().effort().total().expanded;
            let all = plan + spent.other;
            let enough = index.find(engine, &query.with_budget(all), &mut scratch, &mut path);
            assert!(enough.unwrap().cost().is_some());
            for budget in [plan, all - 1] {
                let query = query.with_budget(budget);
                let little = index.find(engine, &query, &mut scratch, &mut path).unwrap();
                assert_eq!(little.outcome, Outcome::Stopped);
                assert!(little.stats.expanded <= budget);
            }
            spent.other
        });
        assert!(short > 300 && long < short * 5 / 2, "{}: {short} {long}", engine.name());
    }
}

/// An anchor is refused by every graph but its own, and a journey moves on to another.
#[test]
fn anchors_and_journeys_of_another_graph_are_noticed() {
    let (small, large) = (Grid::from_rows(&["......"; 6]).unwrap(), snake(90, 41));
    let options = Options { cluster: 3, ..Options::default() };
    let build = |grid| Hpa::build(grid, &options).unwrap();
    let (one, other) = (build(&small), build(&large));
    let mut scratch = HpaScratch::new();
    let ends = [Tile::new(0, 0), Tile::new(80, 40)];
    let [start, goal] = ends.map(|t| other.planner(&large).anchor(t, &mut scratch).unwrap());
    let planner = one.planner(&small);
    assert_eq!(planner.journey(&start, &goal, &mut scratch).unwrap_err().tile, ends[0]);
    let own = planner.anchor(ends[0], &mut scratch).unwrap();
    assert_eq!(planner.journey(&own, &goal, &mut scratch).unwrap_err().tile, ends[1]);
    assert!(planner.journey(&Default::default(), &own, &mut scratch).is_err());
    // A copy is the same graph until one of the two is repaired.
    let mut copy = other.clone();
    let mut journey = copy.planner(&large).journey(&start, &goal, &mut scratch).unwrap().unwrap();
    assert_eq!(journey.next(planner, &mut scratch), Piece::NoWay);
    copy.repair(&large, &[ends[0]]);
    assert!(copy.planner(&large).journey(&start, &goal, &mut scratch).is_err());
    assert!(other.planner(&large).journey(&start, &goal, &mut scratch).is_ok());
}

/// Ground on which graphs and sectors are led astray: most of it a hundred times as dear.
fn rough(seed: u64) -> Grid {
    let (grid, mut rng) = (maps::small(seed, Movement::default()), Rng::new(seed ^ 77));
    let (deep, share) = (Factor::from_hundredths(10_000).unwrap(), rng.below(90) as u32);
    let factor = |_| if rng.chance(share) { deep } else { Factor::ONE };
    let factors = (0..grid.tiles()).map(factor).collect();
    grid.with_factors(factors)
}

/// Approximate does not mean any length: no answer is more than four times too long.
#[test]
fn no_approximate_answer_is_more_than_four_times_too_long() {
    let approximate = |e: &&&dyn engine::Engine| e.promise() == engine::Promise::Approximate;
    let engines: Vec<_> = tidegate_sectors::ENGINES.iter().filter(approximate).collect();
    let (mut astray, mut hpa_scratch) = (0, HpaScratch::new());
    for seed in 0..120 {
        let (grid, mut rng) = (rough(seed), Rng::new(seed));
        let mut index = Index::new(grid.clone());
        engines.iter().for_each(|engine| index.prepare(**engine).unwrap());
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let planner = Hpa::in_index(&index, "hpa-paper").unwrap().planner(&grid);
        for start in maps::free_tiles(&grid, 2, &mut rng) {
            let least = oracle::distances(&grid, start);
            for goal in maps::free_tiles(&grid, 40, &mut rng) {
                let Some(least) = least[grid.cell(goal).unwrap().index()] else { continue };
                let rough = planner.find(start, goal, &mut hpa_scratch, &mut path).unwrap();
                astray += u32::from(u64::from(rough) > 4 * least);
                for engine in &engines {
                    let query = Query::new(start, goal);
                    let answer = index.find(**engine, &query, &mut scratch, &mut path).unwrap();
                    let cost = answer.cost().unwrap();
                    path.check_answer(&grid, start, goal, cost).unwrap();
                    let context = || format!("{} seed {seed}: {query:?}\n{grid:?}", engine.name());
                    assert!(u64::from(cost) <= 4 * least, "{}", context());
                }
            }
        }
    }
    assert!(astray > 20, "only {astray} plans are long detours before they are looked at");
}

/// On uniform ground a way to the next transition and back for every border that the best
/// path crosses is all that is added.
#[test]
fn a_path_is_longer_by_a_detour_at_every_border_at_most() {
    let (mut scratch, mut path, mut longer) = (Scratch::new(), Path::new(), 0);
    for seed in 0..400 {
        let (grid, mut rng) = (maps::small(seed, Movement::ALL[seed as usize % 3]), Rng::new(seed));
        let mut index = Index::new(grid.clone());
        index.prepare(engine::HPA).unwrap();
        index.prepare(engine::HPA_PAPER).unwrap();
        for pair in maps::free_tiles(&grid, 40, &mut rng).chunks_exact(2) {
            let query = Query::new(pair[0], pair[1]);
            let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
            let Some(best) = answer.cost() else { continue };
            let tiles = path.tiles().to_vec();
            for (engine, side, detour) in [(engine::HPA, 32, 16), (engine::HPA_PAPER, 10, 8)] {
                let crossed = |(a, b): (u16, u16)| u32::from(a / side != b / side);
                let allowed: Cost = tiles
                    .windows(2)
                    .map(|w| {
                        let borders = crossed((w[0].x, w[1].x)) + crossed((w[0].y, w[1].y));
                        let diagonal = w[0].x != w[1].x && w[0].y != w[1].y && borders > 0;
                        let more = if diagonal { 2 * STRAIGHT - DIAGONAL } else { Cost::ZERO };
                        borders * detour * STRAIGHT + more
                    })
                    .sum();
                let answer = index.find(engine, &query, &mut scratch, &mut path).unwrap();
                let cost = answer.cost().unwrap();
                let context = || format!("{} seed {seed}: {query:?}\n{grid:?}", engine.name());
                assert!(cost <= best + allowed, "{cost:?} > {best:?} + {allowed:?}: {}", context());
                longer += u32::from(cost > best);
            }
        }
    }
    assert!(longer > 100, "{longer}");
}

/// Watching changes nothing, an observer sees cells of the map, and a budget is kept.
#[test]
fn engines_can_be_watched_and_stopped() {
    struct Cells(Vec<u32>);
    impl Observer<Cost> for Cells {
        fn expand(&mut self, node: u32, _: Cost, _: Cost) -> ControlFlow<()> {
            self.0.push(node);
            ControlFlow::Continue(())
        }
    }
    let mut rng = Rng::new(8);
    let grid = Grid::from_fn(150, 140, Movement::default(), |_, _| !rng.chance(25)).unwrap();
    let tiles = maps::free_tiles(&grid, 40, &mut rng);
    let mut index = Index::new(grid);
    let (mut scratch, mut path, mut again) = (Scratch::new(), Path::new(), Path::new());
    for engine in [engine::HPA, engine::HPA_PAPER] {
        index.prepare(engine).unwrap();
        let mut stopped = 0;
        for pair in tiles.chunks_exact(2) {
            let query = Query::new(pair[0], pair[1]);
            let alone = index.find(engine, &query, &mut scratch, &mut path).unwrap();
            let mut cells = Cells(Vec::new());
            let watch = Some(&mut cells as &mut dyn Observer<Cost>);
            let watched =
                index.find_observed(engine, &query, &mut scratch, &mut again, watch).unwrap();
            assert_eq!((alone, &path), (watched, &again));
            let free = |&c: &u32| index.grid().is_free_cell(CellId::from_index(c as usize));
            assert!(cells.0.iter().all(free));
            assert_eq!(cells.0.len() as u64, alone.stats.expanded);
            let query = query.with_budget(3);
            let short = index.find(engine, &query, &mut scratch, &mut again).unwrap();
            assert!(short.stats.expanded <= 3);
            stopped += u32::from(short.outcome == Outcome::Stopped);
        }
        assert!(stopped > 0);
    }
}
