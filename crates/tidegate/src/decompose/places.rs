//! The place of every tile: what it belongs to, in two bytes a tile where that is enough.
//!
//! Zones are numbered upwards from 1 and gates downwards from the largest code, so that
//! either may grow in number without a change to the codes of the others.

use super::{GateId, Place, ZoneId};
use crate::grid::CellId;

/// The places of all tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Places {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Places {
    /// From codes that are 0 for walls, then zones from 1, then gates.
    pub(super) fn new(codes: Vec<u32>, zones: usize, gates: usize) -> Places {
        let zones_end = zones as u32;
        let gate = |code: u32| code - zones_end - 1;
        if fits_narrow(zones, gates) {
            let code = |code| if code <= zones_end { code as u16 } else { !(gate(code) as u16) };
            Places::Narrow(codes.into_iter().map(code).collect())
        } else {
            let code = |code| if code <= zones_end { code } else { !gate(code) };
            Places::Wide(codes.into_iter().map(code).collect())
        }
    }

    /// What a tile belongs to, in a decomposition with so many zones.
    #[inline]
    pub(super) fn get(&self, cell: CellId, zones: usize) -> Place {
        let (code, gate) = match self {
            Places::Narrow(codes) => (codes[cell.index()].into(), (!codes[cell.index()]).into()),
            Places::Wide(codes) => (codes[cell.index()], !codes[cell.index()]),
        };
        match code as usize {
            0 => Place::Wall,
            number if number <= zones => Place::Zone(ZoneId(code - 1)),
            _ => Place::Gate(GateId(gate)),
        }
    }

    /// Gives a tile to another place.
    pub(super) fn set(&mut self, cell: CellId, place: Place) {
        let code = match place {
            Place::Wall => 0,
            Place::Zone(zone) => zone.0 + 1,
            Place::Gate(gate) => !gate.0,
        };
        match self {
            Places::Narrow(codes) => codes[cell.index()] = code as u16,
            Places::Wide(codes) => codes[cell.index()] = code,
        }
    }

    /// Makes room for the codes of so many zones and gates, of which `zones` are in use.
    pub(super) fn reserve(&mut self, zones: usize, more_zones: usize, gates: usize) {
        if let Places::Narrow(codes) = self
            && !fits_narrow(zones + more_zones, gates)
        {
            let wide = |&code: &u16| {
                if usize::from(code) <= zones { code.into() } else { !u32::from(!code) }
            };
            *self = Places::Wide(codes.iter().map(wide).collect());
        }
    }

    /// Whether a tile is wall.
    pub(super) fn is_wall(&self, index: usize) -> bool {
        match self {
            Places::Narrow(codes) => codes[index] == 0,
            Places::Wide(codes) => codes[index] == 0,
        }
    }

    /// The first tile of a zone at or after `from`, in row order.
    pub(super) fn first_of(&self, zone: ZoneId, from: CellId) -> Option<CellId> {
        let code = zone.0 + 1;
        let found = match self {
            Places::Narrow(codes) => {
                codes[from.index()..].iter().position(|&c| u32::from(c) == code)
            }
            Places::Wide(codes) => codes[from.index()..].iter().position(|&c| c == code),
        };
        found.map(|steps| CellId::from_index(from.index() + steps))
    }

    /// Bytes per tile.
    pub(super) fn bytes_per_tile(&self) -> usize {
        match self {
            Places::Narrow(_) => 2,
            Places::Wide(_) => 4,
        }
    }

    /// Tiles of the map.
    pub(super) fn len(&self) -> usize {
        match self {
            Places::Narrow(codes) => codes.len(),
            Places::Wide(codes) => codes.len(),
        }
    }
}

fn fits_narrow(zones: usize, gates: usize) -> bool {
    zones + gates <= usize::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_growth_past_two_bytes() {
        let mut places = Places::new(vec![0, 1, 2, 3, 4], 2, 2);
        let all = |places: &Places, zones| -> Vec<Place> {
            (0..5).map(|i| places.get(CellId::from_index(i), zones)).collect()
        };
        let before = all(&places, 2);
        assert_eq!(before[1..3], [Place::Zone(ZoneId(0)), Place::Zone(ZoneId(1))]);
        assert_eq!(before[3..], [Place::Gate(GateId(0)), Place::Gate(GateId(1))]);
        places.reserve(2, 100, 2);
        assert_eq!((places.bytes_per_tile(), all(&places, 2)), (2, before.clone()));
        places.reserve(2, 65_531, 3);
        assert_eq!((places.bytes_per_tile(), all(&places, 65_533)), (4, before));
        places.set(CellId::from_index(0), Place::Gate(GateId(70_000)));
        assert_eq!(places.get(CellId::from_index(0), 90_000), Place::Gate(GateId(70_000)));
        assert_eq!(places.first_of(ZoneId(1), CellId::from_index(0)), Some(CellId::from_index(2)));
        assert_eq!(places.first_of(ZoneId(1), CellId::from_index(3)), None);
    }
}
