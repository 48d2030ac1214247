//! Draws three ways between two tiles: steps from tile to tile (grey), these pulled tight (blue), and the
//! shortest walk at any angle (red).
//!
//! ```sh
//! cargo run --profile quick -p tidegate --example anyangle_picture -- MAP X,Y X,Y OUT.png [SCALE]
//! ```

use std::io::Write as _;

use tidegate::anyangle::AnyAngle;
use tidegate::grid::TileMap;
use tidegate::straighten::{LineRule, Sight, Waypoints};
use tidegate::{Index, Movement, Tile, draw};

type Failure = Box<dyn std::error::Error>;

fn tile(text: &str) -> Result<Tile, Failure> {
    let (x, y) = text.split_once(',').ok_or("give tiles as X,Y")?;
    Ok(Tile::new(x.parse()?, y.parse()?))
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [map, from, to, out, rest @ ..] = &arguments[..] else {
        return Err("give a map, two tiles and the name of a picture".into());
    };
    let scale = rest.first().map_or(Ok(3), |text| text.parse())?;
    let map = TileMap::parse(&std::fs::read(map)?)?;
    // Steps that may cut half a corner, as a point does.
    let mut index = Index::new(map.grid(Movement::OneSideFree));
    index.build::<AnyAngle>(&())?;
    let path = index.path(tile(from)?, tile(to)?)?.ok_or("there is no way")?;
    let walk = index.walk(tile(from)?, tile(to)?)?.ok_or("there is no way")?;
    let mut pulled = Waypoints::new();
    Sight::new(index.grid()).with_rule(LineRule::Point).straighten(&path, &mut pulled)?;
    let centre = |tile: &Tile| (f64::from(tile.x) + 0.5, f64::from(tile.y) + 0.5);
    let steps: Vec<(f64, f64)> = path.tiles().iter().map(centre).collect();
    let tight: Vec<(f64, f64)> = pulled.tiles().iter().map(centre).collect();
    let exact: Vec<(f64, f64)> = walk.points().iter().map(|point| point.in_tiles()).collect();
    let lines: [(&[(f64, f64)], draw::Colour); 3] =
        [(&steps, [0x8a, 0x8a, 0x8a]), (&tight, [0x1f, 0x6f, 0xb4]), (&exact, [0xc0, 0x1c, 0x28])];
    std::fs::write(out, draw::lines(index.grid(), &lines, scale)?.to_png()?)?;
    writeln!(
        std::io::stdout(),
        "steps {:.3}, pulled tight {:.3}, any angle {:.3}",
        path.length().value(),
        pulled.length(),
        walk.length()
    )?;
    Ok(())
}
