//! Maps from files, and what engines there are.

use js_sys::{Array, Uint8Array};
use tidegate::Movement;
use tidegate::engine::{self, Engine, Promise};
use tidegate::grid::TileMap;
use wasm_bindgen::prelude::*;

use crate::arrays;
use crate::errors::{JsResult, file_error, working};
use crate::index::small_enough;
use crate::object::object;

/// The engines of the package. Those that adapt sectors are for research, and those of HPA* would add a tenth to its size where
/// `corners` are faster and exact.
pub const ENGINES: &[&dyn Engine] = &[
    engine::AUTO,
    engine::ASTAR,
    engine::JPS,
    engine::CORNERS,
    engine::LABELS,
    engine::DIFFERENTIAL,
    engine::DEAD_END,
    engine::GATEWAY,
    engine::GATEWAY_2WAY,
    engine::GATEWAY_CONSISTENT,
    engine::GATEWAY_DIFFERENTIAL,
    engine::PORTAL,
];

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.ts");

/// Reads a map: a `.map` file of the Moving AI collection or plain rows of letters, as text or bytes.
#[wasm_bindgen(js_name = readMap, unchecked_return_type = "TileMap")]
pub fn read_map(
    #[wasm_bindgen(unchecked_param_type = "string | Uint8Array")] file: &JsValue,
) -> JsResult<JsValue> {
    let bytes = match file.as_string() {
        Some(text) => text.into_bytes(),
        None => arrays::file(file, "a map")?,
    };
    let map = working(|| {
        if bytes.starts_with(b"type") {
            TileMap::parse(&bytes)
        } else {
            TileMap::parse_text(&bytes)
        }
    })?
    .map_err(file_error)?;
    small_enough(map.width(), map.height()).map_err(file_error)?;
    let grid = working(|| map.grid(Movement::default()))?;
    let bits = grid.free_bits();
    let free: Vec<u8> = (0..grid.tiles()).map(|cell| bits.contains(cell).into()).collect();
    Ok(object([
        ("free", Uint8Array::from(&free[..]).into()),
        ("width", map.width().into()),
        ("height", map.height().into()),
        ("kinds", Uint8Array::from(map.letters()).into()),
    ]))
}

/// All engines: their names, whether their paths are always shortest, what they are.
#[wasm_bindgen(unchecked_return_type = "EngineInfo[]")]
pub fn engines() -> JsValue {
    let engine = |engine: &&dyn Engine| {
        let optimal = engine.promise() == Promise::Optimal;
        object([
            ("name", engine.name().into()),
            ("optimal", optimal.into()),
            ("about", engine.about().into()),
        ])
    };
    ENGINES.iter().map(engine).collect::<Array>().into()
}

/// The version of the library.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
