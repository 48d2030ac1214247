//! Gate clusters: gate tiles that hang together, and where they touch walls.
//!
//! A cluster is a set of gate tiles connected over eight neighbours. It counts as a gate
//! if it touches a wall at all. Its contacts are the connected groups of its tiles that
//! have a wall among their eight neighbours.

use fixedbitset::FixedBitSet;

use crate::grid::{CellId, Direction, Grid};

/// Connected gate tiles. The numbers of table 3.1 of the thesis count those that touch
/// a wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    tiles: Vec<CellId>,
    contacts: Vec<Vec<CellId>>,
}

impl Cluster {
    /// All tiles, sorted.
    pub fn tiles(&self) -> &[CellId] {
        &self.tiles
    }

    /// The groups of tiles that touch walls, each sorted, in the order of their first tiles.
    pub fn contacts(&self) -> &[Vec<CellId>] {
        &self.contacts
    }

    /// Whether the cluster touches a wall: then it is a gate.
    pub fn is_gate(&self) -> bool {
        !self.contacts.is_empty()
    }

    /// The clusters of a set of gate tiles, in the row order of their first tiles.
    pub fn all(grid: &Grid, gate_tiles: &FixedBitSet) -> Vec<Cluster> {
        let at_wall = |&cell: &CellId| touches_wall(grid, cell);
        groups(grid, gate_tiles.ones().map(CellId::from_index))
            .into_iter()
            .map(|tiles| {
                let contacts = groups(grid, tiles.iter().copied().filter(at_wall));
                Cluster { tiles, contacts }
            })
            .collect()
    }
}

/// Whether one of the eight tiles around is wall.
pub(crate) fn touches_wall(grid: &Grid, cell: CellId) -> bool {
    let tile = grid.tile(cell);
    Direction::ALL.into_iter().any(|d| {
        let (dx, dy) = d.delta();
        !grid.is_free_at(i32::from(tile.x) + dx, i32::from(tile.y) + dy)
    })
}

/// The groups of cells connected over eight neighbours. The cells come in row order;
/// so do the groups, by their first cells, and each group is sorted.
fn groups(grid: &Grid, cells: impl Iterator<Item = CellId>) -> Vec<Vec<CellId>> {
    let cells: Vec<CellId> = cells.collect();
    let mut done = vec![false; cells.len()];
    let mut groups = Vec::new();
    for start in 0..cells.len() {
        if std::mem::replace(&mut done[start], true) {
            continue;
        }
        let mut group = vec![cells[start]];
        let mut next = 0;
        while next < group.len() {
            let tile = grid.tile(group[next]);
            next += 1;
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
                if !grid.is_free_at(x, y) {
                    continue;
                }
                let cell = CellId::from_index(y as usize * grid.width() as usize + x as usize);
                if let Ok(found) = cells.binary_search(&cell)
                    && !std::mem::replace(&mut done[found], true)
                {
                    group.push(cell);
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}
