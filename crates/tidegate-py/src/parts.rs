//! `tidegate.Parts`: zones and gates of a map, and what bots ask of them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList};
use tidegate::decompose::{GateId, Place, Source, ZoneId};
use tidegate::region::{Avoid, MOST_ROUTES, Regions};
use tidegate::{CellId, Decomposition, Grid, Index, Tile};

use crate::errors::argument_error;
use crate::picture::Picture;
use crate::ways::{ChokePoint, Loops, Route, numbers};
use crate::{arrays, batch};

/// Zones and gates of a map as it was: see `Index.decompose`.
///
/// Zones and gates have numbers that stay theirs when the map is edited; those that are gone
/// leave theirs unused.
#[pyclass(module = "tidegate", frozen)]
pub(crate) struct Parts {
    index: Arc<Index>,
    zones: PyOnceLock<Py<PyArray2<i32>>>,
    gates: PyOnceLock<Py<PyList>>,
    graph: PyOnceLock<Py<PyDict>>,
}

/// A gate: a straight line of tiles between two zones, a choke point of the map.
#[pyclass(module = "tidegate", frozen, get_all)]
pub(crate) struct Gate {
    /// Its number.
    id: usize,
    /// The tile at one end.
    a: (u16, u16),
    /// The tile at the other end.
    b: (u16, u16),
    /// The tile in the middle.
    middle: (u16, u16),
    /// How many tiles its line has.
    width: u32,
    /// How many times wider than the gate is long the ground beside it is, on the narrower side:
    /// the larger, the more of a choke point it is.
    prominence: f64,
    /// The numbers of the zones on its sides.
    zones: Vec<usize>,
    /// The numbers of other gates that touch it.
    gates: Vec<usize>,
    /// Whether a person drew it.
    manual: bool,
    /// Its tiles: an int array of shape (n, 2).
    tiles: Py<PyArray2<i64>>,
}

#[pymethods]
impl Gate {
    fn __repr__(&self) -> String {
        let Gate { id, a, b, width, zones, .. } = self;
        format!("Gate({id}: {a:?} to {b:?}, width {width}, zones {zones:?})")
    }
}

/// A zone: what remains connected when the gates are shut.
#[pyclass(module = "tidegate", frozen, get_all)]
pub(crate) struct Zone {
    /// Its number.
    id: usize,
    /// How many tiles it has, gates not counted.
    area: u32,
    /// The mean column and row of its tiles; it may lie outside a zone that is bent.
    centroid: (f64, f64),
    /// The tile that is farthest from any wall.
    deepest: (u16, u16),
    /// Left, top, right, bottom; all four are part of it.
    bounds: (u16, u16, u16, u16),
    /// The numbers of the gates around it.
    gates: Vec<usize>,
    /// Whether it is a pocket: a small piece without a gate that no unit can reach or leave.
    is_pocket: bool,
}

#[pymethods]
impl Zone {
    fn __repr__(&self) -> String {
        let Zone { id, area, deepest, gates, .. } = self;
        format!("Zone({id}: {area} tiles around {deepest:?}, gates {gates:?})")
    }
}

/// Numbers of gates or zones, given as a list.
type Numbers<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// What some numbers stand for.
fn listed<T>(
    numbers: Numbers<'_, '_>,
    name: &str,
    of: impl Fn(i64) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let Some(numbers) = numbers else { return Ok(Vec::new()) };
    let known = arrays::listed(numbers, name, |_, number| of(number.extract()?))?;
    known.ok_or_else(|| {
        let got = arrays::shown(numbers);
        argument_error(format_args!("{name} must be a list of numbers, not {got}"))
    })
}

impl Parts {
    pub(crate) fn new(index: Arc<Index>) -> Parts {
        let (zones, gates, graph) = (PyOnceLock::new(), PyOnceLock::new(), PyOnceLock::new());
        Parts { index, zones, gates, graph }
    }

    fn grid(&self) -> &Grid {
        self.index.grid()
    }

    fn decomposition(&self) -> &Decomposition {
        self.index.decomposition().expect("made from an index with zones and gates")
    }

