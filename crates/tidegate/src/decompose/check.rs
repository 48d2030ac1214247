//! The properties of a decomposition, verified from the map alone.
//!
//! Nothing here trusts what was derived: places are counted again, zones are filled
//! again step by step, adjacency is collected again. It costs a few passes over the map.

use super::{Decomposition, GateId, LineError, Place, ZoneId};
use crate::grid::{CellId, Grid};

/// A property that does not hold, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The decomposition belongs to a map of another size.
    #[error("the decomposition is for {of:?} tiles, the map has {map:?}")]
    Size {
        /// Width and height of the decomposition.
        of: (u32, u32),
        /// Width and height of the map.
        map: (u32, u32),
    },
    /// A free tile belongs to nothing, a wall to something, or a number is out of range.
    #[error("tile {cell:?} belongs to {place:?}")]
    Place {
        /// The tile.
        cell: CellId,
        /// What it is said to belong to.
        place: Place,
    },
    /// A zone's area or first tile is wrong, or it is not connected.
    #[error("zone {zone}: {what}")]
    Zone {
        /// The zone.
        zone: ZoneId,
        /// What is wrong.
        what: &'static str,
    },
    /// A legal step leads from one zone into another.
    #[error("a step from {from:?} to {to:?} crosses between zones without touching a gate")]
    Leak {
        /// Start of the step.
        from: CellId,
        /// End of the step.
        to: CellId,
    },
    /// A gate's line does not fit the map.
    #[error("gate {gate}: {error}")]
    Line {
        /// The gate.
        gate: GateId,
        /// What is wrong with its line.
        error: LineError,
    },
    /// A gate's tiles, zones or neighbours are wrong.
    #[error("gate {gate}: {what}")]
    Gate {
        /// The gate.
        gate: GateId,
        /// What is wrong.
        what: &'static str,
    },
    /// The region graph joins what the map does not, or the other way round.
    #[error(
        "tiles {a:?} and {b:?}: the region graph and the map disagree on whether one reaches the other"
    )]
    Reach {
        /// A tile.
        a: CellId,
        /// Another tile.
        b: CellId,
    },
}

impl Decomposition {
    /// Verifies every property of a decomposition of this map.
    pub fn check(&self, grid: &Grid) -> Result<(), Violation> {
        let (of, map) = ((self.width, self.height), (grid.width(), grid.height()));
        if of != map {
            return Err(Violation::Size { of, map });
        }
        self.check_places(grid)?;
        self.check_zones(grid)?;
        self.check_gates(grid)?;
        self.check_reach(grid)?;
        self.check_pockets()
    }

    /// Every free tile is in one zone or gate that exists, every wall in none.
    fn check_places(&self, grid: &Grid) -> Result<(), Violation> {
        for i in 0..grid.tiles() {
            let cell = CellId::from_index(i);
            let place = self.place(cell);
            let right = match place {
                Place::Wall => !grid.is_free_cell(cell),
                Place::Zone(zone) => grid.is_free_cell(cell) && !self.zones[zone.index()].is_gone(),
                Place::Gate(gate) => {
                    grid.is_free_cell(cell)
                        && self.gates.get(gate.index()).is_some_and(|g| g.tiles.contains(&cell))
                }
            };
            if !right {
                return Err(Violation::Place { cell, place });
            }
        }
        Ok(())
    }

    /// Every zone is filled from its first tile by legal steps inside it, and no step
    /// leads into another zone.
    fn check_zones(&self, grid: &Grid) -> Result<(), Violation> {
        let mut reached = vec![false; grid.tiles()];
        let mut stack = Vec::new();
        for (i, zone) in self.zones.iter().enumerate() {
            let wrong = |what| Err(Violation::Zone { zone: zone.id, what });
            let here = Place::Zone(ZoneId(i as u32));
            if zone.is_gone() && zone.gates.is_empty() && zone.id == ZoneId(i as u32) {
                continue;
            }
            if zone.id != ZoneId(i as u32) || self.place(zone.first) != here {
                return wrong("its number or first tile is wrong");
            }
            let mut area = 0;
            reached[zone.first.index()] = true;
            stack.push(zone.first);
            while let Some(cell) = stack.pop() {
                area += 1;
                if cell < zone.first {
                    return wrong("its first tile is not its first");
                }
                for (next, _) in grid.neighbours(cell) {
                    let place = self.place(next);
                    if place == here {
                        if !std::mem::replace(&mut reached[next.index()], true) {
                            stack.push(next);
                        }
                    } else if matches!(place, Place::Zone(_)) {
                        return Err(Violation::Leak { from: cell, to: next });
                    }
                }
            }
            if area != zone.area {
                return wrong("its area is not what its first tile reaches");
            }
        }
        for cell in grid.free_cells().filter(|cell| !reached[cell.index()]) {
            if let Place::Zone(zone) = self.place(cell) {
                return Err(Violation::Zone { zone, what: "it is not connected" });
            }
        }
        Ok(())
    }

