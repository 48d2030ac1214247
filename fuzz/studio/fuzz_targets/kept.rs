//! Files of kept work, as a studio finds them at its start: the first byte chooses the map, the rest is the
//! file, `FINGERPRINT` in it the fingerprint of that map. What is taken must be valid zones of a map of the
//! same size.
#![no_main]

use tidegate::{Grid, Movement};
use tidegate_testkit::maps;

fn map(first: u8) -> Grid {
    let movement = Movement::ALL[usize::from(first) % 3];
    match first % 8 {
        0 => Grid::from_rows(&["........."; 5]).expect("small").with_movement(movement),
        n => maps::small(u64::from(n) + 10, movement),
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&first, file)) = bytes.split_first() else { return };
    let map = map(first);
    let text = String::from_utf8_lossy(file);
    let text = text.replacen("FINGERPRINT", &map.fingerprint().to_string(), 1);
    if let Ok((walls, zones)) = tidegate_studio::read_kept(text.as_bytes(), &map) {
        assert_eq!((walls.width(), walls.height()), (map.width(), map.height()));
        zones.check(&walls).unwrap_or_else(|broken| panic!("{broken}\n{walls:?}"));
    }
});
