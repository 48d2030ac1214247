//! Zones and gates.

use tidegate::decompose::{Gate, GateId, Place, Zone, ZoneId};
use tidegate::region::Regions;
use tidegate::{CellId, Decomposition, Index, Tile};

use crate::failure::{Failure, answer};
use crate::handle::{TidegateIndex, exclusive, shared};
use crate::index::all_tiles;
use crate::memory::Out;
use crate::status::*;
use crate::tile::TidegateTile;

/// What `tidegate_zones` writes for a wall. A gate is `TIDEGATE_ZONE_WALL - 1 - number`.
pub const TIDEGATE_ZONE_WALL: i32 = -1;

/// A zone: a region as a person would draw it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateZone {
    /// Its number, which it keeps while the map is edited.
    pub number: u32,
    /// How many tiles it has; those of gates belong to no zone.
    pub area: u32,
    /// How many gates lie around it: see `tidegate_zone_gates`.
    pub gate_count: u32,
    /// The tile that is farthest from any wall.
    pub deepest: TidegateTile,
    /// The first tile of the rectangle around it.
    pub top_left: TidegateTile,
    /// The last tile of the rectangle around it.
    pub bottom_right: TidegateTile,
    /// The mean column of its tiles. The centre of a bent zone may lie outside.
    pub centre_x: f64,
    /// The mean row of its tiles.
    pub centre_y: f64,
}

/// A gate: a narrow place between zones, a straight line of tiles.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateGate {
    /// Its number, which it keeps while the map is edited.
    pub number: u32,
    /// How many tiles its line has.
    pub width: u32,
    /// How many tiles it owns: see `tidegate_gate_tiles`.
    pub tile_count: u32,
    /// How many zones it touches: two as a rule. See `tidegate_gate_zones`.
    pub zone_count: u32,
    /// The first two of them; -1 where there is none.
    pub zones: [i32; 2],
    /// The first end of its line.
    pub a: TidegateTile,
    /// The last end of its line.
    pub b: TidegateTile,
    /// The tile in the middle.
    pub middle: TidegateTile,
    /// How many times wider than the gate is long the ground beside it is, on the narrower side:
    /// the larger, the more of a choke point it is.
    pub prominence: f64,
}

pub(crate) fn parts(index: &Index) -> Result<&Decomposition, Failure> {
    index.decomposition().ok_or_else(|| {
        Failure::new(TIDEGATE_NOT_BUILT, "there are no zones: call tidegate_decompose first")
    })
}

pub(crate) fn gate_of(parts: &Decomposition, number: u32) -> Result<&Gate, Failure> {
    let gate = parts.gates().get(number as usize).filter(|gate| !gate.is_gone());
    gate.ok_or_else(|| Failure::argument(format!("there is no gate {number}")))
}

pub(crate) fn zone_of(parts: &Decomposition, number: u32) -> Result<&Zone, Failure> {
    let zone = parts.zones().get(number as usize).filter(|zone| !zone.is_gone());
    zone.ok_or_else(|| Failure::argument(format!("there is no zone {number}")))
}

/// A tile of the caller's, if it lies on the map.
pub(crate) fn inside(index: &Index, what: &str, tile: TidegateTile) -> Result<Tile, Failure> {
    let tile = Tile::from(tile);
    if index.grid().contains(tile) {
        return Ok(tile);
    }
    Err(Failure::new(TIDEGATE_OUTSIDE, format!("{what} {tile} lies outside the map")))
}

/// Makes zones and gates by rising water, unless they are there already. They follow edits and
/// are saved with the index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_decompose(index: *mut TidegateIndex) -> TidegateStatus {
    answer(|| {
        exclusive(index)?.decompose();
        Ok(TIDEGATE_OK)
    })
}

/// Makes zones and gates again from scratch, for a map that was edited a lot. Numbers change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_decompose_again(index: *mut TidegateIndex) -> TidegateStatus {
    answer(|| {
        let mut index = exclusive(index)?;
        if index.decompose_again().is_none() {
            index.decompose();
        }
        Ok(TIDEGATE_OK)
    })
}

/// Writes what every tile belongs to, row by row: the number of its zone, `TIDEGATE_ZONE_WALL`, or
/// `TIDEGATE_ZONE_WALL - 1 - number` for a gate. `count` must be the number of tiles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_zones(
    index: *const TidegateIndex,
    zones: *mut i32,
    count: usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::array("zones", zones, count) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        all_tiles(index.grid(), count)?;
        let code = |n| match parts.place(CellId::from_index(n)) {
            Place::Wall => TIDEGATE_ZONE_WALL,
            Place::Zone(zone) => zone.index() as i32,
            Place::Gate(gate) => TIDEGATE_ZONE_WALL - 1 - gate.index() as i32,
        };
        out.fill("zones", (0..count).map(code))?;
        Ok(TIDEGATE_OK)
    })
}

