//! The index file with its checksums made right again: refused, or every answer is a
//! legal path of the cost it tells.

use tidegate::anyangle::{AnyAngle, LiveAngleLabels};
use tidegate::artifact::{ArtifactError, VERSION, reseal};
use tidegate::index::Change;
use tidegate::labels::LabelOptions;
use tidegate::{Grid, Index, Movement, Outcome, Path, Query, Scratch, Tile, engine};

use crate::{maps, properties};

/// Layout of the file, by its description.
const HEADER: usize = 64;
const ENTRY: usize = 24;

pub(super) fn run(bytes: &[u8]) {
    let _ = Index::from_bytes_with(bytes, tidegate_sectors::ENGINES);
    let mut file = bytes.to_vec();
    if !mend(&mut file) {
        return;
    }
    let mut read = Index::from_bytes_with(&file, tidegate_sectors::ENGINES);
    if let Err(ArtifactError::Fingerprint { found, .. }) = &read {
        file[24..56].copy_from_slice(&found.0);
        assert!(reseal(&mut file));
        read = Index::from_bytes_with(&file, tidegate_sectors::ENGINES);
    }
    if let Ok(index) = read
        && index.grid().tiles() <= 4096
    {
        answers_are_valid(&index, 3).unwrap_or_else(|e| panic!("{e}\n{:?}", index.grid()));
        let written = index.to_bytes();
        if !has_earlier_labels(&file, &written) {
            assert_eq!(written, file, "read and written back");
        }
        let again = Index::from_bytes_with(&written, tidegate_sectors::ENGINES);
        assert_eq!(again.expect("just written").to_bytes(), written, "written, read and written");
    }
}

/// Whether two files differ in labels alone, and there the first byte that differs is their version: an earlier
/// one is read, and written in today's words.
fn has_earlier_labels(file: &[u8], written: &[u8]) -> bool {
    let (before, after) = (sections(file), sections(written));
    let mut pairs = before.iter().zip(&after).filter(|(a, b)| a != b).peekable();
    let is_earlier = |(a, b): (&Section<'_>, &Section<'_>)| {
        let versions = a.bytes.iter().zip(b.bytes).find(|(a, b)| a != b);
        matches!(a.tag, b"labl" | b"anll") && a.tag == b.tag && matches!(versions, Some((1 | 2, 3)))
    };
    before.len() == after.len() && pairs.peek().is_some() && pairs.all(is_earlier)
}

#[derive(PartialEq)]
struct Section<'a> {
    tag: &'a [u8],
    bytes: &'a [u8],
}

/// The sections of a sound file.
fn sections(file: &[u8]) -> Vec<Section<'_>> {
    let entries = file[HEADER..].chunks_exact(ENTRY).take(file[12] as usize);
    let sections = entries.map(|entry| {
        let number =
            |at: usize| entry[at..at + 8].try_into().map_or(0, u64::from_le_bytes) as usize;
        Section { tag: &entry[..4], bytes: &file[number(8)..][..number(16)] }
    });
    sections.collect()
}

/// Gives a file the magic, version, length and offsets that it should have, the rest to
/// its last section, and right checksums. Returns whether it has a table at all.
pub fn mend(file: &mut [u8]) -> bool {
    if file.len() < HEADER + ENTRY {
        return false;
    }
    let most = ((file.len() - HEADER) / ENTRY).min(20);
    let count = (file[12] as usize).clamp(1, most);
    file[..8].copy_from_slice(b"\x89TIDE\r\n\x1a");
    file[8..12].copy_from_slice(&VERSION.to_le_bytes());
    file[12..16].copy_from_slice(&(count as u32).to_le_bytes());
    let total = file.len() as u64;
    file[16..24].copy_from_slice(&total.to_le_bytes());
    file[60..64].fill(0);
    let mut offset = (HEADER + ENTRY * count) as u64;
    for n in 0..count {
        let entry = HEADER + ENTRY * n;
        let stated = file[entry + 16..entry + 24].try_into().map_or(0, u64::from_le_bytes);
        let left = total - offset;
        let length = if n + 1 == count { left } else { stated.min(left) };
        file[entry + 8..entry + 16].copy_from_slice(&offset.to_le_bytes());
        file[entry + 16..entry + 24].copy_from_slice(&length.to_le_bytes());
        offset += length;
    }
    reseal(file)
}

