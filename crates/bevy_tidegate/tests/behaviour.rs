//! What a game may do and get wrong.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_tidegate::{
    Answers, EditCost, EditRefused, EditTiles, EnginePrepared, GoalOrder, MapEdited, NextStep,
    PathFailed, PathRequest, PathStatus, TidegatePlugin, TilePath, TilePosition, TileWorld,
};
use tidegate::cost::Factor;
use tidegate::index::{EditError, TableState};
use tidegate::world::{Profile, ProfileId, World as Ground};
use tidegate::{QueryError, Tile, engine};

const ROWS: [&str; 3] = ["......", ".####.", "......"];

fn app(rows: &[&str], answers: Answers) -> (App, ProfileId) {
    let mut world = Ground::from_rows(rows).unwrap();
    let walker = world.add(Profile::new().entering(b"."));
    let mut app = App::new();
    app.add_plugins(TidegatePlugin::default().answering(answers))
        .insert_resource(TileWorld::new(world));
    (app, walker)
}

fn now(rows: &[&str]) -> (App, ProfileId) {
    app(rows, Answers::SameTick { most: usize::MAX })
}

fn spawn(app: &mut App, at: (u16, u16), request: PathRequest) -> Entity {
    app.world_mut().spawn((TilePosition(at.into()), request)).id()
}

fn length(app: &App, unit: Entity) -> Option<usize> {
    app.world().get::<TilePath>(unit).map(|path| path.tiles().len())
}

fn drain<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}

