//! From lines to a decomposition: everything that follows from the gates of a map.
//!
//! Lines are checked and claim their tiles, what is left falls apart into zones, offcuts
//! go to their gates, and at last every gate and zone learns what it touches.

use super::claims::Claims;
use super::gate::{Gate, GateId, GateLine};
use super::zone::{self, Zone, ZoneId};
use super::{Decomposition, GateError, Method, Place, Places};
use crate::grid::{CellId, Grid};

impl Decomposition {
    /// Checks lines and hands out their tiles.
    pub(super) fn claim(grid: &Grid, lines: &[GateLine]) -> Result<Claims, GateError> {
        // Each tile lies on at most one line of each of the four axes, unless lines
        // overlap; so this bounds the work that a hostile list can ask for.
        let tiles: u64 = lines.iter().map(|line| u64::from(line.width())).sum();
        if tiles > 4 * grid.tiles() as u64 {
            return Err(GateError::Overlap { tiles });
        }
        for (gate, line) in lines.iter().enumerate() {
            line.check(grid).map_err(|error| GateError::Line { gate, error })?;
        }
        let claims = Claims::new(grid, lines);
        match claims.tiles.iter().position(Vec::is_empty) {
            Some(gate) => Err(GateError::Covered { gate }),
            None => Ok(claims),
        }
    }

    /// Makes a decomposition of lines that a method has found: what is covered by others
    /// or separates nothing is left out.
    pub(super) fn automatic(
        grid: &Grid,
        mut lines: Vec<GateLine>,
        method: Method,
        raw_gates: u32,
    ) -> Decomposition {
        loop {
            let claims = Claims::new(grid, &lines);
            let covered: Vec<bool> = claims.tiles.iter().map(Vec::is_empty).collect();
            let useless: Vec<bool>;
            if covered.contains(&true) {
                useless = covered;
            } else {
                let made = Decomposition::derive(grid, &lines, claims, method, raw_gates);
                useless = made.gates.iter().map(|gate| !gate.separates()).collect();
                if !useless.contains(&true) {
                    return made;
                }
            }
            let mut useless = useless.into_iter();
            lines.retain(|_| !useless.next().unwrap_or(false));
        }
    }

    /// Works out everything that follows from the claimed tiles.
    pub(super) fn derive(
        grid: &Grid,
        lines: &[GateLine],
        claims: Claims,
        method: Method,
        raw_gates: u32,
    ) -> Decomposition {
        let zones = zone::zones(grid, &claims.owners);
        Decomposition::finish(grid, lines, claims.tiles, zones, method, raw_gates)
    }

    /// Puts together lines, the tiles they own and the zones between them.
    pub(super) fn finish(
        grid: &Grid,
        lines: &[GateLine],
        mut tiles: Vec<Vec<CellId>>,
        zones: zone::Parts,
        method: Method,
        raw_gates: u32,
    ) -> Decomposition {
        let zone::Parts { labels: mut codes, mut parts } = zones;
        give(&mut codes, &tiles, parts.len());
        let adjacent: Vec<Vec<ZoneId>> =
            tiles.iter().map(|t| touched(grid, &codes, t, parts.len()).0).collect();
        let drawn: Vec<usize> = tiles.iter().map(Vec::len).collect();
        let offcuts = zone::offcuts(&parts, &adjacent);
        if offcuts.iter().any(Option::is_some) {
            absorb(&mut codes, &mut parts, &mut tiles, &offcuts);
        }
        let zone_of = |(i, (first, area)): (usize, (CellId, u32))| Zone {
            id: ZoneId(i as u32),
            area,
            first,
            gates: Vec::new(),
            is_pocket: false,
        };
        let mut zones: Vec<Zone> = parts.into_iter().enumerate().map(zone_of).collect();
        let mut gates = Vec::with_capacity(lines.len());
        for (i, ((line, tiles), drawn)) in lines.iter().zip(tiles).zip(drawn).enumerate() {
            let id = GateId(i as u32);
            let (beside, mut touching) = touched(grid, &codes, &tiles, zones.len());
            touching.retain(|gate| *gate != id);
            for zone in &beside {
                zones[zone.index()].gates.push(id);
            }
            gates.push(Gate { id, line: *line, tiles, drawn, zones: beside, gates: touching });
        }
        zone::mark_pockets(&mut zones, &gates);
        let places = Places::new(codes, zones.len(), gates.len());
        let (width, height, movement) = (grid.width(), grid.height(), grid.movement());
        Decomposition { width, height, movement, method, raw_gates, places, zones, gates }
    }
}

/// Writes the gates' codes, which follow those of the zones.
fn give(codes: &mut [u32], tiles: &[Vec<CellId>], zones: usize) {
    for (gate, tiles) in tiles.iter().enumerate() {
        tiles.iter().for_each(|tile| codes[tile.index()] = (zones + gate) as u32 + 1);
    }
}

/// The zones and gates that legal steps from these tiles reach, sorted.
fn touched(
    grid: &Grid,
    codes: &[u32],
    tiles: &[CellId],
    zones: usize,
) -> (Vec<ZoneId>, Vec<GateId>) {
    let (mut beside, mut touching) = (Vec::new(), Vec::new());
    for (next, _) in tiles.iter().flat_map(|&tile| grid.neighbours(tile)) {
        match decode(codes[next.index()], zones) {
            Place::Zone(zone) => beside.push(zone),
            Place::Gate(gate) => touching.push(gate),
            Place::Wall => {}
        }
    }
    beside.sort_unstable();
    beside.dedup();
    touching.sort_unstable();
    touching.dedup();
    (beside, touching)
}

/// Gives the tiles of offcuts to their gates and closes the gaps in the zones' numbers.
fn absorb(
    codes: &mut [u32],
    parts: &mut Vec<(CellId, u32)>,
    tiles: &mut [Vec<CellId>],
    offcuts: &[Option<GateId>],
) {
    let before = parts.len();
    let mut number = offcuts.iter();
    parts.retain(|_| number.next().is_some_and(Option::is_none));
    let mut renumbered = Vec::with_capacity(1 + before + tiles.len());
    renumbered.push(0);
    let mut next = 0;
    for offcut in offcuts {
        next += u32::from(offcut.is_none());
        renumbered.push(offcut.map_or(next, |gate| (parts.len() + gate.index()) as u32 + 1));
    }
    renumbered.extend((0..tiles.len()).map(|gate| (parts.len() + gate) as u32 + 1));
    for (i, code) in codes.iter_mut().enumerate().filter(|(_, code)| **code != 0) {
        if let Some(Some(gate)) = offcuts.get(*code as usize - 1) {
            tiles[gate.index()].push(CellId::from_index(i));
        }
        *code = renumbered[*code as usize];
    }
}

/// What a code means while codes of gates still follow those of the zones.
fn decode(code: u32, zones: usize) -> Place {
    match code as usize {
        0 => Place::Wall,
        code if code <= zones => Place::Zone(ZoneId(code as u32 - 1)),
        code => Place::Gate(GateId((code - zones) as u32 - 1)),
    }
}
