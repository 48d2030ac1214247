//! True distances from every tile to the gates of its own zone, and between gates: what
//! the consistent gateway estimate reads.
//!
//! Distances inside a zone are those of ways that stay inside it. The distances between
//! gates are closed: none is more than the sum over a third gate. With both, no step
//! can change the estimate by more than it costs, so no tile is ever expanded twice.
//! All that this needs is checked again whenever a table is loaded.

use std::ops::ControlFlow;

use super::gate_distances::{
    MOST_GATES, check_count, check_entries, check_map, read_square, too_far,
};
use crate::artifact::{Reader, WireError, Writer};
use crate::cost::{Cost, INFINITY};
use crate::decompose::{Decomposition, Place, Zone};
use crate::grid::{CellId, Direction, Grid};
use crate::index::Refused;
use crate::search::{Blind, BucketQueue, Each, End, NO_PARENT, SearchScratch, Space, search};
use crate::threads;

/// The most entries of the table by tile: 1 GiB.
const MOST_ENTRIES: u64 = 1 << 28;

/// The tables, and the decomposition they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneDistances {
    decomposition: Decomposition,
    slots: Slots,
    /// By zone.
    inside: Vec<Inside>,
    /// By gate and gate.
    between: Vec<Cost>,
}

/// The distances of one zone.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Inside {
    gates: usize,
    /// By tile, then by gate of the zone: an estimate reads one piece.
    distances: Vec<Cost>,
}

/// Where a tile stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Wall,
    Gate(u32),
    /// The zone, and the tile's number within it in row order.
    Zone(u32, u32),
}

/// The slot of every tile in one number each: a gate, or a zone and a rank. One look
/// per estimate instead of two; four bytes where the numbers are small enough.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Slots {
    Narrow(Vec<u32>, u32),
    Wide(Vec<u64>),
}

impl Slots {
    const GATE: u32 = 1 << 31;
    const WALL: u32 = u32::MAX;

    fn of(decomposition: &Decomposition, grid: &Grid) -> Slots {
        let largest = decomposition.zones().iter().map(Zone::area).max().unwrap_or(0);
        let rank_bits = u32::BITS - largest.leading_zeros();
        let mut next = vec![0_u32; decomposition.zones().len()];
        let mut slot = |cell: CellId| match decomposition.place(cell) {
            Place::Wall => Slot::Wall,
            Place::Gate(gate) => Slot::Gate(gate.index() as u32),
            Place::Zone(zone) => {
                let rank = next[zone.index()];
                next[zone.index()] += 1;
                Slot::Zone(zone.index() as u32, rank)
            }
        };
        let cells = (0..grid.tiles()).map(CellId::from_index);
        if (decomposition.zones().len() as u64) << rank_bits <= u64::from(Slots::GATE) {
            let pack = |slot| match slot {
                Slot::Wall => Slots::WALL,
                Slot::Gate(gate) => Slots::GATE | gate,
                Slot::Zone(zone, rank) => zone << rank_bits | rank,
            };
            Slots::Narrow(cells.map(|cell| pack(slot(cell))).collect(), rank_bits)
        } else {
            let pack = |slot| match slot {
                Slot::Wall => u64::MAX,
                Slot::Gate(gate) => 1 << 63 | u64::from(gate),
                Slot::Zone(zone, rank) => u64::from(zone) << 32 | u64::from(rank),
            };
            Slots::Wide(cells.map(|cell| pack(slot(cell))).collect())
        }
    }

    #[inline]
    fn get(&self, index: usize) -> Slot {
        match self {
            Slots::Narrow(slots, rank_bits) => match slots[index] {
                Slots::WALL => Slot::Wall,
                slot if slot >= Slots::GATE => Slot::Gate(slot ^ Slots::GATE),
                slot => Slot::Zone(slot >> rank_bits, slot & ((1 << rank_bits) - 1)),
            },
            Slots::Wide(slots) => match slots[index] {
                u64::MAX => Slot::Wall,
                slot if slot >> 63 == 1 => Slot::Gate(slot as u32),
                slot => Slot::Zone((slot >> 32) as u32, slot as u32),
            },
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Slots::Narrow(slots, _) => slots.len() * 4,
            Slots::Wide(slots) => slots.len() * 8,
        }
    }
}

