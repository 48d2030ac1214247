//! Which zones and gates can matter on a way between two places.
//!
//! The places are joined by an edge where a legal step joins them. A bridge is an edge
//! without which its two sides fall apart. A best way never needs to cross a bridge and
//! come back: one end of it is a gate, and if the gate's own tiles join any two of them
//! by a shortest way, walking along the gate is as short as any excursion. So only the
//! places on the path between start and goal in the tree of what bridges join matter,
//! and the gates beside them.
//!
//! Gates that are not straight enough for that argument never count as ends of bridges.

use super::gate_distances::bounds_if;
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::Cost;
use crate::decompose::{Decomposition, Gate, Place};
use crate::grid::{CellId, Direction, Grid};
use crate::index::{Edit, Index, Refused, Table, TableKind, TableState};
use crate::search::{Blind, HeapQueue, SearchScratch, Space, search};
use std::sync::Arc;

/// No parent: the root of a tree.
const ROOT: u32 = u32::MAX;

/// The tree of bridges of a decomposition. Places are numbered: zones, then gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadEnds {
    zones: usize,
    /// By place: its component, joined without bridges.
    component: Vec<u32>,
    /// By component: the component nearer to the root, and how far the root is.
    parent: Vec<u32>,
    depth: Vec<u32>,
    /// By gate: the places a step away.
    beside: Vec<Vec<u32>>,
}

/// What a query works out; kept between queries for its memory.
#[derive(Clone, Debug, Default)]
pub struct DeadEndScratch {
    on_path: Vec<bool>,
    relevant: Vec<bool>,
}

impl DeadEndScratch {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.on_path.capacity() + self.relevant.capacity()
    }
}

impl DeadEnds {
    /// Finds the bridges.
    pub fn build(grid: &Grid, decomposition: &Decomposition) -> DeadEnds {
        let (zones, gates) = (decomposition.zones().len(), decomposition.gates());
        let straight: Vec<bool> = gates.iter().map(|gate| is_straight(grid, gate)).collect();
        let mut edges: Vec<(u32, u32, bool)> = Vec::new();
        let mut beside = Vec::with_capacity(gates.len());
        for (i, gate) in gates.iter().enumerate() {
            let me = (zones + i) as u32;
            let mut near: Vec<u32> = gate.zones().iter().map(|z| z.index() as u32).collect();
            edges.extend(near.iter().map(|&zone| (me, zone, straight[i])));
            for other in gate.gates() {
                let j = other.index();
                near.push((zones + j) as u32);
                if i < j {
                    edges.push((me, (zones + j) as u32, straight[i] && straight[j]));
                }
            }
            beside.push(near);
        }
        let (component, parent, depth) = bridge_tree(zones + gates.len(), &edges);
        DeadEnds { zones, component, parent, depth, beside }
    }

    /// The number of a place; walls have none.
    #[inline]
    pub fn number(&self, place: Place) -> Option<usize> {
        match place {
            Place::Wall => None,
            Place::Zone(zone) => Some(zone.index()),
            Place::Gate(gate) => Some(self.zones + gate.index()),
        }
    }

    /// By place: whether a best way from `start` to `goal` may lead over it.
    pub fn relevant<'s>(
        &self,
        start: Place,
        goal: Place,
        scratch: &'s mut DeadEndScratch,
    ) -> &'s [bool] {
        let DeadEndScratch { on_path, relevant } = scratch;
        on_path.clear();
        on_path.resize(self.parent.len(), false);
        relevant.clear();
        if let (Some(a), Some(b)) = (self.number(start), self.number(goal)) {
            let (mut a, mut b) = (self.component[a], self.component[b]);
            on_path[a as usize] = true;
            on_path[b as usize] = true;
            // Places that nothing joins have different roots and end up there.
            while a != b && (a != ROOT || b != ROOT) {
                let rise = |c: u32| self.parent[c as usize];
                let deeper = |a: u32, b: u32| {
                    b == ROOT || (a != ROOT && self.depth[a as usize] >= self.depth[b as usize])
                };
                let risen = if deeper(a, b) { &mut a } else { &mut b };
                *risen = rise(*risen);
                if *risen != ROOT {
                    on_path[*risen as usize] = true;
                }
            }
        }
        relevant.extend(self.component.iter().map(|&c| on_path[c as usize]));
        for (i, near) in self.beside.iter().enumerate() {
            let kept = near.iter().any(|&p| on_path[self.component[p as usize] as usize]);
            relevant[self.zones + i] |= kept;
        }
        relevant
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let lists = self.beside.iter().map(Vec::len).sum::<usize>();
        (self.component.len() + self.parent.len() + self.depth.len() + lists) * 4
    }
}

/// The section is empty: finding the bridges again is quicker than checking them.
impl Table for DeadEnds {
    type Options = ();
    const NAME: &'static str = "dead ends";
    const TAG: [u8; 4] = *b"dead";
    const RESTS_ON: &'static [&'static TableKind] = &[Decomposition::KIND];

    fn build(index: &Index, (): &()) -> Result<Self, Refused> {
        Ok(DeadEnds::build(index.grid(), index.required()))
    }

    /// What lay off every way still does as long as no way has come.
    fn repair(_: &mut Arc<Self>, _: &Index, edit: &mut Edit) -> TableState {
        bounds_if(edit.only_lengthens() && edit.keeps_gates())
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, _: &mut Writer) {}

    fn read(_: &mut Reader<'_>, index: &Index, (): &()) -> Result<Self, WireError> {
        Ok(DeadEnds::build(index.grid(), index.required()))
    }
}

