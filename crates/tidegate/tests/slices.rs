//! A search in slices is the search in one run: same path, same work, whatever the slices.

use tidegate::cost::{Extra, Factor};
use tidegate::engine::{self, Engine};
use tidegate::grid::Area;
use tidegate::index::Change;
use tidegate::rng::Rng;
use tidegate::{
    Answer, Blocked, CostLayer, Grid, Index, Movement, Outcome, Path, Query, QueryError, Scratch,
    Slice, SlicedSearch, Tile,
};
use tidegate_testkit::{maps, oracle};

/// Those that search tile by tile.
const PAUSING: [&dyn Engine; 8] = [
    engine::ASTAR,
    engine::DEAD_END,
    engine::GATEWAY,
    engine::GATEWAY_2WAY,
    engine::GATEWAY_CONSISTENT,
    engine::PORTAL,
    engine::DIFFERENTIAL,
    engine::GATEWAY_DIFFERENTIAL,
];

/// Rounds of the random test; more with TIDEGATE_ROUNDS.
fn rounds(usual: u64) -> u64 {
    let set = std::env::var("TIDEGATE_ROUNDS").ok();
    set.map_or(usual, |rounds| rounds.parse().expect("TIDEGATE_ROUNDS is a number"))
}

fn full(grid: Grid) -> Index {
    let mut index = Index::new(grid);
    for engine in engine::ALL {
        let uniform = ["jps", "corners", "labels"].contains(&engine.name());
        if !uniform || index.grid().factors().is_none() {
            index.prepare(*engine).unwrap();
        }
    }
    index
}

/// Runs a search to its end in slices of the rng's choice, and says how many there were. One of
/// an engine that pauses never takes more than the slice it is given.
fn run_all(
    search: &mut SlicedSearch,
    index: &Index,
    pauses: bool,
    path: &mut Path,
    rng: &mut Rng,
) -> (Result<Answer, QueryError>, u64) {
    let longest = [1, 2, 7, 60, 500][rng.below(5)];
    let mut slices = 0;
    let mut before = None;
    loop {
        slices += 1;
        let most = 1 + rng.below(longest) as u64;
        match search.run(index, most, path) {
            Ok(Slice::Paused(stats)) => {
                let used = before.map_or(most, |before| stats.expanded - before);
                assert_eq!(used, most, "a slice that pauses is used up");
                before = Some(stats.expanded);
            }
            Ok(Slice::Done(answer)) => {
                let used = answer.stats.expanded - before.unwrap_or(0);
                let resumed = before.is_some();
                assert!(used <= most || !pauses && !resumed, "{used} of {most} expansions");
                return (Ok(answer), slices);
            }
            Err(error) => return (Err(error), slices),
        }
    }
}