impl ZoneDistances {
    /// Floods every zone from each of its gates, and closes the distances between gates.
    pub fn build(grid: &Grid, decomposition: Decomposition) -> Result<ZoneDistances, Refused> {
        ZoneDistances::check_size(grid, &decomposition)?;
        let gates = decomposition.gates().len();
        let slots = Slots::of(&decomposition, grid);
        let inside = for_each_zone(decomposition.zones(), |zone, scratch| {
            flood_zone(grid, &decomposition, &slots, zone, scratch)
        });
        let inside: Option<Vec<Inside>> = inside.into_iter().collect();
        let inside = inside.ok_or_else(too_far)?;
        let between = Vec::new();
        let mut made = ZoneDistances { decomposition, slots, inside, between };
        made.between = closure(&made.steps(grid), gates).ok_or_else(too_far)?;
        Ok(made)
    }

    /// Refuses decompositions of other maps and those whose tables would be too large.
    pub(super) fn check_size(grid: &Grid, decomposition: &Decomposition) -> Result<(), Refused> {
        check_map(grid, decomposition)?;
        check_count(decomposition.gates().len(), MOST_GATES)?;
        check_entries(ZoneDistances::entries(decomposition), MOST_ENTRIES)
    }

    /// The decomposition of these tables.
    pub fn decomposition(&self) -> &Decomposition {
        &self.decomposition
    }

    /// The decomposition, without the tables.
    pub(super) fn into_decomposition(self) -> Decomposition {
        self.decomposition
    }

    /// Where a tile stands.
    #[inline]
    pub(crate) fn slot(&self, cell: CellId) -> Slot {
        self.slots.get(cell.index())
    }

    /// The number of a tile within its zone.
    fn rank(&self, cell: CellId) -> u32 {
        if let Slot::Zone(_, rank) = self.slot(cell) { rank } else { 0 }
    }

    /// The distances inside a zone from the tile of this rank to the zone's gates, in
    /// their order.
    #[inline]
    pub(crate) fn row(&self, zone: usize, rank: u32) -> &[Cost] {
        let Inside { gates, distances } = &self.inside[zone];
        &distances[rank as usize * gates..][..*gates]
    }

    /// The same for a tile of the zone.
    fn to_gates(&self, cell: CellId, zone: usize) -> &[Cost] {
        self.row(zone, self.rank(cell))
    }

    /// The distances from one gate to all.
    #[inline]
    pub(crate) fn distances_from(&self, gate: usize) -> &[Cost] {
        let gates = self.decomposition.gates().len();
        &self.between[gate * gates..][..gates]
    }

    /// How many distances inside zones the tables of a decomposition have.
    pub(crate) fn entries(decomposition: &Decomposition) -> u64 {
        let of_zone = |zone: &Zone| zone.gates().len() as u64 * u64::from(zone.area());
        decomposition.zones().iter().map(of_zone).sum()
    }

    /// Bytes held, the places of the tiles included.
    pub fn bytes(&self) -> usize {
        let inside = self.inside.iter().map(|zone| zone.distances.len()).sum::<usize>();
        let places = self.decomposition.width() as usize * self.decomposition.height() as usize;
        (inside + self.between.len()) * size_of::<Cost>()
            + self.inside.len() * size_of::<Inside>()
            + self.slots.bytes()
            + places * self.decomposition.place_bytes()
    }

    pub(super) fn write(&self, out: &mut Writer) {
        self.decomposition.write_lines(out);
        out.u64(ZoneDistances::entries(&self.decomposition));
        // In the file they stand by gate and then by tile.
        for Inside { gates, distances } in &self.inside {
            for gate in 0..*gates {
                let column = distances.iter().skip(gate).step_by(*gates);
                out.raw_u32s(&column.map(|cost| cost.get()).collect::<Vec<u32>>());
            }
        }
        out.costs(&self.between);
    }

