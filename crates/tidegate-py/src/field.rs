//! `tidegate.Field`: the way to the nearest goal from everywhere.

use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray2, PyArray3};
use pyo3::prelude::*;
use tidegate::cost::INFINITY;
use tidegate::field::{FieldQuery, GoalField};
use tidegate::{CostLayer, Direction, Index, QueryError, Tile};

use crate::batch;
use crate::errors::query_error;

/// The way to the nearest of many goals from everywhere: see `Index.field`.
#[pyclass(module = "tidegate", frozen)]
pub(crate) struct Field {
    distance: Py<PyArray2<f64>>,
    next_step: Py<PyArray3<i8>>,
}

impl Field {
    pub(crate) fn new(
        py: Python<'_>,
        index: &Index,
        goals: &[Tile],
        costs: Option<&CostLayer>,
    ) -> PyResult<Field> {
        let (distance, next_step) =
            py.detach(|| field_arrays(index, goals, costs)).map_err(query_error)?;
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

/// Distances and next steps of all tiles.
fn field_arrays(
    index: &Index,
    goals: &[Tile],
    layer: Option<&CostLayer>,
) -> Result<(Array2<f64>, Array3<i8>), QueryError> {
    let (grid, mut field) = (index.grid(), GoalField::new());
    let layer = layer.filter(|layer| !layer.is_empty());
    let mut query = FieldQuery::new(goals);
    query.costs = layer;
    field.fill(index, &query)?;
    let (costs, in_tiles) = (field.costs(), batch::in_tiles(grid));
    let distance = batch::map_array(grid, |cell| match costs[cell] {
        INFINITY => f64::INFINITY,
        cost if layer.is_some() => cost.tiles(),
        cost => in_tiles(cost),
    });
    let mut directions = Vec::new();
    field.next_steps_into(&mut directions);
    let deltas = Direction::ALL.map(|direction| {
        let (dx, dy) = direction.delta();
        [dx as i8, dy as i8]
    });
    let step = |&direction: &u8| deltas.get(usize::from(direction)).copied().unwrap_or_default();
    let steps = directions.iter().flat_map(step).collect();
    let shape = (grid.height() as usize, grid.width() as usize, 2);
    Ok((distance, Array3::from_shape_vec(shape, steps).expect("two numbers for every tile")))
}
