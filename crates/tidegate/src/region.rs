//! The region graph and what bots ask it: zones, gates, and the ways between them.
//!
//! [`Regions`] answers the questions of map analysers for strategy games: the zone of a
//! tile, its area, centre, outline and deepest point, the altitude of a tile, the gates
//! around and between, the nearest gate, whether there is a way at all; the choke points that
//! matter most, several routes, the widest one, loops and dead ends, where to stand, ramps. It only reads a
//! map and its decomposition, and holds what is worth computing once, from when it is first
//! asked for: a new one costs nothing, so it can be made again after every change of the map.
//! Which zone, which gates and what lies beyond them follow from the decomposition alone;
//! altitudes, the shapes of zones and connections take one pass over the map each.

mod choke;
mod height;
mod loops;
mod outline;
mod prominence;
mod route;
mod routes;
mod stand;

pub use choke::ChokePoint;
pub use height::{Heights, HeightsError, Ramp};
pub use loops::{Bridge, DeadEnd, Loops};
pub use outline::borders;
pub use route::{Avoid, Route};
pub use routes::MOST_ROUTES;

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::cost::Cost;
use crate::decompose::{Decomposition, Gate, GateId, Place, Zone, ZoneId};
use crate::depth;
use crate::grid::component::Components;
use crate::grid::{CellId, Grid, Tile};
use crate::search::{Blind, End, GridSpace, HeapQueue, SearchScratch, search};

/// What is known of a zone besides its area and gates.
#[derive(Clone, Debug, PartialEq)]
struct Facts {
    centroid: (f64, f64),
    deepest: Tile,
    /// Left, top, right, bottom, all included.
    bounds: [u16; 4],
}

/// The region graph of a map. See the [module](self).
///
/// ```
/// use tidegate::decompose::{Decomposition, WaterOptions};
/// use tidegate::region::Regions;
/// use tidegate::{Grid, Tile};
/// let mut rows = vec![".........#.........".to_string(); 9];
/// rows[4] = "...................".to_string();
/// let grid = Grid::from_rows(&rows).unwrap();
/// let parts = Decomposition::water(&grid, &WaterOptions::default());
/// let regions = Regions::new(&grid, &parts);
/// let (here, there) = (Tile::new(1, 1), Tile::new(17, 7));
/// let gate = regions.nearest_gate(here).unwrap();
/// assert_eq!(regions.gate(gate).width(), 1);
/// assert_eq!(regions.route(here, there).unwrap(), [gate]);
/// assert_ne!(regions.zone_of(here), regions.zone_of(there));
/// ```
#[derive(Clone, Debug)]
pub struct Regions<'a> {
    grid: &'a Grid,
    parts: &'a Decomposition,
    altitudes: OnceLock<Vec<u16>>,
    facts: OnceLock<Vec<Facts>>,
    components: OnceLock<Components>,
    loops: OnceLock<Loops>,
    choke_points: OnceLock<Vec<ChokePoint>>,
    breadths: OnceLock<Vec<f64>>,
    scratch: Scratches,
}

type TileScratch = SearchScratch<Cost, HeapQueue<Cost>>;

/// The memory of searches over tiles, kept for the next: as many as were used at one time.
#[derive(Debug, Default)]
struct Scratches(Mutex<Vec<TileScratch>>);

impl Scratches {
    fn with<T>(&self, work: impl FnOnce(&mut TileScratch) -> T) -> T {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = kept().pop().unwrap_or_default();
        let answer = work(&mut scratch);
        kept().push(scratch);
        answer
    }
}

impl Clone for Scratches {
    /// A clone begins with none.
    fn clone(&self) -> Scratches {
        Scratches::default()
    }
}