    fn regions(&self) -> Regions<'_> {
        Regions::new(self.grid(), self.decomposition())
    }

    fn zone_id(&self, zone: i64) -> PyResult<ZoneId> {
        let zones = self.decomposition().zones();
        let found = usize::try_from(zone).ok().and_then(|zone| zones.get(zone));
        let found = found.filter(|zone| !zone.is_gone());
        found.map(|zone| zone.id()).ok_or_else(|| argument_error(format_args!("no zone {zone}")))
    }

    fn gate_id(&self, gate: i64) -> PyResult<GateId> {
        let gates = self.decomposition().gates();
        let found = usize::try_from(gate).ok().and_then(|gate| gates.get(gate));
        let found = found.filter(|gate| !gate.is_gone());
        found.map(|gate| gate.id()).ok_or_else(|| argument_error(format_args!("no gate {gate}")))
    }

    fn ends(&self, start: &Bound<'_, PyAny>, goal: &Bound<'_, PyAny>) -> PyResult<(Tile, Tile)> {
        let grid = self.grid();
        Ok((arrays::tile(grid, start, "start")?, arrays::tile(grid, goal, "goal")?))
    }

    fn avoid(&self, gates: Numbers<'_, '_>, zones: Numbers<'_, '_>) -> PyResult<Avoid> {
        let gates = listed(gates, "avoid_gates", |gate| self.gate_id(gate))?;
        let zones = listed(zones, "avoid_zones", |zone| self.zone_id(zone))?;
        Ok(Avoid::new().with_gates(gates).with_zones(zones))
    }
}

