//! Several different routes, and the widest one.
//!
//! The next route after those found differs from one of them at some place for the first time.
//! For every place of a route that was found the best route is worked out that agrees with it up
//! to there and goes on to a place to which none found goes on (Yen 1971); each route is treated
//! only from where it left the one it came from (Lawler 1972).

use std::collections::BTreeSet;

use super::Regions;
use super::route::{Avoid, Plan, Route, RouteScratch};
use crate::grid::Tile;

/// The most routes that are looked for. There may be more than anyone can list, and the time to find them grows
/// with the square of their number.
pub const MOST_ROUTES: usize = 1024;

impl Regions<'_> {
    /// The `k` shortest different routes from one tile to another that avoid these gates and
    /// zones, shortest first, of equally long ones that with fewer gates first. Two routes are
    /// different if they differ in a zone or a gate; none passes one twice. There are fewer if
    /// no more exist: one if both tiles are in one zone; and never more than [`MOST_ROUTES`].
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::{Avoid, Regions};
    /// use tidegate::{Grid, Tile};
    /// let grid = Grid::from_rows(&["...#...", ".......", "...#...", "...#...", "......."]).unwrap();
    /// let door = |y| GateLine::new(Tile::new(3, y), Tile::new(3, y), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [door(1), door(4)]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let routes = regions.routes(Tile::new(1, 1), Tile::new(5, 1), 3, &Avoid::new());
    /// assert_eq!(routes.len(), 2);
    /// assert!(routes[0].length() < routes[1].length());
    /// ```
    pub fn routes(&self, from: Tile, to: Tile, k: usize, avoid: &Avoid) -> Vec<Route> {
        let Some(plan) = Plan::new(self, from, to, avoid) else { return Vec::new() };
        let k = k.min(MOST_ROUTES);
        let mut scratch = RouteScratch::new();
        let mut found: Vec<(u64, Vec<u32>)> = Vec::new();
        // Each with the number of places that it shares with the route it came from.
        let mut next = BTreeSet::new();
        if k > 0 {
            next.extend(plan.shortest(&[], &[], &mut scratch).map(|(w, places)| (w, places, 1)));
        }
        while let Some((weight, places, shared)) = next.pop_first() {
            found.push((weight, places.clone()));
            if found.len() == k {
                break;
            }
            for i in shared..places.len() {
                let prefix = &places[..i];
                let taken = found.iter().filter(|(_, other)| other.starts_with(prefix));
                let banned: Vec<u32> =
                    taken.filter_map(|(_, other)| other.get(i).copied()).collect();
                let way = plan.shortest(prefix, &banned, &mut scratch);
                next.extend(way.map(|(weight, places)| (weight, places, i)));
            }
        }
        found.iter().map(|way| plan.route(way)).collect()
    }

    /// The route that lets the most through: that whose narrowest gate is widest, of equally
    /// wide ones the shortest. `None` if there is no route.
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::{Avoid, Regions};
    /// use tidegate::{Grid, Tile};
    /// let grid = Grid::from_rows(&["...#...", ".......", "...#...", ".......", "......."]).unwrap();
    /// let door = |a, b| GateLine::new(Tile::new(3, a), Tile::new(3, b), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [door(1, 1), door(3, 4)]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let (from, to) = (Tile::new(1, 1), Tile::new(5, 1));
    /// let short = regions.shortest_route(from, to, &Avoid::new()).unwrap();
    /// let wide = regions.widest_route(from, to, &Avoid::new()).unwrap();
    /// assert_eq!((short.width(), wide.width()), (Some(1), Some(2)));
    /// ```
    pub fn widest_route(&self, from: Tile, to: Tile, avoid: &Avoid) -> Option<Route> {
        let mut scratch = RouteScratch::new();
        let mut at_least = |width: u32| {
            let mut plan = Plan::new(self, from, to, avoid)?;
            let way =
                plan.avoid_narrower(width).then(|| plan.shortest(&[], &[], &mut scratch))??;
            Some(plan.route(&way))
        };
        let mut best = at_least(0)?;
        // The gate in which it begins is always passed: asking for more would tell nothing.
        let most = match self.place(from) {
            crate::decompose::Place::Gate(gate) => self.gate(gate).width(),
            _ => u32::MAX,
        };
        let mut widths: Vec<u32> = self.parts.live_gates().map(|gate| gate.width()).collect();
        widths.retain(|&width| width <= most && best.width().is_some_and(|w| w < width));
        widths.sort_unstable();
        widths.dedup();
        let (mut low, mut high) = (0, widths.len());
        while low < high {
            let middle = (low + high) / 2;
            match at_least(widths[middle]) {
                Some(route) => (best, low) = (route, middle + 1),
                None => high = middle,
            }
        }
        Some(best)
    }
}