impl<'a> Regions<'a> {
    /// The region graph of a decomposition of this grid.
    ///
    /// # Panics
    /// If the decomposition is for a map of another size.
    pub fn new(grid: &'a Grid, parts: &'a Decomposition) -> Regions<'a> {
        let of = (parts.width(), parts.height());
        assert_eq!(of, (grid.width(), grid.height()), "a decomposition of this map");
        Regions {
            grid,
            parts,
            altitudes: OnceLock::new(),
            facts: OnceLock::new(),
            components: OnceLock::new(),
            loops: OnceLock::new(),
            choke_points: OnceLock::new(),
            breadths: OnceLock::new(),
            scratch: Scratches::default(),
        }
    }

    /// By tile: the distance index of the nearest wall.
    fn altitudes(&self) -> &[u16] {
        self.altitudes.get_or_init(|| depth::nearest_walls(self.grid))
    }

    fn facts(&self, zone: ZoneId) -> &Facts {
        let all = self.facts.get_or_init(|| facts(self.grid, self.parts, self.altitudes()));
        &all[zone.index()]
    }

    /// The decomposition it is about.
    pub fn decomposition(&self) -> &'a Decomposition {
        self.parts
    }

    /// What a tile belongs to; outside the map is wall.
    pub fn place(&self, tile: Tile) -> Place {
        self.grid.cell(tile).map_or(Place::Wall, |cell| self.parts.place(cell))
    }

    /// The zone that a tile lies in; `None` on gates and walls.
    pub fn zone_of(&self, tile: Tile) -> Option<ZoneId> {
        match self.place(tile) {
            Place::Zone(zone) => Some(zone),
            _ => None,
        }
    }

    /// The zone of a tile, or the nearest one: from a gate by legal steps, from a wall as
    /// the crow flies. `None` only where no zone can be found at all.
    pub fn nearest_zone(&self, tile: Tile) -> Option<ZoneId> {
        match self.place(tile) {
            Place::Zone(zone) => Some(zone),
            Place::Gate(_) => self.nearest_by_steps(tile, |place| matches!(place, Place::Zone(_))),
            Place::Wall => self.nearest_by_air(tile),
        }
        .or_else(|| self.nearest_by_air(tile))
    }

    /// A zone, by number.
    pub fn zone(&self, zone: ZoneId) -> &'a Zone {
        &self.parts.zones()[zone.index()]
    }

    /// A gate, by number: its ends, middle, width, tiles, the zones on its sides and the
    /// gates that touch it.
    pub fn gate(&self, gate: GateId) -> &'a Gate {
        &self.parts.gates()[gate.index()]
    }

    /// The mean column and row of a zone's tiles, in hundredths of a tile. It may lie
    /// outside a zone that is bent.
    pub fn centroid(&self, zone: ZoneId) -> (f64, f64) {
        self.facts(zone).centroid
    }

    /// The tile of a zone that is farthest from any wall; the first in row order.
    pub fn deepest(&self, zone: ZoneId) -> Tile {
        self.facts(zone).deepest
    }

    /// Left, top, right and bottom of a zone; all four are part of it.
    pub fn bounds(&self, zone: ZoneId) -> [u16; 4] {
        self.facts(zone).bounds
    }

    /// The outer border of a zone as a polygon over the corners of tiles, clockwise from
    /// the top left corner of its first tile, only the turns.
    pub fn outline(&self, zone: ZoneId) -> Vec<(u16, u16)> {
        let place = Place::Zone(zone);
        let first = self.grid.tile(self.zone(zone).first());
        outline::trace(
            (first.x.into(), first.y.into()),
            |x, y| {
                let inside = x >= 0 && y >= 0 && x < self.grid.width() as i32;
                inside && self.place(Tile::new(x as u16, y.min(65_535) as u16)) == place
            },
            |_, _| {},
        )
    }

    /// How far a tile is from the nearest wall, in tiles; 0 on walls.
    pub fn altitude(&self, tile: Tile) -> f64 {
        let cell = self.grid.cell(tile);
        cell.map_or(0.0, |cell| f64::from(self.altitudes()[cell.index()]) / 5.0)
    }

    /// The zones that one gate joins to this one, each once, with the gate: the edges of
    /// the multigraph at a zone.
    pub fn neighbours(&self, zone: ZoneId) -> Vec<(GateId, ZoneId)> {
        let gates = self.zone(zone).gates().iter();
        let beyond = gates.flat_map(|&gate| {
            self.gate(gate).zones().iter().filter(move |&&z| z != zone).map(move |&z| (gate, z))
        });
        beyond.collect()
    }

    /// The gate with the shortest way from a tile; `None` if no gate can be reached.
    pub fn nearest_gate(&self, tile: Tile) -> Option<GateId> {
        if let Place::Gate(gate) = self.place(tile) {
            return Some(gate);
        }
        let zone = self.zone_of(tile)?;
        if self.zone(zone).gates().is_empty() {
            return None;
        }
        let end = self.flood(tile, |place| matches!(place, Place::Gate(_)))?;
        match self.parts.place(end) {
            Place::Gate(gate) => Some(gate),
            _ => None,
        }
    }

    /// Whether a way leads from one tile to another.
    pub fn connected(&self, a: Tile, b: Tile) -> bool {
        let cells = self.grid.cell(a).zip(self.grid.cell(b));
        let components = || self.components.get_or_init(|| Components::of(self.grid));
        cells.is_some_and(|(a, b)| components().connected(a, b))
    }

    /// The gates that a sequence of tiles passes, in order.
    pub fn gates_on(&self, tiles: &[Tile]) -> Vec<GateId> {
        let mut gates: Vec<GateId> = Vec::new();
        for &tile in tiles {
            if let Place::Gate(gate) = self.place(tile) {
                gates.push(gate);
            }
        }
        gates.dedup();
        gates
    }

    fn nearest_by_steps(&self, tile: Tile, accept: impl Fn(Place) -> bool) -> Option<ZoneId> {
        let end = self.flood(tile, accept)?;
        self.zone_of(self.grid.tile(end))
    }

    /// The nearest tile whose place is accepted, by legal steps.
    fn flood(&self, tile: Tile, accept: impl Fn(Place) -> bool) -> Option<CellId> {
        let start = self.grid.cell(tile)?.index() as u32;
        let goal = |node: u32| accept(self.parts.place(CellId::from_index(node as usize)));
        let space = GridSpace::new(self.grid);
        let end = self.scratch.with(|scratch| {
            search(&space, &[(start, Cost::ZERO)], goal, &mut Blind, scratch, &mut ()).0
        });
        match end {
            End::Goal(node, _) => Some(CellId::from_index(node as usize)),
            _ => None,
        }
    }

    /// The nearest zone as the crow flies: the least distance index, then row order.
    fn nearest_by_air(&self, tile: Tile) -> Option<ZoneId> {
        let (cx, cy) = (i32::from(tile.x), i32::from(tile.y));
        let mut best: Option<((i32, i32, i32), ZoneId)> = None;
        let farthest = self.grid.width().max(self.grid.height()) as i32 + 65_535;
        for ring in 0..=farthest {
            // Nothing on this ring or beyond can be nearer than 5 for each step of it.
            if best.is_some_and(|((least, ..), _)| least < 5 * ring) {
                break;
            }
            let mut look = |x: i32, y: i32| {
                if x < 0 || y < 0 || x > 65_535 || y > 65_535 {
                    return;
                }
                if let Some(zone) = self.zone_of(Tile::new(x as u16, y as u16)) {
                    let (dx, dy) = ((x - cx).abs(), (y - cy).abs());
                    let key = (5 * dx.max(dy) + 2 * dx.min(dy), y, x);
                    if best.is_none_or(|(least, _)| key < least) {
                        best = Some((key, zone));
                    }
                }
            };
            for i in -ring..=ring {
                look(cx + i, cy - ring);
                look(cx + i, cy + ring);
                look(cx - ring, cy + i);
                look(cx + ring, cy + i);
            }
            let (left, right) = (cx - ring, cx + ring);
            let (top, bottom) = (cy - ring, cy + ring);
            let (w, h) = (self.grid.width() as i32, self.grid.height() as i32);
            if left <= 0 && top <= 0 && right >= w - 1 && bottom >= h - 1 {
                break;
            }
        }
        best.map(|(_, zone)| zone)
    }
}

