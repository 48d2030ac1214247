//! The index file: damage is refused, crashes are survived, lies are harmless.

use std::fs;
use std::io::Write;

use tidegate::artifact::{ArtifactError, NewFile, VERSION, reseal};
use tidegate::cost::{Factor, INFINITY};
use tidegate::differential::{LandmarkOptions, Landmarks};
use tidegate::gateway::{TuneOptions, TunedDistances};
use tidegate::labels::{Form, LabelOptions, LiveLabels};
use tidegate::rng::Rng;
use tidegate::{Grid, Index, Movement, Path, Query, QueryError, Scratch, Tile, engine};
use tidegate_testkit::hostile::{answers_are_valid, mend};
use tidegate_testkit::{maps, properties};

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

/// A small index with every table that can be built for it: all of them on uniform ground.
fn full_index(grid: Grid) -> Index {
    let mut index = Index::new(grid);
    for engine in tidegate_sectors::ENGINES {
        let ready = properties::prepare(&mut index, *engine).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(engine.is_ready(&index), ready, "{}", engine.name());
    }
    index
}

/// Three rooms in a row, with the gates between them.
fn rooms_index() -> Index {
    let row =
        |y: usize| if y == 4 { "........................." } else { "........#........#........" };
    let rows: Vec<String> = (0..9).map(|y| row(y).chars().take(25).collect()).collect();
    let index = full_index(Grid::from_rows(&rows).unwrap());
    assert!(index.decomposition().unwrap().gates().len() >= 2);
    index
}

fn small_index() -> Index {
    full_index(Grid::from_rows(&ROWS).unwrap())
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
        let again = Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(again.grid(), index.grid(), "seed {seed}");
        assert_eq!(again.to_bytes(), bytes, "seed {seed}");
        for engine in tidegate_sectors::ENGINES {
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
        assert!(
            Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).is_err(),
            "bit {bit} was accepted"
        );
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).is_ok());
}

#[test]
fn every_truncation_and_every_addition_is_refused() {
    let mut bytes = small_index().to_bytes();
    for length in 0..bytes.len() {
        assert!(
            Index::from_bytes_with(&bytes[..length], tidegate_sectors::ENGINES).is_err(),
            "{length} bytes were accepted"
        );
    }
    bytes.push(0);
    assert!(Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).is_err());
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
                assert!(
                    Index::from_bytes_with(&changed, tidegate_sectors::ENGINES).is_err(),
                    "block at {at}, kind {kind}"
                );
            }
        }
    }
}

/// Every byte of a small file changed in two ways, with the checksums made right again:
/// refused, or nothing worse than a detour. Random changes are in `hostile.rs`.
#[test]
fn every_changed_byte_that_passes_the_checksums_is_refused_or_harmless() {
    let bytes = small_index().to_bytes();
    let (mut unsealed, mut refused, mut accepted) = (0, 0, 0);
    for at in 12..bytes.len() {
        for change in [1 << (at % 8), 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            // A table of sections that leads out of the file.
            if !reseal(&mut changed) {
                assert!(
                    Index::from_bytes_with(&changed, tidegate_sectors::ENGINES).is_err(),
                    "byte {at}"
                );
                unsealed += 1;
                continue;
            }
            match Index::from_bytes_with(&changed, tidegate_sectors::ENGINES) {
                Err(_) => refused += 1,
                Ok(index) => {
                    accepted += 1;
                    answers_are_valid(&index, 4).unwrap_or_else(|e| panic!("byte {at}: {e}"));
                }
            }
        }
    }
    let summary = format!("{refused} changes refused, {accepted} harmless, {unsealed} not sealed");
    println!("{summary}");
    assert!(refused > accepted && accepted > 100 && unsealed < refused / 10, "{summary}");
}

/// Where the sections of a file begin and end.
fn sections(bytes: &[u8]) -> Vec<(usize, std::ops::Range<usize>)> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let entries = (0..usize::from(bytes[12])).map(|n| 64 + 24 * n);
    entries.map(|at| (at, number(at + 8)..number(at + 8) + number(at + 16))).collect()
}

