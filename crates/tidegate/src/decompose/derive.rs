//! From lines to a decomposition: everything that follows from the gates of a map.
//!
//! Lines are checked and claim their tiles, what is left falls apart into zones, offcuts
//! go to their gates, and at last every gate and zone learns what it touches.

use super::claims::Claims;
use super::gate::{Gate, GateId, GateLine};
use super::zone::{self, Parts, Zone, ZoneId};
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
        Claims { mut tiles, .. }: Claims,
        method: Method,
        raw_gates: u32,
    ) -> Decomposition {
        let mut parts = zone::zones(grid, &tiles);
        let mut places = fill(grid, &parts, &tiles);
        let beside = |places: &Places, tiles: &[CellId], zones| touched(grid, places, tiles, zones);
        let adjacent: Vec<Vec<ZoneId>> =
            tiles.iter().map(|t| beside(&places, t, parts.parts.len()).0).collect();
        let drawn: Vec<usize> = tiles.iter().map(Vec::len).collect();
        let offcuts = zone::offcuts(&parts.parts, &adjacent);
        if offcuts.iter().any(Option::is_some) {
            absorb(&mut parts, &mut tiles, &offcuts);
            places = fill(grid, &parts, &tiles);
        }
        let zone_of = |(i, (first, area)): (usize, (CellId, u32))| Zone {
            id: ZoneId(i as u32),
            area,
            first,
            gates: Vec::new(),
            is_pocket: false,
        };
        let mut zones: Vec<Zone> = parts.parts.into_iter().enumerate().map(zone_of).collect();
        let mut gates = Vec::with_capacity(lines.len());
        for (i, ((line, tiles), drawn)) in lines.iter().zip(tiles).zip(drawn).enumerate() {
            let id = GateId(i as u32);
            let (beside, mut touching) = beside(&places, &tiles, zones.len());
            touching.retain(|gate| *gate != id);
            for zone in &beside {
                zones[zone.index()].gates.push(id);
            }
            gates.push(Gate { id, line: *line, tiles, drawn, zones: beside, gates: touching });
        }
        zone::mark_pockets(&mut zones, &gates);
        let (width, height, movement) = (grid.width(), grid.height(), grid.movement());
        Decomposition { width, height, movement, method, raw_gates, places, zones, gates }
    }
}

/// The places of all tiles.
fn fill(grid: &Grid, zones: &Parts, tiles: &[Vec<CellId>]) -> Places {
    let mut places = Places::new(grid.tiles(), zones.parts.len(), tiles.len());
    for run in &zones.runs {
        places.fill(run.from as usize..run.to as usize, ZoneId(run.part));
    }
    for (gate, tiles) in tiles.iter().enumerate() {
        tiles.iter().for_each(|&tile| places.set(tile, Place::Gate(GateId(gate as u32))));
    }
    places
}

/// The zones and gates that legal steps from these tiles reach, sorted.
fn touched(
    grid: &Grid,
    places: &Places,
    tiles: &[CellId],
    zones: usize,
) -> (Vec<ZoneId>, Vec<GateId>) {
    let (mut beside, mut touching) = (Vec::new(), Vec::new());
    for (next, _) in tiles.iter().flat_map(|&tile| grid.neighbours(tile)) {
        match places.get(next, zones) {
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
fn absorb(zones: &mut Parts, tiles: &mut [Vec<CellId>], offcuts: &[Option<GateId>]) {
    let mut next = 0;
    let number: Vec<u32> = offcuts
        .iter()
        .map(|offcut| {
            next += u32::from(offcut.is_none());
            next.saturating_sub(1)
        })
        .collect();
    zones.runs.retain_mut(|run| {
        let offcut = offcuts[run.part as usize];
        run.part = number[run.part as usize];
        if let Some(gate) = offcut {
            let cells = (run.from..run.to).map(|i| CellId::from_index(i as usize));
            tiles[gate.index()].extend(cells);
        }
        offcut.is_none()
    });
    let mut stays = offcuts.iter().map(Option::is_none);
    zones.parts.retain(|_| stays.next().unwrap_or(true));
}
