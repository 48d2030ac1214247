//! The flood of a field: Dijkstra's algorithm with buckets that need no order inside.
//!
//! It is not the one loop of [`crate::search`], which keeps a total order, records of sixteen
//! bytes and an observer: a field needs none of them and is filled in a fifth of the time.
//!
//! A bucket holds the tiles whose costs agree in all but their last [`BITS`] bits: it is 4096
//! units wide, and every step costs more than that ([`STRAIGHT`] = 5741, times factors of at
//! least one). So a step from a tile of a bucket ends in a later bucket. *Hence, when a bucket
//! is taken in hand, the costs in it are final*: a cheaper way to one of its tiles would lead
//! over a last tile whose cost is less by a step or more, which lies in an earlier bucket; all
//! tiles of those had their final costs, by induction, and their steps have been taken. So the
//! tiles of a bucket are expanded in any order, one list to push to and run over, and none is
//! expanded twice but for an entry that was pushed, improved and pushed again to the same
//! bucket: its steps change nothing the second time.
//!
//! A step costs at most [`DIAGONAL`] = 8119 on uniform ground, less than two buckets. The lists
//! are a ring of [`RING`]; what lies farther ahead, as on ground of high factors it does,
//! waits in one list more and is looked through once a turn of the ring, before any of it can
//! be in hand.
//!
//! On even ground most steps are left out, by the table and the proof of [`turns`]. With
//! factors that is right at a tile if all around it have the same: the ways that are as good
//! as, or better than, those left out lie among these nine.

use super::steps::Steps;
use crate::cost::{Cost, DIAGONAL, INFINITY, LIMIT, STRAIGHT};
use crate::grid::{Bits, CellId, Direction, turns};

/// Costs of a bucket differ in so many bits.
const BITS: u32 = 12;
const _: () = assert!(1 << BITS <= STRAIGHT.get());
/// No step costs more.
const DEAREST: Cost = Cost::new(DIAGONAL.get() * 656);
/// Lists of the ring.
const RING: u32 = 32;
/// Bits of an entry that are the number of the tile; above them stands the direction in which
/// it was reached, or this for none.
const CELL_BITS: u32 = 28;
const NO_ARRIVAL: u32 = 8;

/// The memory of a flood.
#[derive(Clone, Debug, Default)]
pub(super) struct Flood {
    goals: Vec<u32>,
    /// Tiles that the flood is to reach, and those of them that it cannot.
    units: Vec<u32>,
    apart: Vec<u32>,
    ring: [Vec<u32>; RING as usize],
    beyond: Vec<u32>,
    /// Whether steps may have been left out because costs cannot count so far.
    far: bool,
}

/// Costs by tile, and the lists to which tiles are put that got cheaper.
struct Wave<'a> {
    steps: &'a Steps,
    costs: &'a mut [Cost],
    ring: &'a mut [Vec<u32>; RING as usize],
    beyond: &'a mut Vec<u32>,
    onward: &'static turns::Table,
    offsets: [i32; 8],
}

impl Flood {
    /// Forgets goals and units.
    pub(super) fn begin(&mut self) {
        self.goals.clear();
        self.units.clear();
        self.apart.clear();
        self.far = false;
        // Empty already, unless somebody caught a panic.
        self.ring.iter_mut().chain(Some(&mut self.beyond)).for_each(Vec::clear);
    }

    pub(super) fn add_goal(&mut self, cell: CellId) {
        self.goals.push(cell.index() as u32);
    }

    /// A tile to be reached, if that `can` be.
    pub(super) fn add_unit(&mut self, cell: CellId, can: bool) {
        let list = if can { &mut self.units } else { &mut self.apart };
        list.push(cell.index() as u32);
    }

    /// Whether this is one of the units that no way leads from.
    pub(super) fn is_apart(&self, cell: usize) -> bool {
        self.apart.contains(&(cell as u32))
    }

    /// Whether steps may have been left out because costs cannot count so far.
    pub(super) fn is_far(&self) -> bool {
        self.far
    }

    pub(super) fn goals(&self) -> &[u32] {
        &self.goals
    }

    /// Writes the costs, all infinite before, until every unit has its own or, unless there
    /// was to be an `end` with the units, of everything that can be reached. Costs below the
    /// one returned are known; the others are left infinite.
    pub(super) fn run(&mut self, steps: &Steps, costs: &mut [Cost], end: bool) -> Cost {
        let offset = |direction: Direction| {
            let (dx, dy) = direction.delta();
            dy * steps.width as i32 + dx
        };
        let mut wave = Wave {
            steps,
            costs,
            ring: &mut self.ring,
            beyond: &mut self.beyond,
            onward: turns::onward(steps.movement),
            offsets: Direction::ALL.map(offset),
        };
        for &goal in &self.goals {
            wave.costs[goal as usize] = Cost::ZERO;
            wave.ring[0].push(goal | NO_ARRIVAL << CELL_BITS);
        }
        let (mut hand, mut empty) = (0_u32, 0);
        while empty < RING || !wave.beyond.is_empty() {
            let known = Cost::new((hand + 1) << BITS);
            while let Some(&unit) = self.units.last()
                && wave.cost_of_unit(unit as usize) < known
            {
                self.units.pop();
            }
            if end && self.units.is_empty() {
                wave.forget_from(known);
                return known;
            }
            if hand % RING == 0 && wave.bring_near(hand) {
                empty = 0;
            }
            let slot = (hand % RING) as usize;
            let mut list = std::mem::take(&mut wave.ring[slot]);
            empty = if list.is_empty() { empty + 1 } else { 0 };
            if steps.factors.is_empty() {
                wave.expand_uniform(hand, &list);
            } else {
                wave.expand(hand, &list);
            }
            list.clear();
            wave.ring[slot] = list;
            hand += 1;
        }
        self.far = Cost::new(hand << BITS) + DEAREST > LIMIT;
        INFINITY
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let lists = [&self.goals, &self.units, &self.apart, &self.beyond];
        let lists = lists.into_iter().chain(&self.ring);
        lists.map(|list| list.capacity() * size_of::<u32>()).sum()
    }
}

