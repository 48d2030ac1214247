//! How every tile is connected to the taut corner graph.

use crate::grid::{Grid, Tile};
use crate::taut::{CornerBits, CornerGraph, Rules};
use crate::threads;

/// For every tile, the corners it is connected to.
pub(super) struct Links {
    first: Vec<u32>,
    corners: Vec<u32>,
}

impl Links {
    /// The corners that the tile in this place of row order may go to first.
    #[inline]
    pub(super) fn of(&self, cell: usize) -> &[u32] {
        &self.corners[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// The same connections with corner `order[i]` renamed to `i`.
    pub(super) fn rename(&mut self, order: &[u32]) {
        let mut name = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            name[old as usize] = new as u32;
        }
        self.corners.iter_mut().for_each(|c| *c = name[*c as usize]);
        for cell in self.first.windows(2) {
            self.corners[cell[0] as usize..cell[1] as usize].sort_unstable();
        }
    }
}

/// The corners of a map, in row order, before anything is joined.
pub(super) struct Survey<'a> {
    grid: &'a Grid,
    rules: &'a Rules,
    bits: CornerBits,
    pub(super) corners: Vec<(Tile, u8)>,
}

impl<'a> Survey<'a> {
    pub(super) fn new(grid: &'a Grid, rules: &'a Rules) -> Survey<'a> {
        let bits = CornerBits::new(grid, rules);
        let corners = bits.corners();
        Survey { grid, rules, bits, corners }
    }

    /// How many tiles are connected to the corner of this number.
    pub(super) fn connections(&self, corner: usize) -> usize {
        let (tile, pattern) = self.corners[corner];
        let mut count = 0;
        let classes = self.rules.ends(pattern);
        self.bits.each_span(self.rules, tile, classes, |span| count += span.count as usize);
        count
    }

    /// Joins everything; `None` if the number of connections does not fit 32 bits.
    pub(super) fn join(self) -> Option<(CornerGraph, Links)> {
        let Survey { grid, rules, bits, corners } = self;
        let graph = CornerGraph::new(&bits, rules, &corners);
        let width = grid.width() as usize;
        let cell_of = |t: Tile| (usize::from(t.y) * width + usize::from(t.x)) as u32;
        let reached: Vec<Vec<u32>> = threads::map(
            corners.len(),
            64,
            || (),
            |(), n| {
                let (tile, pattern) = corners[n];
                let mut cells = Vec::new();
                bits.each_span(rules, tile, rules.ends(pattern), |span| {
                    cells.extend(span.tiles().map(cell_of));
                });
                cells
            },
        );
        u32::try_from(reached.iter().map(Vec::len).sum::<usize>()).ok()?;
        let mut first = vec![0_u32; grid.tiles() + 1];
        for &cell in reached.iter().flatten() {
            first[cell as usize + 1] += 1;
        }
        for cell in 0..grid.tiles() {
            first[cell + 1] += first[cell];
        }
        let mut next = first.clone();
        let mut linked = vec![0_u32; first[grid.tiles()] as usize];
        for (n, cells) in reached.iter().enumerate() {
            for &cell in cells {
                linked[next[cell as usize] as usize] = n as u32;
                next[cell as usize] += 1;
            }
        }
        Some((graph, Links { first, corners: linked }))
    }
}
