//! The memory of one running query. Each engine has a slot by the type of its own
//! scratch, made when first used and kept for the next query.

use std::any::{Any, TypeId};
use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use crate::cost::Cost;
use crate::path::Path;
use crate::search::{BucketQueue, SearchScratch};

/// The memory of searches over tiles, shared by all engines.
pub type TileScratch = SearchScratch<Cost, BucketQueue>;

/// What an engine writes to while it answers a query.
pub trait EngineScratch: Any + Debug + Default + Send {
    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// A slot's content without its type.
trait AnyScratch: Any + Debug + Send {
    fn bytes(&self) -> usize;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: EngineScratch> AnyScratch for S {
    fn bytes(&self) -> usize {
        size_of::<S>() + EngineScratch::bytes(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The memory of one running query. Keep one per thread and reuse it, on any number of
/// maps.
#[derive(Debug, Default)]
pub struct Scratch {
    tiles: TileScratch,
    /// The path of a query that only wants its cost.
    pub(crate) path: Path,
    slots: Vec<(TypeId, Box<dyn AnyScratch>)>,
    /// The slot that was used last: mostly it is the one that is wanted again.
    latest: usize,
}

impl Scratch {
    /// Empty; it grows to what the engines in use need.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// The memory of searches over tiles.
    pub fn tiles(&mut self) -> &mut TileScratch {
        &mut self.tiles
    }

    /// What the last search over tiles left behind.
    pub fn last_tiles(&self) -> &TileScratch {
        &self.tiles
    }

    /// An engine's own scratch, made if this is its first query.
    #[inline]
    pub fn slot<S: EngineScratch>(&mut self) -> &mut S {
        self.split().1
    }

    /// The memory of searches over tiles and an engine's own scratch.
    #[inline]
    pub fn split<S: EngineScratch>(&mut self) -> (&mut TileScratch, &mut S) {
        let id = TypeId::of::<S>();
        if self.slots.get(self.latest).is_none_or(|&(slot, _)| slot != id) {
            let found = self.slots.iter().position(|&(slot, _)| slot == id);
            self.latest = found.unwrap_or_else(|| {
                self.slots.push((id, Box::<S>::default()));
                self.slots.len() - 1
            });
        }
        let slot = self.slots[self.latest].1.as_any_mut().downcast_mut();
        (&mut self.tiles, slot.expect("a slot holds what its key says"))
    }

    /// An engine's own scratch as its last query left it; `None` before the first.
    pub fn last<S: EngineScratch>(&self) -> Option<&S> {
        let (_, slot) = self.slots.iter().find(|&&(slot, _)| slot == TypeId::of::<S>())?;
        slot.as_any().downcast_ref()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let slots: usize = self.slots.iter().map(|(_, slot)| slot.bytes()).sum();
        let list = self.slots.capacity() * size_of::<(TypeId, Box<dyn AnyScratch>)>();
        self.tiles.bytes() + self.path.bytes() + list + slots
    }
}

/// Scratches for callers that keep none: one for each query that runs at the same time.
#[derive(Debug, Default)]
pub(super) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Runs `work` with a scratch that no other query uses meanwhile.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let pool = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = pool().pop().unwrap_or_default();
        let result = work(&mut scratch);
        pool().push(scratch);
        result
    }
}
