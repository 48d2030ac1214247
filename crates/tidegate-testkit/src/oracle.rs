//! Textbook Dijkstra: the judge of every optimal engine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tidegate::{CellId, Grid, Tile};

/// The least cost from `start` to every tile, in row order; `None` where none leads.
pub fn distances(grid: &Grid, start: Tile) -> Vec<Option<u64>> {
    flood(grid, start, None)
}

/// The least cost from `start` to `goal`; `None` if there is no way or an end is a wall.
pub fn distance(grid: &Grid, start: Tile, goal: Tile) -> Option<u64> {
    flood(grid, start, Some(goal))[grid.cell(goal)?.index()]
}

fn flood(grid: &Grid, start: Tile, goal: Option<Tile>) -> Vec<Option<u64>> {
    let mut distances = vec![None; grid.tiles()];
    let mut done = vec![false; grid.tiles()];
    let goal = goal.and_then(|tile| grid.cell(tile));
    let Some(source) = grid.cell(start).filter(|&c| grid.is_free_cell(c)) else {
        return distances;
    };
    distances[source.index()] = Some(0);
    let mut open = BinaryHeap::from([Reverse((0_u64, source.index()))]);
    while let Some(Reverse((cost, index))) = open.pop() {
        if std::mem::replace(&mut done[index], true) {
            continue;
        }
        let cell = CellId::from_index(index);
        if goal == Some(cell) {
            break;
        }
        for (next, direction) in grid.neighbours(cell) {
            let cost = cost + u64::from(grid.step_cost(cell, next, direction));
            if distances[next.index()].is_none_or(|old| cost < old) {
                distances[next.index()] = Some(cost);
                open.push(Reverse((cost, next.index())));
            }
        }
    }
    distances
}
