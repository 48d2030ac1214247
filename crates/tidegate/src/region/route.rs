//! Routes over the region graph: which zones and gates lie between two tiles, and what to avoid.
//!
//! A route is a sequence of places, zones and gates, from the place of one tile to that of
//! another. Each touches the next and none comes twice. Gates that touch each other follow one
//! another directly only where no zone lies beside both: else the route leads through that zone.
//!
//! The length of a route is measured as the crow flies, from the start over the middles of its
//! gates to the goal. Of two routes of one length that with fewer gates comes first. By the
//! triangle inequality the first route of all never enters a zone twice: what lies between
//! could be left out. So searching gates alone finds it.

use fixedbitset::FixedBitSet;

use super::Regions;
use crate::cost::Cost;
use crate::decompose::{GateId, Place, ZoneId};
use crate::grid::{Blocked, Tile};
use crate::search::{Blind, End, HeapQueue, SearchScratch, Space, search};

/// Gates and zones that a route may not pass. Where a route begins is excepted.
///
/// ```
/// use tidegate::decompose::{Decomposition, GateLine, Source};
/// use tidegate::region::{Avoid, Regions};
/// use tidegate::{Grid, Index, Query, Scratch, Tile};
/// // Two doors in one wall.
/// let grid = Grid::from_rows(&["...#...", ".......", "...#...", "...#...", "......."]).unwrap();
/// let door = |y| GateLine::new(Tile::new(3, y), Tile::new(3, y), Source::Manual);
/// let parts = Decomposition::from_gates(&grid, [door(1), door(4)]).unwrap();
/// let regions = Regions::new(&grid, &parts);
/// let (from, to) = (Tile::new(1, 1), Tile::new(5, 1));
/// let near = regions.route(from, to).unwrap();
/// let avoid = Avoid::new().with_gates(near.iter().copied());
/// let far = regions.shortest_route(from, to, &avoid).unwrap();
/// assert_ne!(far.gates(), near);
/// // An exact path that avoids the same:
/// let blocked = regions.blocked(&avoid);
/// let index = Index::new(grid.clone());
/// let query = Query::new(from, to).with_blocked(&blocked);
/// let mut path = tidegate::Path::new();
/// index.find(tidegate::engine::ASTAR, &query, &mut Scratch::new(), &mut path).unwrap();
/// assert_eq!(regions.gates_on(path.tiles()), far.gates());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Avoid {
    gates: Vec<GateId>,
    zones: Vec<ZoneId>,
}

impl Avoid {
    /// Nothing.
    pub fn new() -> Avoid {
        Avoid::default()
    }

    /// These gates as well.
    pub fn with_gates(mut self, gates: impl IntoIterator<Item = GateId>) -> Avoid {
        self.gates.extend(gates);
        self
    }

    /// These zones as well.
    pub fn with_zones(mut self, zones: impl IntoIterator<Item = ZoneId>) -> Avoid {
        self.zones.extend(zones);
        self
    }

    /// The gates to avoid.
    pub fn gates(&self) -> &[GateId] {
        &self.gates
    }

    /// The zones to avoid.
    pub fn zones(&self) -> &[ZoneId] {
        &self.zones
    }
}

/// A way over the region graph. See [`Regions::shortest_route`], [`Regions::routes`] and
/// [`Regions::widest_route`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    places: Vec<Place>,
    gates: Vec<GateId>,
    length: Cost,
    width: Option<u32>,
}

impl Route {
    /// The gates to pass, in order; that of the start or goal is one of them if it lies in a gate.
    pub fn gates(&self) -> &[GateId] {
        &self.gates
    }

    /// Zones and gates in order, those of start and goal included.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The zones to cross, in order.
    pub fn zones(&self) -> impl Iterator<Item = ZoneId> + '_ {
        self.places.iter().filter_map(|place| match place {
            Place::Zone(zone) => Some(*zone),
            _ => None,
        })
    }

    /// The length as the crow flies from the start over the middles of the gates to the goal.
    pub fn length(&self) -> Cost {
        self.length
    }

    /// What the route lets through: the width of its narrowest gate in tiles. `None` if it
    /// passes no gate. Ground inside zones is not looked at.
    pub fn width(&self) -> Option<u32> {
        self.width
    }
}

