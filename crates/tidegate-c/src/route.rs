//! What bots ask of zones and gates: choke points, routes, where to stand, loops.

use tidegate::Decomposition;
use tidegate::decompose::{GateId, ZoneId};
use tidegate::region::{Avoid, MOST_ROUTES, Regions, Route};

use crate::failure::{Failure, answer};
use crate::handle::{TidegateIndex, shared};
use crate::memory::{Out, array};
use crate::region::{List, gate_of, inside, parts, zone_of};
use crate::status::*;
use crate::tile::TidegateTile;

/// A gate and what it means to those who travel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateChokePoint {
    /// The number of the gate.
    pub gate: u32,
    /// Its traffic as a share of all pairs of tiles in different zones that have a way to each
    /// other, from 0 to 1.
    pub share: f64,
    /// The number of pairs of tiles in different zones with a shortest route over it.
    pub traffic: u64,
    /// How many tiles are cut off from the largest piece when it is closed; 0 if there is another
    /// way around.
    pub cut_off: u64,
}

/// Gates and zones that a route may not pass, by number. Where a route begins is excepted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateAvoid {
    /// The gates.
    pub gates: *const u32,
    /// How many.
    pub gate_count: usize,
    /// The zones.
    pub zones: *const u32,
    /// How many.
    pub zone_count: usize,
}

/// A way over zones and gates. Its gates stand in the array beside it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateRoute {
    /// Where its gates begin in the array.
    pub first_gate: usize,
    /// How many gates it passes.
    pub gate_count: usize,
    /// Its cost as the crow flies from the start over the middles of the gates to the goal.
    pub length: u32,
    /// What it lets through: the width of its narrowest gate in tiles; 0 if it passes none.
    pub width: u32,
}

/// A side of a gate: a zone, and its tile with the shortest way from the middle of the gate.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateSide {
    /// The number of the zone.
    pub zone: u32,
    /// The tile.
    pub tile: TidegateTile,
}

/// A gate whose closing separates zones.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateBridge {
    /// The number of the gate.
    pub gate: u32,
    /// How many tiles are cut off from the largest piece when it is closed.
    pub cut_off: u64,
}

/// Zones with a single gate out.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TidegateDeadEnd {
    /// The number of the gate.
    pub gate: u32,
    /// The number of the group of zones behind it: see `tidegate_zone_groups`.
    pub group: u32,
}

/// What `tidegate_zone_groups` writes for pockets and for numbers that are not in use.
pub const TIDEGATE_NO_GROUP: u32 = 0xffff_ffff;

/// # Safety
/// The caller's promise, as for [`array`].
unsafe fn avoided(parts: &Decomposition, avoid: *const TidegateAvoid) -> Result<Avoid, Failure> {
    if avoid.is_null() {
        return Ok(Avoid::new());
    }
    // SAFETY: the caller's promise.
    let avoid = unsafe { array("avoid", avoid, 1) }?[0];
    // SAFETY: the caller's promise.
    let gates = unsafe { array("avoid.gates", avoid.gates, avoid.gate_count) }?;
    // SAFETY: the caller's promise.
    let zones = unsafe { array("avoid.zones", avoid.zones, avoid.zone_count) }?;
    let gates = gates.iter().map(|&gate| Ok(gate_of(parts, gate)?.id()));
    let zones = zones.iter().map(|&zone| Ok(zone_of(parts, zone)?.id()));
    let gates = gates.collect::<Result<Vec<GateId>, Failure>>()?;
    let zones = zones.collect::<Result<Vec<ZoneId>, Failure>>()?;
    Ok(Avoid::new().with_gates(gates).with_zones(zones))
}

