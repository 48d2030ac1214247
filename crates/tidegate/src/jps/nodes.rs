//! Small numbers for the tiles that can be jump points.
//!
//! They are few, and a search that keeps its records by such a number stays in the
//! processor's cache where one record per tile would not.

use super::View;
use super::lines::Lines;
use crate::grid::turns::Table;
use crate::grid::{CellId, Direction, Grid, Tile};

/// 64 tiles of a row: which can be jump points, and the number of the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Word {
    bits: u64,
    before: u32,
}

/// So many words share a range of numbers.
const BLOCK: usize = 64;
/// So many numbers of a range are left for jump points that changes of the map bring.
const SPARE: u32 = 32;

/// The numbering: in row order within each strip of 64 columns, one strip after the
/// other, so that neighbours on the map are neighbours in memory. Every block of words has
/// a range of numbers with some to spare, so that a change of the map moves the numbers of
/// its own block alone; only when those run out is the whole map numbered again. The order
/// of the numbers is the same either way.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    /// Rows.
    stride: usize,
    words: Vec<Word>,
    /// The first number that is beyond all.
    end: u32,
}

impl Nodes {
    pub(super) fn new(grid: &Grid, rows: &Lines, columns: Option<&Lines>, table: &Table) -> Nodes {
        let stride = grid.height() as usize;
        let words = vec![Word::default(); stride * (grid.width() as usize).div_ceil(64)];
        let mut nodes = Nodes { stride, words, end: 0 };
        for cell in grid.free_cells() {
            nodes.mark(View { grid, blocked: None }, cell, rows, columns, table);
        }
        nodes.number_all();
        nodes
    }

    /// Follows changes of the map; the lines must have done so before.
    pub(super) fn update(
        &mut self,
        view: View<'_>,
        changed: &[Tile],
        rows: &Lines,
        columns: Option<&Lines>,
        table: &Table,
    ) {
        let around = |at: u16| at.saturating_sub(1)..=at.saturating_add(1);
        for tile in changed {
            for y in around(tile.y) {
                for x in around(tile.x) {
                    if let Some(cell) = view.grid.cell(Tile::new(x, y)) {
                        self.mark(view, cell, rows, columns, table);
                    }
                }
            }
        }
        let last = (self.words.len() - 1) / BLOCK;
        for tile in changed {
            // The words of three rows and of up to two strips.
            for x in [tile.x.saturating_sub(1), tile.x.saturating_add(1)] {
                let word = usize::from(x) / 64 * self.stride + usize::from(tile.y);
                let mut blocks = word.saturating_sub(1) / BLOCK..=last.min((word + 1) / BLOCK);
                if !blocks.all(|block| self.number(block)) {
                    return self.number_all();
                }
            }
        }
    }

    /// The first number that no tile has.
    pub(super) fn end(&self) -> u32 {
        self.end
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
        view: View<'_>,
        cell: CellId,
        rows: &Lines,
        columns: Option<&Lines>,
        table: &Table,
    ) {
        let tile = view.grid.tile(cell);
        let (x, y) = (usize::from(tile.x), usize::from(tile.y));
        let moves = usize::from(view.moves(cell));
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

    /// Numbers the words of a block from its first number on; `false` if there are not
    /// enough numbers before the next block.
    fn number(&mut self, block: usize) -> bool {
        let end = self.words.get((block + 1) * BLOCK).map_or(self.end, |word| word.before);
        let words = self.words[block * BLOCK..].iter_mut().take(BLOCK);
        let mut next = None;
        for word in words {
            let first = *next.get_or_insert(word.before);
            word.before = first;
            next = Some(first + word.bits.count_ones());
        }
        next.is_none_or(|next| next <= end)
    }

    fn number_all(&mut self) {
        let mut next = 0;
        for block in self.words.chunks_mut(BLOCK) {
            for word in block {
                word.before = next;
                next += word.bits.count_ones();
            }
            next += SPARE;
        }
        self.end = next;
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{Grid, Movement, Tile};
    use crate::jps::JpsMap;
    use crate::rng::Rng;

    /// Updated bits are those of a new map, and jump points have different numbers in the
    /// same order, also where a block runs out of them.
    #[test]
    fn updates_give_the_bits_of_a_new_map_and_numbers_in_its_order() {
        let mut ran_out = 0;
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let (width, height) = (1 + rng.below(200) as u32, 1 + rng.below(150) as u32);
            let movement = Movement::ALL[seed as usize % 3];
            let mut grid = Grid::from_fn(width, height, movement, |_, _| true).unwrap();
            let mut map = JpsMap::new(&grid).unwrap();
            let first_end = map.nodes.end();
            for _ in 0..30 {
                let mut changed = Vec::new();
                for _ in 0..rng.below(60) {
                    let x = rng.below(width as usize + 1) as u16;
                    let tile = Tile::new(x, rng.below(height as usize) as u16);
                    grid.set_free(tile, !rng.chance(60));
                    changed.push(tile);
                }
                map.update(&grid, &changed);
                let fresh = JpsMap::new(&grid).unwrap();
                assert!(map.rows == fresh.rows && map.columns == fresh.columns, "seed {seed}");
                let bits = |map: &JpsMap| -> Vec<u64> {
                    map.nodes.words.iter().map(|word| word.bits).collect()
                };
                assert_eq!(bits(&map), bits(&fresh), "seed {seed}");
                let mut next = 0;
                for word in &map.nodes.words {
                    assert!(word.before >= next, "seed {seed}");
                    next = word.before + word.bits.count_ones();
                }
                assert!(next <= map.nodes.end());
            }
            ran_out += usize::from(map.nodes.end() > first_end);
        }
        assert!(ran_out > 20, "{ran_out}");
    }
}
