//! `tidegate.CostLayer`: costs that come and go on top of the map's own.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray2, ToPyArray};
use pyo3::prelude::*;
use tidegate::cost::Extra;
use tidegate::grid::Area;
use tidegate::index::Near;
use tidegate::{CostLayer, Grid, Index};

use crate::errors::{argument_error, array_error, query_error};
use crate::index::PyIndex;
use crate::{arrays, batch};

/// Costs that come and go on top of a map's own: danger, crowds, the reach of towers. It is for
/// maps of the size of `index`.
///
/// >>> import numpy as np
/// >>> index = Index(np.ones((9, 9), dtype=bool))
/// >>> danger = CostLayer(index)
/// >>> danger.add((4, 4), 2, 10)
/// >>> index.distance((0, 4), (8, 4)) < index.distance((0, 4), (8, 4), costs=danger)
/// True
/// >>> danger.fade(0.5)
/// >>> float(danger.array[4, 4])
/// 5.0
/// >>> danger.clear()
/// >>> danger.is_empty
/// True
#[pyclass(name = "CostLayer", module = "tidegate", frozen)]
pub(crate) struct PyLayer(Mutex<CostLayer>);

impl PyLayer {
    pub(crate) fn now(&self) -> MutexGuard<'_, CostLayer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The layer as it is now, for a question that is asked without the interpreter lock.
    pub(crate) fn copied(layer: Option<&PyLayer>, grid: &Grid) -> PyResult<Option<CostLayer>> {
        let Some(layer) = layer else { return Ok(None) };
        let layer = layer.now();
        if layer.fits(grid) {
            return Ok(Some(layer.clone()));
        }
        let (height, width) = (layer.height(), layer.width());
        Err(array_error(format_args!(
            "costs are for maps of {width} x {height} tiles, this one has {} x {}",
            grid.width(),
            grid.height()
        )))
    }
}

const ADDED: &str = "what is added is a number from 0 to 655.35";

fn radius(value: f64, name: &str) -> PyResult<f64> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(argument_error(format_args!("{name} is {value}: it must be a number from 0 on")))
}

#[pymethods]
impl PyLayer {
    #[new]
    fn new(index: &PyIndex) -> PyLayer {
        PyLayer(Mutex::new(CostLayer::new(index.now().grid())))
    }

    /// Adds `extra` to what the tiles of a disc cost; `inner` makes it a ring, `falling` lets it
    /// go down to nothing at the rim.
    #[pyo3(signature = (centre, radius, extra, *, inner=0.0, falling=false))]
    fn add(
        &self,
        centre: (u16, u16),
        radius: f64,
        extra: f64,
        inner: f64,
        falling: bool,
    ) -> PyResult<()> {
        let (outer, inner) = (self::radius(radius, "radius")?, self::radius(inner, "inner")?);
        let extra = Extra::new(extra)
            .ok_or_else(|| argument_error(format_args!("extra is {extra}: {ADDED}")))?;
        let mut layer = self.now();
        match (falling, inner > 0.0) {
            (true, true) => {
                return Err(argument_error("a ring does not fall: give inner or falling"));
            }
            (true, false) => layer.add_falling(centre, outer, extra),
            (false, true) => layer.add(&Area::ring(centre, inner, outer), extra),
            (false, false) => layer.add(&Area::disc(centre, outer), extra),
        }
        Ok(())
    }

    /// Adds an array of shape (height, width): what each tile costs more.
    fn add_array(&self, extras: &Bound<'_, PyAny>) -> PyResult<()> {
        // Reading them may call Python, which may come back to this layer: it is not held meanwhile.
        let size = {
            let layer = self.now();
            (layer.width(), layer.height())
        };
        let extras = arrays::numbers(size, extras, "extras", |x, y, value| {
            Extra::new(value)
                .ok_or_else(|| array_error(format_args!("extras[{y}, {x}] is {value}: {ADDED}")))
        })?;
        self.now().add_each(&extras).map_err(array_error)
    }

    /// Leaves this fraction of everything, from 0 to 1.
    fn fade(&self, keep: f64) -> PyResult<()> {
        if !(0.0..=1.0).contains(&keep) {
            return Err(argument_error(format_args!("keep is {keep}: a fraction from 0 to 1")));
        }
        self.now().fade(keep);
        Ok(())
    }

    /// Forgets everything that was added.
    fn clear(&self) {
        self.now().clear();
    }

    /// What is added to every tile: a new float array of shape (height, width).
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let layer = self.now();
        let shape = (layer.height() as usize, layer.width() as usize);
        let values = layer.added().iter().map(|extra| f64::from(extra.hundredths()) / 100.0);
        batch::shaped(shape, values.collect()).to_pyarray(py)
    }

    /// Whether nothing is added anywhere.
    #[getter]
    fn is_empty(&self) -> bool {
        self.now().is_empty()
    }

    fn __repr__(&self) -> String {
        let layer = self.now();
        let empty = if layer.is_empty() { ", empty" } else { "" };
        format!("CostLayer({} x {} tiles{empty})", layer.width(), layer.height())
    }
}

/// Where to flee to: see `Index.cheapest_within`.
pub(crate) fn cheapest(
    index: &Index,
    start: &Bound<'_, PyAny>,
    radius: f64,
    costs: &PyLayer,
) -> PyResult<(u16, u16)> {
    let radius = self::radius(radius, "radius")?;
    let start = arrays::tile(index.grid(), start, "start")?;
    let layer = PyLayer::copied(Some(costs), index.grid())?;
    let Some(layer) = layer else { return Ok(start.into()) };
    let near = Near::Radius(radius);
    let found =
        index.with_scratch(|scratch| index.cheapest_within(start, near, &layer, None, scratch));
    Ok(found.map_err(query_error)?.tile.into())
}
