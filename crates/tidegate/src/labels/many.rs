//! Distances between many tiles: what is worked out for a start is used for all goals.

use super::Labels;
use super::query::LabelScratch;
use crate::cost::{Cost, INFINITY};
use crate::grid::Tile;

impl Labels {
    /// The distances from one tile to many, in their order; `None` where there is no way.
    pub fn distances(
        &self,
        start: Tile,
        goals: &[Tile],
        scratch: &mut LabelScratch,
        out: &mut Vec<Option<Cost>>,
    ) {
        out.clear();
        self.each_distance(start, goals, scratch, |cost| out.push(cost));
    }

    /// The distances between all tiles of a list, row by row: the one from `tiles[a]`
    /// to `tiles[b]` stands at `a * tiles.len() + b`.
    pub fn matrix(&self, tiles: &[Tile], scratch: &mut LabelScratch, out: &mut Vec<Option<Cost>>) {
        let n = tiles.len();
        out.clear();
        out.resize(n * n, None);
        for (a, &start) in tiles.iter().enumerate() {
            // Distances are the same both ways: the upper half is worked out.
            let mut b = a;
            self.each_distance(start, &tiles[a..], scratch, |cost| {
                out[a * n + b] = cost;
                out[b * n + a] = cost;
                b += 1;
            });
        }
    }

    /// Which of the goals is nearest, as its place in the list, and how far it is. Of
    /// equally near ones the first; `None` where none can be reached.
    pub fn nearest(
        &self,
        start: Tile,
        goals: &[Tile],
        scratch: &mut LabelScratch,
    ) -> Option<(usize, Cost)> {
        let mut best = (0, INFINITY);
        let mut n = 0;
        self.each_distance(start, goals, scratch, |cost| {
            if let Some(cost) = cost.filter(|&cost| cost < best.1) {
                best = (n, cost);
            }
            n += 1;
        });
        (best.1 < INFINITY).then_some(best)
    }
}
