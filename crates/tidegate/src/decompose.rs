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
//! Estimates that are built on gates are sound because of the last law, and because
//! gates that touch each other know it. [`Decomposition::check`] verifies all of it.

mod check;
mod clean;
pub mod cluster;
mod edit;
mod gate;
mod hallway;
pub mod json;
mod lowres;
mod part;
pub mod rooms;
mod snap;
mod straighten;
pub mod tune;
pub mod water;
mod zone;

pub use check::Violation;
pub use edit::{EditError, Editor, End};
pub use gate::{Gate, GateId, GateLine, LineError, Source};
pub use zone::{Zone, ZoneId};

/// The examples of the guide are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/decomposition.md")]
struct Guide;

use crate::depth::DepthMap;
use crate::grid::{CellId, Grid};
use cluster::Cluster;
use rooms::Rooms;
use water::Water;

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

/// Settings of the water-level method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaterOptions {
    /// Whether gates that a person would not draw are taken away.
    pub clean: bool,
    /// Let the water rise on a map this many times smaller; 1 is the map itself. Quicker,
    /// and misses some gates.
    pub lowres: u32,
    /// Whether corridors of even width become zones, with gates at both ends.
    pub hallways: bool,
}

impl Default for WaterOptions {
    fn default() -> WaterOptions {
        WaterOptions { clean: true, lowres: 1, hallways: false }
    }
}

impl WaterOptions {
    /// Every straight gate that separates something, as the water gives them.
    pub fn raw() -> WaterOptions {
        WaterOptions { clean: false, ..WaterOptions::default() }
    }

    /// With the water rising on a map `k` times smaller.
    pub fn with_lowres(self, k: u32) -> WaterOptions {
        WaterOptions { lowres: k, ..self }
    }

    /// With or without gates at both ends of hallways.
    pub fn with_hallways(self, hallways: bool) -> WaterOptions {
        WaterOptions { hallways, ..self }
    }
}

/// What the water-level method goes through, stage by stage, for those who want to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaterStages {
    /// How deep every tile lies (algorithms 1, 4 and 5).
    pub depth: DepthMap,
    /// Lakes and gate tiles (algorithm 2).
    pub water: Water,
    /// The gate clusters that touch a wall (algorithm 3); table 3.1 counts them.
    pub clusters: Vec<Cluster>,
    /// The straight gates made from the clusters, as yet unchecked: some may separate nothing.
    pub lines: Vec<GateLine>,
}

impl WaterStages {
    /// Runs all stages.
    pub fn new(grid: &Grid, options: &WaterOptions) -> WaterStages {
        let (depth, water) = if options.lowres > 1 {
            lowres::rise(grid, options.lowres)
        } else {
            let depth = DepthMap::new(grid);
            let water = Water::rise(grid, &depth);
            (depth, water)
        };
        let mut clusters = Cluster::all(grid, water.gate_tiles());
        clusters.retain(Cluster::is_gate);
        let lines = straighten::straight_gates(grid, &clusters);
        WaterStages { depth, water, clusters, lines }
    }

    /// What the stages lead to by these options.
    pub fn decomposition(&self, grid: &Grid, options: &WaterOptions) -> Decomposition {
        let made = if options.clean { self.cleaned(grid) } else { self.raw(grid) };
        if !options.hallways {
            return made;
        }
        let lines = hallway::at_both_ends(grid, &made);
        let lines = clean::cut_at_crossings(grid, &lines);
        Decomposition::automatic(grid, lines, Method::Water, made.raw_gates)
    }

    /// The decomposition by all straight gates that separate something.
    pub fn raw(&self, grid: &Grid) -> Decomposition {
        let raw_gates = self.clusters.len() as u32;
        let lines = clean::cut_at_crossings(grid, &self.lines);
        Decomposition::automatic(grid, lines, Method::Water, raw_gates)
    }