fn facts(grid: &Grid, parts: &Decomposition, altitudes: &[u16]) -> Vec<Facts> {
    #[derive(Clone, Copy)]
    struct Sums {
        x: u64,
        y: u64,
        deepest: (u16, CellId),
        bounds: [u16; 4],
    }
    let blank = Sums {
        x: 0,
        y: 0,
        deepest: (0, CellId::from_index(0)),
        bounds: [u16::MAX, u16::MAX, 0, 0],
    };
    let mut sums = vec![blank; parts.zones().len()];
    let width = grid.width() as usize;
    parts.for_runs(|place, tiles| {
        let Place::Zone(zone) = place else { return };
        let (left, y) = ((tiles.start % width) as u16, (tiles.start / width) as u16);
        let (sum, right) = (&mut sums[zone.index()], left + (tiles.len() - 1) as u16);
        sum.x += (u64::from(left) + u64::from(right)) * tiles.len() as u64 / 2;
        sum.y += u64::from(y) * tiles.len() as u64;
        let here = &altitudes[tiles.clone()];
        let highest = depth::greatest(here);
        if highest > sum.deepest.0 {
            let first = here.iter().position(|&a| a == highest).unwrap_or(0);
            sum.deepest = (highest, CellId::from_index(tiles.start + first));
        }
        let [l, t, r, b] = sum.bounds;
        sum.bounds = [l.min(left), t.min(y), r.max(right), b.max(y)];
    });
    let finish = |(sum, zone): (&Sums, &Zone)| {
        let mean = |total: u64| {
            let area = u64::from(zone.area().max(1));
            let hundredths = (200 * total + area) / (2 * area);
            hundredths as f64 / 100.0
        };
        Facts {
            centroid: (mean(sum.x), mean(sum.y)),
            deepest: grid.tile(sum.deepest.1),
            bounds: sum.bounds,
        }
    };
    sums.iter().zip(parts.zones()).map(finish).collect()
}
