//! Cleaning: gates that a person would not draw are taken away.
//!
//! One rule does most of it: **a gate is no wider than the ground on both sides of it**; what is
//! less, has no prominence.
//! The ground of a zone is as wide as the largest disc that fits into it, walls and the
//! other gates in the way. A strip between two parallel gates, a sliver cut off in a
//! corner, a long line across open ground: all break the rule. The gate that breaks it
//! worst goes first, the zones beside it become one, and the rest is judged again, because
//! ground becomes wider when a gate goes. Besides, a zone of a few tiles is no place.
//!
//! Gates between the same two zones whose ends are near each other are judged as one:
//! they are pieces of one stroke over small walls, or bend around a corner.

mod sites;

use std::collections::{BinaryHeap, HashMap};

use super::gate::{GateLine, Source};
use super::zone::in_small_pieces;
use super::{Decomposition, ZoneId};
use crate::grid::{Grid, Tile};
use sites::Sites;

/// What gates must be like to stay.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// How long a gate may be for the narrower ground beside it, in hundredths.
    longest: f64,
    /// Zones with fewer tiles are noise.
    smallest: u32,
}

impl Rule {
    /// A gate is no longer than the ground is wide: its prominence is at least 1.
    pub(super) const GATES: Rule = Rule { longest: 100.0, smallest: SMALLEST };
    /// Doors have to be more prominent, because on rough ground there are small rooms everywhere.
    pub(super) const DOORS: Rule = Rule { longest: 50.0, smallest: 2 * SMALLEST };
}

/// What separates nothing, and what cuts off a few tiles, goes before all else.
const USELESS: u64 = u64::MAX;
const SLIVER: u64 = 1 << 40;
/// Gates that exceed this much are beyond saving by others.
const SAVED: u64 = 260;
/// Ends of gates at most this many tiles apart are near each other.
const NEAR: u16 = 8;
/// Zones with fewer tiles are noise.
pub(super) const SMALLEST: u32 = 16;

/// Lines cut where they meet an earlier one, so that no gate crosses another.
pub(super) fn cut_at_crossings(grid: &Grid, lines: &[GateLine]) -> Vec<GateLine> {
    let mut taken = fixedbitset::FixedBitSet::with_capacity(grid.tiles());
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        let mut part: Option<(Tile, Tile)> = None;
        let mut finish = |part: &mut Option<(Tile, Tile)>| {
            out.extend(part.take().map(|(a, b)| GateLine::new(a, b, line.source())));
        };
        for tile in line.tiles() {
            let Some(cell) = grid.cell(tile) else { continue };
            if taken.put(cell.index()) {
                finish(&mut part);
            } else {
                part = Some((part.map_or(tile, |(a, _)| a), tile));
            }
        }
        finish(&mut part);
    }
    out
}

/// The lines that remain of a decomposition's gates by a rule. The first `fixed` gates are not
/// judged; they remain, and so do manual ones.
pub(super) fn clean(grid: &Grid, raw: &Decomposition, rule: Rule, fixed: usize) -> Vec<GateLine> {
    let mut judge = Judge {
        raw,
        rule,
        sites: Sites::new(grid, raw),
        in_small_piece: in_small_pieces(&raw.zones, &raw.gates),
        near: near_pairs(raw),
        alive: vec![true; raw.gates.len()],
    };
    // Where another gate ends just before one that is fixed, that one would separate nothing.
    for gate in 0..fixed.min(raw.gates.len()) {
        let touching = raw.gates[gate].gates.iter().map(|other| other.index());
        let in_the_way =
            |other: &usize| *other >= fixed && raw.gates[*other].source() == Source::Automatic;
        if raw.gates[gate].separates() {
            continue;
        }
        for other in touching.filter(in_the_way) {
            if std::mem::replace(&mut judge.alive[other], false) {
                judge.sites.open(other, &judge.alive);
            }
        }
    }
    // Worst first, then by number. An entry may be stale: the gate is judged again when
    // it is popped, and goes back to where it belongs.
    let mut heap: BinaryHeap<(u64, std::cmp::Reverse<usize>)> = BinaryHeap::new();
    for gate in fixed..raw.gates.len() {
        heap.push((judge.excess(gate), std::cmp::Reverse(gate)));
    }
    while let Some((known, std::cmp::Reverse(gate))) = heap.pop() {
        if known == 0 {
            break;
        }
        let is_kept = gate < fixed || raw.gates[gate].source() == Source::Manual;
        if !judge.alive[gate] || is_kept {
            continue;
        }
        let excess = judge.excess(gate);
        if excess != known {
            heap.push((excess, std::cmp::Reverse(gate)));
            continue;
        }
        if judge.is_saved(gate, excess) {
            continue;
        }
        judge.alive[gate] = false;
        for touched in judge.sites.open(gate, &judge.alive) {
            if judge.alive[touched] {
                heap.push((judge.excess(touched), std::cmp::Reverse(touched)));
            }
        }
    }
    raw.lines().zip(judge.alive).filter(|(_, alive)| *alive).map(|(line, _)| line).collect()
}