#[test]
fn swapped_repeated_and_missing_sections_are_refused_or_harmless() {
    let bytes = small_index().to_bytes();
    let all = sections(&bytes);
    let build = |order: &[usize]| {
        let mut file = bytes[..64].to_vec();
        order.iter().for_each(|&n| file.extend_from_slice(&bytes[all[n].0..all[n].0 + 24]));
        order.iter().for_each(|&n| file.extend_from_slice(&bytes[all[n].1.clone()]));
        file[12] = order.len() as u8;
        // Lengths are right already; this sets length, offsets and checksums.
        assert!(mend(&mut file));
        Index::from_bytes_with(&file, tidegate_sectors::ENGINES)
    };
    let order: Vec<usize> = (0..all.len()).collect();
    assert_eq!(build(&order).unwrap().to_bytes(), bytes);
    for a in 0..order.len() {
        let mut twice = order.clone();
        twice.insert(a, a);
        assert!(build(&twice).is_err(), "section {a} twice");
        let mut without = order.clone();
        without.remove(a);
        match build(&without) {
            Err(_) => {}
            Ok(index) => answers_are_valid(&index, 4).unwrap(),
        }
        for b in 0..a {
            let mut swapped = order.clone();
            swapped.swap(a, b);
            match build(&swapped) {
                Err(_) => {}
                Ok(index) => {
                    assert_ne!(b, 0, "the map is not the first section");
                    answers_are_valid(&index, 4).unwrap();
                }
            }
        }
    }
    assert!(build(&order[1..]).is_err(), "no map");
    let mut empty = bytes[..64].to_vec();
    empty[12..24].copy_from_slice(&[0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0]);
    assert!(reseal(&mut empty));
    assert!(
        matches!(
            Index::from_bytes_with(&empty, tidegate_sectors::ENGINES),
            Err(ArtifactError::Table)
        ),
        "nothing at all"
    );
}

#[test]
fn another_version_is_refused_by_name() {
    let mut bytes = small_index().to_bytes();
    for version in [0, VERSION + 1, u32::MAX] {
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        assert!(reseal(&mut bytes));
        let error =
            Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).unwrap_err().to_string();
        assert!(error.contains(&format!("format version {version}")), "{error}");
    }
}

/// Files of the first version are refused with what to do.
#[test]
fn files_of_an_older_version_say_how_to_rebuild() {
    for name in ["corners", "loose", "cross"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/golden");
        let bytes = fs::read(format!("{folder}/v1-{name}.tide")).unwrap();
        let error =
            Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).unwrap_err().to_string();
        assert!(error.contains("version 1") && error.contains("tidegate index MAP"), "{error}");
    }
}

/// Files that this version of the format wrote once are read for as long as it is called
/// that. If the format has to change, so does its number; then write new ones:
/// `TIDEGATE_RECORD=1 cargo test -p tidegate --test artifact golden`.
#[test]
fn golden_files_of_this_version_are_read_as_ever() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/golden");
    for (name, movement) in ["corners", "loose", "cross"].into_iter().zip(Movement::ALL) {
        let mut grid = Grid::from_rows(&ROWS).unwrap().with_movement(movement);
        if name == "cross" {
            let factor = |n| Factor::from_hundredths(100 + 25 * (n % 5) as u16).unwrap();
            grid = grid.clone().with_factors((0..grid.tiles()).map(factor).collect());
        }
        let today = format!("{folder}/v{VERSION}-{name}-labels3.tide");
        if std::env::var_os("TIDEGATE_RECORD").is_some() {
            full_index(grid.clone()).save(today.as_ref()).unwrap();
        }
        let read = |file: &str| {
            let bytes = fs::read(file).unwrap_or_else(|e| panic!("{file}: {e}"));
            let index = Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES)
                .unwrap_or_else(|e| panic!("{file}: {e}"));
            assert_eq!(index.grid(), &grid, "{file}");
            (index, bytes)
        };
        let (same, bytes) = read(&today);
        assert!(same.to_bytes() == bytes, "{today}");
        // Labels were written in other words before; they are read, and written as today.
        let before =
            ["", "-labels2"].map(|words| format!("{folder}/v{VERSION}-{name}{words}.tide"));
        let [first, second] = before.map(|file| read(&file).0);
        let labels = |index: &Index| index.table::<LiveLabels>().map(|live| live.labels().clone());
        assert!(labels(&first) == labels(&second), "{name}");
        let mut scratch = Scratch::new();
        let tiles: Vec<Tile> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
        for index in [&first, &second, &same] {
            for engine in tidegate_sectors::ENGINES.iter().filter(|engine| engine.is_ready(index)) {
                for (start, goal) in tiles.iter().zip(tiles.iter().rev()) {
                    properties::answers_as_oracle(index, *engine, *start, *goal, &mut scratch)
                        .unwrap_or_else(|e| panic!("{name}: {e}"));
                }
            }
        }
    }
}

