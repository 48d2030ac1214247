//! Files of maps, problems and zones: refused, or read and written back as they were.

use tidegate::decompose::{Decomposition, WaterOptions};
use tidegate::grid::image_file::THRESHOLD;
use tidegate::grid::{TileMap, scen_file};
use tidegate::{Grid, Movement};

use crate::{maps, properties};

/// Tiles up to which a map that was read is also searched and drawn.
const SMALL: usize = 4096;

pub(super) fn map(bytes: &[u8]) {
    if let Ok(map) = TileMap::parse(bytes) {
        assert_eq!(TileMap::parse(map.to_map_string().as_bytes()).as_ref(), Ok(&map));
        is_sound(&map);
    }
}

pub(super) fn map_seeds() -> Vec<Vec<u8>> {
    let text = "type octile\nheight 3\nwidth 4\nmap\n.@TW\n.GS#\nO...\n";
    let maps = (0..4).map(|seed| TileMap::from(&maps::small(seed, Movement::default())));
    let texts = maps.map(|map| map.to_map_string().into_bytes());
    texts.chain([text.into(), text.replace('\n', "\r\n").into_bytes()]).collect()
}

pub(super) fn text(bytes: &[u8]) {
    if let Ok(map) = TileMap::parse_text(bytes) {
        assert_eq!(TileMap::parse_text(map.to_text().as_bytes()).as_ref(), Ok(&map));
        is_sound(&map);
    }
}

pub(super) fn text_seeds() -> Vec<Vec<u8>> {
    let maps = (0..4).map(|seed| TileMap::from(&maps::small(seed, Movement::default())));
    maps.map(|map| map.to_text().into_bytes()).chain([b".@TW\r\n.GS#\r\nO...".to_vec()]).collect()
}

pub(super) fn png(bytes: &[u8]) {
    for threshold in [THRESHOLD, 0, 255] {
        let Ok(map) = TileMap::from_png_with(bytes, threshold) else { continue };
        if map.letters().len() <= SMALL {
            assert_eq!(TileMap::from_png(&map.to_png(1).expect("small")).expect("ours"), map);
            is_sound(&map);
        }
    }
}

pub(super) fn png_seeds() -> Vec<Vec<u8>> {
    let maps = (0..6).map(|seed| TileMap::from(&maps::small(seed, Movement::default())));
    let scaled = |(i, map): (usize, TileMap)| map.to_png(1 + i as u32 % 3).expect("small");
    maps.enumerate().map(scaled).collect()
}

pub(super) fn scenario(bytes: &[u8]) {
    let Ok(problems) = scen_file::parse(bytes) else { return };
    let text = scen_file::write(&problems);
    // A cut name is cut again where it holds characters that were mended.
    if problems.iter().all(|p| p.map.len() <= 4096) && !problems.is_empty() {
        let again = scen_file::parse(text.as_bytes()).expect("what we wrote");
        assert_eq!(scen_file::write(&again), text);
    }
    let grid = Grid::from_rows(&["...", ".#.", "..."]).expect("small");
    for problem in &problems {
        let _ = (problem.check(&grid), problem.compare(2.0), problem.map_name());
    }
}

pub(super) fn scenario_seeds() -> Vec<Vec<u8>> {
    let line = "0\tmaps/a.map\t3\t3\t0\t0\t2\t2\t3.41421\n";
    let odd = "version 1.0\r\n\r\n7 b\\c.map 512 512 511 0 0 511 1e3\r\n1 x 9 9 1 2 3 4 0";
    vec![format!("version 1\n{line}{line}").into_bytes(), odd.into()]
}

/// The first byte chooses the map; the rest is the JSON.
pub(super) fn decomposition(bytes: &[u8]) {
    let Some((&first, text)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let grid = json_map(first);
    if let Ok(parts) = Decomposition::from_json(&grid, text) {
        parts.check(&grid).unwrap_or_else(|v| panic!("{v}\n{grid:?}"));
        let written = parts.to_json(&grid);
        assert_eq!(Decomposition::from_json(&grid, &written).expect("what we wrote"), parts);
    }
}

pub(super) fn decomposition_seeds() -> Vec<Vec<u8>> {
    let seed = |first: u8| {
        let grid = json_map(first);
        let water = Decomposition::water(&grid, &WaterOptions::raw());
        [&[first], water.to_json(&grid).as_bytes()].concat()
    };
    let mut seeds: Vec<Vec<u8>> = (0..8).map(seed).collect();
    seeds.push(
        b"\x00{\"version\":1,\"map\":{\"width\":9,\"height\":5},\"method\":\"given\",\
        \"raw_gates\":0,\"gates\":[{\"a\":[4,0],\"b\":[4,4]},{\"a\":[0,2],\"b\":[3,2]}]}"
            .to_vec(),
    );
    seeds
}

fn json_map(first: u8) -> Grid {
    let movement = Movement::ALL[usize::from(first) % 3];
    match first % 8 {
        0 => Grid::from_rows(&["........."; 5]).expect("small").with_movement(movement),
        n => maps::small(u64::from(n) + 10, movement),
    }
}

fn is_sound(map: &TileMap) {
    if map.letters().len() <= SMALL {
        let grid = map.grid(Movement::default());
        assert_eq!((grid.width(), grid.height()), (map.width(), map.height()));
        properties::legal_steps(&grid).unwrap_or_else(|e| panic!("{e}"));
    }
}
