//! The engines by name.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use tidegate::engine::{self, Engine, Promise};
use tidegate_sectors::ENGINES;

use crate::failure::{Failure, answer};
use crate::handle::{TidegateIndex, exclusive, shared};
use crate::memory::{Out, text};
use crate::status::*;

/// No engine has a longer name.
const LONGEST_NAME: usize = 64;

/// What an engine is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateEngine {
    /// Its name, for all functions that take one. It is never freed.
    pub name: *const c_char,
    /// One line for a person who has to choose. It is never freed.
    pub about: *const c_char,
    /// Whether its paths are always shortest: 0 or 1.
    pub is_optimal: u32,
    /// Whether it goes around blocked tiles: 0 or 1.
    pub respects_blocked: u32,
    /// Whether it goes by cost layers: 0 or 1.
    pub respects_layers: u32,
}

/// The engine of a name; null stands for `auto`.
///
/// # Safety
/// As for [`text`].
pub(crate) unsafe fn by_name(name: *const c_char) -> Result<&'static dyn Engine, Failure> {
    if name.is_null() {
        return Ok(engine::AUTO);
    }
    // SAFETY: the caller's promise.
    let name = unsafe { text("engine", name, LONGEST_NAME) }?;
    let found = ENGINES.iter().copied().find(|engine| engine.name().as_bytes() == name);
    found.ok_or_else(|| {
        let name = String::from_utf8_lossy(name);
        Failure::new(TIDEGATE_UNKNOWN_ENGINE, format!("there is no engine named {name:?}"))
    })
}

fn names() -> &'static [(CString, CString)] {
    static NAMES: OnceLock<Vec<(CString, CString)>> = OnceLock::new();
    let text = |text: &str| CString::new(text).unwrap_or_default();
    NAMES.get_or_init(|| ENGINES.iter().map(|e| (text(e.name()), text(e.about()))).collect())
}

/// Lists the engines. `count` gets their number, also where `capacity` is less: then nothing
/// else is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_engines(
    engines: *mut TidegateEngine,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (engines, count) =
            unsafe { (Out::array("engines", engines, capacity)?, Out::one("count", count)?) };
        count.set(ENGINES.len());
        let info = |(engine, (name, about)): (&&dyn Engine, &(CString, CString))| TidegateEngine {
            name: name.as_ptr(),
            about: about.as_ptr(),
            is_optimal: (engine.promise() == Promise::Optimal).into(),
            respects_blocked: engine.info().respects_blocked.into(),
            respects_layers: engine.info().respects_costs.into(),
        };
        engines.fill_if_wanted("engines", ENGINES.iter().zip(names()).map(info))?;
        Ok(TIDEGATE_OK)
    })
}

/// Builds the tables of an engine, unless they are there already; null builds what `auto` wants.
/// The index cannot be queried meanwhile: to go on with an index, prepare a clone of it and
/// `tidegate_adopt` the tables. All cores are used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_prepare(
    index: *mut TidegateIndex,
    engine: *const c_char,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let engine = unsafe { by_name(engine) }?;
        exclusive(index)?.prepare(engine)?;
        Ok(TIDEGATE_OK)
    })
}

/// The tables of the engine were not built.
pub const TIDEGATE_ENGINE_NOT_BUILT: u32 = 0;
/// The engine answers by itself.
pub const TIDEGATE_ENGINE_READY: u32 = 1;
/// An edit has overtaken the tables of the engine. `auto` answers in its place.
pub const TIDEGATE_ENGINE_STALE: u32 = 2;

/// Tells whether an engine is ready: `state` gets one of `TIDEGATE_ENGINE_...`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_engine_state(
    index: *const TidegateIndex,
    engine: *const c_char,
    state: *mut u32,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (engine, state) = unsafe { (by_name(engine)?, Out::one("state", state)?) };
        let index = shared(index)?;
        state.set(if index.is_stale(engine) {
            TIDEGATE_ENGINE_STALE
        } else if engine.is_ready(&index) {
            TIDEGATE_ENGINE_READY
        } else {
            TIDEGATE_ENGINE_NOT_BUILT
        });
        Ok(TIDEGATE_OK)
    })
}
