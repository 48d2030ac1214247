//! Regions, gates and exact paths for tile maps.
//!
//! The data flows **map → depth → decomposition → regions → index → query → path**, and the
//! modules below stand in that order.
//!
//! ```
//! use tidegate::depth::DepthMap;
//! use tidegate::grid::TileMap;
//! use tidegate::region::Regions;
//! use tidegate::{engine, Decomposition, Index, Movement, Path, Query, Scratch, Tile};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A map becomes a grid: which steps are legal, what they cost.
//! let map = TileMap::parse_text(b".....\n.###.\n.....\n")?;
//! let grid = map.grid(Movement::NoCornerCutting);
//!
//! // Tiles far from walls are deep; lakes form there, rise and meet: zones and gates.
//! let depth = DepthMap::new(&grid);
//! let parts = Decomposition::water(&grid, &Default::default());
//! parts.check(&grid)?;
//!
//! // What a bot asks: which region, which neighbours, which gates on the way.
//! let (start, goal) = (Tile::new(2, 0), Tile::new(2, 2));
//! let regions = Regions::new(&grid, &parts);
//! assert!(regions.connected(start, goal));
//!
//! // An index holds an engine's tables and is shared by threads; each thread has a
//! // scratch and a path of its own.
//! let mut index = Index::new(grid.clone());
//! index.prepare(engine::LABELS)?;
//! let (mut scratch, mut path) = (Scratch::new(), Path::new());
//!
//! // A query becomes a path: its cost is exact, its length two counts of steps.
//! let query = Query::new(start, goal);
//! let answer = index.find(engine::LABELS, &query, &mut scratch, &mut path)?;
//! assert_eq!(answer.cost(), Some(6 * tidegate::cost::STRAIGHT));
//! assert_eq!(path.tiles().len(), 7);
//!
//! // Everything that was worked out fits in one sealed file.
//! let again = Index::from_bytes(&index.to_bytes())?;
//! assert_eq!(again.find(engine::LABELS, &query, &mut scratch, &mut path)?.cost(), answer.cost());
//! # let _ = depth;
//! # Ok(())
//! # }
//! ```
//!
//! To choose an engine, see [`engine`]; to add one, the guide for researchers in `docs/`.
//!
//! Nothing here prints, starts a process, reads a clock or holds global state. Indexes are built
//! on all cores with the feature `parallel` (on by default), with the same bytes as on one.
#![forbid(unsafe_code)]

// In the order of their dependencies: a module uses only those above it.
// MAP
pub mod cost;
pub mod rng;
mod threads;
pub mod grid;
pub mod artifact;
// SEARCH
pub mod path;
pub mod straighten;
pub mod search;
#[cfg(feature = "generate")]
pub mod generate;
// DECOMPOSE
pub mod depth;
pub mod decompose;
pub mod region;
#[cfg(feature = "json")]
pub mod json;
// INDEX
pub mod index;
pub mod field;
// ENGINES
mod astar;
pub mod jps;
pub mod differential;
pub mod gateway;
mod taut;
mod hubs;
pub mod corners;
pub mod labels;
pub mod anyangle;
pub mod hpa;
mod auto;
mod find;
mod sliced;
pub mod batch;
pub mod orders;
pub mod world;
pub mod engine;
#[cfg(feature = "background")]
pub mod background;
// DRAW
#[cfg(feature = "draw")]
pub mod draw;

pub use decompose::Decomposition;
pub use field::{FieldQuery, GoalField};
pub use grid::{Blocked, CellId, CostLayer, Direction, Grid, Movement, Tile};
pub use index::{Answer, Index, Outcome, Query, QueryError, Scratch};
pub use path::Path;
pub use sliced::{Slice, SlicedSearch};

/// This crate's README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
