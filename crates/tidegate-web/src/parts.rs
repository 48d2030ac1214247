//! `Parts`: zones and gates of a map, and what bots ask of them.

use std::collections::BTreeMap;

use js_sys::{Array, Float64Array, Int32Array, Object, Reflect};
use tidegate::decompose::{Gate, GateId, Place, Source, Zone, ZoneId};
use tidegate::region::Regions;
use tidegate::{CellId, Decomposition, Grid, Index, Tile};
use wasm_bindgen::prelude::*;

use crate::arrays::{self, list, pair};
use crate::errors::{JsResult, argument_error, working};
use crate::object::object;

/// Zones and gates of a map as it was: see `Index.decompose`.
///
/// Zones and gates have numbers that stay theirs when the map is edited; those that are gone leave theirs unused.
#[wasm_bindgen]
pub struct Parts {
    index: Index,
}

impl Parts {
    /// Of an index that has zones and gates.
    pub(crate) fn new(index: Index) -> Parts {
        Parts { index }
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

    fn zone_id(&self, zone: f64) -> JsResult<ZoneId> {
        let found = self
            .decomposition()
            .zones()
            .iter()
            .filter(|zone| !zone.is_gone())
            .find(|it| it.id().index() as f64 == zone);
        found.map(Zone::id).ok_or_else(|| argument_error(format_args!("no zone {zone}")))
    }

    fn map_array(&self, value: impl FnMut(CellId) -> i32) -> Int32Array {
        let cells = (0..self.grid().tiles()).map(CellId::from_index);
        Int32Array::from(&cells.map(value).collect::<Vec<i32>>()[..])
    }

    fn gate_object(&self, gate: &Gate) -> JsValue {
        let line = gate.line();
        let tiles = gate.tiles().iter().map(|&cell| self.grid().tile(cell));
        object([
            ("id", (gate.id().index() as u32).into()),
            ("a", pair(line.a())),
            ("b", pair(line.b())),
            ("middle", pair(line.middle())),
            ("width", line.width().into()),
            ("zones", list(gate.zones().iter().map(|zone| zone.index()))),
            ("gates", numbers(gate.gates())),
            ("manual", (gate.source() == Source::Manual).into()),
            ("tiles", arrays::pairs(tiles).into()),
        ])
    }
}

fn numbers(gates: &[GateId]) -> JsValue {
    list(gates.iter().map(|gate| gate.index()))
}

#[wasm_bindgen]
impl Parts {
    /// The number of the zone of every tile, -1 on walls. A gate's tiles have the number of the nearest zone;
    /// `gateTiles` says which they are.
    #[wasm_bindgen(getter)]
    pub fn zones(&self) -> JsResult<Int32Array> {
        let (parts, regions) = (self.decomposition(), self.regions());
        working(|| {
            self.map_array(|cell| match parts.place(cell) {
                Place::Zone(zone) => zone.index() as i32,
                Place::Gate(_) => {
                    let nearest = regions.nearest_zone(self.grid().tile(cell));
                    nearest.map_or(-1, |zone| zone.index() as i32)
                }
                Place::Wall => -1,
            })
        })
    }

    /// The number of the gate of every tile, -1 where there is none.
    #[wasm_bindgen(getter, js_name = gateTiles)]
    pub fn gate_tiles(&self) -> Int32Array {
        let parts = self.decomposition();
        self.map_array(|cell| match parts.place(cell) {
            Place::Gate(gate) => gate.index() as i32,
            _ => -1,
        })
    }

    /// The gates, in the order of their numbers.
    #[wasm_bindgen(getter, unchecked_return_type = "Gate[]")]
    pub fn gates(&self) -> JsValue {
        let gates = self.decomposition().live_gates();
        gates.map(|gate| self.gate_object(gate)).collect::<Array>().into()
    }

    /// Which zones are joined by which gates: `graph[zone][other]` are the numbers of the gates between the two.
    #[wasm_bindgen(getter, unchecked_return_type = "Record<number, Record<number, number[]>>")]
    pub fn graph(&self) -> JsValue {
        let (graph, regions) = (Object::new(), self.regions());
        for zone in self.decomposition().zones().iter().filter(|zone| !zone.is_gone()) {
            let mut beyond: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (gate, other) in regions.neighbours(zone.id()) {
                beyond.entry(other.index()).or_default().push(gate.index());
            }
            let edges = Object::new();
            for (other, gates) in beyond {
                // New objects take every property.
                let _ = Reflect::set_u32(&edges, other as u32, &list(gates));
            }
            let _ = Reflect::set_u32(&graph, zone.id().index() as u32, &edges);
        }
        graph.into()
    }

