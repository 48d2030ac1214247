//! Sites: zones as they merge while gates are taken away; how large and how wide they are.

use super::super::{Decomposition, Place};
use crate::depth;
use crate::grid::{CellId, Grid};

/// The sites of a decomposition that is being cleaned. Zones and gates are nodes; a gate
/// that was taken away is part of the site it joined together.
pub(super) struct Sites<'a> {
    grid: &'a Grid,
    raw: &'a Decomposition,
    /// By zone, then by gate: the node it has become part of.
    parent: Vec<usize>,
    sites: Vec<Site>,
}

#[derive(Clone, Default)]
struct Site {
    area: u32,
    /// Left, top, right, bottom; all included.
    bounds: [u32; 4],
    /// The distance index of its deepest tile, other sites and gates being walls: a lower
    /// bound, exact when it was last measured.
    deepest: u16,
    /// The area when it was last measured.
    measured: u32,
    /// The gates around it, those that are gone included.
    gates: Vec<usize>,
}

impl Site {
    fn take_bounds(&mut self, [l, t, r, b]: [u32; 4]) {
        let [left, top, right, bottom] = self.bounds;
        self.bounds = [left.min(l), top.min(t), right.max(r), bottom.max(b)];
    }
}

impl<'a> Sites<'a> {
    pub(super) fn new(grid: &'a Grid, raw: &'a Decomposition) -> Sites<'a> {
        let nodes = raw.zones.len() + raw.gates.len();
        let empty = Site { bounds: [u32::MAX, u32::MAX, 0, 0], ..Site::default() };
        let width = grid.width() as usize;
        let mut out = Sites { grid, raw, parent: (0..nodes).collect(), sites: vec![empty; nodes] };
        let distance = raw.distances();
        raw.for_runs(|place, tiles| {
            let node = match place {
                Place::Wall => return,
                Place::Zone(zone) => zone.index(),
                Place::Gate(gate) => raw.zones.len() + gate.index(),
            };
            let (left, y) = ((tiles.start % width) as u32, (tiles.start / width) as u32);
            let site = &mut out.sites[node];
            site.area += tiles.len() as u32;
            site.take_bounds([left, y, left + tiles.len() as u32 - 1, y]);
            site.deepest = site.deepest.max(depth::greatest(&distance[tiles]));
        });
        for (zone, site) in raw.zones.iter().zip(&mut out.sites) {
            site.measured = site.area;
            site.gates = zone.gates.iter().map(|gate| gate.index()).collect();
        }
        out
    }

    /// The zone or gate of a tile, as a number over both.
    fn node(&self, cell: CellId) -> Option<usize> {
        match self.raw.place(cell) {
            Place::Wall => None,
            Place::Zone(zone) => Some(zone.index()),
            Place::Gate(gate) => Some(self.raw.zones.len() + gate.index()),
        }
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    /// The sites beside a gate, each once. If there are fewer than two, because it touches
    /// another gate that is still there, those beyond that one too.
    pub(super) fn around(&mut self, gate: usize, alive: &[bool]) -> Vec<usize> {
        let mut sites = self.joined(gate, alive);
        if sites.len() < 2 {
            let raw = self.raw;
            for other in raw.gates[gate].gates.iter().filter(|other| alive[other.index()]) {
                sites.extend(self.joined(other.index(), alive));
            }
            sites.sort_unstable();
            sites.dedup();
        }
        sites
    }

    /// The sites that a step joins to a gate: zones, and what gates have become that are gone.
    fn joined(&mut self, gate: usize, alive: &[bool]) -> Vec<usize> {
        let raw = self.raw;
        let zones = raw.gates[gate].zones.iter().map(|zone| zone.index());
        let gone = raw.gates[gate].gates.iter().filter(|other| !alive[other.index()]);
        let nodes: Vec<usize> =
            zones.chain(gone.map(|other| raw.zones.len() + other.index())).collect();
        let mut sites: Vec<usize> = nodes.into_iter().map(|node| self.find(node)).collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// Tiles of a site.
    pub(super) fn area(&self, site: usize) -> u32 {
        self.sites[site].area
    }

    /// The diameter of the largest disc inside, in tiles, as far as it is known.
    pub(super) fn width(&self, site: usize) -> f64 {
        depth::disc_width(self.sites[site].deepest)
    }

    /// The gates beside all of these sites: a superset, found at the site with the fewest.
    pub(super) fn gates_beside_all(&self, sites: &[usize]) -> Vec<usize> {
        let fewest = sites.iter().map(|&s| &self.sites[s].gates).min_by_key(|list| list.len());
        fewest.cloned().unwrap_or_default()
    }

    /// Takes a gate away: it and all beside it become one site. Returns the gates that may
    /// have got worse by it: those around all but the largest of the sites.
    pub(super) fn open(&mut self, gate: usize, alive: &[bool]) -> Vec<usize> {
        let own = self.raw.zones.len() + gate;
        let mut sites = self.joined(gate, alive);
        sites.sort_by_key(|&s| (std::cmp::Reverse(self.sites[s].gates.len()), s));
        let Some((&largest, others)) = sites.split_first() else { return Vec::new() };
        let mut touched = Vec::new();
        for site in others.iter().copied().chain([own]) {
            self.parent[site] = largest;
            let joined = std::mem::take(&mut self.sites[site]);
            touched.extend_from_slice(&joined.gates);
            let whole = &mut self.sites[largest];
            whole.area += joined.area;
            whole.deepest = whole.deepest.max(joined.deepest);
            whole.measured = whole.measured.max(joined.measured);
            whole.take_bounds(joined.bounds);
            whole.gates.extend(joined.gates);
        }
        // Gates that touched this one lie beside the site now.
        let touching = self.raw.gates[gate].gates.iter().map(|other| other.index());
        let touching: Vec<usize> = touching.filter(|&other| alive[other]).collect();
        self.sites[largest].gates.extend_from_slice(&touching);
        touched.extend(touching);
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// The width of the narrowest of these sites, measured again where it has grown by more
    /// than an eighth since it was last measured.
    pub(super) fn measure_narrowest(&mut self, sites: &[usize]) -> f64 {
        loop {
            let narrowest = sites
                .iter()
                .copied()
                .min_by(|&a, &b| self.width(a).total_cmp(&self.width(b)).then(a.cmp(&b)));
            let Some(site) = narrowest else { return 1.0 };
            let Site { area, measured, .. } = self.sites[site];
            if area <= measured + measured / 8 {
                return self.width(site);
            }
            self.measure(site);
        }
    }

    /// Finds the deepest tile of a site.
    fn measure(&mut self, site: usize) {
        let [left, top, right, bottom] = self.sites[site].bounds;
        // Look every node up once, not every tile.
        let member: Vec<bool> = (0..self.parent.len()).map(|n| self.find(n) == site).collect();
        let width = self.grid.width() as usize;
        let inside = depth::distances(right - left + 1, bottom - top + 1, |y, row| {
            let first = (y + top as usize) * width + left as usize;
            for (cell, tile) in row.iter_mut().zip(first..) {
                let node = self.node(CellId::from_index(tile));
                *cell = if node.is_some_and(|node| member[node]) { u16::MAX } else { 0 };
            }
        });
        let found = depth::greatest(&inside);
        let site = &mut self.sites[site];
        site.deepest = site.deepest.max(found);
        site.measured = site.area;
    }
}
