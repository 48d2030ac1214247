//! A map taken apart: zones, and the gates between them.
//!
//! All methods end in one constructor, [`Decomposition::from_gates`]: a decomposition is
//! a function of the map and the lines of its gates, in their order. It keeps:
//!
//! - every free tile belongs to exactly one place, a zone or a gate; walls to none;
//! - a zone is connected by legal steps inside it;
//! - no legal step leads from one zone into another: every way out touches a gate that
//!   the zone lists, and every gate lists the zones and gates that a step joins to it.
//!
//! Estimates that are built on gates are sound because of the last property, and because
//! gates that touch each other know it. [`Decomposition::check`] verifies all of it.

mod check;
mod claims;
mod clean;
pub mod cluster;
mod derive;
mod doors;
mod edit;
mod follow;
mod gate;
mod hallway;
mod lowres;
mod narrow;
mod numbering;
mod places;
pub mod rooms;
mod snap;
mod stages;
mod straighten;
pub mod water;
mod wire;
mod zone;

pub use check::Violation;
pub use edit::{EditError, Editor, GateEnd};
pub use follow::ZoneChanges;
pub use gate::{Gate, GateId, GateLine, LineError, Source};
pub use numbering::Matching;
pub use stages::{WaterOptions, WaterStages};
pub use zone::{Zone, ZoneId};

use crate::depth;
use crate::grid::{CellId, Grid, Movement, OtherMap};
use places::Places;
use rooms::Rooms;

/// What a tile belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Nothing: it is wall.
    Wall,
    /// A zone.
    Zone(ZoneId),
    /// A gate.
    Gate(GateId),
}

/// How a decomposition was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// By rising water.
    Water,
    /// By filling rooms row by row.
    Rooms,
    /// From given gates.
    Given,
}

impl Method {
    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Water => "water",
            Method::Rooms => "rooms",
            Method::Given => "given",
        }
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Option<Method> {
        [Method::Water, Method::Rooms, Method::Given].into_iter().find(|m| m.name() == name)
    }
}

/// Why gates cannot make a decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// A line does not fit the map.
    #[error("gate {gate}: {error}")]
    Line {
        /// Position of the gate.
        gate: usize,
        /// What is wrong with its line.
        error: LineError,
    },
    /// The lines have more tiles than lines that do not overlap could have.
    #[error("the gates overlap: their lines have {tiles} tiles, more than four times the map")]
    Overlap {
        /// Tiles of all lines.
        tiles: u64,
    },
    /// Other gates own all tiles of a gate.
    #[error("gate {gate} lies wholly on other gates")]
    Covered {
        /// Position of the gate.
        gate: usize,
    },
}

/// Zones and gates of a map. See the [module](self).
///
/// ```
/// use tidegate::decompose::{Decomposition, GateLine, Place, Source};
/// use tidegate::{Grid, Tile};
/// let grid = Grid::from_rows(&["..#..", ".....", "..#.."]).unwrap();
/// let door = Tile::new(2, 1);
/// let gates = [GateLine::new(door, door, Source::Manual)];
/// let decomposition = Decomposition::from_gates(&grid, gates).unwrap();
/// assert_eq!(decomposition.zones().len(), 2);
/// assert_eq!(decomposition.gates()[0].zones().len(), 2);
/// assert!(matches!(decomposition.place(grid.cell(door).unwrap()), Place::Gate(_)));
/// decomposition.check(&grid).unwrap();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    width: u32,
    height: u32,
    /// The rule by which steps join tiles.
    movement: Movement,
    method: Method,
    raw_gates: u32,
    places: Places,
    zones: Vec<Zone>,
    gates: Vec<Gate>,
}

impl Decomposition {
    /// Zones and gates by the rising water.
    pub fn water(grid: &Grid, options: &WaterOptions) -> Decomposition {
        let stages = WaterStages::new(grid, options);
        stages.decomposition(grid, options)
    }

    /// Zones and gates by filling rooms row by row: for maps of rooms and corridors.
    pub fn rooms(grid: &Grid) -> Decomposition {
        let lines = Rooms::fill(grid).gates(grid);
        let raw_gates = lines.len() as u32;
        let lines = clean::cut_at_crossings(grid, &lines);
        Decomposition::automatic(grid, lines, Method::Rooms, raw_gates)
    }

    /// The decomposition that these gates make, in this order.
    pub fn from_gates(
        grid: &Grid,
        gates: impl IntoIterator<Item = GateLine>,
    ) -> Result<Decomposition, GateError> {
        let lines: Vec<GateLine> = gates.into_iter().collect();
        let claims = Decomposition::claim(grid, &lines)?;
        let raw_gates = lines.len() as u32;
        Ok(Decomposition::derive(grid, &lines, claims, Method::Given, raw_gates))
    }

    /// The same zones and gates, said to be made like this: what files tell of gates that
    /// were put back after a change.
    pub fn with_origin(self, method: Method, raw_gates: u32) -> Decomposition {
        Decomposition { method, raw_gates, ..self }
    }

