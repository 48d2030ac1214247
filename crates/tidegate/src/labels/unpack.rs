//! From a route to the path: its turning points, or every tile.

use super::Labels;
use super::query::{LabelRoute, LabelScratch};
use crate::cost::Cost;
use crate::grid::Tile;
use crate::path::Path;
use crate::taut::walk;

impl Labels {
    /// Writes the turning points of a shortest path into `out` (start and goal
    /// included, one tile if they are the same) and returns its length. Between two
    /// neighbouring points the cost is that of an empty map. `None`, and nothing in
    /// `out`, where there is no path.
    pub fn turning_points(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut LabelScratch,
        out: &mut Vec<Tile>,
    ) -> Option<Cost> {
        out.clear();
        self.append_turns(start, goal, scratch, out)
    }

    /// The same appended to a way that ends at the start, which is not written again.
    pub(super) fn append_turns(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut LabelScratch,
        out: &mut Vec<Tile>,
    ) -> Option<Cost> {
        let (cost, route) = self.route(start, goal, scratch)?;
        if out.last() != Some(&start) {
            out.push(start);
        }
        self.append_corners(route, out);
        if goal != start {
            out.push(goal);
        }
        Some(cost)
    }

    /// Appends the corners of a route; a direct one has none.
    pub(super) fn append_corners(&self, route: LabelRoute, out: &mut Vec<Tile>) {
        let LabelRoute::Hub { near, far } = route else { return };
        self.hubs.append_corners((near, far), out);
    }

    /// Writes every tile of a shortest path into `path`, start and goal included, and
    /// returns its length. `None`, and an empty path, where there is no way.
    pub fn path(
        &self,
        start: Tile,
        goal: Tile,
        scratch: &mut LabelScratch,
        path: &mut Path,
    ) -> Option<Cost> {
        path.clear();
        let (cost, route) = self.route(start, goal, scratch)?;
        // Only one order of steps was tested for a direct way: slanting first from the
        // upper tile. Other lines are free both ways.
        let slant_first = match route {
            LabelRoute::Direct => start.y <= goal.y,
            LabelRoute::Hub { .. } => true,
        };
        let turns = &mut scratch.turns;
        turns.clear();
        turns.push(start);
        self.append_corners(route, turns);
        turns.push(goal);
        walk::write_legs(self.movement, turns, slant_first, path);
        Some(cost)
    }
}
