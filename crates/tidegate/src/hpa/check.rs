//! Whether a graph can be what it claims to be: for graphs that come from a file.

use super::Hpa;
use super::level::Level;
use super::trees::{self, NO_HOP, NO_STEP};
use crate::cost::{Cost, INFINITY, LIMIT};
use crate::grid::{CellId, Direction, Grid};

/// What is wrong with a graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("level {level} of the graph is damaged: {what}")]
pub struct GraphError {
    /// The level, counted from 1.
    pub level: usize,
    /// What was found.
    pub what: String,
}

impl Hpa {
    /// Checks that all arrays fit together and fit the map, so that no query can leave
    /// them: every node stands on a free tile of its own cluster and is what it claims to
    /// be one level below; every edge leads to a node, costs at least the estimate, and
    /// has its like in the other direction; every step between clusters is legal; every
    /// kept way takes legal steps (above the lowest level: edges) and comes to its end.
    pub fn check(&self, grid: &Grid) -> Result<(), GraphError> {
        for level in 0..self.levels.len() {
            let on_level = |what| GraphError { level: level + 1, what };
            self.check_arrays(level).map_err(on_level)?;
            self.check_nodes(grid, level).map_err(on_level)?;
            self.check_edges(grid, level).map_err(on_level)?;
            self.check_ways(grid, level).map_err(on_level)?;
        }
        Ok(())
    }

    fn check_arrays(&self, index: usize) -> Result<(), String> {
        let (level, sound) = (&self.levels[index], self.empty_level(index));
        let same = |what: &str, found: usize, wanted: usize| {
            let fits = found == wanted;
            fits.then_some(()).ok_or_else(|| format!("{found} {what}, not {wanted}"))
        };
        if level.start != sound.start {
            return Err("the numbers of the clusters are not those of the map".into());
        }
        let numbers = sound.tile.len();
        same("clusters", level.count.len(), sound.count.len())?;
        same("nodes", level.tile.len(), numbers)?;
        same("nodes below", level.below.len(), numbers)?;
        same("edge starts", level.edge_start.len(), numbers)?;
        same("levels with ways", level.trees.is_some().into(), sound.trees.is_some().into())?;
        let rows = |level: &Level| level.trees.as_ref().map_or(0, |trees| trees.rows.len());
        same("clusters with ways", rows(level), rows(&sound))?;
        for cluster in level.clusters() {
            let count = level.count[cluster as usize];
            let room = level.start[cluster as usize + 1] - level.start[cluster as usize];
            if count >= room {
                return Err(format!("{count} nodes in a cluster for less than {room}"));
            }
            let slots = level.slots(cluster);
            let starts = &level.edge_start[slots.start..=slots.end];
            if !starts.is_sorted() || starts[starts.len() - 1] as usize > level.edges.len() {
                return Err("the edge starts are out of order".into());
            }
            if let Some(trees) = &level.trees {
                let wanted = u64::from(count) * self.row_bytes(index, cluster);
                same("bytes of ways", trees.rows[cluster as usize].len(), wanted as usize)?;
            }
        }
        Ok(())
    }

    /// Bytes of a row of ways in a cluster.
    fn row_bytes(&self, level: usize, cluster: u32) -> u64 {
        if level == 0 {
            let rect = self.shape.rect(0, cluster);
            (u64::from(rect.width()) * u64::from(rect.height())).div_ceil(2)
        } else {
            let children = self.shape.layer(level).children(cluster);
            2 * self.levels[level - 1].nodes_of(children).count() as u64
        }
    }

    fn check_nodes(&self, grid: &Grid, index: usize) -> Result<(), String> {
        let (level, layer) = (&self.levels[index], self.shape.layer(index));
        for cluster in 0..layer.clusters() as u32 {
            let nodes = level.cluster(cluster);
            for node in nodes.clone() {
                let (tile, below) = (level.tile[node as usize], level.below[node as usize]);
                let inside = grid.is_free(tile) && layer.cluster_of(tile) == cluster;
                let known = if index == 0 {
                    grid.cell(tile).is_some_and(|cell| cell.index() == below as usize)
                } else {
                    let inside = self.numbers_inside(index, cluster);
                    inside.contains(&below) && self.levels[index - 1].tile[below as usize] == tile
                };
                let ordered = node == nodes.start || level.below[node as usize - 1] < below;
                if !(inside && known && ordered) {
                    return Err(format!("node {node} at {tile} does not belong there"));
                }
            }
        }
        Ok(())
    }

