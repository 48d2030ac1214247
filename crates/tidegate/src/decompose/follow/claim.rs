//! The tiles that lines near a change own, worked out again.
//!
//! The outcome is what [`Claims`](super::super::claims::Claims) of the whole map gives: what a
//! line owns depends only on tiles near it, so gates are worked out again for as long as tiles
//! near others change by it.

use std::collections::{BTreeMap, BTreeSet};

use super::super::claims::{self, Owners};
use super::super::gate::GateLine;
use super::super::{GateId, Place};
use super::Follower;
use crate::grid::CellId;

impl Follower<'_> {
    /// Works out which tiles these gates own, and those of others that change by it.
    pub(super) fn claim(&mut self, mut gates: BTreeSet<GateId>) {
        loop {
            let made = self.claimed(&gates);
            let mut differing = Vec::new();
            for (gate, tiles) in &made {
                let old = self.gate(*gate);
                let old = &old.tiles[..old.drawn];
                differing.extend(tiles.iter().filter(|cell| !old.contains(cell)));
                differing.extend(old.iter().filter(|cell| !tiles.contains(cell)));
            }
            let count = gates.len();
            gates.extend(self.gates_near(&differing));
            if gates.len() == count {
                let covered = made.iter().filter(|(_, tiles)| tiles.is_empty());
                let covered: Vec<GateId> = covered.map(|(gate, _)| *gate).collect();
                if covered.is_empty() {
                    return self.take_tiles(made);
                }
                for gate in covered {
                    gates.remove(&gate);
                    gates.extend(self.remove_gate(gate));
                }
            }
        }
    }

    /// The tiles that a line would own as a new gate.
    pub(super) fn claimed_by(&self, line: GateLine) -> Vec<CellId> {
        let none = BTreeSet::new();
        let mut owners =
            LocalOwners { follower: self, again: &none, given: BTreeMap::new(), me: 0 };
        owners.me = self.parts.gates.len() as u32 + 1;
        for cell in self.cells_of(&line) {
            if owners.owner(cell) == 0 {
                owners.give(cell, owners.me);
            }
        }
        let me = owners.me;
        claims::walk(self.grid, &mut owners, me, &line)
    }

    /// What [`claims::Claims`] of the whole map would give to these gates, provided that all
    /// others own what they do now.
    fn claimed(&self, gates: &BTreeSet<GateId>) -> Vec<(GateId, Vec<CellId>)> {
        let mut owners =
            LocalOwners { follower: self, again: gates, given: BTreeMap::new(), me: 0 };
        let mut lines: Vec<CellId> = Vec::new();
        gates.iter().for_each(|&gate| lines.extend(self.cells_of(&self.gate(gate).line)));
        let mut rivals = self.gates_near(&lines);
        rivals.extend(gates);
        for cell in lines {
            let tile = self.grid.tile(cell);
            let first = rivals.iter().find(|&&gate| self.gate(gate).line.contains(tile));
            owners.give(cell, first.map_or(0, |gate| gate.0 + 1));
        }
        let walk = |&gate: &GateId| {
            owners.me = gate.0 + 1;
            (gate, claims::walk(self.grid, &mut owners, gate.0 + 1, &self.gate(gate).line))
        };
        gates.iter().map(walk).collect()
    }

    /// Gives gates the tiles that they own from now on.
    fn take_tiles(&mut self, made: Vec<(GateId, Vec<CellId>)>) {
        let mut changed = Vec::new();
        for (gate, tiles) in made {
            let old = self.gate(gate);
            if old.tiles[..old.drawn] != tiles[..] {
                self.free_offcuts(gate);
                self.touch(gate);
                let old = std::mem::take(&mut self.parts.gates[gate.index()].tiles);
                changed.push((gate, old, tiles));
            }
        }
        for (gate, old, tiles) in &changed {
            for &cell in old.iter().filter(|cell| !tiles.contains(cell)) {
                if self.place(cell) == Place::Gate(*gate) {
                    self.set(cell, Place::Zone(self.unassigned));
                }
            }
        }
        for (gate, _, tiles) in changed {
            for &cell in &tiles {
                match self.place(cell) {
                    Place::Zone(zone) if zone != self.unassigned => {
                        self.may_split.entry(zone).or_default().push(cell);
                    }
                    Place::Gate(other) if other != gate => self.free_offcuts(other),
                    _ => {}
                }
                self.set(cell, Place::Gate(gate));
            }
            let owner = &mut self.parts.gates[gate.index()];
            owner.drawn = tiles.len();
            owner.tiles = tiles;
        }
    }
}

/// Who owns the tiles around lines that are worked out again. Of the other gates it sees
/// what a line with the number `me` would see in its turn.
struct LocalOwners<'a, 'b> {
    follower: &'a Follower<'b>,
    again: &'a BTreeSet<GateId>,
    given: BTreeMap<CellId, u32>,
    me: u32,
}

impl Owners for LocalOwners<'_, '_> {
    fn owner(&self, cell: CellId) -> u32 {
        if let Some(&owner) = self.given.get(&cell) {
            return owner;
        }
        let Some(gate) = self.follower.gate_of(cell) else { return 0 };
        let line = self.follower.gate(gate).line;
        let on_line = line.contains(self.follower.grid.tile(cell));
        let is_offcut = || self.follower.is_offcut(gate, cell);
        let is_known = on_line || (gate.0 + 1 < self.me && !is_offcut());
        if is_known && !self.again.contains(&gate) { gate.0 + 1 } else { 0 }
    }

    fn give(&mut self, cell: CellId, gate: u32) {
        self.given.insert(cell, gate);
    }
}
