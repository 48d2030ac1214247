//! Which tiles can reach each other at all: an unreachable goal is answered at once.

use super::{CellId, Grid};

/// The connected components of a grid under its rule of movement. Legal steps can be
/// walked both ways, so two free tiles reach each other exactly if their numbers agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Component of each tile; [`Components::WALL`] on walls.
    of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Components {
    const WALL: u32 = u32::MAX;

    /// Floods every component of the grid, in row order of their first tiles.
    pub fn of(grid: &Grid) -> Components {
        let mut of = vec![Components::WALL; grid.tiles()];
        let mut sizes = Vec::new();
        let mut stack = Vec::new();
        for first in grid.free_cells() {
            if of[first.index()] != Components::WALL {
                continue;
            }
            let number = sizes.len() as u32;
            let mut size = 0;
            of[first.index()] = number;
            stack.push(first);
            while let Some(cell) = stack.pop() {
                size += 1;
                for (next, _) in grid.neighbours(cell) {
                    if of[next.index()] == Components::WALL {
                        of[next.index()] = number;
                        stack.push(next);
                    }
                }
            }
            sizes.push(size);
        }
        Components { of, sizes }
    }

    /// Whether a path leads from one tile to the other.
    ///
    /// ```
    /// use tidegate::{grid::component::Components, Grid, Tile};
    /// let grid = Grid::from_rows(&["..#.", "..#."]).unwrap();
    /// let components = Components::of(&grid);
    /// let cell = |x, y| grid.cell(Tile::new(x, y)).unwrap();
    /// assert!(components.connected(cell(0, 0), cell(1, 1)));
    /// assert!(!components.connected(cell(0, 0), cell(3, 0)));
    /// ```
    #[inline]
    pub fn connected(&self, a: CellId, b: CellId) -> bool {
        let number = self.of[a.index()];
        number == self.of[b.index()] && number != Components::WALL
    }

    /// The component of a tile; `None` on walls.
    #[inline]
    pub fn number(&self, cell: CellId) -> Option<u32> {
        Some(self.of[cell.index()]).filter(|&n| n != Components::WALL)
    }

    /// Tiles in each component.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        (self.of.len() + self.sizes.len()) * 4
    }
}
