//! The contraction hierarchy of the taut corner graph.
//!
//! Corners are contracted one after the other, each by its rank. Contracting `v` joins
//! those of its neighbours that a shortest path may pass on its way through `v`:
//!
//! ```text
//!        w
//!       /         u - v - w turns around the wall at v, so u and w are joined by a
//!      v #        shortcut with v as its middle. Where the turn at v would leave the
//!     /  #        path slack, no shortest path goes that way: no shortcut.
//!    u   #
//! ```
//!
//! What is kept of `v` is its *up-list*: the arcs to corners contracted later. Every
//! shortest path is then found by going up from both of its ends (`docs/corners.md`).
//!
//! There is no search for other ways round (witnesses), so an up-list depends only on
//! the lists of the corners below it. That is what makes repair local: the lists near a
//! change are worked out again, and the work ends where a list comes out as it was.

use super::slab::Slab;
use crate::grid::Tile;
use crate::taut::{Rules, direction};

/// The middle of an arc that is an edge of the graph.
pub(super) const EDGE: u32 = u32::MAX;

/// A way to a corner that was contracted later: an edge or a shortcut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u32,
    /// The corner contracted last before the two, or [`EDGE`].
    pub(super) middle: u32,
    /// The classes in which the equally short ways leave, as a set.
    pub(super) leave: u16,
    /// The classes in which they arrive.
    pub(super) arrive: u16,
}

impl Arc {
    /// The edge from one corner to another.
    pub(super) fn edge(rules: &Rules, from: Tile, to: (u32, Tile)) -> Arc {
        let class = 1 << direction(from, to.1);
        let cost = rules.movement.estimate(from, to.1);
        Arc { to: to.0, cost, middle: EDGE, leave: class, arrive: class }
    }