/// Lengths in the high bits, numbers of gates in the low ones: the order of routes.
const GATE_BITS: u32 = 20;

/// A sequence of places by number, zones before gates, with the length and number of gates.
pub(super) type Way = (u64, Vec<u32>);

/// The memory of the searches of one question.
pub(super) type RouteScratch = SearchScratch<u64, HeapQueue<u64>>;

/// One question for routes: the ends and what to avoid.
pub(super) struct Plan<'r> {
    regions: &'r Regions<'r>,
    from: Tile,
    to: Tile,
    start: u32,
    goal: u32,
    /// By place: whether it is to be avoided.
    avoided: FixedBitSet,
}

impl<'r> Plan<'r> {
    /// `None` if an end is wall or the goal is to be avoided.
    pub(super) fn new(
        regions: &'r Regions<'r>,
        from: Tile,
        to: Tile,
        avoid: &Avoid,
    ) -> Option<Plan<'r>> {
        let start = regions.number(regions.place(from))?;
        let goal = regions.number(regions.place(to))?;
        let mut avoided = FixedBitSet::with_capacity(regions.places());
        let zones = avoid.zones.iter().map(|&zone| Place::Zone(zone));
        let gates = avoid.gates.iter().map(|&gate| Place::Gate(gate));
        zones
            .chain(gates)
            .filter_map(|place| regions.number(place))
            .for_each(|place| avoided.insert(place as usize));
        avoided.remove(start as usize);
        let plan = Plan { regions, from, to, start, goal, avoided };
        (!plan.avoided.contains(goal as usize)).then_some(plan)
    }

    /// Avoids all gates narrower than this as well, that of the start excepted; whether the
    /// goal is still allowed.
    pub(super) fn avoid_narrower(&mut self, width: u32) -> bool {
        for gate in self.regions.parts.live_gates().filter(|gate| gate.width() < width) {
            let number = self.regions.gate_number(gate.id());
            self.avoided.set(number as usize, number != self.start);
        }
        !self.avoided.contains(self.goal as usize)
    }

    /// The first way that begins with these places, none of them the goal, and goes on to none
    /// of `banned`; with no places given, the first of all.
    pub(super) fn shortest(
        &self,
        prefix: &[u32],
        banned: &[u32],
        scratch: &mut RouteScratch,
    ) -> Option<Way> {
        let prefix = if prefix.is_empty() { &[self.start] } else { prefix };
        let last = *prefix.last()?;
        if last == self.goal {
            return Some((self.weight(prefix), prefix.to_vec()));
        }
        let mut shut = self.avoided.clone();
        prefix.iter().for_each(|&place| shut.insert(place as usize));
        let ways = Ways { regions: self.regions, avoided: &self.avoided, shut: &shut, plan: self };
        let far = self.weight_to_last_gate(prefix);
        let here = self.last_point(prefix);
        let goal_node = ways.nodes() as u32 - 1;
        let mut sources: Vec<(u32, u64)> = Vec::new();
        let mut first = |place: u32, node: u32| {
            if !banned.contains(&place) {
                sources.push((node, far + ways.step(here, node)));
            }
        };
        match self.regions.place_of(last) {
            Place::Zone(zone) => {
                for &gate in self.regions.zone(zone).gates() {
                    let place = self.regions.gate_number(gate);
                    if !shut.contains(place as usize) {
                        first(place, gate.index() as u32);
                    }
                }
            }
            Place::Gate(gate) => ways.onward(gate, first),
            Place::Wall => return None,
        }
        let at_goal = |node: u32| node == goal_node;
        let (end, _) = search(&ways, &sources, at_goal, &mut Blind, scratch, &mut ());
        let End::Goal(node, weight) = end else { return None };
        let mut gates: Vec<u32> = scratch.way_back(node).filter(|&n| n != goal_node).collect();
        gates.reverse();
        let mut places = prefix.to_vec();
        for node in gates {
            let gate = GateId::from_index(node as usize);
            let banned = if places.len() == prefix.len() { banned } else { &[] };
            if let Place::Gate(before) = self.regions.place_of(places[places.len() - 1]) {
                places.extend(ways.zone_between(before, gate, banned));
            }
            places.push(self.regions.gate_number(gate));
        }
        if places.last() != Some(&self.goal) {
            places.push(self.goal);
        }
        Some((weight, places))
    }

    /// Where the last gate of a prefix is, or the start.
    fn last_point(&self, places: &[u32]) -> Tile {
        let gate = places.iter().rev().find_map(|&place| self.regions.gate_of(place));
        gate.map_or(self.from, |gate| self.regions.gate(gate).line().middle())
    }

    fn weight_to_last_gate(&self, places: &[u32]) -> u64 {
        let gates = places.iter().filter_map(|&place| self.regions.gate_of(place));
        let mut here = self.from;
        gates.fold(0, |sum, gate| {
            let middle = self.regions.gate(gate).line().middle();
            sum + self.regions.leg(std::mem::replace(&mut here, middle), middle)
        })
    }

    fn weight(&self, places: &[u32]) -> u64 {
        self.weight_to_last_gate(places) + self.regions.leg(self.last_point(places), self.to)
    }

    /// The route that a way is.
    pub(super) fn route(&self, (weight, places): &Way) -> Route {
        let regions = self.regions;
        let gates: Vec<GateId> = places.iter().filter_map(|&p| regions.gate_of(p)).collect();
        let width = gates.iter().map(|&gate| regions.gate(gate).width()).min();
        let length = Cost::new(u32::try_from(weight >> GATE_BITS).unwrap_or(u32::MAX));
        let places = places.iter().map(|&place| regions.place_of(place)).collect();
        Route { places, gates, length, width }
    }
}

