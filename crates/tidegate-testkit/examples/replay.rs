//! The fixed program of `replay` on a map: `replay NAME <FILE` prints its hashes. Compiled for the
//! web's kind of machine too, where `tools/test-web replay` compares them with those recorded;
//! there, numbers have 32 bits, and what that has broken once is tried.

use std::io::Read as _;

use tidegate::grid::TileMap;
use tidegate::{Blocked, Movement, Tile};
use tidegate_testkit::replay::replay;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The rectangle around these has more tiles than 32 bits count.
    let ends = [Tile::new(0, 0), Tile::new(65_534, 65_534)];
    assert!(ends.iter().all(|&end| Blocked::new(ends).contains(end)), "far apart");
    let name = std::env::args().nth(1).ok_or("usage: replay NAME <FILE")?;
    let mut map = Vec::new();
    std::io::stdin().read_to_end(&mut map)?;
    print!("{}", replay(&name, &TileMap::parse(&map)?.grid(Movement::default())));
    Ok(())
}
