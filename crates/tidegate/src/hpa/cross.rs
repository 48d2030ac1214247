//! Crossing a cluster of tiles: over a kept way, or by a search inside it.

use super::plan::{Halt, Planner, Work};
use super::shape::Rect;
use super::trees::{self, NO_STEP};
use super::window::Window;
use crate::cost::Cost;
use crate::grid::{Direction, Tile};
use crate::search::NodesToCells;
use crate::search::Observer;

impl Planner<'_> {
    /// Crosses a cluster of tiles to one of its nodes.
    pub(crate) fn cross_to(
        &self,
        from: Tile,
        node: u32,
        work: &mut Work,
        tiles: &mut Vec<Tile>,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let (graph, cluster) = (&self.hpa.levels[0], self.hpa.shape.layer(0).cluster_of(from));
        if graph.trees.is_none() {
            let rect = self.hpa.shape.rect(0, cluster);
            let to = graph.tile[node as usize];
            return self.search_tiles(rect, from, to, work, tiles, observer);
        }
        let first = tiles.len();
        let there = self.walk(cluster, node, from, |tile, _| tiles.push(tile));
        work.look(tiles.len() - first, observer)?;
        if there { Ok(()) } else { Err(Halt::NoWay) }
    }

    /// Crosses a cluster of tiles from one of its nodes.
    pub(crate) fn cross_from(
        &self,
        node: u32,
        to: Tile,
        work: &mut Work,
        tiles: &mut Vec<Tile>,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let (graph, cluster) = (&self.hpa.levels[0], self.hpa.shape.layer(0).cluster_of(to));
        if graph.trees.is_none() {
            let rect = self.hpa.shape.rect(0, cluster);
            let from = graph.tile[node as usize];
            return self.search_tiles(rect, from, to, work, tiles, observer);
        }
        // The kept way leads to the node: turn it around.
        let first = tiles.len();
        tiles.push(to);
        let there = self.walk(cluster, node, to, |tile, _| tiles.push(tile));
        tiles.pop();
        tiles[first..].reverse();
        work.look(tiles.len() - first, observer)?;
        if there { Ok(()) } else { Err(Halt::NoWay) }
    }

    /// Follows the kept way from a tile of a cluster to one of its nodes; calls `visit`
    /// with every tile after the first and the cost of the step to it.
    #[inline]
    pub(crate) fn walk(
        &self,
        cluster: u32,
        node: u32,
        from: Tile,
        mut visit: impl FnMut(Tile, Cost),
    ) -> bool {
        let (graph, grid) = (&self.hpa.levels[0], self.grid);
        let Some(trees) = &graph.trees else { return false };
        let nodes = graph.cluster(cluster);
        let row = trees.row(cluster, node - nodes.start, nodes.end - nodes.start);
        let rect = self.hpa.shape.rect(0, cluster);
        let (end, width) = (graph.tile[node as usize], rect.width() as i32);
        let Some(mut cell) = grid.cell(from) else { return false };
        let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
        let mut place = (y - rect.y0 as i32) * width + x - rect.x0 as i32;
        while (x, y) != (i32::from(end.x), i32::from(end.y)) {
            let step = trees::step(row, place as u32);
            if step == NO_STEP {
                return false;
            }
            let direction = Direction::from_bit(step.into());
            let (dx, dy) = direction.delta();
            let next = grid.step(cell, direction);
            (x, y, place) = (x + dx, y + dy, place + dy * width + dx);
            visit(Tile::new(x as u16, y as u16), grid.step_cost(cell, next, direction));
            cell = next;
        }
        true
    }

    pub(crate) fn search_tiles(
        &self,
        rect: Rect,
        from: Tile,
        to: Tile,
        work: &mut Work,
        tiles: &mut Vec<Tile>,
        observer: &mut (impl Observer<Cost> + ?Sized),
    ) -> Result<(), Halt> {
        let window = Window::new(self.grid, rect);
        let mut lens = NodesToCells { inner: observer, cell: |n| window.cell(n) };
        let (end, stats) = window.find(from, to, &mut work.tiles, &mut lens);
        work.effort.refinement += stats;
        let (node, _) = Halt::unless_goal(end)?;
        let first = tiles.len();
        tiles.extend(work.tiles.way_back(node).map(|n| window.tile(n)));
        tiles.pop();
        tiles[first..].reverse();
        Ok(())
    }
}