#[pymethods]
impl Parts {
    /// The number of the zone of every tile: an int32 array of shape (height, width), -1 on walls.
    /// A gate's tiles have the number of the zone that is nearest; `gate_tiles` says which they
    /// are.
    ///
    /// >>> import numpy as np, tidegate
    /// >>> tidegate.Index(np.array([[True, False, True]])).decompose().zones
    /// array([[ 0, -1,  1]], dtype=int32)
    #[getter]
    fn zones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        let make = || {
            let zones = py.detach(|| zone_of_tiles(self.grid(), self.decomposition()));
            batch::map_array(self.grid(), |cell| zones[cell]).into_pyarray(py).unbind()
        };
        self.zones.get_or_init(py, make).bind(py).clone()
    }

    /// The number of the gate of every tile: a new int32 array of shape (height, width), -1 where
    /// there is none.
    #[getter]
    fn gate_tiles<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        let parts = self.decomposition();
        let gate = |cell| match parts.place(CellId::from_index(cell)) {
            Place::Gate(gate) => gate.index() as i32,
            _ => -1,
        };
        batch::map_array(self.grid(), gate).into_pyarray(py)
    }

    /// The gates, in the order of their numbers.
    #[getter]
    fn gates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let make = || -> PyResult<Py<PyList>> {
            let (list, regions) = (PyList::empty(py), self.regions());
            for gate in self.decomposition().live_gates() {
                let line = gate.line();
                let tile = |&cell: &CellId| self.grid().tile(cell);
                let tiles: Vec<Tile> = gate.tiles().iter().map(tile).collect();
                list.append(Gate {
                    id: gate.id().index(),
                    a: line.a().into(),
                    b: line.b().into(),
                    middle: line.middle().into(),
                    width: line.width(),
                    prominence: regions.prominence(gate.id()),
                    zones: gate.zones().iter().map(|zone| zone.index()).collect(),
                    gates: numbers(gate.gates()),
                    manual: gate.source() == Source::Manual,
                    tiles: batch::path_array(py, &tiles).unbind(),
                })?;
            }
            Ok(list.unbind())
        };
        Ok(self.gates.get_or_try_init(py, make)?.bind(py).clone())
    }

    /// Which zones are joined by which gates: `graph[zone][other]["gates"]` is a list of the
    /// numbers of gates between the two. `networkx.Graph(parts.graph)` makes a graph of it.
    ///
    /// >>> import numpy as np, tidegate
    /// >>> free = np.ones((9, 19), dtype=bool)
    /// >>> free[:, 9] = False
    /// >>> free[4, 9] = True
    /// >>> tidegate.Index(free).decompose().graph
    /// {0: {1: {'gates': [0]}}, 1: {0: {'gates': [0]}}}
    #[getter]
    fn graph<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let make = || -> PyResult<Py<PyDict>> {
            let (graph, regions) = (PyDict::new(py), self.regions());
            for zone in self.decomposition().zones().iter().filter(|zone| !zone.is_gone()) {
                let mut beyond: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
                for (gate, other) in regions.neighbours(zone.id()) {
                    beyond.entry(other.index()).or_default().push(gate.index());
                }
                let edges = PyDict::new(py);
                for (other, gates) in beyond {
                    let edge = PyDict::new(py);
                    edge.set_item("gates", gates)?;
                    edges.set_item(other, edge)?;
                }
                graph.set_item(zone.id().index(), edges)?;
            }
            Ok(graph.unbind())
        };
        Ok(self.graph.get_or_try_init(py, make)?.bind(py).clone())
    }

    /// The zones with what is known of them, in the order of their numbers: also pockets, small pieces
    /// without a gate that no unit can reach or leave.
    #[getter]
    #[pyo3(name = "regions")]
    fn region_list(&self) -> Vec<Zone> {
        let regions = self.regions();
        let zone = |zone: &tidegate::decompose::Zone| {
            let [left, top, right, bottom] = regions.bounds(zone.id());
            Zone {
                id: zone.id().index(),
                area: zone.area(),
                centroid: regions.centroid(zone.id()),
                deepest: regions.deepest(zone.id()).into(),
                bounds: (left, top, right, bottom),
                gates: numbers(zone.gates()),
                is_pocket: zone.is_pocket(),
            }
        };
        self.decomposition().zones().iter().filter(|zone| !zone.is_gone()).map(zone).collect()
    }

    /// The outer border of a zone over the corners of tiles, clockwise, only the turns: an int
    /// array of shape (n, 2).
    fn outline<'py>(&self, py: Python<'py>, zone: i64) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let corners = self.regions().outline(self.zone_id(zone)?);
        let corners: Vec<Tile> = corners.into_iter().map(Tile::from).collect();
        Ok(batch::path_array(py, &corners))
    }

    /// The number of the zone of a tile, or of the nearest zone where it is a gate or a wall.
    fn zone_of(&self, tile: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let tile = arrays::tile(self.grid(), tile, "tile")?;
        Ok(self.regions().nearest_zone(tile).map(ZoneId::index))
    }

    /// The number of the gate with the shortest way from a tile; None if there is none.
    fn nearest_gate(&self, tile: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let tile = arrays::tile(self.grid(), tile, "tile")?;
        Ok(self.regions().nearest_gate(tile).map(GateId::index))
    }

    /// The numbers of the gates to pass from one tile to another, measured as the crow flies from
    /// gate to gate; None if there is no way.
    fn route(
        &self,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Vec<usize>>> {
        let (start, goal) = self.ends(start, goal)?;
        Ok(self.regions().route(start, goal).map(|gates| numbers(&gates)))
    }

    /// The `n` most important choke points, the one that most journeys pass first: a list of
    /// `ChokePoint`.
    ///
    /// >>> import numpy as np, tidegate
    /// >>> free = np.ones((9, 19), dtype=bool)
    /// >>> free[:, 9] = False
    /// >>> free[4, 9] = True
    /// >>> tidegate.Index(free).decompose().choke_points(10)
    /// [ChokePoint(gate 0: 100 % of journeys, cuts off 81 tiles)]
    #[pyo3(signature = (n=10))]
    fn choke_points(&self, py: Python<'_>, n: usize) -> Vec<ChokePoint> {
        py.detach(|| self.regions().choke_points(n).iter().map(ChokePoint::from).collect())
    }

    /// The `k` shortest different routes from one tile to another, shortest first, that avoid
    /// these gates and zones, given by number: a list of `Route`. Two routes are different if they
    /// differ in a zone or a gate. There are fewer if no more exist. `k` is at most 1024.
    ///
    /// >>> import numpy as np, tidegate
    /// >>> free = np.ones((9, 19), dtype=bool)
    /// >>> free[:, 9] = False
    /// >>> free[4, 9] = True
    /// >>> parts = tidegate.Index(free).decompose()
    /// >>> parts.routes((0, 4), (18, 4))
    /// [Route(18.00 tiles over gates [0], width 1)]
    /// >>> parts.routes((0, 4), (18, 4), avoid_gates=[0])
    /// []
    #[pyo3(signature = (start, goal, k=3, *, avoid_gates=None, avoid_zones=None))]
    fn routes(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        k: usize,
        avoid_gates: Numbers<'_, '_>,
        avoid_zones: Numbers<'_, '_>,
    ) -> PyResult<Vec<Route>> {
        if k > MOST_ROUTES {
            return Err(argument_error(format_args!("k is {k}: at most {MOST_ROUTES} routes")));
        }
        let (start, goal) = self.ends(start, goal)?;
        let avoid = self.avoid(avoid_gates, avoid_zones)?;
        let routes = || self.regions().routes(start, goal, k, &avoid);
        Ok(py.detach(routes).iter().map(Route::from).collect())
    }

    /// The `Route` that lets the most through: that whose narrowest gate is widest, of equally
    /// wide ones the shortest. None if there is none that avoids these gates and zones.
    #[pyo3(signature = (start, goal, *, avoid_gates=None, avoid_zones=None))]
    fn widest_route(
        &self,
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        avoid_gates: Numbers<'_, '_>,
        avoid_zones: Numbers<'_, '_>,
    ) -> PyResult<Option<Route>> {
        let (start, goal) = self.ends(start, goal)?;
        let avoid = self.avoid(avoid_gates, avoid_zones)?;
        let route = || self.regions().widest_route(start, goal, &avoid);
        Ok(py.detach(route).as_ref().map(Route::from))
    }

    /// Both sides of a gate: for every zone beside it its number and its tile with the shortest
    /// way from the middle of the gate.
    fn gate_sides(&self, gate: i64) -> PyResult<Vec<(usize, (u16, u16))>> {
        let sides = self.regions().gate_sides(self.gate_id(gate)?);
        Ok(sides.into_iter().map(|(zone, tile)| (zone.index(), tile.into())).collect())
    }

    /// The tile of a zone from which a gate is held by those who shoot `range` tiles far: it sees
    /// every tile of the gate's line within range, and is the farthest behind it. None if there is
    /// none.
    fn holding_tile(&self, gate: i64, zone: i64, range: u16) -> PyResult<Option<(u16, u16)>> {
        let (gate, zone) = (self.gate_id(gate)?, self.zone_id(zone)?);
        Ok(self.regions().holding_tile(gate, zone, range).map(Tile::into))
    }

    /// Dead ends and loops: `Loops`.
    fn loops(&self, py: Python<'_>) -> Loops {
        py.detach(|| Loops::from(self.regions().loops()))
    }

    /// The way from a tile to the nearest tile of a gate's line: its exact length in tiles, and
    /// where it ends. None if there is no way.
    fn distance_to_line(
        &self,
        py: Python<'_>,
        tile: &Bound<'_, PyAny>,
        gate: i64,
    ) -> PyResult<Option<(f64, (u16, u16))>> {
        let (tile, gate) = (arrays::tile(self.grid(), tile, "tile")?, self.gate_id(gate)?);
        let found = py.detach(|| self.regions().distance_to_line(tile, gate));
        let in_tiles = batch::in_tiles(self.grid());
        Ok(found.map(|(cost, end)| (in_tiles(cost), end.into())))
    }

    /// The numbers of the gates that a path passes, in order.
    fn gates_on(&self, path: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let tiles = arrays::tiles(self.grid(), path, "path")?;
        Ok(numbers(&self.regions().gates_on(&tiles)))
    }

    /// How far every tile is from the nearest wall, in tiles: a new float array of shape
    /// (height, width), 0 on walls.
    #[getter]
    fn altitude<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let (grid, regions) = (self.grid(), self.regions());
        let altitude = |cell| regions.altitude(grid.tile(CellId::from_index(cell)));
        py.detach(|| batch::map_array(grid, altitude)).into_pyarray(py)
    }

    /// Zones and gates as JSON, as `tidegate decompose --json` writes them.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.decomposition().to_json(self.grid()))
    }

    /// A picture of zones and gates, `scale` pixels along the side of a tile (0: as fits), with
    /// their numbers if `labels` is set. Notebooks show it.
    #[pyo3(signature = (scale=0, labels=false))]
    fn draw(&self, py: Python<'_>, scale: i64, labels: bool) -> PyResult<Picture> {
        Picture::of_zones(py, self.grid(), self.decomposition(), scale, labels)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(self.draw(py, 0, false)?.png(py))
    }

    fn __repr__(&self) -> String {
        let parts = self.decomposition();
        format!("Parts({} zones, {} gates)", parts.live_zones().count(), parts.live_gates().count())
    }
}