    /// The zones with what is known of them, in the order of their numbers.
    #[wasm_bindgen(getter, js_name = regions, unchecked_return_type = "Zone[]")]
    pub fn region_list(&self) -> JsValue {
        let regions = self.regions();
        let zone = |zone: &Zone| {
            let id = zone.id();
            let (x, y) = regions.centroid(id);
            let bounds = regions.bounds(id).map(|side| JsValue::from(u32::from(side)));
            object([
                ("id", (id.index() as u32).into()),
                ("area", zone.area().into()),
                ("centroid", Array::of2(&x.into(), &y.into()).into()),
                ("deepest", pair(regions.deepest(id))),
                ("bounds", bounds.iter().collect::<Array>().into()),
                ("gates", numbers(zone.gates())),
            ])
        };
        self.decomposition()
            .zones()
            .iter()
            .filter(|zone| !zone.is_gone())
            .map(zone)
            .collect::<Array>()
            .into()
    }

    /// The outer border of a zone over the corners of tiles, clockwise, only the turns: x and y of each.
    pub fn outline(&self, zone: f64) -> JsResult<Int32Array> {
        let zone = self.zone_id(zone)?;
        let corners = working(|| self.regions().outline(zone))?;
        Ok(arrays::pairs(corners.into_iter().map(Tile::from)))
    }

    /// The number of the zone of a tile, or of the nearest zone where it is a gate or a wall.
    #[wasm_bindgen(js_name = zoneOf, unchecked_return_type = "number | null")]
    pub fn zone_of(&self, x: f64, y: f64) -> JsResult<JsValue> {
        let tile = arrays::tile(self.grid(), x, y, "tile")?;
        let zone = working(|| self.regions().nearest_zone(tile))?;
        Ok(zone.map_or(JsValue::NULL, |zone| (zone.index() as u32).into()))
    }

    /// The number of the gate with the shortest way from a tile; null if there is none.
    #[wasm_bindgen(js_name = nearestGate, unchecked_return_type = "number | null")]
    pub fn nearest_gate(&self, x: f64, y: f64) -> JsResult<JsValue> {
        let tile = arrays::tile(self.grid(), x, y, "tile")?;
        let gate = working(|| self.regions().nearest_gate(tile))?;
        Ok(gate.map_or(JsValue::NULL, |gate| (gate.index() as u32).into()))
    }

    /// The numbers of the gates to pass from one tile to another, measured as the crow flies from gate to gate; null
    /// if there is no way.
    #[wasm_bindgen(unchecked_return_type = "number[] | null")]
    pub fn route(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> JsResult<JsValue> {
        let start = arrays::tile(self.grid(), x0, y0, "start")?;
        let goal = arrays::tile(self.grid(), x1, y1, "goal")?;
        let route = working(|| self.regions().route(start, goal))?;
        Ok(route.map_or(JsValue::NULL, |gates| numbers(&gates)))
    }

    /// The numbers of the gates that a path passes, in order.
    #[wasm_bindgen(js_name = gatesOn, unchecked_return_type = "number[]")]
    pub fn gates_on(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Tiles")] path: &JsValue,
    ) -> JsResult<JsValue> {
        let tiles = arrays::tiles(self.grid(), path, "path")?;
        Ok(numbers(&working(|| self.regions().gates_on(&tiles))?))
    }

    /// How far every tile is from the nearest wall, in tiles: a new array, 0 on walls.
    #[wasm_bindgen(getter)]
    pub fn altitude(&self) -> JsResult<Float64Array> {
        let (grid, regions) = (self.grid(), self.regions());
        let tiles = (0..grid.tiles()).map(|cell| grid.tile(CellId::from_index(cell)));
        let altitude = working(|| tiles.map(|tile| regions.altitude(tile)).collect::<Vec<f64>>())?;
        Ok(Float64Array::from(&altitude[..]))
    }
}
