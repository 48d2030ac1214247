//! The order in which corners are contracted: those first whose contraction adds least.
//!
//! The priority of a corner weighs the shortcuts that contracting it would add against
//! the arcs it would take away, how deep the hierarchy below it already is, and how many
//! arcs it has: long lists at the top are what makes repairs slow. It is
//! worked out again when a corner comes first in the queue, and the corner goes back if
//! another one is now before it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::arc::{Arc, back, departures};
use super::hierarchy::{MOST_ARCS, TooDense};
use crate::taut::{CornerGraph, Rules};

/// What a shortcut counts, for each arc that goes.
const SHORTCUT: u32 = 128;
/// What a level of the hierarchy below counts.
const LEVEL: u32 = 48;
/// What an arc of the corner counts.
const DEGREE: u32 = 8;

/// Contraction is given up early where, before seven eighths are done, corners have more
/// neighbours than this on average, and there are more than [`FEW_ARCS`].
const MOST_NEIGHBOURS: usize = 30;
/// So many arcs are no burden.
const FEW_ARCS: usize = 100_000;

struct Contraction<'a> {
    rules: &'a Rules,
    graph: &'a CornerGraph,
    /// By corner: arcs to all its neighbours that are not contracted yet.
    arcs: Vec<Vec<Arc>>,
    /// How many those are.
    live: usize,
    /// By corner: levels of the hierarchy below it.
    levels: Vec<u32>,
    /// By arc of the corner at hand: the classes in which a path goes on that came so.
    turns: Vec<u16>,
    /// By corner: its place in a list, and the number of that list.
    places: Vec<(u32, u32)>,
    /// The number of the list at hand, from 1.
    list: u32,
}

/// The rank of every corner, from 0.
pub(super) fn ranks(rules: &Rules, graph: &CornerGraph) -> Result<Vec<u32>, TooDense> {
    let count = graph.len();
    let edges = |corner: u32| {
        let tile = graph.tiles[corner as usize];
        let neighbours = graph.edges(corner).iter().map(|edge| edge.to);
        neighbours.map(|to| Arc::edge(rules, tile, to, graph.tiles[to as usize])).collect()
    };
    let arcs: Vec<Vec<Arc>> = (0..count as u32).map(edges).collect();
    let (levels, places, turns) = (vec![0; count], vec![(0, 0); count], Vec::new());
    let live = arcs.iter().map(Vec::len).sum();
    let mut work = Contraction { rules, graph, arcs, live, levels, turns, places, list: 0 };
    let mut queue: BinaryHeap<Reverse<(u32, u32)>> =
        (0..count as u32).map(|c| Reverse((work.priority(c), c))).collect();
    let mut ranks = vec![0; count];
    let (mut next, mut total) = (0, 0);
    while let Some(Reverse((known, corner))) = queue.pop() {
        let now = work.priority(corner);
        if now > known && queue.peek().is_some_and(|&Reverse((first, _))| now > first) {
            queue.push(Reverse((now, corner)));
            continue;
        }
        ranks[corner as usize] = next;
        next += 1;
        total += work.arcs[corner as usize].len();
        work.contract(corner);
        let left = count - next as usize;
        let dense = work.live > FEW_ARCS.max(MOST_NEIGHBOURS * left) && 8 * left >= count;
        if dense || total > MOST_ARCS * count.max(1000) {
            return Err(TooDense);
        }
    }
    Ok(ranks)
}

impl Contraction<'_> {
    /// Fills `turns`.
    fn find_turns(&mut self, corner: u32) {
        let pattern = self.graph.patterns[corner as usize];
        let arcs = &self.arcs[corner as usize];
        self.turns.clear();
        self.turns.extend(arcs.iter().map(|a| departures(self.rules, pattern, back(a.leave))));
    }

    fn priority(&mut self, corner: u32) -> u32 {
        self.find_turns(corner);
        let Contraction { arcs: all, turns, places, levels, list, .. } = self;
        let arcs = &all[corner as usize];
        let mut added = 0;
        for (n, (one, &turns)) in arcs.iter().zip(&*turns).enumerate() {
            let known = &all[one.to as usize];
            *list += 1;
            (0..).zip(known).for_each(|(place, arc)| places[arc.to as usize] = (place, *list));
            for other in arcs[n + 1..].iter().filter(|other| other.leave & turns != 0) {
                let (place, of) = places[other.to as usize];
                let is_new = of != *list || known[place as usize].cost > one.cost + other.cost;
                added += u32::from(is_new);
            }
        }
        let degree = arcs.len() as u32;
        SHORTCUT * added / (degree + 1) + LEVEL * levels[corner as usize] + DEGREE * degree
    }

    fn contract(&mut self, corner: u32) {
        self.find_turns(corner);
        let arcs = std::mem::take(&mut self.arcs[corner as usize]);
        self.live -= arcs.len();
        let level = self.levels[corner as usize] + 1;
        for (one, &turns) in arcs.iter().zip(&self.turns) {
            let list = &mut self.arcs[one.to as usize];
            self.live -= list.len();
            list.retain(|arc| arc.to != corner);
            let above = &mut self.levels[one.to as usize];
            *above = level.max(*above);
            self.list += 1;
            for (place, arc) in (0..).zip(&*list) {
                self.places[arc.to as usize] = (place, self.list);
            }
            // Turns are the same both ways, so the other end adds the arc back.
            for other in &arcs {
                if other.leave & turns != 0 && other.to != one.to {
                    let shortcut = one.through(corner, other);
                    match self.places[other.to as usize] {
                        (place, of) if of == self.list => list[place as usize].merge(shortcut),
                        _ => list.push(shortcut),
                    }
                }
            }
            self.live += list.len();
        }
    }
}
