//! Hostile input of every kind: seeds, seeds changed at random, and what once did harm.
//! The same targets are fuzzed by `tools/fuzz`.

use tidegate::rng::Rng;
use tidegate_testkit::hostile;

/// Runs a target on its seeds, on kept inputs and on `count` changed seeds.
fn attack(name: &str, count: u64) {
    let target = hostile::ALL.iter().find(|target| target.name == name).unwrap();
    let seeds = (target.seeds)();
    let kept = hostile::kept(name).unwrap();
    seeds.iter().chain(&kept).for_each(|bytes| (target.run)(bytes));
    for round in 0..count {
        let bytes = hostile::mutated(&seeds, &mut Rng::new(round));
        let run = || (target.run)(&bytes);
        if let Err(panic) = std::panic::catch_unwind(run) {
            eprintln!("{name}, round {round}: {:02x?}", &bytes[..bytes.len().min(400)]);
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn no_map_file_does_harm() {
    attack("map", 20_000);
}

#[test]
fn no_text_grid_does_harm() {
    attack("text", 20_000);
}

#[test]
fn no_picture_does_harm() {
    attack("png", 4_000);
}

#[test]
fn no_scenario_does_harm() {
    attack("scenario", 20_000);
}

#[test]
fn no_decomposition_does_harm() {
    attack("decomposition", 4_000);
}

#[test]
fn no_index_file_does_harm() {
    attack("index", 10_000);
}

#[test]
fn no_edit_does_harm() {
    attack("edits", 4_000);
}

#[test]
fn no_query_does_harm() {
    attack("query", 2_000);
}

#[test]
fn no_walk_does_harm() {
    attack("walks", 4_000);
}

#[test]
fn no_program_does_harm() {
    attack("model", 1_000);
}

#[test]
fn every_target_has_seeds_and_a_name_of_its_own() {
    let names: Vec<_> = hostile::ALL.iter().map(|target| target.name).collect();
    for target in hostile::ALL {
        assert!(!(target.seeds)().is_empty(), "{}", target.name);
        assert_eq!(names.iter().filter(|n| **n == target.name).count(), 1, "{}", target.name);
    }
}
