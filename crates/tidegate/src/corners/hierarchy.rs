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
use crate::cost::LIMIT;
use crate::grid::Tile;
use crate::taut::walk::pack;
use crate::taut::{Rules, direction};

/// Why there is no hierarchy: contracting adds more arcs than pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDense;

/// Arcs per corner, on average, above which contraction is given up. Where it pays there
/// are five to ten.
pub(super) const MOST_ARCS: usize = 24;

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

/// A corner in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) tile: Tile,
    /// When it is contracted: after those of lower rank, and of equal rank after those
    /// with smaller numbers.
    pub(super) rank: u32,
    /// How many arcs of its up-list searches use: the first ones.
    pub(super) used: u16,
    /// The classes in which those leave.
    pub(super) leaves: u16,
    /// Which of its neighbours are free; 0 if it is no corner any more.
    pub(super) pattern: u8,
}

impl Corner {
    pub(super) fn new(tile: Tile, pattern: u8, rank: u32) -> Corner {
        Corner { tile, rank, used: 0, leaves: 0, pattern }
    }
}

/// Corners with the arcs that lead up from each.
#[derive(Clone, Debug, Default)]
pub(super) struct Hierarchy {
    pub(super) corners: Vec<Corner>,
    /// By corner: the arcs that searches use, sorted by where they lead, then those for
    /// which there is a strictly shorter way over a third corner.
    pub(super) up: Slab<Arc>,
    /// By corner, the corners whose up-lists lead to it, sorted.
    pub(super) down: Slab<u32>,
}

/// Memory for working out up-lists.
#[derive(Debug)]
pub(super) struct Workspace {
    arcs: Vec<Arc>,
    pub(super) longer: Vec<bool>,
    /// By corner: its place in the list at hand, from 1; 0 elsewhere.
    pub(super) places: Vec<u32>,
}

impl Workspace {
    pub(super) fn new(corners: usize) -> Workspace {
        Workspace { arcs: Vec::new(), longer: Vec::new(), places: vec![0; corners] }
    }
}

impl Hierarchy {
    /// Contracts corners in the order of their ranks, unless that adds too many arcs: the
    /// order may come from a file. `edges` calls back with the neighbours of a corner in
    /// the taut corner graph.
    pub(super) fn contract(
        rules: &Rules,
        corners: Vec<Corner>,
        edges: impl Fn(u32, &mut dyn FnMut(u32)),
    ) -> Result<Hierarchy, TooDense> {
        let count = corners.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by_key(|&c| (corners[c as usize].rank, c));
        let mut made = Hierarchy { corners, up: Slab::new(count), down: Slab::new(count) };
        let mut space = Workspace::new(count);
        let (mut own, mut total) = (Vec::new(), 0);
        for &corner in &order {
            let tile = made.corners[corner as usize].tile;
            own.clear();
            edges(corner, &mut |to| {
                if made.is_below(corner, to) {
                    own.push(Arc::edge(rules, tile, to, made.corners[to as usize].tile));
                }
            });
            let list = made.up_list(rules, corner, own.iter().copied(), &mut space);
            total += list.len();
            if total > MOST_ARCS * count.max(1000) {
                return Err(TooDense);
            }
            list.iter().for_each(|arc| made.down.push(arc.to, corner));
            made.up.set(corner, list);
        }
        made.up.compact();
        made.down.compact();
        for corner in 0..count as u32 {
            made.down.get_mut(corner).sort_unstable();
            made.sort_out(corner, &mut space);
        }
        (0..count as u32).for_each(|corner| made.find_turns(rules, corner));
        Ok(made)
    }

