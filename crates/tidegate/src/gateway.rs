//! The engines that rest on zones and gates: A* guided by what the gates know.
//!
//! | table | estimate | engine |
//! |---|---|---|
//! | `dead_ends`: which zones lie off every way | `dead_end_estimate` | `dead-end` |
//! | `gate_distances`: between gates | `gate_estimate` | `gateway` |
//! | `gate_side_distances`: between the sides of gates | `gate_estimate` | `gateway-2way` |
//! | `gate_tile_distances`: from the tiles of gates | `gate_tile_estimate` | `portal` |
//! | `tuned_distances`: `zone_distances` (inside zones and between gates), landmarks or both, as `tune` finds searches cheapest | `tuned_estimate`: the larger of `consistent_estimate` and that of the landmarks | `gateway-consistent` |
//!
//! No estimate ever exceeds the truth. After K. Halldórsson and Y. Björnsson.

mod consistent_estimate;
mod dead_end_estimate;
mod dead_ends;
mod engine;
mod gate_distances;
mod gate_estimate;
mod gate_graph;
mod gate_shape;
mod gate_side_distances;
mod gate_tile_distances;
mod gate_tile_estimate;
mod tune;
mod tuned_distances;
mod tuned_estimate;
mod zone_distances;
mod zone_lists;

pub use consistent_estimate::{Consistent, ConsistentScratch};
pub use dead_end_estimate::DeadEnd;
pub use dead_ends::{DeadEndScratch, DeadEnds};
pub(crate) use engine::GateEngine;
pub use gate_distances::GateDistances;
pub use gate_estimate::{Gateway, GatewayScratch, Sides};
pub use gate_side_distances::GateSideDistances;
pub use gate_tile_distances::GateTileDistances;
pub use gate_tile_estimate::{GateTileEstimate, GateTileScratch};
pub use tune::{TuneOptions, Tuned, tune};
pub use tuned_distances::TunedDistances;
pub use tuned_estimate::TunedEstimate;
pub use zone_distances::ZoneDistances;
