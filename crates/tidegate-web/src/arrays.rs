//! What comes from JavaScript: tiles, lists of tiles, maps. What does not fit is refused with its name.
//!
//! Looking at a value may run code of the page (a getter, a proxy), which may throw. An error that is thrown through
//! frames of WebAssembly leaves them as they are, so whatever may throw is caught here (`catch`); and lists are
//! copied before they are read, for the copy is nothing but values.

use js_sys::{Array, ArrayBuffer, Float64Array, Int32Array, Reflect, Uint8Array};
use tidegate::cost::Factor;
use tidegate::{Grid, Tile};
use wasm_bindgen::prelude::*;

use crate::errors::{JsResult, array_error, coordinate_error};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Float64Array)]
    type Numbers;

    /// A copy of an array as numbers; what is none becomes NaN.
    #[wasm_bindgen(constructor, catch, js_class = "Float64Array")]
    fn new(array: &JsValue) -> Result<Numbers, JsValue>;

    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;

    /// A copy of an array as bytes.
    #[wasm_bindgen(constructor, catch, js_class = "Uint8Array")]
    fn new(array: &JsValue) -> Result<Bytes, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["Object", "prototype", "toString"], js_name = call)]
    fn object_to_string(value: &JsValue) -> Result<JsValue, JsValue>;

    /// An error for a proxy that was revoked.
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;

    #[wasm_bindgen(catch, js_namespace = Array, js_name = from)]
    fn copy(list: &JsValue) -> Result<Array, JsValue>;
}

/// The most numbers of a list, and the most elements: what they take here must fit the memory of a module.
const MOST: f64 = (1 << 24) as f64;

/// A copy of a list; `None` if it is none.
pub(crate) fn copied_list(value: &JsValue, name: &str) -> JsResult<Option<Array>> {
    if !is_array(value)? {
        return Ok(None);
    }
    not_too_long(value, name)?;
    Ok(Some(copy(value)?))
}

fn not_too_long(value: &JsValue, name: &str) -> JsResult<()> {
    let length = length(value)?;
    if length <= MOST {
        return Ok(());
    }
    Err(array_error(format_args!("{name} must have at most {MOST} elements, not {length}")))
}

/// One tile inside the map.
pub(crate) fn tile(grid: &Grid, x: f64, y: f64, name: &str) -> JsResult<Tile> {
    let size = (grid.width(), grid.height());
    inside(size, x, y).ok_or_else(|| coordinate_error(outside(size, name, x, y)))
}

/// A tile of a map of this size; `None` for what lies outside or is no whole number.
pub(crate) fn inside((width, height): (u32, u32), x: f64, y: f64) -> Option<Tile> {
    // NaN lies in no range; -0 is 0.
    let (whole, in_map) = (x.trunc() == x && y.trunc() == y, x < width.into() && y < height.into());
    (whole && in_map && x >= 0.0 && y >= 0.0).then(|| Tile::new(x as u16, y as u16))
}

/// Why these numbers are no tile of the map.
pub(crate) fn outside((width, height): (u32, u32), name: &str, x: f64, y: f64) -> String {
    if x.trunc() != x || y.trunc() != y || x.is_infinite() || y.is_infinite() {
        return format!("{name} must be two whole numbers, not {x} and {y}");
    }
    format!("{name} {x},{y} lies outside the map of {width} x {height} tiles")
}

/// A value as it is told in a message.
pub(crate) fn shown(value: &JsValue) -> String {
    if let Some(text) = value.as_string() {
        return format!("{:?}", text.chars().take(60).collect::<String>());
    }
    if let Some(number) = value.as_f64() {
        return number.to_string();
    }
    if let Some(truth) = value.as_bool() {
        return truth.to_string();
    }
    if value.is_null() {
        return "null".to_owned();
    }
    match (kind(value), length(value)) {
        (Some(kind), Ok(length)) => format!("{kind}({length})"),
        _ => value.js_typeof().as_string().unwrap_or_default(),
    }
}

/// Names of arrays of numbers, wherever they were made: `instanceof` knows those of this page alone.
fn kind(value: &JsValue) -> Option<&'static str> {
    const KINDS: [&str; 10] = [
        "Array",
        "Uint8Array",
        "Uint8ClampedArray",
        "Int8Array",
        "Int16Array",
        "Uint16Array",
        "Int32Array",
        "Uint32Array",
        "Float32Array",
        "Float64Array",
    ];
    if !ArrayBuffer::is_view(value) && !is_array(value).unwrap_or(false) {
        return None;
    }
    let name = object_to_string(value).ok()?.as_string()?;
    let name = name.strip_prefix("[object ")?.strip_suffix(']')?;
    KINDS.into_iter().find(|&kind| kind == name)
}

/// How long an array says it is; NaN if it says something else.
fn length(array: &JsValue) -> JsResult<f64> {
    Ok(Reflect::get(array, &"length".into())?.as_f64().unwrap_or(f64::NAN))
}

/// A byte for every tile.
pub(crate) fn bytes(value: &JsValue, name: &str, (width, height): (u32, u32)) -> JsResult<Vec<u8>> {
    let count = u64::from(width) * u64::from(height);
    let wrong = || {
        let got = shown(value);
        array_error(format_args!(
            "{name} must be a Uint8Array of {width} x {height} = {count} bytes, not {got}"
        ))
    };
    if !matches!(kind(value), Some("Uint8Array" | "Uint8ClampedArray"))
        || length(value)? != count as f64
    {
        return Err(wrong());
    }
    let bytes = copied_bytes(value, name)?;
    // It may have said something else than it has.
    if bytes.len() as u64 == count { Ok(bytes) } else { Err(wrong()) }
}

