//! Making the labels of blocks from the labels of corners.
//!
//! An entry is kept only if some tile of the block needs it: it is the best of its hub
//! there, no hub of higher rank lies on the way, and the path can turn at the via into
//! a first edge of the entry (filtering by direction; `docs/taut.md`, claim B).

use super::block::{Layout, MAX_VIAS, Parts};
use super::length::Length;
use super::links::Links;
use super::prune::{CornerLabels, Entry};
use crate::grid::{Grid, Tile};
use crate::threads;

/// What blocks are made from.
pub(crate) trait BlockSource: Sync {
    /// How long paths are.
    type Length: Length;
    /// How a path comes from a tile to a via.
    type Arrival: Copy + Send;
    /// How it leaves the via for a hub.
    type Departure: Copy + Send;

    /// The map.
    fn grid(&self) -> &Grid;
    /// The corners that tiles may go to first.
    fn links(&self) -> &Links;
    /// The labels of corners.
    fn labels(&self) -> &CornerLabels<Self::Length>;
    /// How far it is from a tile to a corner that it is connected to, and how a path comes there.
    fn approach(&self, tile: Tile, corner: u32) -> (Self::Length, Self::Arrival);
    /// What tiles have that are not connected.
    fn no_arrival(&self) -> Self::Arrival;
    /// The entries of a corner that one of these tiles may need when it goes there; more of them cost
    /// time.
    fn entries(
        &self,
        corner: u32,
        tiles: impl Iterator<Item = Tile>,
    ) -> impl Iterator<Item = &Entry<Self::Length>> {
        let _ = tiles;
        self.labels().labels[corner as usize].iter()
    }
    /// How a path goes on from a corner to the hub of one of its entries.
    fn departure(&self, corner: u32, entry: &Entry<Self::Length>) -> Self::Departure;
    /// Whether a shortest path may come like this and go on like that. A yes too many costs
    /// memory, a no too many a path.
    fn may_turn(arrival: Self::Arrival, departure: Self::Departure) -> bool;
    /// A length as blocks keep it.
    fn stored(&self, length: Self::Length) -> u32;
}

/// What a worker needs to make blocks of `LANES` tiles, reused from block to block.
struct Workspace<S: BlockSource, const LANES: usize> {
    origin: Tile,
    slot: Vec<u32>,
    hubs: Vec<u32>,
    rows: Vec<[S::Length; LANES]>,
    count: Vec<u32>,
    /// The place of a corner among the vias.
    via_of: Vec<u32>,
    vias: Vec<Via<S, LANES>>,
    candidates: Vec<Candidate<S>>,
    sorted: Vec<Candidate<S>>,
}

struct Via<S: BlockSource, const LANES: usize> {
    corner: u32,
    mask: u64,
    cost: [S::Length; LANES],
    arrival: [S::Arrival; LANES],
}

struct Candidate<S: BlockSource> {
    slot: u32,
    via: u32,
    cost: S::Length,
    position: u32,
    departure: S::Departure,
}

impl<S: BlockSource> Clone for Candidate<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: BlockSource> Copy for Candidate<S> {}

/// The words of all blocks with `LANES` tiles, in row order; `None` for one that has more vias
/// or entries than a block can hold.
pub(crate) fn blocks<S: BlockSource, const LANES: usize>(source: &S) -> Vec<Option<Vec<u32>>> {
    let side = LANES.isqrt() as u32;
    let grid = source.grid();
    let (across, down) = (grid.width().div_ceil(side), grid.height().div_ceil(side));
    let corners = source.labels().labels.len();
    threads::map(
        (across * down) as usize,
        LANES,
        || Workspace::<S, LANES>::new(corners),
        |space, n| {
            let n = n as u32;
            let origin = Tile::new((n % across * side) as u16, (n / across * side) as u16);
            space.block(source, origin)
        },
    )
}