    /// Whether this map has the size, the rule and the walls that the zones and gates were
    /// made for. Cost factors do not matter to them. Takes one pass over the map.
    ///
    /// ```
    /// use tidegate::decompose::Decomposition;
    /// use tidegate::grid::OtherMap;
    /// use tidegate::{Grid, Tile};
    /// let mut grid = Grid::from_rows(&["..#..", "....."]).unwrap();
    /// let parts = Decomposition::from_gates(&grid, []).unwrap();
    /// parts.belongs_to(&grid).unwrap();
    /// grid.set_free(Tile::new(2, 0), true);
    /// assert_eq!(parts.belongs_to(&grid), Err(OtherMap::Wall { tile: Tile::new(2, 0) }));
    /// ```
    pub fn belongs_to(&self, grid: &Grid) -> Result<(), OtherMap> {
        let (of, map) = ((self.width, self.height), (grid.width(), grid.height()));
        if of != map {
            return Err(OtherMap::Size { of, map });
        }
        if self.movement != grid.movement() {
            return Err(OtherMap::Movement { of: self.movement, map: grid.movement() });
        }
        let differs = |&i: &usize| self.places.is_wall(i) == grid.free_bits().contains(i);
        match (0..grid.tiles()).find(differs) {
            Some(i) => Err(OtherMap::Wall { tile: grid.tile(CellId::from_index(i)) }),
            None => Ok(()),
        }
    }

    /// What a tile belongs to.
    #[inline]
    pub fn place(&self, cell: CellId) -> Place {
        self.places.get(cell, self.zones.len())
    }

    /// By tile: the distance index to the nearest one that belongs to no zone.
    pub(crate) fn distances(&self) -> Vec<u16> {
        let width = self.width as usize;
        depth::distances(self.width, self.height, |y, row| {
            self.places.mark_zones(y * width, self.zones.len(), row);
        })
    }

    /// Calls for every run of tiles of a row that belong to one zone or gate.
    pub(crate) fn for_runs(&self, found: impl FnMut(Place, std::ops::Range<usize>)) {
        self.places.for_runs(self.width as usize, self.zones.len(), found);
    }

    /// Bytes of the places of all tiles.
    pub fn places_bytes(&self) -> usize {
        self.places.len() * self.places.bytes_per_tile()
    }

    /// Columns and rows of the map.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Bytes per tile that the places take.
    pub fn place_bytes(&self) -> usize {
        self.places.bytes_per_tile()
    }

    /// The zones, by number, pockets included. Numbers that are gone after
    /// [`Decomposition::follow`] hold a zone without tiles and gates ([`Zone::is_gone`]).
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// The gates, by number. Numbers that are gone after [`Decomposition::follow`] hold a
    /// gate without tiles and zones ([`Gate::is_gone`]).
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The zones that are there, in the order of their numbers, without pockets: what there is
    /// to walk about in.
    pub fn live_zones(&self) -> impl Iterator<Item = &Zone> {
        self.all_live_zones().filter(|zone| !zone.is_pocket)
    }

    /// The small pieces of ground that no unit can reach or leave, in the order of their
    /// numbers. See [`Zone::is_pocket`].
    ///
    /// ```
    /// use tidegate::decompose::Decomposition;
    /// use tidegate::{Grid, Movement};
    /// // A field with a closed hut in it.
    /// let wall = |x: u32, y: u32| (3..=5).contains(&x) && (3..=5).contains(&y) && (x, y) != (4, 4);
    /// let grid = Grid::from_fn(20, 20, Movement::default(), |x, y| !wall(x, y)).unwrap();
    /// let parts = Decomposition::from_gates(&grid, []).unwrap();
    /// assert_eq!(parts.live_zones().count(), 1);
    /// let hut = parts.pockets().next().unwrap();
    /// assert_eq!((parts.pockets().count(), hut.area()), (1, 1));
    /// ```
    pub fn pockets(&self) -> impl Iterator<Item = &Zone> {
        self.all_live_zones().filter(|zone| zone.is_pocket)
    }

    /// Zones and pockets that are there.
    fn all_live_zones(&self) -> impl Iterator<Item = &Zone> {
        self.zones.iter().filter(|zone| !zone.is_gone())
    }

    /// The gates that are there, in the order of their numbers.
    pub fn live_gates(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter().filter(|gate| !gate.is_gone())
    }

    /// The lines of the gates, in order: what the decomposition is made of.
    pub fn lines(&self) -> impl Iterator<Item = GateLine> + '_ {
        self.live_gates().map(Gate::line)
    }

    /// How it was made.
    pub fn method(&self) -> Method {
        self.method
    }

    /// How many gate clusters the method found before straightening and cleaning.
    pub fn raw_gates(&self) -> u32 {
        self.raw_gates
    }

    /// Columns of the map.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the map.
    pub fn height(&self) -> u32 {
        self.height
    }
}
