//! `tidegate.Field`: the way to the nearest goal from everywhere.

use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray2, PyArray3};
use pyo3::prelude::*;
use tidegate::cost::Cost;
use tidegate::search::{Blind, GridSpace, search};
use tidegate::{CellId, Index, QueryError, Tile};

use crate::batch;
use crate::errors::query_error;

/// The way to the nearest of many goals from everywhere: see `Index.field`.
#[pyclass(module = "tidegate", frozen)]
pub(crate) struct Field {
    distance: Py<PyArray2<f64>>,
    next_step: Py<PyArray3<i8>>,
}

impl Field {
    pub(crate) fn new(py: Python<'_>, index: &Index, goals: &[Tile]) -> PyResult<Field> {
        let (distance, next_step) =
            py.detach(|| field_arrays(index, goals)).map_err(query_error)?;
        let (distance, next_step) = (distance.into_pyarray(py), next_step.into_pyarray(py));
        Ok(Field { distance: distance.unbind(), next_step: next_step.unbind() })
    }
}

#[pymethods]
impl Field {
    /// How far it is to the nearest goal, in tiles: a float array of shape (height, width),
    /// infinity on walls and where there is no way.
    #[getter]
    fn distance(&self, py: Python<'_>) -> Py<PyArray2<f64>> {
        self.distance.clone_ref(py)
    }

    /// The step to take: an int8 array of shape (height, width, 2), dx and dy; 0 on goals, on
    /// walls and where there is no way.
    #[getter]
    fn next_step(&self, py: Python<'_>) -> Py<PyArray3<i8>> {
        self.next_step.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        use numpy::PyUntypedArrayMethods as _;
        let shape = self.distance.bind(py).shape();
        format!("Field({} x {} tiles)", shape[1], shape[0])
    }
}

/// Distances and next steps of all tiles: one search from all goals. A step costs the same both
/// ways, so the way from a goal is the way to it.
fn field_arrays(index: &Index, goals: &[Tile]) -> Result<(Array2<f64>, Array3<i8>), QueryError> {
    let grid = index.grid();
    let source = |&goal: &Tile| grid.cell(goal).map(|cell| (cell.index() as u32, Cost::ZERO));
    let sources: Vec<(u32, Cost)> = goals.iter().filter_map(source).collect();
    index.with_scratch(|scratch| {
        let space = GridSpace::new(grid);
        let end = search(&space, &sources, |_| false, &mut Blind, scratch.tiles(), &mut ()).0;
        if end == tidegate::search::End::TooFar {
            return Err(QueryError::TooFar);
        }
        let (reached, in_tiles) = (scratch.last_tiles(), batch::in_tiles(grid));
        let distance = batch::map_array(grid, |cell| {
            reached.cost(cell as u32).map_or(f64::INFINITY, &in_tiles)
        });
        let mut steps = Array3::zeros((grid.height() as usize, grid.width() as usize, 2));
        for (cell, mut step) in steps.rows_mut().into_iter().enumerate() {
            let Some(next) = reached.parent(cell as u32) else { continue };
            let (from, to) =
                [cell, next as usize].map(|cell| grid.tile(CellId::from_index(cell))).into();
            step[0] = (i32::from(to.x) - i32::from(from.x)) as i8;
            step[1] = (i32::from(to.y) - i32::from(from.y)) as i8;
        }
        Ok((distance, steps))
    })
}
