//! Decompositions as JSON, for people and other tools to read and edit.
//!
//! ```json
//! {"version":1,
//!  "map":{"width":8,"height":5,"fingerprint":"…"},
//!  "method":"water","raw_gates":1,
//!  "zones":[{"id":0,"area":12,"centroid":[1.0,2.0],"deepest":[1,2],
//!            "outline":[[0,0],[3,0],[3,5],[0,5]],"gates":[0]}],
//!  "pockets":[],
//!  "gates":[{"id":0,"a":[3,1],"b":[3,3],"width":3,"prominence":1.0,"zones":[0,1],
//!            "source":"automatic"}]}
//! ```
//!
//! **The gates are the truth**: `a`, `b`, `source` and their order make the decomposition,
//! and so does `method` with `raw_gates`, the number of clusters before straightening.
//! All else is derived and written for the reader's sake; when a file is read it is worked
//! out again, so whoever edits a file by hand need not keep it right. `fingerprint` may be
//! left out; if it is there, the file is refused for any other map. `pockets` are like zones, see
//! [`Zone::is_pocket`]; `prominence` is that of [`Regions::prominence`], in hundredths. `source` is `manual`
//! where it is missing. Outlines run over the corners of tiles.
#![deny(clippy::arithmetic_side_effects)]
#![warn(clippy::arithmetic_side_effects)]

use serde::{Deserialize, Serialize};

use crate::decompose::{Decomposition, GateError, GateLine, Method, Source, Zone};
use crate::grid::{Grid, Tile};
use crate::region::Regions;

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;
/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 256 << 20;

/// Why a text is not a decomposition of a map.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// It is longer than anything this program writes.
    #[error("{0} bytes are too many: at most {MAX_BYTES} are read")]
    TooLong(usize),
    /// It is not JSON, or a field is missing or of the wrong kind.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
    /// A version that is not known here.
    #[error("version {0} is not known; this program reads version {VERSION}")]
    Version(u64),
    /// It belongs to another map.
    #[error("the file is for a map of {of}, the map given is {map}")]
    OtherMap {
        /// What the file says.
        of: String,
        /// What the map is.
        map: String,
    },
    /// An unknown method.
    #[error("method {0:?} is not known: water, rooms or given")]
    Method(String),
    /// A gate that does not fit.
    #[error(transparent)]
    Gate(#[from] GateError),
}

#[derive(Serialize, Deserialize)]
struct File<Z, G> {
    version: u64,
    map: MapPart,
    method: String,
    raw_gates: u32,
    #[serde(default)]
    zones: Z,
    #[serde(default)]
    pockets: Z,
    gates: Vec<G>,
}

#[derive(Serialize, Deserialize)]
struct MapPart {
    width: u32,
    height: u32,
    #[serde(default)]
    fingerprint: Option<String>,
}

#[derive(Serialize)]
struct ZonePart {
    id: u32,
    area: u32,
    centroid: (f64, f64),
    deepest: (u16, u16),
    outline: Vec<(u16, u16)>,
    gates: Vec<u32>,
}

#[derive(Serialize)]
struct GatePart {
    id: u32,
    a: (u16, u16),
    b: (u16, u16),
    width: u32,
    prominence: f64,
    zones: Vec<u32>,
    source: SourcePart,
}

/// What is read of a gate.
#[derive(Deserialize)]
struct GateRead {
    a: (u16, u16),
    b: (u16, u16),
    #[serde(default)]
    source: SourcePart,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum SourcePart {
    Automatic,
    #[default]
    Manual,
}

impl From<Source> for SourcePart {
    fn from(source: Source) -> SourcePart {
        match source {
            Source::Automatic => SourcePart::Automatic,
            Source::Manual => SourcePart::Manual,
        }
    }
}

impl From<SourcePart> for Source {
    fn from(source: SourcePart) -> Source {
        match source {
            SourcePart::Automatic => Source::Automatic,
            SourcePart::Manual => Source::Manual,
        }
    }
}

impl Decomposition {
    /// The decomposition as JSON; see the source of this module or the guide for its fields.
    pub fn to_json(&self, grid: &Grid) -> String {
        let regions = Regions::new(grid, self);
        let pair = |tile: Tile| (tile.x, tile.y);
        let part = |zone: &Zone| ZonePart {
            id: zone.id().index() as u32,
            area: zone.area(),
            centroid: regions.centroid(zone.id()),
            deepest: pair(regions.deepest(zone.id())),
            outline: regions.outline(zone.id()),
            gates: zone.gates().iter().map(|gate| gate.index() as u32).collect(),
        };
        let gates = self.live_gates().map(|gate| GatePart {
            id: gate.id().index() as u32,
            a: pair(gate.a()),
            b: pair(gate.b()),
            width: gate.width(),
            prominence: (regions.prominence(gate.id()) * 100.0).round() / 100.0,
            zones: gate.zones().iter().map(|zone| zone.index() as u32).collect(),
            source: gate.source().into(),
        });
        let file = File {
            version: VERSION.into(),
            map: MapPart {
                width: self.size().0,
                height: self.size().1,
                fingerprint: Some(grid.fingerprint().to_string()),
            },
            method: self.method().name().to_string(),
            raw_gates: self.raw_gates(),
            zones: self.live_zones().map(part).collect::<Vec<_>>(),
            pockets: self.pockets().map(part).collect(),
            gates: gates.collect(),
        };
        serde_json::to_string(&file).expect("plain numbers and strings always serialise")
    }

    /// Reads what [`Decomposition::to_json`] or a person wrote for this map. Zones and gates
    /// get the numbers that the lines give, as by [`Decomposition::numbered_in_order`].
    pub fn from_json(grid: &Grid, text: &str) -> Result<Decomposition, JsonError> {
        if text.len() > MAX_BYTES {
            return Err(JsonError::TooLong(text.len()));
        }
        let file: File<serde::de::IgnoredAny, GateRead> = serde_json::from_str(text)?;
        if file.version != u64::from(VERSION) {
            return Err(JsonError::Version(file.version));
        }
        let size = |width, height| format!("{width} x {height} tiles");
        if (file.map.width, file.map.height) != (grid.width(), grid.height()) {
            let of = size(file.map.width, file.map.height);
            return Err(JsonError::OtherMap { of, map: size(grid.width(), grid.height()) });
        }
        let fingerprint = grid.fingerprint().to_string();
        if let Some(of) = file.map.fingerprint.filter(|of| *of != fingerprint) {
            let of = format!("fingerprint {}", of.chars().take(64).collect::<String>());
            return Err(JsonError::OtherMap { of, map: format!("fingerprint {fingerprint}") });
        }
        let method = Method::from_name(&file.method)
            .ok_or_else(|| JsonError::Method(file.method.chars().take(40).collect()))?;
        let tile = |(x, y): (u16, u16)| Tile::new(x, y);
        let lines = file
            .gates
            .into_iter()
            .map(|gate| GateLine::new(tile(gate.a), tile(gate.b), gate.source.into()));
        let made = Decomposition::from_gates(grid, lines)?;
        Ok(made.with_origin(method, file.raw_gates))
    }
}
