//! Dead ends and loops of the region graph: what falls apart when a gate is closed.
//!
//! Zones and gates are the nodes, joined where a legal step joins them. One depth-first walk
//! (Hopcroft and Tarjan 1973) finds the blocks: sets of nodes that no single node holds together.
//! Zones cannot be closed, so blocks that meet in a zone belong together; blocks that meet in a
//! gate are what the gate joins.

use super::Regions;
use crate::decompose::{GateId, ZoneId};

/// A gate that alone joins zones: when it is closed they fall apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bridge {
    gate: GateId,
    cut_off: u64,
}

impl Bridge {
    /// The gate.
    pub fn gate(&self) -> GateId {
        self.gate
    }

    /// How many tiles of zones are cut off from the largest piece when it is closed.
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }
}

/// Zones with a single gate out, into which whoever goes must come back the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadEnd {
    gate: GateId,
    group: usize,
}

impl DeadEnd {
    /// The gate that leads out.
    pub fn gate(&self) -> GateId {
        self.gate
    }

    /// The zones behind it, as a number in [`Loops::groups`].
    pub fn group(&self) -> usize {
        self.group
    }
}

/// Dead ends and loops of a map. See [`Regions::loops`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    bridges: Vec<Bridge>,
    groups: Vec<Vec<ZoneId>>,
    /// By zone; unset for numbers that are gone.
    group_of: Vec<Option<u32>>,
    dead_ends: Vec<DeadEnd>,
}

impl Loops {
    /// The gates whose closing separates zones, by number.
    pub fn bridges(&self) -> &[Bridge] {
        &self.bridges
    }

    /// What closing this gate cuts off, if it is a bridge.
    pub fn bridge(&self, gate: GateId) -> Option<Bridge> {
        let found = self.bridges.binary_search_by_key(&gate, |bridge| bridge.gate);
        found.ok().map(|i| self.bridges[i])
    }

    /// All zones in groups that no single gate separates: within a group there is a second way
    /// whichever gate is closed. A group of several zones is a loop or several that hang
    /// together; a group of one zone is on no loop. Sorted, by their first zones.
    pub fn groups(&self) -> &[Vec<ZoneId>] {
        &self.groups
    }

    /// The number of a zone's group; `None` if there is no such zone, and for pockets.
    pub fn group_of(&self, zone: ZoneId) -> Option<usize> {
        self.group_of.get(zone.index()).copied().flatten().map(|group| group as usize)
    }

    /// The groups that a single bridge joins to the rest, by group.
    pub fn dead_ends(&self) -> &[DeadEnd] {
        &self.dead_ends
    }
}

/// What a node of the walk knows.
#[derive(Clone, Copy, Default)]
struct Node {
    /// When the walk came here, from 1; 0 if it has not.
    order: u32,
    /// The earliest node that it or one below it touches.
    low: u32,
    /// Tiles of zones at it and below it.
    area: u64,
    /// Of the pieces that hang on it alone: how many have zones, their tiles, the largest.
    pieces: u32,
    hanging: u64,
    largest: u64,
}

/// Sets of zones that are joined one by one.
struct Groups(Vec<u32>);

impl Groups {
    fn first(&mut self, mut zone: u32) -> u32 {
        while self.0[zone as usize] != zone {
            let above = self.0[self.0[zone as usize] as usize];
            self.0[zone as usize] = above;
            zone = above;
        }
        zone
    }

    /// The first zone of both names the set from now on.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

struct Walk<'r> {
    regions: &'r Regions<'r>,
    nodes: Vec<Node>,
    groups: Groups,
    bridges: Vec<Bridge>,
}

