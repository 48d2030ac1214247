//! How long a tick takes: a thousand units walk on a map of 512 x 512 tiles, and in each tick walls are
//! built on their ways and broken again.
//!
//! `cargo run --profile quick -p bevy_tidegate --example ticks [-- UNITS TICKS]`

use std::io::Write;
use std::time::{Duration, Instant};

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_tidegate::{
    Answers, EditTiles, GoalOrder, NextStep, PathRequest, TidegatePlugin, TilePath, TilePosition,
    TileWorld,
};
use tidegate::engine::Engine;
use tidegate::generate::{Kind, generate};
use tidegate::rng::Rng;
use tidegate::world::{Profile, World as Ground};
use tidegate::{Index, Movement, Tile, engine};

const SIDE: u32 = 512;
const FRAME: Duration = Duration::from_micros(16_667);

fn main() {
    let number = |n: usize, usual: usize| {
        std::env::args().nth(n).map_or(usual, |text| text.parse().expect("a number"))
    };
    let (units, ticks) = (number(1, 1_000), number(2, 200));
    say(format!("{units} units, {SIDE} x {SIDE} tiles, {ticks} ticks; milliseconds a tick"));
    let (median, p99, most, first, walking) = ("median", "p99", "most", "first", "walking");
    say(format!("{:<40} {median:>8} {p99:>8} {most:>8} {first:>8} {walking:>8}", ""));
    let same_tick = Answers::SameTick { most: usize::MAX };
    for (name, answers) in [("same tick", same_tick), ("when ready", Answers::WhenReady)] {
        for engine in [engine::JPS, engine::CORNERS, engine::LABELS] {
            for edits in [0, 2] {
                let name = format!("paths, {name}, {}, {edits} edits", engine.name());
                run(&name, Some(engine), answers, (units, ticks, edits));
            }
        }
    }
    for edits in [0, 2] {
        run(&format!("orders, {edits} edits"), None, same_tick, (units, ticks, edits));
    }
}

/// Whoever closes the pipe has read enough.
fn say(line: String) {
    if writeln!(std::io::stdout(), "{line}").is_err() {
        std::process::exit(0);
    }
}

/// Without an engine the units get orders in place of paths.
fn run(
    name: &str,
    engine: Option<&'static dyn Engine>,
    answers: Answers,
    (units, ticks, edits): (usize, usize, usize),
) {
    let mut rng = Rng::new(1);
    let grid = generate(Kind::Rts, SIDE, SIDE, 7).expect("a size").grid(Movement::NoCornerCutting);
    let cells = (0..grid.tiles()).map(tidegate::CellId::from_index);
    let ground = cells.map(|cell| if grid.is_free_cell(cell) { b'.' } else { b'#' }).collect();
    let index = Index::new(grid);
    let tiles: Vec<Tile> = index.grid().free_cells().map(|cell| index.grid().tile(cell)).collect();
    let any = |rng: &mut Rng| tiles[rng.below(tiles.len())];
    let goals: Vec<Tile> = (0..20).map(|_| any(&mut rng)).collect();

    let mut world = Ground::new(SIDE, SIDE, ground).expect("a size");
    let walker = world.add(Profile::new().entering(b"."));
    let mut world = TileWorld::new(world);
    world.prepare(walker, engine.unwrap_or(engine::JPS)).expect("it can be built");
    let mut app = App::new();
    app.add_plugins(TidegatePlugin::default().answering(answers)).insert_resource(world);
    app.add_systems(bevy_app::PreUpdate, (walk, march));
    for n in 0..units {
        let goal = goals[n % goals.len()];
        let mut start = any(&mut rng);
        while !index.reachable(start, goal) {
            start = any(&mut rng);
        }
        let mut unit = app.world_mut().spawn(TilePosition(start));
        match engine {
            Some(engine) => unit.insert(PathRequest::new(walker, goal).with_engine(engine)),
            None => unit.insert(GoalOrder::new(walker, goal)),
        };
    }

    let (mut times, mut first) = (Vec::new(), 0.0);
    let mut built: Vec<Tile> = Vec::new();
    for tick in 0..ticks {
        let began = Instant::now();
        app.update();
        let took = began.elapsed().as_secs_f64() * 1e3;
        if tick == 0 {
            first = took;
        } else {
            times.push(took);
        }
        // A wall in the middle of somebody's way, and an old one broken.
        let mut units = app.world_mut().query::<(&TilePosition, Option<&TilePath>)>();
        let ahead: Vec<Tile> = units
            .iter(app.world())
            .map(|(at, path)| path.map_or(at.0, |path| path.rest()[path.rest().len() / 2]))
            .collect();
        let mut changes = Vec::new();
        for _ in 0..edits / 2 {
            let tile = ahead[rng.below(ahead.len())];
            if !goals.contains(&tile) {
                changes.push((tile, b'#'));
                built.push(tile);
            }
            if built.len() > 40 {
                changes.push((built.swap_remove(rng.below(40)), b'.'));
            }
        }
        app.world_mut().write_message(EditTiles::new(changes));
        // What works in the background has the rest of the frame, as in a game.
        std::thread::sleep(FRAME.saturating_sub(began.elapsed()));
    }
    let mut paths = app.world_mut().query::<&TilePath>();
    let mut steps = app.world_mut().query::<&NextStep>();
    let walking = paths.iter(app.world()).filter(|path| path.rest().len() > 1).count()
        + steps.iter(app.world()).filter(|step| step.tile().is_some()).count();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (median, p99, most) = (at(0.5), at(0.99), at(1.0));
    println!("{name:<40} {median:>8.3} {p99:>8.3} {most:>8.2} {first:>8.2} {walking:>8}");
}

fn walk(mut units: Query<'_, '_, (&mut TilePosition, &TilePath)>) {
    for (mut position, path) in &mut units {
        if let Some(next) = path.next_from(position.0) {
            position.0 = next;
        }
    }
}

fn march(mut units: Query<'_, '_, (&mut TilePosition, &NextStep)>) {
    for (mut position, step) in &mut units {
        if let Some(next) = step.tile() {
            position.0 = next;
        }
    }
}