/// Random maps and queries of every kind, every engine: answer, path and statistics are those
/// of one run, and the cost is the oracle's.
#[test]
fn slices_give_what_one_run_gives() {
    let (mut queries, mut slices, mut resumed) = (0, 0, 0);
    let (mut scratch, mut whole, mut path) = (Scratch::new(), Path::new(), Path::new());
    for seed in 0..rounds(150) {
        let mut rng = Rng::new(seed ^ 0x51ce);
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        if seed % 5 == 4 {
            for cell in grid.free_cells().collect::<Vec<_>>() {
                let factor = Factor::new(1.0 + rng.below(4) as f64 / 2.0).unwrap();
                grid.set_factor(grid.tile(cell), factor);
            }
        }
        let tiles = maps::free_tiles(&grid, 12, &mut rng);
        let Some(&first) = tiles.first() else { continue };
        let index = full(grid);
        let mut search =
            SlicedSearch::new(&index, engine::ASTAR, &Query::new(first, first)).unwrap();
        for pair in tiles.chunks_exact(2) {
            let others = maps::free_tiles(index.grid(), 20, &mut rng);
            let mut blocked = Blocked::new(others.into_iter().filter(|tile| !pair.contains(tile)));
            let walled = walled(index.grid(), &blocked);
            // The unit itself may be among the blocked.
            if rng.chance(50) && pair[0] != pair[1] {
                blocked.insert(pair[0]);
            }
            let mut layer = CostLayer::new(index.grid());
            layer.add(&Area::disc(pair[1], 4.0), Extra::new(rng.below(4) as f64).unwrap());
            let dear = layer.applied_to(&walled).unwrap();
            for kind in 0..9 {
                let query = Query::new(pair[0], pair[1]);
                let query = match kind {
                    0 => query,
                    1 => query.with_partial(),
                    2 => query.with_partial().with_budget(rng.below(40) as u64),
                    3 => query.with_budget(rng.below(200) as u64),
                    4 => query.with_blocked(&blocked),
                    5 => query.with_blocked(&blocked).with_budget(rng.below(200) as u64),
                    6 => query.with_blocked(&blocked).with_partial(),
                    7 => query.with_blocked(&blocked).with_costs(&layer),
                    _ => query.with_blocked(&blocked).with_costs(&layer).with_partial(),
                };
                let map = match (query.blocked, query.costs) {
                    (None, _) => index.grid(),
                    (Some(_), None) => &walled,
                    (Some(_), Some(_)) => &dear,
                };
                let least = oracle::distance(map, pair[0], pair[1]);
                for engine in engine::ALL {
                    if !engine.has_tables(&index) {
                        continue;
                    }
                    let context =
                        || format!("seed {seed}, {}: {query:?}\n{:?}", engine.name(), index.grid());
                    let expected = index.find(*engine, &query, &mut scratch, &mut whole);
                    search.restart(&index, *engine, &query).unwrap();
                    let pauses = PAUSING.iter().any(|other| other.name() == engine.name());
                    let (answer, count) = run_all(&mut search, &index, pauses, &mut path, &mut rng);
                    assert_eq!(answer, expected, "{}", context());
                    assert_eq!(path, whole, "{}", context());
                    if let Ok(Answer { outcome: Outcome::Found(cost), .. }) = answer
                        && pauses
                    {
                        assert_eq!(Some(u64::from(cost)), least, "{}", context());
                    }
                    assert!(!search.has_begun());
                    queries += 1;
                    slices += count;
                    resumed += u64::from(count > 1);
                }
            }
        }
    }
    println!("{queries} queries, {resumed} of them paused, {slices} slices: 0 differ");
    assert!(resumed > queries / 10, "{resumed} of {queries}");
}

fn walled(grid: &Grid, blocked: &Blocked) -> Grid {
    let mut walled = grid.clone();
    for tile in grid.free_cells().map(|cell| grid.tile(cell)).filter(|&t| blocked.contains(t)) {
        walled.set_free(tile, false);
    }
    walled
}

/// Where a slice pauses, the partial path is the one of a query whose budget ends there.
#[test]
fn a_unit_can_set_out_while_the_search_rests() {
    let (mut scratch, mut whole, mut path, mut pauses) =
        (Scratch::new(), Path::new(), Path::new(), 0);
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        let tiles = maps::free_tiles(&grid, 4, &mut rng);
        let index = full(grid);
        for (pair, engine) in tiles.windows(2).flat_map(|pair| PAUSING.map(|e| (pair, e))) {
            let query = Query::new(pair[0], pair[1]).with_partial();
            let mut search = SlicedSearch::new(&index, engine, &query).unwrap();
            while let Slice::Paused(stats) = search.run(&index, 3, &mut path).unwrap() {
                let until = query.with_budget(stats.expanded);
                let answer = index.find(engine, &until, &mut scratch, &mut whole).unwrap();
                assert_eq!((answer.outcome, answer.stats), (Outcome::Stopped, stats));
                assert_eq!(path, whole, "seed {seed}, {}: {query:?}", engine.name());
                pauses += 1;
            }
        }
    }
    assert!(pauses > 3_000, "{pauses}");
}

/// Searches that take turns do not disturb each other, and plain queries in between neither.
#[test]
fn many_searches_take_turns() {
    let grid = maps::small(17, Movement::NoCornerCutting);
    let tiles = maps::free_tiles(&grid, 60, &mut Rng::new(3));
    let index = full(grid);
    let (mut scratch, mut whole, mut path) = (Scratch::new(), Path::new(), Path::new());
    let ends = tiles.chunks_exact(2).map(|pair| Query::new(pair[0], pair[1]));
    let begin = |(n, query)| {
        let engine = PAUSING[n % PAUSING.len()];
        (engine, query, SlicedSearch::new(&index, engine, &query).unwrap())
    };
    let mut searches: Vec<_> = ends.enumerate().map(begin).collect();
    let mut turns = 0;
    while !searches.is_empty() {
        searches.retain_mut(|(engine, query, search)| {
            turns += 1;
            let slice = search.run(&index, 2, &mut path).unwrap();
            let answer = index.find(*engine, query, &mut scratch, &mut whole).unwrap();
            if let Slice::Done(done) = slice {
                assert_eq!((done, &path), (answer, &whole));
            }
            matches!(slice, Slice::Paused(_))
        });
    }
    assert!(turns > 100, "{turns}");
}

