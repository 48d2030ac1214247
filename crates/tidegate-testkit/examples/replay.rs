//! The fixed program of `replay` on maps: `replay FILE...` prints its hashes. Compiled for the
//! web's kind of machine too, where `tools/test-web replay` compares them with those recorded.

use tidegate::Movement;
use tidegate::grid::TileMap;
use tidegate_testkit::replay::replay;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let map = TileMap::parse(&std::fs::read(&file)?)?;
        let name = std::path::Path::new(&file).file_name().unwrap_or_default();
        print!("{}", replay(&name.to_string_lossy(), &map.grid(Movement::default())));
    }
    Ok(())
}