    /// Every gate lists its tiles, zones and neighbours, and the zones list it.
    fn check_gates(&self, grid: &Grid) -> Result<(), Violation> {
        let mut around: Vec<Vec<GateId>> = vec![Vec::new(); self.zones.len()];
        for (i, gate) in self.gates.iter().enumerate() {
            let wrong = |what| Err(Violation::Gate { gate: gate.id, what });
            let is_linked = !gate.zones.is_empty() || !gate.gates.is_empty();
            if gate.id != GateId(i as u32) || (gate.is_gone() && is_linked) {
                return wrong("its number is wrong or it has no tiles");
            }
            if gate.is_gone() {
                continue;
            }
            gate.line.check(grid).map_err(|error| Violation::Line { gate: gate.id, error })?;
            let (mut zones, mut gates) = (Vec::new(), Vec::new());
            for &cell in &gate.tiles {
                if self.place(cell) != Place::Gate(gate.id) {
                    return wrong("a tile of its list belongs to another place");
                }
                for (next, _) in grid.neighbours(cell) {
                    match self.place(next) {
                        Place::Zone(zone) => zones.push(zone),
                        Place::Gate(other) if other != gate.id => gates.push(other),
                        _ => {}
                    }
                }
            }
            zones.sort_unstable();
            zones.dedup();
            gates.sort_unstable();
            gates.dedup();
            if zones != gate.zones || gates != gate.gates {
                return wrong("its zones or neighbours are not what steps reach");
            }
            zones.into_iter().for_each(|zone| around[zone.index()].push(gate.id));
        }
        match self.zones.iter().find(|zone| zone.gates != around[zone.id.index()]) {
            Some(zone) => {
                Err(Violation::Zone { zone: zone.id, what: "its gates are not those around it" })
            }
            None => Ok(()),
        }
    }

    /// Pockets are those that follow from zones and gates.
    fn check_pockets(&self) -> Result<(), Violation> {
        let small = super::zone::in_small_pieces(&self.zones, &self.gates);
        let differs = |(zone, small): &(&super::Zone, bool)| {
            zone.is_pocket != (*small && zone.gates.is_empty())
        };
        match self.zones.iter().zip(small).find(differs) {
            Some((zone, _)) => {
                Err(Violation::Zone { zone: zone.id, what: "it is wrong about being a pocket" })
            }
            None => Ok(()),
        }
    }

