//! What the tiles of a square need: which vias they may go to, which hubs they must know, and which
//! entries serve them.

use super::block::{LARGE, Parts};
use super::length::Length;
use super::links::Links;
use super::prune::{CornerLabels, Entry};
use crate::grid::{Grid, Tile};

/// The tiles of a square.
pub(super) const LANES: usize = 1 << (2 * LARGE);

/// What blocks are made from.
pub(crate) trait BlockSource: Sync {
    /// How long paths are.
    type Length: Length;
    /// How a path comes from a tile to a via.
    type Arrival: Copy + Send;
    /// How it leaves the via for a hub.
    type Departure: Copy + PartialEq + Send;

    /// The map.
    fn grid(&self) -> &Grid;
    /// The corners that tiles may go to first.
    fn links(&self) -> &Links;
    /// The labels of corners.
    fn labels(&self) -> &CornerLabels<Self::Length>;
    /// How far it is from a tile to a corner that it is connected to, and how a path comes there.
    fn approach(&self, tile: Tile, corner: u32) -> (Self::Length, Self::Arrival);
    /// What a path has that may come like either of two.
    fn either(a: Self::Arrival, b: Self::Arrival) -> Self::Arrival;
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

/// What a worker needs to make blocks, reused from square to square.
pub(super) struct Workspace<S: BlockSource> {
    pub(super) origin: Tile,
    slot: Vec<u32>,
    hubs: Vec<u32>,
    rows: Vec<[S::Length; LANES]>,
    /// The least and the most of each row, infinities not counted.
    bounds: Vec<(S::Length, S::Length)>,
    count: Vec<u32>,
    pub(super) vias: Vec<Via<S>>,
    approaches: Vec<Approach<S>>,
    candidates: Vec<Candidate<S>>,
    sorted: Vec<Candidate<S>>,
    /// What is needed, by hub.
    needs: Vec<Need>,
    /// The tiles that each of the sorted candidates serves best; meaningless where the hub is not
    /// needed.
    serves: Vec<u64>,
}

pub(super) struct Via<S: BlockSource> {
    corner: u32,
    pub(super) mask: u64,
    cost: [S::Length; LANES],
    arrival: [S::Arrival; LANES],
}

/// A way to a via and on from there: what all entries of the via with one departure share.
struct Approach<S: BlockSource> {
    departure: S::Departure,
    /// The costs to the via, infinite where a tile may not go to it or the path could not turn there.
    costs: [S::Length; LANES],
    least: S::Length,
}

struct Candidate<S: BlockSource> {
    slot: u32,
    via: u32,
    approach: u32,
    cost: S::Length,
    position: u32,
}

impl<S: BlockSource> Clone for Candidate<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: BlockSource> Copy for Candidate<S> {}

/// A hub that tiles of a square need.
struct Need {
    hub: u32,
    /// The tiles.
    open: u64,
    /// Its candidates.
    begin: u32,
    end: u32,
}

impl<S: BlockSource> Workspace<S> {
    pub(super) fn new(corners: usize) -> Self {
        Workspace {
            origin: Tile::default(),
            slot: vec![u32::MAX; corners],
            hubs: Vec::new(),
            rows: Vec::new(),
            bounds: Vec::new(),
            count: Vec::new(),
            vias: Vec::new(),
            approaches: Vec::new(),
            candidates: Vec::new(),
            sorted: Vec::new(),
            needs: Vec::new(),
            serves: Vec::new(),
        }
    }

    /// Finds out what the tiles of a square need.
    pub(super) fn square(&mut self, source: &S, origin: Tile) {
        self.origin = origin;
        self.find_vias(source);
        self.fill_rows(source);
        self.sort_candidates();
        self.find_needs(source);
        for &hub in &self.hubs {
            self.slot[hub as usize] = u32::MAX;
        }
    }

