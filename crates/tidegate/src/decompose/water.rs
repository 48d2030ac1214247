//! The rising water: lakes form in the deep places, grow, and meet at the gates.
//!
//! Levels are flooded from the deepest to the shallowest. A tile is labelled when the
//! water reaches its level and keeps its label for ever; so the lakes at any moment are
//! the labels of the tiles at or below that level ([`Water::lake_at`]).
//!
//! Within a level the lakes grow breadth-first over the four neighbours, from the tiles
//! beside an existing lake in row order. When nothing can grow, the first dry tile in row
//! order founds a new lake. A tile that finds two different lakes beside it is a gate
//! tile; it joins the first one found (east, west, south, north).

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

use crate::depth::DepthMap;
use crate::grid::{CellId, Direction, Grid};

/// The label of a tile that no water has reached.
pub(super) const DRY: u32 = u32::MAX;

/// Lakes and gate tiles after the water has risen to the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Water {
    labels: Vec<u32>,
    lakes: u32,
    gate_tiles: FixedBitSet,
}

impl Water {
    /// Lets the water rise over a depth map of the grid.
    pub fn rise(grid: &Grid, depth: &DepthMap) -> Water {
        let labels = vec![DRY; grid.tiles()];
        Water::rise_on(grid, depth, labels, 0, FixedBitSet::with_capacity(grid.tiles()))
    }

    /// Lets the water rise where it has not risen yet.
    pub(super) fn rise_on(
        grid: &Grid,
        depth: &DepthMap,
        mut labels: Vec<u32>,
        mut lakes: u32,
        mut gate_tiles: FixedBitSet,
    ) -> Water {
        let mut queued = FixedBitSet::with_capacity(grid.tiles());
        let mut queue: VecDeque<CellId> = VecDeque::new();
        for level in (1..=depth.max_level()).rev() {
            for cell in depth.tiles_at(level) {
                let dry = labels[cell.index()] == DRY;
                if dry && beside(grid, cell).any(|n| labels[n.index()] != DRY) {
                    queued.insert(cell.index());
                    queue.push_back(cell);
                }
            }
            for spring in depth.tiles_at(level) {
                // First let what is there grow, then found a lake where it is still dry.
                grow(grid, depth, level, &mut queue, &mut queued, &mut labels, &mut gate_tiles);
                if labels[spring.index()] != DRY {
                    continue;
                }
                labels[spring.index()] = lakes;
                lakes += 1;
                let dry = |n: &CellId| depth.level(*n) == level && !queued.contains(n.index());
                for next in beside(grid, spring).filter(dry).collect::<Vec<_>>() {
                    if labels[next.index()] == DRY {
                        queued.insert(next.index());
                        queue.push_back(next);
                    }
                }
            }
            grow(grid, depth, level, &mut queue, &mut queued, &mut labels, &mut gate_tiles);
        }
        Water { labels, lakes, gate_tiles }
    }

    /// The lake of a tile once the water stands at `level` (it sinks from
    /// [`DepthMap::max_level`] to 1 as the water rises); `None` while the tile is dry.
    pub fn lake_at(&self, depth: &DepthMap, cell: CellId, level: u8) -> Option<u32> {
        (depth.level(cell) >= level.max(1)).then(|| self.labels[cell.index()])
    }

    /// The lake of a tile at the end; `None` on walls.
    pub fn lake(&self, cell: CellId) -> Option<u32> {
        Some(self.labels[cell.index()]).filter(|&label| label != DRY)
    }

    /// How many lakes there are.
    pub fn lakes(&self) -> u32 {
        self.lakes
    }

    /// The tiles where two lakes met.
    pub fn gate_tiles(&self) -> &FixedBitSet {
        &self.gate_tiles
    }
}

fn grow(
    grid: &Grid,
    depth: &DepthMap,
    level: u8,
    queue: &mut VecDeque<CellId>,
    queued: &mut FixedBitSet,
    labels: &mut [u32],
    gate_tiles: &mut FixedBitSet,
) {
    while let Some(cell) = queue.pop_front() {
        let mut first = DRY;
        for next in beside(grid, cell) {
            let label = labels[next.index()];
            if label == DRY {
                if depth.level(next) == level && !queued.put(next.index()) {
                    queue.push_back(next);
                }
            } else if first == DRY {
                first = label;
            } else if first != label {
                gate_tiles.insert(cell.index());
            }
        }
        labels[cell.index()] = first;
    }
}

/// The free neighbours beside a tile: east, west, south, north.
#[inline]
fn beside(grid: &Grid, cell: CellId) -> impl Iterator<Item = CellId> + '_ {
    const ORDER: [Direction; 4] = [Direction::E, Direction::W, Direction::S, Direction::N];
    let moves = grid.moves(cell);
    ORDER.into_iter().filter(move |d| moves & d.mask() != 0).map(move |d| grid.step(cell, d))
}
