//! Tidegate for C and C++. What C sees is `include/tidegate.h`, which is made from this crate;
//! how it is built and used stands in the README.
//!
//! There is no logic here that is not in the library: arguments are checked, the library is
//! asked, the answer is copied out.
//!
//! - Every function checks what it is given and returns a code ([`status`]); the text of the
//!   last error is kept per thread. No panic leaves a function.
//! - A handle is a number that is looked up, never a pointer that is followed ([`handle`]):
//!   one that was freed, that is of another kind or that was never made is refused.
//! - Arrays are the caller's. They are read before anything is written, and nothing is written
//!   before the answer is complete (`memory`).
//!
//! # Safety
//!
//! What no function can check is the caller's promise, the same for all of them: a pointer
//! that is neither null nor a handle leads to as many elements as the count beside it says (one
//! where there is none), and no other thread changes them during the call; a text ends with a
//! zero byte.
#![allow(clippy::missing_safety_doc)] // stated once, above

pub mod blocked;
pub mod edit;
pub mod engines;
mod failure;
pub mod field;
pub mod handle;
pub mod index;
pub mod layer;
pub mod many;
mod memory;
pub mod query;
pub mod region;
pub mod route;
pub mod scratch;
pub mod status;
pub mod store;
pub mod tile;
pub mod walk;
pub mod world;
