//! Maps that change: after every edit every engine is as good as on a new index.
//!
//! `TIDEGATE_ROUNDS=10000 cargo test --release -p tidegate --test edits random` plays more.

use tidegate::cost::Factor;
use tidegate::index::{Change, EditError, Table, TableState};
use tidegate::rng::Rng;
use tidegate::{
    Decomposition, Grid, Index, Movement, Path, Query, QueryError, Scratch, Tile, engine,
};
use tidegate_sectors::ENGINES;
use tidegate_testkit::index_edits::{Counts, play};
use tidegate_testkit::maps;

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
    // They are left out of the file, the map and the zones are in it.
    let again = Index::from_bytes(&index.to_bytes()).unwrap();
    assert_eq!(again.grid(), index.grid());
    assert_eq!(again.table_states().count(), 1);
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
