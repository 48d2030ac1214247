//! The order in which corners are contracted: those first whose contraction adds least.
//!
//! The priority of a corner weighs the shortcuts that contracting it would add against
//! the arcs it would take away, and how deep the hierarchy below it already is. It is
//! worked out again when a corner comes first in the queue, and the corner goes back if
//! it has grown.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::hierarchy::{Arc, back, departures};
use crate::taut::{CornerGraph, Rules};

/// Why there is no order: contracting would add more arcs than pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDense;

/// Arcs per corner, on average over all corners, above which contraction is given up.
const MAX_MEAN_ARCS: usize = 24;

struct Contraction<'a> {
    rules: &'a Rules,
    graph: &'a CornerGraph,
    /// By corner: arcs to all its neighbours that are not contracted yet.
    arcs: Vec<Vec<Arc>>,
    depth: Vec<u32>,
    turns: Vec<u16>,
}

/// The rank of every corner, from 0.
pub(super) fn ranks(rules: &Rules, graph: &CornerGraph) -> Result<Vec<i32>, TooDense> {
    let count = graph.len();
    let edges = |corner: u32| {
        let tile = graph.tiles[corner as usize];
        let edge = |e: &crate::taut::Edge| {
            Arc::edge(rules, tile, (e.to, graph.tiles[e.to as usize]))
        };
        graph.edges(corner).iter().map(edge).collect::<Vec<Arc>>()
    };
    let arcs: Vec<Vec<Arc>> = (0..count as u32).map(edges).collect();
    let mut work = Contraction { rules, graph, arcs, depth: vec![0; count], turns: Vec::new() };
    let mut queue: BinaryHeap<Reverse<(i64, u32)>> =
        (0..count as u32).map(|c| Reverse((work.priority(c), c))).collect();
    let mut ranks = vec![0; count];
    let mut next = 0;
    let mut total = 0;
    while let Some(Reverse((known, corner))) = queue.pop() {
        let now = work.priority(corner);
        if now > known && queue.peek().is_some_and(|&Reverse((first, _))| now > first) {
            queue.push(Reverse((now, corner)));
            continue;
        }
        ranks[corner as usize] = next;
        next += 1;
        total += work.arcs[corner as usize].len();
        if total > MAX_MEAN_ARCS * count + 4096 {
            return Err(TooDense);
        }
        work.contract(corner);
    }
    Ok(ranks)
}

impl Contraction<'_> {
    /// Fills `turns` with the classes in which a path may go on that comes over each arc.
    fn find_turns(&mut self, corner: u32) {
        let pattern = self.graph.patterns[corner as usize];
        let arcs = &self.arcs[corner as usize];
        self.turns.clear();
        self.turns.extend(arcs.iter().map(|a| departures(self.rules, pattern, back(a.leave))));
    }

    fn priority(&mut self, corner: u32) -> i64 {
        self.find_turns(corner);
        let arcs = &self.arcs[corner as usize];
        let mut added = 0;
        for (n, (one, &turns)) in arcs.iter().zip(&self.turns).enumerate() {
            for other in arcs[n + 1..].iter().filter(|other| other.leave & turns != 0) {
                let known = self.arcs[one.to as usize].iter().find(|arc| arc.to == other.to);
                added += i64::from(known.is_none_or(|arc| arc.cost > one.cost + other.cost));
            }
        }
        let gone = arcs.len() as i64;
        128 * added / (gone + 1) + 64 * i64::from(self.depth[corner as usize])
    }

    fn contract(&mut self, corner: u32) {
        self.find_turns(corner);
        let arcs = std::mem::take(&mut self.arcs[corner as usize]);
        for arc in &arcs {
            self.arcs[arc.to as usize].retain(|other| other.to != corner);
            let depth = self.depth[corner as usize] + 1;
            self.depth[arc.to as usize] = self.depth[arc.to as usize].max(depth);
        }
        for (n, (one, &turns)) in arcs.iter().zip(&self.turns).enumerate() {
            for other in arcs[n + 1..].iter().filter(|other| other.leave & turns != 0) {
                let there = Arc {
                    to: other.to,
                    cost: one.cost + other.cost,
                    middle: corner,
                    leave: back(one.arrive),
                    arrive: other.arrive,
                };
                let again = Arc {
                    to: one.to,
                    leave: back(other.arrive),
                    arrive: one.arrive,
                    ..there
                };
                add(&mut self.arcs[one.to as usize], there);
                add(&mut self.arcs[other.to as usize], again);
            }
        }
    }
}

fn add(arcs: &mut Vec<Arc>, arc: Arc) {
    match arcs.iter_mut().find(|known| known.to == arc.to) {
        Some(known) => known.merge(arc),
        None => arcs.push(arc),
    }
}