impl Walk<'_> {
    /// All that can be reached from here.
    fn component(&mut self, root: u32) {
        let mut count = 0;
        let mut members: Vec<u32> = Vec::new();
        // Nodes whose block is not known yet; and the way to where the walk is, each node with
        // the number of its neighbours that it has looked at.
        let mut open: Vec<u32> = Vec::new();
        let mut way: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some(&(node, looked)) = way.last() {
            let parent = way.len().checked_sub(2).map(|i| way[i].0);
            if looked == 0 {
                count += 1;
                let is_zone = self.regions.gate_of(node).is_none();
                let zone = || self.regions.zone(ZoneId::from_index(node as usize)).area();
                let area = if is_zone { u64::from(zone()) } else { 0 };
                self.nodes[node as usize] =
                    Node { order: count, low: count, area, ..Node::default() };
                members.push(node);
                open.push(node);
            }
            way.last_mut().expect("the node itself").1 += 1;
            match self.regions.beside(node, looked) {
                Some(next) if self.nodes[next as usize].order == 0 => way.push((next, 0)),
                Some(next) => {
                    let seen = self.nodes[next as usize].order;
                    let low = &mut self.nodes[node as usize].low;
                    *low = seen.min(*low);
                }
                None => {
                    way.pop();
                    if let Some(parent) = parent {
                        self.leave(node, parent, &mut open);
                    }
                }
            }
        }
        let total = self.nodes[root as usize].area;
        for node in members {
            let Some(gate) = self.regions.gate_of(node) else { continue };
            let Node { pieces, hanging, largest, .. } = self.nodes[node as usize];
            // The walk began in a zone, so there is more than what hangs on the gate.
            let rest = total - hanging;
            if pieces > 0 {
                self.bridges.push(Bridge { gate, cut_off: total - largest.max(rest) });
            }
        }
    }

    /// Goes back from a node to its parent; a block is complete if nothing below the parent
    /// touches anything above it.
    fn leave(&mut self, node: u32, parent: u32, open: &mut Vec<u32>) {
        let done = self.nodes[node as usize];
        let above = &mut self.nodes[parent as usize];
        above.low = above.low.min(done.low);
        above.area += done.area;
        if done.low < above.order {
            return;
        }
        above.pieces += u32::from(done.area > 0);
        above.hanging += done.area;
        above.largest = above.largest.max(done.area);
        let mut first = self.regions.gate_of(parent).is_none().then_some(parent);
        while let Some(member) = open.pop() {
            if self.regions.gate_of(member).is_none() {
                self.groups.join(member, *first.get_or_insert(member));
            }
            if member == node {
                break;
            }
        }
    }
}