    /// The decomposition without the gates that a person would not draw.
    pub fn cleaned(&self, grid: &Grid) -> Decomposition {
        let raw_gates = self.clusters.len() as u32;
        let lines = clean::cut_at_crossings(grid, &self.lines);
        let claims = gate::Claims::new(grid, &lines);
        let raw = Decomposition::derive(grid, &lines, claims, Method::Water, raw_gates);
        let lines = clean::clean(grid, &raw);
        Decomposition::automatic(grid, lines, Method::Water, raw_gates)
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
    method: Method,
    raw_gates: u32,
    places: Places,
    zones: Vec<Zone>,
    gates: Vec<Gate>,
}

/// The place of every tile: 0 for walls, then the zones, then the gates; two bytes a
/// tile where that is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Places {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Places {
    fn new(codes: Vec<u32>, largest: usize) -> Places {
        if largest <= usize::from(u16::MAX) {
            Places::Narrow(codes.into_iter().map(|code| code as u16).collect())
        } else {
            Places::Wide(codes)
        }
    }

    #[inline]
    fn code(&self, index: usize) -> u32 {
        match self {
            Places::Narrow(codes) => codes[index].into(),
            Places::Wide(codes) => codes[index],
        }
    }
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

    /// Checks lines and hands out their tiles.
    fn claim(grid: &Grid, lines: &[GateLine]) -> Result<gate::Claims, GateError> {
        // Each tile lies on at most one line of each of the four axes, unless lines
        // overlap; so this bounds the work that a hostile list can ask for.
        let tiles: u64 = lines.iter().map(|line| u64::from(line.width())).sum();
        if tiles > 4 * grid.tiles() as u64 {
            return Err(GateError::Overlap { tiles });
        }
        for (gate, line) in lines.iter().enumerate() {
            line.check(grid).map_err(|error| GateError::Line { gate, error })?;
        }
        let claims = gate::Claims::new(grid, lines);
        match claims.tiles.iter().position(Vec::is_empty) {
            Some(gate) => Err(GateError::Covered { gate }),
            None => Ok(claims),
        }
    }

    /// Makes a decomposition of lines that a method has found: what is covered by others
    /// or separates nothing is left out.
    fn automatic(
        grid: &Grid,
        mut lines: Vec<GateLine>,
        method: Method,
        raw_gates: u32,
    ) -> Decomposition {
        loop {
            let claims = gate::Claims::new(grid, &lines);
            let covered: Vec<bool> = claims.tiles.iter().map(Vec::is_empty).collect();
            let useless: Vec<bool>;
            if covered.contains(&true) {
                useless = covered;
            } else {
                let made = Decomposition::derive(grid, &lines, claims, method, raw_gates);
                useless = made.gates.iter().map(|gate| !gate.separates()).collect();
                if !useless.contains(&true) {
                    return made;
                }
            }
            let mut useless = useless.into_iter();
            lines.retain(|_| !useless.next().unwrap_or(false));
        }
    }

    /// Works out everything that follows from the claimed tiles.
    fn derive(
        grid: &Grid,
        lines: &[GateLine],
        claims: gate::Claims,
        method: Method,
        raw_gates: u32,
    ) -> Decomposition {
        let zones = zone::zones(grid, &claims.owners);
        Decomposition::finish(grid, lines, claims.tiles, zones, method, raw_gates)
    }

