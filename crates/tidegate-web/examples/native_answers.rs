//! What the library answers on this machine, for `tools/test-web` to compare with what it answers in WebAssembly:
//! every problem of the bundled suite by every engine. Prints JSON: by map, `engines` with a number for each path, and the
//! microseconds a path took on average, in the best of a few rounds; and `walks`, the lengths of walks at any angle.

use std::time::Instant;

use tidegate::anyangle::AnyAngle;
use tidegate::engine::Engine;
use tidegate::grid::{TileMap, scen_file};
use tidegate::{Index, Movement, Path, Query, Scratch};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let suite = std::env::args().nth(1).ok_or("usage: native_answers SUITE")?;
    let mut maps = Vec::new();
    for entry in std::fs::read_dir(format!("{suite}/maps/bundled"))? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        let map = std::fs::read(format!("{suite}/maps/bundled/{file}"))?;
        let problems = std::fs::read(format!("{suite}/scenarios/bundled/{file}.scen"))?;
        let ends: Vec<Query<'_>> =
            scen_file::parse(&problems)?.iter().map(|p| Query::new(p.start, p.goal)).collect();
        let mut index = Index::new(TileMap::parse(&map)?.grid(Movement::default()));
        let engines = tidegate_web::ENGINES.iter().map(|&engine| {
            Ok(format!("{:?}: {}", engine.name(), answers(&mut index, engine, &ends)?))
        });
        let engines = engines.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
        let walks = walks(&mut index, &ends)?;
        let engines = engines.join(",\n");
        maps.push(format!("{file:?}: {{\"engines\": {{\n{engines}}},\n\"walks\": {walks:?}}}"));
    }
    println!("{{{}}}", maps.join(",\n"));
    Ok(())
}

/// The lengths of walks at any angle.
fn walks(index: &mut Index, queries: &[Query<'_>]) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    index.build::<AnyAngle>(&())?;
    let length = |query: &Query<'_>| {
        let walk = index.walk(query.start, query.goal)?.ok_or("a problem without a walk")?;
        Ok(walk.length())
    };
    queries.iter().map(length).collect()
}

fn answers(
    index: &mut Index,
    engine: &dyn Engine,
    queries: &[Query<'_>],
) -> Result<String, Box<dyn std::error::Error>> {
    if let Err(why) = index.prepare(engine) {
        return Ok(format!("{{\"refused\": {:?}}}", why.to_string()));
    }
    let (mut scratch, mut path, mut paths) = (Scratch::new(), Path::new(), Vec::new());
    let clock = Instant::now();
    for query in queries {
        let found = index.find(engine, query, &mut scratch, &mut path)?;
        paths.push(number(if found.cost().is_some() { &path } else { &[] }));
    }
    let mut best = clock.elapsed();
    // Quick ones again, so that memory is warm.
    for _ in 0..if best.as_millis() < 100 { 40 } else { 2 } {
        let clock = Instant::now();
        for query in queries {
            index.find(engine, query, &mut scratch, &mut path)?;
        }
        best = best.min(clock.elapsed());
    }
    let micros = best.as_secs_f64() * 1e6 / queries.len() as f64;
    Ok(format!("{{\"micros\": {micros:.2}, \"paths\": {paths:?}}}"))
}

/// A number that other tiles would hardly give: FNV-1a over x and y of each.
fn number(path: &[tidegate::Tile]) -> u32 {
    let words = path.iter().flat_map(|tile| [tile.x, tile.y]);
    words.fold(0x811c_9dc5, |hash, word| (hash ^ u32::from(word)).wrapping_mul(0x0100_0193))
}
