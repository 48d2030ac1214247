//! What comes from Python: tiles, lists of tiles, maps and masks. What does not fit is
//! refused with its name, its shape and its dtype.

use numpy::ndarray::{Array2, ArrayView2, ArrayViewD};
use numpy::{
    PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use tidegate::cost::Factor;
use tidegate::{Grid, Tile};

use crate::errors::{array_error, coordinate_error};

/// The most tiles that an array may have: one of numpy can have more than memory has and take none.
const MOST_TILES: usize = 1 << 24;

/// The most elements of what is iterated over, which may be endless: changes, names, numbers of gates. Larger
/// edits are made with masks.
const MOST_ITEMS: usize = 1 << 20;

/// What the elements of a list, tuple or anything else that can be iterated over are; `None` if it cannot be.
pub(crate) fn listed<'py, T>(
    value: &Bound<'py, PyAny>,
    name: &str,
    mut read: impl FnMut(usize, Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<Vec<T>>> {
    let Ok(list) = value.try_iter() else { return Ok(None) };
    let mut all = Vec::new();
    for (n, item) in list.enumerate() {
        if n == MOST_ITEMS {
            return Err(too_many(name, MOST_ITEMS));
        }
        all.push(read(n, item?)?);
    }
    Ok(Some(all))
}

fn too_many(name: &str, most: usize) -> PyErr {
    array_error(format_args!("{name} must have at most {most} elements"))
}

/// One tile, `(x, y)`, inside the map.
pub(crate) fn tile(grid: &Grid, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Tile> {
    // A whole number; a float is none.
    let pair: Option<(i64, i64)> = match value.cast::<PyTuple>() {
        Ok(pair) if pair.len() == 2 => {
            let item = |at: usize| pair.get_borrowed_item(at).ok()?.extract().ok();
            item(0).zip(item(1))
        }
        Ok(_) => None,
        Err(_) if value.len().is_ok_and(|length| length == 2) => {
            let item = |at: usize| value.get_item(at).ok()?.extract().ok();
            item(0).zip(item(1))
        }
        Err(_) => None,
    };
    let (x, y) = pair.ok_or_else(|| {
        coordinate_error(format_args!(
            "{name} must be (x, y), two whole numbers, not {}",
            shown(value)
        ))
    })?;
    inside(grid, x, y).ok_or_else(|| outside(grid, name, x, y))
}

fn inside(grid: &Grid, x: i64, y: i64) -> Option<Tile> {
    let (x, y) = (u16::try_from(x).ok()?, u16::try_from(y).ok()?);
    Some(Tile::new(x, y)).filter(|&tile| grid.contains(tile))
}

fn outside(grid: &Grid, name: &str, x: i64, y: i64) -> PyErr {
    let (width, height) = (grid.width(), grid.height());
    coordinate_error(format_args!(
        "{name} ({x}, {y}) lies outside the map of {width} x {height} tiles"
    ))
}

/// A value as it is told in a message.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    if text.chars().count() <= 60 {
        return text;
    }
    format!("{}...", text.chars().take(57).collect::<String>())
}

/// The value as an array: itself if it is one.
pub(crate) fn any_array<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = ASARRAY.import(value.py(), "numpy", "asarray")?.call1((value,));
    let array = made.ok().and_then(|array| array.cast_into::<PyUntypedArray>().ok());
    array.ok_or_else(|| array_error(format_args!("{name} must be an array, not {}", shown(value))))
}

fn described(array: &Bound<'_, PyUntypedArray>) -> String {
    let shape: Vec<String> = array.shape().iter().map(ToString::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    format!("shape ({}{comma}) and dtype {}", shape.join(", "), array.dtype())
}

/// The numbers as this type; copied if they are of another, or lie where no such number may lie.
fn cast<'py, T: numpy::Element>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let options = PyDict::new(array.py());
    let is_aligned: bool = array.getattr("flags")?.getattr("aligned")?.extract()?;
    options.set_item("copy", !is_aligned)?;
    let made = array.call_method("astype", (dtype,), Some(&options))?;
    Ok(made.cast_into::<PyArrayDyn<T>>()?.try_readonly()?)
}

