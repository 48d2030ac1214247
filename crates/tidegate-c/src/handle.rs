//! Handles: what C holds of a value that lives here.
//!
//! A handle is a number in the form of a pointer: kind, place in a table, and how often the
//! place was given away before. It is looked up and never followed, so a handle that was
//! freed, even twice, or that was never one, is told from a good one. A value is locked while
//! a call uses it: shared by those that read it, alone by those that change it. Nobody waits
//! for a lock; who cannot have it is told that the value is busy.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{
    Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError,
};

use tidegate::{Blocked, CostLayer, GoalField, Index};

use crate::failure::{Failure, Outcome, answer};
use crate::memory::Out;
use crate::scratch::Memory;
use crate::status::*;
use crate::world::World;

/// A map with the tables of its engines. Threads may query one at the same time.
#[derive(Debug)]
pub struct TidegateIndex {
    _opaque: [u8; 0],
}

/// The memory of queries, kept between them so that a query allocates nothing: one for each
/// thread that asks. It also holds the last path. It belongs to no index.
#[derive(Debug)]
pub struct TidegateScratch {
    _opaque: [u8; 0],
}

/// Tiles that cannot be entered in one query, such as those under other units.
#[derive(Debug)]
pub struct TidegateBlocked {
    _opaque: [u8; 0],
}

/// How far it is from every tile to the nearest of some goals, and which step leads there: one
/// serves any number of units with the same goals.
#[derive(Debug)]
pub struct TidegateField {
    _opaque: [u8; 0],
}

/// What tiles cost more than the map says, for any number of queries: danger, crowds, the reach
/// of towers.
#[derive(Debug)]
pub struct TidegateLayer {
    _opaque: [u8; 0],
}

/// Ground of several classes, with an index for each kind of unit that moves there.
#[derive(Debug)]
pub struct TidegateWorld {
    _opaque: [u8; 0],
}

/// A kind of handle, and the table of its values.
pub(crate) trait Handle: Sized {
    type Value: 'static;

    fn table() -> &'static Table<Self::Value>;

    /// The handle of a new value.
    fn insert(value: Self::Value) -> Result<*mut Self, Failure> {
        Ok(std::ptr::without_provenance_mut(Self::table().insert(value)?))
    }

    /// Drops the value. Null is no error: there is nothing to free.
    fn free(handle: *mut Self) -> Outcome {
        if !handle.is_null() {
            Self::table().remove(handle.addr())?;
        }
        Ok(TIDEGATE_OK)
    }
}

macro_rules! handle {
    ($handle:ty, $value:ty, $kind:literal, $name:literal) => {
        impl Handle for $handle {
            type Value = $value;

            fn table() -> &'static Table<$value> {
                static TABLE: Table<$value> = Table::new($kind, $name);
                &TABLE
            }
        }
    };
}

handle!(TidegateIndex, Index, 1, "index");
handle!(TidegateScratch, Mutex<Memory>, 2, "scratch");
handle!(TidegateBlocked, Blocked, 3, "blocked");
handle!(TidegateField, GoalField, 4, "field");
handle!(TidegateLayer, CostLayer, 5, "layer");
handle!(TidegateWorld, World, 6, "world");

/// The value of a handle, to read.
pub(crate) fn shared<H: Handle>(handle: *const H) -> Result<Shared<H::Value>, Failure> {
    H::table().read(handle.addr())
}

/// The value of a handle, to change.
pub(crate) fn exclusive<H: Handle>(handle: *mut H) -> Result<Exclusive<H::Value>, Failure> {
    H::table().write(handle.addr())
}

const CHUNK: usize = 64;
const CHUNKS: usize = 1024;
const PLACE_BITS: u32 = 16;
/// Where a pointer has 64 bits, the upper 16 of a handle are such that it leads nowhere.
const MARK: u64 = 0x71de << 48;
/// What is left of a handle above these is its kind.
const GENERATION_BITS: u32 = if usize::BITS == 64 { 28 } else { 13 };
const LAST_GENERATION: usize = (1 << GENERATION_BITS) - 1;

/// A place for a value. On lines of its own, so that threads with a scratch each do not
/// slow each other down.
#[repr(align(128))]
struct Place<T> {
    /// Changes only while the value is locked alone.
    generation: AtomicUsize,
    value: RwLock<Option<T>>,
}

impl<T> Default for Place<T> {
    fn default() -> Place<T> {
        Place { generation: AtomicUsize::new(0), value: RwLock::new(None) }
    }
}

/// The values of one kind of handle.
pub(crate) struct Table<T> {
    kind: usize,
    name: &'static str,
    chunks: [OnceLock<Box<[Place<T>]>>; CHUNKS],
    places: Mutex<Places>,
}