    fn check_edges(&self, grid: &Grid, index: usize) -> Result<(), String> {
        let (level, layer) = (&self.levels[index], self.shape.layer(index));
        for node in level.clusters().flat_map(|cluster| level.cluster(cluster)) {
            let tile = level.tile[node as usize];
            for edge in level.edges(node) {
                let wrong = |what| Err(format!("edge from node {node} to {}: {what}", edge.to));
                if !level.is_node(edge.to) {
                    return wrong("no such node");
                }
                let other = level.tile[edge.to as usize];
                let least = grid.movement().estimate(tile, other);
                if !(least..=LIMIT).contains(&edge.cost) || edge.to == node {
                    return wrong("impossible cost");
                }
                let between = layer.cluster_of(tile) != layer.cluster_of(other);
                if between && !grid.is_legal_step(tile, other) {
                    return wrong("not a legal step");
                }
                if back(level, edge.to, node) != edge.cost {
                    return wrong("not the same both ways");
                }
            }
        }
        Ok(())
    }
}

impl Hpa {
    fn check_ways(&self, grid: &Grid, index: usize) -> Result<(), String> {
        let (level, layer) = (&self.levels[index], self.shape.layer(index));
        let Some(trees) = &level.trees else { return Ok(()) };
        let mut places = Vec::new();
        for cluster in 0..layer.clusters() as u32 {
            let nodes = level.cluster(cluster);
            for node in nodes.clone() {
                let row = trees.row(cluster, node - nodes.start, nodes.end - nodes.start);
                let sound = if index == 0 {
                    self.next_tiles(grid, cluster, row, &mut places)
                } else {
                    self.next_nodes(index, cluster, row, &mut places)
                };
                if !(sound && all_end(&mut places)) {
                    return Err(format!("the ways to node {node} are not ways"));
                }
            }
        }
        Ok(())
    }

    /// The next place of each tile of a cluster, itself where its way ends; whether every
    /// step is legal and stays inside.
    fn next_tiles(&self, grid: &Grid, cluster: u32, row: &[u8], next: &mut Vec<u32>) -> bool {
        let rect = self.shape.rect(0, cluster);
        let (width, tiles) = (rect.width(), rect.width() * rect.height());
        next.clear();
        (0..tiles).all(|place| {
            let step = trees::step(row, place);
            next.push(place);
            if step == NO_STEP {
                return true;
            }
            let (x, y) = (place % width + rect.x0, place / width + rect.y0);
            let direction = Direction::from_bit(step.into());
            let (dx, dy) = direction.delta();
            let (to_x, to_y) = (x as i32 + dx, y as i32 + dy);
            let inside = (rect.x0 as i32..rect.x1 as i32).contains(&to_x)
                && (rect.y0 as i32..rect.y1 as i32).contains(&to_y);
            let cell = CellId::from_index((y * grid.width() + x) as usize);
            if step > 7 || !inside || grid.moves(cell) & direction.mask() == 0 {
                return false;
            }
            next[place as usize] = (to_y as u32 - rect.y0) * width + to_x as u32 - rect.x0;
            true
        })
    }

    /// The same for the nodes one level below.
    fn next_nodes(&self, level: usize, cluster: u32, row: &[u8], next: &mut Vec<u32>) -> bool {
        let (lower, inside) = (&self.levels[level - 1], self.numbers_inside(level, cluster));
        next.clear();
        let nodes = lower.nodes_of(self.shape.layer(level).children(cluster));
        nodes.zip(0..).all(|(from, place)| {
            let hop = trees::hop(row, place);
            let to = inside.start + u32::from(hop);
            if hop == NO_HOP {
                next.push(place);
                return true;
            }
            let sound =
                inside.contains(&to) && lower.is_node(to) && back(lower, from, to) < INFINITY;
            next.push(if sound { lower.place[to as usize].into() } else { place });
            sound
        })
    }
}