/// Begins a search, lets the game do something, and says whether the search can go on.
fn goes_on(index: &mut Index, query: &Query<'_>, game: impl FnOnce(&mut Index)) -> bool {
    let mut path = Path::new();
    let mut search = SlicedSearch::new(index, engine::DEAD_END, query).unwrap();
    assert!(matches!(search.run(index, 3, &mut path), Ok(Slice::Paused(_))));
    game(index);
    let slice = search.run(index, 3, &mut path);
    if slice == Err(QueryError::Changed) {
        assert!(path.is_empty());
        search.restart(index, engine::DEAD_END, query).unwrap();
    }
    let mut rng = Rng::new(1);
    let (answer, _) = run_all(&mut search, index, false, &mut path, &mut rng);
    let least = oracle::distance(index.grid(), query.start, query.goal);
    assert_eq!(answer.unwrap().cost().map(u64::from), least);
    slice.is_ok()
}

#[test]
fn what_the_game_changes_is_noticed() {
    let rows = ["............", ".##########.", ".#........#.", "...####.....", "............"];
    let grid = Grid::from_rows(&rows).unwrap();
    let mut index = Index::new(grid.clone());
    index.prepare(engine::DEAD_END).unwrap();
    let query = Query::new((5, 0), (5, 2));
    let goes = |index: &mut Index, game: fn(&mut Index)| goes_on(index, &query, game);

    assert!(goes(&mut index, |_| ()));
    assert!(goes(&mut index, |index| *index = index.clone()), "a clone is the same");
    // It is a wall already.
    assert!(goes(&mut index, |index| drop(index.edit([Change::wall((1, 1))]).unwrap())));

    assert!(!goes(&mut index, |index| drop(index.edit([Change::wall((0, 2))]).unwrap())));
    assert!(!goes(&mut index, |index| {
        index.edit([Change::free((0, 2))]).unwrap();
        index.edit([Change::wall((0, 2))]).unwrap();
    }));
    // A snapshot keeps the old map alive.
    let snapshot = index.clone();
    assert!(!goes(&mut index, |index| drop(index.edit([Change::free((0, 2))]).unwrap())));
    assert_ne!(snapshot.grid(), index.grid());

    assert!(!goes(&mut index, |index| drop(index.decompose_again())));
    index.prepare(engine::DEAD_END).unwrap();
    assert!(!goes(&mut index, |index| index.prepare(engine::DIFFERENTIAL).unwrap()));
    // An equal map with equal tables is another index: it is not looked at tile by tile.
    assert!(!goes(&mut index, |index| {
        let mut other = Index::new(index.grid().clone());
        other.prepare(engine::DEAD_END).unwrap();
        *index = other;
    }));
}

/// Without tables it is the map alone that tells.
#[test]
fn a_changed_map_without_tables_is_noticed() {
    let rows = ["......", ".####.", "......"];
    let mut index = Index::new(Grid::from_rows(&rows).unwrap());
    let (query, mut path) = (Query::new((2, 0), (2, 2)), Path::new());
    let begin = |index: &Index, path: &mut Path| {
        let mut search = SlicedSearch::new(index, engine::ASTAR, &query).unwrap();
        assert!(matches!(search.run(index, 2, path), Ok(Slice::Paused(_))));
        search
    };
    let mut search = begin(&index, &mut path);
    let snapshot = index.clone();
    index.edit([Change::wall((0, 1))]).unwrap();
    assert_eq!(search.run(&index, 2, &mut path), Err(QueryError::Changed));
    // The snapshot is still the map that the search began on.
    assert!(matches!(search.run(&snapshot, 100, &mut path), Ok(Slice::Done(_))));
    assert_eq!(path.len(), 7);
    // Back to what it was is another revision; an equal map is another index.
    let mut search = begin(&index, &mut path);
    index.edit([Change::free((0, 1))]).unwrap();
    index.edit([Change::wall((0, 1))]).unwrap();
    assert_eq!(search.run(&index, 2, &mut path), Err(QueryError::Changed));
    let mut search = begin(&index, &mut path);
    index = Index::new(index.grid().clone());
    assert_eq!(search.run(&index, 2, &mut path), Err(QueryError::Changed));
}