/// Which places are in use.
struct Places {
    /// All from here on were never used.
    fresh: usize,
    /// Those that were freed, in that order: the longer a place rests, the longer an old
    /// handle to it is known as such.
    freed: VecDeque<usize>,
    live: usize,
}

/// A value that is being read.
pub(crate) struct Shared<T: 'static>(RwLockReadGuard<'static, Option<T>>);

/// A value that is being changed.
pub(crate) struct Exclusive<T: 'static>(RwLockWriteGuard<'static, Option<T>>);

const THERE: &str = "a value that was found is there while it is locked";

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().expect(THERE)
    }
}

impl<T> Deref for Exclusive<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().expect(THERE)
    }
}

impl<T> DerefMut for Exclusive<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect(THERE)
    }
}

impl<T> Table<T> {
    const fn new(kind: usize, name: &'static str) -> Table<T> {
        let places = Places { fresh: 0, freed: VecDeque::new(), live: 0 };
        let chunks = [const { OnceLock::new() }; CHUNKS];
        Table { kind, name, chunks, places: Mutex::new(places) }
    }

    fn mark(&self) -> usize {
        let kind = self.kind << (PLACE_BITS + GENERATION_BITS);
        if usize::BITS == 64 { MARK as usize | kind } else { kind }
    }

    fn insert(&'static self, value: T) -> Result<usize, Failure> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let number = match places.freed.pop_front() {
            Some(number) => number,
            None if places.fresh < CHUNK * CHUNKS => {
                places.fresh += 1;
                places.fresh - 1
            }
            None => {
                let text = format!("there are {} handles of this kind already", places.live);
                return Err(Failure::new(TIDEGATE_BUSY, text));
            }
        };
        places.live += 1;
        drop(places);
        let chunk = self.chunks[number / CHUNK]
            .get_or_init(|| (0..CHUNK).map(|_| Place::default()).collect());
        let place = &chunk[number % CHUNK];
        let mut held = place.value.write().unwrap_or_else(PoisonError::into_inner);
        *held = Some(value);
        let generation = place.generation.load(Ordering::Relaxed);
        Ok(self.mark() | generation << PLACE_BITS | number)
    }

    /// The place that a handle names, and its generation, if the handle can be one.
    #[inline]
    fn find(&'static self, handle: usize) -> Result<(usize, &'static Place<T>, usize), Failure> {
        let number = handle & ((1 << PLACE_BITS) - 1);
        let generation = handle >> PLACE_BITS & LAST_GENERATION;
        let chunk = self.chunks[number / CHUNK].get();
        let place = chunk.map(|chunk| &chunk[number % CHUNK]);
        match place.filter(|_| self.is_of_this_kind(handle)) {
            Some(place) if place.generation.load(Ordering::Acquire) == generation => {
                Ok((number, place, generation))
            }
            _ => Err(self.refuse(handle, place, generation)),
        }
    }

    #[inline]
    fn is_of_this_kind(&self, handle: usize) -> bool {
        handle >> (PLACE_BITS + GENERATION_BITS) == self.mark() >> (PLACE_BITS + GENERATION_BITS)
    }

    #[cold]
    fn refuse(&self, handle: usize, place: Option<&Place<T>>, generation: usize) -> Failure {
        let name = self.name;
        if handle == 0 {
            return Failure::new(TIDEGATE_NULL, format!("{name} is NULL"));
        }
        let is_old = self.is_of_this_kind(handle)
            && place.is_some_and(|place| generation < place.generation.load(Ordering::Relaxed));
        let why = if is_old { "was freed" } else { "is not a handle of this kind" };
        Failure::new(TIDEGATE_BAD_HANDLE, format!("{name} {why}"))
    }

    #[inline]
    fn read(&'static self, handle: usize) -> Result<Shared<T>, Failure> {
        let (_, place, generation) = self.find(handle)?;
        let held = place.value.try_read().map_err(|error| self.locked(error))?;
        self.still_there(handle, place, generation, held.is_some())?;
        Ok(Shared(held))
    }

    #[inline]
    fn write(&'static self, handle: usize) -> Result<Exclusive<T>, Failure> {
        let (_, place, generation) = self.find(handle)?;
        let held = place.value.try_write().map_err(|error| self.locked(error))?;
        self.still_there(handle, place, generation, held.is_some())?;
        Ok(Exclusive(held))
    }

    /// Between finding and locking, another thread may have freed the value; or no value was
    /// put there yet.
    #[inline]
    fn still_there(
        &self,
        handle: usize,
        place: &Place<T>,
        generation: usize,
        is_there: bool,
    ) -> Result<(), Failure> {
        if is_there && place.generation.load(Ordering::Relaxed) == generation {
            return Ok(());
        }
        Err(self.refuse(handle, Some(place), generation))
    }

    #[cold]
    fn locked<G>(&self, error: TryLockError<G>) -> Failure {
        let name = self.name;
        match error {
            TryLockError::WouldBlock => {
                Failure::new(TIDEGATE_BUSY, format!("{name} is in use by another call"))
            }
            TryLockError::Poisoned(_) => {
                let text = format!("{name} was left unfinished by a call that failed: free it");
                Failure::new(TIDEGATE_INTERNAL, text)
            }
        }
    }

    fn remove(&'static self, handle: usize) -> Result<(), Failure> {
        let (number, place, generation) = self.find(handle)?;
        let mut held = match place.value.try_write() {
            Ok(held) => held,
            // What a failed call left behind can be dropped, and the place used again.
            Err(TryLockError::Poisoned(error)) => {
                place.value.clear_poison();
                error.into_inner()
            }
            Err(error) => return Err(self.locked(error)),
        };
        self.still_there(handle, place, generation, held.is_some())?;
        let value = held.take();
        place.generation.store(generation + 1, Ordering::Release);
        drop(held);
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.live -= 1;
        if generation + 1 < LAST_GENERATION {
            places.freed.push_back(number);
        }
        drop(places);
        drop(value);
        Ok(())
    }

    fn live(&self) -> usize {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).live
    }
}

