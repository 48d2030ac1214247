//! Sectors that follow the land: zones of a decomposition, joined two by two.
//!
//! The finest sectors are the zones; the two neighbours that are smallest together are
//! joined into one sector again and again, until only parts of the map that do not
//! touch are left: the roots. A tile of a gate belongs to the gate's first zone.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::hierarchy::{Hierarchy, SectorId};
use tidegate::decompose::{Decomposition, Place};
use tidegate::grid::{CellId, Tile};

/// The joined zones of a map. Every sector is a run of zones in one common order, so
/// that a tile's half is found by one comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneTree {
    width: u32,
    /// By tile: its zone's place in the order.
    place_of: Vec<u32>,
    /// By place: the zone's number in the decomposition.
    zones: Vec<u32>,
    /// By sector: the first place, and the first place after it.
    runs: Vec<(u32, u32)>,
    parents: Vec<Option<SectorId>>,
    halves: Vec<Option<[SectorId; 2]>>,
    roots: usize,
    /// By place: the places of the zones beside it, in rising order.
    beside: Vec<Vec<u32>>,
}

/// A join of two sectors made earlier.
type Join = [usize; 2];

impl ZoneTree {
    /// Joins the zones of a decomposition.
    pub fn new(decomposition: &Decomposition) -> ZoneTree {
        let beside = zones_beside(decomposition);
        let areas = decomposition.zones().iter().map(|zone| zone.area().into()).collect();
        let joins = join(areas, beside.clone());
        let zones = beside.len();
        let total = zones + joins.len();
        let mut parent = vec![None; total];
        for (i, join) in joins.iter().enumerate() {
            join.iter().for_each(|&half| parent[half] = Some(zones + i));
        }
        // Roots first, then every sector after the one it is a half of.
        let mut order: Vec<usize> = (0..total).rev().collect();
        order.sort_by_key(|&node| parent[node].is_some());
        let mut number = vec![SectorId::from_index(0); total];
        for (i, &node) in order.iter().enumerate() {
            number[node] = SectorId::from_index(i);
        }
        let halves = |node: usize| node.checked_sub(zones).map(|i| joins[i]);
        let mut tree = ZoneTree {
            width: decomposition.width(),
            place_of: Vec::new(),
            zones: Vec::new(),
            runs: vec![(0, 0); total],
            parents: order.iter().map(|&node| parent[node].map(|p| number[p])).collect(),
            halves: order.iter().map(|&node| halves(node).map(|h| h.map(|n| number[n]))).collect(),
            roots: parent.iter().filter(|p| p.is_none()).count(),
            beside: Vec::new(),
        };
        tree.lay_out();
        let place = |zone: usize| tree.runs[number[zone].index()].0;
        let mut in_order = vec![Vec::new(); zones];
        let mut numbers = vec![0; zones];
        for (zone, list) in beside.iter().enumerate() {
            let mut places: Vec<u32> = list.iter().map(|&z| place(z)).collect();
            places.sort_unstable();
            in_order[place(zone) as usize] = places;
            numbers[place(zone) as usize] = zone as u32;
        }
        let tiles = decomposition.width() as usize * decomposition.height() as usize;
        let zone_at = |i| zone_of(decomposition, CellId::from_index(i));
        let place_of = (0..tiles).map(|i| place(zone_at(i))).collect();
        ZoneTree { beside: in_order, place_of, zones: numbers, ..tree }
    }

    /// Gives every sector its run: halves side by side, zones one place each.
    fn lay_out(&mut self) {
        let mut places = 0;
        let mut stack: Vec<(SectorId, bool)> =
            (0..self.roots).rev().map(|root| (SectorId::from_index(root), false)).collect();
        while let Some((sector, done)) = stack.pop() {
            let i = sector.index();
            match self.halves[i] {
                Some(_) if done => self.runs[i].1 = places,
                Some([first, second]) => {
                    self.runs[i].0 = places;
                    stack.extend([(sector, true), (second, false), (first, false)]);
                }
                None => {
                    self.runs[i] = (places, places + 1);
                    places += 1;
                }
            }
        }
    }

    /// The number of the zone a tile is counted to.
    pub(super) fn zone_at(&self, tile: Tile) -> u32 {
        self.zones[self.place(tile) as usize]
    }

