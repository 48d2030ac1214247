//! What people ask besides a path: which of many, what lies within reach. Each is the one
//! loop with another goal or observer.

use std::ops::ControlFlow;

use super::{Index, QueryError, Scratch};
use crate::cost::Cost;
use crate::grid::{Blocked, CellId, Grid, Tile};
use crate::path::Path;
use crate::search::{Blind, BlockedSpace, End, GridSpace, Heuristic, Observer, Stats, search};

/// Stops a search at the first node that costs more than this.
struct Within(Cost);

impl Observer<Cost> for Within {
    fn expand(&mut self, _: u32, g: Cost, _: Cost) -> ControlFlow<()> {
        if g > self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The least cost to any tile of a rectangle on an empty map, less a given range.
struct ToBox<'g> {
    grid: &'g Grid,
    low: Tile,
    high: Tile,
    range: Cost,
}

impl Heuristic<Cost> for ToBox<'_> {
    fn estimate(&mut self, node: u32) -> Option<Cost> {
        let tile = self.grid.tile(CellId::from_index(node as usize));
        let x = tile.x.clamp(self.low.x, self.high.x);
        let y = tile.y.clamp(self.low.y, self.high.y);
        Some(self.grid.movement().estimate(tile, Tile::new(x, y)).saturating_sub(self.range))
    }
}

impl Index {
    /// How far it is from one tile to each of many, by a single search that ends with
    /// the last goal.
    pub(crate) fn flooded_distances(
        &self,
        start: Tile,
        goals: &[Tile],
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
    ) -> Result<Vec<Option<Cost>>, QueryError> {
        let from = self.end("start", start, None)?;
        let cells = self.ends(start, goals, blocked)?;
        let mut waiting: Vec<u32> = cells
            .iter()
            .filter(|&&cell| self.components().connected(from, cell))
            .map(|cell| cell.index() as u32)
            .collect();
        waiting.sort_unstable();
        waiting.dedup();
        let mut left = waiting.len();
        if left > 0 {
            let is_last = |node| {
                left -= usize::from(waiting.binary_search(&node).is_ok());
                left == 0
            };
            self.flood(from, blocked, is_last, &mut Blind, scratch, &mut ())?;
        }
        let known = |cell: &CellId| {
            let node = cell.index() as u32;
            let here =
                waiting.binary_search(&node).is_ok() && scratch.last_tiles().is_expanded(node);
            scratch.last_tiles().cost(node).filter(|_| here)
        };
        Ok(cells.iter().map(known).collect())
    }

