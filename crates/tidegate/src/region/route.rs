//! Ways over the region graph: which gates lie between two tiles.

use super::Regions;
use crate::cost::Cost;
use crate::decompose::{GateId, Place};
use crate::grid::Tile;
use crate::search::{Blind, End, HeapQueue, SearchScratch, Space, search};

/// Gates as nodes, and the goal after them; a step goes from middle to middle.
struct Gates<'r> {
    regions: &'r Regions<'r>,
    goal: Tile,
}

impl Gates<'_> {
    fn middle(&self, gate: GateId) -> Tile {
        self.regions.gate(gate).line().middle()
    }

    /// The gates around a place, and whether the goal lies in it.
    fn around(&self, place: Place, mut visit: impl FnMut(GateId), mut arrive: impl FnMut()) {
        let goal = self.regions.place(self.goal);
        if place == goal {
            arrive();
        }
        match place {
            Place::Wall => {}
            Place::Zone(zone) => self.regions.zone(zone).gates().iter().for_each(|&g| visit(g)),
            Place::Gate(gate) => {
                let gate = self.regions.gate(gate);
                gate.gates().iter().for_each(|&g| visit(g));
                for &zone in gate.zones() {
                    self.regions.zone(zone).gates().iter().for_each(|&g| visit(g));
                    if Place::Zone(zone) == goal {
                        arrive();
                    }
                }
            }
        }
    }
}

impl Space for Gates<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.regions.parts.gates().len() + 1
    }

    fn successors(&self, node: u32, _: u32, visit: impl FnMut(u32, Cost)) {
        if node as usize + 1 == self.nodes() {
            return;
        }
        let gate = GateId::from_index(node as usize);
        let here = self.middle(gate);
        let visit = std::cell::RefCell::new(visit);
        let far = |to: Tile| self.regions.grid.movement().estimate(here, to);
        self.around(
            Place::Gate(gate),
            |next| {
                if next != gate {
                    (visit.borrow_mut())(next.index() as u32, far(self.middle(next)));
                }
            },
            || (visit.borrow_mut())(self.nodes() as u32 - 1, far(self.goal)),
        );
    }
}

impl Regions<'_> {
    /// The gates to pass from one tile to another, in order, measured as the crow flies
    /// from middle to middle: quick, and what a planner of large moves wants. Empty if both
    /// tiles are in one zone; `None` if there is no way. For the gates of one exact path
    /// see [`Regions::gates_on`].
    pub fn route(&self, from: Tile, to: Tile) -> Option<Vec<GateId>> {
        let (start, end) = (self.place(from), self.place(to));
        if start == Place::Wall || end == Place::Wall {
            return None;
        }
        if start == end {
            return Some(if let Place::Gate(gate) = start { vec![gate] } else { Vec::new() });
        }
        let space = Gates { regions: self, goal: to };
        let mut sources: Vec<(u32, Cost)> = Vec::new();
        let mut add = |gate: GateId| {
            let far = self.grid.movement().estimate(from, space.middle(gate));
            sources.push((gate.index() as u32, far));
        };
        match start {
            Place::Gate(gate) => add(gate),
            _ => space.around(start, add, || {}),
        }
        let goal = space.nodes() as u32 - 1;
        let mut scratch: SearchScratch<Cost, HeapQueue<Cost>> = SearchScratch::new();
        let is_goal = |node: u32| node == goal;
        let (end, _) = search(&space, &sources, is_goal, &mut Blind, &mut scratch, &mut ());
        let End::Goal(node, _) = end else { return None };
        let mut gates: Vec<GateId> = scratch
            .way_back(node)
            .filter(|&n| n != goal)
            .map(|n| GateId::from_index(n as usize))
            .collect();
        gates.reverse();
        Some(gates)
    }
}