impl<S: BlockSource, const LANES: usize> Workspace<S, LANES> {
    fn new(corners: usize) -> Self {
        Workspace {
            origin: Tile::default(),
            slot: vec![u32::MAX; corners],
            hubs: Vec::new(),
            rows: Vec::new(),
            count: Vec::new(),
            via_of: vec![u32::MAX; corners],
            vias: Vec::new(),
            candidates: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// The words of the block whose first tile is `origin`; `None` if it has more vias
    /// or entries than a block can hold.
    fn block(&mut self, source: &S, origin: Tile) -> Option<Vec<u32>> {
        self.origin = origin;
        self.find_vias(source);
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

    fn find_vias(&mut self, source: &S) {
        let origin = self.origin;
        let tile = |lane: u32| tile_of::<LANES>(origin, lane);
        self.vias.clear();
        for lane in 0..LANES as u32 {
            let Some(cell) = source.grid().cell(tile(lane)) else { continue };
            for &corner in source.links().of(cell.index()) {
                let known = &mut self.via_of[corner as usize];
                if *known == u32::MAX {
                    *known = self.vias.len() as u32;
                    let cost = [S::Length::INFINITY; LANES];
                    let arrival = [source.no_arrival(); LANES];
                    self.vias.push(Via { corner, mask: 0, cost, arrival });
                }
                let via = &mut self.vias[*known as usize];
                via.mask |= 1 << lane;
                let of_lane = source.approach(tile(lane), corner);
                (via.cost[lane as usize], via.arrival[lane as usize]) = of_lane;
            }
        }
        self.vias.iter().for_each(|via| self.via_of[via.corner as usize] = u32::MAX);
        self.vias.sort_unstable_by_key(|via| via.corner);
    }

    /// For every hub in reach and every tile, the distance by way of any via.
    fn fill_rows(&mut self, source: &S) {
        self.hubs.clear();
        self.rows.clear();
        self.candidates.clear();
        for (n, via) in self.vias.iter().enumerate() {
            let open = (0..LANES as u32).filter(|lane| via.mask >> lane & 1 != 0);
            let tiles = open.map(|lane| tile_of::<LANES>(self.origin, lane));
            for entry in source.entries(via.corner, tiles) {
                let known = &mut self.slot[entry.hub as usize];
                if *known == u32::MAX {
                    *known = self.hubs.len() as u32;
                    self.hubs.push(entry.hub);
                    self.rows.push([S::Length::INFINITY; LANES]);
                }
                let candidate = Candidate {
                    slot: *known,
                    via: n as u32,
                    cost: entry.cost,
                    position: entry.position,
                    departure: source.departure(via.corner, entry),
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
    fn choose(&mut self, source: &S) -> Vec<(u32, Candidate<S>)> {
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
            let serves = |c: &Candidate<S>| {
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
    fn needed(&self, source: &S, hub: u32, slot: u32) -> u64 {
        let row = &self.rows[slot as usize];
        let mut free: [u32; LANES] =
            std::array::from_fn(|l| u32::from(row[l] < S::Length::INFINITY));
        for entry in source.labels().labels[hub as usize].iter().filter(|e| e.hub != hub) {
            let other = self.slot[entry.hub as usize];
            let Some(other) = self.rows.get(other as usize) else { continue };
            let mut any = 0;
            for lane in 0..LANES {
                free[lane] &= u32::from(other[lane].plus(entry.cost) > row[lane]);
                any |= free[lane];
            }
            if any == 0 {
                return 0;
            }
        }
        free.iter().enumerate().fold(0, |set, (lane, &bit)| set | u64::from(bit) << lane)
    }

    fn encode(&self, source: &S, chosen: &[(u32, Candidate<S>)]) -> Option<Vec<u32>> {
        let trees = &source.labels().trees;
        let mut name = vec![u32::MAX; self.vias.len()];
        chosen.iter().for_each(|(_, c)| name[c.via as usize] = 0);
        let used = self.vias.iter().zip(&name).filter(|(_, name)| **name == 0);
        let vias = used.map(|(via, _)| (via.corner, via.mask)).collect();
        name.iter_mut().filter(|n| **n == 0).enumerate().for_each(|(i, n)| *n = i as u32);
        // That a via is a hub goes without saying.
        let said = chosen.iter().filter(|(hub, c)| self.vias[c.via as usize].corner != *hub);
        let entry = |&(hub, c): &(u32, Candidate<S>)| {
            let position = c.position - trees.start(hub);
            (hub, name[c.via as usize], source.stored(c.cost), position)
        };
        let shift = LANES.ilog2() / 2;
        let layout = Layout { shift, wide: trees.is_wide() };
        Parts { vias, entries: said.map(entry).collect() }.encode(layout)
    }
}

/// A tile of the block that begins at `origin`.
#[inline]
fn tile_of<const LANES: usize>(origin: Tile, lane: u32) -> Tile {
    let (side, lane) = (LANES.isqrt() as u16, lane as u16);
    Tile::new(origin.x + lane % side, origin.y + lane / side)
}

impl<S: BlockSource> Candidate<S> {
    /// The costs to the hub for all tiles of the block; at least infinite where a tile
    /// may not go to the via or the path could not turn there.
    #[inline]
    fn costs<const LANES: usize>(&self, via: &Via<S, LANES>) -> [S::Length; LANES] {
        let mut costs = [S::Length::INFINITY; LANES];
        for lane in 0..LANES {
            let cost = via.cost[lane].plus(self.cost);
            let open = S::may_turn(via.arrival[lane], self.departure);
            costs[lane] = if open { cost } else { S::Length::INFINITY };
        }
        costs
    }
}