    pub(super) fn read(from: &mut Reader<'_>, grid: &Grid) -> Result<ZoneDistances, WireError> {
        let decomposition = Decomposition::read_lines(from, grid)?;
        let entries = ZoneDistances::entries(&decomposition);
        if entries > MOST_ENTRIES {
            return Err(WireError::meaning("too many entries"));
        }
        let what = "distances inside zones";
        if from.count(4, what)? as u64 != entries {
            return Err(WireError::meaning(format!("{what}: not {entries} values")));
        }
        let inside = |zone: &Zone| {
            let (tiles, gates) = (zone.area() as usize, zone.gates().len());
            let bytes = from.raw(tiles * gates * 4, what)?;
            let mut distances = vec![Cost::ZERO; tiles * gates];
            for (n, b) in bytes.chunks_exact(4).enumerate() {
                let cost = Cost::new(u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
                distances[n % tiles * gates + n / tiles] = cost;
            }
            Ok(Inside { gates, distances })
        };
        let inside = decomposition.zones().iter().map(inside).collect::<Result<_, WireError>>()?;
        let between = read_square(from, decomposition.gates().len())?;
        let slots = Slots::of(&decomposition, grid);
        let made = ZoneDistances { decomposition, slots, inside, between };
        made.check(grid)?;
        Ok(made)
    }

    /// The costs from gate to gate through a single zone or by a single step.
    fn steps(&self, grid: &Grid) -> Vec<Vec<(u32, Cost)>> {
        let zones = self.decomposition.zones();
        let list = |gate: &crate::decompose::Gate| {
            let mut costs: Vec<(u32, Cost)> = Vec::new();
            for &tile in gate.tiles() {
                for (next, direction) in grid.neighbours(tile) {
                    let step = grid.step_cost(tile, next, direction);
                    match self.decomposition.place(next) {
                        Place::Gate(other) => costs.push((other.index() as u32, step)),
                        Place::Zone(zone) => {
                            let gates = zones[zone.index()].gates().iter();
                            let over = gates.zip(self.to_gates(next, zone.index()));
                            costs.extend(over.map(|(g, d)| (g.index() as u32, step + *d)));
                        }
                        Place::Wall => {}
                    }
                }
            }
            costs.sort_unstable();
            costs.dedup_by_key(|&mut (gate, _)| gate);
            costs.retain(|&(other, _)| other != gate.id().index() as u32);
            costs
        };
        self.decomposition.gates().iter().map(list).collect()
    }

    /// Everything that makes the estimate consistent, and so sound.
    fn check(&self, grid: &Grid) -> Result<(), WireError> {
        use Direction::{E, S, SE, SW};
        let wrong = |cell: CellId, what: &str| {
            Err(WireError::Meaning(format!("{what} at {}", grid.tile(cell))))
        };
        let zones = self.decomposition.zones();
        for cell in grid.free_cells() {
            let Place::Zone(zone) = self.decomposition.place(cell) else { continue };
            let here = self.to_gates(cell, zone.index());
            if here.iter().any(|&d| d >= INFINITY) {
                return wrong(cell, "no distance to a gate");
            }
            for direction in [E, S, SE, SW] {
                if grid.moves(cell) & direction.mask() == 0 {
                    continue;
                }
                let next = grid.step(cell, direction);
                if self.decomposition.place(next) != Place::Zone(zone) {
                    continue;
                }
                let step = grid.step_cost(cell, next, direction);
                let mut both = here.iter().zip(self.to_gates(next, zone.index()));
                if both.any(|(a, b)| a.abs_diff(*b) > step) {
                    return wrong(cell, "a distance to a gate leaps");
                }
            }
        }
        for gate in self.decomposition.gates() {
            for &tile in gate.tiles() {
                for (next, direction) in grid.neighbours(tile) {
                    let Place::Zone(zone) = self.decomposition.place(next) else { continue };
                    let gates = zones[zone.index()].gates();
                    let Ok(k) = gates.binary_search(&gate.id()) else {
                        return wrong(next, "a gate is not listed");
                    };
                    let step = grid.step_cost(tile, next, direction);
                    if self.to_gates(next, zone.index())[k] > step {
                        return wrong(next, "a gate seems farther than a step");
                    }
                }
            }
        }
        for (i, steps) in self.steps(grid).iter().enumerate() {
            let row = self.distances_from(i);
            for &(j, step) in steps {
                let over = self.distances_from(j as usize);
                if row.iter().zip(over).any(|(a, b)| *a > step.saturating_add(*b)) {
                    let why = format!("gate {i} seems farther than over gate {j}");
                    return Err(WireError::Meaning(why));
                }
            }
        }
        Ok(())
    }
}

/// The tiles of one zone.
struct ZoneSpace<'a> {
    grid: &'a Grid,
    decomposition: &'a Decomposition,
    zone: Place,
}

