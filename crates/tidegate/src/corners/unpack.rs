//! From a route to the path: its turning points, or every tile; and many at once.

use super::Corners;
use super::arc::EDGE;
use super::query::{CornerScratch, NONE, Route};
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;
use crate::path::Path;
use crate::taut::walk;

impl Corners {
    /// Writes the turning points of a shortest path into `out` (start and goal
    /// included, one tile if they are the same) and returns its length. Between two
    /// neighbouring points the cost is that of an empty map. `None`, and nothing in
    /// `out`, where there is no path.
    pub fn turning_points(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut CornerScratch,
        out: &mut Vec<Tile>,
    ) -> Option<Cost> {
        out.clear();
        let route = self.route(start, goal, INFINITY, scratch, &mut ());
        let cost = route.cost()?;
        self.write_turns(start, goal, route, scratch);
        out.extend_from_slice(&scratch.turns);
        out.dedup();
        Some(cost)
    }

    /// Writes every tile of a shortest path into `path`, start and goal included, and
    /// returns its length. `None`, and an empty path, where there is no way.
    pub fn path(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut CornerScratch,
        path: &mut Path,
    ) -> Option<Cost> {
        path.clear();
        let route = self.route(start, goal, INFINITY, scratch, &mut ());
        let cost = route.cost()?;
        self.write_turns(start, goal, route, scratch);
        walk::write_legs(self.movement, &scratch.turns, true, path);
        Some(cost)
    }

    /// The distances from one tile to many, in their order; `None` where there is no way.
    pub fn distances(
        &self,
        start: Tile,
        goals: &[Tile],
        scratch: &mut CornerScratch,
        out: &mut Vec<Option<Cost>>,
    ) {
        out.clear();
        out.extend(goals.iter().map(|&goal| self.distance(start, goal, scratch)));
    }

    /// Which of the goals is nearest, as its place in the list, and how far it is. Of
    /// equally near ones the first; `None` where none can be reached.
    pub fn nearest(
        &self,
        start: Tile,
        goals: &[Tile],
        scratch: &mut CornerScratch,
    ) -> Option<(usize, Cost)> {
        let mut order: Vec<usize> = (0..goals.len()).collect();
        order.sort_by_key(|&n| self.movement.estimate(start, goals[n]));
        let mut best: Option<(Cost, usize)> = None;
        for n in order {
            let limit = best.map_or(INFINITY, |(cost, _)| cost + Cost::new(1));
            if self.movement.estimate(start, goals[n]) >= limit {
                break;
            }
            if let Some(cost) = self.route(start, goals[n], limit, scratch, &mut ()).cost() {
                best = Some(best.map_or((cost, n), |known| known.min((cost, n))));
            }
        }
        best.map(|(cost, n)| (n, cost))
    }

    /// Writes the turning points of a route into the scratch, start and goal included.
    pub(super) fn write_turns(
        &self,
        start: Tile,
        goal: Tile,
        route: Route,
        scratch: &mut CornerScratch,
    ) {
        scratch.turns.clear();
        scratch.turns.push(start);
        if let Route::Over(_, meeting) = route {
            self.write_start_side(meeting, scratch);
            scratch.chain.clear();
            self.climb(meeting, 1, scratch);
            self.write_chain(scratch, false);
        }
        scratch.turns.push(goal);
    }

    /// Appends the turning points from the start's first corner to this one.
    pub(super) fn write_start_side(&self, corner: u32, scratch: &mut CornerScratch) {
        scratch.chain.clear();
        self.climb(corner, 0, scratch);
        scratch.chain.reverse();
        scratch.turns.push(self.hierarchy.corners[scratch.chain[0] as usize].tile);
        self.write_chain(scratch, true);
    }

    /// Appends a corner and those before it on one side to the chain.
    fn climb(&self, corner: u32, side: usize, scratch: &mut CornerScratch) {
        let mut at = corner;
        while at != NONE {
            scratch.chain.push(at);
            at = scratch.labels[at as usize][side].from;
        }
    }

    /// Appends the turning points along the chain, which goes up or down, its first corner
    /// left out.
    fn write_chain(&self, scratch: &mut CornerScratch, goes_up: bool) {
        let CornerScratch { chain, stack, turns, .. } = scratch;
        let made = &self.hierarchy;
        for pair in chain.windows(2) {
            let (low, high) = if goes_up { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
            let end = made.corners[pair[1] as usize].tile;
            let middle = made.arc(low, high).map_or(EDGE, |arc| arc.middle);
            stack.push(Leg { from: pair[0], to: pair[1], middle, end });
            while let Some(Leg { from, to, middle, end }) = stack.pop() {
                if middle == EDGE {
                    turns.push(end);
                    continue;
                }
                // Both halves leave the middle, which is below both ends.
                let [mut first, mut second] = [EDGE; 2];
                for arc in made.up.get(middle) {
                    if arc.to == from {
                        first = arc.middle;
                    } else if arc.to == to {
                        second = arc.middle;
                    }
                }
                let half = made.corners[middle as usize].tile;
                stack.push(Leg { from: middle, to, middle: second, end });
                stack.push(Leg { from, to: middle, middle: first, end: half });
            }
        }
    }
}

/// A piece of a path between two corners, still to be unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    from: u32,
    to: u32,
    /// The middle of the arc between them.
    middle: u32,
    /// The tile of the corner it goes to.
    end: Tile,
}
