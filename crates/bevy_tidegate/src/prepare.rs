//! Tables that are built on Bevy's threads while the game goes on.

use bevy_ecs::prelude::*;
use bevy_tasks::{AsyncComputeTaskPool, Task, TaskPool, futures::check_ready};
use tidegate::Index;
use tidegate::engine::Engine;
use tidegate::index::{BuildError, Built};
use tidegate::world::{ProfileId, World};

use crate::world::TileWorld;

/// Sent when an engine that was to be [kept ready](TileWorld::keep_ready) is, or cannot be.
#[derive(Message, Clone, Debug)]
#[non_exhaustive]
pub struct EnginePrepared {
    /// For which kind of unit.
    pub profile: ProfileId,
    /// The engine's name.
    pub engine: &'static str,
    /// Why it cannot be built for this map. It is not tried again until it is asked to be
    /// [kept ready](TileWorld::keep_ready) again; the best engine that is there answers.
    pub result: Result<(), BuildError>,
}

/// What is built for one profile, and what is to be.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    wanted: Vec<&'static dyn Engine>,
    work: Option<Work>,
    /// Whether edits have left tables behind that are to be built again.
    behind: bool,
}

#[derive(Debug)]
struct Work {
    /// The engine that the tables are for; none if old ones are built again.
    engine: Option<&'static dyn Engine>,
    task: Task<Vec<Result<Built, BuildError>>>,
}

impl Tables {
    pub(crate) fn want(&mut self, engine: &'static dyn Engine) {
        if !self.wants(engine) {
            self.wanted.push(engine);
        }
    }

    pub(crate) fn wants(&self, engine: &'static dyn Engine) -> bool {
        self.wanted.iter().any(|wanted| wanted.name() == engine.name())
    }

    /// Notes that an edit has left tables behind.
    pub(crate) fn fall_behind(&mut self) {
        self.behind = true;
    }

    /// Whether there is nothing to do in this tick. Asks for no index that nobody wants.
    fn is_idle(&self, world: &World, profile: ProfileId) -> bool {
        let is_there = |engine: &&'static dyn Engine| engine.has_tables(world.index_of(profile));
        self.work.is_none() && !self.behind && self.wanted.iter().all(is_there)
    }

    /// Begins to build what is missing, else what is slower than it could be; one thing at a time.
    fn start(&mut self, index: &Index) {
        if self.work.is_some() {
            return;
        }
        let mut snapshot = index.clone();
        let missing =
            |engine: &&&'static dyn Engine| !engine.has_tables(index) && !index.is_stale(**engine);
        if let Some(&engine) = self.wanted.iter().find(missing) {
            let task = background().spawn(async move {
                if let Err(error) = snapshot.prepare(engine) {
                    return vec![Err(error)];
                }
                let kinds = engine.tables().iter().chain(engine.beside());
                kinds.filter_map(|kind| snapshot.built(kind)).map(Ok).collect()
            });
            self.work = Some(Work { engine: Some(engine), task });
            return;
        }
        let kinds = index.want_rebuild();
        if std::mem::take(&mut self.behind) && !kinds.is_empty() {
            let task = background().spawn(async move {
                // A clone each: a table that is shared with a snapshot is copied when edited.
                kinds.into_iter().map(|kind| snapshot.clone().build_again_apart(kind)).collect()
            });
            self.work = Some(Work { engine: None, task });
        }
    }

    /// Takes over what is done. Says which engine it was for and how it went, if that is to be
    /// told.
    fn finish(&mut self, index: &mut Index) -> Option<(&'static str, Result<(), BuildError>)> {
        let work = self.work.as_mut()?;
        let built = check_ready(&mut work.task)?;
        let engine = work.engine;
        self.work = None;
        let mut failed = None;
        for table in built {
            match table {
                Ok(table) => {
                    let old = index.built(table.kind());
                    // One that cannot follow what was edited meanwhile is built again.
                    let _refused = index.adopt(table);
                    // To give back the memory of large tables takes milliseconds.
                    background().spawn(async move { drop(old) }).detach();
                }
                Err(error) => failed = Some(error),
            }
        }
        match (engine, failed) {
            (Some(engine), Some(error)) => {
                self.wanted.retain(|wanted| wanted.name() != engine.name());
                Some((engine.name(), Err(error)))
            }
            (Some(engine), None) => engine.has_tables(index).then(|| (engine.name(), Ok(()))),
            (None, None) => {
                self.behind |= !index.want_rebuild().is_empty();
                None
            }
            // On another map it may go better: the next edit tells.
            (None, Some(_)) => None,
        }
    }
}

/// Takes over the tables that are done and begins with those that are missing.
pub(crate) fn prepare_tables(
    mut world: ResMut<'_, TileWorld>,
    mut prepared: MessageWriter<'_, EnginePrepared>,
) {
    let profiles: Vec<ProfileId> = world.world.profiles().map(|(profile, _)| profile).collect();
    for profile in profiles {
        if world.tables[profile.index()].is_idle(&world.world, profile) {
            continue;
        }
        let TileWorld { world, tables, .. } = &mut *world;
        let index = world.index_of_mut(profile);
        let tables = &mut tables[profile.index()];
        if let Some((engine, result)) = tables.finish(index) {
            prepared.write(EnginePrepared { profile, engine, result });
        }
        tables.start(index);
    }
}

/// The threads for what need not be done within a tick.
pub(crate) fn background() -> &'static AsyncComputeTaskPool {
    AsyncComputeTaskPool::get_or_init(TaskPool::default)
}
