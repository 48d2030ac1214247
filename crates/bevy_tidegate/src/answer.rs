//! Requests become paths, and paths stay right.
//!
//! In every tick, after the edits: paths that an edit may have made wrong are looked at, answers
//! that have come are handed out, and what is waiting is asked.

use std::collections::BTreeSet;

use bevy_ecs::prelude::*;
use bevy_tasks::{ComputeTaskPool, Task, TaskPool, futures::check_ready};
use tidegate::engine;
use tidegate::index::PathState;
use tidegate::world::ProfileId;
use tidegate::{Index, Path, Query as PathQuery, Scratch, Tile};

use crate::edit::MapEdited;
use crate::path::{PathFailed, PathRequest, PathStatus, TilePath, TilePosition};
use crate::plugin::{Answers, TidegateSettings};
use crate::prepare::background;
use crate::world::{MapState, TileWorld};

/// So many requests go to a thread together.
const PORTION: usize = 32;

/// A request on its way to an answer.
#[derive(Clone, Copy, Debug)]
struct Asked {
    entity: Entity,
    ticket: u64,
    request: PathRequest,
    start: Tile,
}

/// What came of it.
#[derive(Debug)]
struct Answered {
    asked: Asked,
    state: MapState,
    result: Result<TilePath, PathFailed>,
}

/// Answers that are being worked out.
#[derive(Resource, Debug, Default)]
pub(crate) struct Pending {
    tasks: Vec<Task<Vec<Answered>>>,
    tickets: u64,
}

/// What is needed to look after the path of a unit.
type Unit = (
    Entity,
    &'static PathRequest,
    &'static mut PathStatus,
    Option<&'static TilePosition>,
    Option<&'static mut TilePath>,
    Has<PathFailed>,
);

/// A new request is to be asked.
pub(crate) fn notice_requests(mut requests: Query<'_, '_, &mut PathStatus, Changed<PathRequest>>) {
    for mut status in &mut requests {
        *status = PathStatus::Waiting;
    }
}

/// Paths follow their units; a unit that has left its path asks again.
pub(crate) fn notice_moves(
    mut commands: Commands<'_, '_>,
    mut moved: Query<'_, '_, Unit, Changed<TilePosition>>,
) {
    for (entity, request, mut status, position, path, _) in &mut moved {
        let (None, Some(position)) = (request.from, position) else { continue };
        if let Some(mut path) = path {
            if path.follow(position.0) {
                continue;
            }
            commands.entity(entity).remove::<TilePath>();
        }
        if matches!(*status, PathStatus::Found | PathStatus::Failed) {
            *status = PathStatus::Waiting;
        }
    }
}

/// Looks at all paths on maps that were edited.
pub(crate) fn review_paths(
    mut commands: Commands<'_, '_>,
    world: Res<'_, TileWorld>,
    mut edits: MessageReader<'_, '_, MapEdited>,
    mut reviewed: Local<'_, Option<u64>>,
    mut units: Query<'_, '_, Unit>,
) {
    let is_other = reviewed.replace(world.id()) != Some(world.id());
    let edited: BTreeSet<ProfileId> =
        edits.read().flat_map(|edit| &edit.profiles).map(|&(profile, _)| profile).collect();
    if edited.is_empty() && !is_other {
        return;
    }
    for (entity, request, mut status, position, path, _) in &mut units {
        if !world.knows(request.profile) || !(is_other || edited.contains(&request.profile)) {
            continue;
        }
        if let Some(mut path) = path {
            if !keep(&world, request, position, &mut path, &mut status) {
                commands.entity(entity).remove::<TilePath>();
            }
        } else if *status == PathStatus::Failed
            && (is_other || may_be_found(&world, request, position))
        {
            *status = PathStatus::Waiting;
        }
    }
}

/// Whether a path may stay: it can be walked. If another may be better, that one is asked for.
fn keep(
    world: &TileWorld,
    request: &PathRequest,
    position: Option<&TilePosition>,
    path: &mut TilePath,
    status: &mut PathStatus,
) -> bool {
    let index = world.index_of(request.profile);
    let state = path.state.is_of(world).then(|| path.look(index));
    let leads_there =
        request.start(position).is_some_and(|start| request.end(index, start) == path.goal());
    if state == Some(PathState::Shortest) && leads_there {
        path.state = world.state_of(request.profile);
    } else if *status == PathStatus::Found {
        *status = PathStatus::Waiting;
    }
    matches!(state, Some(PathState::Shortest | PathState::Legal))
}

/// Whether it is worth asking again after a failure.
fn may_be_found(world: &TileWorld, request: &PathRequest, position: Option<&TilePosition>) -> bool {
    let index = world.index_of(request.profile);
    let start = request.start(position);
    start.is_some_and(|start| index.reachable(start, request.end(index, start)))
}

/// Hands out the answers that have come.
pub(crate) fn receive_paths(
    mut commands: Commands<'_, '_>,
    world: Res<'_, TileWorld>,
    mut pending: ResMut<'_, Pending>,
    mut units: Query<'_, '_, Unit>,
) {
    pending.tasks.retain_mut(|task| {
        let Some(answers) = check_ready(task) else { return true };
        for answer in answers {
            deliver(&mut commands, &world, &mut units, answer);
        }
        false
    });
}

