//! Small numbers for the tiles that can be jump points.
//!
//! They are few, and a search that keeps its records by such a number stays in the
//! processor's cache where one record per tile would not.

use super::lines::Lines;
use crate::grid::turns::Table;
use crate::grid::{CellId, Direction, Grid, Tile};

/// 64 tiles of a row: which can be jump points, and how many lie in words before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word {
    bits: u64,
    before: u32,
}

/// The numbering: in row order within each strip of 64 columns, one strip after the
/// other, so that neighbours on the map are neighbours in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nodes {
    /// Rows.
    stride: usize,
    words: Vec<Word>,
    count: u32,
}

impl Nodes {
    pub(super) fn new(grid: &Grid, rows: &Lines, columns: Option<&Lines>, table: &Table) -> Nodes {
        let stride = grid.height() as usize;
        let words = vec![Word::default(); stride * (grid.width() as usize).div_ceil(64)];
        let mut nodes = Nodes { stride, words, count: 0 };
        for cell in grid.free_cells() {
            nodes.mark(grid, cell, rows, columns, table);
        }
        nodes.number();
        nodes
    }

    /// Follows a change of one tile; the lines must have done so before.
    pub(super) fn update(
        &mut self,
        grid: &Grid,
        tile: Tile,
        rows: &Lines,
        columns: Option<&Lines>,
        table: &Table,
    ) {
        for y in tile.y.saturating_sub(1)..=tile.y.saturating_add(1) {
            for x in tile.x.saturating_sub(1)..=tile.x.saturating_add(1) {
                if let Some(cell) = grid.cell(Tile::new(x, y)) {
                    self.mark(grid, cell, rows, columns, table);
                }
            }
        }
        self.number();
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The number of a tile that can be a jump point.
    #[inline]
    pub(super) fn rank(&self, x: i32, y: i32) -> u32 {
        let word = &self.words[(x >> 6) as usize * self.stride + y as usize];
        word.before + (word.bits & !(!0 << (x & 63))).count_ones()
    }

    pub(super) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>()
    }

    fn mark(
        &mut self,
        grid: &Grid,
        cell: CellId,
        rows: &Lines,
        columns: Option<&Lines>,
        table: &Table,
    ) {
        let tile = grid.tile(cell);
        let (x, y) = (usize::from(tile.x), usize::from(tile.y));
        let moves = usize::from(grid.moves(cell));
        // A diagonal run stops here to turn by a right angle.
        let corner = || {
            let mut diagonals = Direction::ALL.into_iter().filter(|d| d.is_diagonal());
            diagonals.any(|d| table[d as usize][moves] != 0)
        };
        let stops = rows.is_turn(y, x) || columns.is_some_and(|c| c.is_turn(x, y)) || corner();
        let word = &mut self.words[x / 64 * self.stride + y];
        let bit = 1u64 << (x & 63);
        word.bits = if stops { word.bits | bit } else { word.bits & !bit };
    }

    fn number(&mut self) {
        self.count = 0;
        for word in &mut self.words {
            word.before = self.count;
            self.count += word.bits.count_ones();
        }
    }
}
