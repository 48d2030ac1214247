//! Gate clusters: gate tiles that hang together, and where they touch walls.
//!
//! A cluster is a set of gate tiles connected over eight neighbours. It counts as a gate
//! if it touches a wall at all. Its contacts are the connected groups of the wall tiles
//! around it: so a cluster in a corridor one tile wide has two contacts, one on each side.

use fixedbitset::FixedBitSet;

use crate::grid::{CellId, Direction, Grid, flood};

/// Connected gate tiles. The numbers of table 3.1 of the thesis count those that touch
/// a wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    tiles: Vec<CellId>,
    contacts: Vec<Contact>,
}

/// A stretch of wall that a cluster touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    wall: (i32, i32),
    tiles: Vec<CellId>,
}

impl Contact {
    /// One of its wall tiles; it may lie just outside the map.
    pub fn wall(&self) -> (i32, i32) {
        self.wall
    }

    /// The tiles of the cluster that touch it, sorted.
    pub fn tiles(&self) -> &[CellId] {
        &self.tiles
    }
}

impl Cluster {
    /// All tiles, sorted.
    pub fn tiles(&self) -> &[CellId] {
        &self.tiles
    }

    /// The stretches of wall it touches, in the row order of their first wall tiles.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Whether the cluster touches a wall: then it is a gate.
    pub fn is_gate(&self) -> bool {
        !self.contacts.is_empty()
    }

    /// The clusters of a set of gate tiles, in the row order of their first tiles.
    pub fn all(grid: &Grid, gate_tiles: &FixedBitSet) -> Vec<Cluster> {
        let at = |cell: usize| grid.tile(CellId::from_index(cell));
        let tiles = gate_tiles.ones().map(at).map(|t| (i32::from(t.y), i32::from(t.x))).collect();
        let cell = |&(y, x): &Spot| CellId::from_index((y * grid.width() as i32 + x) as usize);
        groups(tiles)
            .into_iter()
            .map(|spots| Cluster {
                contacts: contacts(grid, &spots),
                tiles: spots.iter().map(cell).collect(),
            })
            .collect()
    }
}

/// Row and column, so that spots sort in row order; may lie just outside the map.
type Spot = (i32, i32);

fn around((y, x): Spot) -> impl Iterator<Item = Spot> {
    Direction::ALL.into_iter().map(move |d| (y + d.delta().1, x + d.delta().0))
}

fn contacts(grid: &Grid, cluster: &[Spot]) -> Vec<Contact> {
    let is_wall = |&(y, x): &Spot| !grid.is_free_at(x, y);
    let mut walls: Vec<Spot> = cluster.iter().flat_map(|&s| around(s)).filter(is_wall).collect();
    walls.sort_unstable();
    walls.dedup();
    let tile = |(y, x): Spot| CellId::from_index((y * grid.width() as i32 + x) as usize);
    let contact = |walls: Vec<Spot>| {
        let touches = |s: &&Spot| around(**s).any(|w| walls.binary_search(&w).is_ok());
        let tiles = cluster.iter().filter(touches).map(|&s| tile(s)).collect();
        Contact { wall: (walls[0].1, walls[0].0), tiles }
    };
    groups(walls).into_iter().map(contact).collect()
}

/// The groups of spots connected over eight neighbours. The spots come sorted; so do
/// the groups, by their first spots, and each group is sorted.
fn groups(spots: Vec<Spot>) -> Vec<Vec<Spot>> {
    let mut done = vec![false; spots.len()];
    let (mut groups, mut stack) = (Vec::new(), Vec::new());
    for &start in &spots {
        let mut group = Vec::new();
        flood(&mut stack, start, around, |spot| {
            let found = spots.binary_search(&spot);
            let fresh = found.is_ok_and(|found| !std::mem::replace(&mut done[found], true));
            group.extend(Some(spot).filter(|_| fresh));
            fresh
        });
        if !group.is_empty() {
            group.sort_unstable();
            groups.push(group);
        }
    }
    groups
}
