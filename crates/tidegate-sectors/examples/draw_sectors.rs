//! Draws the sectors of a map after some queries: `draw_sectors MAP OUT.svg [ENGINE] [QUERIES]`.
//!
//! `cargo run -p tidegate --example draw_sectors -- some.map sectors.svg maat-zones 300`

use std::error::Error;

use tidegate::grid::TileMap;
use tidegate::{Index, Movement, Path, Query, Scratch};
use tidegate_sectors::Pairs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: draw_sectors MAP OUT.svg [ENGINE] [QUERIES]";
    let (map, out) = args.next().zip(args.next()).ok_or(usage)?;
    let name = args.next().unwrap_or_else(|| "maat".into());
    let queries: usize = args.next().map_or(Ok(200), |n| n.parse())?;
    let engine = tidegate_sectors::by_name(&name).ok_or("no such engine")?;
    let grid = TileMap::parse(&std::fs::read(map)?)?.grid(Movement::OneSideFree);
    let mut index = Index::new(grid);
    index.prepare(engine)?;
    let (mut scratch, mut path, mut longest) = (Scratch::new(), Path::new(), Path::new());
    for (start, goal) in Pairs::new(index.grid(), index.components(), 7).take(queries) {
        let query = Query::new(index.grid().tile(start), index.grid().tile(goal));
        index.find(engine, &query, &mut scratch, &mut path)?;
        if path.tiles().len() > longest.tiles().len() {
            longest.clone_from(&path);
        }
    }
    let sectors = tidegate_sectors::sectors(&scratch, &name).ok_or("this engine has no sectors")?;
    let svg = tidegate_sectors::draw::sectors_svg(
        index.grid(),
        sectors.ground,
        sectors.cover,
        Some(&longest),
    );
    std::fs::write(out, svg)?;
    println!("{} sectors in use, bounds {:?}", sectors.cover.leaf_count(), sectors.bounds);
    Ok(())
}
