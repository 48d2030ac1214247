//! Estimates of the way still to go. None of them ever exceeds the truth.

mod octile;

pub use octile::Octile;