fn copied_bytes(value: &JsValue, name: &str) -> JsResult<Vec<u8>> {
    let bytes = Bytes::new(value)
        .map_err(|_| array_error(format_args!("{name} cannot be read: is its buffer gone?")))?;
    Ok(bytes.unchecked_ref::<Uint8Array>().to_vec())
}

/// The most bytes of a file that is read.
const MOST_BYTES: f64 = (1 << 30) as f64;

/// The bytes of a file.
pub(crate) fn file(value: &JsValue, name: &str) -> JsResult<Vec<u8>> {
    match kind(value) {
        Some("Uint8Array") if length(value)? <= MOST_BYTES => copied_bytes(value, name),
        Some("Uint8Array") => Err(array_error(format_args!(
            "{name} must have at most {MOST_BYTES} bytes, not {}",
            length(value)?
        ))),
        _ => Err(array_error(format_args!("{name} must be a Uint8Array, not {}", shown(value)))),
    }
}

/// Numbers: a typed array, or a list of them.
pub(crate) fn numbers(value: &JsValue, name: &str) -> JsResult<Vec<f64>> {
    if kind(value).is_none() {
        let got = shown(value);
        return Err(array_error(format_args!("{name} must be an array of numbers, not {got}")));
    }
    not_too_long(value, name)?;
    copied_numbers(value, name)
}

fn copied_numbers(value: &JsValue, name: &str) -> JsResult<Vec<f64>> {
    let numbers = Numbers::new(value)
        .map_err(|_| array_error(format_args!("{name} must hold nothing but numbers")))?;
    Ok(numbers.unchecked_ref::<Float64Array>().to_vec())
}

/// Tiles of the map, `[x, y, x, y, ...]`.
pub(crate) fn tiles(grid: &Grid, value: &JsValue, name: &str) -> JsResult<Vec<Tile>> {
    let numbers = numbers(value, name)?;
    if numbers.len() % 2 == 1 {
        let count = numbers.len();
        return Err(array_error(format_args!(
            "{name} must hold x and y of each tile, one after the other, not {count} numbers"
        )));
    }
    let pairs = numbers.chunks_exact(2).enumerate();
    let size = (grid.width(), grid.height());
    pairs
        .map(|(n, pair)| {
            let wrong = || outside(size, &format!("{name}[{n}]"), pair[0], pair[1]);
            inside(size, pair[0], pair[1]).ok_or_else(|| coordinate_error(wrong()))
        })
        .collect()
}

/// Tiles of the map of which none is a wall.
pub(crate) fn free_tiles(grid: &Grid, value: &JsValue, name: &str) -> JsResult<Vec<Tile>> {
    let tiles = tiles(grid, value, name)?;
    match tiles.iter().position(|&tile| !grid.is_free(tile)) {
        Some(n) => Err(coordinate_error(format_args!("{name}[{n}] {} is a wall", tiles[n]))),
        None => Ok(tiles),
    }
}

/// A number for every tile, made of column, row and number.
pub(crate) fn for_each_tile<T>(
    (width, height): (u32, u32),
    value: &JsValue,
    name: &str,
    made: impl Fn(usize, usize, f64) -> JsResult<T>,
) -> JsResult<Vec<T>> {
    let count = width as usize * height as usize;
    let wrong = |got: f64| {
        array_error(format_args!(
            "{name} must hold {width} x {height} = {count} numbers, not {got}"
        ))
    };
    // As many as the map has tiles, however many that are, and before they are copied.
    let numbers = match kind(value) {
        Some(_) if length(value)? == count as f64 => copied_numbers(value, name)?,
        Some(_) => return Err(wrong(length(value)?)),
        None => numbers(value, name)?,
    };
    if numbers.len() != count {
        return Err(wrong(numbers.len() as f64));
    }
    let width = width as usize;
    let cells = numbers.into_iter().enumerate();
    cells.map(|(cell, value)| made(cell % width, cell / width, value)).collect()
}

/// A cost factor for every tile of the map. Walls may have any number.
pub(crate) fn factors(grid: &Grid, value: &JsValue, name: &str) -> JsResult<Vec<Factor>> {
    for_each_tile((grid.width(), grid.height()), value, name, |x, y, value| {
        let is_wall = !grid.is_free_at(x as i32, y as i32);
        let factor = Factor::new(value).or(is_wall.then_some(Factor::ONE));
        factor.ok_or_else(|| {
            array_error(format_args!(
                "{name} at {x},{y} is {value}: a cost factor is a number from 1 to 655.35"
            ))
        })
    })
}

/// Tiles as `[x, y, x, y, ...]`.
pub(crate) fn pairs(tiles: impl IntoIterator<Item = Tile>) -> Int32Array {
    let numbers: Vec<i32> =
        tiles.into_iter().flat_map(|tile| [tile.x.into(), tile.y.into()]).collect();
    Int32Array::from(&numbers[..])
}

/// One tile as `[x, y]`.
pub(crate) fn pair(tile: Tile) -> JsValue {
    Array::of2(&tile.x.into(), &tile.y.into()).into()
}

/// Whole numbers as a list.
pub(crate) fn list(numbers: impl IntoIterator<Item = usize>) -> JsValue {
    numbers.into_iter().map(|number| JsValue::from(number as u32)).collect::<Array>().into()
}
