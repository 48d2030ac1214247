//! Zones, gates and paths, drawn over the game with Bevy's gizmos.
//!
//! ```no_run
//! use bevy_app::App;
//! use bevy_tidegate::TidegatePlugin;
//! use bevy_tidegate::gizmos::{TidegateGizmos, TidegateGizmosPlugin};
//! let mut app = App::new();
//! app.add_plugins((TidegatePlugin::default(), TidegateGizmosPlugin));
//! app.insert_resource(TidegateGizmos { paths: false, ..Default::default() });
//! ```

use bevy_app::{App, Plugin, PostUpdate};
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::prelude::Gizmos;
use bevy_math::Vec2;
use tidegate::decompose::Place;
use tidegate::region::{Regions, borders};
use tidegate::world::ProfileId;
use tidegate::{Index, Tile};

use crate::path::{PathRequest, TilePath};
use crate::space::TileSpace;
use crate::world::{MapState, TileWorld};

/// Draws what [`TidegateGizmos`] says, where [`TileSpace`] says the map lies.
#[derive(Clone, Copy, Debug, Default)]
pub struct TidegateGizmosPlugin;

/// What is drawn; a resource that may be changed at any time.
#[derive(Resource, Clone, Copy, Debug)]
pub struct TidegateGizmos {
    /// Whose zones and gates: those of the first profile if there is none. They are drawn once they
    /// are there ([`TileWorld::decompose`], or an engine of gates).
    pub profile: Option<ProfileId>,
    /// Whether the borders of zones are drawn, each in a colour of its own.
    pub zones: bool,
    /// Whether gates are drawn.
    pub gates: bool,
    /// Whether what lies ahead of units is drawn.
    pub paths: bool,
    /// The colour of gates.
    pub gate_colour: Color,
    /// The colour of paths.
    pub path_colour: Color,
}

impl Default for TidegateGizmos {
    /// All of it.
    fn default() -> TidegateGizmos {
        TidegateGizmos {
            profile: None,
            zones: true,
            gates: true,
            paths: true,
            gate_colour: Color::srgb(1.0, 0.35, 0.2),
            path_colour: Color::srgba(1.0, 0.9, 0.3, 0.6),
        }
    }
}

impl Plugin for TidegateGizmosPlugin {
    fn build(&self, app: &mut App) {
        let there = resource_exists::<TileWorld>.and_then(resource_exists::<TileSpace>);
        app.init_resource::<TidegateGizmos>()
            .add_systems(PostUpdate, (draw_zones, draw_paths).run_if(there));
    }
}

/// Zones and gates as lines, until the map or its place changes.
#[derive(Default)]
struct ZoneLines {
    of: Option<(ProfileId, MapState, TileSpace)>,
    zones: Vec<(Vec<Vec2>, Color)>,
    gates: Vec<(Vec2, Vec2)>,
}

impl ZoneLines {
    fn new(index: &Index, space: &TileSpace) -> ZoneLines {
        let mut lines = ZoneLines::default();
        let Some(parts) = index.decomposition() else { return lines };
        let regions = Regions::new(index.grid(), parts);
        for zone in parts.live_zones() {
            let inside = |x: i32, y: i32| {
                let tile = u16::try_from(x).ok().zip(u16::try_from(y).ok()).map(Tile::from);
                let cell = tile.and_then(|tile| index.grid().cell(tile));
                cell.is_some_and(|cell| parts.place(cell) == Place::Zone(zone.id()))
            };
            // Neighbours in number get colours far apart.
            let hue = zone.id().index() as f32 * 137.508 % 360.0;
            let colour = Color::hsla(hue, 0.8, 0.6, 0.7);
            for border in borders(regions.bounds(zone.id()).map(i32::from), inside) {
                let corners = border.into_iter().map(|corner| space.corner(corner)).collect();
                lines.zones.push((corners, colour));
            }
        }
        let gate =
            |line: tidegate::decompose::GateLine| (space.centre(line.a()), space.centre(line.b()));
        lines.gates = parts.live_gates().map(|found| gate(found.line())).collect();
        lines
    }
}

fn draw_zones(
    mut gizmos: Gizmos<'_, '_>,
    world: Res<'_, TileWorld>,
    space: Res<'_, TileSpace>,
    settings: Res<'_, TidegateGizmos>,
    mut lines: Local<'_, ZoneLines>,
) {
    let first = world.world().profiles().next().map(|(profile, _)| profile);
    let profile = settings.profile.filter(|&profile| world.knows(profile)).or(first);
    let Some(profile) = profile.filter(|_| settings.zones || settings.gates) else { return };
    let index = world.index_of(profile);
    if index.decomposition().is_none() {
        return;
    }
    let of = Some((profile, world.state_of(profile), *space));
    if lines.of != of {
        *lines = ZoneLines { of, ..ZoneLines::new(index, &space) };
    }
    if settings.zones {
        for (corners, colour) in &lines.zones {
            gizmos.lineloop_2d(corners.iter().copied(), *colour);
        }
    }
    if settings.gates {
        for &(a, b) in &lines.gates {
            gizmos.line_2d(a, b, settings.gate_colour);
            for end in [a, b] {
                gizmos.rect_2d(end, space.tile.abs() * 0.7, settings.gate_colour);
            }
        }
    }
}

fn draw_paths(
    mut gizmos: Gizmos<'_, '_>,
    world: Res<'_, TileWorld>,
    space: Res<'_, TileSpace>,
    settings: Res<'_, TidegateGizmos>,
    paths: Query<'_, '_, (&TilePath, Option<&PathRequest>)>,
) {
    if !settings.paths {
        return;
    }
    for (path, request) in &paths {
        let profile = request.map(|request| request.profile).filter(|&id| world.knows(id));
        let size = profile.map_or(1, |profile| world.world().profile(profile).size());
        let points = path.rest().iter().map(|&tile| space.centre_of_unit(tile, size));
        gizmos.linestrip_2d(points, settings.path_colour);
    }
}
