//! Low resolution: the water rises on a smaller map, and its lakes are carried over.
//!
//! A tile of the small map stands for K x K tiles and is free if all of them are. Walls
//! are still counted in tiles of the full map, so that the same places are found. On the full map the tiles of free blocks take over the lakes; what lies
//! between blocks and walls, narrow passages above all, is flooded from there at full
//! resolution. Everything after the water (clusters, straight gates, cleaning, zones) is
//! done on the full map, so gates sit on real walls and keep every property.

use fixedbitset::FixedBitSet;

use super::water::{DRY, Water};
use crate::depth::DepthMap;
use crate::grid::{CellId, Grid};

/// Depth and water of a map, found at `k` times lower resolution.
pub(super) fn rise(grid: &Grid, k: u32) -> (DepthMap, Water) {
    let (width, height) = (grid.width(), grid.height());
    let k = k.clamp(1, width.max(height));
    let (small, free) = shrink(grid, k);
    let small_depth = DepthMap::of_blocks(&small, k, &free);
    let small_water = Water::rise(&small, &small_depth);
    let shift = k.ilog2() as u8;
    let mut levels = vec![0u8; grid.tiles()];
    let mut nearest = vec![0u16; grid.tiles()];
    let mut labels = vec![DRY; grid.tiles()];
    let mut gates = FixedBitSet::with_capacity(grid.tiles());
    for y in 0..height {
        for x in 0..width {
            let cell = (y * width + x) as usize;
            let block = CellId::from_index(((y / k) * small.width() + x / k) as usize);
            if let Some(lake) = small_water.lake(block) {
                labels[cell] = lake;
                levels[cell] = small_depth.level(block) + shift;
                nearest[cell] = small_depth.nearest_wall(block).saturating_mul(k as u16);
                // The line between two blocks, on the side of the gate block.
                let gate = small_water.gate_tiles().contains(block.index());
                let inner = x % k != 0 && y % k != 0 && (x + 1) % k != 0 && (y + 1) % k != 0;
                if gate && !inner {
                    gates.insert(cell);
                }
            } else if grid.free_bits().contains(cell) {
                levels[cell] = 1;
                nearest[cell] = 5;
            }
        }
    }
    // Of the gate blocks' rims only what faces another lake stays.
    let rim: Vec<usize> = gates.ones().collect();
    for cell in rim {
        let (x, y) = (cell as u32 % width, cell as u32 / width);
        let other = |dx: i32, dy: i32| {
            let (nx, ny) = (x as i32 + dx, y as i32 + dy);
            grid.is_free_at(nx, ny) && {
                let label = labels[(ny as u32 * width + nx as u32) as usize];
                label != DRY && label != labels[cell]
            }
        };
        if !(other(1, 0) || other(-1, 0) || other(0, 1) || other(0, -1)) {
            gates.set(cell, false);
        }
    }
    let depth = DepthMap::from_levels(nearest, levels);
    let water = Water::rise_on(grid, &depth, labels, small_water.lakes(), gates);
    (depth, water)
}

/// The map `k` times smaller: a tile is free if all the tiles it stands for are. And how
/// many free tiles each stands for; outside the map there are none.
fn shrink(grid: &Grid, k: u32) -> (Grid, Vec<u32>) {
    let (width, height) = (grid.width().div_ceil(k), grid.height().div_ceil(k));
    let mut free = vec![0u32; width as usize * height as usize];
    for cell in grid.free_cells() {
        let (x, y) = (cell.index() as u32 % grid.width(), cell.index() as u32 / grid.width());
        free[((y / k) * width + x / k) as usize] += 1;
    }
    let whole = |x: u32, y: u32| {
        let (wide, high) = (k.min(grid.width() - x * k), k.min(grid.height() - y * k));
        free[(y * width + x) as usize] == wide * high
    };
    let small = Grid::from_fn(width, height, grid.movement(), whole);
    (small.expect("smaller than a map that exists"), free)
}
