//! The nearest tile that can be reached: where to send a unit whose goal is a wall, a
//! pocket or an island.

use super::Components;
use super::chunk::SIDE;
use crate::cost::{Cost, INFINITY};
use crate::grid::{CellId, Grid, Tile};

impl Components {
    /// The tile nearest to `to` that can be reached from `from`: the one with the least
    /// [`Movement::estimate`](crate::Movement::estimate) to `to`, among those the one with
    /// the smallest [`CellId`]. `to` itself if it can be reached; a place outside the map
    /// counts as the tile at its edge. `None` if `from` is a wall or outside.
    ///
    /// This is the measure of [`Query::partial`](crate::Query::partial), except that
    /// nothing is known here of what it costs to get there: among tiles of the same
    /// estimate a query takes the one that costs least from the start.
    ///
    /// It takes microseconds: chunks of 32 x 32 tiles around `to` are looked at in growing
    /// distance, those without a tile of the component at a glance, until no nearer tile
    /// can follow.
    ///
    /// ```
    /// use tidegate::{grid::component::Components, Grid, Tile};
    /// let grid = Grid::from_rows(&["....###", "....#.#", "....###"]).unwrap();
    /// let components = Components::of(&grid);
    /// let nearest = components.nearest_reachable(&grid, Tile::new(0, 0), Tile::new(5, 1));
    /// assert_eq!(nearest, Some(Tile::new(3, 1)));
    /// ```
    ///
    /// # Panics
    /// If the grid has another size than the one the components are of.
    pub fn nearest_reachable(&self, grid: &Grid, from: Tile, to: Tile) -> Option<Tile> {
        let size = (grid.width(), grid.height());
        assert_eq!((self.width, self.height), size, "components of a map of another size");
        let number = self.number(grid.cell(from)?)?;
        let (x, y) = (u32::from(to.x).min(self.width - 1), u32::from(to.y).min(self.height - 1));
        let to = Tile::new(x as u16, y as u16);
        let mut best = Best { grid, to, number, cost: INFINITY, cell: None };
        best.ask(self, x, y);
        if best.cell.is_some() {
            return Some(to);
        }
        let (rows, columns) = (self.chunks.len() as u32 / self.columns, self.columns);
        let (column, row) = (x / SIDE, y / SIDE);
        for ring in 0..=columns.max(rows) {
            // A tile of this ring of chunks or a later one lies at least so far away in a
            // row or column.
            let least = |at: u32| {
                let (before, after) = (at % SIDE + 1, SIDE - at % SIDE);
                before.min(after) + (ring.max(1) - 1) * SIDE
            };
            if ring > 0 && best.is_farther(least(x).min(least(y)), 0) {
                break;
            }
            let on_map = |at: u32, count: u32| {
                [at.checked_sub(ring), Some(at + ring)]
                    .map(|side| side.filter(|&side| side < count))
            };
            let ([left, right], [top, bottom]) = (on_map(column, columns), on_map(row, rows));
            let all = left.unwrap_or(0)..=right.unwrap_or(columns - 1);
            for row in [top, bottom.filter(|_| ring > 0)].into_iter().flatten() {
                all.clone().for_each(|column| best.look(self, row * columns + column));
            }
            let inner = top.map_or(0, |top| top + 1)..bottom.unwrap_or(rows);
            for column in [left, right].into_iter().flatten() {
                inner.clone().for_each(|row| best.look(self, row * columns + column));
            }
        }
        best.cell.map(|cell| grid.tile(cell))
    }
}

/// The best tile so far.
struct Best<'a> {
    grid: &'a Grid,
    to: Tile,
    number: u32,
    cost: Cost,
    cell: Option<CellId>,
}

impl Best<'_> {
    /// Whether a tile at this distance in columns and rows is no match for the best.
    fn is_farther(&self, dx: u32, dy: u32) -> bool {
        let most = u16::MAX.into();
        let far = Tile::new(dx.min(most) as u16, dy.min(most) as u16);
        self.grid.movement().estimate(far, Tile::new(0, 0)) > self.cost
    }

    /// Looks at a tile; whether it can be reached.
    fn ask(&mut self, components: &Components, x: u32, y: u32) -> bool {
        let cell = CellId::from_index((y * self.grid.width() + x) as usize);
        if components.raw_number(cell) != self.number {
            return false;
        }
        let cost = self.grid.movement().estimate(Tile::new(x as u16, y as u16), self.to);
        if cost < self.cost || cost == self.cost && self.cell.is_none_or(|best| cell < best) {
            (self.cost, self.cell) = (cost, Some(cell));
        }
        true
    }

    /// Looks at the tiles of a chunk, if it has any of the component.
    fn look(&mut self, components: &Components, chunk: u32) {
        let number = |&piece: &u32| components.pieces[piece as usize].component;
        if components.chunks[chunk as usize].pieces.iter().all(|piece| number(piece) != self.number)
        {
            return;
        }
        let (x0, y0, width, height) = components.bounds(chunk);
        let (x, y) = (u32::from(self.to.x), u32::from(self.to.y));
        let middle = x.clamp(x0, x0 + width - 1);
        for row in y0..y0 + height {
            // The nearest tile of a row is the first one on either side.
            for column in (x0..=middle).rev() {
                if self.is_farther(x.abs_diff(column), y.abs_diff(row)) {
                    break;
                }
                if self.ask(components, column, row) {
                    break;
                }
            }
            for column in middle + 1..x0 + width {
                if self.is_farther(x.abs_diff(column), y.abs_diff(row)) {
                    break;
                }
                if self.ask(components, column, row) {
                    break;
                }
            }
        }
    }
}
