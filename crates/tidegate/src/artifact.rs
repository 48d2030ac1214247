//! The index as one file, `*.tide`: refused with a reason, or complete.
//!
//! ```text
//! header   magic 8 | version 4 | sections 4 | length of the file 8 | fingerprint 32
//!          | checksum of header and table 4 | zero 4
//! table    for every section: tag 4 | checksum 4 | offset 8 | length 8
//! sections without gaps, in the order of the table; the first one is the map
//! ```
//!
//! All numbers are little-endian. A file is looked at in this order: length, magic,
//! version, table in bounds, checksums, decoding, meaning (each part against the map),
//! fingerprint. Every byte lies under a checksum, so no damage goes unnoticed; a file
//! whose checksums were made to fit still has to make sense.
//!
//! A file is saved to a temporary neighbour, synced and renamed: a crash leaves the
//! old file or the new one.

mod compare;
mod save;
mod wire;

use std::path::Path as FilePath;

pub use save::NewFile;
pub use wire::{Reader, WireError, Writer};

use crate::cost::Factor;
use crate::decompose::Decomposition;
use crate::engine::{ByDemand, ByTime, ByTimeOnZones, Preset, Start};
use crate::grid::{self, Fingerprint, Grid, Movement};
use crate::index::Index;
use crate::index::dead_ends::DeadEnds;
use crate::index::gate_distances::GateDistances;
use crate::index::landmarks::Landmarks;
use crate::index::port_distances::PortDistances;
use crate::index::portal_distances::PortalDistances;
use crate::index::zone_distances::ZoneDistances;
use crate::jps::JpsMap;
use crate::labels::Labels;

/// What every index file begins with.
pub const SIGNATURE: [u8; 8] = *b"\x89TIDE\r\n\x1a";
/// The longest file that is opened, in bytes.
pub const MAX_BYTES: u64 = 4 << 30;
/// The version this library writes and reads.
pub const VERSION: u32 = 1;
const HEADER: usize = 64;
const ENTRY: usize = 24;
/// Where the checksum of header and table lies.
const SEAL: std::ops::Range<usize> = 56..60;
const GRID: [u8; 4] = *b"grid";

/// A part of an index that has a section of its own in the file.
pub trait Part: Sized {
    /// Four letters that name the section.
    const TAG: [u8; 4];

    /// Writes everything that [`Part::read`] needs besides the map.
    fn write(&self, out: &mut Writer);

    /// Reads the part and checks its meaning against the map and against the parts that
    /// come before it in the file. No bytes may make it panic, and a part that is
    /// returned must be safe to query.
    fn read(from: &mut Reader<'_>, index: &Index) -> Result<Self, WireError>;
}

/// Lists the parts of the index: its field and its type, in the order of the file.
macro_rules! parts {
    ($($field:ident: $part:ty),* $(,)?) => {
        fn write_parts(index: &Index, file: &mut Sections) {
            $(if let Some(part) = &index.$field {
                let mut out = Writer::new();
                Part::write(part, &mut out);
                file.add(<$part>::TAG, out);
            })*
        }

        fn read_part(index: &mut Index, tag: [u8; 4], bytes: &[u8]) -> Result<(), ArtifactError> {
            let tagged = |error| ArtifactError::Section { section: name(tag), error };
            $(if tag == <$part>::TAG {
                if index.$field.is_some() {
                    return Err(ArtifactError::Unexpected { section: name(tag) });
                }
                let part = decode::<$part>(bytes, index).map_err(tagged)?;
                index.$field = Some(part);
                return Ok(());
            })*
            Err(ArtifactError::Unexpected { section: name(tag) })
        }
    };
}

parts! {
    decomposition: Decomposition,
    dead_ends: DeadEnds,
    gate_distances: GateDistances,
    port_distances: PortDistances,
    portal_distances: PortalDistances,
    zone_distances: ZoneDistances,
    landmarks: Landmarks,
    jps: JpsMap,
    labels: Labels,
    hpa: Preset<false>,
    hpa_paper: Preset<true>,
    dsma: Start<ByDemand>,
    maat: Start<ByTime>,
    maat_zones: Start<ByTimeOnZones>,
}

/// Why a file is not an index.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// The file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is shorter or longer than it says.
    #[error("the file has {found} bytes, not {expected}: it is cut off or was changed")]
    Length {
        /// Bytes it should have at least.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// It is something else.
    #[error("this is not a Tidegate index")]
    Magic,
    /// Another version of the format.
    #[error(
        "the index has format version {found}; this program reads version {VERSION}: build the index anew"
    )]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The table of sections makes no sense.
    #[error("the table of sections is damaged")]
    Table,
    /// Bytes were changed.
    #[error("section {section} is damaged: its checksum does not fit")]
    Checksum {
        /// The section, or "header".
        section: String,
    },
    /// The bytes of a section mean nothing.
    #[error("section {section} makes no sense: {error}")]
    Section {
        /// The section.
        section: String,
        /// What is wrong.
        error: WireError,
    },
    /// A section is unknown, twice there or out of place.
    #[error("section {section} does not belong here")]
    Unexpected {
        /// The section.
        section: String,
    },
    /// The map in the file is not the one the header names.
    #[error("the map in the index has fingerprint {found}, the header says {expected}")]
    Fingerprint {
        /// What the header says.
        expected: Fingerprint,
        /// What the map has.
        found: Fingerprint,
    },
}

