//! `tidegate.Picture`: what notebooks show.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tidegate::artifact::NewFile;
use tidegate::draw::{self, DrawError, DrawOptions};
use tidegate::{Decomposition, Grid, Path};

use crate::errors::{argument_error, file_error};

/// The longer side of a picture whose scale nobody gave, in pixels.
const LONGER_SIDE: u32 = 900;

/// A picture: notebooks show it, `save` writes it as a PNG file.
#[pyclass(module = "tidegate", frozen)]
pub(crate) struct Picture {
    width: u32,
    height: u32,
    png: Vec<u8>,
}

impl Picture {
    pub(crate) fn of_path(py: Python<'_>, grid: &Grid, path: &Path, scale: i64) -> PyResult<Self> {
        let scale = pixels(grid, scale)?;
        Picture::of(py.detach(|| encode(draw::search(grid, &[], path, scale))))
    }

    pub(crate) fn of_zones(
        py: Python<'_>,
        grid: &Grid,
        parts: &Decomposition,
        scale: i64,
        labels: bool,
    ) -> PyResult<Self> {
        let options = DrawOptions::default().with_scale(pixels(grid, scale)?).with_labels(labels);
        Picture::of(py.detach(|| encode(draw::zones(grid, parts, &options))))
    }

    fn of(drawn: Result<(draw::Picture, Vec<u8>), DrawError>) -> PyResult<Self> {
        let (picture, png) = drawn.map_err(argument_error)?;
        Ok(Picture { width: picture.width(), height: picture.height(), png })
    }
}

fn encode(
    picture: Result<draw::Picture, DrawError>,
) -> Result<(draw::Picture, Vec<u8>), DrawError> {
    let picture = picture?;
    let png = picture.to_png()?;
    Ok((picture, png))
}

/// Pixels along the side of a tile; 0 is as many as fit.
fn pixels(grid: &Grid, scale: i64) -> PyResult<u32> {
    match u32::try_from(scale) {
        Ok(0) => Ok((LONGER_SIDE / grid.width().max(grid.height())).clamp(1, 16)),
        Ok(scale) => Ok(scale),
        Err(_) => Err(argument_error(format_args!("scale is {scale}: give a number of pixels"))),
    }
}

#[pymethods]
impl Picture {
    /// Columns in pixels.
    #[getter]
    fn width(&self) -> u32 {
        self.width
    }

    /// Rows in pixels.
    #[getter]
    fn height(&self) -> u32 {
        self.height
    }

    /// The bytes of the PNG file.
    #[pyo3(name = "to_png")]
    pub(crate) fn png<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.png)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.png(py)
    }

    /// Writes the PNG file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        NewFile::replace(&path, &self.png)
            .map_err(|error| file_error(format_args!("{}: {error}", path.display())))
    }

    fn __repr__(&self) -> String {
        format!("Picture({} x {} pixels)", self.width, self.height)
    }
}
