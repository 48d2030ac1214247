//! Worlds: ground of several classes, and an index for each kind of unit that follows it.

use tidegate::cost::Factor;
use tidegate::world::{Ground, Profile};
use tidegate::{Index, Tile};

use crate::failure::{Failure, answer};
use crate::handle::{Exclusive, Handle, TidegateIndex, TidegateWorld, exclusive, shared};
use crate::index::movement;
use crate::memory::{Out, array};
use crate::status::*;
use crate::tile::TidegateTile;

/// The value of a handle: the ground, and the kinds of units with the handles of their indexes.
pub(crate) struct World {
    ground: Ground,
    units: Vec<Units>,
}

struct Units {
    profile: Profile,
    /// As a number, since a handle is one; 0 until it is asked for.
    index: usize,
}

impl Units {
    fn handle(&self) -> *mut TidegateIndex {
        std::ptr::without_provenance_mut(self.index)
    }

    /// The index, if it was made and not freed since; busy if a query uses it.
    fn index(&self) -> Result<Option<Exclusive<Index>>, Failure> {
        match exclusive(self.handle()) {
            Ok(index) => Ok(Some(index)),
            Err(failure) if failure.status() == TIDEGATE_BUSY => Err(failure),
            Err(_) => Ok(None),
        }
    }
}

impl World {
    fn unit(&mut self, profile: usize) -> Result<(&Ground, &mut Units), Failure> {
        let count = self.units.len();
        match self.units.get_mut(profile) {
            Some(units) => Ok((&self.ground, units)),
            None => {
                let text = format!("there is no profile {profile}: the world has {count}");
                Err(Failure::argument(text))
            }
        }
    }
}

/// What ground of a class costs a kind of unit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateClassCost {
    /// The class: a letter, or a number of your own.
    pub ground: u16,
    /// The cost factor in hundredths, from 100; 0: it cannot be entered.
    pub factor: u16,
}

fn class(number: u16) -> Result<u8, Failure> {
    u8::try_from(number).map_err(|_| Failure::argument(format!("{number} is no class: 0 to 255")))
}

fn factor(hundredths: u16) -> Result<Option<Factor>, Failure> {
    if hundredths == 0 {
        return Ok(None);
    }
    let text = || format!("a cost factor of {hundredths} is below 100");
    Factor::from_hundredths(hundredths).map(Some).ok_or_else(|| Failure::argument(text()))
}

/// Makes a world: a byte a tile, row by row, says what the tile is made of. Kinds of units are added
/// with `tidegate_world_add`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_world_new(
    classes: *const u8,
    count: usize,
    width: u32,
    height: u32,
    world: *mut *mut TidegateWorld,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (classes, out) =
            unsafe { (array("classes", classes, count)?, Out::one("world", world)?) };
        let ground = Ground::new(width, height, classes.to_vec());
        let ground = ground.map_err(|error| Failure::argument(error.to_string()))?;
        out.set(TidegateWorld::insert(World { ground, units: Vec::new() })?);
        Ok(TIDEGATE_OK)
    })
}

/// Frees a world. Null is no error. The indexes of its profiles stay, each to be freed by itself, and
/// follow nothing from then on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_world_free(world: *mut TidegateWorld) -> TidegateStatus {
    answer(|| TidegateWorld::free(world))
}

/// Adds a kind of unit: `size` tiles wide, 1 to 32, that moves by a rule such as
/// `TIDEGATE_NO_CORNER_CUTTING` and can enter the classes that are listed. It stands at the upper left
/// tile of its square and pays for the worst ground under it. `profile` gets its number; one that is
/// there already is not added again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_world_add(
    world: *mut TidegateWorld,
    size: u32,
    movement: u32,
    costs: *const TidegateClassCost,
    count: usize,
    profile: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (costs, out) =
            unsafe { (array("costs", costs, count)?, Out::one("profile", profile)?) };
        let Some(size) = u8::try_from(size).ok().filter(|size| (1..=32).contains(size)) else {
            return Err(Failure::argument(format!("a unit is 1 to 32 tiles wide, not {size}")));
        };
        let mut added = Profile::new().of_size(size).moving(self::movement(movement)?);
        for cost in costs {
            added.set(class(cost.ground)?, factor(cost.factor)?);
        }
        let mut world = exclusive(world)?;
        let known = world.units.iter().position(|units| units.profile == added);
        out.set(known.unwrap_or_else(|| {
            world.units.push(Units { profile: added, index: 0 });
            world.units.len() - 1
        }));
        Ok(TIDEGATE_OK)
    })
}