    /// Works out the up-list of a corner from its edges and the lists of the corners
    /// below it, sorted by where the arcs lead.
    pub(super) fn up_list<'w>(
        &self,
        rules: &Rules,
        corner: u32,
        edges: impl Iterator<Item = Arc>,
        space: &'w mut Workspace,
    ) -> &'w [Arc] {
        let Workspace { arcs, places, .. } = space;
        arcs.clear();
        let mut add = |arc: Arc| {
            let place = &mut places[arc.to as usize];
            if *place == 0 {
                arcs.push(arc);
                *place = arcs.len() as u32;
            } else {
                arcs[*place as usize - 1].merge(arc);
            }
        };
        edges.for_each(&mut add);
        for &below in self.down.get(corner) {
            let list = self.up.get(below);
            let Some(here) = list.iter().find(|arc| arc.to == corner) else { continue };
            let pattern = self.corners[below as usize].pattern;
            let turns = departures(rules, pattern, back(here.leave));
            for there in list.iter().filter(|arc| arc.leave & turns != 0) {
                let fits = here.cost + there.cost <= LIMIT.get();
                if fits && self.is_below(corner, there.to) {
                    add(here.through(below, there));
                }
            }
        }
        arcs.iter().for_each(|arc| places[arc.to as usize] = 0);
        arcs.sort_unstable_by_key(|arc| arc.to);
        arcs
    }

    /// Puts the arcs of a corner that searches use in front: all but those with a
    /// strictly shorter way over a third corner above it.
    pub(super) fn sort_out(&mut self, corner: u32, space: &mut Workspace) {
        let list = self.up.get(corner);
        let Workspace { longer, places, .. } = space;
        longer.clear();
        longer.resize(list.len(), false);
        for (place, arc) in (1..).zip(list) {
            places[arc.to as usize] = place;
        }
        for (n, first) in list.iter().enumerate() {
            for second in self.up.get(first.to) {
                let place = places[second.to as usize];
                if place != 0 {
                    let m = place as usize - 1;
                    longer[m] |= first.cost + second.cost < list[m].cost;
                    longer[n] |= list[m].cost + second.cost < first.cost;
                }
            }
        }
        list.iter().for_each(|arc| places[arc.to as usize] = 0);
        let list = self.up.get_mut(corner);
        // Arcs lead to different corners, so there are no equals.
        let mut order: Vec<(bool, Arc)> =
            longer.iter().zip(&*list).map(|(&longer, &arc)| (longer, arc)).collect();
        order.sort_unstable_by_key(|(longer, arc)| (*longer, arc.to));
        let used = order.iter().take_while(|(longer, _)| !longer);
        let (count, leaves) = used.fold((0, 0), |(n, set), (_, arc)| (n + 1, set | arc.leave));
        list.iter_mut().zip(order).for_each(|(place, (_, arc))| *place = arc);
        let corner = &mut self.corners[corner as usize];
        (corner.used, corner.leaves) = (count, leaves);
    }

    /// Works out, for each arc of a corner, the classes in which a search goes on.
    pub(super) fn find_turns(&mut self, rules: &Rules, corner: u32) {
        let corners = &self.corners;
        for arc in self.up.get_mut(corner) {
            let to = &corners[arc.to as usize];
            arc.turns = departures(rules, to.pattern, arc.arrive) & to.leaves;
        }
    }

    /// Whether a corner is contracted before another.
    #[inline]
    pub(super) fn is_below(&self, a: u32, b: u32) -> bool {
        (self.corners[a as usize].rank, a) < (self.corners[b as usize].rank, b)
    }

    /// The arcs that searches use.
    #[inline]
    pub(super) fn used(&self, corner: u32) -> &[Arc] {
        let list = self.up.get(corner);
        &list[..usize::from(self.corners[corner as usize].used).min(list.len())]
    }

    /// The middle of the arc between two corners; [`EDGE`] if it is an edge.
    #[inline]
    pub(super) fn middle(&self, a: u32, b: u32) -> u32 {
        let (low, high) = if self.is_below(a, b) { (a, b) } else { (b, a) };
        self.up.get(low).iter().find(|arc| arc.to == high).map_or(EDGE, |arc| arc.middle)
    }

    /// How many arcs there are.
    pub(super) fn arcs(&self) -> usize {
        (0..self.corners.len() as u32).map(|corner| self.up.get(corner).len()).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        self.corners.len() * size_of::<Corner>() + self.up.bytes() + self.down.bytes()
    }
}

impl PartialEq for Hierarchy {
    fn eq(&self, other: &Hierarchy) -> bool {
        self.corners == other.corners
            && (0..self.corners.len() as u32).all(|corner| {
                self.up.get(corner) == other.up.get(corner)
                    && self.down.get(corner) == other.down.get(corner)
            })
    }
}
