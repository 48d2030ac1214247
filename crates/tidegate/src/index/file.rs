//! The index as bytes and as a file: the map first, then a section for every table.

use std::path::Path as FilePath;
use std::sync::Arc;

use super::{Engine, Index, TableKind, TableState};
use crate::artifact::{self, ArtifactError, MAX_BYTES, Reader, Sections, WireError, Writer, name};
use crate::cost::Factor;
use crate::grid::{self, Grid, Movement};

/// The section of the map.
const GRID: [u8; 4] = *b"grid";
/// The section that says what edits have done, where there were any.
const EDIT: [u8; 4] = *b"edit";

fn write_grid(grid: &Grid, out: &mut Writer) {
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
}

/// Columns and rows.
fn read_size(from: &mut Reader<'_>) -> Result<(u32, u32), WireError> {
    let (width, height) = (from.u32("width")?, from.u32("height")?);
    grid::check_size(width.into(), height.into())
        .map_err(|error| WireError::meaning(error.to_string()))
}

#[deny(clippy::arithmetic_side_effects)]
fn read_grid(bytes: &[u8]) -> Result<Grid, WireError> {
    let mut from = Reader::new(bytes);
    let (width, height) = read_size(&mut from)?;
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
    /// An [edited](Index::edit) index is saved with its map as it is now and with the tables
    /// that were repaired, overlays among them. Left out are those that hold
    /// [bounds](TableState::Bounds) alone or are [stale](TableState::Stale): build them again.
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
        self.sections().into_bytes(self.grid().fingerprint())
    }

    /// What the file of the index consists of.
    fn sections(&self) -> Sections<'_> {
        let mut file = Sections::default();
        file.add(GRID, |out| write_grid(self.grid(), out));
        let saved = || self.tables.iter().filter(|entry| entry.state != TableState::Bounds);
        if self.revision() > 0 {
            file.add(EDIT, move |out| {
                out.u64(self.revision());
                for entry in saved().filter(|entry| entry.was_repaired) {
                    out.raw(&entry.kind().tag);
                    out.u8(entry.state as u8);
                }
            });
        }
        for entry in saved() {
            file.add(entry.kind().tag, |out| entry.write(out));
        }
        file
    }

    /// Columns and rows of the map in the bytes of an index file, before anything is made of them: for whoever
    /// has less room than the largest map takes, which a file of a 40th of that can hold.
    ///
    /// ```
    /// use tidegate::{Grid, Index};
    /// let bytes = Index::new(Grid::from_rows(&["...", "..."]).unwrap()).to_bytes();
    /// assert_eq!(Index::size_in_bytes(&bytes).unwrap(), (3, 2));
    /// assert!(Index::size_in_bytes(&bytes[1..]).is_err());
    /// ```
    pub fn size_in_bytes(bytes: &[u8]) -> Result<(u32, u32), ArtifactError> {
        let (_, sections) = artifact::open(bytes)?;
        let &(tag, body) = sections.first().ok_or(ArtifactError::Table)?;
        if tag != GRID {
            return Err(ArtifactError::Unexpected { section: name(tag) });
        }
        read_size(&mut Reader::new(body))
            .map_err(|error| ArtifactError::Section { section: name(tag), error })
    }

    /// The index from the bytes of its file, with the tables of these engines, or why
    /// they are none.
    pub fn from_bytes_with(bytes: &[u8], engines: &[&dyn Engine]) -> Result<Index, ArtifactError> {
        let (expected, sections) = artifact::open(bytes)?;
        let (&(tag, body), tables) = sections.split_first().ok_or(ArtifactError::Table)?;
        if tag != GRID {
            return Err(ArtifactError::Unexpected { section: name(tag) });
        }
        let grid = read_grid(body)
            .map_err(|error| ArtifactError::Section { section: name(tag), error })?;
        let mut index = Index::new(grid);
        let (edited, tables) = match tables.split_first() {
            Some((&(EDIT, body), tables)) => (Some(body), tables),
            _ => (None, tables),
        };
        for &(tag, body) in tables {
            let kind = engines.iter().find_map(|engine| {
                with_tag(engine.tables(), tag).or_else(|| with_tag(engine.also_in_files(), tag))
            });
            index.read_table(kind, tag, body)?;
        }
        edited
            .map_or(Ok(()), |body| index.read_edits(body))
            .map_err(|error| ArtifactError::Section { section: name(EDIT), error })?;
        let found = index.grid().fingerprint();
        if found != expected {
            return Err(ArtifactError::Fingerprint { expected, found });
        }
        Ok(index)
    }

    /// The revision, and which tables were repaired, in their order.
    fn read_edits(&mut self, body: &[u8]) -> Result<(), WireError> {
        let mut from = Reader::new(body);
        let revision = from.u64("revision")?;
        if revision == 0 {
            return Err(WireError::meaning("edits of a map that was not edited"));
        }
        let base = Arc::get_mut(&mut self.base).expect("nobody else has it yet");
        base.revision = revision;
        base.history.forget(revision);
        let mut tables = self.tables.iter_mut();
        for _ in 0..body.len().saturating_sub(8) / 5 {
            let tag = from.raw(4, "table")?;
            let entry = tables.find(|entry| entry.kind().tag == tag);
            let missing = || WireError::meaning("an edited table is missing or out of order");
            let entry = entry.ok_or_else(missing)?;
            entry.was_repaired = true;
            entry.state = match from.u8("state of a table")? {
                0 => TableState::Current,
                1 => TableState::Aged,
                2 => TableState::Overlay,
                _ => return Err(WireError::meaning("a table that is not saved")),
            };
        }
        from.finish()
    }

    fn read_table(
        &mut self,
        kind: Option<&TableKind>,
        tag: [u8; 4],
        body: &[u8],
    ) -> Result<(), ArtifactError> {
        let section = name(tag);
        let complete = |kind: &TableKind| kind.rests_on.iter().all(|below| self.has(below));
        let Some(kind) = kind.filter(|kind| !self.has(kind) && complete(kind)) else {
            return Err(ArtifactError::Unexpected { section });
        };
        let mut from = Reader::new(body);
        let entry = kind.read(&mut from, self).and_then(|entry| from.finish().map(|()| entry));
        self.insert(entry.map_err(|error| ArtifactError::Section { section, error })?);
        Ok(())
    }

    /// Saves the index so that a crash at any moment leaves the old file or the new one. The
    /// tables go to the file through a small buffer: no copy of them is held.
    pub fn save(&self, path: &FilePath) -> Result<(), ArtifactError> {
        Ok(self.sections().save(self.grid().fingerprint(), path)?)
    }

    /// Opens the file of an index, with the tables of these engines. The map is in it.
    pub fn open_with(path: &FilePath, engines: &[&dyn Engine]) -> Result<Index, ArtifactError> {
        use std::io::Read;
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Index::from_bytes_with(&bytes, engines)
    }
}

/// The kind of table with this tag, among these and what they rest on.
fn with_tag(kinds: &[&'static TableKind], tag: [u8; 4]) -> Option<&'static TableKind> {
    kinds.iter().find_map(
        |&kind| {
            if kind.tag == tag { Some(kind) } else { with_tag(kind.rests_on, tag) }
        },
    )
}