    fn find_vias(&mut self, source: &S) {
        self.vias.clear();
        for &(corner, mask) in source.links().of_square(self.origin) {
            let (cost, arrival) = ([S::Length::INFINITY; LANES], [source.no_arrival(); LANES]);
            let mut via = Via { corner, mask, cost, arrival };
            let mut open = mask;
            while open != 0 {
                let lane = open.trailing_zeros();
                open &= open - 1;
                let of_lane = source.approach(tile_of(self.origin, lane), corner);
                (via.cost[lane as usize], via.arrival[lane as usize]) = of_lane;
            }
            self.vias.push(via);
        }
        self.vias.sort_unstable_by_key(|via| via.corner);
    }

    /// For every hub in reach and every tile, the distance by way of any via.
    fn fill_rows(&mut self, source: &S) {
        self.hubs.clear();
        self.rows.clear();
        self.candidates.clear();
        self.approaches.clear();
        for (n, via) in self.vias.iter().enumerate() {
            let open = (0..LANES as u32).filter(|lane| via.mask >> lane & 1 != 0);
            let tiles = open.clone().map(|lane| tile_of(self.origin, lane));
            // Tiles that are not connected can be left out: their lengths are infinite.
            let arrivals = open.map(|lane| via.arrival[lane as usize]).reduce(S::either);
            let Some(arrivals) = arrivals else { continue };
            let first = self.approaches.len();
            for entry in source.entries(via.corner, tiles) {
                let departure = source.departure(via.corner, entry);
                if !S::may_turn(arrivals, departure) {
                    continue;
                }
                let known = self.approaches[first..].iter().position(|a| a.departure == departure);
                let approach = first + known.unwrap_or(self.approaches.len() - first);
                if known.is_none() {
                    let costs = via.costs(departure);
                    let (least, _) = bounds(&costs);
                    self.approaches.push(Approach { departure, costs, least });
                }
                let known = &mut self.slot[entry.hub as usize];
                if *known == u32::MAX {
                    *known = self.hubs.len() as u32;
                    self.hubs.push(entry.hub);
                    self.rows.push([S::Length::INFINITY; LANES]);
                }
                self.candidates.push(Candidate {
                    slot: *known,
                    via: n as u32,
                    approach: approach as u32,
                    cost: entry.cost,
                    position: entry.position,
                });
                let row = &mut self.rows[*known as usize];
                let costs = &self.approaches[approach].costs;
                for lane in 0..LANES {
                    row[lane] = row[lane].min(costs[lane].plus(entry.cost));
                }
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

    /// The hubs that tiles need, in the order of rank, and which candidates serve them.
    fn find_needs(&mut self, source: &S) {
        let mut by_rank: Vec<(u32, u32)> =
            self.hubs.iter().enumerate().map(|(slot, &hub)| (hub, slot as u32)).collect();
        by_rank.sort_unstable();
        self.bounds.clear();
        self.bounds.extend(self.rows.iter().map(bounds));
        self.needs.clear();
        self.serves.clear();
        self.serves.resize(self.sorted.len(), 0);
        for (hub, slot) in by_rank {
            let open = self.needed(source, hub, slot);
            if open == 0 {
                continue;
            }
            // After the sort, a count is the end of its slot's candidates.
            let end = self.count[slot as usize];
            let begin = if slot == 0 { 0 } else { self.count[slot as usize - 1] };
            let row = &self.rows[slot as usize];
            for n in begin as usize..end as usize {
                let c = &self.sorted[n];
                let Approach { costs, least, .. } = &self.approaches[c.approach as usize];
                if least.plus(c.cost) > self.bounds[slot as usize].1 {
                    continue;
                }
                let mut serves = [0_u8; LANES];
                for lane in 0..LANES {
                    serves[lane] = u8::from(costs[lane].plus(c.cost) == row[lane]);
                }
                self.serves[n] = bits(&serves);
            }
            self.needs.push(Need { hub, open, begin, end });
        }
    }

    /// The entries to keep for some of the tiles: for each hub, few candidates that serve all those
    /// that need it.
    fn choose(&self, tiles: u64) -> Vec<(u32, Candidate<S>)> {
        let mut chosen = Vec::new();
        for need in &self.needs {
            let candidates = need.begin as usize..need.end as usize;
            let mut open = need.open & tiles;
            while open != 0 {
                // Mostly one serves all that is open.
                let all = candidates.clone().find(|&n| open & !self.serves[n] == 0);
                let gain = |n: &usize| ((self.serves[*n] & open).count_ones(), usize::MAX - *n);
                let best = all.or_else(|| candidates.clone().max_by_key(gain));
                let Some(best) = best else { break };
                if self.serves[best] & open == 0 {
                    break;
                }
                open &= !self.serves[best];
                chosen.push((need.hub, self.sorted[best]));
            }
        }
        chosen
    }

    /// The tiles whose shortest paths to the hub pass no hub of higher rank.
    fn needed(&self, source: &S, hub: u32, slot: u32) -> u64 {
        let row = &self.rows[slot as usize];
        let mut free = [0_u8; LANES];
        for lane in 0..LANES {
            free[lane] = u8::from(row[lane] < S::Length::INFINITY);
        }
        let most = self.bounds[slot as usize].1;
        for entry in source.labels().labels[hub as usize].iter().filter(|e| e.hub != hub) {
            let other = self.slot[entry.hub as usize];
            // Most other hubs lie far from the way, for all tiles.
            let Some(&(least, _)) = self.bounds.get(other as usize) else { continue };
            if least.plus(entry.cost) > most {
                continue;
            }
            let other = &self.rows[other as usize];
            let mut any = 0;
            for lane in 0..LANES {
                free[lane] &= u8::from(other[lane].plus(entry.cost) > row[lane]);
                any |= free[lane];
            }
            if any == 0 {
                return 0;
            }
        }
        bits(&free)
    }

    /// A block for some of the tiles, still numbered as in the square.
    pub(super) fn parts(&self, source: &S, tiles: u64) -> Parts {
        let chosen = self.choose(tiles);
        let trees = &source.labels().trees;
        let mut name = vec![u32::MAX; self.vias.len()];
        chosen.iter().for_each(|(_, c)| name[c.via as usize] = 0);
        let used = self.vias.iter().zip(&name).filter(|(_, name)| **name == 0);
        let vias = used.map(|(via, _)| (via.corner, via.mask & tiles)).collect();
        name.iter_mut().filter(|n| **n == 0).enumerate().for_each(|(i, n)| *n = i as u32);
        // That a via is a hub goes without saying.
        let said = chosen.iter().filter(|(hub, c)| self.vias[c.via as usize].corner != *hub);
        let entry = |&(hub, c): &(u32, Candidate<S>)| {
            let position = c.position - trees.start(hub);
            [hub, name[c.via as usize], source.stored(c.cost), position]
        };
        Parts { large: false, vias, entries: said.map(entry).collect() }
    }
}

/// The least and the most of lengths, infinite ones not counted; if all are, infinite and 0.
#[inline]
fn bounds<L: Length>(lengths: &[L; LANES]) -> (L, L) {
    let (mut least, mut most) = (L::INFINITY, L::ZERO);
    for &length in lengths {
        least = least.min(length);
        most = most.max(if length < L::INFINITY { length } else { L::ZERO });
    }
    (least, most)
}

/// One bit for each byte, which is 0 or 1; eight bytes at a time are gathered by a multiplication.
#[inline]
fn bits(lanes: &[u8; LANES]) -> u64 {
    let (eights, _) = lanes.as_chunks::<8>();
    let mut set = 0;
    for (n, &eight) in eights.iter().enumerate() {
        set |= (u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * n);
    }
    set
}

/// A tile of the square that begins at `origin`.
#[inline]
pub(super) fn tile_of(origin: Tile, lane: u32) -> Tile {
    let (side, lane) = (1 << LARGE, lane as u16);
    Tile::new(origin.x + lane % side, origin.y + lane / side)
}

impl<S: BlockSource> Via<S> {
    /// The costs of tiles that go on like this; infinite where they may not.
    fn costs(&self, departure: S::Departure) -> [S::Length; LANES] {
        // A plain loop, here and below: closures that are called 64 times are not inlined.
        let mut costs = self.cost;
        for lane in 0..LANES {
            let open = S::may_turn(self.arrival[lane], departure);
            costs[lane] = if open { costs[lane] } else { S::Length::INFINITY };
        }
        costs
    }
}
