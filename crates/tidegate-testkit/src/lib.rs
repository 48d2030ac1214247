//! What tests and checks stand on: an oracle that is dumber than the code, small maps
//! of every shape, and the properties that every engine must have.
//!
//! Nothing here is fast, and nothing here shares code with the searches it judges: only
//! the grid's own table of legal steps is trusted, and [`properties::legal_steps`] checks that
//! one against the rule of movement written out plainly.

pub mod bench_data;
pub mod hostile;
pub mod index_edits;
pub mod maps;
pub mod model;
pub mod oracle;
pub mod properties;
pub mod replay;
pub mod visibility;
pub mod walls;