/// Goes on until something holds. What works in the background takes as long as it takes.
fn until(app: &mut App, mut holds: impl FnMut(&mut App) -> bool) {
    loop {
        app.update();
        if holds(app) {
            return;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_path_is_kept_or_found_again() {
    let (mut app, walker) = now(&ROWS);
    let unit = spawn(&mut app, (0, 0), PathRequest::new(walker, (5, 0)));
    app.update();
    assert_eq!(length(&app, unit), Some(6));
    let found = app.world().entity(unit).get_change_ticks::<TilePath>().unwrap().added;

    app.world_mut().write_message(EditTiles::new([((3, 2), b'#')]));
    app.update();
    let edited = drain::<MapEdited>(&mut app);
    assert_eq!(edited[0].tiles, [Tile::new(3, 2)]);
    assert_eq!(edited[0].profiles.len(), 1);
    let kept = app.world().entity(unit).get_change_ticks::<TilePath>().unwrap().added;
    assert_eq!(kept, found, "a wall elsewhere");

    app.world_mut().write_message(EditTiles::new([((3, 0), b'#'), ((3, 2), b'.')]));
    app.update();
    assert_eq!(length(&app, unit), Some(10), "around the other side");
    app.world_mut().write_message(EditTiles::new([((3, 2), b'#')]));
    app.update();
    assert_eq!(length(&app, unit), None);
    let failed = PathFailed::NoWay { from: Tile::new(0, 0), goal: Tile::new(5, 0) };
    assert_eq!(app.world().get::<PathFailed>(unit), Some(&failed));

    // What was opened gives hope to those without a path.
    app.world_mut().write_message(EditTiles::new([((3, 0), b'.')]));
    app.update();
    assert_eq!(length(&app, unit), Some(6));
    assert_eq!(app.world().get::<PathFailed>(unit), None);
}

#[test]
fn an_edit_outside_the_map_is_refused_alone() {
    let (mut app, walker) = now(&ROWS);
    let unit = spawn(&mut app, (0, 0), PathRequest::new(walker, (5, 0)));
    let wrong = EditTiles::new([((2, 0), b'#'), ((6, 0), b'#')]);
    app.world_mut().write_message(wrong.clone());
    app.world_mut().write_message(EditTiles::new([((1, 0), b'#')]));
    app.update();
    let tile = Tile::new(6, 0);
    let error = EditError::Outside { tile, width: 6, height: 3 };
    assert_eq!(drain::<EditRefused>(&mut app), [EditRefused::Tiles(wrong, error)]);
    assert_eq!(drain::<MapEdited>(&mut app)[0].tiles, [Tile::new(1, 0)]);
    assert_eq!(length(&app, unit), Some(10), "the other edit was made");
}

#[test]
fn an_edit_that_changes_nothing_says_nothing() {
    let (mut app, _) = now(&ROWS);
    app.world_mut().write_message(EditTiles::new([((1, 1), b'.'), ((1, 1), b'#')]));
    app.update();
    assert!(drain::<MapEdited>(&mut app).is_empty());
}

#[test]
fn what_cannot_be_answered_says_why() {
    let (mut app, walker) = now(&ROWS);
    let into_wall = spawn(&mut app, (0, 0), PathRequest::new(walker, (2, 1)));
    let outside = spawn(&mut app, (0, 0), PathRequest::new(walker, (2, 9)));
    let stranger = {
        let mut other = Ground::from_rows(&ROWS).unwrap();
        other.add(Profile::new());
        other.add(Profile::new().entering(b"#"))
    };
    let unknown = spawn(&mut app, (0, 0), PathRequest::new(stranger, (5, 0)));
    let ordered = app
        .world_mut()
        .spawn((TilePosition(Tile::new(0, 0)), GoalOrder::new(stranger, (5, 0))))
        .id();
    app.world_mut().write_message(EditCost { profile: stranger, class: b'#', factor: None });
    app.update();
    let why = |unit| app.world().get::<PathFailed>(unit).unwrap();
    let wall = QueryError::Wall { end: "goal", tile: Tile::new(2, 1) };
    assert_eq!(why(into_wall), &PathFailed::Query(wall));
    assert!(matches!(why(outside), PathFailed::Query(QueryError::Outside { .. })));
    assert_eq!(why(unknown), &PathFailed::UnknownProfile(stranger));
    assert_eq!(app.world().get::<NextStep>(ordered), Some(&NextStep::NoWay));
    assert_eq!(drain::<EditRefused>(&mut app).len(), 1);
}

#[test]
fn the_nearest_tile_takes_the_place_of_a_goal_until_that_is_free() {
    let (mut app, walker) = now(&["....#.", "....#.", "....##"]);
    let unit = spawn(&mut app, (0, 1), PathRequest::new(walker, (5, 1)).or_nearest());
    let order = GoalOrder::new(walker, (5, 1)).or_nearest();
    let other = app.world_mut().spawn((TilePosition(Tile::new(3, 1)), order)).id();
    app.update();
    assert_eq!(app.world().get::<TilePath>(unit).unwrap().goal(), Tile::new(3, 1));
    assert_eq!(app.world().get::<NextStep>(other), Some(&NextStep::Arrived));
    app.world_mut().write_message(EditTiles::new([((4, 1), b'.')]));
    app.update();
    assert_eq!(app.world().get::<TilePath>(unit).unwrap().goal(), Tile::new(5, 1));
    assert_eq!(app.world().get::<NextStep>(other), Some(&NextStep::Step(Tile::new(4, 1))));
}

#[test]
fn a_request_waits_for_its_unit_to_have_a_place() {
    let (mut app, walker) = now(&ROWS);
    let unit = app.world_mut().spawn(PathRequest::new(walker, (5, 0))).id();
    app.update();
    assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Waiting));
    app.world_mut().entity_mut(unit).insert(TilePosition(Tile::new(3, 0)));
    app.update();
    assert_eq!(length(&app, unit), Some(3));
    let fixed = PathRequest::new(walker, (5, 0)).starting_at((0, 0));
    app.world_mut().entity_mut(unit).insert(fixed);
    app.update();
    assert_eq!(length(&app, unit), Some(6), "from where it says, not from where it stands");
}

#[test]
fn costs_are_edited_for_one_kind_of_unit() {
    let (mut app, walker) = now(&["...", ".~.", "..."]);
    let straight = spawn(&mut app, (0, 1), PathRequest::new(walker, (2, 1)));
    app.update();
    assert_eq!(length(&app, straight), Some(5));
    let factor = Some(Factor::ONE);
    app.world_mut().write_message(EditCost { profile: walker, class: b'~', factor });
    app.update();
    assert_eq!(length(&app, straight), Some(3));
    let factor = Factor::new(50.0);
    app.world_mut().write_message(EditCost { profile: walker, class: b'~', factor });
    app.update();
    let around = app.world().get::<TilePath>(straight).unwrap();
    assert!(!around.tiles().contains(&Tile::new(1, 1)), "{:?}", around.tiles());
}

#[test]
fn another_level_makes_everyone_ask_again() {
    for answers in [Answers::WhenReady, Answers::SameTick { most: usize::MAX }] {
        let (mut app, walker) = app(&ROWS, answers);
        let unit = spawn(&mut app, (0, 0), PathRequest::new(walker, (5, 0)));
        let lost = spawn(&mut app, (0, 0), PathRequest::new(walker, (2, 1)));
        let odd = spawn(&mut app, (0, 0), PathRequest::new(walker, (2, 3)));
        let order = GoalOrder::new(walker, (5, 0));
        let ordered = app.world_mut().spawn((TilePosition(Tile::new(2, 0)), order)).id();
        app.update(); // perhaps the answers are still on their way
        let mut other = Ground::from_rows(&["..#...", "......", "......", "..#..."]).unwrap();
        assert_eq!(other.add(Profile::new().entering(b".")), walker);
        app.insert_resource(TileWorld::new(other));
        until(&mut app, |app| {
            let mut statuses = app.world_mut().query::<&PathStatus>();
            let done = [PathStatus::Found, PathStatus::Failed];
            statuses.iter(app.world()).all(|status| done.contains(status))
        });
        let path = app.world().get::<TilePath>(unit).unwrap();
        assert!(!path.tiles().contains(&Tile::new(2, 0)), "{answers:?}: {:?}", path.tiles());
        assert_eq!(length(&app, lost), Some(3));
        // What was outside the old level is a wall of the new one.
        let wall = QueryError::Wall { end: "goal", tile: Tile::new(2, 3) };
        assert_eq!(app.world().get::<PathFailed>(odd), Some(&PathFailed::Query(wall)));
        assert_eq!(app.world().get::<NextStep>(ordered), Some(&NextStep::NoWay));
    }
}

#[test]
fn units_may_go_while_their_answer_is_on_its_way() {
    let (mut app, walker) = app(&ROWS, Answers::WhenReady);
    let gone = spawn(&mut app, (0, 0), PathRequest::new(walker, (5, 0)));
    let free = spawn(&mut app, (0, 0), PathRequest::new(walker, (5, 0)));
    let other = spawn(&mut app, (0, 0), PathRequest::new(walker, (5, 0)));
    app.update();
    app.world_mut().despawn(gone);
    app.world_mut().entity_mut(free).remove::<PathRequest>();
    app.world_mut().get_mut::<PathRequest>(other).unwrap().goal = Tile::new(0, 2);
    until(&mut app, |app| app.world().get::<PathStatus>(other) == Some(&PathStatus::Found));
    assert_eq!(length(&app, other), Some(3), "the answer to what it wants now");
    assert_eq!(length(&app, free), None);
}

#[test]
fn engines_are_built_when_first_needed_and_again_when_edits_leave_them_behind() {
    let (mut app, walker) = now(&ROWS);
    let request = PathRequest::new(walker, (5, 0)).with_engine(engine::GATEWAY);
    let unit = spawn(&mut app, (0, 0), request);
    app.update();
    assert_eq!(length(&app, unit), Some(6), "another answers until it is there");
    let mut told = Vec::new();
    until(&mut app, |app| {
        told.extend(drain::<EnginePrepared>(app));
        !told.is_empty()
    });
    assert_eq!((told[0].profile, told[0].engine), (walker, "gateway"));
    assert_eq!(told[0].result, Ok(()));
    let stale = |app: &mut App| {
        let index = app.world().resource::<TileWorld>().index_of(walker);
        index.table_states().any(|(_, state)| state == TableState::Stale)
    };
    app.world_mut().write_message(EditTiles::new([((2, 1), b'.'), ((3, 1), b'.')]));
    app.update();
    until(&mut app, |app| !stale(app));
    let index = app.world().resource::<TileWorld>().index_of(walker);
    assert!(engine::GATEWAY.is_ready(index));
}

#[test]
fn an_engine_that_cannot_be_built_says_so_once() {
    let (mut app, walker) = now(&["..~", "...", "..."]);
    let (profile, factor) = (walker, Factor::new(2.0));
    app.world_mut().write_message(EditCost { profile, class: b'~', factor });
    app.world_mut().resource_mut::<TileWorld>().keep_ready(walker, engine::CORNERS);
    let mut told = Vec::new();
    until(&mut app, |app| {
        told.extend(drain::<EnginePrepared>(app));
        !told.is_empty()
    });
    for _ in 0..5 {
        app.update();
        told.extend(drain::<EnginePrepared>(&mut app));
    }
    assert_eq!(told.len(), 1);
    assert!(told[0].result.is_err());
}

#[test]
fn without_a_world_nothing_happens() {
    let mut app = App::new();
    app.add_plugins(TidegatePlugin::default());
    app.update();
}