fn name(tag: [u8; 4]) -> String {
    String::from_utf8_lossy(&tag).into_owned()
}

/// The sections of a file that is being put together.
#[derive(Default)]
struct Sections {
    tags: Vec<[u8; 4]>,
    bodies: Vec<Vec<u8>>,
}

impl Sections {
    fn add(&mut self, tag: [u8; 4], body: Writer) {
        self.tags.push(tag);
        self.bodies.push(body.into_bytes());
    }

    fn into_bytes(self, fingerprint: Fingerprint) -> Vec<u8> {
        let first = HEADER + ENTRY * self.tags.len();
        let length = first + self.bodies.iter().map(Vec::len).sum::<usize>();
        let mut out = Writer::new();
        out.raw(&SIGNATURE);
        out.u32(VERSION);
        out.u32(self.tags.len() as u32);
        out.u64(length as u64);
        out.raw(&fingerprint.0);
        out.u64(0);
        let mut offset = first;
        for (tag, body) in self.tags.iter().zip(&self.bodies) {
            out.raw(tag);
            out.u32(crc32fast::hash(body));
            out.u64(offset as u64);
            out.u64(body.len() as u64);
            offset += body.len();
        }
        let mut bytes = out.into_bytes();
        let seal = crc32fast::hash(&bytes);
        bytes[SEAL].copy_from_slice(&seal.to_le_bytes());
        bytes.reserve_exact(length - first);
        self.bodies.iter().for_each(|body| bytes.extend_from_slice(body));
        bytes
    }
}

/// The fingerprint in the header and the sections of a file whose form is right.
type Opened<'a> = (Fingerprint, Vec<([u8; 4], &'a [u8])>);

#[deny(clippy::arithmetic_side_effects)]
fn open(bytes: &[u8]) -> Result<Opened<'_>, ArtifactError> {
    let found = bytes.len() as u64;
    if bytes.len() < HEADER {
        return Err(ArtifactError::Length { expected: HEADER as u64, found });
    }
    let mut header = Reader::new(&bytes[..HEADER]);
    let broken = |_| ArtifactError::Table;
    let magic = header.raw(8, "magic").map_err(broken)?;
    let version = header.u32("version").map_err(broken)?;
    let count = header.u32("sections").map_err(broken)? as usize;
    let expected = header.u64("length").map_err(broken)?;
    if magic != SIGNATURE {
        return Err(ArtifactError::Magic);
    }
    if version != VERSION {
        return Err(ArtifactError::Version { found: version });
    }
    if expected != found {
        return Err(ArtifactError::Length { expected, found });
    }
    let mut fingerprint = Fingerprint([0; 32]);
    fingerprint.0.copy_from_slice(header.raw(32, "fingerprint").map_err(broken)?);
    if count > bytes.len().saturating_sub(HEADER) / ENTRY {
        return Err(ArtifactError::Table);
    }
    let first = ENTRY.saturating_mul(count).saturating_add(HEADER);
    let mut sealed = bytes[..first].to_vec();
    sealed[SEAL].fill(0);
    if crc32fast::hash(&sealed).to_le_bytes() != bytes[SEAL] {
        return Err(ArtifactError::Checksum { section: "header".to_owned() });
    }
    let mut table = Reader::new(&bytes[HEADER..first]);
    let mut next = first as u64;
    let mut sections = Vec::with_capacity(count);
    for _ in 0..count {
        let mut tag = [0; 4];
        tag.copy_from_slice(table.raw(4, "tag").map_err(broken)?);
        let checksum = table.u32("checksum").map_err(broken)?;
        let offset = table.u64("offset").map_err(broken)?;
        let length = table.u64("length").map_err(broken)?;
        let end = offset.checked_add(length).filter(|&end| offset == next && end <= found);
        next = end.ok_or(ArtifactError::Table)?;
        sections.push((tag, checksum, &bytes[offset as usize..next as usize]));
    }
    if next != found {
        return Err(ArtifactError::Table);
    }
    if let Some(&(tag, ..)) = sections.iter().find(|(_, sum, body)| crc32fast::hash(body) != *sum) {
        return Err(ArtifactError::Checksum { section: name(tag) });
    }
    Ok((fingerprint, sections.into_iter().map(|(tag, _, body)| (tag, body)).collect()))
}

fn decode<P: Part>(bytes: &[u8], index: &Index) -> Result<P, WireError> {
    let mut from = Reader::new(bytes);
    let part = P::read(&mut from, index)?;
    from.finish()?;
    Ok(part)
}

