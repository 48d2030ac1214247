//! Zones: what remains connected when the gates are shut.
//!
//! The zones are the components of the free tiles minus the gate tiles under the true
//! rule of movement, numbered in the row order of their first tiles. Both halves matter:
//! with a fill over four neighbours a zone could be left without touching a gate.

use std::fmt;

use super::{Gate, GateId};
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
    pub(super) is_pocket: bool,
}

impl Zone {
    /// What a number holds whose zone is gone.
    pub(super) fn gone(id: ZoneId) -> Zone {
        Zone { id, area: 0, first: CellId::from_index(0), gates: Vec::new(), is_pocket: false }
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

    /// Whether it is a pocket: a small piece of ground that no unit can reach or leave, such as
    /// a speck inside a cliff. It has no gate, and fewer tiles than 256 and than a 64th of the
    /// largest piece of the map. A pocket has a number like any zone and its tiles know it, but
    /// [`Decomposition::live_zones`](super::Decomposition::live_zones) leaves it out; see
    /// [`Decomposition::pockets`](super::Decomposition::pockets).
    pub fn is_pocket(&self) -> bool {
        self.is_pocket
    }

    /// The gates around it, sorted: a legal step joins each of them to the zone.
    pub fn gates(&self) -> &[GateId] {
        &self.gates
    }
}

/// Pieces of the map with so many tiles are no pockets,
const POCKET: u32 = 256;
/// nor are those with this share of the tiles of the largest piece.
const POCKET_SHARE: u32 = 64;

/// By zone: whether the piece of the map that it is part of, by steps over gates, is small.
pub(super) fn in_small_pieces(zones: &[Zone], gates: &[Gate]) -> Vec<bool> {
    const NONE: usize = usize::MAX;
    let mut piece_of_zone = vec![NONE; zones.len()];
    let mut gate_seen = vec![false; gates.len()];
    let (mut pieces, mut stack): (Vec<u32>, Vec<ZoneId>) = (Vec::new(), Vec::new());
    let mut touching: Vec<GateId> = Vec::new();
    for start in zones.iter().filter(|zone| !zone.is_gone()) {
        if piece_of_zone[start.id.index()] != NONE {
            continue;
        }
        let (piece, mut area) = (pieces.len(), 0);
        piece_of_zone[start.id.index()] = piece;
        stack.push(start.id);
        while let Some(zone) = stack.pop() {
            area += zones[zone.index()].area;
            touching.extend_from_slice(&zones[zone.index()].gates);
            while let Some(gate) = touching.pop() {
                if std::mem::replace(&mut gate_seen[gate.index()], true) {
                    continue;
                }
                area += gates[gate.index()].tiles.len() as u32;
                touching.extend_from_slice(&gates[gate.index()].gates);
                for &next in &gates[gate.index()].zones {
                    if piece_of_zone[next.index()] == NONE {
                        piece_of_zone[next.index()] = piece;
                        stack.push(next);
                    }
                }
            }
        }
        pieces.push(area);
    }
    let largest = pieces.iter().copied().max().unwrap_or(0);
    let limit = POCKET.min(largest / POCKET_SHARE);
    piece_of_zone.iter().map(|&piece| piece != NONE && pieces[piece] < limit).collect()
}

/// Says of every zone whether it is a pocket.
pub(super) fn mark_pockets(zones: &mut [Zone], gates: &[Gate]) {
    let small = in_small_pieces(zones, gates);
    for (zone, is_small) in zones.iter_mut().zip(small) {
        zone.is_pocket = is_small && zone.gates.is_empty();
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

/// The zones left by the tiles of the gates.
pub(super) fn zones(grid: &Grid, tiles: &[Vec<CellId>]) -> Parts {
    let mut open = grid.free_bits().clone();
    tiles.iter().flatten().for_each(|cell| open.remove(cell.index()));
    parts(grid.width(), &open, |cell, way| grid.moves(cell) & way.mask() != 0)
}