/// Writes routes and the gates of all of them, one after the other.
fn write_routes(
    found: &[Route],
    routes: &List<'_, TidegateRoute>,
    gates: &List<'_, u32>,
) -> Result<TidegateStatus, Failure> {
    let all: Vec<u32> =
        found.iter().flat_map(Route::gates).map(|gate| gate.index() as u32).collect();
    let mut first_gate = 0;
    let route = |route: &Route| {
        let gate_count = route.gates().len();
        first_gate += gate_count;
        TidegateRoute {
            first_gate: first_gate - gate_count,
            gate_count,
            length: route.length().get(),
            width: route.width().unwrap_or(0),
        }
    };
    let found: Vec<TidegateRoute> = found.iter().map(route).collect();
    // Both lengths first, so that a caller whose arrays are too small learns them in one call.
    routes.set_count(found.len());
    gates.set_count(all.len());
    gates.check(all.len())?;
    routes.write(found.into_iter())?;
    gates.write(all.into_iter())
}

/// Lists the `n` most important choke points, the one that most journeys pass first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_choke_points(
    index: *const TidegateIndex,
    n: usize,
    points: *mut TidegateChokePoint,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("points", points, capacity, count) }?;
        let index = shared(index)?;
        let regions = Regions::new(index.grid(), parts(&index)?);
        out.write(regions.choke_points(n).iter().map(|point| TidegateChokePoint {
            gate: point.gate().index() as u32,
            share: point.share(),
            traffic: point.traffic(),
            cut_off: point.cut_off(),
        }))
    })
}

/// Lists the `k` shortest different routes from one tile to another, shortest first, that avoid
/// what `avoid` says (null: nothing). Two routes are different if they differ in a zone or a gate.
/// There are fewer if no more exist; without any the answer is `TIDEGATE_UNREACHABLE`. `k` is at most
/// 1024.
///
/// `gates` gets the gates of all routes, one after the other. `count` and `gate_count` get the
/// lengths, also where a capacity is less: then nothing else is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_routes(
    index: *const TidegateIndex,
    from: TidegateTile,
    to: TidegateTile,
    k: usize,
    avoid: *const TidegateAvoid,
    routes: *mut TidegateRoute,
    capacity: usize,
    count: *mut usize,
    gates: *mut u32,
    gate_capacity: usize,
    gate_count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let routes = unsafe { List::new("routes", routes, capacity, count) }?;
        // SAFETY: the caller's promise.
        let gates = unsafe { List::new("gates", gates, gate_capacity, gate_count) }?;
        if k > MOST_ROUTES {
            let text = format!("k is {k}: at most {MOST_ROUTES} routes are listed");
            return Err(Failure::argument(text));
        }
        let index = shared(index)?;
        let parts = parts(&index)?;
        // SAFETY: the caller's promise.
        let avoid = unsafe { avoided(parts, avoid) }?;
        let (from, to) = (inside(&index, "from", from)?, inside(&index, "to", to)?);
        let found = Regions::new(index.grid(), parts).routes(from, to, k, &avoid);
        write_routes(&found, &routes, &gates)?;
        Ok(if found.is_empty() { TIDEGATE_UNREACHABLE } else { TIDEGATE_OK })
    })
}

/// Finds the route that lets the most through: that whose narrowest gate is widest, of equally
/// wide ones the shortest. `gates` gets its gates in order. Without a route that avoids what
/// `avoid` says (null: nothing) the answer is `TIDEGATE_UNREACHABLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_widest_route(
    index: *const TidegateIndex,
    from: TidegateTile,
    to: TidegateTile,
    avoid: *const TidegateAvoid,
    route: *mut TidegateRoute,
    gates: *mut u32,
    gate_capacity: usize,
    gate_count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("route", route) }?;
        // SAFETY: the caller's promise.
        let gates = unsafe { List::new("gates", gates, gate_capacity, gate_count) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        // SAFETY: the caller's promise.
        let avoid = unsafe { avoided(parts, avoid) }?;
        let (from, to) = (inside(&index, "from", from)?, inside(&index, "to", to)?);
        let Some(found) = Regions::new(index.grid(), parts).widest_route(from, to, &avoid) else {
            gates.set_count(0);
            return Ok(TIDEGATE_UNREACHABLE);
        };
        gates.write(found.gates().iter().map(|gate| gate.index() as u32))?;
        out.set(TidegateRoute {
            first_gate: 0,
            gate_count: found.gates().len(),
            length: found.length().get(),
            width: found.width().unwrap_or(0),
        });
        Ok(TIDEGATE_OK)
    })
}

