//! Breaches: where opened tiles would join zones, a gate is placed across if one fits.
//!
//! A gate fits if it is narrower than the ground on both sides, as far as the areas tell,
//! and keeps all large zones around the breach apart. Lines through the opened tiles and
//! those next to them are tried from wall to wall (or to a gate), the shortest first; tiles
//! that lie on the ground of zones count double, so that the gate stands in the breach.

use std::collections::BTreeSet;

use super::super::clean::SMALLEST;
use super::super::gate::{GateLine, Source, flanks};
use super::super::straighten::AXES;
use super::super::{Place, ZoneId};
use super::Follower;
use super::zones::Patch;
use crate::grid::{CellId, Direction, Tile};

/// No gate across a breach is longer.
const LONGEST: u32 = 64;
/// Lines are tried through at most this many tiles of a breach,
const BASES: usize = 96;
/// and so many of them are judged in full.
const TRIED: usize = 24;

impl Follower<'_> {
    /// Places gates across breaches between large zones.
    pub(super) fn bridge_breaches(&mut self) {
        let mut tried: BTreeSet<CellId> = BTreeSet::new();
        if self.opened.is_empty() {
            return;
        }
        loop {
            self.split_zones();
            let found = self.patches().into_iter().find_map(|patch| {
                let large = self.large_zones(&patch);
                let is_breach = large.len() > 1 && !tried.contains(&patch.cells[0]);
                is_breach.then_some((patch, large))
            });
            let Some((patch, large)) = found else { return };
            if let Some(line) = self.line_across(&patch, &large) {
                let mut near = self.gates_near(&self.cells_of(&line));
                near.insert(self.add_gate(line));
                self.claim(near);
            }
            // Another line may be needed for what is left of the patch, but each tile may
            // ask only once.
            tried.insert(patch.cells[0]);
        }
    }

    /// The zones around a patch that are worth a gate.
    fn large_zones(&self, patch: &Patch) -> Vec<ZoneId> {
        let zones = patch.zones.iter().map(|&(zone, _)| zone);
        zones.filter(|&zone| self.zone(zone).area >= SMALLEST).collect()
    }

    /// The best line that keeps the zones around a patch apart.
    fn line_across(&self, patch: &Patch, large: &[ZoneId]) -> Option<GateLine> {
        let mut areas: Vec<u32> = large.iter().map(|&zone| self.zone(zone).area).collect();
        areas.sort_unstable_by_key(|&area| std::cmp::Reverse(area));
        let longest = f64::from(areas[1]).sqrt().min(f64::from(LONGEST));
        let middle = patch.cells[patch.cells.len() / 2];
        let mut lines: Vec<(u64, Tile, GateLine)> = Vec::new();
        for base in self.bases(patch) {
            for axis in AXES {
                let Some(line) = self.chord(self.grid.tile(base), axis, longest) else { continue };
                let outside = line.tiles().filter_map(|tile| self.grid.cell(tile));
                let outside = outside.filter(|&cell| !self.is_unassigned(cell)).count();
                let off = line.middle().octile(self.grid.tile(middle));
                let cost = (line.span() + outside as f64) * 1000.0 + f64::from(off.get()) / 1e3;
                lines.push((cost as u64, line.a(), line));
            }
        }
        lines.sort_unstable_by_key(|&(cost, a, line)| (cost, a, line.b()));
        lines.dedup_by_key(|(_, _, line)| *line);
        let apart = |line: &GateLine| self.keeps_apart(patch, large, *line);
        lines.into_iter().map(|(.., line)| line).take(TRIED).find(apart)
    }

    /// The tiles through which lines are tried: those of the patch, and those around them if
    /// it is small.
    fn bases(&self, patch: &Patch) -> Vec<CellId> {
        let stride = patch.cells.len().div_ceil(BASES);
        let mut bases: Vec<CellId> = patch.cells.iter().copied().step_by(stride).collect();
        if patch.cells.len() <= BASES / 8 {
            let near = patch.cells.iter().flat_map(|&cell| self.around(cell));
            bases.extend(near.filter(|&cell| self.zone_of(cell).is_some()));
        }
        bases.sort_unstable();
        bases.dedup();
        bases
    }

    /// The line through a tile to walls or gates, unless it is longer than allowed.
    fn chord(&self, tile: Tile, axis: Direction, longest: f64) -> Option<GateLine> {
        let most = longest as u32;
        let end = |direction: Direction| {
            let mut end = tile;
            for _ in 0..=most {
                let (dx, dy) = direction.delta();
                let (x, y) = (i32::from(end.x) + dx, i32::from(end.y) + dy);
                let is_open = |(x, y): (i32, i32)| {
                    let cell = self.grid.cell(Tile::new(x as u16, y as u16));
                    let place = cell.map(|cell| self.place(cell));
                    self.grid.is_free_at(x, y) && matches!(place, Some(Place::Zone(_)))
                };
                let (p, q) = flanks(end, direction);
                let narrow = direction.is_diagonal() && !(is_open(p) && is_open(q));
                if !is_open((x, y)) || narrow {
                    return Some(end);
                }
                end = Tile::new(x as u16, y as u16);
            }
            None
        };
        let line = GateLine::new(end(axis)?, end(axis.opposite())?, Source::Automatic);
        (line.span() <= longest).then_some(line)
    }

    /// Whether no way leads through the patch, or past it across a corner, from one of these
    /// zones to another once the line is shut.
    fn keeps_apart(&self, patch: &Patch, large: &[ZoneId], line: GateLine) -> bool {
        let shut: BTreeSet<CellId> = self.claimed_by(line).into_iter().collect();
        let large_zone = |cell: CellId| {
            let zone = self.zone_of(cell).filter(|zone| large.contains(zone));
            zone.filter(|_| !shut.contains(&cell))
        };
        let steps = |cell: CellId| self.grid.neighbours(cell).map(|(next, _)| next);
        let mut seen: BTreeSet<CellId> = BTreeSet::new();
        for &start in patch.cells.iter().filter(|cell| !shut.contains(cell)) {
            let mut joined: Option<ZoneId> = None;
            let mut stack = vec![start];
            while let Some(cell) = stack.pop() {
                if !seen.insert(cell) {
                    continue;
                }
                for next in steps(cell).filter(|next| !shut.contains(next)) {
                    if self.is_unassigned(next) {
                        stack.push(next);
                    } else if let Some(zone) = large_zone(next)
                        && joined.replace(zone).is_some_and(|other| other != zone)
                    {
                        return false;
                    }
                }
            }
        }
        let near = patch.cells.iter().flat_map(|&cell| self.around(cell));
        let leaks = |cell: CellId| {
            let zone = large_zone(cell);
            let other = |next: CellId| large_zone(next).is_some_and(|other| Some(other) != zone);
            zone.is_some() && steps(cell).any(other)
        };
        !near.into_iter().any(leaks)
    }
}