/// Labels in large blocks only, as they were written before blocks of two sizes were mixed.
#[test]
fn labels_of_before_in_the_small_form_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/golden");
    let index = Index::from_bytes(&fs::read(format!("{folder}/v2-small-labels2.tide")).unwrap());
    let index = index.unwrap();
    assert_eq!(index.grid(), &Grid::from_rows(&ROWS).unwrap());
    assert_eq!(index.table::<LiveLabels>().unwrap().labels().form(), Form::Small);
    let mut scratch = Scratch::new();
    let tiles: Vec<Tile> = index.grid().free_cells().map(|cell| index.grid().tile(cell)).collect();
    for &start in &tiles {
        for &goal in &tiles {
            properties::answers_as_oracle(&index, engine::LABELS, start, goal, &mut scratch)
                .unwrap();
        }
    }
    let again = Index::from_bytes(&index.to_bytes()).unwrap();
    assert!(again.to_bytes() == index.to_bytes());
}

/// What was chosen when tables were built is in them, so an honest file is never called
/// a made-up one: labels in the small form were.
#[test]
fn tables_with_options_are_the_same_when_built_again() {
    let mut index = rooms_index();
    let small = LabelOptions { form: Form::Small, ..LabelOptions::default() };
    index.build::<LiveLabels>(&small).unwrap();
    index.build::<Landmarks>(&LandmarkOptions { count: 7 }).unwrap();
    index.build::<TunedDistances>(&TuneOptions { seed: 9, queries: 3 }).unwrap();
    let again = index.rebuilt().unwrap();
    assert_eq!(index.differences(&again), [""; 0]);
    let read = Index::from_bytes_with(&index.to_bytes(), tidegate_sectors::ENGINES).unwrap();
    assert_eq!(read.differences(&read.rebuilt().unwrap()), [""; 0]);
}

/// Checksums cannot show that a table is made up; building it again does.
#[test]
fn a_made_up_table_is_seen_by_building_it_again() {
    let index = rooms_index();
    assert_eq!(index.differences(&index.rebuilt().unwrap()), [""; 0]);
    let mut bytes = index.to_bytes();
    let (_, gate) =
        sections(&bytes).into_iter().find(|&(e, _)| &bytes[e..e + 4] == b"gate").unwrap();
    // After the count stands the table; the diagonal is zero, the rest is doubled.
    for at in (gate.start + 8..gate.end).step_by(4) {
        let cost = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        bytes[at..at + 4].copy_from_slice(&(cost.saturating_mul(2).min(1 << 30)).to_le_bytes());
    }
    assert!(reseal(&mut bytes));
    let forged = Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).unwrap();
    answers_are_valid(&forged, 20).unwrap();
    assert_eq!(forged.differences(&forged.rebuilt().unwrap()), ["distances between gates"]);
}

/// A table that says nothing can be reached is contradicted by the map: an error, not
/// the answer that there is no way.
#[test]
fn a_table_that_denies_every_way_is_contradicted() {
    let index = rooms_index();
    let bytes = index.to_bytes();
    let tables =
        [(b"gate", engine::GATEWAY), (b"port", engine::GATEWAY_2WAY), (b"ptal", engine::PORTAL)];
    for (tag, liar) in tables {
        let mut changed = bytes.clone();
        let (_, body) =
            sections(&bytes).into_iter().find(|&(e, _)| &bytes[e..e + 4] == tag).unwrap();
        for at in (body.start + 8..body.end).step_by(4) {
            let cost = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            if cost != 0 {
                changed[at..at + 4].copy_from_slice(&INFINITY.get().to_le_bytes());
            }
        }
        assert!(reseal(&mut changed));
        let index = Index::from_bytes_with(&changed, tidegate_sectors::ENGINES).unwrap();
        answers_are_valid(&index, 20).unwrap();
        let (mut scratch, mut path) = (Scratch::new(), Path::new());
        let query = Query::new(Tile::new(0, 0), Tile::new(24, 8));
        for (_, engine) in tables {
            let found = index.find(engine, &query, &mut scratch, &mut path);
            if engine.name() == liar.name() {
                let error = QueryError::Contradiction { engine: liar.name() };
                assert_eq!(found, Err(error));
            } else {
                assert!(found.is_ok(), "{}: {found:?}", engine.name());
            }
        }
    }
}