/// By tile: its zone, -1 on walls. The tiles of gates get the zone that the fewest steps reach.
fn zone_of_tiles(grid: &Grid, parts: &Decomposition) -> Vec<i32> {
    const NONE: i32 = -2;
    let mut zones: Vec<i32> = (0..grid.tiles())
        .map(|cell| match parts.place(CellId::from_index(cell)) {
            Place::Zone(zone) => zone.index() as i32,
            Place::Gate(_) => NONE,
            Place::Wall => -1,
        })
        .collect();
    let gate_cells = || parts.live_gates().flat_map(|gate| gate.tiles());
    let mut front: VecDeque<CellId> = gate_cells()
        .flat_map(|&cell| grid.neighbours(cell).map(|(next, _)| next))
        .filter(|cell| zones[cell.index()] >= 0)
        .collect();
    while let Some(cell) = front.pop_front() {
        for (next, _) in grid.neighbours(cell) {
            if zones[next.index()] == NONE {
                zones[next.index()] = zones[cell.index()];
                front.push_back(next);
            }
        }
    }
    // A gate may fill its ground, with no zone beside it.
    let regions = Regions::new(grid, parts);
    for &cell in gate_cells().filter(|cell| zones[cell.index()] == NONE).collect::<Vec<_>>() {
        let nearest = regions.nearest_zone(grid.tile(cell));
        zones[cell.index()] = nearest.map_or(NONE, |zone| zone.index() as i32);
    }
    zones
}