impl Regions<'_> {
    /// The places around a place, by number.
    fn beside(&self, place: u32, n: usize) -> Option<u32> {
        let Some(gate) = self.gate_of(place) else {
            let zone = self.zone(ZoneId::from_index(place as usize));
            return zone.gates().get(n).map(|&gate| self.gate_number(gate));
        };
        let zones = self.gate(gate).zones();
        match zones.get(n) {
            Some(zone) => Some(zone.index() as u32),
            None => self.gate(gate).gates().get(n - zones.len()).map(|&g| self.gate_number(g)),
        }
    }

    /// Dead ends and loops: which gates hold the map together, which zones have a second way
    /// to each other whichever gate is closed, which have one way out. Worked out when first
    /// asked for, in time that grows as zones and gates do.
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::Regions;
    /// use tidegate::{Grid, Tile};
    /// // Two doors lead from the left to the middle, one from there to the right.
    /// let grid = Grid::from_rows(&["..#..#..", ".....#..", "..#.....", ".....#.."]).unwrap();
    /// let door = |x, y| GateLine::new(Tile::new(x, y), Tile::new(x, y), Source::Manual);
    /// let doors = [door(2, 1), door(2, 3), door(5, 2)];
    /// let parts = Decomposition::from_gates(&grid, doors).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let loops = regions.loops();
    /// assert_eq!(loops.bridges().len(), 1);
    /// assert_eq!(regions.gate(loops.bridges()[0].gate()).a(), Tile::new(5, 2));
    /// assert_eq!(loops.bridges()[0].cut_off(), 8);
    /// assert_eq!(loops.groups().iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    /// ```
    pub fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| {
            let zones = self.parts.zones().len();
            let mut walk = Walk {
                regions: self,
                nodes: vec![Node::default(); self.places()],
                groups: Groups((0..zones as u32).collect()),
                bridges: Vec::new(),
            };
            for zone in self.parts.live_zones() {
                if walk.nodes[zone.id().index()].order == 0 {
                    walk.component(zone.id().index() as u32);
                }
            }
            walk.bridges.sort_unstable_by_key(|bridge| bridge.gate);
            let mut loops = Loops { bridges: walk.bridges, ..Loops::default() };
            loops.group_of = vec![None; zones];
            for zone in self.parts.live_zones() {
                // A group is named by its first zone, which comes before the others.
                let first = walk.groups.first(zone.id().index() as u32) as usize;
                let group = *loops.group_of[first].get_or_insert(loops.groups.len() as u32);
                loops.group_of[zone.id().index()] = Some(group);
                if first == zone.id().index() {
                    loops.groups.push(Vec::new());
                }
                loops.groups[group as usize].push(zone.id());
            }
            for (group, zones) in loops.groups.iter().enumerate() {
                let around = zones.iter().flat_map(|&zone| self.zone(zone).gates());
                let mut out: Vec<GateId> =
                    around.copied().filter(|&gate| loops.bridge(gate).is_some()).collect();
                out.sort_unstable();
                out.dedup();
                if let [gate] = out[..] {
                    loops.dead_ends.push(DeadEnd { gate, group });
                }
            }
            loops
        })
    }

    /// The pieces into which the zones that this gate connects fall when it is closed, that
    /// with the most tiles first, then by their first zones: one if there is another way
    /// around. Of several, all but the first are behind the gate for whoever stands in the
    /// first.
    ///
    /// # Panics
    /// If there is no gate of this number.
    ///
    /// ```
    /// use tidegate::decompose::{Decomposition, GateLine, Source};
    /// use tidegate::region::Regions;
    /// use tidegate::{Grid, Tile};
    /// let grid = Grid::from_rows(&["...#..", "......", "...#.."]).unwrap();
    /// let door = GateLine::new(Tile::new(3, 1), Tile::new(3, 1), Source::Manual);
    /// let parts = Decomposition::from_gates(&grid, [door]).unwrap();
    /// let regions = Regions::new(&grid, &parts);
    /// let pieces = regions.pieces_without(parts.gates()[0].id());
    /// assert_eq!(pieces.len(), 2);
    /// assert_eq!(Some(pieces[0][0]), regions.zone_of(Tile::new(0, 0))); // nine tiles before six
    /// ```
    pub fn pieces_without(&self, gate: GateId) -> Vec<Vec<ZoneId>> {
        let closed = self.gate_number(gate);
        let mut seen = fixedbitset::FixedBitSet::with_capacity(self.places());
        seen.insert(closed as usize);
        let mut pieces: Vec<(std::cmp::Reverse<u64>, Vec<ZoneId>)> = Vec::new();
        for root in (0..).map_while(|n| self.beside(closed, n)) {
            let mut queue = vec![root];
            let (mut area, mut zones) = (0, Vec::new());
            while let Some(place) = queue.pop() {
                if seen.put(place as usize) {
                    continue;
                }
                if self.gate_of(place).is_none() {
                    let zone = ZoneId::from_index(place as usize);
                    area += u64::from(self.zone(zone).area());
                    zones.push(zone);
                }
                queue.extend((0..).map_while(|n| self.beside(place, n)));
            }
            if !zones.is_empty() {
                zones.sort_unstable();
                pieces.push((std::cmp::Reverse(area), zones));
            }
        }
        pieces.sort_unstable();
        pieces.into_iter().map(|(_, zones)| zones).collect()
    }
}
