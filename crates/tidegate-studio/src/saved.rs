//! The files of a map's saved work, beside the map: read when it is opened, and replaced only
//! if they still are what was last read or written here.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use tidegate::artifact::NewFile;
use tidegate::grid::TileMap;
use tidegate::json::{JsonError, MAX_BYTES};
use tidegate::{Decomposition, Grid};

use crate::api_error::{ApiError, ApiResult};
use crate::document::difference;

/// What the names of the files end in.
pub(crate) const ZONES: &str = "zones.json";
pub(crate) const WALLS: &str = "edited.map";
pub(crate) const INDEX: &str = "tide";
/// New walls whose zones are not saved yet, while both are.
const NEXT_WALLS: &str = "edited.next.map";

/// Where a map's work is saved, and what is known of the files there.
#[derive(Debug)]
pub(crate) struct SavedFiles {
    pub(crate) folder: PathBuf,
    /// What the names of all files begin with.
    pub(crate) stem: String,
    /// By ending: the hash of what was last read or written.
    known: Mutex<HashMap<&'static str, blake3::Hash>>,
}

/// What lay beside a map when it was opened.
#[derive(Clone, Debug)]
pub(crate) enum Beside {
    Nothing,
    /// Work that fits the map. The walls are those of the map or of a second file.
    Work {
        grid: Arc<Grid>,
        parts: Arc<Decomposition>,
        files: Vec<PathBuf>,
    },
    /// A file that cannot be used. It is left alone.
    Unfit {
        file: PathBuf,
        why: String,
    },
}

impl SavedFiles {
    pub(crate) fn new(folder: PathBuf, stem: String) -> SavedFiles {
        SavedFiles { folder, stem, known: Mutex::default() }
    }

    pub(crate) fn path(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.stem))
    }

    fn remember(&self, ending: &'static str, hash: blake3::Hash) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(ending, hash);
    }

    /// Reads the work that was saved for a map.
    pub(crate) fn open(&self, grid: &Grid) -> Beside {
        let file = self.path(ZONES);
        if !file.exists() {
            return Beside::Nothing;
        }
        match self.read_work(grid) {
            Ok((grid, parts, files)) => Beside::Work { grid, parts: Arc::new(parts), files },
            Err(why) => Beside::Unfit { file, why },
        }
    }

    fn read_work(&self, grid: &Grid) -> Result<(Arc<Grid>, Decomposition, Vec<PathBuf>), String> {
        let bytes = read(&self.path(ZONES)).map_err(|error| error.to_string())?;
        let text = std::str::from_utf8(&bytes).map_err(|error| error.to_string())?;
        let hash = blake3::hash(&bytes);
        match Decomposition::from_json(grid, text) {
            Ok(parts) => {
                self.remember(ZONES, hash);
                Ok((Arc::new(grid.clone()), parts, vec![self.path(ZONES)]))
            }
            // Painted walls are saved in a map of their own.
            Err(JsonError::OtherMap { .. }) if self.has_walls() => {
                let (bytes, painted, parts) =
                    self.walls_of(grid, text, WALLS).or_else(|error| {
                        let next = self.walls_of(grid, text, NEXT_WALLS).map_err(|_| error)?;
                        // These zones were saved, and the studio ended before the walls had
                        // their name. If they cannot get it now, they are used as they are.
                        let _ = fs::rename(self.path(NEXT_WALLS), self.path(WALLS));
                        Ok::<_, String>(next)
                    })?;
                self.remember(ZONES, hash);
                self.remember(WALLS, blake3::hash(&bytes));
                Ok((Arc::new(painted), parts, vec![self.path(WALLS), self.path(ZONES)]))
            }
            Err(JsonError::OtherMap { of, .. }) if of.starts_with("fingerprint") => Err(unfit()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn has_walls(&self) -> bool {
        self.path(WALLS).is_file() || self.path(NEXT_WALLS).is_file()
    }

    /// The bytes of a file of walls, and map and zones with them, if they belong together.
    fn walls_of(
        &self,
        grid: &Grid,
        zones: &str,
        ending: &str,
    ) -> Result<(Vec<u8>, Grid, Decomposition), String> {
        let bytes = read(&self.path(ending)).map_err(|error| error.to_string())?;
        let painted = with_walls(grid, &bytes).ok_or_else(unfit)?;
        let parts = Decomposition::from_json(&painted, zones).map_err(|_| unfit())?;
        Ok((bytes, painted, parts))
    }

    /// Refuses, if a file would be replaced that is not the one last read or written here.
    pub(crate) fn check(&self, ending: &'static str, bytes: &[u8]) -> ApiResult<()> {
        let path = self.path(ending);
        // What is no file cannot be lost; writing will say what is in the way.
        if !path.is_file() {
            return Ok(());
        }
        let there = hash_of(&path).ok();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(ending).copied();
        if there.is_some() && (there == known || there == Some(blake3::hash(bytes))) {
            return Ok(());
        }
        let why = match known {
            Some(_) => "was changed by another program since it was loaded or saved here",
            None => "was not loaded or saved here",
        };
        let message = format!("{} {why}", path.display());
        Err(ApiError::new(StatusCode::CONFLICT, "exists", message))
    }

    /// Writes walls and the zones on them: whenever this ends, both old ones are read next, or
    /// both new ones. Zones name their walls, so new walls wait under another name until their
    /// zones are there.
    pub(crate) fn write_both(&self, walls: &[u8], zones: &[u8]) -> ApiResult<Vec<PathBuf>> {
        let next = self.write(NEXT_WALLS, walls)?;
        let zones = self.write(ZONES, zones).inspect_err(|_| _ = fs::remove_file(&next))?;
        let path = self.path(WALLS);
        let is_there = || hash_of(&path).is_ok_and(|hash| hash == blake3::hash(walls));
        // Another studio that opened the map just now may have done it.
        if let Err(error) = fs::rename(&next, &path)
            && !is_there()
        {
            let message = format!("cannot write {}: {error}", path.display());
            return Err(ApiError::refused(message));
        }
        self.remember(WALLS, blake3::hash(walls));
        Ok(vec![path, zones])
    }

    /// Writes a file: the old one stays until the new one is complete.
    pub(crate) fn write(&self, ending: &'static str, bytes: &[u8]) -> ApiResult<PathBuf> {
        let path = self.path(ending);
        NewFile::replace(&path, bytes).map_err(|error| {
            ApiError::refused(format!("cannot write {}: {error}", path.display()))
        })?;
        self.remember(ending, blake3::hash(bytes));
        Ok(path)
    }
}

fn unfit() -> String {
    "it was saved for other walls, other costs or another rule of movement".to_owned()
}

/// The map with the walls of another one of the same size.
fn with_walls(grid: &Grid, bytes: &[u8]) -> Option<Grid> {
    let walls = TileMap::parse(bytes).ok()?.grid(grid.movement());
    if (walls.width(), walls.height()) != (grid.width(), grid.height()) {
        return None;
    }
    let mut painted = grid.clone();
    for cell in difference(grid, &walls) {
        painted.set_free(grid.tile(cell), walls.is_free_cell(cell));
    }
    Some(painted)
}

/// A whole file, unless it is no file or longer than anything that is written here.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        return Err(io::Error::other(format!("it is longer than {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}

/// The hash of a file's bytes, however many they are.
fn hash_of(path: &Path) -> io::Result<blake3::Hash> {
    let (mut file, mut hash) = (File::open(path)?, blake3::Hasher::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finalize()),
            n => hash.update(&buffer[..n]),
        };
    }
}