/// The index of a profile, made when it is first asked for. It is prepared and asked as any other and
/// follows the edits of the world; its own edits the world knows nothing of. It is the same handle
/// every time, and it is freed with `tidegate_index_free`: after that another is made when asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_world_index(
    world: *mut TidegateWorld,
    profile: usize,
    index: *mut *mut TidegateIndex,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("index", index) }?;
        let mut world = exclusive(world)?;
        let (ground, units) = world.unit(profile)?;
        let is_there = match shared(units.handle()) {
            Ok(_) => true,
            Err(failure) => failure.status() == TIDEGATE_BUSY,
        };
        if !is_there {
            let made = Index::new(ground.grid(&units.profile));
            units.index = TidegateIndex::insert(made)?.addr();
        }
        out.set(units.handle());
        Ok(TIDEGATE_OK)
    })
}

/// One tile as it is to be.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateGroundChange {
    /// Which tile.
    pub tile: TidegateTile,
    /// Its class from now on.
    pub ground: u16,
}

/// Changes the classes of tiles, one or thousands; where a tile stands more than once, the last
/// counts. The index of every profile follows. If a query uses one of them the answer is
/// `TIDEGATE_BUSY`; then, and where a tile lies outside the map, nothing is changed. `changed` may be null;
/// else it gets how many profiles have another map now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_world_edit(
    world: *mut TidegateWorld,
    changes: *const TidegateGroundChange,
    count: usize,
    changed: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (changes, out) =
            unsafe { (array("changes", changes, count)?, Out::optional("changed", changed)?) };
        let changes: Vec<(Tile, u8)> = changes
            .iter()
            .map(|change| Ok((change.tile.into(), class(change.ground)?)))
            .collect::<Result<_, Failure>>()?;
        let mut world = exclusive(world)?;
        let World { ground, units } = &mut *world;
        // All of them first: an edit reaches all profiles or none.
        let mut indexes: Vec<Option<Exclusive<Index>>> =
            units.iter().map(Units::index).collect::<Result<_, _>>()?;
        let changed = ground.edit(changes)?;
        let mut followed = 0;
        for (units, index) in units.iter().zip(&mut indexes) {
            let Some(index) = index else { continue };
            let changes = ground.changes(&units.profile, &changed, index.grid());
            if !changes.is_empty() {
                index.edit(changes)?;
                followed += 1;
            }
        }
        out.set(followed);
        Ok(TIDEGATE_OK)
    })
}

/// Sets what ground of a class costs a profile from now on; the index of the profile follows. If a query
/// uses it the answer is `TIDEGATE_BUSY` and nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_world_set_cost(
    world: *mut TidegateWorld,
    profile: usize,
    cost: TidegateClassCost,
) -> TidegateStatus {
    answer(|| {
        let (class, factor) = (class(cost.ground)?, factor(cost.factor)?);
        let mut world = exclusive(world)?;
        let (ground, units) = world.unit(profile)?;
        let index = units.index()?;
        units.profile.set(class, factor);
        if let Some(mut index) = index {
            let changes = ground.changes_of_class(&units.profile, class, index.grid());
            if !changes.is_empty() {
                index.edit(changes)?;
            }
        }
        Ok(TIDEGATE_OK)
    })
}

/// Writes the class of every tile as it is now, row by row. `count` must be the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_world_ground(
    world: *const TidegateWorld,
    classes: *mut u8,
    count: usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::array("classes", classes, count) }?;
        let world = shared(world)?;
        let known = world.ground.classes();
        if known.len() != count {
            let text = format!("the world has {} tiles, not {count}", known.len());
            return Err(Failure::argument(text));
        }
        out.fill("classes", known.iter().copied())?;
        Ok(TIDEGATE_OK)
    })
}
