//! The map as a field sees it: legal steps and cost factors of every tile, with what is
//! blocked and what a layer adds. Copied, so that a field needs no map to be read.

use crate::cost::{Cost, Factor, INFINITY};
use crate::grid::{Bits, Blocked, CellId, CostLayer, Direction, Grid, Movement, Tile};

/// The legal steps of a map for one field.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    pub(super) width: u32,
    pub(super) movement: Movement,
    /// Legal steps by tile. A blocked tile has those that leave it; none enters it.
    pub(super) moves: Vec<u8>,
    /// Cost factors by tile; empty where the ground is uniform.
    pub(super) factors: Vec<Factor>,
    /// By tile, where there are factors: whether it and all around it have the same.
    pub(super) even: Vec<bool>,
    /// For one row: whether the tiles above and below have the same factor.
    columns: Vec<bool>,
    /// Free tiles that are blocked.
    pub(super) blocked: Vec<u32>,
}

impl Steps {
    /// No tiles; the memory is kept.
    pub(super) fn clear(&mut self) {
        self.width = 0;
        self.moves.clear();
        self.factors.clear();
        self.even.clear();
        self.blocked.clear();
    }

    /// Those of a grid, around what is blocked, at the costs that a layer of its size makes.
    pub(super) fn set(
        &mut self,
        grid: &Grid,
        blocked: Option<&Blocked>,
        costs: Option<&CostLayer>,
    ) {
        self.clear();
        (self.width, self.movement) = (grid.width(), grid.movement());
        self.moves.extend_from_slice(grid.all_moves());
        if let Some(blocked) = blocked.filter(|blocked| !blocked.is_empty()) {
            self.block(grid, blocked);
        }
        let costs = costs.filter(|costs| !costs.is_empty());
        match grid.factors() {
            Some(factors) => self.factors.extend_from_slice(factors),
            None if costs.is_none() => return,
            None => self.factors.resize(grid.tiles(), Factor::ONE),
        }
        let width = grid.width() as usize;
        for row in costs.map_or(0..0, CostLayer::rows) {
            let (first, columns) = (row as usize * width, costs.map_or(0..0, |c| c.columns(row)));
            let touched = first + columns.start as usize..first + columns.end as usize;
            let added = costs.map_or(&[][..], |costs| &costs.added()[touched.clone()]);
            for (factor, &extra) in self.factors[touched].iter_mut().zip(added) {
                *factor = factor.plus(extra);
            }
        }
        self.even.resize(grid.tiles(), true);
        let rows = match (grid.factors(), costs) {
            (None, Some(costs)) => {
                let rows = costs.rows();
                rows.start.saturating_sub(1)..(rows.end + 1).min(grid.height())
            }
            _ => 0..grid.height(),
        };
        rows.for_each(|row| self.compare_row(row as usize, grid.height() as usize));
    }

    /// Takes the steps away that touch a blocked tile, but for those that leave one.
    fn block(&mut self, grid: &Grid, blocked: &Blocked) {
        let free = |cell: &CellId| grid.is_free_cell(*cell);
        for tile in blocked.iter() {
            let Some(cell) = grid.cell(tile).filter(free) else { continue };
            self.blocked.push(cell.index() as u32);
            // A step that touches it begins at most one tile away.
            let (x, y) = (tile.x, tile.y);
            let rows = y.saturating_sub(1)..=y.saturating_add(1);
            let columns = x.saturating_sub(1)..=x.saturating_add(1);
            for tile in rows.flat_map(|y| columns.clone().map(move |x| Tile::new(x, y))) {
                if let Some(cell) = grid.cell(tile).filter(free) {
                    self.moves[cell.index()] = blocked.moves(grid, tile, grid.moves(cell));
                }
            }
        }
    }

    /// Finds out for the tiles of a row whether all around them have the same factor. The
    /// first and the last tile are left uneven.
    fn compare_row(&mut self, row: usize, height: usize) {
        let width = self.width as usize;
        let factors = |row: usize| &self.factors[row * width..][..width];
        let (above, here, below) =
            (factors(row.saturating_sub(1)), factors(row), factors((row + 1).min(height - 1)));
        let columns = above.iter().zip(here).zip(below);
        self.columns.clear();
        self.columns.extend(columns.map(|((a, b), c)| a == b && b == c));
        let even = &mut self.even[row * width..][..width];
        (even[0], even[width - 1]) = (false, false);
        let threes = self.columns.windows(3).zip(here.windows(3));
        for (even, (columns, here)) in even[1..].iter_mut().zip(threes) {
            let alike = (here[0] == here[1]) & (here[1] == here[2]);
            *even = columns[0] & columns[1] & columns[2] & alike;
        }
    }

    /// The number of a tile; `None` outside the map.
    #[inline]
    pub(super) fn cell(&self, tile: Tile) -> Option<usize> {
        let cell = usize::from(tile.y) * self.width as usize + usize::from(tile.x);
        (u32::from(tile.x) < self.width && cell < self.moves.len()).then_some(cell)
    }

    /// The ends of the legal steps from a tile, with direction and cost, in the order of
    /// directions.
    #[inline]
    pub(super) fn from(&self, cell: usize) -> impl Iterator<Item = (usize, Direction, Cost)> + '_ {
        Bits(self.moves[cell]).map(move |bit| {
            let direction = Direction::from_bit(bit);
            let (dx, dy) = direction.delta();
            let next = (cell as i32 + dy * self.width as i32 + dx) as usize;
            let cost = match self.factors.get(cell) {
                None => direction.cost(),
                Some(factor) => factor.step(self.factors[next], direction.cost()),
            };
            (next, direction, cost)
        })
    }

    /// The least cost over any neighbour.
    pub(super) fn least(&self, costs: &[Cost], cell: usize) -> Cost {
        let over = self.from(cell).map(|(next, _, step)| costs[next] + step);
        over.min().unwrap_or(INFINITY).min(INFINITY)
    }

    /// The first direction in which a cheapest way begins.
    #[inline]
    pub(super) fn next(&self, costs: &[Cost], cell: usize) -> Option<Direction> {
        let cost = costs[cell];
        if cost == Cost::ZERO || cost >= INFINITY {
            return None;
        }
        let mut steps = self.from(cell);
        steps.find(|&(next, _, step)| costs[next] + step == cost).map(|(_, direction, _)| direction)
    }

    /// Whether a tile without a cost lies beside one that has one.
    pub(super) fn leads_on(&self, costs: &[Cost]) -> bool {
        let without = (0..costs.len()).filter(|&cell| costs[cell] >= INFINITY);
        without.into_iter().any(|cell| self.from(cell).any(|(next, ..)| costs[next] < INFINITY))
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.moves.capacity()
            + self.factors.capacity() * size_of::<Factor>()
            + self.even.capacity()
            + self.columns.capacity()
            + self.blocked.capacity() * size_of::<u32>()
    }
}