/// Lists both sides of a gate: for every zone beside it its tile with the shortest way from the
/// middle of the gate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_gate_sides(
    index: *const TidegateIndex,
    gate: u32,
    sides: *mut TidegateSide,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("sides", sides, capacity, count) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        let found = Regions::new(index.grid(), parts).gate_sides(gate_of(parts, gate)?.id());
        out.write(
            found
                .into_iter()
                .map(|(zone, tile)| TidegateSide { zone: zone.index() as u32, tile: tile.into() }),
        )
    })
}

/// Finds the tile of a zone from which a gate is held by those who shoot `range` tiles far: it
/// sees every tile of the gate's line within range and is the farthest behind it. If there is
/// none, the answer is `TIDEGATE_UNREACHABLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_holding_tile(
    index: *const TidegateIndex,
    gate: u32,
    zone: u32,
    range: u16,
    tile: *mut TidegateTile,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { Out::one("tile", tile) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        let (gate, zone) = (gate_of(parts, gate)?.id(), zone_of(parts, zone)?.id());
        match Regions::new(index.grid(), parts).holding_tile(gate, zone, range) {
            Some(found) => {
                out.set(found.into());
                Ok(TIDEGATE_OK)
            }
            None => Ok(TIDEGATE_UNREACHABLE),
        }
    })
}

/// The way from a tile to the nearest tile of a gate's line: its exact cost, and where it ends.
/// Either may be null. Without a way the answer is `TIDEGATE_UNREACHABLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_distance_to_line(
    index: *const TidegateIndex,
    tile: TidegateTile,
    gate: u32,
    cost: *mut u32,
    end: *mut TidegateTile,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let (cost, end) = unsafe { (Out::optional("cost", cost)?, Out::optional("end", end)?) };
        let index = shared(index)?;
        let parts = parts(&index)?;
        let gate = gate_of(parts, gate)?.id();
        let tile = inside(&index, "tile", tile)?;
        match Regions::new(index.grid(), parts).distance_to_line(tile, gate) {
            Some((found, at)) => {
                cost.set(found.get());
                end.set(at.into());
                Ok(TIDEGATE_OK)
            }
            None => Ok(TIDEGATE_UNREACHABLE),
        }
    })
}

/// Lists the gates whose closing separates zones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_bridges(
    index: *const TidegateIndex,
    bridges: *mut TidegateBridge,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("bridges", bridges, capacity, count) }?;
        let index = shared(index)?;
        let regions = Regions::new(index.grid(), parts(&index)?);
        out.write(regions.loops().bridges().iter().map(|bridge| TidegateBridge {
            gate: bridge.gate().index() as u32,
            cut_off: bridge.cut_off(),
        }))
    })
}

/// Lists by number of zone the group it is in, or `TIDEGATE_NO_GROUP`. Within a group there is a
/// second way whichever gate is closed: a group of several zones is a loop or several that hang
/// together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_zone_groups(
    index: *const TidegateIndex,
    groups: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("groups", groups, capacity, count) }?;
        let index = shared(index)?;
        let parts = parts(&index)?;
        let regions = Regions::new(index.grid(), parts);
        let loops = regions.loops();
        out.write((0..parts.zones().len()).map(|zone| {
            let group = loops.group_of(ZoneId::from_index(zone));
            group.map_or(TIDEGATE_NO_GROUP, |group| group as u32)
        }))
    })
}

/// Lists the groups of zones that a single gate joins to the rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tidegate_dead_ends(
    index: *const TidegateIndex,
    ends: *mut TidegateDeadEnd,
    capacity: usize,
    count: *mut usize,
) -> TidegateStatus {
    answer(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { List::new("ends", ends, capacity, count) }?;
        let index = shared(index)?;
        let regions = Regions::new(index.grid(), parts(&index)?);
        out.write(regions.loops().dead_ends().iter().map(|end| TidegateDeadEnd {
            gate: end.gate().index() as u32,
            group: end.group() as u32,
        }))
    })
}
