//! Regions, gates and exact paths for tile maps.
#![forbid(unsafe_code)]

// MAP
pub mod cost;
pub mod generate;
pub mod grid;
pub mod rng;
// DECOMPOSE
pub mod decompose;
pub mod depth;
// ABSTRACT
pub mod hpa;
pub mod region;
// DRAW
pub mod draw;
pub mod sector;
// INDEX
pub mod artifact;
pub mod index;
pub mod labels;
// QUERY
pub mod engine;
pub mod heuristic;
pub mod jps;
pub mod path;
pub mod search;

pub use decompose::Decomposition;
pub use grid::{Blocked, CellId, Direction, Grid, Movement, Tile};
pub use index::{Answer, Index, Outcome, Query, QueryError, Scratch};
pub use path::Path;
