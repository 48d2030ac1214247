//! `tidegate.Walk`: the shortest walk at any angle, and the tables for it.

use numpy::PyArray2;
use pyo3::prelude::*;
use tidegate::anyangle::{AnyAngle, LiveAngleLabels, Point, Walk, WalkQuery};
use tidegate::engine::BuildError;
use tidegate::index::{Table, TableState};
use tidegate::labels::{Form, LabelOptions};
use tidegate::{Blocked, Grid, Index};

use crate::errors::{argument_error, coordinate_error};
use crate::index::PyIndex;
use crate::{arrays, batch};

/// The names of the forms of labels, in the order of `Form::ALL`.
const FORMS: [&str; 3] = ["auto", "fast", "small"];

/// A walk of straight lines at any angle, as `Index.walk` returns it.
///
/// >>> import numpy as np
/// >>> walk = Index(np.ones((2, 3), dtype=bool)).walk((0, 0), (2, 1))
/// >>> walk
/// Walk(2 points, length 2.236)
#[pyclass(name = "Walk", module = "tidegate", frozen)]
pub(crate) struct PyWalk {
    walk: Walk,
}

#[pymethods]
impl PyWalk {
    /// Where it begins, bends and ends, in tiles from the upper left corner of the map: the centre
    /// of tile (0, 0) is (0.5, 0.5). One point if start and goal are the same.
    ///
    /// >>> import numpy as np
    /// >>> Index(np.ones((2, 3), dtype=bool)).walk((0, 0), (2.0, 2.0)).points
    /// [(0.5, 0.5), (2.0, 2.0)]
    #[getter]
    fn points(&self) -> Vec<(f64, f64)> {
        self.walk.points().iter().map(|point| point.in_tiles()).collect()
    }

    /// How long it is, in tiles.
    ///
    /// >>> import numpy as np
    /// >>> Index(np.ones((5, 4), dtype=bool)).walk((0, 0), (3, 4)).length
    /// 5.0
    #[getter]
    fn length(&self) -> f64 {
        self.walk.length()
    }

    /// The tiles that it enters, in order: an int array of shape (n, 2). Where it runs along the
    /// edge of two tiles, both, unless one is a wall on the map of `index`.
    ///
    /// >>> import numpy as np
    /// >>> index = Index(np.ones((2, 3), dtype=bool))
    /// >>> index.walk((0, 0), (2, 1)).tiles(index).tolist()
    /// [[0, 0], [1, 0], [1, 1], [2, 1]]
    fn tiles<'py>(&self, py: Python<'py>, index: &PyIndex) -> Bound<'py, PyArray2<i64>> {
        let index = index.now();
        let tiles = match index.table::<AnyAngle>() {
            Some(map) => self.walk.tiles(map),
            None => self.walk.tiles(&AnyAngle::new(index.grid())),
        };
        batch::path_array(py, &tiles)
    }

    fn __repr__(&self) -> String {
        let (points, length) = (self.walk.points().len(), self.walk.length());
        format!("Walk({points} points, length {length:.3})")
    }
}

/// Two whole numbers are a tile and stand for its centre, two floats are a point.
fn point(grid: &Grid, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Point> {
    let item = |at: usize| value.get_item(at).ok();
    let pair = value.len().is_ok_and(|length| length == 2).then(|| item(0).zip(item(1))).flatten();
    let is_whole = |item: &Bound<'_, PyAny>| item.extract::<i64>().is_ok();
    match pair {
        Some((x, y)) if is_whole(&x) && is_whole(&y) => Ok(arrays::tile(grid, value, name)?.into()),
        Some((x, y)) if !is_whole(&x) && !is_whole(&y) => {
            let pair = x.extract::<f64>().ok().zip(y.extract::<f64>().ok());
            let point = pair.and_then(|(x, y)| Point::from_tiles(x, y));
            point.ok_or_else(|| no_point(value, name))
        }
        _ => Err(no_point(value, name)),
    }
}

fn no_point(value: &Bound<'_, PyAny>, name: &str) -> PyErr {
    coordinate_error(format_args!(
        "{name} must be a tile, two whole numbers, or a point, two floats, not {}",
        arrays::shown(value)
    ))
}

/// The shortest walk between two tiles or points.
pub(crate) fn find(
    index: &Index,
    start: &Bound<'_, PyAny>,
    goal: &Bound<'_, PyAny>,
    blocked: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<PyWalk>> {
    let grid = index.grid();
    let mut query = WalkQuery::new(point(grid, start, "start")?, point(grid, goal, "goal")?);
    let tiles = blocked.map(|blocked| arrays::tiles(grid, blocked, "blocked")).transpose()?;
    let blocked = tiles.map(Blocked::new);
    query.blocked = blocked.as_ref();
    let mut walk = Walk::default();
    let found = index.with_scratch(|scratch| index.find_walk(&query, scratch, &mut walk));
    Ok(found.map_err(coordinate_error)?.map(|_| PyWalk { walk }))
}

/// How labels are to be built.
pub(crate) fn options(form: &str, budget: Option<i64>) -> PyResult<LabelOptions> {
    let mut options = LabelOptions::default();
    let known = FORMS.iter().position(|name| *name == form);
    options.form = known.map(|at| Form::ALL[at]).ok_or_else(|| {
        argument_error(format_args!("no form {form:?}; there are: {}", FORMS.join(", ")))
    })?;
    if let Some(bytes) = budget {
        let why = || argument_error(format_args!("budget is {bytes}: give a number of bytes"));
        options.budget_bytes = u64::try_from(bytes).map_err(|_| why())?;
    }
    Ok(options)
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
