//! Distances from a few far-apart tiles to every tile: what the differential estimate reads.
//!
//! The table keeps one property, and it alone makes every estimate sound: along a legal
//! step no entry changes by more than the step costs. It is checked whenever a table is
//! loaded.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::artifact::{Reader, WireError, Writer};
use crate::cost::{Cost, INFINITY};
use crate::grid::component::Components;
use crate::grid::{CellId, Direction, Grid, Tile};
use crate::index::{Edit, Index, Refused, Table, TableOptions, TableState};
use crate::search::{Blind, BucketQueue, End, GridSpace, SearchScratch, search};

/// True distances between every tile and the landmarks of its component. Every
/// component has its own landmarks, as many as any other (a small one repeats tiles).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landmarks {
    pub(super) count: usize,
    /// By tile, then landmark; [`INFINITY`] on walls.
    pub(super) distances: Vec<Cost>,
}

/// How many landmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LandmarkOptions {
    /// At least 1, at most [`Landmarks::MOST`].
    pub count: usize,
}

impl Default for LandmarkOptions {
    fn default() -> LandmarkOptions {
        LandmarkOptions { count: 4 }
    }
}

impl TableOptions for LandmarkOptions {
    fn write(&self, out: &mut Writer) {
        out.u32(self.count.clamp(1, Landmarks::MOST) as u32);
    }

    fn read(from: &mut Reader<'_>) -> Result<LandmarkOptions, WireError> {
        match from.u32("number of landmarks")? as usize {
            count @ 1..=Landmarks::MOST => Ok(LandmarkOptions { count }),
            _ => Err(WireError::meaning("too few or too many landmarks")),
        }
    }
}

impl Landmarks {
    /// The most landmarks: beyond it the estimate costs more than it saves.
    pub const MOST: usize = 64;

    /// Picks landmarks one after the other, each as far as can be from those before it
    /// (ties: the first tile in row order), and floods the map from each.
    pub fn build(grid: &Grid, components: &Components, count: usize) -> Result<Landmarks, Refused> {
        let count = count.clamp(1, Landmarks::MOST);
        let mut far_apart = FarApart::new(grid, components)?;
        let mut distances = vec![INFINITY; grid.tiles() * count];
        for k in 0..count {
            far_apart.next(|cell, cost| distances[cell.index() * count + k] = cost)?;
        }
        Ok(Landmarks { count, distances })
    }

    /// These landmarks, if any, and more at these places, each of which has a tile in every
    /// component.
    pub(crate) fn more(
        before: Option<Landmarks>,
        grid: &Grid,
        places: &[Vec<CellId>],
    ) -> Result<Landmarks, Refused> {
        let known = before.as_ref().map_or(0, Landmarks::count);
        let count = known + places.len();
        let mut distances = vec![INFINITY; grid.tiles() * count];
        if let Some(before) = before {
            let both = distances.chunks_exact_mut(count).zip(before.distances.chunks_exact(known));
            both.for_each(|(row, before)| row[..known].copy_from_slice(before));
        }
        let mut flood = Flood { grid, scratch: SearchScratch::new() };
        for (k, place) in (known..).zip(places) {
            flood.run(place.iter().copied(), |cell, cost| {
                distances[cell.index() * count + k] = cost;
            })?;
        }
        Ok(Landmarks { count, distances })
    }

    /// Chooses places for at most so many landmarks, the most useful first: of `candidates`
    /// that are far apart always the one that adds most to the estimates between these pairs
    /// of tiles; none that adds nothing. Any first few of them are the choice for that many.
    pub(crate) fn choose(
        grid: &Grid,
        components: &Components,
        pairs: &[(CellId, CellId)],
        candidates: usize,
        most: usize,
    ) -> Result<Vec<Vec<CellId>>, Refused> {
        let mut far_apart = FarApart::new(grid, components)?;
        let mut offered = Vec::with_capacity(candidates);
        for _ in 0..candidates {
            let place = far_apart.next(|_, _| ())?;
            let from_here = |cell: CellId| {
                far_apart.flood.scratch.cost(cell.index() as u32).unwrap_or(Cost::ZERO)
            };
            let estimate = |&(a, b): &(CellId, CellId)| from_here(a).abs_diff(from_here(b));
            offered.push((place, pairs.iter().map(estimate).collect::<Vec<Cost>>()));
        }
        let octile = |&(a, b)| grid.movement().estimate(grid.tile(a), grid.tile(b));
        let mut known: Vec<Cost> = pairs.iter().map(octile).collect();
        let mut chosen = Vec::with_capacity(most);
        while chosen.len() < most {
            let adds = |estimates: &[Cost]| -> u64 {
                let both = known.iter().zip(estimates);
                both.map(|(&known, &new)| u64::from(new.max(known) - known)).sum()
            };
            let adds = offered.iter().map(|(_, estimates)| adds(estimates));
            let best = adds.enumerate().max_by_key(|&(n, adds)| (adds, Reverse(n)));
            let Some((n, 1..)) = best else { break };
            let (place, estimates) = offered.remove(n);
            known.iter_mut().zip(estimates).for_each(|(known, new)| *known = new.max(*known));
            chosen.push(place);
        }
        Ok(chosen)
    }

    /// How many landmarks each component has.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The distances from a tile to its landmarks.
    #[inline]
    pub fn of(&self, cell: CellId) -> &[Cost] {
        &self.distances[cell.index() * self.count..][..self.count]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.distances.len() * size_of::<Cost>()
    }

