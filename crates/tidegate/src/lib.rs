//! Regions, gates and exact paths for tile maps.
#![forbid(unsafe_code)]

// MAP
pub mod cost;
pub mod grid;
pub mod rng;

pub use grid::{CellId, Direction, Grid, Movement, Tile};
