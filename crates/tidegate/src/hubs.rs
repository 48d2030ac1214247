//! Hub labels over a graph of corners, for every kind of length that paths may have.
//!
//! [`labels`](crate::labels) counts steps of tiles and [`anyangle`](crate::anyangle) straight
//! lines; what follows is the same for both. Each says by [`HubGraph`] what its graph is, and
//! by [`BlockSource`] how tiles reach it.
//!
//! | module | what it does |
//! |---|---|
//! | `length` | what is asked of lengths and graphs |
//! | `links` | which corners each tile may go to first |
//! | `order` | ranks the corners as hubs |
//! | `estimate` | what labels of a window of the map hold |
//! | `forecast` | what labels of a large map would take, from a window of it and its quarters |
//! | `prune`, `tree` | canonical labels of corners, and each hub's tree laid out to be walked |
//! | `square` | what the tiles of a square need |
//! | `block_build`, `block` | labels of tiles, shared by blocks of two sizes |
//! | `store` | all blocks and trees of a map, and the least sum over the hubs of two tiles |
//! | `wire` | the same as bytes, checked when read |

mod block;
mod block_build;
mod estimate;
mod forecast;
mod length;
mod links;
mod order;
mod prune;
mod square;
mod store;
mod tree;
mod wire;

pub(crate) use block::{Block, MAX_CORNERS};
#[cfg(test)]
pub(crate) use block_build::single_blocks;
pub(crate) use block_build::{Growth, blocks, fit};
pub(crate) use estimate::Estimate;
pub(crate) use forecast::Joined;
pub(crate) use length::{HubGraph, Length};
pub(crate) use links::{Gather, Links};
pub(crate) use order::order;
pub(crate) use prune::{CornerLabels, Entry, Stop, label};
pub(crate) use square::BlockSource;
pub(crate) use store::{HubScratch, HubStore, NOTHING, Shared, TooLarge, ViaCosts};
pub(crate) use tree::MAX_ROWS;
pub(crate) use wire::{Bad, Lines};
