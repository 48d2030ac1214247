//! The window: the map as a picture, units as squares, the mouse.

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::asset::RenderAssetUsages;
use bevy::image::ImageSampler;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy::window::PrimaryWindow;
use bevy_tidegate::gizmos::{TidegateGizmos, TidegateGizmosPlugin};
use bevy_tidegate::tidegate::Tile;
use bevy_tidegate::{EditTiles, MapEdited, TidegateSystems, TilePosition, TileSpace, TileWorld};

use crate::game::{
    FLOOR, HEIGHT, OrderToAll, SIDE, Script, Skirmish, Unit, WALL, WIDTH, play_script,
};

/// The picture of the ground.
#[derive(Resource)]
struct GroundPicture(Handle<Image>);

/// A picture is taken after so many frames.
#[derive(Resource)]
struct TakePicture {
    file: PathBuf,
    frames: u32,
}

pub fn play(picture: Option<PathBuf>) -> ExitCode {
    let window = Window {
        title: "Skirmish: left builds, Shift-left breaks, right orders, Z zones, P paths".into(),
        resolution: ((WIDTH as f32 * SIDE) as u32, (HEIGHT as f32 * SIDE) as u32).into(),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins(DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }))
        .add_plugins((Skirmish, TidegateGizmosPlugin))
        .insert_resource(TidegateGizmos { zones: true, ..default() })
        .insert_resource(ClearColor(Color::srgb(0.08, 0.09, 0.11)))
        .add_systems(Startup, show_ground)
        .add_systems(Update, (dress_units, move_units).chain())
        .add_systems(Update, (use_mouse, use_keys, repaint_ground));
    if let Some(file) = picture {
        app.insert_resource(TakePicture { file, frames: 0 })
            .init_resource::<Script>()
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(FixedUpdate, play_script.before(TidegateSystems::Edit))
            .add_systems(Update, take_picture);
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}

fn colour(class: Option<u8>) -> [u8; 4] {
    match class {
        Some(FLOOR) => [58, 64, 74, 255],
        _ => [22, 24, 29, 255],
    }
}

fn show_ground(mut commands: Commands, mut images: ResMut<Assets<Image>>, world: Res<TileWorld>) {
    let tiles = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| Tile::new(x as u16, y as u16)));
    let pixels = tiles.flat_map(|tile| colour(world.world().ground(tile))).collect();
    let size = Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    let usages = RenderAssetUsages::default();
    let mut image = Image::new(size, TextureDimension::D2, pixels, format, usages);
    image.sampler = ImageSampler::nearest();
    let image = images.add(image);
    commands.insert_resource(GroundPicture(image.clone()));
    let custom_size = Some(Vec2::new(WIDTH as f32, HEIGHT as f32) * SIDE);
    commands.spawn(Sprite { image, custom_size, ..default() });
    commands.spawn(Camera2d);
}

fn repaint_ground(
    mut edited: MessageReader<MapEdited>,
    mut images: ResMut<Assets<Image>>,
    picture: Res<GroundPicture>,
    world: Res<TileWorld>,
) {
    for &tile in edited.read().flat_map(|edit| &edit.tiles) {
        let Some(mut image) = images.get_mut(&picture.0) else { return };
        let Some(pixels) = image.data.as_mut() else { return };
        let at = 4 * (usize::from(tile.y) * WIDTH as usize + usize::from(tile.x));
        pixels[at..at + 4].copy_from_slice(&colour(world.world().ground(tile)));
    }
}

fn dress_units(
    mut commands: Commands,
    space: Res<TileSpace>,
    units: Query<(Entity, &Unit, &TilePosition), Added<Unit>>,
) {
    for (entity, unit, position) in &units {
        let color =
            if unit.size > 1 { Color::srgb(0.35, 0.65, 1.0) } else { Color::srgb(0.5, 0.95, 0.55) };
        let custom_size = Some(Vec2::splat(SIDE * f32::from(unit.size) * 0.8));
        let place = space.centre_of_unit(position.0, unit.size).extend(1.0);
        let sprite = Sprite { color, custom_size, ..default() };
        commands.entity(entity).insert((sprite, Transform::from_translation(place)));
    }
}

/// Units glide to the tile that they stand on.
fn move_units(
    time: Res<Time>,
    space: Res<TileSpace>,
    mut units: Query<(&Unit, &TilePosition, &mut Transform)>,
) {
    let share = 1.0 - (-20.0 * time.delta_secs()).exp();
    for (unit, position, mut transform) in &mut units {
        let to = space.centre_of_unit(position.0, unit.size).extend(1.0);
        transform.translation = transform.translation.lerp(to, share);
    }
}

fn use_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    space: Res<TileSpace>,
    world: Res<TileWorld>,
    mut edits: MessageWriter<EditTiles>,
    mut orders: MessageWriter<OrderToAll>,
) {
    let (camera, at) = *camera;
    let point = window.cursor_position();
    let point = point.and_then(|point| camera.viewport_to_world_2d(at, point).ok());
    let tile = point.and_then(|point| space.tile(point));
    let Some((tile, class)) = tile.and_then(|tile| Some((tile, world.world().ground(tile)?)))
    else {
        return;
    };
    let breaks = keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let wanted = if breaks { FLOOR } else { WALL };
    if buttons.pressed(MouseButton::Left) && class != wanted {
        edits.write(EditTiles::new([(tile, wanted)]));
    }
    if buttons.just_pressed(MouseButton::Right) {
        orders.write(OrderToAll(tile));
    }
}

fn use_keys(keys: Res<ButtonInput<KeyCode>>, mut gizmos: ResMut<TidegateGizmos>) {
    if keys.just_pressed(KeyCode::KeyZ) {
        gizmos.zones = !gizmos.zones;
        gizmos.gates = gizmos.zones;
    }
    if keys.just_pressed(KeyCode::KeyP) {
        gizmos.paths = !gizmos.paths;
    }
}

/// A frame is a tick here, however slow the machine draws.
fn take_picture(
    mut commands: Commands,
    mut take: ResMut<TakePicture>,
    mut exit: MessageWriter<AppExit>,
) {
    take.frames += 1;
    if take.frames == 60 {
        commands.spawn(Screenshot::primary_window()).observe(save_to_disk(take.file.clone()));
    }
    if take.frames > 60 && take.file.exists() {
        exit.write(AppExit::Success);
    }
}
