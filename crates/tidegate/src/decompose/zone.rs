//! Zones: what remains connected when the gates are shut.
//!
//! The zones are the components of the free tiles minus the gate tiles under the true
//! rule of movement, numbered in the row order of their first tiles. Both halves matter:
//! with a fill over four neighbours a zone could be left without touching a gate.

use std::fmt;

use super::GateId;
pub(super) use crate::grid::component::{Parts, parts};
use crate::grid::{CellId, Grid};

/// The number of a zone: its position in [`Decomposition::zones`](super::Decomposition::zones).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZoneId(pub(super) u32);

impl ZoneId {
    /// The zone with this number.
    pub const fn from_index(index: usize) -> ZoneId {
        ZoneId(index as u32)
    }

    /// The id as an index into tables by zone.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ZoneId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A zone of a decomposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    pub(super) id: ZoneId,
    pub(super) area: u32,
    pub(super) first: CellId,
    pub(super) gates: Vec<GateId>,
}

impl Zone {
    /// What a number holds whose zone is gone.
    pub(super) fn gone(id: ZoneId) -> Zone {
        Zone { id, area: 0, first: CellId::from_index(0), gates: Vec::new() }
    }

    /// Its number.
    pub fn id(&self) -> ZoneId {
        self.id
    }

    /// How many tiles it has; gate tiles belong to no zone.
    pub fn area(&self) -> u32 {
        self.area
    }

    /// Its first tile in row order.
    pub fn first(&self) -> CellId {
        self.first
    }

    /// Whether the zone is gone: its number is kept, so that others need not change.
    pub fn is_gone(&self) -> bool {
        self.area == 0
    }

    /// The gates around it, sorted: a legal step joins each of them to the zone.
    pub fn gates(&self) -> &[GateId] {
        &self.gates
    }
}

/// Offcuts are zones of at most this many tiles that a gate cuts off beside itself, while
/// it separates larger ones: the tiles between a line and a rough wall.
pub(super) const OFFCUT: u32 = 8;

/// Which gate each zone belongs to if it is an offcut: the first of its gates, provided
/// that every gate around it still has two larger zones. `beside` lists the zones of
/// every gate.
pub(super) fn offcuts(parts: &[(CellId, u32)], beside: &[Vec<ZoneId>]) -> Vec<Option<GateId>> {
    let small = |zone: &ZoneId| parts[zone.index()].1 <= OFFCUT;
    let mut owner: Vec<Option<GateId>> = vec![None; parts.len()];
    let mut refused = vec![false; parts.len()];
    for (gate, zones) in beside.iter().enumerate() {
        let divides = zones.iter().filter(|zone| !small(zone)).count() >= 2;
        for zone in zones.iter().filter(|zone| small(zone)) {
            refused[zone.index()] |= !divides;
            owner[zone.index()].get_or_insert(GateId(gate as u32));
        }
    }
    owner.iter_mut().zip(refused).filter(|(_, no)| *no).for_each(|(owner, _)| *owner = None);
    owner
}

/// The zones left by the gates: `owners` is 0 where no gate is.
pub(super) fn zones(grid: &Grid, owners: &[u32]) -> Parts {
    parts(grid.width() as usize, grid.tiles(), |i| {
        let moves = grid.moves(CellId::from_index(i));
        (owners[i] == 0 && grid.free_bits().contains(i)).then_some(moves)
    })
}
