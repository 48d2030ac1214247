//! Regions, gates and exact paths for tile maps.
//!
//! The data flows **map → depth → decomposition → regions → index → query → path**, and the
//! modules below stand in that order.
//!
//! ```
//! use tidegate::grid::TileMap;
//! use tidegate::{engine, Decomposition, Index, Movement, Path, Query, Scratch, Tile};
//!
//! // A map becomes a grid: which steps are legal, what they cost.
//! let map = TileMap::parse_text(b".....\n.###.\n.....\n").unwrap();
//! let grid = map.grid(Movement::NoCornerCutting);
//!
//! // The water rises: regions and gates, as a person would draw them.
//! let parts = Decomposition::water(&grid, &Default::default());
//! parts.check(&grid).unwrap();
//!
//! // An index is shared by threads; each thread has a scratch and a path of its own.
//! let index = Index::new(grid);
//! let (mut scratch, mut path) = (Scratch::new(), Path::new());
//! let query = Query::new(Tile::new(2, 0), Tile::new(2, 2));
//! let answer = index.find(engine::ASTAR, &query, &mut scratch, &mut path).unwrap();
//! assert_eq!(answer.cost(), Some(6 * tidegate::cost::STRAIGHT));
//! assert_eq!(path.tiles().len(), 7);
//! ```
//!
//! Nothing here prints, starts a process, reads a clock or holds global state. Indexes are built
//! on all cores with the feature `parallel` (on by default), with the same bytes as on one.
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

/// The README's example, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
