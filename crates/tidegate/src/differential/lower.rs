//! Landmarks after the map has changed. Their distances need not be those of the map: every
//! estimate is sound as long as along a legal step no entry changes by more than the step
//! costs. Tiles that became wall or dearer leave that as it is. Where a tile has become free
//! or cheaper, entries around it are lowered until it holds again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Landmarks;
use crate::cost::{Cost, INFINITY};
use crate::grid::{CellId, Grid, Tile};

impl Landmarks {
    /// Lowers entries after tiles were opened or became cheaper: `opened` are the former,
    /// `eased` all of them. Says whether costs can count the entries that came of it.
    pub(super) fn lower(&mut self, grid: &Grid, opened: &[Tile], eased: &[Tile]) -> bool {
        for cell in opened.iter().filter_map(|&tile| grid.cell(tile)) {
            self.distances[cell.index() * self.count..][..self.count].fill(INFINITY);
        }
        // Steps that are new or cheaper begin or end beside an eased tile.
        let beside = |tile: Tile| {
            let (x, y) = (i32::from(tile.x), i32::from(tile.y));
            (-1..=1).flat_map(move |dy| (-1..=1).map(move |dx| (x + dx, y + dy)))
        };
        let around = eased.iter().flat_map(|&tile| beside(tile));
        let around = around.filter(|&(x, y)| grid.is_free_at(x, y));
        let mut around: Vec<CellId> =
            around.filter_map(|(x, y)| grid.cell(Tile::new(x as u16, y as u16))).collect();
        around.sort_unstable();
        around.dedup();
        (0..self.count).all(|landmark| self.lower_one(grid, landmark, &around))
    }

    fn lower_one(&mut self, grid: &Grid, landmark: usize, around: &[CellId]) -> bool {
        let count = self.count;
        let at = |cell: CellId| cell.index() * count + landmark;
        let mut open: BinaryHeap<Reverse<(Cost, CellId)>> = BinaryHeap::new();
        let mut next = around.iter();
        loop {
            let known = next.by_ref().map(|&cell| (self.distances[at(cell)], cell));
            open.extend(known.filter(|&(cost, _)| cost < INFINITY).map(Reverse));
            while let Some(Reverse((cost, cell))) = open.pop() {
                if cost > self.distances[at(cell)] {
                    continue;
                }
                for (next, direction) in grid.neighbours(cell) {
                    let through = cost.saturating_add(grid.step_cost(cell, next, direction));
                    if through < self.distances[at(next)] {
                        self.distances[at(next)] = through;
                        open.push(Reverse((through, next)));
                    }
                }
            }
            // Opened tiles that touch nothing known get an entry of their own.
            let Some(&cell) = around.iter().find(|&&c| self.distances[at(c)] >= INFINITY) else {
                return true;
            };
            let reached = |(near, _): (CellId, _)| self.distances[at(near)] < INFINITY;
            if grid.neighbours(cell).any(reached) {
                return false;
            }
            self.distances[at(cell)] = Cost::ZERO;
            open.push(Reverse((Cost::ZERO, cell)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::component::Components;
    use crate::grid::{Direction, Movement};
    use crate::rng::Rng;

    /// No entry leaps, whatever is opened and closed.
    #[test]
    fn no_entry_leaps_after_edits() {
        let mut rng = Rng::new(7);
        for round in 0..60 {
            let movement = Movement::ALL[round % 3];
            let wall = 20 + rng.below(40);
            let mut grid = Grid::from_fn(14, 11, movement, |_, _| rng.below(100) >= wall).unwrap();
            let mut marks = Landmarks::build(&grid, &Components::of(&grid), 3).unwrap();
            for _ in 0..12 {
                let tile = Tile::new(rng.below(14) as u16, rng.below(11) as u16);
                let free = !grid.is_free(tile);
                grid.set_free(tile, free);
                assert!(!free || marks.lower(&grid, &[tile], &[tile]));
                for cell in grid.free_cells() {
                    assert!(marks.of(cell).iter().all(|&d| d < INFINITY), "{grid:?}");
                    for (next, direction) in grid.neighbours(cell) {
                        let step = Direction::cost(direction);
                        let pairs = marks.of(cell).iter().zip(marks.of(next));
                        assert!(pairs.clone().all(|(a, b)| a.abs_diff(*b) <= step), "{grid:?}");
                    }
                }
            }
        }
    }
}
