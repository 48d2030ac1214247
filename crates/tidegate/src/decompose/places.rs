//! The place of every tile: what it belongs to, in two bytes a tile where that is enough.
//!
//! Zones are numbered upwards from 1 and gates downwards from the largest code, so that
//! either may grow in number without a change to the codes of the others.

use std::ops::Range;

use super::{GateId, Place, ZoneId};
use crate::grid::CellId;

/// The places of all tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Places {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Places {
    /// So many tiles of wall, with room for the codes of so many zones and gates.
    pub(super) fn new(tiles: usize, zones: usize, gates: usize) -> Places {
        if fits_narrow(zones, gates) {
            Places::Narrow(vec![0; tiles])
        } else {
            Places::Wide(vec![0; tiles])
        }
    }

    /// Gives tiles that follow each other to a zone.
    pub(super) fn fill(&mut self, tiles: Range<usize>, zone: ZoneId) {
        match self {
            Places::Narrow(codes) => codes[tiles].fill(zone.0 as u16 + 1),
            Places::Wide(codes) => codes[tiles].fill(zone.0 + 1),
        }
    }

    /// Calls for every run of tiles of a row that belong to one place, walls left out.
    pub(super) fn for_runs(
        &self,
        width: usize,
        zones: usize,
        mut found: impl FnMut(Place, Range<usize>),
    ) {
        let mut from = 0;
        while from < self.len() {
            let row_end = (from / width + 1) * width;
            let to = from
                + match self {
                    Places::Narrow(codes) => equal(&codes[from..row_end]),
                    Places::Wide(codes) => equal(&codes[from..row_end]),
                };
            if !self.is_wall(from) {
                found(self.get(CellId::from_index(from), zones), from..to);
            }
            from = to;
        }
    }

    /// Writes [`u16::MAX`] for the tiles of zones and 0 for others, from a tile on.
    pub(super) fn mark_zones(&self, from: usize, zones: usize, row: &mut [u16]) {
        match self {
            Places::Narrow(codes) => {
                // Codes of zones are 1 to `zones`; one less wraps around for walls.
                for (cell, code) in row.iter_mut().zip(&codes[from..]) {
                    let is_zone = code.wrapping_sub(1) < zones as u16;
                    *cell = u16::from(is_zone).wrapping_neg();
                }
            }
            Places::Wide(codes) => {
                for (cell, code) in row.iter_mut().zip(&codes[from..]) {
                    let is_zone = (code.wrapping_sub(1) as usize) < zones;
                    *cell = u16::from(is_zone).wrapping_neg();
                }
            }
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

/// How many of the first codes are the same.
fn equal<T: Copy + PartialEq>(codes: &[T]) -> usize {
    let Some(&first) = codes.first() else { return 0 };
    const BLOCK: usize = 16;
    // Whole blocks first: they are compared without a branch for every code.
    let same = |block: &[T]| block.iter().fold(true, |all, &code| all & (code == first));
    let blocks = codes.chunks_exact(BLOCK).take_while(|block| same(block)).count() * BLOCK;
    blocks + codes[blocks..].iter().take_while(|&&code| code == first).count()
}

fn fits_narrow(zones: usize, gates: usize) -> bool {
    zones + gates <= usize::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_survive_growth_past_two_bytes() {
        let mut places = Places::new(5, 2, 2);
        places.fill(1..2, ZoneId(0));
        places.fill(2..3, ZoneId(1));
        places.set(CellId::from_index(3), Place::Gate(GateId(0)));
        places.set(CellId::from_index(4), Place::Gate(GateId(1)));
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
