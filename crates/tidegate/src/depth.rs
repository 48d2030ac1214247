//! How deep every tile lies: far from walls is deep, and the scale is a logarithm.
//!
//! A [`DepthMap`] holds the two structures of the decomposition papers: the level of a
//! tile, and the tiles of a level in row order. Walls have level 0, free tiles 3 or more.
//!
//! Distances are counted in fifths of a tile: an offset (dx, dy) has the index
//! `5·max + 2·min` of its two absolute values (5 a straight step, 7 a diagonal one).
//! Outside the map is wall. For a tile, `k1` is the index of its nearest wall,
//! `T = trunc((D − k1) / 28) + 1` the number of walls to be met, with `D` half the mean
//! side of the map, `k2` the least index within which `T` walls lie, and the level is
//! `floor(log2 k2) + 1`. Counting several walls instead of one keeps single wall tiles
//! and wavy walls from making shallow spots; the logarithm makes steps wider the
//! deeper the ground is.
//!
//! **Fast and exact.** Only discs of radius `2^j − 1` can change a level. A two-pass
//! distance transform gives `k1`; walls in a disc are bounded from both sides by a few
//! rectangles of a summed-area table, a row of tiles at a time, and only where the bounds
//! disagree counted row by row. [`DepthMap::naive`] reads the definition aloud and is the oracle of the tests.

mod disc;

use crate::grid::{CellId, Grid};
use disc::{Disc, FreeCounts, RowDiscs};

/// What is to be measured: a map, or the blocks of a larger one.
struct Blocks<'a> {
    /// A block is free if all its tiles are.
    grid: &'a Grid,
    /// How many tiles a block has along its side; 1 for a map itself.
    side: u32,
    /// How many free tiles each block has; `None` for a map itself.
    free: Option<&'a [u32]>,
}

impl Blocks<'_> {
    /// Tiles in a block.
    fn unit(&self) -> u32 {
        self.side * self.side
    }

    /// Free tiles in a block; none outside the map.
    fn free_at(&self, x: i32, y: i32) -> u32 {
        let (width, height) = (self.grid.width() as i32, self.grid.height() as i32);
        if x < 0 || y < 0 || x >= width || y >= height {
            return 0;
        }
        self.free_in((y * width + x) as usize)
    }

    /// Free tiles in a block by its number.
    #[inline]
    fn free_in(&self, index: usize) -> u32 {
        self.free.map_or_else(|| self.grid.free_bits().contains(index).into(), |free| free[index])
    }

    /// The number of walls that end the search around a tile whose nearest wall has
    /// index `nearest`: counted in tiles of the full map, like the walls. At least 1.
    fn walls_to_meet(&self, nearest: u32) -> u32 {
        let (width, height) = (i64::from(self.grid.width()), i64::from(self.grid.height()));
        // D − k1 in quarters of an index.
        let rest = (5 * (width + height) - 4 * i64::from(nearest)) * i64::from(self.side);
        (rest / 112 + 1).max(1) as u32
    }
}

/// The depth of every tile. See the [module](self).
///
/// ```
/// use tidegate::{Grid, depth::DepthMap};
/// let grid = Grid::from_rows(&[".....", ".....", "....."]).unwrap();
/// let depth = DepthMap::new(&grid);
/// let middle = grid.cell(tidegate::Tile::new(2, 1)).unwrap();
/// assert_eq!(depth.nearest_wall(middle), 10); // two tiles, in fifths
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthMap {
    nearest: Vec<u16>,
    levels: Vec<u8>,
    order: Vec<u32>,
    starts: Vec<u32>,
}

impl DepthMap {
    /// The depth map of a grid, by the fast method.
    pub fn new(grid: &Grid) -> DepthMap {
        DepthMap::fast(&Blocks { grid, side: 1, free: None })
    }

    /// The depth map of a map's blocks of `side` x `side` tiles: `grid` says which blocks
    /// are free altogether, `free` how many free tiles each has. Distances are in blocks
    /// and walls in tiles, so that the same places are found as on the map itself.
    pub(crate) fn of_blocks(grid: &Grid, side: u32, free: &[u32]) -> DepthMap {
        DepthMap::fast(&Blocks { grid, side, free: Some(free) })
    }

    /// The depth map by its definition: every offset by increasing index around every
    /// tile. Slow; there to check the fast method against.
    pub fn naive(grid: &Grid) -> DepthMap {
        DepthMap::slow(&Blocks { grid, side: 1, free: None })
    }

