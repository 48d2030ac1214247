//! How near decompositions are to what a person would draw, in numbers, map by map.
//!
//! Everything is measured from the map and the gates alone, by plain floods, so that it can be
//! checked by hand on a small map:
//!
//! - **small**: zones of fewer than [`SMALL`] tiles;
//! - **flat**: gates whose prominence is below 1: longer than the ground on one side is wide;
//! - **shallow**: gates longer than a zone behind them is deep. A zone is as deep behind a gate
//!   as its farthest tile is away, in steps inside the zone;
//! - **long**: gates that are more than [`SLACK`] tiles longer than the narrowest line nearby;
//! - **away**: gates that lie more than [`SLACK`] tiles from the narrowest line nearby, from
//!   middle to middle, if that is at least a tile shorter.
//!
//! **The narrowest line nearby** of a gate between two zones: of all straight lines from wall to
//! wall, at 0, 45, 90 or 135 degrees, that pass a tile at most [`NEAR`] steps from the gate, that
//! run over the ground of the gate and the two zones only and part the innermost tiles of the
//! zones as the gate does, the one of the least real length, then the nearest.

use std::collections::VecDeque;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tidegate::decompose::{Decomposition, Gate, GateLine, Place, Source, WaterOptions, ZoneId};
use tidegate::region::Regions;
use tidegate::{CellId, Direction, Grid, Movement, Tile};

use super::{Experiment, Lab};
use crate::notebook::Rows;
use crate::stopwatch::least_micros;

/// The sets that are looked at.
pub const SETS: [&str; 4] = ["sc1", "bg512", "dao", "wc3maps512"];
/// Zones with fewer tiles are small.
pub const SMALL: u32 = 100;
/// Lines that pass this many steps from a gate are near it.
pub const NEAR: u32 = 12;
/// How many tiles longer or away does not matter.
pub const SLACK: f64 = 2.0;

/// One map by one set of options.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// [`RAW`] or [`DEFAULT`].
    pub options: String,
    /// Zones.
    pub zones: usize,
    /// Zones of fewer than [`SMALL`] tiles.
    pub small: usize,
    /// Gates.
    pub gates: usize,
    /// Gates of no prominence.
    pub flat: usize,
    /// Gates longer than a zone behind them is deep.
    pub shallow: usize,
    /// Gates longer than the narrowest line nearby.
    pub long: usize,
    /// Gates away from the narrowest line nearby.
    pub away: usize,
    /// The decomposition in milliseconds.
    pub ms: f64,
}

/// All gates as the water leaves them: `--raw`.
pub const RAW: &str = "raw";
/// What people and bots get.
pub const DEFAULT: &str = "default";

impl Row {
    /// The share of zones and gates that a person would not draw: small zones, and gates that are
    /// flat, shallow or away, a gate of several faults counted for each.
    pub fn share_of_faults(&self) -> f64 {
        let faults = self.small + self.flat + self.shallow + self.away;
        faults as f64 / (self.zones + self.gates).max(1) as f64
    }
}

/// What is counted. See the [module](self).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Zones.
    pub zones: usize,
    /// Zones of fewer than [`SMALL`] tiles.
    pub small: usize,
    /// Gates.
    pub gates: usize,
    /// Gates of no prominence.
    pub flat: usize,
    /// Gates longer than a zone behind them is deep.
    pub shallow: usize,
    /// Gates longer than the narrowest line nearby.
    pub long: usize,
    /// Gates away from the narrowest line nearby.
    pub away: usize,
}

impl Counts {
    /// Counts zones and gates of a map.
    pub fn new(grid: &Grid, parts: &Decomposition) -> Counts {
        let (regions, ground) = (Regions::new(grid, parts), Ground::new(grid, parts));
        let mut counts = Counts::default();
        for zone in parts.live_zones() {
            counts.zones += 1;
            counts.small += usize::from(zone.area() < SMALL);
        }
        for gate in parts.live_gates() {
            let span = gate.line().span();
            let behind = gate.zones().iter().map(|&zone| ground.depth_behind(gate, zone));
            counts.gates += 1;
            counts.flat += usize::from(regions.prominence(gate.id()) < 1.0);
            counts.shallow += usize::from(behind.min().is_some_and(|d| span > f64::from(d)));
            if let Some(least) = ground.narrowest_line_nearby(gate) {
                let shorter = span - least.span();
                let away = between(gate.line().middle(), least.middle());
                counts.long += usize::from(shorter > SLACK);
                counts.away += usize::from(shorter >= 1.0 && away > SLACK);
            }
        }
        counts
    }
}

fn between(a: Tile, b: Tile) -> f64 {
    f64::from(a.x.abs_diff(b.x)).hypot(f64::from(a.y.abs_diff(b.y)))
}

/// A map with zones and the innermost tile of each.
struct Ground<'a> {
    grid: &'a Grid,
    parts: &'a Decomposition,
    innermost: Vec<CellId>,
}

