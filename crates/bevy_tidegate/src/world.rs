//! The map as a resource: what tiles are made of, the kinds of units, their indexes.

use std::sync::atomic::{AtomicU64, Ordering};

use bevy_ecs::prelude::*;
use tidegate::Index;
use tidegate::engine::Engine;
use tidegate::index::BuildError;
use tidegate::world::{Profile, ProfileId, World};

use crate::prepare::Tables;

/// The map that units move on: a [`tidegate::world::World`], with an index for each kind of
/// unit.
///
/// It is changed by messages alone ([`EditTiles`](crate::EditTiles),
/// [`EditCost`](crate::EditCost)), so that everyone who must know of a change learns of it. For
/// another level, insert another: what was asked of the old one is forgotten, and asked again.
///
/// ```
/// use bevy_tidegate::TileWorld;
/// use tidegate::engine;
/// use tidegate::world::{Profile, World};
/// let mut world = World::from_rows(&["......", ".##~~.", "......"]).unwrap();
/// let walker = world.add(Profile::new().entering(b"."));
/// let boat = world.add(Profile::new().entering(b"~"));
/// let mut world = TileWorld::new(world);
/// world.prepare(walker, engine::CORNERS).unwrap(); // now, while the level loads
/// world.keep_ready(boat, engine::JPS); // in the background, from the next tick on
/// assert!(world.index_of(walker).reachable((0, 0), (5, 2)));
/// ```
#[derive(Resource, Debug)]
pub struct TileWorld {
    pub(crate) world: World,
    /// Tells it from others that were a resource before it.
    id: u64,
    /// By profile.
    pub(crate) tables: Vec<Tables>,
}

/// What a map was when something was found on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MapState {
    world: u64,
    pub(crate) revision: u64,
}

impl MapState {
    /// Whether it is the same level, edited or not.
    pub(crate) fn is_of(self, world: &TileWorld) -> bool {
        self.world == world.id
    }
}

impl TileWorld {
    /// Takes a world over. Profiles may be added later, and saved indexes adopted before.
    pub fn new(world: World) -> TileWorld {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut tables = Vec::new();
        tables.resize_with(world.profiles().count(), Tables::default);
        TileWorld { world, id, tables }
    }

    /// The world itself: its size, its ground, its profiles.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Adds a kind of unit. One that is there already is not added again.
    pub fn add_profile(&mut self, profile: Profile) -> ProfileId {
        let id = self.world.add(profile);
        let profiles = self.tables.len().max(id.index() + 1);
        self.tables.resize_with(profiles, Tables::default);
        id
    }

    /// Whether the profile is one of this world.
    pub fn knows(&self, profile: ProfileId) -> bool {
        profile.index() < self.tables.len()
    }

    /// The index of a profile, made if it is asked for the first time: for all questions that
    /// need no component, such as [`Index::reachable`] or [`Index::nearest`].
    ///
    /// # Panics
    /// If the profile is not [one of this world](TileWorld::knows).
    pub fn index_of(&self, profile: ProfileId) -> &Index {
        self.world.index_of(profile)
    }

    /// Builds what an engine needs, now, unless it is there, and keeps it ready from then on.
    ///
    /// # Panics
    /// If the profile is not [one of this world](TileWorld::knows).
    pub fn prepare(
        &mut self,
        profile: ProfileId,
        engine: &'static dyn Engine,
    ) -> Result<(), BuildError> {
        self.world.prepare(profile, engine)?;
        self.keep_ready(profile, engine);
        Ok(())
    }

    /// Has what an engine needs built in the background, and built again when edits have left
    /// it behind. Until then the best engine that is there answers in its place.
    ///
    /// # Panics
    /// If the profile is not [one of this world](TileWorld::knows).
    pub fn keep_ready(&mut self, profile: ProfileId, engine: &'static dyn Engine) {
        self.tables[profile.index()].want(engine);
    }

    /// Finds zones and gates for a profile, now, unless they are there. They follow edits.
    ///
    /// # Panics
    /// If the profile is not [one of this world](TileWorld::knows).
    pub fn decompose(&mut self, profile: ProfileId) -> &tidegate::Decomposition {
        self.world.index_of_mut(profile).decompose()
    }

    pub(crate) fn state_of(&self, profile: ProfileId) -> MapState {
        MapState { world: self.id, revision: self.index_of(profile).revision() }
    }

    /// Tells it from other worlds.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }
}