    /// Of two arcs to the same corner the shorter one; of equally short ones the one
    /// with the smaller middle (an edge first), with the classes of both.
    pub(super) fn merge(&mut self, other: Arc) {
        let key = |arc: &Arc| (arc.cost, arc.middle.wrapping_add(1));
        let classes = if self.cost == other.cost {
            (self.leave | other.leave, self.arrive | other.arrive)
        } else if self.cost < other.cost {
            (self.leave, self.arrive)
        } else {
            (other.leave, other.arrive)
        };
        if key(&other) < key(self) {
            *self = other;
        }
        (self.leave, self.arrive) = classes;
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

/// A corner in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) tile: Tile,
    /// Which of its neighbours are free; 0 if it is no corner any more.
    pub(super) pattern: u8,
    /// When it is contracted.
    pub(super) rank: i32,
}

/// Corners with the arcs that lead up from each.
#[derive(Clone, Debug, Default)]
pub(super) struct Hierarchy {
    pub(super) corners: Vec<Corner>,
    /// By corner, sorted by where the arcs lead: those that searches use, then those for
    /// which there is a strictly shorter way over a third corner.
    pub(super) up: Slab<Arc>,
    /// By corner, how many arcs of its up-list searches use.
    pub(super) used: Vec<u16>,
    /// By corner, the corners whose up-lists lead to it, sorted.
    pub(super) down: Slab<u32>,
    pub(super) nodes: Vec<Node>,
    pub(super) hot: Vec<Hot>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    pub(super) first: u32,
    pub(super) tile: u32,
    pub(super) used: u16,
    pub(super) leaves: u16,
    pub(super) pattern: u8,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hot {
    pub(super) to: u32,
    pub(super) cost: u32,
    pub(super) tile: u32,
    pub(super) leave: u16,
    pub(super) turns: u16,
}

/// Memory for working out up-lists.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    arcs: Vec<Arc>,
}

impl Hierarchy {
    /// Works out the up-list of a corner: its edges in `edges` and what the lists of
    /// the corners below it add, sorted.
    pub(super) fn up_list<'w>(
        &self,
        rules: &Rules,
        corner: u32,
        edges: impl Iterator<Item = Arc>,
        space: &'w mut Workspace,
    ) -> &'w [Arc] {
        let arcs = &mut space.arcs;
        arcs.clear();
        arcs.extend(edges);
        let rank = self.corners[corner as usize].rank;
        for &below in self.down.get(corner) {
            let list = self.up.get(below);
            let Some(here) = list.iter().find(|arc| arc.to == corner) else { continue };
            let pattern = self.corners[below as usize].pattern;
            let turns = departures(rules, pattern, back(here.leave));
            for there in list.iter().filter(|arc| arc.leave & turns != 0) {
                if self.corners[there.to as usize].rank > rank {
                    arcs.push(Arc {
                        to: there.to,
                        cost: here.cost + there.cost,
                        middle: below,
                        leave: back(here.arrive),
                        arrive: there.arrive,
                    });
                }
            }
        }
        arcs.sort_unstable_by_key(|arc| (arc.to, arc.cost, arc.middle.wrapping_add(1)));
        arcs.dedup_by(|next, kept| {
            let same = next.to == kept.to;
            if same {
                kept.merge(*next);
            }
            same
        });
        arcs
    }

    /// Contracts all corners in the order of their ranks, from the edges of the graph.
    pub(super) fn contract(
        rules: &Rules,
        corners: Vec<Corner>,
        edges: impl Fn(u32, &mut dyn FnMut(u32)),
    ) -> Hierarchy {
        let count = corners.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by_key(|&c| corners[c as usize].rank);
        let mut made = Hierarchy { corners, ..Hierarchy::default() };
        made.up = Slab::new(count);
        made.down = Slab::new(count);
        let mut space = Workspace::default();
        let mut own = Vec::new();
        for &corner in &order {
            let Corner { tile, rank, .. } = made.corners[corner as usize];
            own.clear();
            edges(corner, &mut |to| {
                let other = made.corners[to as usize];
                if other.rank > rank {
                    own.push(Arc::edge(rules, tile, (to, other.tile)));
                }
            });
            let list = made.up_list(rules, corner, own.iter().copied(), &mut space);
            for arc in list {
                made.down.push(arc.to, corner);
            }
            made.up.set(corner, list);
        }
        for corner in 0..count as u32 {
            made.down.get_mut(corner).sort_unstable();
        }
        made.used = vec![0; count];
        for corner in 0..count as u32 {
            made.prune(corner);
        }
        for c in 0..count as u32 {
            let first = made.hot.len() as u32;
            let used: Vec<Arc> = made.used(c).to_vec();
            let corner = made.corners[c as usize];
            made.nodes.push(Node { first, tile: crate::taut::walk::pack(corner.tile), used: used.len() as u16, leaves: used.iter().fold(0, |s, a| s | a.leave), pattern: corner.pattern });
            for a in used {
                made.hot.push(Hot { to: a.to, cost: a.cost, tile: crate::taut::walk::pack(made.corners[a.to as usize].tile), leave: a.leave, turns: departures(rules, made.corners[a.to as usize].pattern, a.arrive) });
            }
        }
        for c in 0..count {
            let n = made.nodes[c];
            for k in n.first..n.first + u32::from(n.used) {
                let to = made.hot[k as usize].to as usize;
                made.hot[k as usize].turns &= made.nodes[to].leaves;
            }
        }
        made
    }

    /// Puts the arcs of a corner that searches use in front: those without a strictly
    /// shorter way over a third corner above it.
    pub(super) fn prune(&mut self, corner: u32) {
        let list = self.up.get(corner);
        let shorter = |arc: &Arc| {
            list.iter().any(|first| {
                first.cost < arc.cost
                    && (self.cost_between(first.to, arc.to))
                        .is_some_and(|cost| first.cost + cost < arc.cost)
            })
        };
        let mut sorted: Vec<(bool, Arc)> = list.iter().map(|arc| (shorter(arc), *arc)).collect();
        sorted.sort_unstable_by_key(|(shorter, arc)| (*shorter, arc.to));
        self.used[corner as usize] = sorted.iter().filter(|(shorter, _)| !shorter).count() as u16;
        for (place, (_, arc)) in self.up.get_mut(corner).iter_mut().zip(sorted) {
            *place = arc;
        }
    }

    /// The cost of the arc between two corners, if there is one.
    fn cost_between(&self, a: u32, b: u32) -> Option<u32> {
        let (low, high) = if self.corners[a as usize].rank < self.corners[b as usize].rank {
            (a, b)
        } else {
            (b, a)
        };
        self.up.get(low).iter().find(|arc| arc.to == high).map(|arc| arc.cost)
    }

    /// The arc from a corner up to another.
    #[inline]
    pub(super) fn arc(&self, from: u32, to: u32) -> Option<&Arc> {
        self.up.get(from).iter().find(|arc| arc.to == to)
    }

    /// The arcs that searches use.
    #[inline]
    pub(super) fn used(&self, corner: u32) -> &[Arc] {
        &self.up.get(corner)[..usize::from(self.used[corner as usize])]
    }

    pub(super) fn bytes(&self) -> usize {
        self.corners.len() * (size_of::<Corner>() + 2) + self.up.bytes() + self.down.bytes()
    }
}
