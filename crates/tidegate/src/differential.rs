//! `differential`: A* guided by the distances to a few landmarks (ALT).

mod engine;
mod estimate;
mod landmarks;
mod lower;

pub(crate) use engine::DifferentialEngine;
pub use estimate::Differential;
pub use landmarks::{LandmarkOptions, Landmarks};