    fn check(&self, grid: &Grid) -> Result<(), WireError> {
        use Direction::{E, S, SE, SW};
        for cell in grid.free_cells() {
            let here = self.of(cell);
            if here.iter().any(|&d| d >= INFINITY) {
                return Err(WireError::meaning(format!("no distance at {}", grid.tile(cell))));
            }
            for direction in [E, S, SE, SW] {
                if grid.moves(cell) & direction.mask() == 0 {
                    continue;
                }
                let next = grid.step(cell, direction);
                let step = grid.step_cost(cell, next, direction);
                if here.iter().zip(self.of(next)).any(|(a, b)| a.abs_diff(*b) > step) {
                    let why = format!("a distance leaps at {}", grid.tile(cell));
                    return Err(WireError::Meaning(why));
                }
            }
        }
        Ok(())
    }
}

struct Flood<'g> {
    grid: &'g Grid,
    scratch: SearchScratch<Cost, BucketQueue>,
}

impl Flood<'_> {
    fn run(
        &mut self,
        sources: impl Iterator<Item = CellId>,
        mut visit: impl FnMut(CellId, Cost),
    ) -> Result<(), Refused> {
        let sources: Vec<(u32, Cost)> =
            sources.map(|cell| (cell.index() as u32, Cost::ZERO)).collect();
        let space = GridSpace::new(self.grid);
        let (end, _) = search(&space, &sources, |_| false, &mut Blind, &mut self.scratch, &mut ());
        if end == End::TooFar {
            let why = "its ways are longer than 32-bit costs can count".to_owned();
            return Err(Refused(why));
        }
        for cell in self.grid.free_cells() {
            if let Some(cost) = self.scratch.cost(cell.index() as u32) {
                visit(cell, cost);
            }
        }
        Ok(())
    }
}

/// Floods from places one after the other, each as far as can be from those before it. A
/// place is a tile in every component.
struct FarApart<'g> {
    components: &'g Components,
    flood: Flood<'g>,
    /// By tile: how far the nearest place is.
    nearest: Vec<Cost>,
    place: Vec<CellId>,
}

impl<'g> FarApart<'g> {
    /// The first place: the tiles farthest from the first tile of each component.
    fn new(grid: &'g Grid, components: &'g Components) -> Result<FarApart<'g>, Refused> {
        let mut flood = Flood { grid, scratch: SearchScratch::new() };
        let mut first = vec![None; components.sizes().len()];
        for cell in grid.free_cells() {
            if let Some(number) = components.number(cell) {
                first[number as usize].get_or_insert(cell);
            }
        }
        let mut nearest = vec![INFINITY; grid.tiles()];
        flood.run(first.iter().flatten().copied(), |cell, cost| nearest[cell.index()] = cost)?;
        let place = farthest(grid, components, &nearest);
        nearest.fill(INFINITY);
        Ok(FarApart { components, flood, nearest, place })
    }

    /// Floods from the next place, which is returned.
    fn next(&mut self, mut visit: impl FnMut(CellId, Cost)) -> Result<Vec<CellId>, Refused> {
        let FarApart { components, flood, nearest, place } = self;
        flood.run(place.iter().copied(), |cell, cost| {
            visit(cell, cost);
            let near = &mut nearest[cell.index()];
            *near = cost.min(*near);
        })?;
        let next = farthest(flood.grid, components, nearest);
        Ok(std::mem::replace(place, next))
    }
}

/// In each component the tile with the largest value.
fn farthest(grid: &Grid, components: &Components, values: &[Cost]) -> Vec<CellId> {
    let mut best: Vec<Option<CellId>> = vec![None; components.sizes().len()];
    for cell in grid.free_cells() {
        let Some(number) = components.number(cell) else { continue };
        let best = &mut best[number as usize];
        if best.is_none_or(|b| values[cell.index()] > values[b.index()]) {
            *best = Some(cell);
        }
    }
    best.into_iter().flatten().collect()
}

impl Table for Landmarks {
    type Options = LandmarkOptions;
    const NAME: &'static str = "landmarks";
    const TAG: [u8; 4] = *b"mark";

    fn build(index: &Index, options: &LandmarkOptions) -> Result<Self, Refused> {
        Landmarks::build(index.grid(), index.components(), options.count)
    }

    fn repair(table: &mut Arc<Self>, index: &Index, edit: &mut Edit) -> TableState {
        let grid = index.grid();
        let eased: Vec<Tile> = edit.opened().iter().chain(edit.cheaper()).copied().collect();
        if eased.is_empty() || Arc::make_mut(table).lower(grid, edit.opened(), &eased) {
            TableState::Bounds
        } else {
            TableState::Stale
        }
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn write(&self, out: &mut Writer) {
        out.u32(self.count as u32);
        out.costs(&self.distances);
    }

    fn read(from: &mut Reader<'_>, index: &Index, _: &LandmarkOptions) -> Result<Self, WireError> {
        let grid = index.grid();
        let count = from.u32("landmarks")? as usize;
        if !(1..=Landmarks::MOST).contains(&count) {
            return Err(WireError::meaning(format!("{count} landmarks")));
        }
        let distances = from.cost_table(grid.tiles(), count, "distances")?;
        let landmarks = Landmarks { count, distances };
        landmarks.check(grid)?;
        Ok(landmarks)
    }
}