/// The tiles of one gate, numbered along it.
struct GateTiles<'a> {
    grid: &'a Grid,
    tiles: &'a [CellId],
}

impl Space for GateTiles<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.tiles.len()
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        let cell = self.tiles[node as usize];
        for (next, direction) in self.grid.neighbours(cell) {
            // Neighbours along a gate, stairs included, are at most two places apart.
            let near = (node as usize).saturating_sub(3)..(node as usize + 4).min(self.tiles.len());
            if let Some(at) = near.clone().find(|&i| self.tiles[i] == next) {
                visit(at as u32, self.grid.step_cost(cell, next, direction));
            }
        }
    }
}

/// Whether the gate's own tiles join any two of them by a shortest way.
pub(super) fn is_straight(grid: &Grid, gate: &Gate) -> bool {
    let space = GateTiles { grid, tiles: gate.tiles() };
    // The common case at once: from tile to tile always the same step at its plain cost.
    let tile = |cell: &CellId| grid.tile(*cell);
    let step = |pair: &[CellId]| {
        let (a, b) = (tile(&pair[0]), tile(&pair[1]));
        let (dx, dy) = (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
        let direction = Direction::from_delta(dx, dy)?;
        let plain = grid.is_legal_step(a, b)
            && grid.step_cost(pair[0], pair[1], direction) == direction.cost();
        plain.then_some(direction)
    };
    let mut steps = space.tiles.windows(2).map(step);
    if let Some(first) = steps.next().unwrap_or(None)
        && steps.all(|step| step == Some(first))
    {
        return true;
    }
    let mut scratch = SearchScratch::<Cost, HeapQueue<Cost>>::new();
    (0..space.nodes() as u32).all(|from| {
        search(&space, &[(from, Cost::ZERO)], |_| false, &mut Blind, &mut scratch, &mut ());
        let here = grid.tile(space.tiles[from as usize]);
        (0..space.nodes() as u32).all(|to| {
            let there = grid.tile(space.tiles[to as usize]);
            scratch.cost(to) == Some(grid.movement().estimate(here, there))
        })
    })
}

/// Components joined without bridges, and the forest that bridges make of them. An edge
/// whose flag is false never counts as a bridge.
fn bridge_tree(nodes: usize, edges: &[(u32, u32, bool)]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let mut at: Vec<Vec<(u32, usize)>> = vec![Vec::new(); nodes];
    for (e, &(a, b, _)) in edges.iter().enumerate() {
        at[a as usize].push((b, e));
        at[b as usize].push((a, e));
    }
    // Depth-first numbers, and the smallest that a subtree reaches by one edge back.
    let (mut number, mut low) = (vec![0_u32; nodes], vec![0_u32; nodes]);
    let (mut component, mut parent, mut depth) = (vec![ROOT; nodes], Vec::new(), Vec::new());
    let mut bridge = vec![false; edges.len()];
    let mut count = 0;
    let mut order = Vec::with_capacity(nodes);
    for root in 0..nodes {
        if number[root] != 0 {
            continue;
        }
        let mut stack = vec![(root, usize::MAX, 0)];
        while let Some(&mut (node, came, ref mut next)) = stack.last_mut() {
            if *next == 0 {
                count += 1;
                (number[node], low[node]) = (count, count);
                order.push((node, came));
            }
            if let Some(&(to, edge)) = at[node].get(*next) {
                *next += 1;
                if number[to as usize] == 0 {
                    stack.push((to as usize, edge, 0));
                } else if edge != came {
                    low[node] = low[node].min(number[to as usize]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(above, ..)) = stack.last() {
                low[above] = low[above].min(low[node]);
                bridge[came] = low[node] == number[node] && edges[came].2;
            }
        }
    }
    for (node, came) in order {
        let above = (came != usize::MAX).then(|| {
            let (a, b, _) = edges[came];
            if a as usize == node { b } else { a }
        });
        component[node] = match above {
            Some(above) if !bridge[came] => component[above as usize],
            _ => {
                let from = above.map_or(ROOT, |above| component[above as usize]);
                depth.push(if from == ROOT { 0 } else { depth[from as usize] + 1 });
                parent.push(from);
                parent.len() as u32 - 1
            }
        };
    }
    (component, parent, depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bridges_make_a_tree() {
        // 0-1-2-0 is a ring, 2-3 a bridge, 3-4 a bridge that may not count, 5 is alone.
        let edges = [(0, 1, true), (1, 2, true), (2, 0, true), (2, 3, true), (3, 4, false)];
        let (component, parent, depth) = bridge_tree(6, &edges);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[1], component[2]);
        assert_ne!(component[2], component[3]);
        assert_eq!(component[3], component[4]);
        assert_eq!(parent[component[3] as usize], component[0]);
        assert_eq!(depth[component[3] as usize], 1);
        assert_eq!(parent[component[5] as usize], ROOT);
    }

    #[test]
    fn two_edges_between_the_same_places_are_no_bridge() {
        let (component, ..) = bridge_tree(2, &[(0, 1, true), (0, 1, true)]);
        assert_eq!(component[0], component[1]);
    }
}
