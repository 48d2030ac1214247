//! The engines of this library, in one list.
//!
//! The program, the benchmark and the tests iterate over [`ALL`]; an engine that is in
//! the list is measured, checked and offered everywhere without another line of code.
//! An engine of another crate is the same trait: hand it to [`Index::find`], and its
//! list to [`Index::open_with`].

use std::path::Path as FilePath;

use crate::artifact::ArtifactError;
use crate::astar::Astar;
use crate::auto::Automatic;
use crate::corners::CornerEngine;
use crate::differential::DifferentialEngine;
use crate::gateway::GateEngine;
use crate::hpa;
use crate::index::Index;
use crate::jps::JpsEngine;
use crate::labels::LabelEngine;

pub use crate::index::{
    BuildError, DynObserver, Engine, EngineInfo, EngineScratch, FindContext, FindResult, Promise,
    ResolvedQuery,
};

/// A* with the octile estimate.
pub const ASTAR: &dyn Engine = &Astar;
/// A* that stays out of dead ends.
pub const DEAD_END: &dyn Engine = &GateEngine::DeadEnd;
/// A* with the distances between gates.
pub const GATEWAY: &dyn Engine = &GateEngine::OneWay;
/// A* with the distances between the sides of gates.
pub const GATEWAY_2WAY: &dyn Engine = &GateEngine::TwoWay;
/// A* with the distances to and between gates; never expands a tile twice.
pub const GATEWAY_CONSISTENT: &dyn Engine = &GateEngine::Consistent;
/// A* with the distances from the tiles of gates to gates.
pub const PORTAL: &dyn Engine = &GateEngine::Portal;
/// A* with the differential estimate of a few landmarks.
pub const DIFFERENTIAL: &dyn Engine = &DifferentialEngine;
/// A* with the better of the estimates of gates and landmarks.
pub const GATEWAY_DIFFERENTIAL: &dyn Engine = &GateEngine::WithLandmarks;
/// Jump point search.
pub const JPS: &dyn Engine = &JpsEngine;
/// Hub labels: exact answers in microseconds.
pub const LABELS: &dyn Engine = &LabelEngine;
/// A contraction hierarchy over corners: exact answers in about ten microseconds.
pub const CORNERS: &dyn Engine = &CornerEngine;
/// HPA*, tuned for short paths and fast answers.
pub const HPA: &dyn Engine = &hpa::HPA;
/// HPA* as published.
pub const HPA_PAPER: &dyn Engine = &hpa::HPA_PAPER;
/// The best engine that is built.
pub const AUTO: &dyn Engine = &Automatic;

/// All engines of this library.
pub const ALL: &[&dyn Engine] = &[
    ASTAR,
    DEAD_END,
    GATEWAY,
    GATEWAY_2WAY,
    GATEWAY_CONSISTENT,
    PORTAL,
    DIFFERENTIAL,
    GATEWAY_DIFFERENTIAL,
    JPS,
    LABELS,
    CORNERS,
    HPA,
    HPA_PAPER,
    AUTO,
];

/// The engine of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Engine> {
    ALL.iter().copied().find(|engine| engine.name() == name)
}

impl Index {
    /// The index from the bytes of its file, or why they are none. It may hold tables of
    /// this library's engines; [`Index::from_bytes_with`] knows others too.
    pub fn from_bytes(bytes: &[u8]) -> Result<Index, ArtifactError> {
        Index::from_bytes_with(bytes, ALL)
    }

    /// Opens the file of an index. The map is in it.
    pub fn open(path: &FilePath) -> Result<Index, ArtifactError> {
        Index::open_with(path, ALL)
    }
}
