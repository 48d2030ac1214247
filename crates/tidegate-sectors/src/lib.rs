//! Sectors under bounds of time: the engines `dsma`, `maat` and `maat-zones`.
//!
//! They use nothing but the public interface of [`tidegate`].
//!
//! The map is covered by sectors whose sub-goals guide the search on tiles. Small
//! sectors make queries quick and paths a little longer; large ones the reverse. So a
//! [`SectorPlanner`] splits a sector after a query that took too long and merges two after
//! one with time to spare. The mechanism (which sectors there are, how a query runs on
//! them) is apart from the [`Policy`] that chooses what to change: [`Dsma`] by demand,
//! [`Maat`] by time, after [`prepare`] has fitted sectors and bounds to the map.
//!
//! Time is an input, a [`Clock`]; with [`Expansions`] everything is reproducible.
//! Both are after S. Bhattacharjee and S. D. Goodwin, "Map Abstraction with Adjustable
//! Time Bounds" (2013).

mod clock;
mod cover;
#[cfg(feature = "draw")]
pub mod draw;
mod dsma;
mod engine;
mod gates;
mod ground;
mod hierarchy;
mod maat;
mod planner;
mod policy;
mod prepare;
mod route;
mod saved;
mod tally;
mod tidy;
mod travel;
mod triangle;
mod triangles;
mod trip;
mod zones;

pub use clock::{Clock, Expansions};
pub use cover::Cover;
pub use dsma::Dsma;
pub use engine::{
    ALL, DSMA, ENGINES, MAAT, MAAT_ZONES, SectorState, by_name, initial_sectors, sectors,
};
pub use ground::{Ground, SubGoal};
pub use hierarchy::{Hierarchy, SectorId};
pub use maat::Maat;
pub use planner::SectorPlanner;
pub use policy::{Policy, View};
pub use prepare::{Pairs, Preparation, prepare};
pub use saved::SavedError;
pub use tally::{Bounds, Tally};
pub use triangle::{Cut, Point, Triangle};
pub use triangles::{MAX_LEVELS, Triangles, TrianglesError};
pub use trip::{Trip, Visit, Way};
pub use zones::ZoneTree;
