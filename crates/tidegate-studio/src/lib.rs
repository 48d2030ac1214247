//! The studio: a page on this machine that shows maps, zones, gates and searches, and lets
//! a person change them.
//!
//! Rooms: `guard` says who may ask, `app` which routes there are, `api/*` answer them,
//! `page` holds the embedded page. A `document` is a map that is looked at and changed,
//! the `shelf` all of them, `jobs` what runs in the background; `saved` are its files beside
//! the map, `autosave` keeps what is not saved. The contract with the page is
//! `docs/studio-api.md`.
//!
//! In WebAssembly there is no server: the same routes answer the same page from a worker beside it (`local`).
//!
//! What holds: GET changes nothing; a change names the version it was made against; heavy
//! work never runs on the threads that answer.
#![forbid(unsafe_code)]

mod api;
mod api_error;
mod app;
mod autosave;
mod document;
mod documents;
#[cfg(not(target_arch = "wasm32"))]
mod guard;
mod jobs;
#[cfg(target_arch = "wasm32")]
mod local;
#[cfg(not(target_arch = "wasm32"))]
mod page;
mod saved;
#[cfg(not(target_arch = "wasm32"))]
mod serve;
mod times;
mod trace;
mod work;

#[cfg(not(target_arch = "wasm32"))]
pub use app::routes;
pub use app::{Settings, Studio, router};
pub use autosave::{read_kept, state_folder};
pub use documents::Opened;
#[cfg(target_arch = "wasm32")]
pub use local::{LocalAnswer, LocalStudio};
#[cfg(not(target_arch = "wasm32"))]
pub use serve::{Address, serve};
