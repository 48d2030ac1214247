//! The codes that functions return.

use std::ffi::c_char;

use crate::failure;

/// What a function returns: `TIDEGATE_OK`, an answer above 0, or an error below 0. After an error
/// `tidegate_last_error` has its text, and nothing was changed or written unless it says so.
pub type TidegateStatus = i32;

/// Done.
pub const TIDEGATE_OK: TidegateStatus = 0;
/// There is no way. An answer, not an error.
pub const TIDEGATE_UNREACHABLE: TidegateStatus = 1;
/// The budget of the query was spent. An answer, not an error.
pub const TIDEGATE_STOPPED: TidegateStatus = 2;

/// A pointer is null that must not be.
pub const TIDEGATE_NULL: TidegateStatus = -1;
/// A handle was freed, is of another kind, or was never made.
pub const TIDEGATE_BAD_HANDLE: TidegateStatus = -2;
/// A handle is in use by another thread: a scratch by a query, or an index by a call that
/// changes it or that would be changed under it.
pub const TIDEGATE_BUSY: TidegateStatus = -3;
/// An argument makes no sense: a size, a number, a text, a misaligned pointer.
pub const TIDEGATE_BAD_ARGUMENT: TidegateStatus = -4;
/// The caller's array is too small. The length that is needed was written, and nothing else.
pub const TIDEGATE_TOO_SMALL: TidegateStatus = -5;
/// A tile lies outside the map.
pub const TIDEGATE_OUTSIDE: TidegateStatus = -6;
/// An end of a query is a wall.
pub const TIDEGATE_WALL: TidegateStatus = -7;
/// An end of a query is blocked for this query.
pub const TIDEGATE_BLOCKED: TidegateStatus = -8;
/// There is no engine of this name.
pub const TIDEGATE_UNKNOWN_ENGINE: TidegateStatus = -9;
/// What is asked for was not built: call `tidegate_prepare` or `tidegate_decompose` first.
pub const TIDEGATE_NOT_BUILT: TidegateStatus = -10;
/// The engine cannot be built for this map, or cannot do what the query asks.
pub const TIDEGATE_UNSUPPORTED: TidegateStatus = -11;
/// The way is longer than costs can count: about 374,000 straight steps.
pub const TIDEGATE_TOO_FAR: TidegateStatus = -12;
/// A file could not be read or written.
pub const TIDEGATE_IO: TidegateStatus = -13;
/// A file, or the bytes of one, is not what it should be.
pub const TIDEGATE_BAD_FILE: TidegateStatus = -14;
/// Tables belong to another map, or cannot follow what was edited since.
pub const TIDEGATE_MISMATCH: TidegateStatus = -15;
/// A defect in Tidegate. The handles that the call would have changed can only be freed.
pub const TIDEGATE_INTERNAL: TidegateStatus = -16;

/// The text of this thread's last error, in UTF-8; empty before the first. It stays as it is
/// until the next error on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn tidegate_last_error() -> *const c_char {
    failure::last_text()
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn tidegate_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
