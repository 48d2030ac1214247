//! What goes wrong in the library, as an `Error` of JavaScript with a name and a code; and calls that break down.
//!
//! WebAssembly cannot unwind here: a call that breaks down leaves what it was doing half done. So each piece of work
//! is marked while it runs, and when a mark is still there at the next call, that call and all later ones
//! are refused.

use std::cell::Cell;
use std::fmt::Display;

use js_sys::{Error, Reflect};
use tidegate::QueryError;
use tidegate::engine::BuildError;
use wasm_bindgen::JsValue;

/// What a call gives back, or the error that it throws.
pub(crate) type JsResult<T> = Result<T, JsValue>;

fn error(name: &str, code: &str, message: impl Display) -> JsValue {
    let error = Error::new(&message.to_string());
    error.set_name(name);
    // An error is an ordinary object: it can be given a property.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

/// An argument of the wrong type or length.
pub(crate) fn array_error(message: impl Display) -> JsValue {
    error("ArrayError", "array", message)
}

/// An argument that is none of the values it may have.
pub(crate) fn argument_error(message: impl Display) -> JsValue {
    error("ArgumentError", "argument", message)
}

/// A tile outside the map, or a wall.
pub(crate) fn coordinate_error(message: impl Display) -> JsValue {
    error("CoordinateError", "coordinate", message)
}

/// An engine that is not there.
pub(crate) fn engine_error(message: impl Display) -> JsValue {
    error("EngineError", "engine", message)
}

/// Bytes that are not what they should be.
pub(crate) fn file_error(message: impl Display) -> JsValue {
    error("FileError", "file", message)
}

/// The error of a query, by what is wrong with it.
pub(crate) fn query_error(wrong: QueryError) -> JsValue {
    match wrong {
        QueryError::Outside { .. } | QueryError::Wall { .. } | QueryError::Blocked { .. } => {
            coordinate_error(wrong)
        }
        QueryError::NotBuilt { engine } => {
            engine_error(format_args!("{wrong}: index.prepare({engine:?})"))
        }
        QueryError::Stale { .. }
        | QueryError::Unsupported { .. }
        | QueryError::Contradiction { .. } => engine_error(wrong),
        QueryError::OtherSize(_) => array_error(wrong),
        _ => error("QueryError", "query", wrong),
    }
}

/// The error of a table that cannot be built.
pub(crate) fn build_error(error: BuildError) -> JsValue {
    engine_error(error)
}

thread_local! {
    /// Whether a piece of work is under way.
    static WORKING: Cell<bool> = const { Cell::new(false) };
}

/// Does a piece of work that calls no JavaScript.
pub(crate) fn working<T>(work: impl FnOnce() -> T) -> JsResult<T> {
    if WORKING.get() {
        return Err(error(
            "BrokenError",
            "broken",
            "an earlier call broke down (out of memory, or a fault of the library): nothing here can be trusted \
             any more; load the module again, in a new page, worker or process",
        ));
    }
    WORKING.set(true);
    let done = work();
    WORKING.set(false);
    Ok(done)
}