/// Lists the zones. `count` gets their number, also where `capacity` is less: then nothing else is
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_zone_list(
    index: *const TidegateIndex,
    zones: *mut TidegateZone,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("zones", zones, capacity, count) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        let live: Vec<_> = parts.zones().iter().filter(|zone| !zone.is_gone()).collect();
        let regions = Regions::new(index.grid(), parts);
        out.write(live.iter().map(|zone| {
            let [left, top, right, bottom] = regions.bounds(zone.id());
            let (centre_x, centre_y) = regions.centroid(zone.id());
            TidegateZone {
                number: zone.id().index() as u32,
                area: zone.area(),
                gate_count: zone.gates().len() as u32,
                deepest: regions.deepest(zone.id()).into(),
                top_left: TidegateTile { x: left, y: top },
                bottom_right: TidegateTile { x: right, y: bottom },
                centre_x,
                centre_y,
            }
        }))
    })
}

/// Lists the gates. `count` gets their number, also where `capacity` is less: then nothing else is
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_gate_list(
    index: *const TidegateIndex,
    gates: *mut TidegateGate,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("gates", gates, capacity, count) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        let regions = Regions::new(index.grid(), parts);
        let live: Vec<_> = parts.live_gates().collect();
        out.write(live.iter().map(|gate| {
            let zone = |n: usize| gate.zones().get(n).map_or(-1, |zone| zone.index() as i32);
            TidegateGate {
                number: gate.id().index() as u32,
                width: gate.width(),
                tile_count: gate.tiles().len() as u32,
                zone_count: gate.zones().len() as u32,
                zones: [zone(0), zone(1)],
                a: gate.a().into(),
                b: gate.b().into(),
                middle: gate.line().middle().into(),
                prominence: regions.prominence(gate.id()),
            }
        }))
    })
}

/// Lists the gates around a zone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_zone_gates(
    index: *const TidegateIndex,
    zone: u32,
    gates: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("gates", gates, capacity, count) }?;
        let index = shared(index)?;
        let found = zone_of(parts(&index)?, zone)?;
        out.write(found.gates().iter().map(|gate| gate.index() as u32))
    })
}

/// Lists the zones that a gate touches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_gate_zones(
    index: *const TidegateIndex,
    gate: u32,
    zones: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("zones", zones, capacity, count) }?;
        let index = shared(index)?;
        let gate = gate_of(parts(&index)?, gate)?;
        out.write(gate.zones().iter().map(|zone: &ZoneId| zone.index() as u32))
    })
}

/// Lists the tiles that a gate owns: its line from end to end, then those of offcuts beside it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_gate_tiles(
    index: *const TidegateIndex,
    gate: u32,
    tiles: *mut TidegateTile,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("tiles", tiles, capacity, count) }?;
        let index = shared(index)?;
        let gate = gate_of(parts(&index)?, gate)?;
        out.write(gate.tiles().iter().map(|&cell| index.grid().tile(cell).into()))
    })
}

/// Lists the gates to pass from one tile to another, in order, as the crow flies from middle to
/// middle; none if both lie in one zone. Without a way the answer is `TIDEGATE_UNREACHABLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_route(
    index: *const TidegateIndex,
    from: TidegateTile,
    to: TidegateTile,
    gates: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("gates", gates, capacity, count) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        let (from, to) = (inside(&index, "from", from)?, inside(&index, "to", to)?);
        match Regions::new(index.grid(), parts).route(from, to) {
            Some(route) => out.write(route.iter().map(|gate: &GateId| gate.index() as u32)),
            None => {
                out.set_count(0);
                Ok(TIDEGATE_UNREACHABLE)
            }
        }
    })
}

/// A list of the caller's, and where its length is to go.
pub(crate) struct List<'a, T> {
    what: &'static str,
    values: Out<'a, T>,
    count: Out<'a, usize>,
}

impl<T: Copy> List<'_, T> {
    /// # Safety
    /// As for [`Out::array`].
    pub(crate) unsafe fn new(
        what: &'static str,
        values: *mut T,
        capacity: usize,
        count: *mut usize,
    ) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        let count = unsafe { Out::one("count", count) }?;
        // SAFETY: the caller's promise.
        let values = unsafe { Out::array(what, values, capacity) }?;
        Ok(List { what, values, count })
    }

    /// Tells the length.
    pub(crate) fn set_count(&self, count: usize) {
        self.count.set(count);
    }

    /// Whether so many values would fit, where the caller wants them.
    pub(crate) fn check(&self, needed: usize) -> Result<(), Failure> {
        self.values.check_room(self.what, needed)
    }

    /// Writes all values and their number, or their number and why not.
    pub(crate) fn write(
        &self,
        values: impl ExactSizeIterator<Item = T>,
    ) -> Result<TidegateStatus, Failure> {
        self.count.set(values.len());
        self.values.fill_if_wanted(self.what, values)?;
        Ok(TIDEGATE_OK)
    }
}
