//! The whole library against a model: random programs, checked step by step. What the model is stands in
//! `tidegate_testkit::model`; the fuzz target `model` and `tools/long-runs SECONDS soak` run the same.
//!
//! `TIDEGATE_ROUNDS=100000 cargo test --release -p tidegate --test model random` runs more.

use tidegate::Movement;
use tidegate::rng::Rng;
use tidegate_testkit::model::{Ask, Counts, Paint::*, Plant, Program, Set::*, Step::*};

fn rounds(usual: u64) -> u64 {
    std::env::var("TIDEGATE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

fn random(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x0DE1);
    let length = 40 + rng.below(400);
    let bytes: Vec<u8> = (0..length).map(|_| rng.bits() as u8).collect();
    Program::from_bytes(&bytes)
}

#[test]
fn random_programs_do_as_the_model() {
    let (rounds, mut counts) = (rounds(6000), Counts::default());
    for seed in 0..rounds {
        counts += random(seed).check();
    }
    println!("{rounds} programs: {counts:?}");
    let per = |count: usize| count as u64 * 1000 / rounds;
    assert!(per(counts.steps) > 20_000 && per(counts.edits) > 1_000, "{counts:?}");
    assert!(per(counts.answers) > 20_000 && per(counts.in_place) > 50, "{counts:?}");
    assert!(per(counts.adopted.1) > 20 && per(counts.loaded) > 200, "{counts:?}");
    assert!(per(counts.returned) > 50 && per(counts.slices.0) > 100, "{counts:?}");
    assert!(per(counts.slices.1) > 10 && per(counts.paths.1) > 500, "{counts:?}");
}

#[test]
fn any_bytes_are_a_program() {
    for bytes in [&[][..], &[0], &[255; 3], &[255; 300], &[0; 300]] {
        Program::from_bytes(bytes).check();
    }
}

/// The first random program that a planted fault makes fail, shrunk.
fn shrunk(plant: Plant) -> Program {
    let fails = |program: &Program| program.run(plant).is_err();
    let program = (0..).map(random).find(fails).expect("there is no end of them");
    assert!(program.steps.len() > 3, "{program:?}");
    program.shrunk(fails)
}

/// What is left of a program is what the fault takes.
#[test]
fn failing_programs_are_shrunk_to_what_the_fault_takes() {
    let found = shrunk(Plant::WrongCostAfterEdit);
    assert!(matches!(&found.steps[..], [Edit(sets), _] if sets.len() == 1), "{found:?}");
    let tiles: usize = found.rows.iter().map(String::len).sum();
    assert!(tiles <= 4, "{found:?}");

    let found = shrunk(Plant::PanicAfterAdoption);
    assert!(matches!(&found.steps[..], [BuildApart(..), Adopt, _]), "{found:?}");
    assert!(found.run(Plant::PanicAfterAdoption).unwrap_err().contains("panicked: planted"));
    assert!(found.run(Plant::Nothing).is_ok());
}

/// The code of a shrunk program, which is pasted below, is that program.
#[test]
fn a_shrunk_program_is_printed_as_code() {
    let ask = Ask { partial: true, budget: Some(50), ..Ask::new("jps", (4, 1), (0, 0)) };
    let program = Program::new(
        Movement::FourConnected,
        &["..#..", "..2..", "....."],
        vec![
            Snapshot,
            Layer(vec![Add((1, 1), 2, 300)]),
            Edit(vec![Cost((2, 1), 100), Wall((3, 2)), Free((2, 0))]),
            Prepare("jps"),
            Find(Ask { blocked: vec![(3, 0)], ..ask }),
            Save,
        ],
    );
    let shrunk = program.shrunk(|program| program.run(Plant::WrongCostAfterEdit).is_err());
    #[rustfmt::skip]
    let pasted = Program::new(
        tidegate::Movement::NoCornerCutting,
        &[
            ".",
            "2",
        ],
        vec![
            Edit(vec![Cost((0, 1), 100)]),
            Find(Ask { engine: "astar", start: (0, 1), goal: (0, 0), blocked: vec![], costs: false, partial: false, budget: None, strict: false }),
        ],
    );
    assert_eq!(shrunk, pasted, "{}", shrunk.code());
    let (code, here) = (pasted.code(), include_str!("model.rs"));
    let (_, program) = code.split_once("Program::new(\n").unwrap();
    let (program, _) = program.split_once("    )").unwrap();
    assert!(here.contains(program), "{code}");
}

/// With tiles blocked, `dead-end` searches as `astar`, and so it once answered without its tables.
#[test]
fn an_engine_that_was_not_built_says_so_whatever_is_asked() {
    let ask = Ask { blocked: vec![(0, 0)], ..Ask::new("dead-end", (0, 0), (0, 0)) };
    Program::new(Movement::NoCornerCutting, &["."], vec![Find(ask)]).check();
}

/// A wall that comes and goes leaves the same map, but another number to the zone: dead ends built before are
/// not those of the zones that are there now.
#[test]
fn a_table_is_not_adopted_where_zones_have_other_numbers() {
    let steps = vec![
        Prepare("dead-end"),
        BuildApart("dead-end", 1),
        Edit(vec![Wall((0, 0))]),
        Edit(vec![Free((0, 0))]),
        Adopt,
        Find(Ask::new("dead-end", (0, 0), (0, 0))),
    ];
    let counts = Program::new(Movement::NoCornerCutting, &["."], steps).check();
    assert_eq!((counts.adopted.0, counts.refused), (0, 1));
}

/// Of the tiles nearest to a goal that cost the same the first in row order is the one: (5, 0), not the one
/// that the search comes to first.
#[test]
fn a_partial_path_leads_to_the_first_of_the_nearest() {
    Program::new(
        Movement::FourConnected,
        &[".#....", "...#.#", "...##.", ".....#"],
        vec![Find(Ask { partial: true, ..Ask::new("astar", (0, 0), (5, 2)) })],
    )
    .check();
}