/// Held while the search rests: it neither keeps the map nor makes an edit copy it.
#[test]
fn a_search_that_rests_holds_its_own_memory_alone() {
    let mut index =
        Index::new(Grid::from_fn(300, 200, Movement::NoCornerCutting, |_, _| true).unwrap());
    let query = Query::new((0, 0), (299, 199));
    let mut search = SlicedSearch::new(&index, engine::ASTAR, &query).unwrap();
    let (mut path, tiles) = (Path::new(), index.grid().tiles());
    let at_first = search.bytes();
    search.run(&index, 50, &mut path).unwrap();
    assert!(at_first < 1_000, "{at_first}");
    assert!(search.bytes() >= 16 * tiles && search.bytes() < 17 * tiles, "{}", search.bytes());
    let before = index.grid().free_bits().as_slice().as_ptr();
    index.edit([Change::wall((9, 9))]).unwrap();
    assert_eq!(before, index.grid().free_bits().as_slice().as_ptr(), "the map was copied");
}

#[test]
fn errors_are_those_of_a_query() {
    let mut index = Index::new(Grid::from_rows(&["..#", "..."]).unwrap());
    let new =
        |index: &Index, engine, query: &Query<'_>| SlicedSearch::new(index, engine, query).err();
    let outside = new(&index, engine::ASTAR, &Query::new((0, 0), (3, 0)));
    assert!(matches!(outside, Some(QueryError::Outside { end: "goal", .. })));
    let wall = new(&index, engine::ASTAR, &Query::new((2, 0), (0, 0)));
    assert_eq!(wall, Some(QueryError::Wall { end: "start", tile: Tile::new(2, 0) }));
    let query = Query::new((0, 0), (2, 1));
    let mut search = SlicedSearch::new(&index, engine::PORTAL, &query).unwrap();
    let mut path = Path::new();
    let missing = Err(QueryError::NotBuilt { engine: "portal" });
    assert_eq!(search.run(&index, 10, &mut path), missing);
    assert_eq!(search.run(&index, 10, &mut path), missing);
    index.prepare(engine::PORTAL).unwrap();
    search.restart(&index, engine::PORTAL, &query).unwrap();
    // No expansions at all would be no progress: one is made.
    let mut slices = 1;
    while let Slice::Paused(stats) = search.run(&index, 0, &mut path).unwrap() {
        assert_eq!(stats.expanded, slices);
        slices += 1;
    }
    assert_eq!(path.len(), 3);
    assert_eq!(slices, 3);
}

/// Begun again while it rests, a search knows nothing of what it did before; one that ends for its budget is done,
/// not paused, and its slices count against the same budget.
#[test]
fn a_search_begun_again_is_a_new_one() {
    let index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    let first = Query::new((0, 0), (3, 2));
    let other = Query::new((3, 0), (1, 2));
    let (mut path, mut scratch, mut wanted) = (Path::new(), Scratch::new(), Path::new());
    let answer = index.find(engine::ASTAR, &other, &mut scratch, &mut wanted).unwrap();
    let mut search = SlicedSearch::new(&index, engine::ASTAR, &first).unwrap();
    assert!(matches!(search.run(&index, 2, &mut path), Ok(Slice::Paused(_))));
    assert!(search.has_begun());
    search.restart(&index, engine::ASTAR, &other).unwrap();
    assert!(!search.has_begun());
    assert_eq!(search.run(&index, 100, &mut path), Ok(Slice::Done(answer)));
    assert_eq!(path.tiles(), wanted.tiles());
    assert!(!search.has_begun());

    let poor = first.with_budget(3);
    search.restart(&index, engine::ASTAR, &poor).unwrap();
    assert!(matches!(search.run(&index, 2, &mut path), Ok(Slice::Paused(_))));
    let ended = search.run(&index, 2, &mut path);
    let Ok(Slice::Done(Answer { outcome: Outcome::Stopped, stats })) = ended else {
        panic!("{ended:?}")
    };
    assert_eq!(stats.expanded, 3);
    // What is left of it is not gone on with.
    assert!(!search.has_begun());
    assert!(matches!(search.run(&index, 2, &mut path), Ok(Slice::Paused(_))));
}