    fn place(&self, tile: Tile) -> u32 {
        self.place_of[tile.y as usize * self.width as usize + tile.x as usize]
    }
}

/// The zone a tile is counted to; the first one for walls and for gates in no zone.
pub(super) fn zone_of(decomposition: &Decomposition, cell: CellId) -> usize {
    match decomposition.place(cell) {
        Place::Wall => 0,
        Place::Zone(zone) => zone.index(),
        Place::Gate(gate) => {
            let gates = decomposition.gates();
            let near = gates[gate.index()].gates().iter().flat_map(|g| gates[g.index()].zones());
            gates[gate.index()].zones().iter().chain(near).next().map_or(0, |zone| zone.index())
        }
    }
}

/// By zone: the zones that a gate, or two gates that touch, separate from it. A map
/// without zones gets one that nobody will ask for.
fn zones_beside(decomposition: &Decomposition) -> Vec<BTreeSet<usize>> {
    let mut beside = vec![BTreeSet::new(); decomposition.zones().len().max(1)];
    for gate in decomposition.gates() {
        let near = gate.gates().iter().flat_map(|g| decomposition.gates()[g.index()].zones());
        let around: Vec<usize> = gate.zones().iter().chain(near).map(|z| z.index()).collect();
        for &a in &around {
            beside[a].extend(around.iter().copied().filter(|&b| a != b));
        }
    }
    // A touching gate may know of a zone that the other side has not listed.
    for a in 0..beside.len() {
        let list: Vec<usize> = beside[a].iter().copied().collect();
        list.into_iter().for_each(|b| {
            beside[b].insert(a);
        });
    }
    beside
}

/// Joins neighbours, smallest together first, as long as there are any.
fn join(mut areas: Vec<u64>, mut beside: Vec<BTreeSet<usize>>) -> Vec<Join> {
    areas.resize(beside.len(), 0);
    let zones = beside.len();
    let mut alive = vec![true; zones];
    let mut heap = BinaryHeap::new();
    for (a, list) in beside.iter().enumerate() {
        let later = list.iter().filter(|&&b| a < b);
        heap.extend(later.map(|&b| Reverse((areas[a] + areas[b], a, b))));
    }
    let mut joins = Vec::new();
    while let Some(Reverse((area, a, b))) = heap.pop() {
        if !alive[a] || !alive[b] {
            continue;
        }
        let whole = areas.len();
        (alive[a], alive[b]) = (false, false);
        let lists = [std::mem::take(&mut beside[a]), std::mem::take(&mut beside[b])];
        let around: BTreeSet<usize> =
            lists.into_iter().flatten().filter(|&other| other != a && other != b).collect();
        for &other in &around {
            beside[other].remove(&a);
            beside[other].remove(&b);
            beside[other].insert(whole);
            heap.push(Reverse((area + areas[other], other, whole)));
        }
        areas.push(area);
        beside.push(around);
        alive.push(true);
        joins.push([a, b]);
    }
    joins
}

impl Hierarchy for ZoneTree {
    fn len(&self) -> usize {
        self.runs.len()
    }

    fn roots(&self) -> usize {
        self.roots
    }

    fn parent(&self, sector: SectorId) -> Option<SectorId> {
        self.parents[sector.index()]
    }

    fn halves(&self, sector: SectorId) -> Option<[SectorId; 2]> {
        self.halves[sector.index()]
    }

    fn root_of(&self, tile: Tile) -> SectorId {
        let place = self.place(tile);
        let after = self.runs[..self.roots].partition_point(|&(first, _)| first <= place);
        SectorId::from_index(after - 1)
    }

    fn half_of(&self, sector: SectorId, tile: Tile) -> usize {
        let second = self.halves[sector.index()].map(|[_, second]| self.runs[second.index()].0);
        usize::from(second.is_some_and(|first| self.place(tile) >= first))
    }

    fn touch(&self, a: SectorId, b: SectorId) -> bool {
        let (first, end) = self.runs[b.index()];
        let run = self.runs[a.index()];
        self.beside[run.0 as usize..run.1 as usize]
            .iter()
            .any(|list| list.get(list.partition_point(|&p| p < first)).is_some_and(|&p| p < end))
    }

    fn bytes(&self) -> usize {
        let lists: usize = self.beside.iter().map(Vec::len).sum();
        (self.place_of.len() + lists) * 4 + self.runs.len() * 32
    }
}
