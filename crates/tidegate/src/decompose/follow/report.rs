//! The end of following a change: numbers without gaps for what is new, and what changed.

use std::collections::BTreeSet;

use super::super::zone::mark_pockets;
use super::super::{GateId, Place, Zone, ZoneId};
use super::Follower;

/// What a change of the map did to zones and gates. All lists are sorted. Whether a zone is a
/// pocket ([`Zone::is_pocket`]) may change without its being listed, because that depends on the
/// rest of the map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ZoneChanges {
    /// Zones that are new.
    pub zones_came: Vec<ZoneId>,
    /// Zones that are gone. Their numbers are not used again.
    pub zones_went: Vec<ZoneId>,
    /// Zones that are still there, with more tiles or fewer or others.
    pub zones_changed: Vec<ZoneId>,
    /// Which new zones have tiles of which zone of before: (from, into).
    pub split: Vec<(ZoneId, ZoneId)>,
    /// Which zones have tiles of which zone that is gone: (from, into).
    pub merged: Vec<(ZoneId, ZoneId)>,
    /// Gates that are new.
    pub gates_came: Vec<GateId>,
    /// Gates that are gone. Their numbers are not used again.
    pub gates_went: Vec<GateId>,
    /// Gates that are still there but differ in their line, their tiles, or the zones and
    /// gates that they touch.
    pub gates_changed: Vec<GateId>,
}

impl ZoneChanges {
    /// Whether zones and gates are what they were.
    pub fn is_empty(&self) -> bool {
        *self == ZoneChanges::default()
    }
}

impl Follower<'_> {
    /// Numbers what is new from where the numbers ended before, and reports.
    pub(super) fn finish(mut self) -> ZoneChanges {
        self.number_zones();
        self.number_gates();
        let (mut tiles_of, mut pairs) = (BTreeSet::new(), BTreeSet::new());
        for (cell, from) in self.moved() {
            let to = self.place(cell);
            tiles_of.extend([from, to].into_iter().filter_map(zone));
            pairs.extend(zone(from).zip(zone(to)));
        }
        let mut changes = ZoneChanges::default();
        for zone in tiles_of {
            if self.zone(zone).is_gone() {
                self.parts.zones[zone.index()] = Zone::gone(zone);
            }
            let is_new = zone.index() >= self.old_zones;
            let list = match (is_new, self.zone(zone).is_gone()) {
                (true, _) => &mut changes.zones_came,
                (false, true) => &mut changes.zones_went,
                (false, false) => &mut changes.zones_changed,
            };
            list.push(zone);
        }
        for (from, into) in pairs {
            if into.index() >= self.old_zones {
                changes.split.push((from, into));
            } else if self.zone(from).is_gone() {
                changes.merged.push((from, into));
            }
        }
        for (&gate, old) in &self.before {
            match old {
                Some(_) if self.gate(gate).is_gone() => changes.gates_went.push(gate),
                Some(old) if old != self.gate(gate) => changes.gates_changed.push(gate),
                _ => {}
            }
        }
        mark_pockets(&mut self.parts.zones, &self.parts.gates);
        let came = self.old_gates..self.parts.gates.len();
        changes.gates_came = came.map(GateId::from_index).collect();
        changes
    }

    /// Closes the gaps among the numbers of new zones, and finds first tiles that were lost.
    fn number_zones(&mut self) {
        for zone in std::mem::take(&mut self.first_lost) {
            if !self.zone(zone).is_gone() {
                self.first_lost.insert(zone);
                self.first(zone);
            }
        }
        let mut next = self.old_zones;
        for old in self.old_zones..self.parts.zones.len() {
            if self.parts.zones[old].is_gone() {
                continue;
            }
            let (id, was) = (ZoneId::from_index(next), ZoneId::from_index(old));
            let first = self.zone(was).first;
            // Places of the two numbers swap: the other one has no tiles.
            self.parts.zones[next].first = first;
            self.relabel(first, Place::Zone(id));
            let gates = std::mem::take(&mut self.parts.zones[old].gates);
            for gate in &gates {
                let zones = &mut self.parts.gates[gate.index()].zones;
                zones.iter_mut().filter(|zone| **zone == was).for_each(|zone| *zone = id);
            }
            self.parts.zones[next].gates = gates;
            next += 1;
        }
        self.parts.zones.truncate(next);
    }

    /// Closes the gaps among the numbers of new gates.
    fn number_gates(&mut self) {
        let mut next = self.old_gates;
        for old in self.old_gates..self.parts.gates.len() {
            if self.parts.gates[old].is_gone() {
                continue;
            }
            let (id, was) = (GateId::from_index(next), GateId::from_index(old));
            if id != was {
                self.parts.gates.swap(next, old);
                let mut gate = self.gate(id).clone();
                gate.id = id;
                let rename = |list: &mut Vec<GateId>| {
                    list.iter_mut().filter(|other| **other == was).for_each(|other| *other = id);
                };
                gate.zones.iter().for_each(|z| rename(&mut self.parts.zones[z.index()].gates));
                gate.gates.iter().for_each(|g| rename(&mut self.parts.gates[g.index()].gates));
                gate.tiles.iter().for_each(|&cell| self.set(cell, Place::Gate(id)));
                self.parts.gates[next] = gate;
            }
            next += 1;
        }
        self.parts.gates.truncate(next);
    }
}

fn zone(place: Place) -> Option<ZoneId> {
    match place {
        Place::Zone(zone) => Some(zone),
        _ => None,
    }
}