/// Gates as nodes, and the goal after them; a step goes from middle to middle.
struct Ways<'p> {
    regions: &'p Regions<'p>,
    plan: &'p Plan<'p>,
    avoided: &'p FixedBitSet,
    /// What is avoided, and what was passed already.
    shut: &'p FixedBitSet,
}

impl Ways<'_> {
    /// The cost of the step from a point to a node.
    fn step(&self, here: Tile, node: u32) -> u64 {
        let goal = node as usize + 1 == self.nodes();
        let gate = || self.regions.gate(GateId::from_index(node as usize)).line().middle();
        self.regions.leg(here, if goal { self.plan.to } else { gate() })
    }

    /// Calls `visit` with the place that follows on a gate and the node it leads to.
    fn onward(&self, gate: GateId, mut visit: impl FnMut(u32, u32)) {
        let goal_node = self.nodes() as u32 - 1;
        let open = |place: u32| !self.shut.contains(place as usize);
        for &zone in self.regions.gate(gate).zones() {
            let place = zone.index() as u32;
            if place == self.plan.goal {
                visit(place, goal_node);
            } else if open(place) {
                for &next in self.regions.zone(zone).gates() {
                    if next != gate && open(self.regions.gate_number(next)) {
                        visit(place, next.index() as u32);
                    }
                }
            }
        }
        for &next in self.regions.gate(gate).gates() {
            let place = self.regions.gate_number(next);
            if open(place) && self.regions.touch_alone(gate, next, self.avoided) {
                visit(place, next.index() as u32);
            }
        }
    }

    /// The zone through which a step leads, if it leads through one.
    fn zone_between(&self, a: GateId, b: GateId, banned: &[u32]) -> Option<u32> {
        let shared = self.regions.shared_zones(a, b).map(|zone| zone.index() as u32);
        let mut open = shared.filter(|place| {
            !self.shut.contains(*place as usize)
                && !banned.contains(place)
                && *place != self.plan.goal
        });
        open.next()
    }
}

impl Space for Ways<'_> {
    type Weight = u64;

    fn nodes(&self) -> usize {
        self.regions.parts.gates().len() + 1
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, u64)) {
        let goal_node = self.nodes() as u32 - 1;
        if node == goal_node {
            return;
        }
        let gate = GateId::from_index(node as usize);
        let here = self.regions.gate(gate).line().middle();
        if self.regions.gate_number(gate) == self.plan.goal {
            return visit(goal_node, self.step(here, goal_node));
        }
        self.onward(gate, |_, next| visit(next, self.step(here, next)));
    }
}

