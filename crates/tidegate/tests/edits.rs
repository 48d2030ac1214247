//! Maps that change: after every edit every engine is as good as on a new index.
//!
//! `TIDEGATE_ROUNDS=10000 cargo test --release -p tidegate --test edits random` plays more.

use tidegate::cost::Factor;
use tidegate::grid::CellId;
use tidegate::grid::component::Components;
use tidegate::index::{Change, EditError, PathState, Table, TableState};
use tidegate::labels::LiveLabels;
use tidegate::rng::Rng;
use tidegate::{
    Decomposition, Grid, Index, Movement, Path, Query, QueryError, Scratch, Tile, engine,
};
use tidegate_sectors::ENGINES;
use tidegate_testkit::index_edits::{Counts, play};
use tidegate_testkit::{maps, oracle};

fn rounds(usual: u64) -> u64 {
    std::env::var("TIDEGATE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_edits_on_random_maps() {
    let mut counts = Counts::default();
    for seed in 0..rounds(150) {
        let mut rng = Rng::new(seed ^ 0xED17);
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        if seed % 5 == 4 {
            let factor = |_| Factor::from_hundredths(100 + 50 * rng.below(4) as u16).unwrap();
            grid = grid.clone().with_factors((0..grid.tiles()).map(factor).collect());
        }
        counts += play(grid, ENGINES, |n| rng.below(n), 10);
    }
    println!("{counts:?}");
    assert!(counts.edits > 500 && counts.answers > 10_000 && counts.in_place > 500);
    assert!(counts.paths.1 > 100 && counts.adopted > 10);
}

fn two_rooms() -> Index {
    Index::new(Grid::from_rows(&["....#....", "....#....", ".........", "....#...."]).unwrap())
}

#[test]
fn a_tile_outside_is_an_error_and_nothing_is_changed() {
    let mut index = two_rooms();
    let outside = Tile::new(9, 0);
    let error = index.edit([Change::wall((0, 0)), Change::wall(outside)]).unwrap_err();
    assert_eq!(error, EditError::Outside { tile: outside, width: 9, height: 4 });
    assert!(index.grid().is_free(Tile::new(0, 0)));
    assert_eq!(index.revision(), 0);
}

#[test]
fn an_edit_of_nothing_is_no_revision() {
    let mut index = two_rooms();
    index.prepare(engine::GATEWAY).unwrap();
    let report = index.edit([Change::free((0, 0)), Change::wall((4, 0))]).unwrap();
    assert!(report.edit.is_empty());
    assert_eq!((report.revision, index.want_rebuild().len()), (0, 0));
    // There and back again is nothing either.
    let report = index.edit([Change::wall((0, 0)), Change::free((0, 0))]).unwrap();
    assert!(report.edit.is_empty());
    assert_eq!(report.revision, 0);
}

#[test]
fn a_breach_makes_gate_tables_stale_and_says_so() {
    let mut index = two_rooms();
    index.prepare(engine::GATEWAY).unwrap();
    let report = index.edit([Change::free((4, 0))]).unwrap();
    let state = |kind: &tidegate::index::TableKind| index.table_state(kind).unwrap();
    assert_eq!(state(Decomposition::KIND), TableState::Current);
    assert_eq!(state(tidegate::gateway::GateDistances::KIND), TableState::Stale);
    assert_eq!(report.want_rebuild().count(), 1);
    // Asked by name it is answered by another way, or refused if the caller prefers that.
    let query = Query::new((3, 0), (5, 0));
    assert_eq!(index.answered_by(engine::GATEWAY, &query).unwrap(), "astar");
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    let answer = index.find(engine::GATEWAY, &query, &mut scratch, &mut path).unwrap();
    assert_eq!(answer.cost(), Some(2 * tidegate::cost::STRAIGHT));
    let refused = index.find(engine::GATEWAY, &query.refusing_stale(), &mut scratch, &mut path);
    assert_eq!(refused, Err(QueryError::Stale { engine: "gateway" }));
    // Built again it is as before.
    index.rebuild().unwrap();
    assert_eq!(index.answered_by(engine::GATEWAY, &query).unwrap(), "gateway");
}

#[test]
fn a_wall_inside_a_zone_leaves_gate_tables_as_bounds() {
    let mut index = two_rooms();
    for engine in [engine::GATEWAY, engine::GATEWAY_CONSISTENT, engine::DIFFERENTIAL] {
        index.prepare(engine).unwrap();
    }
    index.edit([Change::wall((1, 1))]).unwrap();
    let bounds = index.table_states().filter(|(_, state)| *state == TableState::Bounds).count();
    assert_eq!(bounds, 3);
    // They are left out of the file; the map, the zones and what jps needs are in it.
    let again = Index::from_bytes(&index.to_bytes()).unwrap();
    assert_eq!(again.grid(), index.grid());
    assert_eq!(again.table_states().count(), 2);
}

#[test]
fn uneven_ground_puts_tables_for_uniform_ground_aside_until_they_are_built_again() {
    let mut index = two_rooms();
    for engine in [engine::JPS, engine::CORNERS, engine::HPA] {
        index.prepare(engine).unwrap();
    }
    let mud = Factor::new(5.0).unwrap();
    index.edit([Change::factor((2, 2), mud)]).unwrap();
    assert!(index.is_stale(engine::JPS) && index.is_stale(engine::CORNERS));
    assert!(!index.is_stale(engine::HPA));
    let around = index.path((1, 2), (3, 2)).unwrap().unwrap();
    assert!(!around.contains(&Tile::new(2, 2)));
    assert!(index.rebuild().is_err(), "not on this ground");
    index.edit([Change::factor((2, 2), Factor::ONE)]).unwrap();
    assert!(index.grid().factors().is_none());
    index.rebuild().unwrap();
    assert!(!index.is_stale(engine::JPS) && !index.is_stale(engine::CORNERS));
}

#[test]
fn a_snapshot_stays_what_it_is() {
    let mut index = two_rooms();
    for &engine in ENGINES {
        index.prepare(engine).unwrap();
    }
    let (snapshot, bytes) = (index.clone(), index.to_bytes());
    index.edit([Change::free((4, 0)), Change::wall((4, 2)), Change::wall((0, 0))]).unwrap();
    assert_eq!(snapshot.to_bytes(), bytes);
    let mut scratch = Scratch::new();
    for &engine in ENGINES {
        tidegate_testkit::properties::answers_as_oracle(
            &snapshot,
            engine,
            Tile::new(0, 0),
            Tile::new(8, 3),
            &mut scratch,
        )
        .unwrap();
    }
}

/// The zone of the upper right tile.
fn zone(index: &Index) -> Option<tidegate::decompose::ZoneId> {
    match index.decomposition()?.place(index.grid().cell(Tile::new(8, 0))?) {
        tidegate::decompose::Place::Zone(zone) => Some(zone),
        _ => None,
    }
}

#[test]
fn zones_made_again_say_what_the_old_ones_have_become() {
    let mut index = two_rooms();
    assert!(index.decompose_again().is_none(), "there were none");
    index.decompose();
    index.prepare(engine::GATEWAY).unwrap();
    let right = zone(&index).unwrap();
    index.edit([Change::free((4, 0)), Change::free((4, 1)), Change::wall((1, 0))]).unwrap();
    assert_eq!(zone(&index), Some(right), "numbers stay");
    let matching = index.decompose_again().unwrap();
    index.decomposition().unwrap().check(index.grid()).unwrap();
    assert_eq!(matching.zone(right), zone(&index));
    let gates = tidegate::gateway::GateDistances::KIND;
    assert_eq!(index.table_state(gates), Some(TableState::Stale));
    index.rebuild().unwrap();
    assert_eq!(index.table_state(gates), Some(TableState::Current));
}

/// Edits while a thread builds are carried over, whatever the thread was building.
#[cfg(all(feature = "background", feature = "generate"))]
#[test]
fn a_background_carries_over_what_was_edited_meanwhile() {
    let map = tidegate::generate::generate(tidegate::generate::Kind::Rts, 48, 48, 3).unwrap();
    let mut index = Index::new(map.grid(Movement::NoCornerCutting));
    for &engine in ENGINES {
        index.prepare(engine).unwrap();
    }
    let free: Vec<Tile> = index.grid().free_cells().map(|cell| index.grid().tile(cell)).collect();
    let (mut rng, mut background) = (Rng::new(1), tidegate::background::Background::new());
    let (mut scratch, mut adopted) = (Scratch::new(), 0);
    for _ in 0..40 {
        background.start(&index);
        let tile = free[rng.below(free.len())];
        let was_free = index.grid().is_free(tile);
        index.edit([if was_free { Change::Wall(tile) } else { Change::Free(tile) }]).unwrap();
        for finished in background.poll(&mut index) {
            adopted += usize::from(finished.result.is_ok());
        }
        let (start, goal) = (free[rng.below(free.len())], free[rng.below(free.len())]);
        if index.grid().is_free(start) && index.grid().is_free(goal) {
            for &engine in ENGINES {
                tidegate_testkit::properties::answers_as_oracle(
                    &index,
                    engine,
                    start,
                    goal,
                    &mut scratch,
                )
                .unwrap();
            }
        }
    }
    while background.is_working() {
        adopted += background.poll(&mut index).iter().filter(|f| f.result.is_ok()).count();
        std::thread::yield_now();
    }
    assert!(adopted > 0);
}

/// The lists of a report are the difference between the map before and after, in row order; which
/// tiles can be reached is told as of the map now.
#[test]
fn a_report_is_the_difference_of_the_maps() {
    let mut seen = [0; 4];
    for seed in 0..60 {
        let mut rng = Rng::new(seed ^ 0xD1FF);
        let mut index = Index::new(maps::small(seed, Movement::ALL[seed as usize % 3]));
        index.decompose();
        for step in 1..6 {
            let before = index.grid().clone();
            let (width, height) = (before.width() as usize, before.height() as usize);
            let any = |rng: &mut Rng| Tile::new(rng.below(width) as u16, rng.below(height) as u16);
            let changes: Vec<Change> = (0..rng.below(9))
                .map(|_| match (any(&mut rng), rng.below(4)) {
                    (tile, 0 | 1) => Change::wall(tile),
                    (tile, 2) => Change::free(tile),
                    (tile, _) => Change::factor(tile, Factor::new(1.0 + step as f64).unwrap()),
                })
                .collect();
            let zones = index.decomposition().unwrap().clone();
            let report = index.edit(changes).unwrap();
            let (edit, grid) = (&report.edit, index.grid());
            let all = (0..grid.tiles()).map(CellId::from_index).map(|cell| grid.tile(cell));
            let all: Vec<Tile> = all.collect();
            let list = |is: &dyn Fn(Tile) -> bool| -> Vec<Tile> {
                all.iter().copied().filter(|&tile| is(tile)).collect()
            };
            let was = |tile| before.is_free(tile);
            assert_eq!(edit.closed(), list(&|t| was(t) && !grid.is_free(t)));
            assert_eq!(edit.opened(), list(&|t| !was(t) && grid.is_free(t)));
            assert_eq!(edit.walls(), list(&|t| was(t) != grid.is_free(t)));
            assert_eq!(edit.dearer(), list(&|t| before.factor(t) < grid.factor(t)));
            assert_eq!(edit.cheaper(), list(&|t| before.factor(t) > grid.factor(t)));
            let lists = [edit.walls(), edit.dearer(), edit.cheaper()];
            assert_eq!(edit.tiles().collect::<Vec<_>>(), lists.concat());
            assert_eq!(edit.is_empty(), before == *grid);
            assert_eq!(
                edit.only_lengthens(),
                edit.opened().is_empty() && edit.cheaper().is_empty()
            );
            assert_eq!(report.zones(), edit.zones());
            let now = index.decomposition().unwrap();
            assert!(edit.zones() == &Default::default() || !edit.walls().is_empty());
            assert!(!edit.keeps_gates() || now.gates() == zones.gates());
            let components = Components::of(grid);
            for _ in 0..20 {
                let (a, b) = (any(&mut rng), any(&mut rng));
                let cells = grid.cell(a).zip(grid.cell(b)).unwrap();
                assert_eq!(index.reachable(a, b), components.connected(cells.0, cells.1));
                let nearest = index.nearest_reachable(a, b);
                assert_eq!(nearest, components.nearest_reachable(grid, a, b));
                assert_eq!(nearest.is_some(), grid.is_free(a));
                seen[0] += usize::from(nearest == Some(b));
            }
            seen[1] += edit.closed().len();
            seen[2] += edit.opened().len();
            seen[3] += edit.dearer().len();
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// 16,384 changes are remembered; what may lie before them counts as something that matters.
#[test]
fn a_long_history_is_forgotten_not_guessed() {
    let (width, height) = (300, 70);
    let free = |_, y| y < 3;
    let grid = Grid::from_fn(width, height, Movement::default(), free).unwrap();
    let mut index = Index::new(grid);
    let path = index.path((0, 0), (9, 1)).unwrap().unwrap();
    // Far from the path, so that none of them can make another way shorter.
    let far = |n: u32| Change::free(((n % width) as u16, (10 + n / width) as u16));
    let mut found_at = vec![index.revision()];
    index.edit((0..1 << 14).map(far)).unwrap();
    found_at.push(index.revision());
    let states = |index: &Index| -> Vec<PathState> {
        found_at.iter().map(|&at| index.path_state(&path, at)).collect()
    };
    assert_eq!(states(&index), [PathState::Shortest, PathState::Shortest]);
    index.edit([far(1 << 14)]).unwrap();
    assert_eq!(states(&index), [PathState::Legal, PathState::Shortest]);
}

/// Whether a change can matter to a path is told by the detour over its tile, and by its kind.
#[test]
fn changes_near_a_path_may_matter_and_others_do_not() {
    // Along the upper edge and down the right one.
    let free = |x: u32, y: u32| y == 0 || y == 6 || x == 0 || x == 12;
    let even = Grid::from_fn(13, 7, Movement::default(), free).unwrap();
    let [twice, thrice] = [2.0, 3.0].map(|factor| Factor::new(factor).unwrap());
    let rough = even.clone().with_factors(vec![twice; even.tiles()]);
    let state = |grid: &Grid, change: Change| {
        let mut index = Index::new(grid.clone());
        let path = index.path((1, 0), (12, 3)).unwrap().unwrap();
        let at = index.revision();
        index.edit([change]).unwrap();
        index.path_state(&path, at)
    };
    let (shortest, legal) = (PathState::Shortest, PathState::Legal);
    for (change, on_even, on_rough) in [
        (Change::free((11, 1)), &legal, &legal),
        (Change::free((5, 3)), &legal, &legal),
        (Change::free((2, 5)), &shortest, &legal),
        (Change::wall((0, 3)), &shortest, &shortest),
        (Change::factor((5, 0), Factor::ONE), &shortest, &legal),
        (Change::factor((5, 0), thrice), &legal, &legal),
        (Change::factor((0, 3), thrice), &shortest, &shortest),
    ] {
        assert_eq!(state(&even, change), *on_even, "{change:?}");
        assert_eq!(state(&rough, change), *on_rough, "{change:?}");
    }
    // What was edited before a file was written is not known when it is read.
    let mut index = Index::new(even);
    let path = index.path((1, 0), (12, 3)).unwrap().unwrap();
    index.edit([Change::wall((0, 3))]).unwrap();
    let read = Index::from_bytes_with(&index.to_bytes(), ENGINES).unwrap();
    assert_eq!([0, 1].map(|at| read.path_state(&path, at)), [legal, shortest]);
}

/// An opening that is larger than labels follow: they leave the answers to a search, exactly, and know everything
/// again when it is closed.
#[test]
fn openings_may_be_larger_than_labels_follow() {
    for movement in Movement::ALL {
        let block = |x, y| (6..26).contains(&x) && (4..16).contains(&y);
        let grid = Grid::from_fn(32, 20, movement, |x, y| !block(x, y)).unwrap();
        let mut index = Index::new(grid);
        index.prepare(engine::LABELS).unwrap();
        let tiles = |free: bool| {
            let all = (4..16).flat_map(|y| (6..26).map(move |x| Tile::new(x, y)));
            all.map(move |tile| if free { Change::free(tile) } else { Change::wall(tile) })
        };
        // All at once, then with a pillar in it, then a slit, then as at first.
        let pillar = (10..20).map(|x| Change::wall((x, 9)));
        let slit = tiles(false).chain((4..16).map(|y| Change::free((15, y))));
        let edits: [Vec<Change>; 4] =
            [tiles(true).collect(), pillar.collect(), slit.collect(), tiles(false).collect()];
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        for (n, edit) in edits.into_iter().enumerate() {
            index.edit(edit).unwrap();
            let free: Vec<Tile> = index.grid().free_cells().map(|c| index.grid().tile(c)).collect();
            for &start in free.iter().step_by(29) {
                let truth = oracle::distances(index.grid(), start);
                for &goal in free.iter().step_by(7) {
                    let query = Query::new(start, goal);
                    let answer = index.find(engine::LABELS, &query, &mut scratch, &mut path);
                    let cost = answer.unwrap().cost();
                    let least = truth[index.grid().cell(goal).unwrap().index()];
                    assert_eq!(cost.map(u64::from), least, "{movement:?}, edit {n}: {query:?}");
                    path.check_answer(index.grid(), start, goal, cost.unwrap()).unwrap();
                }
            }
        }
        assert!(index.table::<LiveLabels>().unwrap().is_current());
    }
}