/// Asks what is waiting.
pub(crate) fn ask_paths(
    mut commands: Commands<'_, '_>,
    mut world: ResMut<'_, TileWorld>,
    settings: Res<'_, TidegateSettings>,
    mut pending: ResMut<'_, Pending>,
    mut units: Query<'_, '_, Unit>,
) {
    let mut asked = Vec::new();
    for (entity, &request, mut status, position, _, _) in &mut units {
        if *status != PathStatus::Waiting {
            continue;
        }
        if !world.knows(request.profile) {
            *status = PathStatus::Failed;
            let failed = PathFailed::UnknownProfile(request.profile);
            commands.entity(entity).remove::<TilePath>().insert(failed);
        } else if let Some(start) = request.start(position) {
            asked.push(Asked { entity, ticket: 0, request, start });
        }
    }
    if let Answers::SameTick { most } = settings.answers
        && asked.len() > most
    {
        // Everyone comes first once.
        let first = pending.tickets as usize % asked.len();
        asked.rotate_left(first);
        asked.truncate(most);
    }
    for asked in &mut asked {
        pending.tickets += 1;
        asked.ticket = pending.tickets;
        if let Ok((_, _, mut status, ..)) = units.get_mut(asked.entity) {
            *status = PathStatus::Asked(asked.ticket);
        }
        want_engine(&mut world, &asked.request);
    }
    asked.sort_by_key(|asked| asked.request.profile);
    let of_one_profile = |a: &Asked, b: &Asked| a.request.profile == b.request.profile;
    let portions = asked.chunk_by(of_one_profile).flat_map(|asked| asked.chunks(PORTION));
    match settings.answers {
        Answers::WhenReady => pending.tasks.extend(portions.map(|portion| {
            let (portion, profile) = (portion.to_vec(), portion[0].request.profile);
            let (index, state) = (world.index_of(profile).clone(), world.state_of(profile));
            background().spawn(async move { answer(&index, state, &portion) })
        })),
        Answers::SameTick { .. } => {
            let answers = ComputeTaskPool::get_or_init(TaskPool::default).scope(|scope| {
                for portion in portions {
                    let profile = portion[0].request.profile;
                    let (index, state) = (world.index_of(profile), world.state_of(profile));
                    scope.spawn(async move { answer(index, state, portion) });
                }
            });
            for answer in answers.into_iter().flatten() {
                deliver(&mut commands, &world, &mut units, answer);
            }
        }
    }
}

/// Has an engine built that is needed for the first time.
fn want_engine(world: &mut ResMut<'_, TileWorld>, request: &PathRequest) {
    let &PathRequest { profile, engine, .. } = request;
    if !engine.has_tables(world.index_of(profile)) && !world.tables[profile.index()].wants(engine) {
        world.keep_ready(profile, engine);
    }
}

/// Answers requests of one profile.
fn answer(index: &Index, state: MapState, portion: &[Asked]) -> Vec<Answered> {
    let one = |&asked: &Asked, scratch: &mut Scratch| {
        let Asked { request, start, .. } = asked;
        let goal = request.end(index, start);
        let engine = if request.engine.has_tables(index) { request.engine } else { engine::AUTO };
        let mut path = Path::new();
        let result = index.find(engine, &PathQuery::new(start, goal), scratch, &mut path);
        let result = match result.map(|answer| answer.cost()) {
            Ok(Some(cost)) => Ok(TilePath::new(path, cost, state)),
            Ok(None) => Err(PathFailed::NoWay { from: start, goal }),
            Err(error) => Err(PathFailed::Query(error)),
        };
        Answered { asked, state, result }
    };
    index.with_scratch(|scratch| portion.iter().map(|asked| one(asked, scratch)).collect())
}

/// Gives a unit its answer, unless it is gone or wants another by now.
fn deliver(
    commands: &mut Commands<'_, '_>,
    world: &TileWorld,
    units: &mut Query<'_, '_, Unit>,
    answer: Answered,
) {
    let Answered { asked, state, result } = answer;
    let Ok(unit) = units.get_mut(asked.entity) else { return };
    let (entity, request, mut status, position, path, has_failed) = unit;
    if *status != PathStatus::Asked(asked.ticket) {
        return;
    }
    *status = PathStatus::Waiting;
    if !state.is_of(world) {
        return;
    }
    let is_old = state != world.state_of(request.profile);
    match result {
        Ok(mut found) => {
            // Meanwhile the unit may have gone on, and the map may have changed.
            let moved = position.filter(|_| request.from.is_none());
            if moved.is_some_and(|position| !found.follow(position.0)) {
                return;
            }
            *status = PathStatus::Found;
            if is_old && !keep(world, request, position, &mut found, &mut status) {
                return;
            }
            if has_failed {
                commands.entity(entity).remove::<PathFailed>();
            }
            match path {
                Some(mut path) => *path = found,
                None => _ = commands.entity(entity).insert(found),
            }
        }
        Err(_) if is_old && may_be_found(world, request, position) => {}
        Err(failed) => {
            *status = PathStatus::Failed;
            commands.entity(entity).remove::<TilePath>().insert(failed);
        }
    }
}
