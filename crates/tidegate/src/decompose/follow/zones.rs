//! Zones after a change: which fall apart, and where tiles without a zone belong.

use std::collections::VecDeque;

use super::super::{GateId, Place, ZoneId};
use super::Follower;
use crate::grid::CellId;

/// Tiles without a zone that hang together.
pub(super) struct Patch {
    pub(super) cells: Vec<CellId>,
    /// The zones that steps lead to, each with a tile of it.
    pub(super) zones: Vec<(ZoneId, CellId)>,
}

impl Follower<'_> {
    /// The gate of a tile.
    pub(super) fn gate_of(&self, cell: CellId) -> Option<GateId> {
        match self.place(cell) {
            Place::Gate(gate) => Some(gate),
            _ => None,
        }
    }

    /// Whether a tile of a gate is one of its offcuts'.
    pub(super) fn is_offcut(&self, gate: GateId, cell: CellId) -> bool {
        let owner = self.gate(gate);
        owner.tiles[owner.drawn..].binary_search(&cell).is_ok()
    }

    /// Takes its offcuts from a gate; their tiles wait for a zone.
    pub(super) fn free_offcuts(&mut self, gate: GateId) {
        let owner = self.gate(gate);
        if owner.drawn < owner.tiles.len() {
            self.touch(gate);
            let owner = &mut self.parts.gates[gate.index()];
            for cell in owner.tiles.split_off(owner.drawn) {
                self.set(cell, Place::Zone(self.unassigned));
            }
        }
    }

    /// Looks whether zones that lost tiles or steps have fallen apart: the largest part
    /// keeps the number, the others become zones with new ones.
    pub(super) fn split_zones(&mut self) {
        while let Some((zone, mut cuts)) = self.may_split.pop_first() {
            cuts.sort_unstable();
            cuts.dedup();
            let seeds = self.seeds(zone, &cuts);
            if seeds.len() > 1 {
                let parts = self.parts_from(zone, seeds);
                for cells in parts {
                    let part = self.new_zone();
                    cells.into_iter().for_each(|cell| self.set(cell, Place::Zone(part)));
                }
            }
        }
    }

    /// Groups of tiles of a zone around its cuts, if it may have fallen apart there: each
    /// group hangs together. Around most cuts all tiles touch each other.
    fn seeds(&self, zone: ZoneId, cuts: &[CellId]) -> Vec<Vec<CellId>> {
        let here = |cell: &CellId| self.zone_of(*cell) == Some(zone);
        let near = |cut: CellId| self.around(cut).filter(here);
        let mut seeds: Vec<CellId> = cuts.iter().flat_map(|&cut| near(cut)).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let number = |cell: CellId| seeds.binary_search(&cell).ok();
        let mut group: Vec<usize> = (0..seeds.len()).collect();
        for (i, &seed) in seeds.iter().enumerate() {
            for j in self.grid.neighbours(seed).filter_map(|(next, _)| number(next)) {
                unite(&mut group, i, j);
            }
        }
        // Cuts that touch are one: what was joined through them must be joined around them.
        let cut_number = |cell: CellId| cuts.binary_search(&cell).ok();
        let mut cluster: Vec<usize> = (0..cuts.len()).collect();
        for (i, &cut) in cuts.iter().enumerate() {
            for j in self.around(cut).filter_map(cut_number) {
                unite(&mut cluster, i, j);
            }
        }
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (i, &cut) in cuts.iter().enumerate() {
            let root = find(&mut cluster, i);
            for j in near(cut).filter_map(number) {
                pairs.push((root, find(&mut group, j)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut doubtful: Vec<usize> = Vec::new();
        for run in pairs.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
            doubtful.extend(run.iter().map(|&(_, root)| root));
        }
        doubtful.sort_unstable();
        doubtful.dedup();
        let mut groups: Vec<Vec<CellId>> = vec![Vec::new(); doubtful.len()];
        for (i, &seed) in seeds.iter().enumerate() {
            if let Ok(number) = doubtful.binary_search(&find(&mut group, i)) {
                groups[number].push(seed);
            }
        }
        groups
    }

    /// Floods a zone from groups of its tiles, in turns, until all but one flood have come
    /// to an end or met. Returns all parts but the largest.
    fn parts_from(&self, zone: ZoneId, seeds: Vec<Vec<CellId>>) -> Vec<Vec<CellId>> {
        let mut flood_of = vec![0u32; self.grid.tiles()];
        let mut root: Vec<usize> = (0..seeds.len()).collect();
        let mut floods: Vec<Vec<CellId>> = seeds;
        let mut todo: Vec<VecDeque<CellId>> = Vec::with_capacity(floods.len());
        for (i, flood) in floods.iter().enumerate() {
            flood.iter().for_each(|cell| flood_of[cell.index()] = i as u32 + 1);
            todo.push(flood.iter().copied().collect());
        }
        let mut running: Vec<usize> = (0..floods.len()).collect();
        let mut ended: Vec<Vec<CellId>> = Vec::new();
        let mut turn = 0;
        while running.len() > 1 {
            turn = if turn < running.len() { turn } else { 0 };
            let me = running[turn];
            let Some(cell) = todo[me].pop_front() else {
                ended.push(std::mem::take(&mut floods[me]));
                running.remove(turn);
                continue;
            };
            for (next, _) in self.grid.neighbours(cell) {
                if self.zone_of(next) != Some(zone) {
                    continue;
                }
                let other = flood_of[next.index()];
                if other == 0 {
                    flood_of[next.index()] = me as u32 + 1;
                    floods[me].push(next);
                    todo[me].push_back(next);
                    continue;
                }
                let other = find(&mut root, other as usize - 1);
                if other != me {
                    root[other] = me;
                    let (cells, rest) =
                        (std::mem::take(&mut floods[other]), std::mem::take(&mut todo[other]));
                    floods[me].extend(cells);
                    todo[me].extend(rest);
                    running.retain(|&flood| flood != other);
                    turn = running.iter().position(|&flood| flood == me).unwrap_or(0);
                }
            }
            turn += 1;
        }
        let rest = self.zone(zone).area as usize - ended.iter().map(Vec::len).sum::<usize>();
        let largest = ended.iter().map(Vec::len).max().unwrap_or(0);
        if largest <= rest {
            return ended;
        }
        // The last flood was not the largest part: end it, and keep another.
        if let Some(&last) = running.first() {
            while let Some(cell) = todo[last].pop_front() {
                for (next, _) in self.grid.neighbours(cell) {
                    if self.zone_of(next) == Some(zone) && flood_of[next.index()] == 0 {
                        flood_of[next.index()] = last as u32 + 1;
                        floods[last].push(next);
                        todo[last].push_back(next);
                    }
                }
            }
            ended.push(std::mem::take(&mut floods[last]));
        }
        let at = ended.iter().position(|cells| cells.len() == largest).unwrap_or(0);
        ended.remove(at);
        ended
    }

    /// Tiles without a zone, in patches that hang together, in row order.
    pub(super) fn patches(&mut self) -> Vec<Patch> {
        let mut out = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        let mut next = 0;
        // Offcuts that a patch touches join it, so the list may grow while it is read.
        while next < self.unassigned_tiles.len() {
            let start = self.unassigned_tiles[next];
            next += 1;
            if !self.is_unassigned(start) || !seen.insert(start) {
                continue;
            }
            let (mut cells, mut zones) = (vec![start], Vec::new());
            let mut at = 0;
            while at < cells.len() {
                for (cell, _) in self.grid.neighbours(cells[at]) {
                    if let Some(gate) = self.gate_of(cell)
                        && self.is_offcut(gate, cell)
                    {
                        self.free_offcuts(gate);
                    }
                    if self.is_unassigned(cell) {
                        if seen.insert(cell) {
                            cells.push(cell);
                        }
                    } else if let Some(zone) = self.zone_of(cell) {
                        zones.push((zone, cell));
                    }
                }
                at += 1;
            }
            zones.sort_unstable();
            zones.dedup_by_key(|(zone, _)| *zone);
            cells.sort_unstable();
            out.push(Patch { cells, zones });
        }
        self.unassigned_tiles.retain(|cell| seen.contains(cell));
        out.sort_unstable_by_key(|patch| patch.cells[0]);
        out
    }

    /// Gives every tile without a zone to one, and makes one zone of those that it joins.
    pub(super) fn fill_zones(&mut self) {
        for Patch { cells, zones } in self.patches() {
            // Earlier patches may have merged some of these.
            let zones: Vec<CellId> = zones.into_iter().map(|(_, cell)| cell).collect();
            let zone = match self.merge(&zones) {
                Some(zone) => zone,
                None => self.new_zone(),
            };
            cells.into_iter().for_each(|cell| self.set(cell, Place::Zone(zone)));
        }
        self.unassigned_tiles.clear();
        // A step across a corner that was opened may join zones although a gate has the
        // corner itself.
        let grid = self.grid;
        for i in 0..self.opened.len() {
            for cell in self.around(self.opened[i]) {
                for (other, _) in grid.neighbours(cell) {
                    let zones = (self.zone_of(cell), self.zone_of(other));
                    if let (Some(a), Some(b)) = zones
                        && a != b
                    {
                        self.merge(&[cell, other]);
                    }
                }
            }
        }
    }

    /// Makes one zone of the zones of these tiles. The largest keeps its number; one that was
    /// there before comes before a new one.
    fn merge(&mut self, tiles: &[CellId]) -> Option<ZoneId> {
        let key = |zone: ZoneId| {
            (zone.index() < self.old_zones, self.zone(zone).area, std::cmp::Reverse(zone))
        };
        let zones = tiles.iter().filter_map(|&cell| self.zone_of(cell));
        let kept = zones.max_by_key(|&zone| key(zone))?;
        for &cell in tiles {
            if self.zone_of(cell).is_some_and(|zone| zone != kept) {
                self.relabel(cell, Place::Zone(kept));
            }
        }
        Some(kept)
    }
}

fn find(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

fn unite(parent: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b)] = a.min(b);
}
