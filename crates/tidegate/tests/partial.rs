//! Partial paths: every engine leads to the same nearest tile, by a shortest way, and a
//! goal that can be reached costs nothing more for the wish.

use tidegate::cost::{Cost, DIAGONAL, Extra, STRAIGHT};
use tidegate::engine::{self, Engine};
use tidegate::rng::Rng;
use tidegate::{Blocked, CostLayer, Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile};
use tidegate_testkit::{maps, oracle};

/// The index of a map with every engine; all of them take maps of uniform ground.
fn full(grid: Grid) -> Index {
    let mut index = Index::new(grid);
    for engine in tidegate_sectors::ENGINES {
        index.prepare(*engine).unwrap();
    }
    index
}

/// By the documentation of `Query::partial`: least estimate to the goal, then least cost
/// from the start, then the smallest cell.
fn nearest(walled: &Grid, start: Tile, goal: Tile) -> (Tile, u64) {
    let costs = oracle::distances(walled, start);
    let key = |cell: &tidegate::CellId| {
        let estimate = walled.movement().estimate(walled.tile(*cell), goal);
        (estimate, costs[cell.index()], *cell)
    };
    let reached = walled.free_cells().filter(|cell| costs[cell.index()].is_some());
    let cell = reached.min_by_key(key).unwrap();
    (walled.tile(cell), costs[cell.index()].unwrap())
}

fn walled(grid: &Grid, blocked: &Blocked) -> Grid {
    let mut walled = grid.clone();
    for tile in grid.free_cells().map(|cell| grid.tile(cell)).filter(|&t| blocked.contains(t)) {
        walled.set_free(tile, false);
    }
    walled
}

/// The case drawn: where every engine ends, and at what cost.
fn ends_at(rows: &[&str], movement: Movement, ends: [(u16, u16); 2]) -> (Tile, Cost) {
    let free = |x: u32, y: u32| rows[y as usize].as_bytes()[x as usize] == b'.';
    let grid = Grid::from_fn(rows[0].len() as u32, rows.len() as u32, movement, free).unwrap();
    let index = full(grid);
    let [start, goal] = ends.map(|(x, y)| Tile::new(x, y));
    let mut found = Vec::new();
    for engine in tidegate_sectors::ENGINES {
        let query = Query::new(start, goal).with_partial();
        let mut path = Path::new();
        let answer = index.find(*engine, &query, &mut Scratch::new(), &mut path).unwrap();
        assert_eq!(answer.outcome, Outcome::Unreachable, "{}", engine.name());
        let last = path.tiles().last().copied();
        found.push((engine.name(), last, path.check(index.grid()).ok()));
    }
    let (_, last, cost) = found[0];
    assert!(found.iter().all(|&(_, l, c)| (l, c) == (last, cost)), "{found:?}");
    (last.unwrap(), Cost::try_from(cost.unwrap()).unwrap())
}

#[test]
fn all_engines_end_at_the_same_tile_of_drawn_maps() {
    let rule = Movement::NoCornerCutting;
    let barred = [".....", ".....", "@@@@@", "....."];
    // jps stayed at its start: it expands only tiles where paths turn.
    assert_eq!(
        ends_at(&barred, rule, [(0, 0), (4, 3)]),
        (Tile::new(4, 1), DIAGONAL + 3 * STRAIGHT)
    );
    // jps went seven steps where three lead there. Two tiles are equally near; (3, 1) is
    // one step away.
    let bent = ["....", ".@..", "...@", ".@@."];
    let four = Movement::FourConnected;
    assert_eq!(ends_at(&bent, four, [(3, 0), (3, 3)]), (Tile::new(3, 1), STRAIGHT));
    // The landmarks' differences do not tell what is near in another component.
    assert_eq!(ends_at(&[".@...."], rule, [(4, 0), (0, 0)]), (Tile::new(2, 0), 2 * STRAIGHT));
    // Of two tiles at the same distance from the goal the one that costs less.
    let room = ["......", ".@@@..", ".@.@..", ".@@@..", "......"];
    assert_eq!(ends_at(&room, rule, [(5, 2), (2, 2)]), (Tile::new(4, 2), STRAIGHT));
}

