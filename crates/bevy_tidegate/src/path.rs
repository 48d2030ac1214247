//! What a unit asks for and what it gets: components.

use bevy_ecs::prelude::*;
use tidegate::cost::Cost;
use tidegate::engine::{self, Engine};
use tidegate::index::PathState;
use tidegate::world::ProfileId;
use tidegate::{Index, Path, QueryError, Tile};

use crate::world::MapState;

/// The tile that a unit stands on, kept by the game. A unit that is wider than a tile stands at
/// its upper left one.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TilePosition(pub Tile);

/// Asks for the shortest path to a goal, and for a new one whenever the map has changed so that
/// it is needed: as long as an entity has this, it has a [`TilePath`] or a [`PathFailed`], or
/// waits for one of them ([`PathStatus`]). To ask for something else, change it or insert
/// another. When it is removed, the path stays as it is and is not looked after any more.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tidegate::{PathRequest, TilePosition};
/// use tidegate::Tile;
/// use tidegate::world::ProfileId;
/// fn send(mut commands: Commands, scout: ProfileId) {
///     commands.spawn((TilePosition(Tile::new(3, 4)), PathRequest::new(scout, (40, 2))));
/// }
/// ```
#[derive(Component, Clone, Copy, Debug)]
#[require(PathStatus)]
#[non_exhaustive]
pub struct PathRequest {
    /// Where the path begins; without it at the entity's [`TilePosition`], and if it has none the
    /// request waits for it.
    pub from: Option<Tile>,
    /// Where it ends.
    pub goal: Tile,
    /// The kind of unit.
    pub profile: ProfileId,
    /// Who is to answer. One that is not there yet is built in the background from then on; until
    /// then the best that is there answers.
    pub engine: &'static dyn Engine,
    /// Whether a goal that cannot be reached, be it a wall or walled in, is replaced by the
    /// nearest tile that can.
    pub or_nearest: bool,
}

impl PathRequest {
    /// From where the unit is to this goal, by the best engine that is there.
    pub fn new(profile: ProfileId, goal: impl Into<Tile>) -> PathRequest {
        let (goal, engine) = (goal.into(), engine::AUTO);
        PathRequest { from: None, goal, profile, engine, or_nearest: false }
    }

    /// From this tile, wherever the unit is.
    pub fn starting_at(self, from: impl Into<Tile>) -> PathRequest {
        PathRequest { from: Some(from.into()), ..self }
    }

    /// By this engine.
    pub fn with_engine(self, engine: &'static dyn Engine) -> PathRequest {
        PathRequest { engine, ..self }
    }

    /// To the nearest tile that can be reached, if the goal cannot.
    pub fn or_nearest(self) -> PathRequest {
        PathRequest { or_nearest: true, ..self }
    }

    /// Where a path has to begin now, if that is known.
    pub(crate) fn start(&self, position: Option<&TilePosition>) -> Option<Tile> {
        self.from.or(position.map(|position| position.0))
    }

    /// Where a path from there has to end now: the goal, or what can be reached in its place.
    pub(crate) fn end(&self, index: &Index, start: Tile) -> Tile {
        if !self.or_nearest || index.reachable(start, self.goal) {
            return self.goal;
        }
        index.nearest_reachable(start, self.goal).unwrap_or(self.goal)
    }
}

/// How a [`PathRequest`] stands.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathStatus {
    /// It is to be asked in this tick, or in a later one if too many are.
    #[default]
    Waiting,
    /// It is being answered. The number tells its answer from an older one.
    Asked(u64),
    /// There is a [`TilePath`].
    Found,
    /// There is a [`PathFailed`].
    Failed,
}

/// The way of a unit: legal on the map as it is at the end of every tick.
///
/// It is the shortest, too, if its engine is an optimal one, unless the [`PathStatus`] is
/// waiting or asked: then the map was edited in a way that may have made another one shorter, and
/// that one is on its way.
#[derive(Component, Clone, Debug)]
pub struct TilePath {
    path: Path,
    /// Which tile of it the unit has reached.
    at: usize,
    cost: Cost,
    /// The map that it is known to be right on.
    pub(crate) state: MapState,
}

impl TilePath {
    pub(crate) fn new(path: Path, cost: Cost, state: MapState) -> TilePath {
        TilePath { path, at: 0, cost, state }
    }

    /// All tiles, those behind the unit too.
    pub fn tiles(&self) -> &[Tile] {
        &self.path
    }

    /// The tile that the unit had reached when the tick began, and those that follow.
    pub fn rest(&self) -> &[Tile] {
        &self.path[self.at..]
    }

    /// Where it ends.
    pub fn goal(&self) -> Tile {
        self.path[self.path.len() - 1]
    }

    /// The cost of the whole path when it was found.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// The tile to enter next from this one, which is where the unit is; `None` at the end, and
    /// off the path.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tidegate::{TilePath, TilePosition};
    /// fn walk(mut units: Query<(&mut TilePosition, &TilePath)>) {
    ///     for (mut position, path) in &mut units {
    ///         if let Some(next) = path.next_from(position.0) {
    ///             position.0 = next;
    ///         }
    ///     }
    /// }
    /// ```
    pub fn next_from(&self, position: Tile) -> Option<Tile> {
        let rest = self.rest();
        let at = rest.iter().position(|&tile| tile == position)?;
        rest.get(at + 1).copied()
    }

    /// Goes on to the tile where the unit is. `false` if that is not ahead on the path.
    pub(crate) fn follow(&mut self, position: Tile) -> bool {
        let ahead = self.rest().iter().position(|&tile| tile == position);
        self.at += ahead.unwrap_or(0);
        ahead.is_some()
    }

    /// How what is left of it stands to the map now.
    pub(crate) fn look(&mut self, index: &Index) -> PathState {
        if self.at > 0 {
            // What lies behind the unit does not matter any more.
            self.path = Path::from_tiles(self.rest().to_vec());
            self.at = 0;
        }
        index.path_state(&self.path, self.state.revision)
    }
}

/// Why a unit has no path. When the map is edited it is asked again if there may be one.
#[derive(Component, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathFailed {
    /// No way leads there.
    #[error("there is no way from {from} to {goal}")]
    NoWay {
        /// From where.
        from: Tile,
        /// To where.
        goal: Tile,
    },
    /// It cannot be answered.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The kind of unit is not one of this world.
    #[error("there is no profile {} in this world", .0.index())]
    UnknownProfile(ProfileId),
}