/// Whether every engine gives a legal path or an error between every pair of some tiles,
/// and finds a way where there is one. Whether it is the shortest rests on who built the
/// tables.
pub fn answers_are_valid(index: &Index, tiles: usize) -> Result<(), String> {
    let grid = index.grid();
    let step = grid.free_tiles().div_ceil(tiles).max(1);
    let tiles: Vec<Tile> = grid.free_cells().step_by(step).map(|cell| grid.tile(cell)).collect();
    let (mut scratch, mut path) = (Scratch::new(), Path::new());
    for engine in tidegate_sectors::ENGINES.iter().filter(|engine| engine.is_ready(index)) {
        for &start in &tiles {
            for &goal in &tiles {
                let failure = |what| format!("{}: {start} to {goal}: {what}", engine.name());
                let query = Query::new(start, goal);
                let ask = index.resolve(&query).map_err(|e| failure(e.to_string()))?;
                let Ok(answer) = index.find(*engine, &query, &mut scratch, &mut path) else {
                    continue;
                };
                match answer.outcome {
                    Outcome::Found(cost) => path
                        .check_answer(grid, start, goal, cost)
                        .map_err(|e| failure(e.to_string()))?,
                    Outcome::Unreachable if !ask.is_connected() => {}
                    outcome => {
                        return Err(failure(format!("{outcome:?} though a way leads there")));
                    }
                }
            }
        }
    }
    Ok(())
}

/// A tiny file for every engine alone and every rule of movement, some of them edited or with walks, and files
/// with all engines.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let maps: [&[&str]; 3] =
        [&["..#.", "#...", "..#."], &[".....", ".#.#.", "....."], &["..#....."]];
    let mut seeds = Vec::new();
    for (n, movement) in Movement::ALL.into_iter().enumerate() {
        let grid = Grid::from_rows(maps[n]).expect("small").with_movement(movement);
        let mut all = Index::new(grid.clone());
        for engine in tidegate_sectors::ENGINES {
            let mut index = Index::new(grid.clone());
            for index in [&mut index, &mut all] {
                assert_eq!(properties::prepare(index, *engine), Ok(true), "uniform ground");
            }
            seeds.push(index.to_bytes());
            index.edit([Change::wall((1, 0)), Change::free((2, 0))]).expect("inside");
            seeds.push(index.to_bytes());
        }
        all.build::<AnyAngle>(&()).expect("it is never refused");
        let options = LabelOptions { effort: 100, ..LabelOptions::default() };
        all.build::<LiveAngleLabels>(&options).expect("a small map");
        seeds.push(all.to_bytes());
    }
    // Larger ones, where a hierarchy has levels and zones have gates; not so large that a changed byte is lost.
    let rows = [".....#..", ".###.#..", "...#....", ".#.##.#.", ".#......"];
    let drawn = Grid::from_rows(&rows).expect("small");
    for engine in tidegate_sectors::ENGINES {
        let mut index = Index::new(drawn.clone());
        assert_eq!(properties::prepare(&mut index, *engine), Ok(true), "uniform ground");
        seeds.push(index.to_bytes());
    }
    for (n, movement) in Movement::ALL.into_iter().enumerate() {
        for engine in [engine::HPA, engine::HPA_PAPER, engine::GATEWAY_CONSISTENT, engine::PORTAL] {
            let mut index = Index::new(maps::small(n as u64 + 3, movement));
            assert_eq!(properties::prepare(&mut index, engine), Ok(true), "uniform ground");
            seeds.push(index.to_bytes());
        }
    }
    seeds
}
