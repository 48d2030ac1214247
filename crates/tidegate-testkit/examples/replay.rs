//! The fixed program of `replay` on maps: `replay FILE...` prints its hashes. Compiled for the
//! web's kind of machine too, where `tools/test-web replay` compares them with those recorded;
//! there, numbers have 32 bits, and what that has broken once is tried.

use tidegate::grid::TileMap;
use tidegate::{Blocked, Movement, Tile};
use tidegate_testkit::replay::replay;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The rectangle around these has more tiles than 32 bits count.
    let ends = [Tile::new(0, 0), Tile::new(65_534, 65_534)];
    assert!(ends.iter().all(|&end| Blocked::new(ends).contains(end)), "far apart");
    for file in std::env::args().skip(1) {
        let map = TileMap::parse(&std::fs::read(&file)?)?;
        let name = std::path::Path::new(&file).file_name().unwrap_or_default();
        print!("{}", replay(&name.to_string_lossy(), &map.grid(Movement::default())));
    }
    Ok(())
}
