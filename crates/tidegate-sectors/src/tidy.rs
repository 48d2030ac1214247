//! Takes the knots out of a path that was led through sub-goals: never longer after.
//!
//! Where a path comes back beside a tile that it has left, the step between the two
//! replaces all that lies between. So the way into a blind alley to a sub-goal and back
//! is gone, and so is a path that crosses itself.

use tidegate::cost::Cost;
use tidegate::grid::{Blocked, CellId, Direction, Grid};
use tidegate::path::Path;

/// The memory of tidying.
#[derive(Clone, Debug, Default)]
pub(super) struct Tidy {
    /// By cell: one more than the last place of the path there, 0 where it never is.
    /// All zero between two paths.
    last: Vec<u32>,
    cells: Vec<CellId>,
    /// By place: the cost from the start.
    costs: Vec<u64>,
}

impl Tidy {
    pub(super) fn bytes(&self) -> usize {
        (self.last.capacity() + self.cells.capacity() + 2 * self.costs.capacity()) * 4
    }

    /// Shortens a legal path in place, by steps that touch no blocked tile, and returns its
    /// cost; `None` if the path is not legal, which then stays as it is.
    pub(super) fn shorten(
        &mut self,
        grid: &Grid,
        blocked: Option<&Blocked>,
        path: &mut Path,
    ) -> Option<Cost> {
        self.read(grid, path)?;
        path.clear();
        let (mut at, mut sum) = (0, 0);
        path.push(grid.tile(self.cells[0]));
        while at + 1 < self.cells.len() {
            let here = self.cells[at];
            let (mut next, mut saved) = (at + 1, 0);
            let mut step = self.costs[next] - self.costs[at];
            let moves = grid.moves(here);
            let moves = blocked.map_or(moves, |b| b.moves(grid, grid.tile(here), moves));
            let open = |&(_, direction): &(CellId, Direction)| moves & direction.mask() != 0;
            for (beside, direction) in grid.neighbours(here).filter(open) {
                let place = self.last[beside.index()] as usize;
                let cost = u64::from(grid.step_cost(here, beside, direction));
                // Ahead, and cheaper to step to than to walk to.
                if place > at + 2 && self.costs[place - 1] - self.costs[at] > cost + saved {
                    saved = self.costs[place - 1] - self.costs[at] - cost;
                    (next, step) = (place - 1, cost);
                }
            }
            // The same tile again: nothing to walk at all.
            let again = self.last[here.index()] as usize - 1;
            if again > at && self.costs[again] - self.costs[at] >= saved {
                at = again;
                continue;
            }
            sum += step;
            at = next;
            path.push(grid.tile(self.cells[at]));
        }
        self.cells.iter().for_each(|cell| self.last[cell.index()] = 0);
        Cost::try_from(sum).ok()
    }

    /// Writes down cells, costs and last places of a path.
    fn read(&mut self, grid: &Grid, path: &Path) -> Option<()> {
        path.check(grid).ok()?;
        self.cells.clear();
        self.cells.extend(path.tiles().iter().filter_map(|&tile| grid.cell(tile)));
        self.costs.clear();
        self.costs.push(0);
        for pair in self.cells.windows(2) {
            let step = grid.neighbours(pair[0]).find(|&(cell, _)| cell == pair[1])?;
            let sum = self.costs.last()? + u64::from(grid.step_cost(pair[0], pair[1], step.1));
            self.costs.push(sum);
        }
        self.last.resize(self.last.len().max(grid.tiles()), 0);
        for (place, cell) in (1..).zip(&self.cells) {
            self.last[cell.index()] = place;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate::grid::Tile;

    fn tidied(grid: &Grid, tiles: &[(u16, u16)]) -> Vec<Tile> {
        tidied_among(grid, &Blocked::new([]), tiles)
    }

    fn tidied_among(grid: &Grid, blocked: &Blocked, tiles: &[(u16, u16)]) -> Vec<Tile> {
        let mut path = Path::new();
        tiles.iter().for_each(|&(x, y)| path.run_to(Tile::new(x, y)));
        let cost = Tidy::default().shorten(grid, Some(blocked), &mut path).unwrap();
        assert_eq!(path.check(grid), Ok(cost.into()));
        path.tiles().to_vec()
    }

    #[test]
    fn a_blind_alley_and_a_loop_are_cut_off() {
        let grid = Grid::from_rows(&[".......", ".......", "......."]).unwrap();
        let straight: Vec<Tile> = (0..7).map(|x| Tile::new(x, 1)).collect();
        // Along the row, up into a corner and back the same way.
        assert_eq!(tidied(&grid, &[(0, 1), (3, 1), (3, 0), (3, 1), (6, 1)]), straight);
        // Around a block of tiles and over the own way.
        assert_eq!(tidied(&grid, &[(0, 1), (5, 1), (5, 0), (2, 0), (2, 1), (6, 1)]), straight);
    }

    #[test]
    fn no_corner_of_a_blocked_tile_is_cut() {
        let grid = Grid::from_rows(&["...", "...", "..."]).unwrap();
        let around = [(0, 1), (0, 0), (1, 0)];
        assert_eq!(tidied(&grid, &around).len(), 2);
        let blocked = Blocked::new([Tile::new(1, 1)]);
        assert_eq!(tidied_among(&grid, &blocked, &around).len(), 3);
    }

    #[test]
    fn steps_through_rough_ground_are_no_short_cuts() {
        use tidegate::cost::Factor;
        let grid = Grid::from_rows(&["...", "...", "..."]).unwrap();
        let rough = Factor::from_hundredths(2_000).unwrap();
        let mut factors = vec![Factor::ONE; 9];
        factors[4] = rough;
        let grid = grid.with_factors(factors);
        let around = [(0, 1), (0, 0), (2, 0), (2, 1)];
        // Nothing lies beside the way but the rough middle: it stays, corners apart.
        assert!(tidied(&grid, &around).iter().all(|&t| t != Tile::new(1, 1)));
    }
}
