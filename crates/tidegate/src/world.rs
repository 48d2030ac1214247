//! Units that differ on ground that is not the same for all: tanks and scouts, boats, doors
//! that open for one side.
//!
//! A [`World`] knows of every tile what it is made of, as one byte: its **class** (wall,
//! floor, water, a door of the first player, ...). A [`Profile`] is a kind of unit: how many
//! tiles it is wide, which classes it may enter, and what each costs it. Every profile has an
//! [`Index`] of its own, made when it is first asked for, and an edit of the world reaches
//! all of them.
//!
//! A unit of size `k` takes up a square of `k` x `k` tiles and stands at the upper left one.
//! It fits at a tile if all tiles of the square that begins there are of classes that it may
//! enter; the square may not reach beyond the map. On the grid of these tiles it walks like
//! a unit of one tile, and nothing it passes is wall: a straight step sweeps the squares
//! at its two ends and no more, and under
//! [`NoCornerCutting`](crate::Movement::NoCornerCutting) a diagonal step is legal only if
//! the unit also fits at the two tiles beside it, whose squares together with those at its
//! ends cover all that it sweeps. Under [`OneSideFree`](crate::Movement::OneSideFree)
//! it may cut across half a tile, as a unit of one tile does. It pays for
//! the worst ground that it stands on.
//!
//! ```
//! use tidegate::world::{Profile, World};
//! use tidegate::{engine, Tile};
//! let rows = [
//!     "..........",
//!     "..#####D#.",
//!     "..#.......",
//!     "~~#.......",
//! ];
//! let mut world = World::from_rows(&rows).unwrap();
//! let scout = world.add(Profile::new().entering(b".D"));
//! let tank = world.add(Profile::new().entering(b".D").of_size(2));
//! let boat = world.add(Profile::new().entering(b"~"));
//! world.prepare(scout, engine::CORNERS).unwrap();
//!
//! // The scout takes the door; the tank does not fit.
//! assert_eq!(world.index_of(scout).path((7, 0), (7, 2)).unwrap().unwrap().len(), 3);
//! assert!(!world.index_of(tank).grid().is_free(Tile::new(7, 0)));
//! assert!(world.index_of(boat).grid().is_free(Tile::new(1, 3)));
//!
//! // The door falls shut, for everyone.
//! world.edit([((7, 1), b'#')]).unwrap();
//! assert_eq!(world.index_of(scout).path((7, 0), (7, 2)).unwrap().unwrap().len(), 7);
//! ```

mod ground;
mod profile;

use std::sync::OnceLock;

pub use ground::{Changed, Ground};
pub use profile::Profile;

use crate::cost::Factor;
use crate::grid::{GridError, Tile, TileMap};
use crate::index::{BuildError, EditError, EditReport, Engine, Index, Mismatch};

/// Why a world cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// It is too small or too large.
    #[error(transparent)]
    Size(#[from] GridError),
    /// There are not as many classes as tiles.
    #[error("{given} classes were given for {width} x {height} tiles")]
    Classes {
        /// How many were given.
        given: usize,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A row is longer or shorter than the first.
    #[error("row {row} has {length} tiles, the first has {first}")]
    Row {
        /// The row, from 0.
        row: usize,
        /// Its tiles.
        length: usize,
        /// The tiles of the first row.
        first: usize,
    },
}

/// Which profile of a [`World`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileId(usize);

impl ProfileId {
    /// The number of the profile, in the order in which they were added.
    pub fn index(self) -> usize {
        self.0
    }
}

/// What every tile is made of, and the kinds of units that move there.
#[derive(Clone, Debug)]
pub struct World {
    ground: Ground,
    units: Vec<Units>,
}

/// A profile with its index, once there is one.
#[derive(Clone, Debug)]
struct Units {
    profile: Profile,
    index: OnceLock<Index>,
}

/// What an edit has done to the index of each profile that has one.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WorldReport {
    /// In the order of the profiles. Those whose map the edit left as it was are not listed.
    pub profiles: Vec<(ProfileId, EditReport)>,
}

impl From<Ground> for World {
    fn from(ground: Ground) -> World {
        World { ground, units: Vec::new() }
    }
}

impl World {
    /// A world of this size whose tiles have these classes, row by row.
    pub fn new(width: u32, height: u32, ground: Vec<u8>) -> Result<World, WorldError> {
        Ground::new(width, height, ground).map(World::from)
    }

    /// A world drawn as rows of letters; the classes are the letters.
    pub fn from_rows<S: AsRef<[u8]>>(rows: &[S]) -> Result<World, WorldError> {
        Ground::from_rows(rows).map(World::from)
    }