#[test]
fn all_engines_end_at_the_nearest_tile_by_a_shortest_way() {
    let (mut cut_off, mut apart) = (0, 0);
    for seed in 0..240 {
        let mut rng = Rng::new(seed ^ 0x9a7);
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let tiles = maps::free_tiles(&grid, 8, &mut rng);
        let Some(&goal) = tiles.first() else { continue };
        // Tiles here and there, or all but a few of those around the goal.
        let around = |tile: Tile| tile != goal && tile.octile(goal) <= 3 * DIAGONAL;
        let scattered = maps::free_tiles(&grid, 30, &mut rng);
        let sets: [Vec<Tile>; 3] = [
            Vec::new(),
            scattered.clone(),
            grid.free_cells().map(|cell| grid.tile(cell)).filter(|&t| around(t)).collect(),
        ];
        let index = full(grid);
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for set in sets {
            let blocked = Blocked::new(set.iter().copied().filter(|&tile| tile != goal));
            let walled = walled(index.grid(), &blocked);
            for &start in tiles[1..].iter().filter(|&&tile| !blocked.contains(tile)) {
                if oracle::distance(&walled, start, goal).is_some() {
                    continue;
                }
                let expected = nearest(&walled, start, goal);
                for engine in tidegate_sectors::ENGINES {
                    let query = Query::new(start, goal).with_partial().with_blocked(&blocked);
                    let context = format!("seed {seed}, {}: {query:?}\n{walled:?}", engine.name());
                    let answer = index.find(*engine, &query, &mut scratch, &mut path).unwrap();
                    assert_eq!(answer.outcome, Outcome::Unreachable, "{context}");
                    let cost = path.check(&walled).unwrap_or_else(|e| panic!("{context}: {e}"));
                    assert_eq!(path.tiles()[0], start, "{context}");
                    assert_eq!((*path.tiles().last().unwrap(), cost), expected, "{context}");
                }
                let open = oracle::distance(index.grid(), start, goal).is_some();
                *(if open { &mut cut_off } else { &mut apart }) += 1;
            }
        }
    }
    assert!(cut_off >= 200 && apart >= 200, "{cut_off} cut off by blocked tiles, {apart} apart");
}

/// The same work, the same answer and the same path: the wish and an empty set of blocked
/// tiles cost nothing where the goal can be reached.
#[test]
fn a_goal_that_can_be_reached_is_answered_as_without_the_wish() {
    for seed in 0..60 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let tiles = maps::free_tiles(&grid, 12, &mut Rng::new(seed));
        let index = full(grid);
        let empty = Blocked::new([]);
        for engine in tidegate_sectors::ENGINES {
            for pair in tiles.chunks_exact(2) {
                let plain = Query::new(pair[0], pair[1]);
                let ask = |query: &Query<'_>| ask(&index, *engine, query);
                let expected = ask(&plain);
                if expected.0 == Outcome::Unreachable {
                    continue;
                }
                assert_eq!(ask(&plain.with_partial()), expected, "{}", engine.name());
                assert_eq!(ask(&plain.with_blocked(&empty)), expected, "{}", engine.name());
                let both = plain.with_blocked(&empty).with_partial();
                assert_eq!(ask(&both), expected, "{}", engine.name());
                // The hierarchy also pays for tiles that it looks at without a search.
                let looks = if engine.name().starts_with("hpa") { 100 } else { 0 };
                let budget = both.with_budget(expected.1 + looks);
                assert_eq!(ask(&budget), expected, "{} with a budget", engine.name());
            }
        }
    }
}

/// Outcome, expansions and path, with a scratch of its own.
fn ask(index: &Index, engine: &dyn Engine, query: &Query<'_>) -> (Outcome, u64, Path) {
    let mut path = Path::new();
    let answer = index.find(engine, query, &mut Scratch::new(), &mut path).unwrap();
    (answer.outcome, answer.stats.expanded, path)
}

