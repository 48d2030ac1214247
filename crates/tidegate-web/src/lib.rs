//! Tidegate for JavaScript. With the feature `package`, the module of the npm package `@tidegate/wasm`: the
//! library's own values as classes, typed arrays in and out. Nothing is worked out here that the library does not
//! know. With the feature `studio`, the studio of the page without a server.
//!
//! Arguments are checked before anything is done with them, and errors name the argument that is wrong. If a call
//! breaks down all the same (memory that cannot be had), every later one says so: see `errors`.
#![forbid(unsafe_code)]

#[cfg(feature = "package")]
mod arrays;
#[cfg(feature = "package")]
mod edit;
#[cfg(feature = "package")]
mod errors;
#[cfg(feature = "package")]
mod field;
#[cfg(feature = "package")]
mod index;
#[cfg(feature = "package")]
mod layer;
#[cfg(feature = "package")]
mod maps;
#[cfg(feature = "package")]
mod object;
#[cfg(feature = "package")]
mod parts;
#[cfg(all(feature = "studio", target_arch = "wasm32"))]
mod studio;
#[cfg(feature = "package")]
mod walk;
#[cfg(feature = "package")]
mod world;

#[cfg(all(feature = "studio", target_arch = "wasm32"))]
pub use self::studio::{Answer, Studio};
#[cfg(feature = "package")]
pub use self::{
    index::JsIndex,
    layer::JsLayer,
    maps::{ENGINES, engines, read_map, version},
    parts::Parts,
    world::JsWorld,
};
