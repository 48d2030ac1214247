//! `World`: what every tile is made of, and the kinds of units that move there.

use std::cell::RefCell;

use js_sys::Array;
use tidegate::Tile;
use tidegate::cost::Factor;
use tidegate::index::EditError;
use tidegate::world::{Profile, ProfileId, World};
use wasm_bindgen::prelude::*;

use crate::arrays::{self, shown};
use crate::errors::{
    JsResult, argument_error, array_error, build_error, coordinate_error, working,
};
use crate::index::{JsIndex, engines_named, movement, size};
use crate::object::{number, option};

/// The largest size of a unit, in tiles.
const LARGEST: f64 = 32.0;

/// A map of ground classes, a byte for every tile, and profiles: kinds of units with a size, the classes they may enter and
/// what those cost. An edit reaches all of them.
#[wasm_bindgen(js_name = World)]
pub struct JsWorld(RefCell<World>);

#[wasm_bindgen(js_class = World)]
impl JsWorld {
    /// A world of tiles of these classes, row by row: what the numbers mean is yours to say, letters do (`readMap(...).kinds`).
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | Uint8ClampedArray")] ground: &JsValue,
        width: f64,
        height: f64,
    ) -> JsResult<JsWorld> {
        let (width, height) = size(width, height)?;
        let ground = arrays::bytes(ground, "ground", (width, height))?;
        let world = working(|| World::new(width, height, ground))?.map_err(argument_error)?;
        Ok(JsWorld(RefCell::new(world)))
    }

    /// Adds a kind of unit; its number.
    pub fn add(
        &self,
        #[wasm_bindgen(unchecked_param_type = "UnitProfile")] profile: &JsValue,
    ) -> JsResult<u32> {
        let profile = read_profile(profile)?;
        working(|| self.0.borrow_mut().add(profile).index() as u32)
    }

    /// Builds what these engines need for a profile, unless it is there already; it follows edits.
    #[wasm_bindgen(variadic)]
    pub fn prepare(
        &self,
        profile: f64,
        #[wasm_bindgen(unchecked_param_type = "EngineName[]")] engines: &JsValue,
    ) -> JsResult<()> {
        let (id, wanted) = (self.id(profile)?, engines_named(engines)?);
        working(|| {
            let mut world = self.0.borrow_mut();
            wanted.iter().try_for_each(|engine| world.prepare(id, *engine))
        })?
        .map_err(build_error)
    }

    /// The index of a profile as it is now, to be asked: a unit stands at the tile at its top left. It costs little, has the
    /// tables of the world, and stays as it is when the world is edited.
    pub fn index(&self, profile: f64) -> JsResult<JsIndex> {
        let id = self.id(profile)?;
        Ok(JsIndex::of(working(|| self.0.borrow().index_of(id).clone())?))
    }

    /// Changes the classes of tiles: `edit([[x, y, class], ...])`. A tile outside the map is an
    /// error, and nothing is changed.
    pub fn edit(
        &self,
        #[wasm_bindgen(
            unchecked_param_type = "readonly (readonly [x: number, y: number, ground: GroundClass])[]"
        )]
        changes: &JsValue,
    ) -> JsResult<()> {
        let mut read = Vec::new();
        for (n, change) in list(changes, "changes")?.iter().enumerate() {
            let wrong = || {
                let got = shown(&change);
                array_error(format_args!("changes[{n}] must be [x, y, class], not {got}"))
            };
            let parts =
                arrays::copied_list(&change, "a change")?.filter(|parts| parts.length() == 3);
            let parts = parts.ok_or_else(wrong)?;
            let ends = parts.get(0).as_f64().zip(parts.get(1).as_f64());
            let (x, y) = ends.ok_or_else(wrong)?;
            let ground = class(&parts.get(2), &format!("changes[{n}]"))?;
            read.push((self.tile(x, y, &format!("changes[{n}]"))?, ground));
        }
        let done: Result<_, EditError> = working(|| self.0.borrow_mut().edit(read))?;
        done.map(drop).map_err(coordinate_error)
    }

    /// The class of a tile.
    pub fn ground(&self, x: f64, y: f64) -> JsResult<u8> {
        let tile = self.tile(x, y, "tile")?;
        Ok(self.0.borrow().ground(tile).unwrap_or_default())
    }

    /// Columns.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.borrow().width()
    }

    /// Rows.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.borrow().height()
    }
}

impl JsWorld {
    fn id(&self, profile: f64) -> JsResult<ProfileId> {
        // First, whether an earlier call broke down.
        working(|| ())?;
        let world = self.0.borrow();
        let found = world.profiles().map(|(id, _)| id).find(|id| id.index() as f64 == profile);
        found.ok_or_else(|| argument_error(format_args!("no profile {profile}: add it first")))
    }

    fn tile(&self, x: f64, y: f64, name: &str) -> JsResult<Tile> {
        working(|| ())?;
        let size = (self.0.borrow().width(), self.0.borrow().height());
        arrays::inside(size, x, y)
            .ok_or_else(|| coordinate_error(arrays::outside(size, name, x, y)))
    }
}

fn list(value: &JsValue, name: &str) -> JsResult<Array> {
    let list = arrays::copied_list(value, name)?;
    list.ok_or_else(|| array_error(format_args!("{name} must be a list, not {}", shown(value))))
}

/// A class of ground: a number, or the letter that has it.
fn class(value: &JsValue, name: &str) -> JsResult<u8> {
    let letter = value.as_string().and_then(|text| <[u8; 1]>::try_from(text.as_bytes()).ok());
    let given =
        value.as_f64().filter(|class| (0.0..=255.0).contains(class) && class.trunc() == *class);
    letter.map(|[letter]| letter).or(given.map(|class| class as u8)).ok_or_else(|| {
        let got = shown(value);
        argument_error(format_args!(
            "{name}: a class is a number from 0 to 255 or a letter, not {got}"
        ))
    })
}

fn read_profile(options: &JsValue) -> JsResult<Profile> {
    let tiles = number(options, "size")?.unwrap_or(1.0);
    if !(1.0..=LARGEST).contains(&tiles) || tiles.trunc() != tiles {
        return Err(argument_error(format_args!("size is {tiles}: a whole number from 1 to 32")));
    }
    let mut profile = Profile::new().of_size(tiles as u8).moving(movement(options)?);
    let Some(enters) = option(options, "enters")? else {
        return Err(argument_error("enters is missing: the classes that the unit may enter"));
    };
    if let Some(letters) = enters.as_string() {
        return Ok(profile.entering(letters.as_bytes()));
    }
    for (n, entry) in list(&enters, "enters")?.iter().enumerate() {
        let name = format!("enters[{n}]");
        let pair = arrays::copied_list(&entry, &name)?.filter(|pair| pair.length() == 2);
        profile = match pair {
            None => profile.entering([class(&entry, &name)?]),
            Some(pair) => {
                let factor = pair.get(1).as_f64().and_then(Factor::new).ok_or_else(|| {
                    argument_error(format_args!(
                        "{name}: a cost factor is a number from 1 to 655.35, not {}",
                        shown(&pair.get(1))
                    ))
                })?;
                profile.entering_at(class(&pair.get(0), &name)?, factor)
            }
        };
    }
    Ok(profile)
}