/// A map or mask: bool, of shape (height, width). Its bytes are handed on, of which any but 0 is true: a view
/// of other bytes as bool has more than two values, which a `bool` here must not have.
pub(crate) fn with_bools<R>(
    value: &Bound<'_, PyAny>,
    name: &str,
    shape: Option<(u32, u32)>,
    work: impl FnOnce(ArrayView2<'_, u8>) -> PyResult<R>,
) -> PyResult<R> {
    let array = any_array(value, name)?;
    let wanted = match shape {
        Some((width, height)) => format!("({height}, {width})"),
        None => "(height, width)".to_owned(),
    };
    let refuse = || {
        let got = described(&array);
        array_error(format_args!("{name} must be a bool array of shape {wanted}, not {got}"))
    };
    if array.dtype().kind() != b'b' {
        return Err(refuse());
    }
    let bytes = array.call_method1("view", ("uint8",))?.cast_into::<PyArrayDyn<u8>>()?;
    let bytes = bytes.try_readonly()?;
    let view = two_dimensional(bytes.as_array()).ok_or_else(refuse)?;
    if shape.is_some_and(|(width, height)| view.dim() != (height as usize, width as usize)) {
        return Err(refuse());
    }
    work(view)
}

/// Bytes of shape (height, width), as many as a map may have tiles, copied.
pub(crate) fn bytes(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Array2<u8>> {
    let array = any_array(value, name)?;
    let refuse = || {
        let got = described(&array);
        array_error(format_args!(
            "{name} must be a uint8 array of shape (height, width), not {got}"
        ))
    };
    let bytes = array.cast::<PyArrayDyn<u8>>().map_err(|_| refuse())?.try_readonly()?;
    let view = two_dimensional(bytes.as_array()).ok_or_else(refuse)?;
    let (height, width) = view.dim();
    tidegate::grid::check_size(width as u64, height as u64).map_err(array_error)?;
    Ok(view.to_owned())
}

fn two_dimensional<T>(view: ArrayViewD<'_, T>) -> Option<ArrayView2<'_, T>> {
    view.into_dimensionality().ok()
}

/// Tiles of the map: whole numbers, of shape (n, 2).
pub(crate) fn tiles(grid: &Grid, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Tile>> {
    let array = any_array(value, name)?;
    if array.shape() == [0] {
        return Ok(Vec::new());
    }
    let kind = array.dtype().kind();
    if array.ndim() != 2 || array.shape()[1] != 2 || !matches!(kind, b'i' | b'u') {
        let got = described(&array);
        return Err(array_error(format_args!(
            "{name} must be an array of whole numbers of shape (n, 2), x and y of each, not {got}"
        )));
    }
    if array.shape()[0] > MOST_TILES {
        return Err(too_many(name, MOST_TILES));
    }
    let numbers = cast::<i64>(&array, "int64")?;
    let view = numbers.as_array();
    let rows = view.rows().into_iter().enumerate();
    rows.map(|(n, row)| {
        let (x, y) = (row[0], row[1]);
        inside(grid, x, y).ok_or_else(|| outside(grid, &format!("{name}[{n}]"), x, y))
    })
    .collect()
}

/// Tiles of the map of which none is a wall.
pub(crate) fn free_tiles(grid: &Grid, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Tile>> {
    let tiles = tiles(grid, value, name)?;
    match tiles.iter().position(|&tile| !grid.is_free(tile)) {
        Some(n) => Err(coordinate_error(format_args!("{name}[{n}] {} is a wall", tiles[n]))),
        None => Ok(tiles),
    }
}

/// A value for every tile of a map of so many columns and rows, made of column, row and number of
/// an array of shape (height, width).
pub(crate) fn numbers<T>(
    (width, height): (u32, u32),
    value: &Bound<'_, PyAny>,
    name: &str,
    made: impl Fn(usize, usize, f64) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let array = any_array(value, name)?;
    let (width, height) = (width as usize, height as usize);
    let is_number = matches!(array.dtype().kind(), b'f' | b'i' | b'u');
    if array.shape() != [height, width] || !is_number {
        let got = described(&array);
        return Err(array_error(format_args!(
            "{name} must be an array of numbers of shape ({height}, {width}), not {got}"
        )));
    }
    let numbers = cast::<f64>(&array, "float64")?;
    let values = numbers.as_array();
    let cells = values.iter().enumerate();
    cells.map(|(cell, &value)| made(cell % width, cell / width, value)).collect()
}

/// A cost factor for every tile of the map: numbers of shape (height, width). Walls may
/// have any, infinity too.
pub(crate) fn factors(grid: &Grid, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Factor>> {
    numbers((grid.width(), grid.height()), value, name, |x, y, value| {
        let is_wall = !grid.is_free_at(x as i32, y as i32);
        let factor = Factor::new(value).or(is_wall.then_some(Factor::ONE));
        factor.ok_or_else(|| {
            array_error(format_args!(
                "{name}[{y}, {x}] is {value}: a cost factor is a number from 1 to 655.35"
            ))
        })
    })
}
