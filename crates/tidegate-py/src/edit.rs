//! Changes of the map: as a list, as two masks, as costs.

use numpy::PyArray2;
use pyo3::prelude::*;
use tidegate::cost::Factor;
use tidegate::index::{Change, EditError};
use tidegate::{CellId, Grid, Tile};

use crate::errors::{argument_error, array_error, coordinate_error};
use crate::{arrays, batch};

/// What an edit has done to the map.
#[pyclass(module = "tidegate", frozen)]
pub(crate) struct EditReport {
    report: tidegate::index::EditReport,
}

#[pymethods]
impl EditReport {
    /// The number of the map as it is now.
    #[getter]
    fn revision(&self) -> u64 {
        self.report.revision
    }

    /// The tiles that became wall, an array of shape (n, 2).
    #[getter]
    fn closed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        batch::path_array(py, self.report.edit.closed())
    }

    /// The tiles that became free, an array of shape (n, 2).
    #[getter]
    fn opened<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        batch::path_array(py, self.report.edit.opened())
    }

    /// The tables that would be faster if they were built again.
    #[getter]
    fn want_rebuild(&self) -> Vec<&'static str> {
        self.report.want_rebuild().map(|kind| kind.name).collect()
    }

    fn __repr__(&self) -> String {
        let edit = &self.report.edit;
        let (closed, opened) = (edit.closed().len(), edit.opened().len());
        format!("EditReport(revision {}, {closed} closed, {opened} opened)", self.report.revision)
    }
}

pub(crate) fn report(done: Result<tidegate::index::EditReport, EditError>) -> PyResult<EditReport> {
    done.map(|report| EditReport { report }).map_err(coordinate_error)
}

/// The changes that the arguments of `edit` name.
pub(crate) fn changes(
    grid: &Grid,
    first: &Bound<'_, PyAny>,
    opened: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Change>> {
    if let Some(opened) = opened {
        let closed = if first.is_none() { Vec::new() } else { masked(grid, first, "closed")? };
        let opened = masked(grid, opened, "opened")?;
        if let Some(tile) = closed
            .iter()
            .find(|tile| opened.binary_search_by_key(&(tile.y, tile.x), |t| (t.y, t.x)).is_ok())
        {
            return Err(argument_error(format_args!("{tile} is to be closed and opened")));
        }
        let walls = closed.into_iter().map(Change::wall);
        return Ok(walls.chain(opened.into_iter().map(Change::free)).collect());
    }
    let is_mask = |array: &Bound<'_, numpy::PyUntypedArray>| {
        use numpy::{PyArrayDescrMethods as _, PyUntypedArrayMethods as _};
        array.dtype().kind() == b'b'
    };
    if first.cast::<numpy::PyUntypedArray>().is_ok_and(is_mask) {
        return Ok(masked(grid, first, "closed")?.into_iter().map(Change::wall).collect());
    }
    let changes = arrays::listed(first, "changes", |n, item| change(grid, n, &item))?;
    changes.ok_or_else(|| {
        array_error(
            "changes must be a list of (x, y, free), or two bool arrays of tiles to close and to open",
        )
    })
}

/// The tiles of a mask, in row order.
fn masked(grid: &Grid, mask: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Tile>> {
    let shape = (grid.width(), grid.height());
    arrays::with_bools(mask, name, Some(shape), |mask| {
        let set = mask.indexed_iter().filter(|&(_, &set)| set != 0);
        Ok(set.map(|((y, x), _)| Tile::new(x as u16, y as u16)).collect())
    })
}

/// `(x, y, free)`.
fn change(grid: &Grid, n: usize, item: &Bound<'_, PyAny>) -> PyResult<Change> {
    let name = format!("changes[{n}]");
    let parts = (item.len().is_ok_and(|length| length == 3))
        .then(|| Some((item.get_item(0).ok()?, item.get_item(1).ok()?, item.get_item(2).ok()?)));
    let Some((x, y, free)) = parts.flatten() else {
        let got = arrays::shown(item);
        return Err(array_error(format_args!("{name} must be (x, y, free), not {got}")));
    };
    let tile = arrays::tile(grid, (x, y).into_pyobject(item.py())?.as_any(), &name)?;
    // Rows of an array have 0 and 1.
    let is_free = free.extract::<bool>().ok().or_else(|| match free.extract::<i64>() {
        Ok(number @ 0..=1) => Some(number == 1),
        _ => None,
    });
    match is_free {
        Some(true) => Ok(Change::free(tile)),
        Some(false) => Ok(Change::wall(tile)),
        None => {
            let got = arrays::shown(&free);
            Err(array_error(format_args!("{name}: free must be True or False, not {got}")))
        }
    }
}

/// The changes that give every tile its cost.
pub(crate) fn costs(grid: &Grid, costs: &Bound<'_, PyAny>) -> PyResult<Vec<Change>> {
    let factors = arrays::factors(grid, costs, "costs")?;
    let place = |(cell, factor): (usize, Factor)| (grid.tile(CellId::from_index(cell)), factor);
    let new = |&(tile, factor): &(Tile, Factor)| grid.factor(tile) != factor;
    let changed = factors.into_iter().enumerate().map(place).filter(new);
    Ok(changed.map(|(tile, factor)| Change::factor(tile, factor)).collect())
}