fn write_grid(grid: &Grid) -> Writer {
    let mut out = Writer::new();
    out.u32(grid.width());
    out.u32(grid.height());
    out.u8(grid.movement() as u8);
    out.u8(grid.factors().is_some().into());
    let mut bits = vec![0u8; grid.tiles().div_ceil(8)];
    for cell in grid.free_bits().ones() {
        bits[cell / 8] |= 1 << (cell % 8);
    }
    out.raw(&bits);
    for factor in grid.factors().into_iter().flatten() {
        out.u16(factor.hundredths());
    }
    out
}

#[deny(clippy::arithmetic_side_effects)]
fn read_grid(bytes: &[u8]) -> Result<Grid, WireError> {
    let mut from = Reader::new(bytes);
    let (width, height) = (from.u32("width")?, from.u32("height")?);
    let (width, height) = grid::check_size(width.into(), height.into())
        .map_err(|error| WireError::meaning(error.to_string()))?;
    let movement = Movement::ALL.get(usize::from(from.u8("movement")?)).copied();
    let movement = movement.ok_or_else(|| WireError::meaning("unknown rule of movement"))?;
    let with_factors = from.u8("factors")?;
    let tiles = (width as usize).saturating_mul(height as usize);
    let bits = from.raw(tiles.div_ceil(8), "tiles")?;
    if with_factors > 1 || (!tiles.is_multiple_of(8) && bits[tiles / 8] >> (tiles % 8) != 0) {
        return Err(WireError::meaning("stray bits"));
    }
    let free = |x: u32, y: u32| {
        let cell = y.saturating_mul(width).saturating_add(x) as usize;
        bits[cell / 8] >> (cell % 8) & 1 == 1
    };
    let mut grid = Grid::from_fn(width, height, movement, free)
        .map_err(|error| WireError::meaning(error.to_string()))?;
    if with_factors == 1 {
        let raw = from.raw(tiles.saturating_mul(2), "factors")?;
        let factor = |b: &[u8]| Factor::from_hundredths(u16::from_le_bytes([b[0], b[1]]));
        let factors: Option<Vec<Factor>> = raw.chunks_exact(2).map(factor).collect();
        grid = grid.with_factors(factors.ok_or_else(|| WireError::meaning("factor below 1"))?);
    }
    from.finish()?;
    Ok(grid)
}

impl Index {
    /// The index as the bytes of its file. The same index gives the same bytes.
    ///
    /// ```
    /// use tidegate::{Grid, Index};
    /// let index = Index::new(Grid::from_rows(&["..#", "..."]).unwrap());
    /// let bytes = index.to_bytes();
    /// let again = Index::from_bytes(&bytes).unwrap();
    /// assert_eq!(again.grid(), index.grid());
    /// assert_eq!(again.to_bytes(), bytes);
    /// assert!(Index::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut file = Sections::default();
        file.add(GRID, write_grid(self.grid()));
        write_parts(self, &mut file);
        file.into_bytes(self.grid().fingerprint())
    }

    /// The index from the bytes of its file, or why they are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Index, ArtifactError> {
        let (expected, sections) = open(bytes)?;
        let (&(tag, body), parts) = sections.split_first().ok_or(ArtifactError::Table)?;
        if tag != GRID {
            return Err(ArtifactError::Unexpected { section: name(tag) });
        }
        let grid = read_grid(body)
            .map_err(|error| ArtifactError::Section { section: name(tag), error })?;
        let mut index = Index::new(grid);
        for &(tag, body) in parts {
            read_part(&mut index, tag, body)?;
        }
        let found = index.grid().fingerprint();
        if found != expected {
            return Err(ArtifactError::Fingerprint { expected, found });
        }
        Ok(index)
    }

    /// Saves the index so that a crash at any moment leaves the old file or the new one.
    pub fn save(&self, path: &FilePath) -> Result<(), ArtifactError> {
        Ok(NewFile::replace(path, &self.to_bytes())?)
    }

    /// Opens the file of an index. The map is in it.
    pub fn open(path: &FilePath) -> Result<Index, ArtifactError> {
        use std::io::Read;
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Index::from_bytes(&bytes)
    }
}

/// Makes the checksums of a file right again after its sections were changed: what
/// tests and fuzzers need to get past them. Returns whether the table could be read.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) -> bool {
    let Some(count) = bytes.get(12..16) else { return false };
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize;
    let Some(first) = count.checked_mul(ENTRY).and_then(|n| n.checked_add(HEADER)) else {
        return false;
    };
    if first > bytes.len() {
        return false;
    }
    for entry in (HEADER..first).step_by(ENTRY) {
        let number = |at: usize| -> u64 {
            bytes[at..at + 8].iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))
        };
        let (offset, length) = (number(entry + 8), number(entry + 16));
        let body = usize::try_from(offset).ok().zip(usize::try_from(length).ok());
        let body = body.and_then(|(o, l)| bytes.get(o..o.checked_add(l)?));
        let Some(body) = body else { return false };
        let sum = crc32fast::hash(body);
        bytes[entry + 4..entry + 8].copy_from_slice(&sum.to_le_bytes());
    }
    bytes[SEAL].fill(0);
    let seal = crc32fast::hash(&bytes[..first]);
    bytes[SEAL].copy_from_slice(&seal.to_le_bytes());
    true
}
