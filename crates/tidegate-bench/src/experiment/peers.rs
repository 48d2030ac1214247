//! What other crates do on the same problems. The experiment itself lives in
//! `examples/peers.rs`, so that the program does not depend on its rivals; the report draws
//! the record if it is there.

use serde::{Deserialize, Serialize};

/// Ours and theirs on the problems of one map; sums.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row {
    /// The set.
    pub set: String,
    /// The map.
    pub map: String,
    /// The rival and how it is set.
    pub rival: String,
    /// Our engine.
    pub ours: String,
    /// Problems.
    pub problems: usize,
    /// Microseconds of ours.
    pub our_us: f64,
    /// Microseconds of theirs.
    pub their_us: f64,
    /// Percent that ours are too long.
    pub our_error: f64,
    /// Percent that theirs are too long.
    pub their_error: f64,
    /// Paths of theirs with illegal steps.
    pub their_illegal: usize,
}

/// The name of the record.
pub const NAME: &str = "peers";
