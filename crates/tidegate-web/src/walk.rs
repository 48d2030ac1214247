//! Walks at any angle: straight lines from point to point.

use js_sys::Float64Array;
use tidegate::anyangle::{AnyAngle, LiveAngleLabels, Point, Walk};
use tidegate::engine::BuildError;
use tidegate::index::{Table, TableState};
use tidegate::labels::{Form, LabelOptions};
use tidegate::{Grid, Index};
use wasm_bindgen::JsValue;

use crate::arrays::{self, shown};
use crate::errors::{JsResult, argument_error, coordinate_error};
use crate::object::{number, object, option, text};

/// An end of a walk: a tile, which stands for its centre, or a point.
pub(crate) fn end(
    grid: &Grid,
    (x, y): (f64, f64),
    are_points: bool,
    name: &str,
) -> JsResult<Point> {
    if !are_points {
        return Ok(arrays::tile(grid, x, y, name)?.into());
    }
    let wrong = || coordinate_error(format_args!("{name} ({x}, {y}) is no point of the map"));
    Point::from_tiles(x, y).ok_or_else(wrong)
}

/// An option that is true or false.
pub(crate) fn truth(options: &JsValue, name: &str) -> JsResult<Option<bool>> {
    let Some(value) = option(options, name)? else { return Ok(None) };
    let wrong =
        || argument_error(format_args!("{name} must be true or false, not {}", shown(&value)));
    value.as_bool().map(Some).ok_or_else(wrong)
}

/// A walk as JavaScript gets it.
pub(crate) fn given(walk: &Walk) -> JsValue {
    let numbers = walk.points().iter().flat_map(|point| <[f64; 2]>::from(point.in_tiles()));
    let points = Float64Array::from(&numbers.collect::<Vec<f64>>()[..]);
    object([("points", points.into()), ("length", walk.length().into())])
}

/// The most bytes that labels may take: half of what a module has.
const MOST_BYTES: f64 = (1_u64 << 31) as f64;

/// How labels are to be built; `None` if none are wanted.
pub(crate) fn label_options(options: &JsValue) -> JsResult<Option<LabelOptions>> {
    const FORMS: [&str; 3] = ["auto", "fast", "small"];
    let mut wanted = LabelOptions::default();
    if let Some(name) = text(options, "form")? {
        let known = FORMS.iter().position(|form| *form == name);
        wanted.form = known.map(|at| Form::ALL[at]).ok_or_else(|| {
            argument_error(format_args!("no form {name:?}; there are: {}", FORMS.join(", ")))
        })?;
    }
    if let Some(bytes) = number(options, "budget")? {
        if !(0.0..=MOST_BYTES).contains(&bytes) {
            return Err(argument_error(format_args!(
                "budget is {bytes}: give a number of bytes, at most {MOST_BYTES}"
            )));
        }
        wanted.budget_bytes = bytes as u64;
    }
    Ok(truth(options, "labels")?.unwrap_or(true).then_some(wanted))
}

/// Builds the tables of walks, with labels if they are wanted, unless they are there already.
pub(crate) fn build(index: &mut Index, labels: Option<&LabelOptions>) -> Result<(), BuildError> {
    if !index.has(AnyAngle::KIND) {
        index.build::<AnyAngle>(&())?;
    }
    let is_current = index.table_state(LiveAngleLabels::KIND) == Some(TableState::Current);
    match labels {
        Some(wanted) if !is_current || index.options::<LiveAngleLabels>() != Some(wanted) => {
            index.build::<LiveAngleLabels>(wanted).map(|_| ())
        }
        _ => Ok(()),
    }
}