struct Judge<'a> {
    raw: &'a Decomposition,
    rule: Rule,
    /// By zone: whether it is part of a piece of the map that is small.
    in_small_piece: Vec<bool>,
    sites: Sites<'a>,
    near: Vec<Vec<usize>>,
    alive: Vec<bool>,
}

impl Judge<'_> {
    /// How long a gate is, with the pieces that belong to it, for the narrower ground beside
    /// it, in hundredths; 0 if it may stay.
    fn excess(&mut self, gate: usize) -> u64 {
        let around = self.sites.around(gate, &self.alive);
        let is_small = |zone: &ZoneId| self.in_small_piece[zone.index()];
        if around.len() < 2 || self.raw.gates[gate].zones.iter().any(is_small) {
            return USELESS;
        }
        let Rule { longest, smallest } = self.rule;
        let span = self.span_with_pieces(gate, &around);
        let mut width = self.narrowest(&around);
        if span / width * 100.0 > longest {
            // The ground may be wider than known so far.
            width = self.sites.measure_narrowest(&around);
        }
        let excess = span / width * 100.0;
        let worse = excess.ceil() as u64;
        let area = around.iter().map(|&site| self.sites.area(site)).min().unwrap_or(0);
        if area < SMALLEST {
            SLIVER.saturating_add(worse)
        } else if excess > longest || area < smallest {
            worse
        } else {
            0
        }
    }

    fn narrowest(&self, around: &[usize]) -> f64 {
        around.iter().map(|&site| self.sites.width(site)).fold(f64::INFINITY, f64::min)
    }

    /// The length of a gate and of all that are near it, directly or over others, and
    /// lie between the same sites.
    fn span_with_pieces(&mut self, gate: usize, around: &[usize]) -> f64 {
        let mut pieces = vec![gate];
        let mut next = 0;
        while next < pieces.len() {
            for i in 0..self.near[pieces[next]].len() {
                let other = self.near[pieces[next]][i];
                if self.alive[other]
                    && !pieces.contains(&other)
                    && self.sites.around(other, &self.alive) == around
                {
                    pieces.push(other);
                }
            }
            next += 1;
        }
        pieces.into_iter().map(|piece| self.raw.gates[piece].line.span()).sum()
    }

    /// Good gates between the same two zones would separate nothing any more once this
    /// one is gone: they save it if they are half as long as the bad ones together.
    fn is_saved(&mut self, gate: usize, excess: u64) -> bool {
        if excess > SAVED {
            return false;
        }
        let around = self.sites.around(gate, &self.alive);
        let (mut good, mut bad) = (0.0, 0.0);
        for other in self.sites.gates_beside_all(&around) {
            if self.alive[other] && self.sites.around(other, &self.alive) == around {
                let span = self.raw.gates[other].line.span();
                if self.excess(other) == 0 { good += span } else { bad += span }
            }
        }
        2.0 * good >= bad
    }
}

/// For every gate the gates with an end near one of its own, found by cells of a coarse
/// grid.
fn near_pairs(raw: &Decomposition) -> Vec<Vec<usize>> {
    let coarse = |tile: Tile| (tile.x / NEAR, tile.y / NEAR);
    let ends = |gate: usize| [raw.gates[gate].a(), raw.gates[gate].b()];
    let mut cells: HashMap<(u16, u16), Vec<(usize, Tile)>> = HashMap::new();
    for gate in 0..raw.gates.len() {
        for end in ends(gate) {
            cells.entry(coarse(end)).or_default().push((gate, end));
        }
    }
    let around = |gate: usize| {
        let mut near: Vec<usize> = Vec::new();
        for end in ends(gate) {
            let (cx, cy) = coarse(end);
            for x in cx.saturating_sub(1)..=cx + 1 {
                for y in cy.saturating_sub(1)..=cy + 1 {
                    let here = cells.get(&(x, y)).into_iter().flatten();
                    let close = |p: &Tile| p.x.abs_diff(end.x).max(p.y.abs_diff(end.y)) <= NEAR;
                    near.extend(here.filter(|(_, p)| close(p)).map(|(other, _)| *other));
                }
            }
        }
        near.sort_unstable();
        near.dedup();
        near.retain(|&other| other != gate);
        near
    };
    (0..raw.gates.len()).map(around).collect()
}