#[test]
fn a_foreign_map_is_refused() {
    let (one, other) = (small_index().to_bytes(), Index::new(maps::small(5, Movement::default())));
    let mut mixed = one.clone();
    mixed[24..56].copy_from_slice(&other.to_bytes()[24..56]);
    assert!(reseal(&mut mixed));
    let error = Index::from_bytes_with(&mixed, tidegate_sectors::ENGINES).unwrap_err();
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
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(&new[..fail_at]).unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), old, "failed at byte {fail_at}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "leftover files");
    NewFile::replace(&path, &new).unwrap();
    assert_eq!(fs::read(&path).unwrap(), new);
    assert!(Index::open_with(&path, tidegate_sectors::ENGINES).is_ok());
}

/// Replacing a link or a device by a file would lose it.
#[cfg(unix)]
#[test]
fn links_are_followed_and_pipes_are_not_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    NewFile::replace(&link, b"new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"new");
    NewFile::replace("/dev/null".as_ref(), b"gone").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    assert!(NewFile::create(folder.path()).is_err(), "a folder");
    assert!(NewFile::create("..".as_ref()).is_err(), "no name");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "leftover files");
}

/// The files in a folder that were begun and have not got their name yet.
fn unfinished(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|e| e == "tmp")).collect()
}

/// Starts this test again as a child that saves all the time, and kills it as soon as it has
/// begun a file. A kill that leaves such a file has hit the middle of a write.
#[test]
fn a_process_killed_while_saving_leaves_a_whole_file() {
    const CHILD: &str = "TIDEGATE_TEST_SAVE_ALL_THE_TIME";
    let (one, other) = (small_index(), Index::new(maps::small(9, Movement::default())));
    if let Some(path) = std::env::var_os(CHILD) {
        // Not for ever: nobody may be left to end it, or nothing may show that it writes.
        for _ in 0..500 {
            one.save(path.as_ref()).unwrap();
            other.save(path.as_ref()).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.tide");
    one.save(&path).unwrap();
    let whole = [one.to_bytes(), other.to_bytes()];
    let (mut kills, mut hits) = (0, 0);
    while hits < 8 {
        assert!(kills < 400, "{hits} of {kills} kills hit the middle of a write");
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_process_killed_while_saving_leaves_a_whole_file"])
            .env(CHILD, &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while unfinished(folder.path()).is_empty() {
            assert_eq!(
                child.try_wait().unwrap(),
                None,
                "it saved a thousand times and no unfinished file was seen"
            );
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(whole.contains(&fs::read(&path).unwrap()), "torn by kill {kills}");
        let left = unfinished(folder.path());
        hits += usize::from(!left.is_empty());
        left.iter().for_each(|file| fs::remove_file(file).unwrap());
    }
    println!("{hits} of {kills} kills hit the middle of a write");
}

/// A section of edits that tells of none, or of tables out of their order, is not what is ever written.
#[test]
fn edits_are_told_in_one_way_alone() {
    let mut index = Index::new(Grid::from_rows(&["....", ".##.", "...."]).unwrap());
    index.prepare(engine::JPS).unwrap();
    index.prepare(engine::CORNERS).unwrap();
    index.edit([tidegate::index::Change::wall((0, 1))]).unwrap();
    let bytes = index.to_bytes();
    assert_eq!(Index::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    // The section of edits is the second; its place and length stand in its entry.
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let (begin, length) = (number(64 + 24 + 8), number(64 + 24 + 16));
    assert_eq!((&bytes[64 + 24..64 + 28], length), (&b"edit"[..], 8 + 2 * 5));
    let refused = |change: &dyn Fn(&mut [u8])| {
        let mut changed = bytes.clone();
        change(&mut changed[begin..begin + length]);
        assert!(tidegate::artifact::reseal(&mut changed));
        Index::from_bytes(&changed).unwrap_err().to_string()
    };
    let none = refused(&|edits| edits[..8].fill(0));
    assert!(none.contains("not edited"), "{none}");
    let turned = refused(&|edits| edits[8..].rotate_left(5));
    assert!(turned.contains("out of order"), "{turned}");
}