    fn fast(ground: &Blocks<'_>) -> DepthMap {
        let (width, height) = (ground.grid.width(), ground.grid.height());
        let nearest = nearest_walls(ground.grid);
        let discs = Disc::all(width, height);
        let counts = FreeCounts::new(ground);
        // Every index up to the largest, so that the inner loop divides nothing.
        let deepest = greatest(&nearest);
        let to_meet: Vec<u32> = (0..=u32::from(deepest)).map(|k| ground.walls_to_meet(k)).collect();
        let mut levels = vec![0u8; ground.grid.tiles()];
        let mut row_discs = RowDiscs::new(&counts);
        let (mut open, mut wanted): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        // By level: the tiles of a row whose nearest wall is in its disc and no smaller one.
        let mut fresh: Vec<Vec<u32>> = vec![Vec::new(); discs.len()];
        let rows =
            nearest.chunks_exact(width as usize).zip(levels.chunks_exact_mut(width as usize));
        for (y, (nearest, levels)) in rows.enumerate() {
            wanted.clear();
            wanted.extend(nearest.iter().map(|&k1| to_meet[k1 as usize]));
            for (x, &k1) in (0..).zip(nearest).filter(|(_, k1)| **k1 > 0) {
                fresh[k1.ilog2() as usize + 1].push(x);
            }
            for (level, disc) in (0u8..).zip(&discs) {
                // Two ascending lists become one.
                open.append(&mut fresh[usize::from(level)]);
                open.sort();
                let found = |x: u32| levels[x as usize] = level;
                row_discs.take_walled(disc, y, &mut open, &wanted, found);
            }
        }
        DepthMap::from_levels(nearest, levels)
    }

    fn slow(ground: &Blocks<'_>) -> DepthMap {
        let grid = ground.grid;
        let rings = disc::offsets_by_index(grid.width() as i32, grid.height() as i32);
        let mut nearest = vec![0u16; grid.tiles()];
        let mut levels = vec![0u8; grid.tiles()];
        for cell in grid.free_cells() {
            let tile = grid.tile(cell);
            let (mut found, mut wanted) = (0, u32::MAX);
            'search: for (k, ring) in rings.iter().enumerate() {
                for &(dx, dy) in ring {
                    let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
                    let walls = ground.unit() - ground.free_at(x, y);
                    if walls > 0 && found == 0 {
                        nearest[cell.index()] = k as u16;
                        wanted = ground.walls_to_meet(k as u32);
                    }
                    found += walls;
                    if found >= wanted {
                        levels[cell.index()] = (k.ilog2() + 1) as u8;
                        break 'search;
                    }
                }
            }
        }
        DepthMap::from_levels(nearest, levels)
    }

    pub(crate) fn from_levels(nearest: Vec<u16>, levels: Vec<u8>) -> DepthMap {
        let top = levels.iter().copied().max().unwrap_or(0) as usize;
        let mut starts = vec![0u32; top + 2];
        for &level in &levels {
            starts[level as usize + 1] += 1;
        }
        // Walls are in no list.
        starts[1] = 0;
        for level in 1..starts.len() {
            starts[level] += starts[level - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0u32; starts[top + 1] as usize];
        for (i, &level) in levels.iter().enumerate().filter(|(_, level)| **level > 0) {
            let place = &mut next[level as usize];
            order[*place as usize] = i as u32;
            *place += 1;
        }
        DepthMap { nearest, levels, order, starts }
    }

    /// The level of a tile; 0 for walls.
    #[inline]
    pub fn level(&self, cell: CellId) -> u8 {
        self.levels[cell.index()]
    }

    /// The levels of all tiles in row order.
    pub fn levels(&self) -> &[u8] {
        &self.levels
    }

    /// The index (in fifths of a tile) of the nearest wall; 0 for walls.
    #[inline]
    pub fn nearest_wall(&self, cell: CellId) -> u16 {
        self.nearest[cell.index()]
    }

    /// The deepest level; 0 on a map without free tiles.
    pub fn max_level(&self) -> u8 {
        (self.starts.len() - 2) as u8
    }

    /// The tiles of a level in row order.
    pub fn tiles_at(&self, level: u8) -> impl ExactSizeIterator<Item = CellId> + Clone + '_ {
        let bound = |l: usize| self.starts.get(l).map_or(self.order.len(), |&s| s as usize);
        let range = bound(level as usize)..bound(level as usize + 1);
        let range = if level == 0 { 0..0 } else { range };
        self.order[range].iter().map(|&i| CellId::from_index(i as usize))
    }
}