    /// The world of a map file; the classes are its letters.
    pub fn from_map(map: &TileMap) -> World {
        Ground::from_map(map).into()
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.ground.width()
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.ground.height()
    }

    /// The class of a tile; `None` outside the map.
    pub fn ground(&self, tile: impl Into<Tile>) -> Option<u8> {
        self.ground.class(tile)
    }

    /// Adds a kind of unit. One that is there already is not added again.
    pub fn add(&mut self, profile: Profile) -> ProfileId {
        let known = self.units.iter().position(|units| units.profile == profile);
        ProfileId(known.unwrap_or_else(|| {
            self.units.push(Units { profile, index: OnceLock::new() });
            self.units.len() - 1
        }))
    }

    /// The profiles, in the order in which they were added.
    pub fn profiles(&self) -> impl Iterator<Item = (ProfileId, &Profile)> + '_ {
        self.units.iter().enumerate().map(|(n, units)| (ProfileId(n), &units.profile))
    }

    /// A profile.
    ///
    /// # Panics
    /// If it is one of another world, which has more.
    pub fn profile(&self, id: ProfileId) -> &Profile {
        &self.units[id.0].profile
    }

    /// The index of a profile, made if it is asked for the first time: its map alone.
    ///
    /// # Panics
    /// If the profile is one of another world, which has more.
    pub fn index_of(&self, id: ProfileId) -> &Index {
        let units = &self.units[id.0];
        units.index.get_or_init(|| Index::new(self.ground.grid(&units.profile)))
    }

    /// The same index, to build tables in it, to adopt and to drop them. The map in it is edited
    /// through [`World::edit`]: what is edited in the index itself, no other profile
    /// learns of, and the next edit of the world there undoes it.
    ///
    /// # Panics
    /// If the profile is one of another world, which has more.
    pub fn index_of_mut(&mut self, id: ProfileId) -> &mut Index {
        self.index_of(id);
        let made = self.units[id.0].index.get_mut();
        made.unwrap_or_else(|| unreachable!("it was made above"))
    }

    /// Builds what an engine needs for a profile, unless it is there already.
    ///
    /// # Panics
    /// If the profile is one of another world, which has more.
    pub fn prepare(&mut self, id: ProfileId, engine: &dyn Engine) -> Result<(), BuildError> {
        self.index_of_mut(id).prepare(engine)
    }

    /// Takes an index for a profile that was saved before, if its map is that of the profile.
    ///
    /// # Panics
    /// If the profile is one of another world, which has more.
    pub fn adopt(&mut self, id: ProfileId, index: Index) -> Result<(), Mismatch> {
        if index.grid().fingerprint() != self.index_of(id).grid().fingerprint() {
            let why = "walls, costs or the rule of movement differ".to_owned();
            return Err(Mismatch { what: "index of a profile", why });
        }
        self.units[id.0].index = OnceLock::from(index);
        Ok(())
    }

    /// Changes the classes of tiles, one or thousands; where a tile stands more than once,
    /// the last counts. The index of every profile follows, as [`Index::edit`] does. A tile
    /// outside the map is an error, and nothing is changed.
    pub fn edit<T: Into<Tile>>(
        &mut self,
        changes: impl IntoIterator<Item = (T, u8)>,
    ) -> Result<WorldReport, EditError> {
        let changed = self.ground.edit(changes)?;
        let mut report = WorldReport::default();
        for (n, Units { profile, index }) in self.units.iter_mut().enumerate() {
            let Some(index) = index.get_mut() else { continue };
            let changes = self.ground.changes(profile, &changed, index.grid());
            if !changes.is_empty() {
                report.profiles.push((ProfileId(n), index.edit(changes)?));
            }
        }
        Ok(report)
    }

    /// Sets what a class costs a profile from now on, or that it cannot be entered: the gate
    /// of an ally, a spell, a bridge that was found out.
    ///
    /// # Panics
    /// If the profile is one of another world, which has more.
    pub fn set_cost(
        &mut self,
        id: ProfileId,
        class: u8,
        factor: Option<Factor>,
    ) -> Result<Option<EditReport>, EditError> {
        let Units { profile, index } = &mut self.units[id.0];
        if profile.factor(class) == factor {
            return Ok(None);
        }
        profile.set(class, factor);
        let Some(index) = index.get_mut() else { return Ok(None) };
        let changes = self.ground.changes_of_class(profile, class, index.grid());
        if changes.is_empty() { Ok(None) } else { index.edit(changes).map(Some) }
    }
}