impl<'a> Ground<'a> {
    fn new(grid: &'a Grid, parts: &'a Decomposition) -> Ground<'a> {
        Ground { grid, parts, innermost: innermost(grid, parts) }
    }

    /// How many steps inside the zone its farthest tile is from the gate.
    fn depth_behind(&self, gate: &Gate, zone: ZoneId) -> u32 {
        let inside = |cell: CellId| self.parts.place(cell) == Place::Zone(zone);
        self.steps(gate.tiles(), u32::MAX, inside).last().map_or(0, |&(_, steps)| steps)
    }

    /// The tiles that a breadth-first flood reaches, with the steps to them, in order.
    fn steps(
        &self,
        from: &[CellId],
        limit: u32,
        enter: impl Fn(CellId) -> bool,
    ) -> Vec<(CellId, u32)> {
        let mut seen: std::collections::HashSet<CellId> = from.iter().copied().collect();
        let mut queue: VecDeque<(CellId, u32)> = from.iter().map(|&cell| (cell, 0)).collect();
        let mut out = Vec::new();
        while let Some((cell, steps)) = queue.pop_front() {
            out.push((cell, steps));
            if steps == limit {
                continue;
            }
            for (next, _) in self.grid.neighbours(cell) {
                if enter(next) && seen.insert(next) {
                    queue.push_back((next, steps + 1));
                }
            }
        }
        out
    }

    /// The narrowest line near a gate between two zones, if one is at least a tile shorter.
    fn narrowest_line_nearby(&self, gate: &Gate) -> Option<GateLine> {
        let &[a, b] = gate.zones() else { return None };
        let place = |cell: CellId| self.parts.place(cell);
        let own = |cell: CellId| {
            [Place::Zone(a), Place::Zone(b), Place::Gate(gate.id())].contains(&place(cell))
        };
        let mut lines: Vec<GateLine> = Vec::new();
        for (cell, _) in self.steps(gate.tiles(), NEAR, own) {
            for axis in [Direction::E, Direction::S, Direction::SE, Direction::SW] {
                lines.extend(self.line_between_walls(self.grid.tile(cell), axis, own));
            }
        }
        lines.retain(|line| line.span() <= gate.line().span() - 1.0);
        let middle = gate.line().middle();
        let order = |line: &GateLine| (line.span(), between(line.middle(), middle));
        lines.sort_by(|p, q| {
            order(p)
                .partial_cmp(&order(q))
                .expect("numbers")
                .then((p.a(), p.b()).cmp(&(q.a(), q.b())))
        });
        lines.dedup();
        lines.into_iter().find(|line| self.parts_zones(line, [a, b], own))
    }

    /// The line through a tile until walls stop it; `None` if something else does.
    fn line_between_walls(
        &self,
        tile: Tile,
        axis: Direction,
        own: impl Fn(CellId) -> bool,
    ) -> Option<GateLine> {
        let mut ends = [tile; 2];
        for (end, direction) in ends.iter_mut().zip([axis, axis.opposite()]) {
            let (dx, dy) = direction.delta();
            loop {
                let (x, y) = (i32::from(end.x) + dx, i32::from(end.y) + dy);
                let beside = [(x, i32::from(end.y)), (i32::from(end.x), y)];
                let free = |(x, y): (i32, i32)| self.grid.is_free_at(x, y);
                if !free((x, y)) || (direction.is_diagonal() && !beside.into_iter().all(free)) {
                    break;
                }
                *end = Tile::new(x as u16, y as u16);
                if !self.grid.cell(*end).is_some_and(&own) {
                    return None;
                }
            }
        }
        Some(GateLine::new(ends[0], ends[1], Source::Automatic))
    }

    /// Whether no way over the ground leads from the innermost tile of one zone to that of the
    /// other without touching a line.
    fn parts_zones(
        &self,
        line: &GateLine,
        zones: [ZoneId; 2],
        own: impl Fn(CellId) -> bool,
    ) -> bool {
        let [from, to] = zones.map(|zone| self.innermost[zone.index()]);
        let on_line = |cell: CellId| line.contains(self.grid.tile(cell));
        if on_line(from) || on_line(to) {
            return false;
        }
        let mut seen = vec![false; self.grid.tiles()];
        let mut stack = vec![from];
        seen[from.index()] = true;
        while let Some(cell) = stack.pop() {
            for (next, _) in self.grid.neighbours(cell) {
                let crosses =
                    || crosses(self.grid, line, self.grid.tile(cell), self.grid.tile(next));
                if seen[next.index()] || !own(next) || on_line(next) || crosses() {
                    continue;
                }
                if next == to {
                    return false;
                }
                seen[next.index()] = true;
                stack.push(next);
            }
        }
        true
    }
}

/// Whether a diagonal step passes between two tiles of a line, or its end and a wall.
fn crosses(grid: &Grid, line: &GateLine, from: Tile, to: Tile) -> bool {
    let corners = [Tile::new(from.x, to.y), Tile::new(to.x, from.y)];
    from.x != to.x
        && from.y != to.y
        && corners.iter().any(|&corner| line.contains(corner))
        && corners.iter().all(|&corner| line.contains(corner) || !grid.is_free(corner))
}

