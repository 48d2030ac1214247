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

use fixedbitset::FixedBitSet;

use crate::depth::DepthMap;
use crate::grid::{CellId, Direction, Grid};

/// The label of a tile that no water has reached.
pub(super) const DRY: u32 = u32::MAX;
/// The label of a dry tile that the water is about to reach.
const QUEUED: u32 = DRY - 1;

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
        let around = Around::new(grid);
        let mut queue: Vec<usize> = Vec::new();
        for level in (1..=depth.max_level()).rev() {
            for cell in depth.tiles_at(level).map(CellId::index) {
                if labels[cell] == DRY && around.of(cell).any(|next| labels[next] < QUEUED) {
                    labels[cell] = QUEUED;
                    queue.push(cell);
                }
            }
            for spring in depth.tiles_at(level).map(CellId::index) {
                // First let what is there grow, then found a lake where it is still dry.
                if !queue.is_empty() {
                    grow(&around, depth, level, &mut queue, &mut labels, &mut gate_tiles);
                }
                if labels[spring] != DRY {
                    continue;
                }
                labels[spring] = lakes;
                lakes += 1;
                for next in around.of(spring) {
                    if labels[next] == DRY && depth.levels()[next] == level {
                        labels[next] = QUEUED;
                        queue.push(next);
                    }
                }
            }
            grow(&around, depth, level, &mut queue, &mut labels, &mut gate_tiles);
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

/// Lets the lakes grow over the tiles of a level, from those in the queue, until it is empty.
fn grow(
    around: &Around<'_>,
    depth: &DepthMap,
    level: u8,
    queue: &mut Vec<usize>,
    labels: &mut [u32],
    gate_tiles: &mut FixedBitSet,
) {
    let (levels, mut head) = (depth.levels(), 0);
    while let Some(&cell) = queue.get(head) {
        head += 1;
        let mut first = DRY;
        for next in around.of(cell) {
            let label = labels[next];
            if label == DRY {
                if levels[next] == level {
                    labels[next] = QUEUED;
                    queue.push(next);
                }
            } else if label == QUEUED {
                // It is dry, too, and its turn will come.
            } else if first == DRY {
                first = label;
            } else if first != label {
                gate_tiles.insert(cell);
            }
        }
        labels[cell] = first;
    }
    queue.clear();
}

/// The tiles beside each other.
struct Around<'a> {
    moves: &'a [u8],
    width: usize,
}

impl<'a> Around<'a> {
    fn new(grid: &'a Grid) -> Around<'a> {
        Around { moves: grid.all_moves(), width: grid.width() as usize }
    }

    /// The free neighbours beside a tile: east, west, south, north.
    #[inline]
    fn of(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        const ORDER: [u8; 4] =
            [Direction::E.mask(), Direction::W.mask(), Direction::S.mask(), Direction::N.mask()];
        let moves = self.moves[cell];
        let next = [
            cell.wrapping_add(1),
            cell.wrapping_sub(1),
            cell.wrapping_add(self.width),
            cell.wrapping_sub(self.width),
        ];
        next.into_iter().zip(ORDER).filter(move |(_, mask)| moves & mask != 0).map(|(next, _)| next)
    }
}
