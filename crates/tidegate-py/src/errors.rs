//! What goes wrong in the library, as errors of Python.

use std::fmt::Display;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use tidegate::QueryError;
use tidegate::engine::BuildError;

/// A class of `tidegate.errors`.
macro_rules! error_class {
    ($(#[$doc:meta])* $function:ident, $class:literal) => {
        $(#[$doc])*
        pub(crate) fn $function(message: impl Display) -> PyErr {
            static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
            Python::attach(|py| match CLASS.import(py, "tidegate.errors", $class) {
                Ok(class) => PyErr::from_type(class.clone(), message.to_string()),
                Err(error) => error,
            })
        }
    };
}

error_class!(
    /// An argument of the wrong shape or dtype.
    array_error,
    "ArrayError"
);
error_class!(
    /// An argument that is none of the values it may have.
    argument_error,
    "ArgumentError"
);
error_class!(
    /// A tile outside the map, or a wall.
    coordinate_error,
    "CoordinateError"
);
error_class!(
    /// An engine that is not there.
    engine_error,
    "EngineError"
);
error_class!(
    /// A question without an answer.
    query_error_of,
    "QueryError"
);
error_class!(
    /// A file that is not what it should be.
    file_error,
    "FileError"
);

/// The error of a query, by what is wrong with it.
pub(crate) fn query_error(error: QueryError) -> PyErr {
    match error {
        QueryError::Outside { .. } | QueryError::Wall { .. } | QueryError::Blocked { .. } => {
            coordinate_error(error)
        }
        QueryError::NotBuilt { engine } => {
            engine_error(format!("{error}: index.prepare({engine:?})"))
        }
        QueryError::Stale { .. }
        | QueryError::Unsupported { .. }
        | QueryError::Contradiction { .. } => engine_error(error),
        _ => query_error_of(error),
    }
}

/// The error of a table that cannot be built.
pub(crate) fn build_error(error: BuildError) -> PyErr {
    engine_error(error)
}