impl Wave<'_> {
    /// Takes the steps from the tiles of a bucket, on uniform ground.
    #[inline(never)]
    fn expand_uniform(&mut self, hand: u32, list: &[u32]) {
        for &entry in list {
            let (cell, arrival) = (entry & ((1 << CELL_BITS) - 1), entry >> CELL_BITS);
            let cost = self.costs[cell as usize];
            // It got cheaper since and was expanded then.
            if cost.get() >> BITS != hand {
                continue;
            }
            let moves = self.steps.moves[cell as usize];
            let moves = match self.onward.get(arrival as usize) {
                Some(onward) => onward[usize::from(moves)],
                None => moves,
            };
            for bit in Bits(moves) {
                self.reach(hand, cell, bit, cost + if bit < 4 { STRAIGHT } else { DIAGONAL });
            }
        }
    }

    /// Takes the steps from the tiles of a bucket, on ground with factors.
    #[inline(never)]
    fn expand(&mut self, hand: u32, list: &[u32]) {
        for &entry in list {
            let (cell, arrival) = (entry & ((1 << CELL_BITS) - 1), entry >> CELL_BITS);
            let cost = self.costs[cell as usize];
            if cost.get() >> BITS != hand {
                continue;
            }
            let moves = self.steps.moves[cell as usize];
            let factor = self.steps.factors[cell as usize];
            if self.steps.even[cell as usize] {
                let moves = match self.onward.get(arrival as usize) {
                    Some(onward) => onward[usize::from(moves)],
                    None => moves,
                };
                let straight = cost + factor.step(factor, STRAIGHT);
                let diagonal = cost + factor.step(factor, DIAGONAL);
                for bit in Bits(moves) {
                    self.reach(hand, cell, bit, if bit < 4 { straight } else { diagonal });
                }
            } else {
                for bit in Bits(moves) {
                    let next = cell.wrapping_add_signed(self.offsets[bit as usize & 7]);
                    let there = self.steps.factors[next as usize];
                    let step = factor.step(there, Direction::from_bit(bit).cost());
                    self.reach(hand, cell, bit, cost + step);
                }
            }
        }
    }

    /// Writes down what the step in a direction comes to, if that is news.
    #[inline(always)]
    fn reach(&mut self, hand: u32, cell: u32, bit: u32, through: Cost) {
        let next = cell.wrapping_add_signed(self.offsets[bit as usize & 7]);
        let old = &mut self.costs[next as usize];
        if through < *old {
            *old = through;
            let (bucket, entry) = (through.get() >> BITS, next | bit << CELL_BITS);
            if bucket - hand < RING {
                self.ring[(bucket % RING) as usize].push(entry);
            } else {
                self.beyond.push(entry);
            }
        }
    }

    /// Puts entries that lay beyond the ring into it, if they do not any more. Whether any did.
    fn bring_near(&mut self, hand: u32) -> bool {
        let (ring, costs, before) = (&mut *self.ring, &*self.costs, self.beyond.len());
        self.beyond.retain(|&entry| {
            let bucket = costs[(entry & ((1 << CELL_BITS) - 1)) as usize].get() >> BITS;
            if bucket >= hand + RING {
                return true;
            }
            // One that got cheaper meanwhile has another entry, perhaps behind us.
            if bucket >= hand {
                ring[(bucket % RING) as usize].push(entry);
            }
            false
        });
        self.beyond.len() < before
    }

    /// What a unit's tile costs as far as is known: one that is blocked is left, not entered.
    fn cost_of_unit(&self, cell: usize) -> Cost {
        let cost = self.costs[cell];
        if cost < INFINITY { cost } else { self.steps.least(self.costs, cell) }
    }

    /// Empties the lists and makes infinite what they hold: costs that are not final.
    fn forget_from(&mut self, known: Cost) {
        for list in self.ring.iter_mut().chain(Some(&mut *self.beyond)) {
            for entry in list.drain(..) {
                let cost = &mut self.costs[(entry & ((1 << CELL_BITS) - 1)) as usize];
                if *cost >= known {
                    *cost = INFINITY;
                }
            }
        }
    }
}
