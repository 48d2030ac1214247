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

use super::arc::{Arc, back, departures};
use super::slab::Slab;
use crate::cost::LIMIT;
use crate::grid::Tile;
use crate::taut::Rules;

/// Why there is no hierarchy: contracting adds more arcs than pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDense;

/// Arcs per corner, on average, above which contraction is given up. Where it pays there
/// are five to ten.
pub(super) const MOST_ARCS: usize = 24;

/// A corner in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) tile: Tile,
    /// When it is contracted: after those of lower rank, and of equal rank after those
    /// with smaller numbers.
    pub(super) rank: u32,
    /// The classes in which the arcs leave that searches use.
    pub(super) leaves: u16,
    /// Which of its neighbours are free; 0 if it is no corner any more.
    pub(super) pattern: u8,
}

impl Corner {
    pub(super) fn new(tile: Tile, pattern: u8, rank: u32) -> Corner {
        Corner { tile, rank, leaves: 0, pattern }
    }
}

/// Corners with the arcs that lead up from each.
#[derive(Clone, Debug, Default)]
pub(super) struct Hierarchy {
    pub(super) corners: Vec<Corner>,
    /// By corner: the arcs that searches use, sorted by where they lead.
    pub(super) up: Slab<Arc>,
    /// By corner: the other arcs, likewise. There is a strictly shorter way for them over
    /// a third corner; they are kept for the time when that one goes.
    pub(super) aside: Slab<Arc>,
    /// By corner, the corners whose up-lists lead to it, sorted.
    pub(super) down: Slab<u32>,
}

/// Of a corner that is contracted later: an arc that leads to it.
#[derive(Clone, Copy)]
struct Link {
    below: u32,
    /// The place of the arc in the list of that corner.
    arc: u32,
    /// The next such link, or [`LAST`].
    next: u32,
}

const LAST: u32 = u32::MAX;

/// Memory for working out up-lists.
struct Workspace {
    arcs: Vec<Arc>,
    /// By corner: its place in the list at hand, from 1; 0 elsewhere.
    places: Vec<u32>,
    /// By corner: the first of its links.
    first: Vec<u32>,
    links: Vec<Link>,
}

impl Workspace {
    /// Adds an arc to the list at hand.
    #[inline]
    fn add(&mut self, arc: Arc) {
        let place = &mut self.places[arc.to as usize];
        if *place == 0 {
            self.arcs.push(arc);
            *place = self.arcs.len() as u32;
        } else {
            self.arcs[*place as usize - 1].merge(arc);
        }
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
        let [up, aside] = [(); 2].map(|()| Slab::new(count));
        let mut made = Hierarchy { corners, up, aside, down: Slab::default() };
        let (arcs, links) = (Vec::new(), Vec::new());
        let mut space = Workspace { arcs, places: vec![0; count], first: vec![LAST; count], links };
        for &corner in &order {
            let tile = made.corners[corner as usize].tile;
            space.arcs.clear();
            edges(corner, &mut |to| {
                if made.is_below(corner, to) {
                    space.add(Arc::edge(rules, tile, to, made.corners[to as usize].tile));
                }
            });
            made.add_shortcuts(rules, corner, &mut space);
            let Workspace { arcs, places, first, links } = &mut space;
            if links.len() + arcs.len() > MOST_ARCS * count.max(1000) {
                return Err(TooDense);
            }
            arcs.sort_unstable_by_key(|arc| arc.to);
            for (n, arc) in (0..).zip(&*arcs) {
                places[arc.to as usize] = 0;
                let next = std::mem::replace(&mut first[arc.to as usize], links.len() as u32);
                links.push(Link { below: corner, arc: n, next });
            }
            made.up.set(corner, arcs);
        }
        let mut marks = space.places;
        made.down = Slab::of_pairs(count, || {
            let all = 0..count as u32;
            all.flat_map(|below| made.up.get(below).iter().map(move |arc| (arc.to, below)))
        });
        (0..count as u32).for_each(|corner| made.sort_out(corner, &mut marks));
        made.up.compact();
        (0..count as u32).for_each(|corner| made.find_turns(rules, corner));
        Ok(made)
    }

    /// Adds the ways of a corner over the corners below it to its arcs.
    fn add_shortcuts(&self, rules: &Rules, corner: u32, space: &mut Workspace) {
        let mut next = space.first[corner as usize];
        while next != LAST {
            let link = space.links[next as usize];
            next = link.next;
            let list = self.up.get(link.below);
            let here = &list[link.arc as usize];
            let pattern = self.corners[link.below as usize].pattern;
            let turns = departures(rules, pattern, back(here.leave));
            for there in list.iter().filter(|arc| arc.leave & turns != 0) {
                let fits = here.cost + there.cost <= LIMIT.get();
                if fits && self.is_below(corner, there.to) {
                    space.add(here.through(link.below, there));
                }
            }
        }
    }

    /// Works out, for each arc of a corner, the classes in which a search goes on.
    pub(super) fn find_turns(&mut self, rules: &Rules, corner: u32) {
        let corners = &self.corners;
        for arc in self.up.get_mut(corner).iter_mut().chain(self.aside.get_mut(corner)) {
            let to = &corners[arc.to as usize];
            arc.turns = departures(rules, to.pattern, arc.arrive) & to.leaves;
        }
    }

    /// The same for one arc.
    pub(super) fn find_turns_of(&mut self, rules: &Rules, low: u32, high: u32) {
        let to = self.corners[high as usize];
        for list in [self.up.get_mut(low), self.aside.get_mut(low)] {
            if let Ok(at) = list.binary_search_by_key(&high, |arc| arc.to) {
                list[at].turns = departures(rules, to.pattern, list[at].arrive) & to.leaves;
            }
        }
    }

    /// All arcs from a corner.
    pub(super) fn all(&self, corner: u32) -> impl Iterator<Item = &Arc> {
        self.up.get(corner).iter().chain(self.aside.get(corner))
    }

    /// The arc from a corner up to another.
    #[inline]
    pub(super) fn arc(&self, low: u32, high: u32) -> Option<&Arc> {
        find(self.up.get(low), high).or_else(|| find(self.aside.get(low), high))
    }

    /// Whether a corner is contracted before another.
    #[inline]
    pub(super) fn is_below(&self, a: u32, b: u32) -> bool {
        (self.corners[a as usize].rank, a) < (self.corners[b as usize].rank, b)
    }

    /// How many arcs there are.
    pub(super) fn arcs(&self) -> usize {
        self.up.live() + self.aside.live()
    }

    pub(super) fn bytes(&self) -> usize {
        let lists = self.up.bytes() + self.aside.bytes() + self.down.bytes();
        self.corners.len() * size_of::<Corner>() + lists
    }
}

/// The arc to a corner in a list that is sorted by where the arcs lead.
#[inline]
pub(super) fn find(list: &[Arc], to: u32) -> Option<&Arc> {
    list.binary_search_by_key(&to, |arc| arc.to).ok().map(|at| &list[at])
}

impl PartialEq for Hierarchy {
    fn eq(&self, other: &Hierarchy) -> bool {
        self.corners == other.corners
            && (0..self.corners.len() as u32).all(|corner| {
                self.up.get(corner) == other.up.get(corner)
                    && self.aside.get(corner) == other.aside.get(corner)
                    && self.down.get(corner) == other.down.get(corner)
            })
    }
}
