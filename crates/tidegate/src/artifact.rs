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
//! whose checksums were made to fit still has to make sense. Which sections there are is
//! the matter of the index and its tables.
//!
//! A file is saved to a temporary neighbour, synced and renamed: a crash leaves the
//! old file or the new one.

mod save;
mod wire;

use std::io;
use std::path::Path;

pub use save::NewFile;
pub use wire::{Reader, WireError, Writer};

use crate::grid::Fingerprint;

/// What every index file begins with.
pub const SIGNATURE: [u8; 8] = *b"\x89TIDE\r\n\x1a";
/// The longest file that is opened, in bytes.
pub const MAX_BYTES: u64 = 4 << 30;
/// The version this library writes and reads.
pub const VERSION: u32 = 2;
const HEADER: usize = 64;
const ENTRY: usize = 24;
/// Where the checksum of header and table lies.
const SEAL: std::ops::Range<usize> = 56..60;

/// Why a file is not an index.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
        "the index has format version {found}; this program reads version {VERSION}: build it again from its map, with `tidegate index MAP -o FILE`"
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
    #[error(
        "section {section} does not belong here, or belongs to an engine that this program does not have"
    )]
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

pub(crate) fn name(tag: [u8; 4]) -> String {
    String::from_utf8_lossy(&tag).into_owned()
}

/// What writes a section.
type Body<'a> = Box<dyn Fn(&mut Writer) + 'a>;

/// The sections of a file that is being put together, each as what writes it. It is asked
/// twice, once for its checksum and its length, which stand before it in the file, and must
/// write the same both times: so no section is ever held as bytes.
#[derive(Default)]
pub(crate) struct Sections<'a> {
    sections: Vec<([u8; 4], Body<'a>)>,
}

impl<'a> Sections<'a> {
    pub(crate) fn add(&mut self, tag: [u8; 4], body: impl Fn(&mut Writer) + 'a) {
        self.sections.push((tag, Box::new(body)));
    }

    /// The whole file.
    pub(crate) fn into_bytes(self, fingerprint: Fingerprint) -> Vec<u8> {
        let mut out = Writer::new();
        self.write(fingerprint, &mut out);
        out.into_bytes()
    }

    /// Saves the file so that a crash leaves the old one or this.
    pub(crate) fn save(self, fingerprint: Fingerprint, path: &Path) -> io::Result<()> {
        let mut out = Writer::for_file(NewFile::create(path)?);
        self.write(fingerprint, &mut out);
        out.into_file()?.map_or(Ok(()), NewFile::finish)
    }

    fn write(&self, fingerprint: Fingerprint, out: &mut Writer) {
        let sums: Vec<(u32, u64)> = self.sections.iter().map(|(_, body)| sum(body)).collect();
        let first = (HEADER + ENTRY * self.sections.len()) as u64;
        let length = first + sums.iter().map(|(_, length)| length).sum::<u64>();
        let mut head = Writer::new();
        head.raw(&SIGNATURE);
        head.u32(VERSION);
        head.u32(self.sections.len() as u32);
        head.u64(length);
        head.raw(&fingerprint.0);
        head.u64(0);
        let mut offset = first;
        for ((tag, _), (checksum, length)) in self.sections.iter().zip(sums) {
            head.raw(tag);
            head.u32(checksum);
            head.u64(offset);
            head.u64(length);
            offset += length;
        }
        let mut head = head.into_bytes();
        let seal = crc32fast::hash(&head);
        head[SEAL].copy_from_slice(&seal.to_le_bytes());
        out.reserve(usize::try_from(length).unwrap_or(0));
        out.raw(&head);
        self.sections.iter().for_each(|(_, body)| body(out));
    }
}

/// The checksum and the length of a section.
fn sum(body: impl Fn(&mut Writer)) -> (u32, u64) {
    let mut out = Writer::for_sum();
    body(&mut out);
    out.into_sum()
}

/// The fingerprint in the header and the sections of a file whose form is right.
pub(crate) type Opened<'a> = (Fingerprint, Vec<([u8; 4], &'a [u8])>);

#[deny(clippy::arithmetic_side_effects)]
pub(crate) fn open(bytes: &[u8]) -> Result<Opened<'_>, ArtifactError> {
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
