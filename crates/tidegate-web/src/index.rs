//! `Index`: a map with its tables.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Float64Array, Int32Array, Uint8Array, Uint32Array};
use tidegate::anyangle::{Walk, WalkQuery};
use tidegate::cost::{Cost, Length};
use tidegate::engine::{self, Engine};
use tidegate::{Blocked, CostLayer, Grid, Index, Movement, Path, Query, Scratch, Tile};
use wasm_bindgen::prelude::*;

use crate::arrays::{self, shown};
use crate::errors::{
    JsResult, argument_error, array_error, build_error, coordinate_error, engine_error, file_error,
    query_error, working,
};
use crate::layer::JsLayer;
use crate::maps::ENGINES;
use crate::object::{object, option, text};
use crate::parts::Parts;
use crate::{edit, field, walk};

/// A map with the tables of its engines. `free` has a byte for every tile, row by row: 1 where it can be entered, 0
/// where it is a wall.
///
/// Tiles are two numbers, x and y: column and row, from the top left.
#[wasm_bindgen(js_name = Index)]
pub struct JsIndex {
    index: RefCell<Index>,
    /// Memory that queries use again.
    kept: RefCell<(Scratch, Path)>,
}

/// What the options of a query say.
pub(crate) struct Asked {
    pub(crate) engine: &'static dyn Engine,
    pub(crate) blocked: Option<Blocked>,
    pub(crate) costs: Option<Rc<CostLayer>>,
}

impl Asked {
    pub(crate) fn new(grid: &Grid, options: &JsValue) -> JsResult<Asked> {
        let engine = match text(options, "engine")? {
            Some(name) => engine_named(&name)?,
            None => engine::AUTO,
        };
        let blocked = match option(options, "blocked")? {
            Some(tiles) => Some(Blocked::new(arrays::tiles(grid, &tiles, "blocked")?)),
            None => None,
        };
        let costs = match option(options, "costs")? {
            Some(layer) => Some(JsLayer::of(&layer, grid)?),
            None => None,
        };
        Ok(Asked { engine, blocked, costs })
    }

    fn query(&self, start: Tile, goal: Tile) -> Query<'_> {
        let mut query = Query::new(start, goal);
        (query.blocked, query.costs) = (self.blocked.as_ref(), self.costs.as_deref());
        query
    }
}

/// The engine of this name.
fn engine_named(name: &str) -> JsResult<&'static dyn Engine> {
    ENGINES.iter().copied().find(|engine| engine.name() == name).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|e| e.name()).collect();
        engine_error(format_args!("no engine {name:?}; there are: {}", names.join(", ")))
    })
}

/// The engines of these names; without one, the one that picks.
pub(crate) fn engines_named(names: &JsValue) -> JsResult<Vec<&'static dyn Engine>> {
    let mut wanted = Vec::new();
    for name in Array::from(names).iter() {
        let text = name.as_string().ok_or_else(|| {
            engine_error(format_args!("an engine is given by its name, not {}", shown(&name)))
        })?;
        wanted.push(engine_named(&text)?);
    }
    if wanted.is_empty() {
        wanted.push(engine::AUTO);
    }
    Ok(wanted)
}

/// The rule of movement that options name.
pub(crate) fn movement(options: &JsValue) -> JsResult<Movement> {
    let Some(name) = text(options, "movement")? else { return Ok(Movement::default()) };
    Movement::from_name(&name).ok_or_else(|| {
        let names = Movement::ALL.map(Movement::name).join(", ");
        argument_error(format_args!("no movement {name:?}; there are: {names}"))
    })
}

/// What a cost is in tiles: on uniform ground the real length, else what the tiles say.
pub(crate) fn in_tiles(grid: &Grid, costs: Option<&CostLayer>) -> impl Fn(Cost) -> f64 + use<> {
    let is_uniform = grid.factors().is_none() && costs.is_none_or(CostLayer::is_empty);
    move |cost| match Length::of(cost) {
        Some(length) if is_uniform => length.value(),
        _ => cost.tiles(),
    }
}

/// Columns and rows that numbers of JavaScript give.
pub(crate) fn size(width: f64, height: f64) -> JsResult<(u32, u32)> {
    let whole =
        |side: f64| (side.trunc() == side && (0.0..1e15).contains(&side)).then_some(side as u64);
    let (Some(columns), Some(rows)) = (whole(width), whole(height)) else {
        return Err(argument_error(format_args!(
            "width and height must be whole numbers, not {width} and {height}"
        )));
    };
    let (columns, rows) = tidegate::grid::check_size(columns, rows).map_err(argument_error)?;
    small_enough(columns, rows).map_err(argument_error)?;
    Ok((columns, rows))
}

