//! Arcs of the hierarchy: edges of the taut corner graph, and shortcuts over corners that
//! were contracted before.

use crate::grid::Tile;
use crate::taut::walk::pack;
use crate::taut::{Rules, direction};

/// The middle of an arc that is an edge of the graph.
pub(super) const EDGE: u32 = u32::MAX;

/// A way to a corner that was contracted later: an edge or a shortcut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) to: u32,
    /// The tile of that corner, packed.
    pub(super) tile: u32,
    pub(super) cost: u32,
    /// The corner contracted last before the two, or [`EDGE`].
    pub(super) middle: u32,
    /// The classes in which the equally short ways leave, as a set.
    pub(super) leave: u16,
    /// The classes in which they arrive.
    pub(super) arrive: u16,
    /// The classes in which a search that came this way goes on.
    pub(super) turns: u16,
}

impl Arc {
    /// The edge from one corner to another.
    pub(super) fn edge(rules: &Rules, from: Tile, to: u32, tile: Tile) -> Arc {
        let class = 1 << direction(from, tile);
        let cost = rules.movement.estimate(from, tile).get();
        Arc { to, tile: pack(tile), cost, middle: EDGE, leave: class, arrive: class, turns: 0 }
    }

    /// Over two arcs that leave `middle`: from the end of this one to that of the other.
    pub(super) fn through(&self, middle: u32, other: &Arc) -> Arc {
        let cost = self.cost + other.cost;
        Arc { cost, middle, leave: back(self.arrive), turns: 0, ..*other }
    }

    /// Of two arcs to the same corner the shorter one; of equally short ones the one
    /// with the smaller middle (an edge first), with the classes of both.
    pub(super) fn merge(&mut self, other: Arc) {
        let key = |arc: &Arc| (arc.cost, arc.middle.wrapping_add(1));
        let (mut leave, mut arrive) = (0, 0);
        for arc in [*self, other] {
            if arc.cost == self.cost.min(other.cost) {
                (leave, arrive) = (leave | arc.leave, arrive | arc.arrive);
            }
        }
        if key(&other) < key(self) {
            *self = other;
        }
        (self.leave, self.arrive) = (leave, arrive);
    }
}

/// The classes in which a taut path goes on that arrives in one of these.
#[inline]
pub(super) fn departures(rules: &Rules, pattern: u8, mut arrive: u16) -> u16 {
    let mut leave = 0;
    while arrive != 0 {
        leave |= rules.departures(pattern, arrive.trailing_zeros() as usize);
        arrive &= arrive - 1;
    }
    leave
}

/// The same classes looking back.
#[inline]
pub(super) const fn back(classes: u16) -> u16 {
    classes.rotate_left(8)
}
