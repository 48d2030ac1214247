//! The taut corner graph: where shortest paths can bend, and what sees what.
//!
//! A shortest path pulled tight bends only at corners of walls. The engines `labels` and
//! `corners` work on these corners instead of tiles.
//!
//! | module | what it knows |
//! |---|---|
//! | `compass` | directions, in sixteen classes |
//! | `corner` | which tiles are corners, and the turns they allow |
//! | `lines`, `scan` | the map as bits; what a tile sees safely |
//! | `graph` | corners and the safe lines between them |
//! | `sight` | whether two tiles see each other, from tables |
//! | `walk` | every tile of a path from its turning points |
//!
//! `docs/taut.md` has the definitions and the proofs for all three rules of movement.

pub(crate) mod compass;
pub(crate) mod corner;
mod edges;
mod graph;
mod lines;
mod scan;
mod sight;
pub(crate) mod walk;

#[cfg(test)]
pub(crate) mod exact_tests;

pub(crate) use corner::Rules;
pub(crate) use edges::{Edge, Edges};
pub(crate) use graph::{CornerGraph, direction};
pub(crate) use scan::{CornerBits, Span};
pub(crate) use sight::Sight;