/// Of the tiles expanded before the budget ran out, the nearest: exactly so for the engines
/// that search tile by tile from start to goal.
#[test]
fn a_budget_leads_to_the_nearest_tile_expanded() {
    let mut stopped = 0;
    for seed in 0..90 {
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let tiles = maps::free_tiles(&grid, 4, &mut Rng::new(seed ^ 3));
        let index = full(grid);
        let movement = index.grid().movement();
        for engine in tidegate_sectors::ENGINES {
            for (pair, budget) in tiles.chunks_exact(2).zip([3, 12]) {
                let query = Query::new(pair[0], pair[1]).with_partial().with_budget(budget);
                let (mut path, mut seen) = (Path::new(), Seen(Vec::new()));
                let mut scratch = Scratch::new();
                let answer = index
                    .find_observed(*engine, &query, &mut scratch, &mut path, Some(&mut seen))
                    .unwrap();
                if answer.outcome != Outcome::Stopped {
                    continue;
                }
                stopped += 1;
                assert!(path.check(index.grid()).is_ok(), "{}: seed {seed}", engine.name());
                assert_eq!(path.tiles()[0], pair[0], "{}: seed {seed}", engine.name());
                if engine.info().adapts {
                    continue;
                }
                let expanded = answer.stats.expanded;
                assert_eq!(expanded, seen.0.len() as u64, "{}", engine.name());
                // hpa also pays for tiles that it looks at without a search; corners are
                // searched from both ends.
                if engine.name().starts_with("hpa") || engine.name() == "corners" {
                    assert!(expanded <= budget, "{}", engine.name());
                    continue;
                }
                assert_eq!(expanded, budget, "{}", engine.name());
                let estimate = |tile| movement.estimate(tile, pair[1]);
                let tile =
                    |&cell: &u32| index.grid().tile(tidegate::CellId::from_index(cell as usize));
                let least = seen.0.iter().map(tile).map(estimate).min();
                let last = path.tiles().last().copied().map(estimate);
                assert_eq!(last, least, "{}: seed {seed}", engine.name());
            }
        }
    }
    assert!(stopped > 500, "only {stopped} searches were stopped");
}

struct Seen(Vec<u32>);

impl tidegate::search::Observer<Cost> for Seen {
    fn expand(&mut self, node: u32, _: Cost, _: Cost) -> std::ops::ControlFlow<()> {
        self.0.push(node);
        std::ops::ControlFlow::Continue(())
    }
}

/// `auto` needs no tables, takes what is likely to be quickest, and says what it takes.
#[test]
fn auto_answers_on_a_new_index_and_takes_the_quickest() {
    // Rooms, each with a door in the middle of every wall.
    let door = |at: u32| at % 32 == 16;
    let line = |at: u32| at.is_multiple_of(32);
    let wall = |x: u32, y: u32| line(x) && !door(y) || line(y) && !door(x);
    let grid = Grid::from_fn(320, 320, Movement::default(), |x, y| !wall(x, y)).unwrap();
    let mut index = Index::new(grid);
    let unit = Blocked::new([Tile::new(5, 5)]);
    let far = Query::new((4, 4), (300, 260));
    let queries = [far, far.with_partial(), far.with_blocked(&unit)];
    let taken = |index: &Index, engine: &dyn Engine| {
        for query in &queries {
            assert_eq!(index.answered_by(engine::AUTO, query), Ok(engine.name()), "{query:?}");
            let expected = index.find(engine, query, &mut Scratch::new(), &mut Path::new());
            let found = index.find(engine::AUTO, query, &mut Scratch::new(), &mut Path::new());
            assert_eq!(found, expected, "{}", engine.name());
        }
    };
    taken(&index, engine::ASTAR);
    // Tables of gates and landmarks bring those of jps with them, which is quicker where it can answer.
    let mut dear = CostLayer::new(index.grid());
    dear.add_falling((40, 40), 9.0, Extra::from_hundredths(300));
    let costly = far.with_costs(&dear);
    let least = index.distance(engine::ASTAR, &costly, &mut Scratch::new());
    for (prepared, by) in [
        (engine::GATEWAY_CONSISTENT, engine::GATEWAY_CONSISTENT),
        (engine::DIFFERENTIAL, engine::GATEWAY_DIFFERENTIAL),
    ] {
        index.prepare(prepared).unwrap();
        taken(&index, engine::JPS);
        assert_eq!(index.answered_by(engine::AUTO, &costly), Ok(by.name()));
        assert_eq!(index.distance(engine::AUTO, &costly, &mut Scratch::new()), least);
    }
    for engine in [engine::CORNERS, engine::LABELS] {
        index.prepare(engine).unwrap();
        taken(&index, engine);
    }
    let mut index = Index::new(index.grid().clone());
    index.prepare(engine::AUTO).unwrap();
    taken(&index, engine::JPS);
}