    /// What the region graph joins is what the map joins.
    fn check_reach(&self, grid: &Grid) -> Result<(), Violation> {
        // The first tile of the part of the map, and of the region graph, that a place is in.
        let nodes = self.zones.len() + self.gates.len();
        let node = |cell: CellId| match self.place(cell) {
            Place::Wall => None,
            Place::Zone(zone) => Some(zone.index()),
            Place::Gate(gate) => Some(self.zones.len() + gate.index()),
        };
        let mut region = vec![usize::MAX; nodes];
        let mut stack = Vec::new();
        for start in 0..nodes {
            if region[start] != usize::MAX {
                continue;
            }
            region[start] = start;
            stack.push(start);
            while let Some(at) = stack.pop() {
                let (zones, gates): (&[ZoneId], &[GateId]) = match at.checked_sub(self.zones.len())
                {
                    None => (&[], &self.zones[at].gates),
                    Some(gate) => (&self.gates[gate].zones, &self.gates[gate].gates),
                };
                let zones = zones.iter().map(|z| z.index());
                for next in zones.chain(gates.iter().map(|g| self.zones.len() + g.index())) {
                    if region[next] == usize::MAX {
                        region[next] = start;
                        stack.push(next);
                    }
                }
            }
        }
        // Fill the map part by part: each part must be exactly one part of the graph.
        let mut reached = vec![false; grid.tiles()];
        let mut met: Vec<Option<CellId>> = vec![None; nodes];
        let mut cells = Vec::new();
        for start in grid.free_cells() {
            if reached[start.index()] {
                continue;
            }
            let Some(part) = node(start).map(|n| region[n]) else { continue };
            if let Some(earlier) = met[part].replace(start) {
                return Err(Violation::Reach { a: earlier, b: start });
            }
            reached[start.index()] = true;
            cells.push(start);
            while let Some(cell) = cells.pop() {
                if node(cell).map(|n| region[n]) != Some(part) {
                    return Err(Violation::Reach { a: start, b: cell });
                }
                for (next, _) in grid.neighbours(cell) {
                    if !std::mem::replace(&mut reached[next.index()], true) {
                        cells.push(next);
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GateLine, Places, Source};
    use super::*;
    use crate::grid::Tile;

    /// Two rooms with a door each to a hall between them.
    fn sample() -> (Grid, Decomposition) {
        let grid = Grid::from_rows(&["..#..#..", "........", "..#..#.."]).unwrap();
        let door = |x| GateLine::new(Tile::new(x, 1), Tile::new(x, 1), Source::Automatic);
        let parts = Decomposition::from_gates(&grid, [door(2), door(5)]).unwrap();
        (grid, parts)
    }

    fn set(parts: &mut Decomposition, cell: usize, code: u16) {
        let Places::Narrow(codes) = &mut parts.places else { panic!("few places") };
        codes[cell] = code;
    }

    /// One way to break a decomposition.
    type Break = fn(&mut Decomposition);

    #[test]
    fn every_law_can_be_broken_and_is_noticed() {
        let (grid, sound) = sample();
        sound.check(&grid).unwrap();
        let breaks: [(&str, Break); 13] = [
            ("another size", |d| d.width = 9),
            ("a wall in a zone", |d| set(d, 2, 1)),
            ("a free tile in nothing", |d| set(d, 0, 0)),
            ("a place that does not exist", |d| set(d, 0, 77)),
            ("a gate tile that is not in the gate's list", |d| set(d, 0, !0)),
            ("a gate tile given to a zone", |d| set(d, 10, 1)),
            ("a wrong area", |d| d.zones[1].area += 1),
            ("a wrong first tile", |d| d.zones[0].first = CellId::from_index(1)),
            ("a zone that forgets a gate", |d| d.zones[1].gates.truncate(1)),
            ("a gate that forgets a zone", |d| d.gates[0].zones.truncate(1)),
            ("a gate that claims a neighbour", |d| d.gates[0].gates.push(GateId(1))),
            ("a zone said to be a pocket", |d| d.zones[0].is_pocket = true),
            ("a line over a wall", |d| {
                d.gates[0].line = GateLine::new(Tile::new(2, 0), Tile::new(2, 1), Source::Manual);
            }),
        ];
        for (what, spoil) in breaks {
            let mut spoiled = sound.clone();
            spoil(&mut spoiled);
            assert!(spoiled.check(&grid).is_err(), "{what} was not noticed");
        }
        // The map changed under it: a door was walled up, a wall was opened.
        for (tile, free) in [(Tile::new(2, 1), false), (Tile::new(2, 0), true)] {
            let mut other = grid.clone();
            other.set_free(tile, free);
            assert!(sound.check(&other).is_err(), "{tile}");
        }
    }

    #[test]
    fn a_leak_is_told_with_its_step() {
        let (grid, mut parts) = sample();
        // The zones of the first room and the hall, with the door between them opened.
        set(&mut parts, 10, 1);
        parts.gates[0].tiles.clear();
        let violation = parts.check(&grid).unwrap_err();
        assert!(matches!(violation, Violation::Leak { .. }), "{violation}");
    }
}
