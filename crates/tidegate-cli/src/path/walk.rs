//! `tidegate path --any-angle`: the shortest walk of straight lines.

use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use tidegate::anyangle::{AnyAngle, Point, Walk, WalkQuery, WalkSource};
use tidegate::index::Table;
use tidegate::{Index, Scratch, draw};

use super::{Args, blocked, listed, wrote};
use crate::say::say;
use crate::{Done, output, progress};

/// The colour of the walk.
const COLOUR: draw::Colour = [0xb0, 0x0b, 0x69];

pub(super) fn run(args: &Args, mut index: Index) -> Result<Done> {
    index.prepare_table(AnyAngle::KIND)?;
    let blocked = blocked(args, &index);
    let query = WalkQuery::new(args.from.point(), args.to.point()).with_blocked(&blocked);
    progress::now("searching");
    let (mut scratch, mut walk) = (Scratch::new(), Walk::default());
    let clock = Instant::now();
    let source = index.find_walk(&query, &mut scratch, &mut walk)?;
    let micros = clock.elapsed().as_secs_f64() * 1e6;
    let map: &AnyAngle = index.required();
    if args.json {
        let pair = |point: &Point| <[f64; 2]>::from(point.in_tiles());
        let value = json!({
            "status": if source.is_some() { "found" } else { "unreachable" },
            "engine": name(source),
            "length": walk.length(),
            "expanded": expanded(source),
            "micros": micros,
            "points": walk.points().iter().map(pair).collect::<Vec<_>>(),
            "tiles": walk.tiles(map).iter().map(|tile| [tile.x, tile.y]).collect::<Vec<_>>(),
        });
        say!("{value}");
    } else {
        let ends = format!("{} to {}", query.start, query.goal);
        match source {
            Some(_) => say!("{ends}: length {:.5}", walk.length()),
            None => say!("{ends}: no way"),
        }
        say!("{}: {micros:.1} µs, {} corners expanded", name(source), expanded(source));
        if source.is_some() {
            let option = if args.turns { None } else { Some("--turns") };
            say!("{}", listed("points", walk.points(), option));
        }
        if args.tiles && source.is_some() {
            say!("{}", listed("tiles", &walk.tiles(map), None));
        }
    }
    if let Some(file) = &args.png {
        progress::now("drawing");
        let points: Vec<(f64, f64)> = walk.points().iter().map(|point| point.in_tiles()).collect();
        let picture = draw::lines(index.grid(), &[(&points, COLOUR)], args.scale.unwrap_or(3))?;
        output::write(file, &picture.to_png()?)?;
        wrote(args, file, "the map and the walk");
    }
    Ok(if source.is_some() { Done::Yes } else { Done::No })
}

/// Who answered.
fn name(source: Option<WalkSource>) -> &'static str {
    match source {
        Some(WalkSource::Labels) => "anyangle-labels",
        _ => "anyangle",
    }
}

fn expanded(source: Option<WalkSource>) -> u64 {
    match source {
        Some(WalkSource::Search { expanded }) => expanded,
        _ => 0,
    }
}
