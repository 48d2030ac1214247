//! Changing the map: only the clusters that a change touches are worked out anew, on
//! every level, and the graph is then bit by bit that of a fresh build.
//!
//! A tile touches its own cluster, and beyond a border line the neighbouring one, because
//! the entrance there may change. No other cluster sees it: a step inside a rectangle
//! needs only tiles of that rectangle.

use super::assemble::{Old, assemble};
use super::{Hpa, build, new_revision};
use crate::grid::{Grid, Tile};

impl Hpa {
    /// Brings the graph up to date after the given tiles of the map became free or wall,
    /// or got another cost factor. `grid` is the map after the change. Anchors and
    /// journeys made before are then stale: anchors are refused, journeys plan anew.
    ///
    /// ```
    /// use tidegate::{Grid, Tile, hpa::{Hpa, Options}};
    /// let mut grid = Grid::from_rows(&["......"; 6]).unwrap();
    /// let options = Options { cluster: 3, ..Options::default() };
    /// let mut hpa = Hpa::build(&grid, &options).unwrap();
    /// grid.set_free(Tile::new(2, 2), false);
    /// hpa.repair(&grid, &[Tile::new(2, 2)]);
    /// assert!(hpa.same_graph(&Hpa::build(&grid, &options).unwrap()));
    /// ```
    pub fn repair(&mut self, grid: &Grid, changed: &[Tile]) {
        let mut touched = vec![false; self.shape.layer(0).clusters()];
        for &tile in changed.iter().filter(|&&t| grid.contains(t)) {
            let around = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)];
            for (dx, dy) in around {
                let (x, y) = (i32::from(tile.x) + dx, i32::from(tile.y) + dy);
                if x >= 0 && y >= 0 && (x as u32) < grid.width() && (y as u32) < grid.height() {
                    let near = Tile::new(x as u16, y as u16);
                    touched[self.shape.layer(0).cluster_of(near) as usize] = true;
                }
            }
        }
        if !touched.contains(&true) {
            return;
        }
        self.revision = new_revision();
        let mut moved: Option<Vec<u32>> = None;
        for level in 0..self.levels.len() {
            if level > 0 {
                let layer = self.shape.layer(level);
                let any = |c: u32| touched[layer.children(c)].contains(&true);
                touched = (0..layer.clusters() as u32).map(any).collect();
            }
            let keep_ways = self.keeps_ways(level);
            let parts = build::each(touched.len(), |cluster, scratch| {
                touched[cluster as usize].then(|| self.part(grid, level, cluster, scratch))
            });
            let old = Old { level: &self.levels[level], below: moved.as_deref() };
            let (new, now) = assemble(self.shape.layer(level), &parts, Some(&old), keep_ways);
            self.levels[level] = new;
            moved = Some(now);
        }
    }
}
