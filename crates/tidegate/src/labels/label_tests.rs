//! Labels built from the inside: given orders of hubs, rules broken on purpose, threads.

use super::build::{LabelOptions, join};
use super::query::LabelScratch;
use super::{Form, Labels};
use crate::cost::INFINITY;
use crate::grid::{Grid, Movement, Tile};
use crate::rng::Rng;
use crate::taut::Rules;
use crate::taut::exact_tests::{dijkstra, drawn_map};

/// Labels whose hubs are ranked as given; corners that are not named come last.
fn ranked(grid: &Grid, rules: &Rules, first: &[(u16, u16)], form: Form) -> Labels {
    let options = LabelOptions { form, ..LabelOptions::default() };
    let (graph, links) = join(grid, &options, rules).unwrap();
    let place = |c: &u32| {
        let tile = graph.tiles[*c as usize];
        first.iter().position(|&(x, y)| tile == Tile::new(x, y)).unwrap_or(first.len())
    };
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    order.sort_by_key(place);
    Labels::build_ordered(grid, &options, rules, (graph, links), &order).unwrap()
}

fn wrong_pairs(grid: &Grid, labels: &Labels) -> Vec<(Tile, Tile)> {
    let mut scratch = LabelScratch::new();
    let mut wrong = Vec::new();
    for s in grid.free_cells() {
        let truth = dijkstra(grid, s);
        for t in grid.free_cells() {
            let ends = (grid.tile(s), grid.tile(t));
            let found = labels.distance(ends.0, ends.1, &mut scratch).unwrap_or(INFINITY);
            if found != truth[t.index()] {
                wrong.push(ends);
            }
        }
    }
    wrong
}

/// The smallest map on which one tied first edge instead of all loses a path: from
/// (5, 0) to (0, 3), with the hubs in this order.
#[test]
fn all_tied_first_edges_count() {
    let rows = ["@.@.@.", ".@.@..", "@.....", ".....@", "..@.@.", ".@.@.@"];
    let grid = Grid::from_rows(&rows).unwrap();
    let order = [(0, 4), (5, 1), (3, 3), (2, 2), (1, 3), (4, 2)];
    for form in [Form::Single, Form::Fast, Form::Small] {
        let labels = ranked(&grid, &Rules::new(Movement::NoCornerCutting), &order, form);
        assert_eq!(wrong_pairs(&grid, &labels), []);
    }
    // One class only, the first or the last: one of the two loses the path.
    let one: [fn(u16) -> u16; 2] = [
        |tied| tied & tied.wrapping_neg(),
        |tied| 0x8000_u16.checked_shr(tied.leading_zeros()).unwrap_or(0),
    ];
    let lost = (Tile::new(5, 0), Tile::new(0, 3));
    let loses = |keep: &fn(u16) -> u16| {
        let mut rules = Rules::new(Movement::NoCornerCutting);
        rules.first_edges = *keep;
        wrong_pairs(&grid, &ranked(&grid, &rules, &order, Form::Single)).contains(&lost)
    };
    assert!(one.iter().any(loses));
}

#[test]
fn random_orders_of_hubs_are_exact() {
    let mut rng = Rng::new(9);
    for round in 0..150 {
        let movement = Movement::ALL[round % 3];
        let (w, h) = (rng.between(5, 14) as u32, rng.between(5, 14) as u32);
        let grid = drawn_map(&mut rng, w, h, movement);
        let mut order: Vec<(u16, u16)> = (0..196).map(|n| (n % 14, n / 14)).collect();
        rng.shuffle(&mut order);
        let form = [Form::Single, Form::Fast, Form::Small][round / 3 % 3];
        let labels = ranked(&grid, &Rules::new(movement), &order, form);
        assert_eq!(wrong_pairs(&grid, &labels), [], "round {round} {grid:?}");
    }
}

/// The turn table broken: the labels must be wrong somewhere.
#[test]
fn broken_turns_show_in_answers() {
    let broken = Rules::with_turns(Movement::NoCornerCutting, |pattern, arrive, leave| {
        let left = arrive.0 * leave.1 - arrive.1 * leave.0 <= 0;
        left && crate::taut::corner::turns_across_wall(pattern, arrive, leave)
    });
    let mut rng = Rng::new(4);
    let wrong = (0..60).map(|_| {
        let grid = drawn_map(&mut rng, 10, 10, Movement::NoCornerCutting);
        wrong_pairs(&grid, &ranked(&grid, &broken, &[], Form::Fast)).len()
    });
    assert!(wrong.sum::<usize>() > 0);
}

/// The bytes do not depend on how many threads there are, nor on the run.
#[cfg(all(feature = "generate", feature = "parallel"))]
#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let map = crate::generate::generate(crate::generate::Kind::Caves, 150, 130, 3).unwrap();
    let grid = map.grid(Movement::NoCornerCutting);
    let options = LabelOptions { effort: 100_000, ..LabelOptions::default() };
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let labels = pool.install(|| Labels::build(&grid, &options).unwrap());
        let mut bytes = Vec::new();
        labels.write(&mut bytes);
        bytes
    };
    let one = build(1);
    assert!(one.len() > 10_000);
    for threads in [1, 2, 3, 8] {
        assert!(build(threads) == one, "{threads} threads");
    }
}
