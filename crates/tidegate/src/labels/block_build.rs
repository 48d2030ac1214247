//! Making the labels of blocks from the labels of corners.
//!
//! An entry is kept only if some tile of the block needs it: it is the best of its hub
//! there, no hub of higher rank lies on the way, and the path can turn at the via into
//! a first edge of the entry (filtering by direction; `docs/taut.md`, claim B).

use super::block::{MAX_ENTRIES, MAX_VIAS, VIA_BITS};
use super::links::Links;
use super::prune::CornerLabels;
use crate::cost::{Cost, INFINITY};
use crate::grid::{Grid, Tile};
use crate::taut::Rules;
use crate::taut::walk::pack;
use crate::taut::{CornerGraph, direction};

/// What a worker needs to make blocks of `LANES` tiles, reused from block to block.
pub(super) struct Workspace<const LANES: usize> {
    slot: Vec<u32>,
    hubs: Vec<u32>,
    rows: Vec<[Cost; LANES]>,
    count: Vec<u32>,
    links: Vec<(u32, u32)>,
    vias: Vec<Via<LANES>>,
    candidates: Vec<Candidate>,
    sorted: Vec<Candidate>,
}

struct Via<const LANES: usize> {
    corner: u32,
    mask: u64,
    cost: [Cost; LANES],
    /// The classes in which a path from the tile may go on, and [`ANY`].
    leave: [u32; LANES],
}

#[derive(Clone, Copy)]
struct Candidate {
    slot: u32,
    via: u32,
    cost: Cost,
    position: u32,
    /// The classes of the first edges after the via, or [`ANY`] if the via is the hub:
    /// nothing follows that one would have to turn into.
    first: u32,
}

/// A class that every tile may go on in.
const ANY: u32 = 1 << 16;

/// Everything that blocks are made from.
pub(super) struct BlockSource<'a> {
    pub(super) grid: &'a Grid,
    pub(super) rules: &'a Rules,
    pub(super) graph: &'a CornerGraph,
    pub(super) links: &'a Links,
    pub(super) labels: &'a CornerLabels,
}

