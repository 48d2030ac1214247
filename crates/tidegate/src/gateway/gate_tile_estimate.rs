//! The portal estimate: the gateway estimate by single tiles of gates. It never exceeds
//! the truth and is nearly, not wholly, consistent.

use super::gate_tile_distances::GateTileDistances;
use super::zone_lists::ZoneLists;
use crate::cost::{Cost, INFINITY};
use crate::decompose::{Decomposition, Place, ZoneId};
use crate::grid::{CellId, Grid, Tile};
use crate::search::{Heuristic, Octile};

/// So many tiles of a gate are passed over together where none of them can be the best.
const RUN: usize = 8;

/// What a query works out about gate tiles; kept between queries for its memory.
#[derive(Clone, Debug, Default)]
pub struct GateTileScratch {
    /// By gate tile: its cost to the goal.
    costs: Vec<Cost>,
    /// The gates around the goal with the cost from them to it.
    last: Vec<(usize, Cost)>,
    /// Runs of gate tiles by zone, those with the least cost behind them first.
    runs: ZoneLists<Run>,
    tiles: Vec<(Cost, Tile)>,
}

impl GateTileScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.costs.capacity() * size_of::<Cost>()
            + self.last.capacity() * size_of::<(usize, Cost)>()
            + self.runs.bytes()
            + self.tiles.capacity() * size_of::<(Cost, Tile)>()
    }
}

#[derive(Clone, Copy, Debug)]
struct Run {
    least: Cost,
    low: Tile,
    high: Tile,
    first: u32,
    last: u32,
}

impl Run {
    /// Appends tiles with their costs to `tiles`; the run that they make, if there are any.
    fn of(open: impl Iterator<Item = (Cost, Tile)>, tiles: &mut Vec<(Cost, Tile)>) -> Option<Run> {
        let first = tiles.len() as u32;
        let (low, high) = (Tile::new(u16::MAX, u16::MAX), Tile::new(0, 0));
        let mut run = Run { least: INFINITY, low, high, first, last: first };
        for (cost, tile) in open {
            tiles.push((cost, tile));
            run.least = run.least.min(cost);
            run.low = Tile::new(run.low.x.min(tile.x), run.low.y.min(tile.y));
            run.high = Tile::new(run.high.x.max(tile.x), run.high.y.max(tile.y));
            run.last += 1;
        }
        (run.last > run.first).then_some(run)
    }
}

/// The estimate towards one goal.
#[derive(Debug)]
pub struct GateTileEstimate<'a> {
    grid: &'a Grid,
    decomposition: &'a Decomposition,
    tables: &'a GateTileDistances,
    octile: Octile<'a>,
    goal: Place,
    scratch: &'a mut GateTileScratch,
}

impl<'a> GateTileEstimate<'a> {
    /// The estimate towards `goal`.
    pub fn new(
        grid: &'a Grid,
        decomposition: &'a Decomposition,
        tables: &'a GateTileDistances,
        goal: CellId,
        scratch: &'a mut GateTileScratch,
    ) -> GateTileEstimate<'a> {
        let (tile, place) = (grid.tile(goal), decomposition.place(goal));
        let last = &mut scratch.last;
        last.clear();
        match place {
            Place::Wall => {}
            Place::Gate(gate) => last.push((gate.index(), Cost::ZERO)),
            Place::Zone(zone) => {
                let gates = decomposition.zones()[zone.index()].gates().iter();
                let cost = |gate: usize| tables.shapes().distance(gate, tile, grid.movement());
                last.extend(gates.map(|g| (g.index(), cost(g.index()))));
            }
        }
        let to_goal = |tile: usize| {
            let row = tables.row(tile);
            last.iter().fold(INFINITY, |best, &(gate, last)| best.min(row[gate] + last))
        };
        scratch.costs.clear();
        scratch.costs.extend((0..tables.tiles()).map(to_goal));
        scratch.runs.clear(decomposition.zones().len());
        scratch.tiles.clear();
        let octile = Octile::new(grid, tile);
        GateTileEstimate { grid, decomposition, tables, octile, goal: place, scratch }
    }

    fn over_gates(&mut self, zone: ZoneId, tile: Tile) -> Cost {
        let range = match self.scratch.runs.range(zone.index()) {
            Some(range) => range,
            None => self.prepare(zone),
        };
        let movement = self.grid.movement();
        let mut best = INFINITY;
        for run in self.scratch.runs.entries(range) {
            if run.least >= best {
                break;
            }
            let nearest =
                Tile::new(tile.x.clamp(run.low.x, run.high.x), tile.y.clamp(run.low.y, run.high.y));
            if run.least + movement.estimate(tile, nearest) < best {
                for &(behind, at) in &self.scratch.tiles[run.first as usize..run.last as usize] {
                    best = best.min(behind + movement.estimate(tile, at));
                }
            }
        }
        best
    }

    fn prepare(&mut self, zone: ZoneId) -> (u32, u32) {
        let GateTileScratch { costs, runs, tiles, .. } = &mut *self.scratch;
        let gates = self.decomposition.zones()[zone.index()].gates().iter();
        let chunks = gates.flat_map(|gate| {
            let costs = &costs[self.tables.of_gate(gate.index())];
            let cells = self.decomposition.gates()[gate.index()].tiles();
            costs.chunks(RUN).zip(cells.chunks(RUN))
        });
        let made = chunks.filter_map(|(costs, cells)| {
            let at = cells.iter().map(|&cell| self.grid.tile(cell));
            let open = costs.iter().copied().zip(at).filter(|&(cost, _)| cost < INFINITY);
            Run::of(open, tiles)
        });
        runs.list(zone.index(), made, |run| (run.least, run.first))
    }
}

impl Heuristic<Cost> for GateTileEstimate<'_> {
    #[inline]
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let cell = CellId::from_index(node as usize);
        let tile = self.grid.tile(cell);
        let octile = self.octile.from(tile);
        let place = self.decomposition.place(cell);
        let through = match place {
            Place::Wall => return None,
            Place::Zone(_) if place == self.goal => return Some(octile),
            Place::Gate(_) => {
                self.tables.number(cell).map_or(Cost::ZERO, |n| self.scratch.costs[n])
            }
            Place::Zone(zone) => self.over_gates(zone, tile),
        };
        (through < INFINITY).then_some(through.max(octile))
    }
}
