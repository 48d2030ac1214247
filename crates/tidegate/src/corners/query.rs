//! Two searches up the hierarchy that meet.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Corners;
use super::hierarchy::EDGE;
use crate::cost::{Cost, INFINITY};
use crate::grid::{Movement, Tile};
use crate::path::Path;
use crate::taut::walk::unpack;
use crate::taut::{direction, walk};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Label {
    cost: u32,
    from: u32,
    turns: u16,
    generation: u16,
}

/// The memory of a query.
#[derive(Clone, Debug, Default)]
pub struct CornerScratch {
    labels: Vec<[Label; 2]>,
    open: [BinaryHeap<Reverse<u64>>; 2],
    pub initial: u64,
    generation: u16,
    turns: Vec<Tile>,
    stack: Vec<(u32, u32)>,
    pub settled: u64,
    pub pushed: u64,
}

impl CornerScratch {
    pub fn new() -> CornerScratch {
        CornerScratch::default()
    }
}

impl Corners {
    pub fn distance(&self, start: Tile, goal: Tile, scratch: &mut CornerScratch) -> Option<Cost> {
        self.route(start, goal, scratch).map(|(cost, _)| cost)
    }

    fn route(&self, start: Tile, goal: Tile, scratch: &mut CornerScratch) -> Option<(Cost, u32)> {
        if !self.bits.is_free(start) || !self.bits.is_free(goal) {
            return None;
        }
        if self.bits.sees(self.movement, start, goal) {
            return Some((self.movement.estimate(start, goal), NONE));
        }
        if self.movement == Movement::FourConnected {
            self.meet(start, goal, scratch, |a, b| Movement::FourConnected.estimate(a, b))
        } else {
            self.meet(start, goal, scratch, Tile::octile)
        }
    }

    #[inline]
    fn meet(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut CornerScratch,
        estimate: impl Fn(Tile, Tile) -> Cost,
    ) -> Option<(Cost, u32)> {
        let count = self.hierarchy.corners.len();
        if scratch.generation == u16::MAX || scratch.labels.len() < count {
            let fresh = Label { cost: 0, from: 0, turns: 0, generation: 0 };
            scratch.labels.clear();
            scratch.labels.resize(count, [fresh; 2]);
            scratch.generation = 0;
        }
        scratch.generation += 1;
        let generation = scratch.generation;
        let mut best = (INFINITY, NONE);
        let ends = [start, goal];
        let labels = &mut scratch.labels[..];
        for n in 0..2 {
            let (end, target) = (ends[n], ends[1 - n]);
            let mut queue = std::mem::take(&mut scratch.open[n]).into_vec();
            queue.clear();
            self.vias.each(end, |corner| {
                scratch.initial += 1;
                let node = &self.hierarchy.nodes[corner as usize];
                let tile = unpack(node.tile);
                let cost = estimate(end, tile);
                let turns = self.rules.departures(node.pattern, direction(end, tile)) & node.leaves;
                let label = &mut labels[corner as usize];
                label[n] = Label { cost, from: NONE, turns, generation };
                if n == 1 && label[0].generation == generation && label[0].cost + cost < best.0 {
                    best = (label[0].cost + cost, corner);
                }
                if turns != 0 {
                    let bound = cost + estimate(tile, target);
                    queue.push(Reverse(u64::from(bound) << 32 | u64::from(corner)));
                }
            });
            scratch.open[n] = BinaryHeap::from(queue);
        }
        loop {
            let key = |n: usize| scratch.open[n].peek().map_or(u64::MAX, |k| k.0);
            let keys = [key(0), key(1)];
            let n = usize::from(keys[1] < keys[0]);
            if keys[n] >> 32 >= u64::from(best.0) {
                break;
            }
            let target = ends[1 - n];
            scratch.open[n].pop();
            scratch.settled += 1;
            let corner = keys[n] as u32;
            let label = labels[corner as usize][n];
            let node = &self.hierarchy.nodes[corner as usize];
            if label.cost + estimate(unpack(node.tile), target) != (keys[n] >> 32) as u32 {
                continue;
            }
            let first = node.first as usize;
            for arc in &self.hierarchy.hot[first..first + usize::from(node.used)] {
                if arc.leave & label.turns == 0 {
                    continue;
                }
                let cost = label.cost + arc.cost;
                let bound = cost + estimate(unpack(arc.tile), target);
                if bound >= best.0 {
                    continue;
                }
                let known = &mut labels[arc.to as usize];
                let mine = &mut known[n];
                if mine.generation == generation && mine.cost <= cost {
                    if mine.cost < cost || mine.turns | arc.turns == mine.turns {
                        continue;
                    }
                    mine.turns |= arc.turns;
                } else {
                    *mine = Label { cost, from: corner, turns: arc.turns, generation };
                    let meet = known[1 - n];
                    if meet.generation == generation && meet.cost + cost < best.0 {
                        best = (meet.cost + cost, arc.to);
                    }
                }
                if arc.turns != 0 {
                    scratch.pushed += 1;
                    scratch.open[n].push(Reverse(u64::from(bound) << 32 | u64::from(arc.to)));
                }
            }
        }
        (best.0 < INFINITY).then_some(best)
    }

    /// Appends the corners strictly between two joined ones and the second.
    fn unpack(&self, from: u32, to: u32, stack: &mut Vec<(u32, u32)>, out: &mut Vec<Tile>) {
        let corners = &self.hierarchy.corners;
        stack.push((from, to));
        while let Some((from, to)) = stack.pop() {
            let up = corners[from as usize].rank < corners[to as usize].rank;
            let arc = if up { self.hierarchy.arc(from, to) } else { self.hierarchy.arc(to, from) };
            let middle = arc.map_or(EDGE, |arc| arc.middle);
            if middle == EDGE {
                out.push(corners[to as usize].tile);
            } else {
                stack.push((middle, to));
                stack.push((from, middle));
            }
        }
    }

    pub fn turning_points(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut CornerScratch,
    ) -> Option<Cost> {
        let (cost, meet) = self.route(start, goal, scratch)?;
        let mut turns = std::mem::take(&mut scratch.turns);
        turns.clear();
        turns.push(start);
        if meet != NONE {
            let mut chain: Vec<u32> = vec![meet];
            let mut at = meet;
            loop {
                at = scratch.labels[at as usize][0].from;
                if at == NONE { break; }
                chain.push(at);
            }
            chain.reverse();
            turns.push(self.hierarchy.corners[chain[0] as usize].tile);
            at = meet;
            loop {
                at = scratch.labels[at as usize][1].from;
                if at == NONE { break; }
                chain.push(at);
            }
            for pair in chain.windows(2) {
                self.unpack(pair[0], pair[1], &mut scratch.stack, &mut turns);
            }
        }
        turns.push(goal);
        scratch.turns = turns;
        Some(cost)
    }

    pub fn path(&self, start: Tile, goal: Tile, scratch: &mut CornerScratch, path: &mut Path) -> Option<Cost> {
        path.clear();
        let cost = self.turning_points(start, goal, scratch)?;
        walk::write_legs(self.movement, &scratch.turns, true, path);
        Some(cost)
    }
}
