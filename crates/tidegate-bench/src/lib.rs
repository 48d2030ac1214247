//! Measuring engines on suites of maps and problems.
//!
//! The flow: a [`suite`] is found on disk, its problems are [`run`] by every engine in
//! turn, each answer is [`check`]ed before any time is believed, and [`record`] sums up.
//! [`thesis`] is the reading of A* that reproduces the published expansion counts; it exists
//! for comparison only.
//!
//! On top of that stand the [`experiment`]s that redo the five documents' evaluations. Each
//! leaves a file in a [`notebook`], and [`report`] draws one page from them.

pub mod check;
pub mod experiment;
pub mod histogram;
pub mod machine;
pub mod notebook;
pub mod output;
pub mod plot;
pub mod record;
pub mod report;
pub mod run;
pub mod shard;
pub mod stopwatch;
pub mod suite;
pub mod thesis;
pub mod ticks;