/// Places by number: zones, then gates.
impl Regions<'_> {
    pub(super) fn places(&self) -> usize {
        self.parts.zones().len() + self.parts.gates().len()
    }

    /// `None` for walls, and for zones and gates that are not of this decomposition.
    fn number(&self, place: Place) -> Option<u32> {
        match place {
            Place::Wall => None,
            Place::Zone(zone) => {
                (zone.index() < self.parts.zones().len()).then_some(zone.index() as u32)
            }
            Place::Gate(gate) => {
                (gate.index() < self.parts.gates().len()).then(|| self.gate_number(gate))
            }
        }
    }

    pub(super) fn gate_number(&self, gate: GateId) -> u32 {
        (self.parts.zones().len() + gate.index()) as u32
    }

    pub(super) fn gate_of(&self, place: u32) -> Option<GateId> {
        (place as usize).checked_sub(self.parts.zones().len()).map(GateId::from_index)
    }

    pub(super) fn place_of(&self, place: u32) -> Place {
        let zone = || Place::Zone(ZoneId::from_index(place as usize));
        self.gate_of(place).map_or_else(zone, Place::Gate)
    }

    /// The zones beside both gates, sorted.
    fn shared_zones(&self, a: GateId, b: GateId) -> impl Iterator<Item = ZoneId> + '_ {
        let others = self.gate(b).zones();
        self.gate(a).zones().iter().filter(|zone| others.contains(zone)).copied()
    }

    /// Whether no zone lies beside both gates, avoided ones not counted.
    pub(super) fn touch_alone(&self, a: GateId, b: GateId, avoided: &FixedBitSet) -> bool {
        self.shared_zones(a, b).all(|zone| avoided.contains(zone.index()))
    }

    /// The length between two tiles as the crow flies, and one more gate.
    pub(super) fn leg(&self, a: Tile, b: Tile) -> u64 {
        (u64::from(self.grid.movement().estimate(a, b).get()) << GATE_BITS) + 1
    }

    /// The gates to pass from one tile to another, in order, measured as the crow flies
    /// from middle to middle: quick, and what a planner of large moves wants. Empty if both
    /// tiles are in one zone; `None` if there is no way. For the gates of one exact path
    /// see [`Regions::gates_on`].
    pub fn route(&self, from: Tile, to: Tile) -> Option<Vec<GateId>> {
        self.shortest_route(from, to, &Avoid::new()).map(|route| route.gates)
    }

    /// The shortest route from one tile to another that avoids these gates and zones, measured
    /// as the crow flies from middle to middle; of equally long ones that with the fewest gates.
    /// `None` if there is none. For an exact path that avoids the same see
    /// [`Regions::blocked`]; [`Avoid`] has an example.
    pub fn shortest_route(&self, from: Tile, to: Tile, avoid: &Avoid) -> Option<Route> {
        let plan = Plan::new(self, from, to, avoid)?;
        let way = plan.shortest(&[], &[], &mut RouteScratch::new())?;
        Some(plan.route(&way))
    }

    /// The tiles of these gates and zones, for queries that avoid them
    /// ([`Query::with_blocked`](crate::Query::with_blocked)). Takes a pass over the map if a
    /// zone is to be avoided. Blocked tiles are walls to corner rules too.
    pub fn blocked(&self, avoid: &Avoid) -> Blocked {
        let known = |gate: &&GateId| gate.index() < self.parts.gates().len();
        let gates = avoid.gates.iter().filter(known).flat_map(|&gate| self.gate(gate).tiles());
        let mut cells: Vec<_> = gates.copied().collect();
        if !avoid.zones.is_empty() {
            let inside = |place| matches!(place, Place::Zone(zone) if avoid.zones.contains(&zone));
            cells.extend(self.grid.free_cells().filter(|&cell| inside(self.parts.place(cell))));
        }
        Blocked::new(cells.into_iter().map(|cell| self.grid.tile(cell)))
    }
}