    /// Puts together lines, the tiles they own and the zones between them.
    fn finish(
        grid: &Grid,
        lines: &[GateLine],
        mut tiles: Vec<Vec<CellId>>,
        zones: zone::Components,
        method: Method,
        raw_gates: u32,
    ) -> Decomposition {
        let zone::Components { labels: mut codes, mut parts } = zones;
        give(&mut codes, &tiles, parts.len());
        let adjacent: Vec<Vec<ZoneId>> =
            tiles.iter().map(|t| touched(grid, &codes, t, parts.len()).0).collect();
        let drawn: Vec<usize> = tiles.iter().map(Vec::len).collect();
        let pockets = zone::pockets(&parts, &adjacent);
        if pockets.iter().any(Option::is_some) {
            absorb(&mut codes, &mut parts, &mut tiles, &pockets);
        }
        let zone_of = |(i, (first, area)): (usize, (CellId, u32))| Zone {
            id: ZoneId(i as u32),
            area,
            first,
            gates: Vec::new(),
        };
        let mut zones: Vec<Zone> = parts.into_iter().enumerate().map(zone_of).collect();
        let mut gates = Vec::with_capacity(lines.len());
        for (i, ((line, tiles), drawn)) in lines.iter().zip(tiles).zip(drawn).enumerate() {
            let id = GateId(i as u32);
            let (beside, mut touching) = touched(grid, &codes, &tiles, zones.len());
            touching.retain(|gate| *gate != id);
            for zone in &beside {
                zones[zone.index()].gates.push(id);
            }
            gates.push(Gate { id, line: *line, tiles, drawn, zones: beside, gates: touching });
        }
        let places = Places::new(codes, zones.len() + gates.len());
        let (width, height) = (grid.width(), grid.height());
        Decomposition { width, height, method, raw_gates, places, zones, gates }
    }

    /// What a tile belongs to.
    #[inline]
    pub fn place(&self, cell: CellId) -> Place {
        decode(self.places.code(cell.index()), self.zones.len())
    }

    /// Bytes per tile that the places take.
    pub fn place_bytes(&self) -> usize {
        match self.places {
            Places::Narrow(_) => 2,
            Places::Wide(_) => 4,
        }
    }

    /// The zones, by number.
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// The gates, by number.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The lines of the gates, in order: what the decomposition is made of.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = GateLine> + '_ {
        self.gates.iter().map(Gate::line)
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

/// Writes the gates' codes, which follow those of the zones.
fn give(codes: &mut [u32], tiles: &[Vec<CellId>], zones: usize) {
    for (gate, tiles) in tiles.iter().enumerate() {
        tiles.iter().for_each(|tile| codes[tile.index()] = (zones + gate) as u32 + 1);
    }
}

/// The zones and gates that legal steps from these tiles reach, sorted.
fn touched(
    grid: &Grid,
    codes: &[u32],
    tiles: &[CellId],
    zones: usize,
) -> (Vec<ZoneId>, Vec<GateId>) {
    let (mut beside, mut touching) = (Vec::new(), Vec::new());
    for (next, _) in tiles.iter().flat_map(|&tile| grid.neighbours(tile)) {
        match decode(codes[next.index()], zones) {
            Place::Zone(zone) => beside.push(zone),
            Place::Gate(gate) => touching.push(gate),
            Place::Wall => {}
        }
    }
    beside.sort_unstable();
    beside.dedup();
    touching.sort_unstable();
    touching.dedup();
    (beside, touching)
}

/// Gives the tiles of pockets to their gates and closes the gaps in the zones' numbers.
fn absorb(
    codes: &mut [u32],
    parts: &mut Vec<(CellId, u32)>,
    tiles: &mut [Vec<CellId>],
    pockets: &[Option<GateId>],
) {
    let before = parts.len();
    let mut number = pockets.iter();
    parts.retain(|_| number.next().is_some_and(Option::is_none));
    let mut renumbered = Vec::with_capacity(1 + before + tiles.len());
    renumbered.push(0);
    let mut next = 0;
    for pocket in pockets {
        next += u32::from(pocket.is_none());
        renumbered.push(pocket.map_or(next, |gate| (parts.len() + gate.index()) as u32 + 1));
    }
    renumbered.extend((0..tiles.len()).map(|gate| (parts.len() + gate) as u32 + 1));
    for (i, code) in codes.iter_mut().enumerate().filter(|(_, code)| **code != 0) {
        if let Some(Some(gate)) = pockets.get(*code as usize - 1) {
            tiles[gate.index()].push(CellId::from_index(i));
        }
        *code = renumbered[*code as usize];
    }
}

#[inline]
fn decode(code: u32, zones: usize) -> Place {
    match code as usize {
        0 => Place::Wall,
        code if code <= zones => Place::Zone(ZoneId(code as u32 - 1)),
        code => Place::Gate(GateId((code - zones) as u32 - 1)),
    }
}