/// The most tiles of a map: what tables keep of each, 16 bytes of landmarks alone, must fit the memory of a module.
const MOST_TILES: u64 = 1 << 24;

/// The most tiles that the paths of one call may have.
const MOST_IN_PATHS: usize = 1 << 26;

/// Refuses a map that could be read, but not searched.
pub(crate) fn small_enough(width: u32, height: u32) -> Result<(), String> {
    if u64::from(width) * u64::from(height) <= MOST_TILES {
        return Ok(());
    }
    Err(format!("a map of {width} x {height} tiles is too large here: at most {MOST_TILES} tiles"))
}

impl JsIndex {
    pub(crate) fn of(index: Index) -> JsIndex {
        JsIndex { index: RefCell::new(index), kept: RefCell::default() }
    }

    /// Reads the index. Arguments are read meanwhile, which may call JavaScript, but nothing of it can change the
    /// index: that would be an error here, and a message.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Index) -> JsResult<T>) -> JsResult<T> {
        // First, whether an earlier call broke down.
        working(|| ())?;
        read(&*self.index.try_borrow().map_err(|_| busy())?)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Index) -> T) -> JsResult<T> {
        working(|| ())?;
        let mut index = self.index.try_borrow_mut().map_err(|_| busy())?;
        working(|| change(&mut index))
    }

    /// Asks with the memory that is kept.
    fn ask<T>(
        &self,
        (x0, y0, x1, y1): (f64, f64, f64, f64),
        options: &JsValue,
        answer: impl FnOnce(&Index, &Asked, Cost, &Path) -> T,
    ) -> JsResult<Option<T>> {
        self.read(|index| {
            let grid = index.grid();
            let start = arrays::tile(grid, x0, y0, "start")?;
            let goal = arrays::tile(grid, x1, y1, "goal")?;
            let asked = Asked::new(grid, options)?;
            working(|| {
                let (scratch, path) = &mut *self.kept.borrow_mut();
                let found = index.find(asked.engine, &asked.query(start, goal), scratch, path);
                let cost = found.map_err(query_error)?.cost();
                Ok(cost.map(|cost| answer(index, &asked, cost, path)))
            })?
        })
    }
}

fn busy() -> JsValue {
    argument_error("the index is in use: an option's getter must not change it")
}

