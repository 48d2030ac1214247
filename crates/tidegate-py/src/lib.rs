//! The extension module of the Python package `tidegate`: the library's own values as classes,
//! with arrays of numpy in and out. Nothing is worked out here that the library does not know.
//!
//! Errors name the argument that is wrong. Work that may take long is done without the
//! interpreter lock.

mod arrays;
mod batch;
mod edit;
mod errors;
mod field;
mod index;
mod layer;
mod maps;
mod parts;
mod picture;
mod shared;
mod ways;
mod walk;
mod work;
mod world;

use pyo3::prelude::*;

/// The names and promises of all engines: `(name, whether its paths are always shortest, what it
/// is)`.
///
/// >>> sorted(name for name, optimal, about in engines() if not optimal)
/// ['dsma', 'hpa', 'hpa-paper', 'maat', 'maat-zones']
#[pyfunction]
fn engines() -> Vec<(&'static str, bool, &'static str)> {
    let engine = |engine: &&dyn tidegate::engine::Engine| {
        let optimal = engine.promise() == tidegate::engine::Promise::Optimal;
        (engine.name(), optimal, engine.about())
    };
    tidegate_sectors::ENGINES.iter().map(engine).collect()
}

#[pymodule]
fn _tidegate(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<index::PyIndex>()?;
    module.add_class::<edit::EditReport>()?;
    module.add_class::<field::Field>()?;
    module.add_class::<layer::PyLayer>()?;
    module.add_class::<parts::Parts>()?;
    module.add_class::<parts::Gate>()?;
    module.add_class::<parts::Zone>()?;
    module.add_class::<ways::ChokePoint>()?;
    module.add_class::<ways::Loops>()?;
    module.add_class::<ways::Route>()?;
    module.add_class::<picture::Picture>()?;
    module.add_class::<walk::PyWalk>()?;
    module.add_class::<world::PyWorld>()?;
    module.add_function(wrap_pyfunction!(engines, module)?)?;
    module.add_function(wrap_pyfunction!(maps::read_map, module)?)?;
    module.add_function(wrap_pyfunction!(maps::bench_map, module)?)
}
