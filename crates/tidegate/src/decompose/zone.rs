//! Zones: what remains connected when the gates are shut.
//!
//! The zones are the components of the free tiles minus the gate tiles under the true
//! rule of movement, numbered in the row order of their first tiles. Both halves matter:
//! with a fill over four neighbours a zone could be left without touching a gate.

use std::fmt;

use super::GateId;
use crate::grid::{CellId, Direction, Grid};

/// The number of a zone: its position in [`Decomposition::zones`](super::Decomposition::zones).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ZoneId(pub(super) u32);

impl ZoneId {
    /// The zone with this number.
    pub const fn from_index(index: usize) -> ZoneId {
        ZoneId(index as u32)
    }

    /// The id as an index into tables by zone.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ZoneId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A zone of a decomposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    pub(super) id: ZoneId,
    pub(super) area: u32,
    pub(super) first: CellId,
    pub(super) gates: Vec<GateId>,
}

impl Zone {
    /// Its number.
    pub fn id(&self) -> ZoneId {
        self.id
    }

    /// How many tiles it has; gate tiles belong to no zone.
    pub fn area(&self) -> u32 {
        self.area
    }

    /// Its first tile in row order.
    pub fn first(&self) -> CellId {
        self.first
    }

    /// The gates around it, sorted: a legal step joins each of them to the zone.
    pub fn gates(&self) -> &[GateId] {
        &self.gates
    }
}

/// Components over tiles in row order, joined to earlier tiles by `joined`.
pub(super) struct Components {
    /// By tile: the component's number plus one; 0 for tiles that are no members.
    pub(super) labels: Vec<u32>,
    /// By component: its first tile and its size.
    pub(super) parts: Vec<(CellId, u32)>,
}

/// The directions to tiles that come earlier in row order.
const EARLIER: [Direction; 4] = [Direction::W, Direction::NW, Direction::N, Direction::NE];

/// Labels components in one pass with union-find and a second to settle the numbers.
/// `links` gives for a tile the mask of directions in which it is joined, or `None` if
/// it is no member; a mask need not look at whether the neighbour is a member.
/// Components are numbered in the row order of their first tiles.
pub(super) fn components(
    width: usize,
    tiles: usize,
    links: impl Fn(usize) -> Option<u8>,
) -> Components {
    let mut labels = vec![0u32; tiles];
    // parent[l] <= l: the root of a set is its first label, so roots are in row order.
    let mut parent: Vec<u32> = vec![0];
    for i in 0..tiles {
        let Some(mask) = links(i) else { continue };
        let mut label = 0;
        for direction in EARLIER {
            if mask & direction.mask() == 0 {
                continue;
            }
            let (dx, dy) = direction.delta();
            let next = labels[(i as isize + dy as isize * width as isize + dx as isize) as usize];
            if next == 0 || next == label {
                continue;
            }
            label = if label == 0 { next } else { unite(&mut parent, label, next) };
        }
        if label == 0 {
            label = parent.len() as u32;
            parent.push(label);
        }
        labels[i] = label;
    }
    let mut parts: Vec<(CellId, u32)> = Vec::new();
    let mut number = vec![0u32; parent.len()];
    for (i, label) in labels.iter_mut().enumerate().filter(|(_, label)| **label != 0) {
        let known = number[*label as usize];
        *label = if known != 0 {
            known
        } else {
            let root = find(&mut parent, *label);
            if number[root as usize] == 0 {
                parts.push((CellId::from_index(i), 0));
                number[root as usize] = parts.len() as u32;
            }
            number[*label as usize] = number[root as usize];
            number[root as usize]
        };
        parts[*label as usize - 1].1 += 1;
    }
    Components { labels, parts }
}

fn find(parent: &mut [u32], mut label: u32) -> u32 {
    while parent[label as usize] != label {
        parent[label as usize] = parent[parent[label as usize] as usize];
        label = parent[label as usize];
    }
    label
}

fn unite(parent: &mut [u32], a: u32, b: u32) -> u32 {
    let (a, b) = (find(parent, a), find(parent, b));
    let root = a.min(b);
    parent[a.max(b) as usize] = root;
    root
}

/// Pockets are zones of at most this many tiles that a gate cuts off beside itself, while
/// it separates larger ones: the tiles between a line and a rough wall.
pub(super) const POCKET: u32 = 8;

/// Which gate each zone belongs to if it is a pocket: the first of its gates, provided
/// that every gate around it still has two larger zones. `beside` lists the zones of
/// every gate.
pub(super) fn pockets(parts: &[(CellId, u32)], beside: &[Vec<ZoneId>]) -> Vec<Option<GateId>> {
    let small = |zone: &ZoneId| parts[zone.index()].1 <= POCKET;
    let mut owner: Vec<Option<GateId>> = vec![None; parts.len()];
    let mut refused = vec![false; parts.len()];
    for (gate, zones) in beside.iter().enumerate() {
        let divides = zones.iter().filter(|zone| !small(zone)).count() >= 2;
        for zone in zones.iter().filter(|zone| small(zone)) {
            refused[zone.index()] |= !divides;
            owner[zone.index()].get_or_insert(GateId(gate as u32));
        }
    }
    owner.iter_mut().zip(refused).filter(|(_, no)| *no).for_each(|(owner, _)| *owner = None);
    owner
}

/// The zones left by the gates: `owners` is 0 where no gate is.
pub(super) fn zones(grid: &Grid, owners: &[u32]) -> Components {
    components(grid.width() as usize, grid.tiles(), |i| {
        let moves = grid.moves(CellId::from_index(i));
        (owners[i] == 0 && grid.free_bits().contains(i)).then_some(moves)
    })
}
