//! The plugin: resources, messages and systems in their order.

use bevy_app::{App, Plugin, Update};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;

use crate::answer::{
    Pending, ask_paths, notice_moves, notice_requests, receive_paths, review_paths,
};
use crate::edit::{EditCost, EditRefused, EditTiles, MapEdited, apply_edits};
use crate::order::give_orders;
use crate::prepare::{EnginePrepared, prepare_tables};
use crate::space::TileSpace;
use crate::world::TileWorld;

/// Answers the requests of units on a [`TileWorld`], which the game inserts as a resource.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_tidegate::{Answers, PathRequest, TidegatePlugin, TilePath, TilePosition, TileWorld};
/// use tidegate::Tile;
/// use tidegate::world::{Profile, World};
///
/// let mut world = World::from_rows(&[".....", ".###.", "....."]).unwrap();
/// let walker = world.add(Profile::new().entering(b"."));
/// let mut app = App::new();
/// app.add_plugins(TidegatePlugin::default().answering(Answers::SameTick { most: 200 }))
///     .insert_resource(TileWorld::new(world));
/// let unit = (TilePosition(Tile::new(2, 0)), PathRequest::new(walker, (2, 2)));
/// let unit = app.world_mut().spawn(unit).id();
/// app.update();
/// assert_eq!(app.world().get::<TilePath>(unit).unwrap().tiles().len(), 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TidegatePlugin {
    schedule: Interned<dyn ScheduleLabel>,
    settings: TidegateSettings,
}

/// How requests are answered; a resource that may be changed at any time.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TidegateSettings {
    /// When paths come.
    pub answers: Answers,
}

/// When the paths that were asked for come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answers {
    /// They are searched on the [`AsyncComputeTaskPool`](bevy_tasks::AsyncComputeTaskPool) and come
    /// in one of the next ticks. No tick waits; in which one a path comes is not the same on every
    /// run.
    #[default]
    WhenReady,
    /// They are searched on the [`ComputeTaskPool`](bevy_tasks::ComputeTaskPool), and the tick
    /// waits for them: what happens is the same on every run and every machine.
    SameTick {
        /// So many requests are answered in a tick; others wait for the next. Which ones is the
        /// same on every run, too.
        most: usize,
    },
}

/// The steps of a tick, in this order. Between them commands are applied.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TidegateSystems {
    /// Edits are made, [`MapEdited`] is sent, finished tables are taken over.
    Edit,
    /// Paths that edits have made wrong are dropped.
    Review,
    /// Paths are handed out and asked for.
    Answer,
    /// [`NextStep`](crate::NextStep)s are worked out.
    Order,
}

impl Default for TidegatePlugin {
    /// In [`Update`].
    fn default() -> TidegatePlugin {
        TidegatePlugin::in_schedule(Update)
    }
}

impl TidegatePlugin {
    /// Its systems run in this schedule, such as [`FixedUpdate`](bevy_app::FixedUpdate).
    pub fn in_schedule(schedule: impl ScheduleLabel) -> TidegatePlugin {
        TidegatePlugin { schedule: schedule.intern(), settings: TidegateSettings::default() }
    }

    /// Paths come then.
    pub fn answering(self, answers: Answers) -> TidegatePlugin {
        TidegatePlugin { settings: TidegateSettings { answers }, ..self }
    }
}

impl Plugin for TidegatePlugin {
    fn build(&self, app: &mut App) {
        use TidegateSystems::{Answer, Edit, Order, Review};
        app.insert_resource(self.settings)
            .init_resource::<TileSpace>()
            .init_resource::<Pending>()
            .add_message::<EditTiles>()
            .add_message::<EditCost>()
            .add_message::<EditRefused>()
            .add_message::<MapEdited>()
            .add_message::<EnginePrepared>()
            .configure_sets(
                self.schedule,
                (Edit, Review, Answer, Order).chain().run_if(resource_exists::<TileWorld>),
            )
            .add_systems(
                self.schedule,
                (
                    (apply_edits, prepare_tables).chain().in_set(Edit),
                    (notice_requests, notice_moves, review_paths).chain().in_set(Review),
                    (receive_paths, ask_paths).chain().in_set(Answer),
                    give_orders.in_set(Order),
                ),
            );
    }
}