impl<const LANES: usize> Workspace<LANES> {
    pub(super) fn new(corners: usize) -> Self {
        Workspace {
            slot: vec![u32::MAX; corners],
            hubs: Vec::new(),
            rows: Vec::new(),
            count: Vec::new(),
            links: Vec::new(),
            vias: Vec::new(),
            candidates: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// The words of the block whose first tile is `origin`; `None` if it has more vias
    /// or entries than a block can hold.
    pub(super) fn block(&mut self, source: &BlockSource<'_>, origin: Tile) -> Option<Vec<u32>> {
        self.find_vias(source, origin);
        if self.vias.len() >= MAX_VIAS {
            return None;
        }
        self.fill_rows(source);
        self.sort_candidates();
        let chosen = self.choose(source);
        for &hub in &self.hubs {
            self.slot[hub as usize] = u32::MAX;
        }
        self.encode(source, &chosen)
    }

    fn find_vias(&mut self, source: &BlockSource<'_>, origin: Tile) {
        let side = LANES.isqrt() as u16;
        let tile = |lane: u32| {
            let lane = lane as u16;
            Tile::new(origin.x + lane % side, origin.y + lane / side)
        };
        self.links.clear();
        for lane in 0..LANES as u32 {
            if let Some(cell) = source.grid.cell(tile(lane)) {
                let of_tile = source.links.of(cell.index()).iter();
                self.links.extend(of_tile.map(|&corner| (corner, lane)));
            }
        }
        self.links.sort_unstable();
        self.vias.clear();
        for &(corner, lane) in &self.links {
            if self.vias.last().is_none_or(|v| v.corner != corner) {
                let (cost, leave) = ([INFINITY; LANES], [ANY; LANES]);
                self.vias.push(Via { corner, mask: 0, cost, leave });
            }
            let via = self.vias.last_mut().expect("just pushed");
            let (from, to) = (tile(lane), source.graph.tiles[corner as usize]);
            let pattern = source.graph.patterns[corner as usize];
            via.mask |= 1 << lane;
            via.cost[lane as usize] = source.graph.movement.estimate(from, to);
            let leave = source.rules.departures(pattern, direction(from, to));
            via.leave[lane as usize] |= u32::from(leave);
        }
    }

    /// For every hub in reach and every tile, the distance by way of any via.
    fn fill_rows(&mut self, source: &BlockSource<'_>) {
        self.hubs.clear();
        self.rows.clear();
        self.candidates.clear();
        for (n, via) in self.vias.iter().enumerate() {
            for entry in &source.labels.labels[via.corner as usize] {
                let known = &mut self.slot[entry.hub as usize];
                if *known == u32::MAX {
                    *known = self.hubs.len() as u32;
                    self.hubs.push(entry.hub);
                    self.rows.push([INFINITY; LANES]);
                }
                let candidate = Candidate {
                    slot: *known,
                    via: n as u32,
                    cost: entry.cost,
                    position: entry.position,
                    first: if entry.hub == via.corner { ANY } else { u32::from(entry.first) },
                };
                let row = &mut self.rows[*known as usize];
                let costs = candidate.costs(via);
                for lane in 0..LANES {
                    row[lane] = row[lane].min(costs[lane]);
                }
                self.candidates.push(candidate);
            }
        }
    }

    /// Sorts the candidates by hub, in time proportional to their number.
    fn sort_candidates(&mut self) {
        self.count.clear();
        self.count.resize(self.hubs.len() + 1, 0);
        for c in &self.candidates {
            self.count[c.slot as usize + 1] += 1;
        }
        for slot in 0..self.hubs.len() {
            self.count[slot + 1] += self.count[slot];
        }
        self.sorted.clear();
        if let Some(&any) = self.candidates.first() {
            self.sorted.resize(self.candidates.len(), any);
        }
        for &c in &self.candidates {
            let place = &mut self.count[c.slot as usize];
            self.sorted[*place as usize] = c;
            *place += 1;
        }
    }

    /// The entries to keep: for each hub, few candidates that serve all tiles that need it.
    fn choose(&mut self, source: &BlockSource<'_>) -> Vec<(u32, Candidate)> {
        let mut by_rank: Vec<(u32, u32)> =
            self.hubs.iter().enumerate().map(|(slot, &hub)| (hub, slot as u32)).collect();
        by_rank.sort_unstable();
        let mut chosen = Vec::new();
        for (hub, slot) in by_rank {
            let mut open = self.needed(source, hub, slot);
            if open == 0 {
                continue;
            }
            // After the sort, a count is the end of its slot's candidates.
            let end = self.count[slot as usize] as usize;
            let begin = if slot == 0 { 0 } else { self.count[slot as usize - 1] as usize };
            let row = &self.rows[slot as usize];
            let serves = |c: &Candidate| {
                let costs = c.costs(&self.vias[c.via as usize]);
                (0..LANES).fold(0, |set, l| set | u64::from(costs[l] == row[l]) << l)
            };
            let candidates = &self.sorted[begin..end];
            if let [only] = candidates {
                chosen.push((hub, *only));
                continue;
            }
            let masks: Vec<u64> = candidates.iter().map(serves).collect();
            while open != 0 {
                let gain = |n: &usize| ((masks[*n] & open).count_ones(), usize::MAX - *n);
                let Some(best) = (0..masks.len()).max_by_key(gain) else { break };
                if masks[best] & open == 0 {
                    break;
                }
                open &= !masks[best];
                chosen.push((hub, candidates[best]));
            }
        }
        chosen
    }

    /// The tiles whose shortest paths to the hub pass no hub of higher rank.
    fn needed(&self, source: &BlockSource<'_>, hub: u32, slot: u32) -> u64 {
        let row = &self.rows[slot as usize];
        let mut free: [u32; LANES] = std::array::from_fn(|l| u32::from(row[l] < INFINITY));
        for entry in source.labels.labels[hub as usize].iter().filter(|e| e.hub != hub) {
            let other = self.slot[entry.hub as usize];
            let Some(other) = self.rows.get(other as usize) else { continue };
            let mut any = 0;
            for lane in 0..LANES {
                free[lane] &= u32::from(other[lane] + entry.cost > row[lane]);
                any |= free[lane];
            }
            if any == 0 {
                return 0;
            }
        }
        free.iter().enumerate().fold(0, |set, (lane, &bit)| set | u64::from(bit) << lane)
    }

    fn encode(&self, source: &BlockSource<'_>, chosen: &[(u32, Candidate)]) -> Option<Vec<u32>> {
        if chosen.len() >= MAX_ENTRIES {
            return None;
        }
        let trees = &source.labels.trees;
        let mut name = vec![u32::MAX; self.vias.len()];
        chosen.iter().for_each(|(_, c)| name[c.via as usize] = 0);
        let used: Vec<&Via<LANES>> =
            self.vias.iter().zip(&name).filter(|(_, n)| **n == 0).map(|(v, _)| v).collect();
        name.iter_mut().filter(|n| **n == 0).enumerate().for_each(|(i, n)| *n = i as u32);
        let mut words = vec![used.len() as u32 | (chosen.len() as u32) << VIA_BITS];
        words.extend(used.iter().map(|v| pack(source.graph.tiles[v.corner as usize])));
        if LANES > 16 {
            words.extend(used.iter().map(|v| v.mask as u32));
            words.extend(used.iter().map(|v| (v.mask >> 32) as u32));
        } else {
            let masks: Vec<u32> = used.iter().map(|v| v.mask as u32).collect();
            push_halves(&mut words, &masks);
        }
        words.extend(chosen.iter().map(|(hub, c)| hub << VIA_BITS | name[c.via as usize]));
        words.extend(chosen.iter().map(|(_, c)| c.cost.get()));
        let place = |(hub, c): &(u32, Candidate)| c.position - trees.start(*hub);
        let positions: Vec<u32> = chosen.iter().map(place).collect();
        if trees.is_wide() {
            words.extend(positions);
        } else {
            push_halves(&mut words, &positions);
        }
        Some(words)
    }
}

impl Candidate {
    /// The costs to the hub for all tiles of the block; at least infinite where a tile
    /// may not go to the via or the path could not turn there.
    #[inline]
    fn costs<const LANES: usize>(&self, via: &Via<LANES>) -> [Cost; LANES] {
        let mut costs = [INFINITY; LANES];
        for lane in 0..LANES {
            let cost = via.cost[lane] + self.cost;
            costs[lane] = if via.leave[lane] & self.first != 0 { cost } else { INFINITY };
        }
        costs
    }
}

/// Appends numbers below 65,536, two to a word: the first half of them low, the second high.
fn push_halves(words: &mut Vec<u32>, numbers: &[u32]) {
    let (low, high) = numbers.split_at(numbers.len().div_ceil(2));
    let upper = high.iter().copied().chain(std::iter::repeat(0));
    words.extend(low.iter().zip(upper).map(|(low, high)| low | high << 16));
}
