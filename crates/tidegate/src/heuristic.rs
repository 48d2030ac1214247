//! Estimates of the way still to go. None of them ever exceeds the truth.

mod consistent;
mod dead_end;
mod differential;
mod gateway;
mod octile;
mod portal;

pub use consistent::{Consistent, ConsistentScratch};
pub use dead_end::DeadEnd;
pub use differential::Differential;
pub use gateway::{Gateway, GatewayScratch, Sides};
pub use octile::Octile;
pub use portal::{Portal, PortalScratch};