/// Whether following the numbers from any place comes to one that is its own next.
/// Places already followed are pointed at their end.
fn all_end(next: &mut [u32]) -> bool {
    for first in 0..next.len() {
        let (mut at, mut steps) = (first, 0);
        while next[at] as usize != at {
            (at, steps) = (next[at] as usize, steps + 1);
            if steps > next.len() {
                return false;
            }
        }
        let mut back = first;
        while back != at {
            back = std::mem::replace(&mut next[back], at as u32) as usize;
        }
    }
    true
}

/// The cost of the edge between two nodes.
fn back(level: &Level, from: u32, to: u32) -> Cost {
    level.edges(from).iter().find(|e| e.to == to).map_or(INFINITY, |e| e.cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hpa::{HpaScratch, Options};
    use crate::path::Path;
    use crate::rng::Rng;

    fn built() -> (Grid, Hpa) {
        let mut rng = Rng::new(3);
        let grid = Grid::from_fn(26, 23, Default::default(), |_, _| !rng.chance(20)).unwrap();
        let options = Options { cluster: 5, levels: Some(3), ..Options::default() };
        let hpa = Hpa::build(&grid, &options).unwrap();
        (grid, hpa)
    }

    /// Changes one number somewhere.
    fn damage(hpa: &mut Hpa, rng: &mut Rng) {
        let count = hpa.levels.len();
        let level = &mut hpa.levels[rng.below(count)];
        let nodes: Vec<u32> = level.clusters().flat_map(|cluster| level.cluster(cluster)).collect();
        let node = nodes[rng.below(nodes.len())] as usize;
        let edges = level.edges.len();
        let value = [0, 1, 7, 60, 1 << 20, u32::MAX][rng.below(6)];
        match rng.below(7) {
            0 => {
                let clusters = level.count.len();
                level.count[rng.below(clusters)] = value;
            }
            1 => level.tile[node].x = value as u16,
            2 => level.below[node] = value,
            3 => level.edge_start[node + rng.below(2)] = value,
            4 => level.edges[rng.below(edges)].to = value,
            5 => level.edges[rng.below(edges)].cost = Cost::new(value),
            _ => {
                if let Some(trees) = &mut level.trees {
                    let clusters = trees.rows.len();
                    let rows = &mut trees.rows[rng.below(clusters)];
                    if !rows.is_empty() {
                        let count = rows.len();
                        rows[rng.below(count)] ^= 1 << rng.below(8);
                    }
                }
            }
        }
    }

    /// A damaged graph is refused, or all its answers are still legal paths.
    #[test]
    fn no_damage_leads_to_an_illegal_path() {
        let (grid, sound) = built();
        assert_eq!(sound.check(&grid), Ok(()));
        let (mut rng, mut scratch, mut path) = (Rng::new(1), HpaScratch::new(), Path::new());
        let cells: Vec<_> = grid.free_cells().collect();
        let mut refused = 0;
        for _ in 0..3000 {
            let mut hpa = sound.clone();
            damage(&mut hpa, &mut rng);
            if hpa.check(&grid).is_err() {
                refused += 1;
                continue;
            }
            for _ in 0..10 {
                let pick = |rng: &mut Rng| grid.tile(cells[rng.below(cells.len())]);
                let (a, b) = (pick(&mut rng), pick(&mut rng));
                if let Some(cost) = hpa.planner(&grid).find(a, b, &mut scratch, &mut path) {
                    assert_eq!(path.check_answer(&grid, a, b, cost), Ok(()));
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }

    #[test]
    fn ways_that_run_in_circles_are_found() {
        assert!(all_end(&mut [0, 0, 1, 1]));
        assert!(!all_end(&mut [1, 2, 0]));
        assert!(!all_end(&mut [0, 2, 1]));
    }
}