#[wasm_bindgen(js_class = Index)]
impl JsIndex {
    /// An index of a map. `costs` is what each tile costs to cross, from 1 to 655.35 in hundredths; what it says of walls
    /// does not matter.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | Uint8ClampedArray")] free: &JsValue,
        width: f64,
        height: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "IndexOptions")] options: &JsValue,
    ) -> JsResult<JsIndex> {
        let (width, height) = size(width, height)?;
        let bytes = arrays::bytes(free, "free", (width, height))?;
        if let Some(cell) = bytes.iter().position(|&byte| byte > 1) {
            let (x, y) = (cell as u32 % width, cell as u32 / width);
            let byte = bytes[cell];
            return Err(array_error(format_args!(
                "free at {x},{y} is {byte}: 1 is free, 0 is a wall (readMap tells which letters are which)"
            )));
        }
        let movement = movement(options)?;
        let at = |x: u32, y: u32| bytes[y as usize * width as usize + x as usize] == 1;
        let grid = working(|| Grid::from_fn(width, height, movement, at))?;
        let mut grid = grid.map_err(argument_error)?;
        if let Some(costs) = option(options, "costs")? {
            let factors = arrays::factors(&grid, &costs, "costs")?;
            grid = working(|| grid.with_factors(factors))?;
        }
        Ok(JsIndex::of(working(|| Index::new(grid))?))
    }

    /// The index that `save` gave the bytes of.
    pub fn load(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array")] bytes: &JsValue,
    ) -> JsResult<JsIndex> {
        let bytes = arrays::file(bytes, "bytes")?;
        let (width, height) = working(|| Index::size_in_bytes(&bytes))?.map_err(file_error)?;
        small_enough(width, height).map_err(file_error)?;
        let read = working(|| Index::from_bytes_with(&bytes, ENGINES))?;
        read.map(JsIndex::of).map_err(file_error)
    }

    /// Map and tables as the bytes of an index file, sealed by checksums: the same that the program and the other
    /// bindings write.
    pub fn save(&self) -> JsResult<Uint8Array> {
        let bytes = self.read(|index| working(|| index.to_bytes()))?;
        Ok(Uint8Array::from(&bytes[..]))
    }

    /// Builds what these engines need, unless it is there already; without a name, what "auto" builds in a moment.
    #[wasm_bindgen(variadic)]
    pub fn prepare(
        &self,
        #[wasm_bindgen(unchecked_param_type = "EngineName[]")] engines: &JsValue,
    ) -> JsResult<()> {
        let wanted = engines_named(engines)?;
        let build = |index: &mut Index| wanted.iter().try_for_each(|engine| index.prepare(*engine));
        self.change(build)?.map_err(build_error)
    }

    /// The shortest path from one tile to another, x and y of each tile one after the other; null if there is no
    /// way. A wall as start or goal is an error.
    #[wasm_bindgen(unchecked_return_type = "Int32Array | null")]
    pub fn path(
        &self,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: &JsValue,
    ) -> JsResult<JsValue> {
        let numbers = self.ask((x0, y0, x1, y1), options, |_, _, _, path| {
            let numbers = path.iter().flat_map(|tile| [i32::from(tile.x), i32::from(tile.y)]);
            numbers.collect::<Vec<i32>>()
        })?;
        Ok(numbers.map_or(JsValue::NULL, |numbers| Int32Array::from(&numbers[..]).into()))
    }

    /// How far it is in tiles, a diagonal step as the root of 2 (times what the tiles cost); null if there is no way.
    #[wasm_bindgen(unchecked_return_type = "number | null")]
    pub fn distance(
        &self,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: &JsValue,
    ) -> JsResult<JsValue> {
        let far = self.ask((x0, y0, x1, y1), options, |index, asked, cost, _| {
            in_tiles(index.grid(), asked.costs.as_deref())(cost)
        })?;
        Ok(far.map_or(JsValue::NULL, JsValue::from))
    }

    /// The shortest walk of straight lines at any angle, exactly; null if there is no way. Tiles stand for their
    /// centres; with `points: true` the numbers are points, in tiles from the upper left corner of the map, kept to a
    /// 256th of a tile. What walks is a point: it may touch corners and slide along walls. Rules of movement and
    /// what tiles cost do not matter. Without `prepareWalks` every call looks at the whole map first.
    #[wasm_bindgen(unchecked_return_type = "Walk | null")]
    pub fn walk(
        &self,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "WalkOptions")] options: &JsValue,
    ) -> JsResult<JsValue> {
        let found = self.read(|index| {
            let grid = index.grid();
            let are_points = walk::truth(options, "points")?.unwrap_or(false);
            let start = walk::end(grid, (x0, y0), are_points, "start")?;
            let goal = walk::end(grid, (x1, y1), are_points, "goal")?;
            let blocked = match option(options, "blocked")? {
                Some(tiles) => Some(Blocked::new(arrays::tiles(grid, &tiles, "blocked")?)),
                None => None,
            };
            let mut query = WalkQuery::new(start, goal);
            query.blocked = blocked.as_ref();
            let mut walk = Walk::default();
            let found = working(|| {
                let (scratch, _) = &mut *self.kept.borrow_mut();
                index.find_walk(&query, scratch, &mut walk)
            })?;
            Ok(found.map_err(coordinate_error)?.map(|_| walk))
        })?;
        Ok(found.map_or(JsValue::NULL, |walk| walk::given(&walk)))
    }

    /// Builds what `walk` answers from, unless it is there already: the map as bits, in a moment, and labels, by which
    /// walks between tiles take microseconds. Walks are exact after edits too; labels that an edit has overtaken are
    /// built again by another call.
    #[wasm_bindgen(js_name = prepareWalks)]
    pub fn prepare_walks(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "WalkTables")] options: &JsValue,
    ) -> JsResult<()> {
        let labels = walk::label_options(options)?;
        self.change(|index| walk::build(index, labels.as_ref()))?.map_err(build_error)
    }

    /// How far it is from one tile to each of many: Infinity where there is no way.
    pub fn distances(
        &self,
        x: f64,
        y: f64,
        #[wasm_bindgen(unchecked_param_type = "Tiles")] goals: &JsValue,
    ) -> JsResult<Float64Array> {
        let far = self.read(|index| {
            let start = arrays::tile(index.grid(), x, y, "start")?;
            let goals = arrays::free_tiles(index.grid(), goals, "goals")?;
            let in_tiles = in_tiles(index.grid(), None);
            let costs = working(|| {
                let (scratch, _) = &mut *self.kept.borrow_mut();
                index.distances(start, &goals, None, scratch)
            })?;
            let costs = costs.map_err(query_error)?.into_iter();
            Ok(costs.map(|cost| cost.map_or(f64::INFINITY, &in_tiles)).collect::<Vec<f64>>())
        })?;
        Ok(Float64Array::from(&far[..]))
    }

    /// Many paths at once: path i is `tiles.subarray(2 * offsets[i], 2 * offsets[i + 1])`, empty where there is no way.
    #[wasm_bindgen(unchecked_return_type = "Paths")]
    pub fn paths(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Tiles")] starts: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Tiles")] goals: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: &JsValue,
    ) -> JsResult<JsValue> {
        let (offsets, tiles) = self.read(|index| {
            let starts = arrays::free_tiles(index.grid(), starts, "starts")?;
            let goals = arrays::free_tiles(index.grid(), goals, "goals")?;
            if starts.len() != goals.len() {
                let (starts, goals) = (starts.len(), goals.len());
                return Err(array_error(format_args!(
                    "starts and goals must be equally many, not {starts} and {goals}"
                )));
            }
            let asked = Asked::new(index.grid(), options)?;
            let ends = starts.into_iter().zip(goals);
            working(|| self.find_all(index, &asked, ends))?
        })?;
        let (offsets, tiles) = (Uint32Array::from(&offsets[..]), Int32Array::from(&tiles[..]));
        Ok(object([("offsets", offsets.into()), ("tiles", tiles.into())]))
    }

    /// Changes the map: `edit([[x, y, free], ...])`, or a typed array of x, y and 0 or 1, one after the other. Every
    /// optimal engine is exact on the new map at once. A tile outside the map is an error, and nothing is changed.
    #[wasm_bindgen(unchecked_return_type = "EditReport")]
    pub fn edit(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Changes")] changes: &JsValue,
    ) -> JsResult<JsValue> {
        let changes = self.read(|index| edit::changes(index.grid(), changes))?;
        edit::report(self.change(|index| index.edit(changes))?)
    }

    /// Gives every tile what it costs to cross, as `costs` of a new index.
    #[wasm_bindgen(js_name = setCosts, unchecked_return_type = "EditReport")]
    pub fn set_costs(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] costs: &JsValue,
    ) -> JsResult<JsValue> {
        let changes = self.read(|index| edit::costs(index.grid(), costs))?;
        edit::report(self.change(|index| index.edit(changes))?)
    }

    /// The way to the nearest of many goals from everywhere.
    #[wasm_bindgen(unchecked_return_type = "Field")]
    pub fn field(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Tiles")] goals: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "FieldOptions")] options: &JsValue,
    ) -> JsResult<JsValue> {
        self.read(|index| {
            let goals = arrays::free_tiles(index.grid(), goals, "goals")?;
            field::field(index, &goals, &Asked::new(index.grid(), options)?)
        })
    }

    /// Whether any path leads from one tile to another; not from or to a wall.
    pub fn reachable(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> JsResult<bool> {
        self.read(|index| {
            let start = arrays::tile(index.grid(), x0, y0, "start")?;
            let goal = arrays::tile(index.grid(), x1, y1, "goal")?;
            working(|| index.reachable(start, goal))
        })
    }

    /// The tile nearest to another that can be reached from the first, be that a wall or on an island: where to
    /// send a unit whose goal cannot be reached. null if the first is a wall.
    #[wasm_bindgen(js_name = nearestReachable, unchecked_return_type = "[x: number, y: number] | null")]
    pub fn nearest_reachable(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> JsResult<JsValue> {
        let found = self.read(|index| {
            let start = arrays::tile(index.grid(), x0, y0, "start")?;
            let to = arrays::tile(index.grid(), x1, y1, "to")?;
            working(|| index.nearest_reachable(start, to))
        })?;
        Ok(found.map_or(JsValue::NULL, arrays::pair))
    }

    /// The tile within a radius, as the crow flies, that can be reached and to which the layer adds least; of those
    /// the nearest on the ground: where to flee to.
    #[wasm_bindgen(js_name = cheapestWithin, unchecked_return_type = "[x: number, y: number]")]
    pub fn cheapest_within(
        &self,
        x: f64,
        y: f64,
        radius: f64,
        #[wasm_bindgen(unchecked_param_type = "CostLayer")] costs: &JsValue,
    ) -> JsResult<JsValue> {
        self.read(|index| {
            let start = arrays::tile(index.grid(), x, y, "start")?;
            let near = tidegate::index::Near::Radius(crate::layer::radius(radius, "radius")?);
            let layer = JsLayer::of(costs, index.grid())?;
            let found = working(|| {
                let (scratch, _) = &mut *self.kept.borrow_mut();
                index.cheapest_within(start, near, &layer, None, scratch)
            })?;
            Ok(arrays::pair(found.map_err(query_error)?.tile))
        })
    }

    /// Zones and gates of the map, by rising water. The index keeps them and lets them follow edits; what this
    /// returns stays what it is.
    pub fn decompose(&self) -> JsResult<Parts> {
        let index = self.change(|index| {
            index.decompose();
            index.clone()
        })?;
        Ok(Parts::new(index))
    }

    /// Columns of the map.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> JsResult<u32> {
        self.read(|index| Ok(index.grid().width()))
    }

    /// Rows of the map.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> JsResult<u32> {
        self.read(|index| Ok(index.grid().height()))
    }

    /// The rule of movement.
    #[wasm_bindgen(getter, unchecked_return_type = "Movement")]
    pub fn movement(&self) -> JsResult<JsValue> {
        self.read(|index| Ok(index.grid().movement().name().into()))
    }

    /// Which tiles can be entered now: a new array of 0 and 1.
    #[wasm_bindgen(getter, js_name = freeTiles)]
    pub fn free_tiles(&self) -> JsResult<Uint8Array> {
        let bytes = self.read(|index| {
            let (grid, bits) = (index.grid(), index.grid().free_bits());
            Ok((0..grid.tiles()).map(|cell| u8::from(bits.contains(cell))).collect::<Vec<u8>>())
        })?;
        Ok(Uint8Array::from(&bytes[..]))
    }

    /// What each tile costs to cross now: a new array, or null if all cost the same.
    #[wasm_bindgen(getter, unchecked_return_type = "Float64Array | null")]
    pub fn costs(&self) -> JsResult<JsValue> {
        let costs = self.read(|index| {
            let cost = |factor: &tidegate::cost::Factor| f64::from(factor.hundredths()) / 100.0;
            Ok(index.grid().factors().map(|all| all.iter().map(cost).collect::<Vec<f64>>()))
        })?;
        Ok(costs.map_or(JsValue::NULL, |costs| Float64Array::from(&costs[..]).into()))
    }

    /// How often the map was edited.
    #[wasm_bindgen(getter)]
    pub fn revision(&self) -> JsResult<f64> {
        self.read(|index| Ok(index.revision() as f64))
    }

    /// The names of the engines that answer without being prepared first.
    #[wasm_bindgen(getter, unchecked_return_type = "EngineName[]")]
    pub fn engines(&self) -> JsResult<JsValue> {
        self.read(|index| {
            let ready = ENGINES.iter().filter(|engine| engine.has_tables(index));
            Ok(ready.map(|engine| JsValue::from(engine.name())).collect::<Array>().into())
        })
    }
}

impl JsIndex {
    /// Offsets and tiles of many paths.
    fn find_all(
        &self,
        index: &Index,
        asked: &Asked,
        ends: impl Iterator<Item = (Tile, Tile)>,
    ) -> JsResult<(Vec<u32>, Vec<i32>)> {
        let (scratch, path) = &mut *self.kept.borrow_mut();
        // An engine that learns from its queries answers them from the beginning.
        let mut fresh = Scratch::new();
        let scratch = if asked.engine.info().adapts { &mut fresh } else { scratch };
        let (mut offsets, mut tiles) = (vec![0], Vec::new());
        for (start, goal) in ends {
            let found = index.find(asked.engine, &asked.query(start, goal), scratch, path);
            if found.map_err(query_error)?.cost().is_some() {
                if tiles.len() / 2 + path.len() > MOST_IN_PATHS {
                    return Err(array_error(format_args!(
                        "the paths have more than {MOST_IN_PATHS} tiles: ask for fewer"
                    )));
                }
                tiles.extend(path.iter().flat_map(|tile| [i32::from(tile.x), i32::from(tile.y)]));
            }
            offsets.push((tiles.len() / 2) as u32);
        }
        Ok((offsets, tiles))
    }
}
