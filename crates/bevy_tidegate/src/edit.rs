//! Edits of the map: messages in, messages out.

use bevy_ecs::prelude::*;
use tidegate::Tile;
use tidegate::cost::Factor;
use tidegate::index::{EditError, EditReport};
use tidegate::world::ProfileId;

use crate::world::TileWorld;

/// Changes what tiles are made of. All edits of a tick are made at once, in the order of the
/// messages, and reach the index of every profile.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tidegate::EditTiles;
/// fn build_a_wall(mut edits: MessageWriter<EditTiles>) {
///     edits.write(EditTiles::new([((4, 7), b'#'), ((5, 7), b'#')]));
/// }
/// ```
#[derive(Message, Clone, Debug, Default, PartialEq, Eq)]
pub struct EditTiles {
    /// Tiles and their new classes. If one lies outside the map, none is changed.
    pub changes: Vec<(Tile, u8)>,
}

impl EditTiles {
    /// These tiles become of these classes.
    pub fn new<T: Into<Tile>>(changes: impl IntoIterator<Item = (T, u8)>) -> EditTiles {
        let changes = changes.into_iter().map(|(tile, class)| (tile.into(), class));
        EditTiles { changes: changes.collect() }
    }
}

/// Sets what a class of ground costs one kind of unit from now on, or that it cannot be entered:
/// the gate of an ally, a bridge that was found out.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditCost {
    /// Which kind of unit.
    pub profile: ProfileId,
    /// Which ground.
    pub class: u8,
    /// What it costs; `None` if it cannot be entered.
    pub factor: Option<Factor>,
}

/// Sent in the tick in which the map has changed.
#[derive(Message, Clone, Debug)]
#[non_exhaustive]
pub struct MapEdited {
    /// The tiles that are of another class than before, in row order.
    pub tiles: Vec<Tile>,
    /// What the edits have done to the map of each profile that has an index, in which
    /// tiles it differs and what became of its tables, zones and gates.
    pub profiles: Vec<(ProfileId, EditReport)>,
}

/// Sent for an edit that was not made.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditRefused {
    /// Tiles cannot be edited.
    Tiles(EditTiles, EditError),
    /// The profile is not one of this world.
    UnknownProfile(EditCost),
}

/// Makes all edits that have come since the last tick.
pub(crate) fn apply_edits(
    mut world: ResMut<'_, TileWorld>,
    mut edits: MessageReader<'_, '_, EditTiles>,
    mut costs: MessageReader<'_, '_, EditCost>,
    mut edited: MessageWriter<'_, MapEdited>,
    mut refused: MessageWriter<'_, EditRefused>,
) {
    if edits.is_empty() && costs.is_empty() {
        return;
    }
    let TileWorld { world, tables, .. } = &mut *world;
    let mut changes = Vec::new();
    for edit in edits.read() {
        let outside = edit.changes.iter().find(|&&(tile, _)| world.ground(tile).is_none());
        if let Some(&(tile, _)) = outside {
            let (width, height) = (world.width(), world.height());
            let error = EditError::Outside { tile, width, height };
            refused.write(EditRefused::Tiles(edit.clone(), error));
        } else {
            changes.extend_from_slice(&edit.changes);
        }
    }
    let mut before: Vec<_> = changes.iter().map(|&(tile, _)| (tile, world.ground(tile))).collect();
    before.sort_unstable_by_key(|(tile, _)| (tile.y, tile.x));
    before.dedup();
    let mut profiles = match world.edit(changes) {
        Ok(report) => report.profiles,
        Err(error) => unreachable!("all tiles lie inside the map: {error}"),
    };
    let differs = |&(tile, old): &(Tile, Option<u8>)| world.ground(tile) != old;
    let changed: Vec<Tile> = before.into_iter().filter(differs).map(|(tile, _)| tile).collect();
    let known = world.profiles().count();
    for &edit in costs.read() {
        let EditCost { profile, class, factor } = edit;
        if profile.index() >= known {
            refused.write(EditRefused::UnknownProfile(edit));
            continue;
        }
        match world.set_cost(profile, class, factor) {
            Ok(report) => profiles.extend(report.map(|report| (profile, report))),
            Err(error) => unreachable!("all tiles lie inside the map: {error}"),
        }
    }
    for (profile, report) in &profiles {
        if report.want_rebuild().next().is_some() {
            tables[profile.index()].fall_behind();
        }
    }
    if !(changed.is_empty() && profiles.is_empty()) {
        edited.write(MapEdited { tiles: changed, profiles });
    }
}
