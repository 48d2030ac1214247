//! A thousand units, edits in every tick: how many answers are wrong.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_tidegate::{
    Answers, EditTiles, MapEdited, PathFailed, PathRequest, PathStatus, TidegatePlugin, TilePath,
    TilePosition, TileWorld,
};
use tidegate::generate::{Kind, generate};
use tidegate::rng::Rng;
use tidegate::world::{Profile, World as Ground};
use tidegate::{Movement, Tile, engine};
use tidegate_testkit::oracle;

const UNITS: usize = 1_000;
const GOALS: usize = 8;
const TICKS: usize = 30;
const SIDE: u32 = 96;

#[test]
fn a_thousand_units_and_edits_each_tick() {
    for answers in [Answers::SameTick { most: usize::MAX }, Answers::WhenReady] {
        let mut rng = Rng::new(22);
        let map = generate(Kind::Rts, SIDE, SIDE, 7).unwrap();
        let mut shadow = map.grid(Movement::NoCornerCutting);
        let tiles: Vec<Tile> = shadow.free_cells().map(|cell| shadow.tile(cell)).collect();
        let floor = b'.';
        let cells = (0..shadow.tiles()).map(tidegate::CellId::from_index);
        let ground: Vec<u8> =
            cells.map(|cell| if shadow.is_free_cell(cell) { floor } else { b'#' }).collect();
        let mut world = Ground::new(SIDE, SIDE, ground).unwrap();
        let walker = world.add(Profile::new().entering([floor]));
        let mut world = TileWorld::new(world);
        world.prepare(walker, engine::CORNERS).unwrap();

        let mut app = App::new();
        app.add_plugins(TidegatePlugin::default().answering(answers)).insert_resource(world);
        let goals: Vec<Tile> = (0..GOALS).map(|_| *rng.pick(&tiles).unwrap()).collect();
        let units: Vec<Entity> = (0..UNITS)
            .map(|n| {
                let position = TilePosition(*rng.pick(&tiles).unwrap());
                app.world_mut().spawn((position, PathRequest::new(walker, goals[n % GOALS]))).id()
            })
            .collect();

        let (mut exact, mut legal, mut failed, mut edits) = (0, 0, 0, 0);
        let mut built: Vec<Tile> = Vec::new();
        for tick in 0..TICKS {
            app.update();
            edits += app.world_mut().resource_mut::<Messages<MapEdited>>().drain().count();
            let distances: Vec<_> =
                goals.iter().map(|&goal| oracle::distances(&shadow, goal)).collect();
            for (n, &unit) in units.iter().enumerate() {
                let world = app.world();
                let at = world.get::<TilePosition>(unit).unwrap().0;
                let best = distances[n % GOALS][shadow.cell(at).unwrap().index()];
                let status = *world.get::<PathStatus>(unit).unwrap();
                if let Some(path) = world.get::<TilePath>(unit) {
                    let rest = tidegate::Path::from_tiles(path.rest().to_vec());
                    let cost = rest.check(&shadow).unwrap_or_else(|e| panic!("tick {tick}: {e}"));
                    assert_eq!((rest[0], path.goal()), (at, goals[n % GOALS]), "tick {tick}");
                    legal += 1;
                    if status == PathStatus::Found {
                        assert_eq!(Some(cost), best, "tick {tick}, from {at}");
                        exact += 1;
                    }
                } else if let Some(why) = world.get::<PathFailed>(unit) {
                    let waits = !matches!(status, PathStatus::Failed);
                    assert!(waits || best.is_none(), "tick {tick}, from {at}: {why}");
                    failed += 1;
                } else {
                    let same_tick = answers != Answers::WhenReady;
                    assert!(!same_tick, "tick {tick}: {at} has neither path nor failure");
                }
            }
            // Three walls are built, on somebody's way as a rule, and an older one or two broken;
            // then everyone goes on.
            let mut changes: Vec<(Tile, u8)> = Vec::new();
            for _ in 0..3 {
                let unit = *rng.pick(&units).unwrap();
                let path = app.world().get::<TilePath>(unit);
                let tile = path.and_then(|path| rng.pick(path.rest()).copied());
                let tile = tile.unwrap_or_else(|| *rng.pick(&tiles).unwrap());
                if !goals.contains(&tile) {
                    changes.push((tile, b'#'));
                }
            }
            for _ in 0..rng.below(3).min(built.len()) {
                changes.push((built.swap_remove(rng.below(built.len())), floor));
            }
            built.extend(changes.iter().filter(|(_, class)| *class == b'#').map(|&(tile, _)| tile));
            for &(tile, class) in &changes {
                shadow.set_free(tile, class == floor);
            }
            app.world_mut().write_message(EditTiles::new(changes));
            for &unit in &units {
                let at = app.world().get::<TilePosition>(unit).unwrap().0;
                let next = app.world().get::<TilePath>(unit).and_then(|path| path.next_from(at));
                if let Some(next) = next {
                    app.world_mut().get_mut::<TilePosition>(unit).unwrap().0 = next;
                }
            }
        }
        println!(
            "{answers:?}: {exact} exact, {legal} legal, {failed} failed, {edits} edits, 0 wrong"
        );
        assert!(edits >= TICKS - 1, "{edits} edits in {TICKS} ticks");
        if answers != Answers::WhenReady {
            assert_eq!(exact, legal);
            assert_eq!(legal + failed, UNITS * TICKS);
        }
        // How soon later answers come is not told: what there is must be right.
        assert!(exact > UNITS, "only {exact} were compared");
    }
}