/// The index of the nearest wall of every tile, 0 on walls.
pub fn nearest_walls(grid: &Grid) -> Vec<u16> {
    let (width, words) = (grid.width() as usize, grid.free_bits().as_slice());
    const BITS: usize = usize::BITS as usize;
    distances(grid.width(), grid.height(), |y, row| {
        for (i, cell) in (y * width..).zip(row) {
            let is_free = words[i / BITS] >> (i % BITS) & 1;
            *cell = (is_free as u16).wrapping_neg();
        }
    })
}

/// The distance index from every tile of a rectangle to the nearest one that is not open,
/// outside included. `fill` writes a row: [`u16::MAX`] where it is open, else 0. One pass down
/// and one up, each taking the least over the neighbours already seen. Exact, because the steps
/// of a shortest way can be put in an order that two passes find.
pub(crate) fn distances(width: u32, height: u32, fill: impl Fn(usize, &mut [u16])) -> Vec<u16> {
    let (width, height) = (width as usize, height as usize);
    let mut out = vec![0u16; width * height];
    // The row before, with the wall outside the map at both its ends.
    let mut before = vec![0u16; width + 2];
    for (y, row) in out.chunks_exact_mut(width).enumerate() {
        fill(y, row);
        beyond(row, &before);
        let mut last = 0u16;
        for cell in row.iter_mut() {
            last = last.saturating_add(5).min(*cell);
            *cell = last;
        }
        before[1..=width].copy_from_slice(row);
    }
    before.fill(0);
    for row in out.chunks_exact_mut(width).rev() {
        beyond(row, &before);
        let mut last = 0u16;
        for cell in row.iter_mut().rev() {
            last = last.saturating_add(5).min(*cell);
            *cell = last;
        }
        before[1..=width].copy_from_slice(row);
    }
    out
}

/// Takes the least over the three neighbours in the row before: a loop without branches.
fn beyond(row: &mut [u16], before: &[u16]) {
    let neighbours = before.iter().zip(&before[1..]).zip(&before[2..]);
    for (cell, ((&a, &b), &c)) in row.iter_mut().zip(neighbours) {
        *cell = (*cell).min(a.min(c).saturating_add(7)).min(b.saturating_add(5));
    }
}

/// The greatest of these numbers; 0 if there are none.
pub(crate) fn greatest(values: &[u16]) -> u16 {
    let mut greatest = 0;
    for &value in values {
        greatest = value.max(greatest);
    }
    greatest
}

/// The diameter in tiles of the largest disc around a tile at this distance index from the
/// nearest one that is not part of the ground; at least 1.
pub(crate) fn disc_width(distance: u16) -> f64 {
    (f64::from(distance) * 0.4 - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Movement;
    use crate::rng::Rng;

    fn random(width: u32, height: u32, percent: u32, seed: u64) -> Grid {
        let mut rng = Rng::new(seed);
        Grid::from_fn(width, height, Movement::default(), |_, _| !rng.chance(percent)).unwrap()
    }

    #[test]
    fn fast_equals_naive() {
        for (i, (w, h)) in
            [(1, 1), (1, 40), (40, 1), (3, 3), (64, 48), (97, 31), (200, 8)].into_iter().enumerate()
        {
            for percent in [0, 1, 3, 10, 40, 100] {
                let grid = random(w, h, percent, i as u64);
                assert_eq!(DepthMap::new(&grid), DepthMap::naive(&grid), "{grid:?}");
                // As blocks of a larger map, with walls that blocks hide.
                for side in [2, 4] {
                    let mut rng = Rng::new(i as u64);
                    let blocks = grid.free_bits();
                    let mut some = |free: bool| {
                        if free { side * side } else { rng.below((side * side) as usize) as u32 }
                    };
                    let free: Vec<u32> =
                        (0..grid.tiles()).map(|t| some(blocks.contains(t))).collect();
                    let ground = Blocks { grid: &grid, side, free: Some(&free) };
                    assert_eq!(DepthMap::fast(&ground), DepthMap::slow(&ground), "{grid:?}");
                }
            }
        }
    }

    #[test]
    fn the_two_structures_agree() {
        let grid = random(60, 50, 20, 9);
        let depth = DepthMap::new(&grid);
        let mut seen = 0;
        for level in 0..=depth.max_level() + 1 {
            let tiles: Vec<CellId> = depth.tiles_at(level).collect();
            assert!(tiles.is_sorted());
            assert!(tiles.iter().all(|&t| depth.level(t) == level));
            seen += tiles.len();
        }
        assert_eq!(seen, grid.free_tiles());
    }
}
