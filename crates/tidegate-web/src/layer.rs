//! `CostLayer`: costs that come and go on top of the map's own.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use js_sys::Float64Array;
use tidegate::cost::Extra;
use tidegate::grid::Area;
use tidegate::{CostLayer, Grid};
use wasm_bindgen::prelude::*;

use crate::arrays::{self, shown};
use crate::errors::{JsResult, argument_error, array_error, working};
use crate::index::JsIndex;
use crate::object::{number, option};

thread_local! {
    /// All layers, by their keys: options of a query hold an object of JavaScript, of which only its properties can
    /// be read.
    static LAYERS: RefCell<BTreeMap<u32, Rc<CostLayer>>> = const { RefCell::new(BTreeMap::new()) };
    static NEXT: Cell<u32> = const { Cell::new(1) };
}

/// Costs that come and go on top of a map's own: danger, crowds, the reach of towers. It is for maps of the size of
/// `index`.
#[wasm_bindgen(js_name = CostLayer)]
pub struct JsLayer {
    key: u32,
}

impl Drop for JsLayer {
    fn drop(&mut self) {
        LAYERS.with_borrow_mut(|layers| layers.remove(&self.key));
    }
}

const ADDED: &str = "what is added is a number from 0 to 655.35";

/// A radius that an argument gives.
pub(crate) fn radius(value: f64, name: &str) -> JsResult<f64> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(argument_error(format_args!("{name} is {value}: it must be a number from 0 on")))
}

impl JsLayer {
    /// The layer that a value of JavaScript is, for a map.
    pub(crate) fn of(value: &JsValue, grid: &Grid) -> JsResult<Rc<CostLayer>> {
        let key = if value.is_object() { number(value, "_key")? } else { None };
        let layer = key.and_then(|key| LAYERS.with_borrow(|all| all.get(&(key as u32)).cloned()));
        let Some(layer) = layer else {
            let got = shown(value);
            return Err(argument_error(format_args!("costs must be a CostLayer, not {got}")));
        };
        if layer.fits(grid) {
            return Ok(layer);
        }
        let (width, height) = (layer.width(), layer.height());
        Err(array_error(format_args!(
            "costs are for maps of {width} x {height} tiles, this one has {} x {}",
            grid.width(),
            grid.height()
        )))
    }

    fn now(&self) -> Rc<CostLayer> {
        LAYERS.with_borrow(|layers| Rc::clone(&layers[&self.key]))
    }

    fn change(&self, change: impl FnOnce(&mut CostLayer)) -> JsResult<()> {
        working(|| {
            LAYERS
                .with_borrow_mut(|layers| layers.get_mut(&self.key).map(Rc::make_mut).map(change));
        })
    }
}

#[wasm_bindgen(js_class = CostLayer)]
impl JsLayer {
    /// A layer that adds nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new(index: &JsIndex) -> JsResult<JsLayer> {
        let layer = index.read(|index| working(|| CostLayer::new(index.grid())))?;
        let key = NEXT.replace(NEXT.get().wrapping_add(1));
        LAYERS.with_borrow_mut(|layers| layers.insert(key, Rc::new(layer)));
        Ok(JsLayer { key })
    }

    /// Under which number it is kept.
    #[wasm_bindgen(getter, js_name = _key, skip_typescript)]
    pub fn key(&self) -> u32 {
        self.key
    }

    /// Adds `extra` to what the tiles of a disc cost; `inner` makes it a ring, `falling` lets it go down to nothing at
    /// the rim.
    pub fn add(
        &self,
        x: f64,
        y: f64,
        radius: f64,
        extra: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "{ inner?: number; falling?: boolean }")]
        options: &JsValue,
    ) -> JsResult<()> {
        let layer = self.now();
        let size = (layer.width(), layer.height());
        drop(layer);
        let centre = arrays::inside(size, x, y)
            .ok_or_else(|| argument_error(arrays::outside(size, "centre", x, y)))?;
        let outer = self::radius(radius, "radius")?;
        let inner = self::radius(number(options, "inner")?.unwrap_or(0.0), "inner")?;
        let falling = option(options, "falling")?.is_some_and(|value| value.is_truthy());
        let extra = Extra::new(extra)
            .ok_or_else(|| argument_error(format_args!("extra is {extra}: {ADDED}")))?;
        if falling && inner > 0.0 {
            return Err(argument_error("a ring does not fall: give inner or falling"));
        }
        self.change(|layer| match (falling, inner > 0.0) {
            (true, _) => layer.add_falling(centre, outer, extra),
            (false, true) => layer.add(&Area::ring(centre, inner, outer), extra),
            (false, false) => layer.add(&Area::disc(centre, outer), extra),
        })
    }

    /// Adds to every tile what an array says, row by row.
    #[wasm_bindgen(js_name = addArray)]
    pub fn add_array(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] extras: &JsValue,
    ) -> JsResult<()> {
        let layer = self.now();
        let size = (layer.width(), layer.height());
        drop(layer);
        let extras = arrays::for_each_tile(size, extras, "extras", |x, y, value| {
            Extra::new(value)
                .ok_or_else(|| array_error(format_args!("extras at {x},{y} is {value}: {ADDED}")))
        })?;
        let mut added = Ok(());
        self.change(|layer| added = layer.add_each(&extras))?;
        added.map_err(array_error)
    }

    /// Leaves this fraction of everything, from 0 to 1.
    pub fn fade(&self, keep: f64) -> JsResult<()> {
        if !(0.0..=1.0).contains(&keep) {
            return Err(argument_error(format_args!("keep is {keep}: a fraction from 0 to 1")));
        }
        self.change(|layer| layer.fade(keep))
    }

    /// Forgets everything that was added.
    pub fn clear(&self) -> JsResult<()> {
        self.change(CostLayer::clear)
    }

    /// What is added to every tile: a new array.
    #[wasm_bindgen(getter)]
    pub fn array(&self) -> Float64Array {
        let layer = self.now();
        let values = layer.added().iter().map(|extra| f64::from(extra.hundredths()) / 100.0);
        Float64Array::from(&values.collect::<Vec<f64>>()[..])
    }

    /// Whether nothing is added anywhere.
    #[wasm_bindgen(getter, js_name = isEmpty)]
    pub fn is_empty(&self) -> bool {
        self.now().is_empty()
    }
}
