//! What bots ask of zones and gates: choke points, routes, loops.

use pyo3::prelude::*;
use tidegate::decompose::{GateId, ZoneId};
use tidegate::region;

/// A gate and what it means to those who travel: see `Parts.choke_points`.
#[pyclass(module = "tidegate", frozen, get_all)]
pub(crate) struct ChokePoint {
    /// The number of the gate.
    gate: usize,
    /// The number of pairs of tiles in different zones with a shortest route over it.
    traffic: u64,
    /// Its traffic as a share of all pairs of tiles in different zones, from 0 to 1.
    share: f64,
    /// How many tiles are cut off from the largest piece when it is closed; 0 if there is another
    /// way around.
    cut_off: u64,
}

impl From<&region::ChokePoint> for ChokePoint {
    fn from(point: &region::ChokePoint) -> ChokePoint {
        let (gate, traffic) = (point.gate().index(), point.traffic());
        ChokePoint { gate, traffic, share: point.share(), cut_off: point.cut_off() }
    }
}

#[pymethods]
impl ChokePoint {
    fn __repr__(&self) -> String {
        let ChokePoint { gate, share, cut_off, .. } = self;
        format!(
            "ChokePoint(gate {gate}: {:.0} % of journeys, cuts off {cut_off} tiles)",
            share * 100.0
        )
    }
}

/// A way over zones and gates: see `Parts.routes`.
#[pyclass(module = "tidegate", frozen, get_all)]
pub(crate) struct Route {
    /// The numbers of the gates to pass, in order.
    gates: Vec<usize>,
    /// The numbers of the zones to cross, in order.
    zones: Vec<usize>,
    /// Its length in tiles, as the crow flies from the start over the middles of the gates to the
    /// goal.
    length: f64,
    /// What it lets through: the width of its narrowest gate in tiles; None if it passes none.
    width: Option<u32>,
}

impl From<&region::Route> for Route {
    fn from(route: &region::Route) -> Route {
        Route {
            gates: numbers(route.gates()),
            zones: route.zones().map(ZoneId::index).collect(),
            length: route.length().tiles(),
            width: route.width(),
        }
    }
}

#[pymethods]
impl Route {
    fn __repr__(&self) -> String {
        let Route { gates, length, width, .. } = self;
        let width = width.map_or("no gate".to_string(), |width| format!("width {width}"));
        format!("Route({length:.2} tiles over gates {gates:?}, {width})")
    }
}

/// Dead ends and loops of a map: see `Parts.loops`.
#[pyclass(module = "tidegate", frozen, get_all)]
pub(crate) struct Loops {
    /// The gates whose closing separates zones, each with how many tiles it cuts off from the
    /// largest piece: a list of (gate, tiles).
    bridges: Vec<(usize, u64)>,
    /// All zones but pockets, in groups that no single gate separates: a group of several zones is
    /// a loop or several that hang together.
    groups: Vec<Vec<usize>>,
    /// The groups that a single gate joins to the rest: a list of (gate, position in groups).
    dead_ends: Vec<(usize, usize)>,
}

impl From<&region::Loops> for Loops {
    fn from(loops: &region::Loops) -> Loops {
        let bridge = |bridge: &region::Bridge| (bridge.gate().index(), bridge.cut_off());
        let end = |end: &region::DeadEnd| (end.gate().index(), end.group());
        let group = |group: &Vec<ZoneId>| group.iter().map(|zone| zone.index()).collect();
        Loops {
            bridges: loops.bridges().iter().map(bridge).collect(),
            groups: loops.groups().iter().map(group).collect(),
            dead_ends: loops.dead_ends().iter().map(end).collect(),
        }
    }
}

#[pymethods]
impl Loops {
    fn __repr__(&self) -> String {
        let (groups, ends) = (self.groups.len(), self.dead_ends.len());
        format!("Loops({groups} groups, {ends} of them dead ends)")
    }
}

pub(crate) fn numbers(gates: &[GateId]) -> Vec<usize> {
    gates.iter().map(|gate| gate.index()).collect()
}