impl Space for ZoneSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.grid.tiles()
    }

    #[inline]
    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        let cell = CellId::from_index(node as usize);
        for (next, direction) in self.grid.neighbours(cell) {
            if self.decomposition.place(next) == self.zone {
                visit(next.index() as u32, self.grid.step_cost(cell, next, direction));
            }
        }
    }
}

/// The gates, joined by the costs through single zones.
struct GateSpace<'a>(&'a [Vec<(u32, Cost)>]);

impl Space for GateSpace<'_> {
    type Weight = Cost;

    fn nodes(&self) -> usize {
        self.0.len()
    }

    fn successors(&self, node: u32, _: u32, mut visit: impl FnMut(u32, Cost)) {
        self.0[node as usize].iter().for_each(|&(next, cost)| visit(next, cost));
    }
}

/// The distances from every tile of a zone to each of its gates; `None` if too far.
fn flood_zone(
    grid: &Grid,
    decomposition: &Decomposition,
    slots: &Slots,
    zone: &Zone,
    scratch: &mut SearchScratch<Cost, BucketQueue>,
) -> Option<Inside> {
    let space = ZoneSpace { grid, decomposition, zone: Place::Zone(zone.id()) };
    let gates = zone.gates().len();
    let mut distances = vec![INFINITY; zone.area() as usize * gates];
    for (k, gate) in zone.gates().iter().enumerate() {
        let mut sources = Vec::new();
        for &tile in decomposition.gates()[gate.index()].tiles() {
            space.successors(tile.index() as u32, NO_PARENT, |next, cost| {
                sources.push((next, cost))
            });
        }
        let mut each = Each(|node: u32, g| {
            if let Slot::Zone(_, rank) = slots.get(node as usize) {
                distances[rank as usize * gates + k] = g;
            }
            ControlFlow::Continue(())
        });
        let (end, _) = search(&space, &sources, |_| false, &mut Blind, scratch, &mut each);
        if end == End::TooFar {
            return None;
        }
    }
    Some(Inside { gates, distances })
}

/// Runs `one` for every zone, each thread with a scratch of its own; results in order.
pub(super) fn for_each_zone<T: Send>(
    zones: &[Zone],
    one: impl Fn(&Zone, &mut SearchScratch<Cost, BucketQueue>) -> T + Sync + Send,
) -> Vec<T> {
    let tiles: usize = zones.iter().map(|zone| zone.area() as usize).sum();
    threads::map(zones.len(), tiles, SearchScratch::new, |scratch, n| one(&zones[n], scratch))
}

/// Shortest ways over gates between all pairs of gates; `None` if too far.
fn closure(steps: &[Vec<(u32, Cost)>], gates: usize) -> Option<Vec<Cost>> {
    let mut scratch = SearchScratch::<Cost, BucketQueue>::new();
    let mut between = vec![INFINITY; gates * gates];
    for i in 0..gates {
        let row = &mut between[i * gates..][..gates];
        let mut each = Each(|node: u32, g| {
            row[node as usize] = g;
            ControlFlow::Continue(())
        });
        let sources = [(i as u32, Cost::ZERO)];
        let space = GateSpace(steps);
        let (end, _) = search(&space, &sources, |_| false, &mut Blind, &mut scratch, &mut each);
        if end == End::TooFar {
            return None;
        }
    }
    Some(between)
}