    /// The nearest of many goals by a single search.
    pub(crate) fn nearest_by_search(
        &self,
        start: Tile,
        goals: &[Tile],
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Option<(usize, Cost)>, QueryError> {
        path.clear();
        let from = self.end("start", start, None)?;
        let cells = self.ends(start, goals, blocked)?;
        let mut wanted: Vec<(u32, usize)> =
            cells.iter().enumerate().map(|(i, cell)| (cell.index() as u32, i)).collect();
        wanted.retain(|&(_, i)| self.components().connected(from, cells[i]));
        wanted.sort_unstable();
        wanted.dedup_by_key(|&mut (node, _)| node);
        let Some(&(_, one)) = wanted.first() else { return Ok(None) };
        let mut to_box =
            ToBox { grid: self.grid(), low: goals[one], high: goals[one], range: Cost::ZERO };
        for &(_, i) in &wanted {
            let (low, high, tile) = (to_box.low, to_box.high, goals[i]);
            to_box.low = Tile::new(low.x.min(tile.x), low.y.min(tile.y));
            to_box.high = Tile::new(high.x.max(tile.x), high.y.max(tile.y));
        }
        let position = |node| wanted.binary_search_by_key(&node, |&(n, _)| n).ok();
        // Equals are popped in any order: go on while goals at the same cost remain.
        let mut best: Option<(Cost, usize, u32)> = None;
        let mut tie = FirstOfEquals { position, wanted: &wanted, best: &mut best };
        self.flood(from, blocked, |_| false, &mut to_box, scratch, &mut tie)?;
        let Some((cost, position, node)) = best else { return Ok(None) };
        self.write_path(node, scratch, path);
        Ok(Some((position, cost)))
    }

    /// Every tile that costs at most `range` to reach, with its cost, in row order.
    pub fn within(
        &self,
        start: Tile,
        range: Cost,
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
    ) -> Result<Vec<(Tile, Cost)>, QueryError> {
        let from = self.end("start", start, None)?;
        // A way beyond the range may be too far to count; that is no matter here.
        match self.flood(from, blocked, |_| false, &mut Blind, scratch, &mut Within(range)) {
            Ok(_) | Err(QueryError::TooFar) => {}
            Err(error) => return Err(error),
        }
        let tiles = scratch.last_tiles();
        let cost = |cell: CellId| tiles.cost(cell.index() as u32).filter(|&cost| cost <= range);
        let reached = |cell: CellId| cost(cell).map(|cost| (self.grid().tile(cell), cost));
        Ok(self.grid().free_cells().filter_map(reached).collect())
    }

    /// The shortest way to any tile from which `target` is at most `range` away as the
    /// crow flies (octile): how near a unit must come to shoot, talk or build. The target
    /// itself may be a wall. `None` if no such tile can be reached.
    pub fn approach(
        &self,
        start: Tile,
        target: Tile,
        range: Cost,
        blocked: Option<&Blocked>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Option<Cost>, QueryError> {
        path.clear();
        let from = self.end("start", start, None)?;
        let mut estimate = ToBox { grid: self.grid(), low: target, high: target, range };
        let movement = self.grid().movement();
        let near = |node| {
            let tile = self.grid().tile(CellId::from_index(node as usize));
            movement.estimate(tile, target) <= range
        };
        match self.flood(from, blocked, near, &mut estimate, scratch, &mut ())?.0 {
            End::Goal(node, cost) => {
                self.write_path(node, scratch, path);
                Ok(Some(cost))
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn ends(
        &self,
        start: Tile,
        goals: &[Tile],
        blocked: Option<&Blocked>,
    ) -> Result<Vec<CellId>, QueryError> {
        let cell = |&goal: &Tile| self.end("goal", goal, blocked.filter(|_| goal != start));
        goals.iter().map(cell).collect()
    }

    pub(super) fn flood(
        &self,
        from: CellId,
        blocked: Option<&Blocked>,
        is_goal: impl FnMut(u32) -> bool,
        heuristic: &mut impl Heuristic<Cost>,
        scratch: &mut Scratch,
        observer: &mut impl Observer<Cost>,
    ) -> Result<(End<Cost>, Stats), QueryError> {
        let (sources, tiles) = ([(from.index() as u32, Cost::ZERO)], scratch.tiles());
        let (end, stats) = match blocked.filter(|blocked| !blocked.is_empty()) {
            None => {
                let space = GridSpace::new(self.grid());
                search(&space, &sources, is_goal, heuristic, tiles, observer)
            }
            Some(blocked) => {
                let space = BlockedSpace::new(self.grid(), blocked);
                search(&space, &sources, is_goal, heuristic, tiles, observer)
            }
        };
        if end == End::TooFar { Err(QueryError::TooFar) } else { Ok((end, stats)) }
    }

    fn write_path(&self, node: u32, scratch: &Scratch, path: &mut Path) {
        for node in scratch.last_tiles().way_back(node) {
            path.push(self.grid().tile(CellId::from_index(node as usize)));
        }
        path.reverse();
    }
}

/// Remembers the first in the list of the goals that cost least, and stops the search
/// once everything left costs more.
struct FirstOfEquals<'a, P> {
    position: P,
    wanted: &'a [(u32, usize)],
    best: &'a mut Option<(Cost, usize, u32)>,
}

impl<P: Fn(u32) -> Option<usize>> Observer<Cost> for FirstOfEquals<'_, P> {
    fn expand(&mut self, node: u32, g: Cost, h: Cost) -> ControlFlow<()> {
        if self.best.is_some_and(|(cost, ..)| g + h > cost) {
            return ControlFlow::Break(());
        }
        if let Some(at) = (self.position)(node) {
            let found = (g, self.wanted[at].1, node);
            *self.best = Some(self.best.map_or(found, |old| old.min(found)));
        }
        ControlFlow::Continue(())
    }
}
