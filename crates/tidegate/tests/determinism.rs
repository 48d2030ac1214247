//! The same input gives the same bytes: on 1, 2 and 8 threads, twice, and as recorded for
//! the bundled maps in `testdata/determinism.txt`, in debug and in release builds alike, without
//! edits and (the lines with `edited`) with edits, tables built apart and adopted later. Those
//! lines are made by WebAssembly too: `tools/test-web replay`.
//!
//! When tables or paths change on purpose, record them again with
//! `TIDEGATE_RECORD=1 cargo test -p tidegate --test determinism`.
#![cfg(feature = "parallel")]

use std::fmt::Write as _;
use std::fs;

use tidegate::grid::scen_file::{self, Problem};
use tidegate::grid::{Grid, TileMap};
use tidegate::{Index, Movement, Path, Query, Scratch, engine};
use tidegate_testkit::bench_data::bundled_suite;
use tidegate_testkit::replay::replay;

/// The bundled maps of at most so many tiles, with every third of their problems.
fn suite(tiles: usize) -> Vec<(String, Grid, Vec<Problem>)> {
    let root = bundled_suite();
    let mut names: Vec<String> = fs::read_dir(root.join("maps/bundled"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let read = |name: String| {
        let map = fs::read(root.join("maps/bundled").join(&name)).unwrap();
        let scenario = root.join("scenarios/bundled").join(format!("{name}.scen"));
        let problems = scen_file::parse(&fs::read(scenario).unwrap()).unwrap();
        let problems: Vec<Problem> = problems.into_iter().step_by(3).collect();
        (name, TileMap::parse(&map).unwrap().grid(Movement::default()), problems)
    };
    let (all, mut suite) = (names.len(), names.into_iter().map(read).collect::<Vec<_>>());
    suite.retain(|(_, grid, problems)| grid.tiles() <= tiles && !problems.is_empty());
    println!("{} of {all} bundled maps have at most {tiles} tiles", suite.len());
    assert!(suite.len() >= 3, "too few to mean anything");
    suite
}

fn built(grid: &Grid) -> Index {
    let mut index = Index::new(grid.clone());
    for engine in tidegate_sectors::ENGINES {
        index.prepare(*engine).unwrap();
    }
    index
}

fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
}

/// Every answer of an engine as text: outcome, work and tiles.
fn answers(index: &Index, engine: &dyn engine::Engine, problems: &[Problem]) -> String {
    let (mut scratch, mut path, mut text) = (Scratch::new(), Path::new(), String::new());
    for problem in problems {
        let query = Query::new(problem.start, problem.goal);
        let answer = index.find(engine, &query, &mut scratch, &mut path);
        writeln!(text, "{answer:?} {:?}", path.tiles()).unwrap();
    }
    text
}

#[test]
fn indexes_and_answers_do_not_depend_on_threads() {
    let (mut maps, mut asked) = (0, 0);
    for (name, grid, problems) in suite(25_000) {
        let index = on_threads(1, || built(&grid));
        let bytes = index.to_bytes();
        for threads in [1, 2, 8] {
            assert!(on_threads(threads, || built(&grid)).to_bytes() == bytes, "{name}: {threads}");
        }
        let queries: Vec<_> = problems.iter().map(|p| Query::new(p.start, p.goal)).collect();
        for engine in tidegate_sectors::ENGINES {
            let one = on_threads(1, || index.find_many(*engine, &queries));
            for threads in [2, 8] {
                let many = on_threads(threads, || index.find_many(*engine, &queries));
                assert!(one == many, "{name}: {} on {threads} threads", engine.name());
                asked += queries.len();
            }
        }
        maps += 1;
    }
    println!("{maps} maps built on 1, 1, 2 and 8 threads, {asked} answers on 2 and 8 as on 1");
}

#[test]
fn an_edited_index_does_not_depend_on_threads() {
    let mut lines = 0;
    for (name, grid, _) in suite(25_000) {
        let one = on_threads(1, || replay(&name, &grid));
        for threads in [2, 8] {
            assert_eq!(on_threads(threads, || replay(&name, &grid)), one, "{threads} threads");
        }
        lines += one.lines().count();
    }
    println!("{lines} hashes of edited indexes and their answers on 2 and 8 threads as on 1");
}

#[test]
fn indexes_and_answers_are_as_recorded() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/determinism.txt");
    let mut found = String::new();
    for (name, grid, problems) in suite(70_000) {
        let index = built(&grid);
        let again = Index::from_bytes_with(&index.to_bytes(), tidegate_sectors::ENGINES).unwrap();
        writeln!(found, "{name} index {}", blake3::hash(&index.to_bytes())).unwrap();
        for engine in tidegate_sectors::ENGINES {
            let text = answers(&index, *engine, &problems);
            // A second scratch and a file in between change nothing.
            assert!(answers(&again, *engine, &problems) == text, "{name}: {}", engine.name());
            writeln!(found, "{name} {} {}", engine.name(), blake3::hash(text.as_bytes())).unwrap();
        }
    }
    for (name, grid, _) in suite(25_000) {
        found += &replay(&name, &grid);
    }
    let lines = found.lines().count();
    println!("{lines} hashes of indexes and of all answers of an engine on a map, as recorded");
    if std::env::var_os("TIDEGATE_RECORD").is_some() {
        fs::write(file, &found).unwrap();
    }
    let recorded = fs::read_to_string(file).unwrap();
    let differ = |(a, b): &(&str, &str)| a != b;
    let lines: Vec<_> = found.lines().zip(recorded.lines()).filter(differ).collect();
    assert!(found == recorded, "other than recorded (if on purpose, record again): {lines:#?}");
}