/// By zone: the tile farthest from walls and gates, the first in row order.
fn innermost(grid: &Grid, parts: &Decomposition) -> Vec<CellId> {
    let mut rim: Vec<(CellId, u32)> = Vec::new();
    let mut steps = vec![u32::MAX; grid.tiles()];
    let zone = |cell: CellId| match parts.place(cell) {
        Place::Zone(zone) => Some(zone),
        _ => None,
    };
    for cell in grid.free_cells().filter(|&cell| zone(cell).is_some()) {
        let tile = grid.tile(cell);
        let inside = |d: Direction| {
            let (x, y) = (i32::from(tile.x) + d.delta().0, i32::from(tile.y) + d.delta().1);
            let near = grid.is_free_at(x, y).then(|| Tile::new(x as u16, y as u16));
            near.and_then(|t| grid.cell(t)).is_some_and(|near| zone(near) == zone(cell))
        };
        if !Direction::ALL.into_iter().all(inside) {
            rim.push((cell, 1));
            steps[cell.index()] = 1;
        }
    }
    let mut queue: VecDeque<(CellId, u32)> = rim.into();
    while let Some((cell, at)) = queue.pop_front() {
        for (next, _) in grid.neighbours(cell) {
            if zone(next) == zone(cell) && steps[next.index()] == u32::MAX {
                steps[next.index()] = at + 1;
                queue.push_back((next, at + 1));
            }
        }
    }
    let mut best = vec![(0, CellId::from_index(0)); parts.zones().len()];
    for cell in grid.free_cells() {
        if let Some(zone) = zone(cell)
            && steps[cell.index()] > best[zone.index()].0
        {
            best[zone.index()] = (steps[cell.index()], cell);
        }
    }
    best.into_iter().map(|(_, cell)| cell).collect()
}

/// The experiment.
pub struct RegionNumbers;

impl Experiment for RegionNumbers {
    fn name(&self) -> &'static str {
        "regions"
    }

    fn about(&self) -> &'static str {
        "how near zones and gates are to what a person would draw"
    }

    fn units(&self, lab: &Lab) -> Result<Vec<String>> {
        lab.maps(&SETS)
    }

    fn run(&self, lab: &Lab, unit: &str, rows: &mut Rows) -> Result<()> {
        let case = lab.case(unit)?;
        let grid = case.grid(Movement::default())?;
        for (options, water) in [(RAW, WaterOptions::raw()), (DEFAULT, WaterOptions::default())] {
            let (us, parts) = least_micros(3, || Decomposition::water(&grid, &water));
            parts.check(&grid).map_err(|v| anyhow::anyhow!("{v}"))?;
            let Counts { zones, small, gates, flat, shallow, long, away } =
                Counts::new(&grid, &parts);
            let (set, map) = (case.set.clone(), case.map.clone());
            let (options, ms) = (options.to_string(), us / 1e3);
            let row = Row { set, map, options, zones, small, gates, flat, shallow, long, away, ms };
            rows.push(&row).context("two rows a map")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[&str], gates: &[[(u16, u16); 2]]) -> Counts {
        let grid = Grid::from_rows(rows).unwrap();
        let tile = |(x, y): (u16, u16)| Tile::new(x, y);
        let line =
            |ends: &[(u16, u16); 2]| GateLine::new(tile(ends[0]), tile(ends[1]), Source::Manual);
        let parts = Decomposition::from_gates(&grid, gates.iter().map(line)).unwrap();
        parts.check(&grid).unwrap();
        Counts::new(&grid, &parts)
    }

    /// Two rooms and a funnel between them: the narrowest place has one tile.
    const FUNNEL: [&str; 9] = [
        "....................",
        "......#.............",
        "......##............",
        "......###...........",
        "....................",
        "......###...........",
        "......##............",
        "......#.............",
        "....................",
    ];

    #[test]
    fn numbers_of_a_drawn_map() {
        // Walls above and below the funnel, so that one gate is enough.
        let mut rows = FUNNEL.map(str::to_string);
        for y in [0, 8] {
            rows[y] = "......#.............".to_string();
        }
        let rows = rows.each_ref().map(String::as_str);
        let all = Counts { zones: 2, small: 1, gates: 1, ..Counts::default() };
        assert_eq!(counts(&rows, &[[(8, 4), (8, 4)]]), all);
        // A line of nine tiles behind the funnel: longer than the ground to its left is wide,
        // and six tiles from a place where one tile is enough.
        let wrong = Counts { small: 2, flat: 1, shallow: 1, long: 1, away: 1, ..all };
        assert_eq!(counts(&rows, &[[(12, 0), (12, 8)]]), wrong);
        assert_eq!(counts(&rows, &[[(10, 0), (10, 8)]]).away, 0);
    }

    #[test]
    fn a_line_that_parts_nothing_is_not_the_narrowest() {
        // A single wall tile beside the door: lines to it are shorter but close nothing.
        let rows = ["...#...", "...#...", ".......", ".#.....", ".......", "...#...", "...#..."];
        let found = counts(&rows, &[[(3, 2), (3, 4)]]);
        assert_eq!((found.gates, found.long, found.away), (1, 0, 0));
    }
}
