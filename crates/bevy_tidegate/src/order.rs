//! An order to a crowd: the next step of each unit, without a path for each.

use std::collections::{BTreeMap, BTreeSet};

use bevy_ecs::prelude::*;
use bevy_tasks::{ComputeTaskPool, TaskPool};
use tidegate::orders::{Order, Orders};
use tidegate::world::ProfileId;
use tidegate::{Index, Tile};

use crate::edit::MapEdited;
use crate::path::TilePosition;
use crate::world::TileWorld;

/// Sends a unit to a goal, together with all others that have the same: each gets its
/// [`NextStep`] anew when it has moved, when the order has changed or when the map was edited.
/// The library takes one field for all of them or asks for each, whichever is likely to be
/// quicker.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(NextStep)]
#[non_exhaustive]
pub struct GoalOrder {
    /// Where they are to go.
    pub goal: Tile,
    /// The kind of unit.
    pub profile: ProfileId,
    /// Whether a goal that cannot be reached is replaced by the nearest tile that can.
    pub or_nearest: bool,
}

impl GoalOrder {
    /// To this goal.
    pub fn new(profile: ProfileId, goal: impl Into<Tile>) -> GoalOrder {
        GoalOrder { goal: goal.into(), profile, or_nearest: false }
    }

    /// To the nearest tile that can be reached, if the goal cannot.
    pub fn or_nearest(self) -> GoalOrder {
        GoalOrder { or_nearest: true, ..self }
    }

    /// Where the unit is sent now; `None` if there is no way.
    fn end(&self, index: &Index, start: Tile) -> Option<Tile> {
        if index.reachable(start, self.goal) {
            return Some(self.goal);
        }
        index.nearest_reachable(start, self.goal).filter(|_| self.or_nearest)
    }
}

/// Where a unit with a [`GoalOrder`] goes from its [`TilePosition`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NextStep {
    /// It is not known yet.
    #[default]
    Unknown,
    /// To this tile, on a shortest way.
    Step(Tile),
    /// It is there.
    Arrived,
    /// There is no way, or the kind of unit is not one of this world.
    NoWay,
}

impl NextStep {
    /// The tile to enter next, if there is one.
    pub fn tile(self) -> Option<Tile> {
        match self {
            NextStep::Step(tile) => Some(tile),
            _ => None,
        }
    }
}

/// The units of one kind that have one goal.
#[derive(Debug, Default)]
struct Crowd {
    units: Vec<Entity>,
    tiles: Vec<Tile>,
}

/// A crowd of this or an earlier tick, and the field that was filled for it.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    crowd: Crowd,
    orders: Orders,
    given: bool,
    /// For so many ticks nobody of it has needed a step.
    unused: u32,
}

/// After so many ticks a crowd is forgotten: a field takes as much memory as a map.
const FORGET: u32 = 100;

/// Works out the next step of all units that need one.
pub(crate) fn give_orders(
    world: Res<'_, TileWorld>,
    mut edits: MessageReader<'_, '_, MapEdited>,
    mut seen: Local<'_, Option<u64>>,
    mut memory: Local<'_, BTreeMap<(ProfileId, Tile), Memory>>,
    mut units: Query<'_, '_, (Entity, Ref<'_, GoalOrder>, Ref<'_, TilePosition>, &mut NextStep)>,
) {
    let is_other = seen.replace(world.id()) != Some(world.id());
    let edited: BTreeSet<ProfileId> =
        edits.read().flat_map(|edit| &edit.profiles).map(|&(profile, _)| profile).collect();
    let mut crowds: BTreeMap<(ProfileId, Tile), Crowd> = BTreeMap::new();
    for (entity, order, position, mut step) in &mut units {
        let is_new = is_other || order.is_changed() || position.is_changed();
        if !is_new && !edited.contains(&order.profile) {
            continue;
        }
        let known = world.knows(order.profile);
        let end = known.then(|| order.end(world.index_of(order.profile), position.0)).flatten();
        match end {
            None => _ = step.set_if_neq(NextStep::NoWay),
            Some(end) if end == position.0 => _ = step.set_if_neq(NextStep::Arrived),
            Some(end) => {
                let crowd = crowds.entry((order.profile, end)).or_default();
                crowd.units.push(entity);
                crowd.tiles.push(position.0);
            }
        }
    }
    // Fields are kept for their goals: units on their way then cost next to nothing.
    memory.retain(|crowd, kept| {
        kept.unused = if crowds.contains_key(crowd) { 0 } else { kept.unused + 1 };
        kept.unused < FORGET
    });
    for (key, crowd) in crowds {
        memory.entry(key).or_default().crowd = crowd;
    }
    ComputeTaskPool::get_or_init(TaskPool::default).scope(|scope| {
        for (&(profile, goal), kept) in memory.iter_mut().filter(|(_, kept)| kept.unused == 0) {
            let index = world.index_of(profile);
            scope.spawn(async move {
                let Memory { crowd, orders, given, .. } = kept;
                *given = index.order(&crowd.tiles, &Order::new(goal), orders).is_ok();
            });
        }
    });
    for kept in memory.values().filter(|kept| kept.unused == 0) {
        for (n, &unit) in kept.crowd.units.iter().enumerate() {
            // All ends were looked at: what is left is a way too long to count.
            let next = kept.orders.steps().get(n).copied().flatten().filter(|_| kept.given);
            if let Ok((_, _, _, mut step)) = units.get_mut(unit) {
                step.set_if_neq(next.map_or(NextStep::NoWay, NextStep::Step));
            }
        }
    }
}
