//! The game itself, with or without a window: the map, the units, how they walk.

use std::process::ExitCode;
use std::time::Instant;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_tidegate::{
    Answers, EditTiles, MapEdited, PathFailed, PathRequest, TidegatePlugin, TidegateSystems,
    TilePath, TilePosition, TileSpace, TileWorld,
};
use tidegate::generate::{Kind, generate};
use tidegate::rng::Rng;
use tidegate::world::{Profile, ProfileId, World as Ground};
use tidegate::{Movement, Tile, engine};

pub const WIDTH: u32 = 120;
pub const HEIGHT: u32 = 80;
/// Pixels a tile.
pub const SIDE: f32 = 8.0;
pub const FLOOR: u8 = b'.';
pub const WALL: u8 = b'#';

const TICKS_A_SECOND: f64 = 20.0;
const UNITS: usize = 60;

/// The kinds of units.
#[derive(Resource, Clone, Copy)]
pub struct Kinds {
    pub scout: ProfileId,
    pub tank: ProfileId,
}

/// A unit, and its place in the crowd: they do not all go to one tile.
#[derive(Component)]
pub struct Unit {
    pub profile: ProfileId,
    pub size: u8,
    place: usize,
}

/// Everyone goes there.
#[derive(Message)]
pub struct OrderToAll(pub Tile);

/// Walls and orders of its own.
#[derive(Resource)]
pub struct Script(Rng);

impl Default for Script {
    fn default() -> Script {
        Script(Rng::new(7))
    }
}

pub struct Skirmish;

impl Plugin for Skirmish {
    fn build(&self, app: &mut App) {
        let map = generate(Kind::Rts, WIDTH, HEIGHT, 11).expect("a size that maps may have");
        let grid = map.grid(Movement::NoCornerCutting);
        let cells = (0..grid.tiles()).map(tidegate::CellId::from_index);
        let class = |cell| if grid.is_free_cell(cell) { FLOOR } else { WALL };
        let ground = cells.map(class).collect();
        let mut ground = Ground::new(WIDTH, HEIGHT, ground).expect("a class for each tile");
        let scout = ground.add(Profile::new().entering([FLOOR]));
        let tank = ground.add(Profile::new().entering([FLOOR]).of_size(2));
        let mut world = TileWorld::new(ground);
        world.decompose(scout);
        for profile in [scout, tank] {
            world.keep_ready(profile, engine::CORNERS);
        }
        app.add_plugins(
            TidegatePlugin::in_schedule(FixedUpdate).answering(Answers::SameTick { most: 200 }),
        )
        .insert_resource(world)
        .insert_resource(TileSpace::centred(WIDTH, HEIGHT, SIDE))
        .insert_resource(Kinds { scout, tank })
        .insert_resource(Time::<Fixed>::from_hz(TICKS_A_SECOND))
        .add_message::<OrderToAll>()
        .add_systems(Startup, muster)
        .add_systems(FixedUpdate, give_order.before(TidegateSystems::Edit))
        .add_systems(FixedUpdate, walk.after(TidegateSystems::Order));
    }
}

/// Puts units on free ground.
fn muster(mut commands: Commands, world: Res<TileWorld>, kinds: Res<Kinds>) {
    let mut rng = Rng::new(3);
    for place in 0..UNITS {
        let profile = if place % 4 == 0 { kinds.tank } else { kinds.scout };
        let size = world.world().profile(profile).size();
        let tiles: Vec<Tile> = {
            let grid = world.index_of(profile).grid();
            grid.free_cells().map(|cell| grid.tile(cell)).collect()
        };
        if let Some(&tile) = rng.pick(&tiles) {
            commands.spawn((Unit { profile, size, place }, TilePosition(tile)));
        }
    }
}

/// Each unit gets a goal of its own around the one that was ordered.
fn give_order(
    mut commands: Commands,
    mut orders: MessageReader<OrderToAll>,
    units: Query<(Entity, &Unit)>,
) {
    let Some(&OrderToAll(goal)) = orders.read().last() else { return };
    for (entity, unit) in &units {
        let (row, column) = (unit.place as i32 / 8 - 4, unit.place as i32 % 8 - 4);
        let near =
            |at: u16, by: i32, most: u32| (i32::from(at) + 2 * by).clamp(0, most as i32 - 1) as u16;
        let goal = Tile::new(near(goal.x, column, WIDTH), near(goal.y, row, HEIGHT));
        commands.entity(entity).insert(PathRequest::new(unit.profile, goal).or_nearest());
    }
}

/// One tile a tick.
fn walk(mut units: Query<(&mut TilePosition, &TilePath)>) {
    for (mut position, path) in &mut units {
        if let Some(next) = path.next_from(position.0) {
            position.0 = next;
        }
    }
}

/// In every tick a wall across somebody's way; every few seconds an order.
pub fn play_script(
    mut script: ResMut<Script>,
    mut tick: Local<usize>,
    world: Res<TileWorld>,
    mut edits: MessageWriter<EditTiles>,
    mut orders: MessageWriter<OrderToAll>,
    paths: Query<&TilePath>,
    kinds: Res<Kinds>,
) {
    let Script(rng) = &mut *script;
    if *tick % 100 == 0 {
        let grid = world.index_of(kinds.scout).grid();
        let tiles: Vec<Tile> = grid.free_cells().map(|cell| grid.tile(cell)).collect();
        orders.write_batch(rng.pick(&tiles).copied().map(OrderToAll));
    }
    if *tick % 5 == 4 {
        let ways: Vec<&TilePath> = paths.iter().filter(|path| path.rest().len() > 8).collect();
        if let Some(path) = rng.pick(&ways) {
            let tile = path.rest()[path.rest().len() / 2];
            edits.write(EditTiles::new([(tile, WALL)]));
        }
    }
    *tick += 1;
}

/// Plays so many ticks and tells what happened.
pub fn play_headless(ticks: u32) -> ExitCode {
    #[derive(Resource, Default)]
    struct Seen {
        edits: usize,
    }
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, Skirmish))
        .init_resource::<Script>()
        .init_resource::<Seen>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(FixedUpdate, play_script.before(TidegateSystems::Edit))
        .add_systems(
            FixedUpdate,
            (|mut edited: MessageReader<MapEdited>, mut seen: ResMut<Seen>| {
                seen.edits += edited.read().count();
            })
            .after(TidegateSystems::Edit),
        );
    app.finish();
    app.cleanup();
    let began = Instant::now();
    for _ in 0..ticks {
        app.update();
    }
    let took = began.elapsed();
    let edits = app.world().resource::<Seen>().edits;
    let mut units = app.world_mut().query::<(&TilePosition, Option<&TilePath>, Has<PathFailed>)>();
    let (mut there, mut walking, mut lost) = (0, 0, 0);
    for (position, path, failed) in units.iter(app.world()) {
        match path {
            Some(path) if path.goal() == position.0 => there += 1,
            Some(_) => walking += 1,
            None => lost += usize::from(failed),
        }
    }
    println!(
        "{ticks} ticks in {:.0} ms: {edits} edits; {there} units are there, {walking} walk, {lost} have no way",
        took.as_secs_f64() * 1e3
    );
    ExitCode::SUCCESS
}
