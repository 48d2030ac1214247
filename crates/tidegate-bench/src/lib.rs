//! Measuring engines on suites of maps and problems.
//!
//! The flow: a [`suite`] is found on disk, its problems are [`run`] by every engine in
//! turn, each answer is [`check`]ed before any time is believed, and [`record`] writes
//! rows, paths and summaries. [`thesis`] is the reading of A* that reproduces the
//! published expansion counts; it exists for comparison only.

pub mod check;
pub mod record;
pub mod run;
pub mod suite;
pub mod tables;
pub mod thesis;
