//! An opened cluster and the old free tiles around it: the only place where there are
//! steps that the labels do not know.
//!
//! ```text
//!     . . . .        o  opened, b  its border: free before, and beside an opened tile
//!     b b b .
//!     # o # #        A step that is new has its ends among these tiles. So a way that
//!     # o # #        uses new steps is made of old ways and of crossings: ways through
//!     b b b .        the zone from one border tile to another.
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::cost::{Cost, INFINITY};
use crate::grid::{Bits, Direction, Grid, Tile, movable};
use crate::taut::Sight;

/// The most tiles of a zone; larger clusters are left to a search.
pub(super) const MAX_ZONE: usize = 160;

/// The old map with what was opened since: tiles that were closed count as free.
#[derive(Clone, Copy)]
pub(super) struct Opened<'a> {
    pub(super) before: &'a Sight,
    pub(super) now: &'a Grid,
}

impl Opened<'_> {
    /// The legal steps from a tile that is free on this map.
    fn moves(&self, tile: Tile) -> u8 {
        let mut free = 0;
        for direction in Direction::ALL {
            let next = neighbour(tile, direction);
            let is_free = next.is_some_and(|t| self.before.is_free(t) || self.now.is_free(t));
            free |= if is_free { direction.mask() } else { 0 };
        }
        movable(free, self.now.movement())
    }
}

/// The tile one step away, unless its coordinates do not fit.
pub(super) fn neighbour(tile: Tile, direction: Direction) -> Option<Tile> {
    let (dx, dy) = direction.delta();
    let x = tile.x.checked_add_signed(dx as i16)?;
    Some(Tile::new(x, tile.y.checked_add_signed(dy as i16)?))
}

/// No tile of the zone.
const NONE: u16 = u16::MAX;

/// The tiles of an opened cluster, then those of its border, and the steps between them.
#[derive(Debug)]
pub(super) struct Zone {
    pub(super) tiles: Vec<Tile>,
    opened: usize,
    steps: Vec<[u16; 8]>,
}

/// A search through a zone.
#[derive(Clone, Debug, Default)]
pub(super) struct ZoneScratch {
    /// By tile: the cost, and whether the way does not pass another border tile; of ways
    /// of the same cost one that passes some is taken.
    reached: Vec<(Cost, bool)>,
    open: BinaryHeap<Reverse<(Cost, bool, u16)>>,
}

impl ZoneScratch {
    pub(super) fn bytes(&self) -> usize {
        self.reached.capacity() * size_of::<(Cost, bool)>() + self.open.capacity() * 8
    }

    /// The cost to a tile of the zone that was searched last.
    pub(super) fn cost(&self, tile: usize) -> Cost {
        self.reached.get(tile).map_or(INFINITY, |&(cost, _)| cost)
    }
}

impl Zone {
    /// The zone of these opened tiles, in order; `None` if it is too large.
    pub(super) fn new(map: Opened<'_>, opened: &[Tile]) -> Option<Zone> {
        if opened.len() > MAX_ZONE {
            return None;
        }
        let around = opened.iter().flat_map(|&tile| {
            Direction::ALL.into_iter().filter_map(move |direction| neighbour(tile, direction))
        });
        let mut border: Vec<Tile> = around.filter(|&tile| map.before.is_free(tile)).collect();
        border.sort_unstable();
        border.dedup();
        let tiles: Vec<Tile> = opened.iter().chain(&border).copied().collect();
        if tiles.len() > MAX_ZONE {
            return None;
        }
        let mut numbers: Vec<(Tile, u16)> = tiles.iter().copied().zip(0..).collect();
        numbers.sort_unstable();
        let number = |tile: Tile| {
            let found = numbers.binary_search_by_key(&tile, |&(t, _)| t);
            found.map_or(NONE, |n| numbers[n].1)
        };
        let steps = tiles.iter().map(|&tile| {
            let mut steps = [NONE; 8];
            for bit in Bits(map.moves(tile)) {
                let next = neighbour(tile, Direction::from_bit(bit));
                steps[bit as usize] = next.map_or(NONE, number);
            }
            steps
        });
        Some(Zone { steps: steps.collect(), opened: opened.len(), tiles })
    }

    pub(super) fn bytes(&self) -> usize {
        self.tiles.capacity() * size_of::<Tile>() + self.steps.capacity() * 16
    }

    /// The numbers of its border tiles.
    pub(super) fn border(&self) -> std::ops::Range<usize> {
        self.opened..self.tiles.len()
    }

    /// The number of an opened tile.
    pub(super) fn number(&self, opened: Tile) -> Option<usize> {
        self.tiles[..self.opened].binary_search(&opened).ok()
    }

    /// Whether a border tile has a step that the old map does not have. One to an old tile,
    /// across a corner that was opened, has an opened tile beside it: then there is a step to
    /// that tile too.
    pub(super) fn has_new_step(&self, from: usize) -> bool {
        self.steps[from].iter().any(|&next| usize::from(next) < self.opened)
    }

    /// Works out the costs from a tile to all others through the zone.
    pub(super) fn search(&self, from: usize, scratch: &mut ZoneScratch) {
        let ZoneScratch { reached, open } = scratch;
        reached.clear();
        reached.resize(self.tiles.len(), (INFINITY, true));
        open.clear();
        reached[from] = (Cost::ZERO, true);
        open.push(Reverse((Cost::ZERO, true, from as u16)));
        while let Some(Reverse((cost, alone, at))) = open.pop() {
            let at = usize::from(at);
            if (cost, alone) != reached[at] {
                continue;
            }
            let alone = alone && (at == from || at < self.opened);
            for (&next, direction) in self.steps[at].iter().zip(Direction::ALL) {
                let better = (cost + direction.cost(), alone);
                if next != NONE && better < reached[usize::from(next)] {
                    reached[usize::from(next)] = better;
                    open.push(Reverse((better.0, better.1, next)));
                }
            }
        }
    }

    /// After a search: the border tiles whose ways pass no other border tile, each with its
    /// cost. The others are reached by way of these.
    pub(super) fn exits<'a>(
        &'a self,
        from: usize,
        scratch: &'a ZoneScratch,
    ) -> impl Iterator<Item = (usize, Cost)> + 'a {
        let reached = move |n: usize| (n, scratch.reached[n]);
        let exit = move |&(n, (cost, alone)): &(usize, (Cost, bool))| {
            n != from && alone && cost < INFINITY
        };
        self.border().map(reached).filter(exit).map(|(n, (cost, _))| (n, cost))
    }

    /// After a search: appends the tiles of the way from a tile back to where the search
    /// began, both included.
    pub(super) fn way_back(&self, from: usize, scratch: &ZoneScratch, out: &mut Vec<Tile>) {
        let mut at = from;
        loop {
            out.push(self.tiles[at]);
            let cost = scratch.cost(at);
            if cost == Cost::ZERO || cost == INFINITY {
                return;
            }
            // Steps are the same both ways.
            let steps = self.steps[at].iter().zip(Direction::ALL);
            let before = steps
                .filter(|&(&next, _)| next != NONE)
                .find(|&(&next, direction)| scratch.cost(next.into()) + direction.cost() == cost);
            match before {
                Some((&next, _)) => at = next.into(),
                None => return,
            }
        }
    }
}
