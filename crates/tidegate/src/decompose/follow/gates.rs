//! Gates after a change: what they touch, which offcuts are theirs, and which are of no use.

use std::collections::BTreeSet;

use super::super::zone::OFFCUT;
use super::super::{GateId, Place, Source, ZoneId};
use super::Follower;
use crate::grid::CellId;

impl Follower<'_> {
    /// Works out again what gates beside changed tiles touch, and notes the small zones there.
    /// Returns the gates with offcuts there.
    pub(super) fn refresh_gates(&mut self) -> BTreeSet<GateId> {
        let mut with_offcuts: BTreeSet<GateId> = BTreeSet::new();
        let mut gates: BTreeSet<GateId> = BTreeSet::new();
        let mut zones: BTreeSet<ZoneId> = BTreeSet::new();
        for &(cell, from) in &self.log[self.seen..] {
            for near in self.around(cell).chain([cell]) {
                match self.place(near) {
                    Place::Zone(zone) => _ = zones.insert(zone),
                    Place::Gate(gate) => {
                        gates.insert(gate);
                        if self.is_offcut(gate, near) {
                            with_offcuts.insert(gate);
                        }
                    }
                    Place::Wall => {}
                }
            }
            match from {
                Place::Zone(zone) => _ = zones.insert(zone),
                Place::Gate(gate) if !self.gate(gate).is_gone() => _ = gates.insert(gate),
                _ => {}
            }
        }
        self.seen = self.log.len();
        for zone in zones {
            let area = self.zone(zone).area;
            let was = self.areas.get(zone.index());
            if was.is_some_and(|&was| (was > OFFCUT) != (area > OFFCUT)) {
                gates.extend(self.zone(zone).gates());
            }
            if (1..=OFFCUT).contains(&area) {
                self.small.insert(zone);
            }
        }
        for gate in gates {
            self.refresh(gate);
        }
        with_offcuts
    }

    fn refresh(&mut self, gate: GateId) {
        self.touch(gate);
        let (mut zones, mut gates) = (Vec::new(), Vec::new());
        for (next, _) in self.gate(gate).tiles.iter().flat_map(|&tile| self.grid.neighbours(tile)) {
            match self.place(next) {
                Place::Zone(zone) => zones.push(zone),
                Place::Gate(other) if other != gate => gates.push(other),
                _ => {}
            }
        }
        zones.sort_unstable();
        zones.dedup();
        gates.sort_unstable();
        gates.dedup();
        let owner = &mut self.parts.gates[gate.index()];
        owner.gates = gates;
        let old = std::mem::replace(&mut owner.zones, zones.clone());
        for zone in old.iter().filter(|zone| !zones.contains(zone)) {
            self.parts.zones[zone.index()].gates.retain(|&g| g != gate);
        }
        for zone in zones.iter().filter(|zone| !old.contains(zone)) {
            let around = &mut self.parts.zones[zone.index()].gates;
            if let Err(at) = around.binary_search(&gate) {
                around.insert(at, gate);
            }
        }
    }

    /// Whether at least two zones beside a gate are more than offcuts.
    fn is_dividing(&self, gate: GateId) -> bool {
        let large = |zone: &&ZoneId| self.zone(**zone).area > OFFCUT;
        self.gate(gate).zones.iter().filter(large).count() >= 2
    }

    /// Offcuts are judged again where tiles around them changed, and where a gate beside
    /// them began or ceased to divide large zones. Returns whether there were any.
    pub(super) fn free_doubtful_offcuts(&mut self, beside: BTreeSet<GateId>) -> bool {
        let waiting = self.log.len();
        beside.into_iter().for_each(|gate| self.free_offcuts(gate));
        let known: Vec<(GateId, bool)> = self.divides.iter().map(|(&g, &d)| (g, d)).collect();
        for (gate, known) in known {
            if self.gate(gate).is_gone() || self.is_dividing(gate) == known {
                continue;
            }
            self.divides.insert(gate, !known);
            let small = |zone: &&ZoneId| self.zone(**zone).area <= OFFCUT;
            let beside: Vec<ZoneId> = self.gate(gate).zones.iter().filter(small).copied().collect();
            self.small.extend(beside);
            for owner in self.gate(gate).gates.clone().into_iter().chain([gate]) {
                self.free_offcuts(owner);
            }
        }
        self.log.len() > waiting
    }

    /// Gives the tiles of offcuts to their gates, by the rule of
    /// [`offcuts`](super::super::zone::offcuts).
    pub(super) fn hand_out_offcuts(&mut self) {
        let small = std::mem::take(&mut self.small);
        for zone in small {
            if zone == self.unassigned || !(1..=OFFCUT).contains(&self.zone(zone).area) {
                continue;
            }
            self.small.insert(zone);
            let first = self.first(zone);
            let cells = self.tiles_of_small(first);
            let near = cells.iter().flat_map(|&cell| self.grid.neighbours(cell));
            let gates: BTreeSet<GateId> = near.filter_map(|(near, _)| self.gate_of(near)).collect();
            let Some(&owner) = gates.first() else { continue };
            if gates.iter().all(|&gate| self.is_dividing(gate)) {
                self.touch(owner);
                cells.iter().for_each(|&cell| self.set(cell, Place::Gate(owner)));
                let owner = &mut self.parts.gates[owner.index()];
                owner.tiles.extend(cells);
                owner.tiles[owner.drawn..].sort_unstable();
            }
        }
    }

    /// The tiles of a small zone, from one of them.
    fn tiles_of_small(&self, start: CellId) -> Vec<CellId> {
        let mut cells = vec![start];
        let mut next = 0;
        while next < cells.len() {
            for (cell, _) in self.grid.neighbours(cells[next]) {
                if self.place(cell) == self.place(start) && !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
            next += 1;
        }
        cells
    }

    /// Drops the newest automatic gate that separates nothing, if it did so before or is new.
    pub(super) fn drop_useless_gate(&mut self) -> bool {
        let is_useless = |(&gate, old): (&GateId, &Option<super::Gate>)| {
            let now = self.gate(gate);
            let automatic = now.source() == Source::Automatic && !now.is_gone();
            let did = old.as_ref().is_none_or(super::Gate::separates);
            (automatic && did && !now.separates()).then_some(gate)
        };
        let Some(gate) = self.before.iter().rev().find_map(is_useless) else { return false };
        let near = self.remove_gate(gate);
        self.claim(near);
        true
    }

    /// The tiles that a change put into another place, each with the place before, in row
    /// order.
    pub(super) fn moved(&mut self) -> Vec<(CellId, Place)> {
        let mut log = std::mem::take(&mut self.log);
        log.sort_by_key(|&(cell, _)| cell);
        log.dedup_by_key(|&mut (cell, _)| cell);
        log.retain(|&(cell, from)| self.place(cell) != from);
        log
    }
}
