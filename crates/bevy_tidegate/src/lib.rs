//! Exact paths on tile maps that change, for games made with Bevy.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod space;
mod world;
mod prepare;
mod edit;
mod path;
mod answer;
mod order;
mod plugin;
#[cfg(feature = "gizmos")]
pub mod gizmos;

pub use edit::{EditCost, EditRefused, EditTiles, MapEdited};
pub use order::{GoalOrder, NextStep};
pub use path::{PathFailed, PathRequest, PathStatus, TilePath, TilePosition};
pub use plugin::{Answers, TidegatePlugin, TidegateSettings, TidegateSystems};
pub use prepare::EnginePrepared;
pub use space::TileSpace;
pub use tidegate;
pub use world::TileWorld;
