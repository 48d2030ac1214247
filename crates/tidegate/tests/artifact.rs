//! The index file: damage is refused, crashes are survived, lies are harmless.

use std::fs;
use std::io::{Error, Write};

use tidegate::artifact::{replace_file, reseal};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, Scratch, Tile, cost::Factor, engine};
use tidegate_testkit::maps;

const ROWS: [&str; 9] = [
    "....#....",
    ".##.#.##.",
    ".#.....#.",
    ".#.###.#.",
    "...#.#...",
    ".#.###.#.",
    ".#.....#.",
    ".##.#.##.",
    "....#....",
];

/// A small index with every table that can be built for it.
fn full_index(grid: Grid) -> Index {
    let mut index = Index::new(grid);
    for engine in engine::ALL {
        // What cannot be built for this map is not in the file.
        let _ = index.prepare(*engine);
    }
    index
}

fn small_index() -> Index {
    full_index(Grid::from_rows(&ROWS).unwrap())
}

/// Whether every engine gives a legal path or an error between every pair of some tiles.
fn answers_are_valid(index: &Index) -> Result<(), String> {
    let grid = index.grid();
    let tiles: Vec<Tile> = grid.free_cells().step_by(7).map(|cell| grid.tile(cell)).collect();
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for engine in engine::ALL.iter().filter(|engine| engine.is_ready(index)) {
        for &start in &tiles {
            for &goal in &tiles {
                let query = Query::new(start, goal).with_budget(10_000);
                let found = index.find(*engine, &query, &mut scratch, &mut path);
                if let Some(cost) = found.ok().and_then(|answer| answer.cost()) {
                    path.check_answer(grid, start, goal, cost)
                        .map_err(|e| format!("{}: {e}", engine.name()))?;
                }
            }
        }
    }
    Ok(())
}

#[test]
fn an_index_survives_its_file() {
    for seed in 0..60 {
        let mut grid = maps::small(seed, Movement::ALL[seed as usize % 3]);
        if seed % 4 == 3 {
            let mut rng = Rng::new(seed);
            let factor = |_| Factor::from_hundredths(100 + rng.below(300) as u16).unwrap();
            grid = grid.clone().with_factors((0..grid.tiles()).map(factor).collect());
        }
        let index = full_index(grid);
        let bytes = index.to_bytes();
        let again = Index::from_bytes(&bytes).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(again.grid(), index.grid(), "seed {seed}");
        assert_eq!(again.to_bytes(), bytes, "seed {seed}");
        for engine in engine::ALL {
            assert_eq!(engine.is_ready(&again), engine.is_ready(&index), "{}", engine.name());
            assert_eq!(engine.bytes(&again), engine.bytes(&index), "{}", engine.name());
        }
    }
}

#[test]
fn the_same_map_gives_the_same_bytes() {
    assert_eq!(small_index().to_bytes(), small_index().to_bytes());
}

#[test]
fn every_flipped_bit_is_refused() {
    let mut bytes = small_index().to_bytes();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Index::from_bytes(&bytes).is_err(), "bit {bit} was accepted");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(Index::from_bytes(&bytes).is_ok());
}

#[test]
fn every_truncation_and_every_addition_is_refused() {
    let mut bytes = small_index().to_bytes();
    for length in 0..bytes.len() {
        assert!(Index::from_bytes(&bytes[..length]).is_err(), "{length} bytes were accepted");
    }
    bytes.push(0);
    assert!(Index::from_bytes(&bytes).is_err());
}

#[test]
fn every_replaced_block_is_refused() {
    let bytes = small_index().to_bytes();
    let mut rng = Rng::new(1);
    for at in (0..bytes.len()).step_by(256) {
        for kind in 0..3 {
            let mut changed = bytes.clone();
            for byte in changed.iter_mut().skip(at).take(256) {
                *byte = [0, 0xff, rng.bits() as u8][kind];
            }
            if changed != bytes {
                assert!(Index::from_bytes(&changed).is_err(), "block at {at}, kind {kind}");
            }
        }
    }
}

/// Changes with the checksums made right again: refused, or nothing worse than a detour.
#[test]
fn what_passes_the_checksums_still_answers_validly() {
    let bytes = small_index().to_bytes();
    let mut rng = Rng::new(2);
    let (mut refused, mut accepted) = (0, 0);
    for round in 0..4_000 {
        let mut changed = bytes.clone();
        for _ in 0..1 + rng.below(3) {
            let at = 16 + rng.below(bytes.len() - 16);
            match rng.below(4) {
                0 => changed[at] ^= 1 << rng.below(8),
                1 => changed[at] = rng.bits() as u8,
                2 => changed[at] = [0, 1, 0x7f, 0x80, 0xff][rng.below(5)],
                _ => {
                    let from = 16 + rng.below(bytes.len() - 16);
                    let count = rng.below(64).min(bytes.len() - at.max(from));
                    changed[at..at + count].copy_from_slice(&bytes[from..from + count]);
                }
            }
        }
        if !reseal(&mut changed) {
            continue;
        }
        match Index::from_bytes(&changed) {
            Err(_) => refused += 1,
            Ok(index) => {
                accepted += 1;
                answers_are_valid(&index).unwrap_or_else(|e| panic!("round {round}: {e}"));
            }
        }
    }
    assert!(refused > 500, "only {refused} of the changes were refused, {accepted} accepted");
}

#[test]
fn a_foreign_map_is_refused() {
    let (one, other) = (small_index().to_bytes(), Index::new(maps::small(5, Movement::default())));
    let mut mixed = one.clone();
    mixed[24..56].copy_from_slice(&other.to_bytes()[24..56]);
    assert!(reseal(&mut mixed));
    let error = Index::from_bytes(&mixed).unwrap_err();
    assert!(error.to_string().contains("fingerprint"), "{error}");
}

#[test]
fn a_write_that_fails_at_any_byte_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.tide");
    small_index().save(&path).unwrap();
    let old = fs::read(&path).unwrap();
    let new = Index::new(maps::small(9, Movement::default())).to_bytes();
    for fail_at in 0..new.len() {
        let result = replace_file(&path, |file| {
            file.write_all(&new[..fail_at])?;
            Err(Error::other("the disk is full"))
        });
        assert!(result.is_err());
        assert_eq!(fs::read(&path).unwrap(), old, "failed at byte {fail_at}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "leftover files");
    replace_file(&path, |file| file.write_all(&new)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), new);
    assert!(Index::open(&path).is_ok());
}

/// Starts this test again as a child that saves for ever, and kills it at odd moments.
#[test]
fn a_process_killed_while_saving_leaves_a_whole_file() {
    const CHILD: &str = "TIDEGATE_TEST_SAVE_FOR_EVER";
    let (one, other) = (small_index(), Index::new(maps::small(9, Movement::default())));
    if let Some(path) = std::env::var_os(CHILD) {
        loop {
            for index in [&one, &other] {
                index.save(path.as_ref()).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.tide");
    one.save(&path).unwrap();
    let whole = [one.to_bytes(), other.to_bytes()];
    for round in 0..12 {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_process_killed_while_saving_leaves_a_whole_file"])
            .env(CHILD, &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(30 + round * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(whole.contains(&fs::read(&path).unwrap()), "torn in round {round}");
    }
}