/// How many handles of all kinds there are that were not freed: 0 at the end of a program that
/// frees what it makes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_live_handles(count: *mut usize) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let count = unsafe { Out::one("count", count) }?;
        let live = TidegateIndex::table().live()
            + TidegateScratch::table().live()
            + TidegateBlocked::table().live()
            + TidegateField::table().live()
            + TidegateLayer::table().live()
            + TidegateWorld::table().live();
        count.set(live);
        Ok(TIDEGATE_OK)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_handle_is_known_as_such_when_its_place_is_used_again() {
        static NUMBERS: Table<u32> = Table::new(1, "number");
        let old = NUMBERS.insert(7).unwrap();
        assert_eq!(*NUMBERS.read(old).unwrap(), 7);
        NUMBERS.remove(old).unwrap();
        let new = NUMBERS.insert(8).unwrap();
        assert_ne!(old, new);
        for refused in
            [NUMBERS.read(old).err(), NUMBERS.write(old).err(), NUMBERS.remove(old).err()]
        {
            assert!(format!("{refused:?}").contains("number was freed"), "{refused:?}");
        }
        assert_eq!(*NUMBERS.read(new).unwrap(), 8);
        assert_eq!(NUMBERS.live(), 1);
    }

    #[test]
    fn numbers_that_are_no_handles_are_refused() {
        static NUMBERS: Table<u32> = Table::new(2, "number");
        let good = NUMBERS.insert(7).unwrap();
        let mut bad: Vec<usize> = (0..usize::BITS).map(|bit| good ^ 1 << bit).collect();
        bad.extend([0, 1, usize::MAX, &raw const good as usize, good + CHUNK]);
        for handle in bad {
            assert!(NUMBERS.read(handle).is_err(), "{handle:x}");
            assert!(NUMBERS.remove(handle).is_err(), "{handle:x}");
        }
        assert!(NUMBERS.read(good).is_ok());
    }

    #[test]
    fn who_cannot_have_a_value_is_told_and_does_not_wait() {
        static NUMBERS: Table<u32> = Table::new(1, "number");
        let handle = NUMBERS.insert(7).unwrap();
        let held = NUMBERS.read(handle).unwrap();
        assert!(NUMBERS.read(handle).is_ok());
        assert!(NUMBERS.write(handle).is_err());
        assert!(NUMBERS.remove(handle).is_err());
        drop(held);
        let held = NUMBERS.write(handle).unwrap();
        assert!(NUMBERS.read(handle).is_err());
        drop(held);
        NUMBERS.remove(handle).unwrap();
    }

    #[test]
    fn what_a_panic_left_can_only_be_freed() {
        static NUMBERS: Table<u32> = Table::new(1, "number");
        let handle = NUMBERS.insert(7).unwrap();
        let status = answer(|| {
            let _held = NUMBERS.write(handle)?;
            panic!("half way");
        });
        assert_eq!(status, TIDEGATE_INTERNAL);
        assert!(NUMBERS.read(handle).is_err() && NUMBERS.write(handle).is_err());
        NUMBERS.remove(handle).unwrap();
        let next = NUMBERS.insert(8).unwrap();
        assert_eq!(*NUMBERS.read(next).unwrap(), 8);
    }
}
