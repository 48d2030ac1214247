//! Makes the bundled suite: maps and problems under `crates/tidegate-bench/suite`.
//!
//! Run from the root of the workspace; running it again gives the same bytes:
//!
//! ```text
//! cargo run -p tidegate --example make_suite -- crates/tidegate-bench/suite
//! ```

use std::error::Error;
use std::fs;
use std::path::Path;

use tidegate::Movement;
use tidegate::generate::problems::problems;
use tidegate::generate::{Kind, Options};
use tidegate::grid::{TileMap, scen_file};

/// A small map drawn by hand: a harbour town with a wall, two gates, a grove and a pond.
const HARBOUR: &str = "\
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@......................TTT............T@
@..TT......................TT.........T@
@.TTTT......@@@@@@@@@@@@@@..T..........@
@..TT.......@............@.............@
@...........@.@@@.@@@@@..@......T......@
@.....T.....@.@.@.@...@..@.............@
@...........@.@...@......@....SSS......@
@...........@.@@@.@...@..@...SSWWSS....@
@...............@.@@@@@.......SWWWWS...@
@...........@...................SWWS...@
@...........@.@@@@@@@@@..@....SSSSS....@
@....TT.....@.@.......@..@.............@
@....TTT....@....@....@..@.............@
@.....T.....@.@.......@..@......TT.....@
@...........@.@@@@.@@@@..@.....TTTT....@
@...........@............@......TT.....@
@...........@@@@@@..@@@@@@.............@
@........................SS............@
@..........SSS..........SSWWWW.........@
@WWWWW..SSWWWWWWW....WWWWWWWWWWWWWWWWWW@
@WWWWWWWWWWWWWWWW....WWWWWWWWWWWWWWWWWW@
@WWWWWWWWWWWWWWWW....WWWWWWWWWWWWWWWWWW@
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
";

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args().nth(1).ok_or("usage: make_suite FOLDER")?;
    let root = Path::new(&root);
    let made = |kind, width, height, seed| Options::new(kind, width, height, seed);
    let list = [
        ("rts-512", 200, made(Kind::Rts, 512, 512, 2)),
        ("rts-256", 150, made(Kind::Rts, 256, 256, 7)),
        ("rooms-200x150", 150, made(Kind::Rooms, 200, 150, 1)),
        ("caves-256", 150, made(Kind::Caves, 256, 256, 1)),
        ("maze-129", 150, Options { corridor: 2, ..made(Kind::Maze, 129, 129, 1) }),
        ("random-128-25", 150, made(Kind::Random, 128, 128, 1)),
        ("caves-333x67", 100, made(Kind::Caves, 333, 67, 5)),
    ];
    write(root, "harbour", 100, &TileMap::parse_text(HARBOUR.as_bytes())?)?;
    for (name, count, options) in list {
        write(root, name, count, &options.generate()?)?;
    }
    Ok(())
}

fn write(root: &Path, name: &str, count: usize, map: &TileMap) -> Result<(), Box<dyn Error>> {
    let (maps, scenarios) = (root.join("maps/bundled"), root.join("scenarios/bundled"));
    fs::create_dir_all(&maps)?;
    fs::create_dir_all(&scenarios)?;
    let file = format!("{name}.map");
    fs::write(maps.join(&file), map.to_map_string())?;
    let grid = map.grid(Movement::NoCornerCutting);
    let list = problems(&grid, &format!("bundled/{file}"), count, 1);
    fs::write(scenarios.join(format!("{file}.scen")), scen_file::write(&list))?;
    println!("{name}: {} x {}, {} problems", map.width(), map.height(), list.len());
    Ok(())
}
