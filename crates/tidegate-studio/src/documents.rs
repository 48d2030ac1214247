//! All maps that are open: bundled ones, those given at start, and uploads.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use tidegate::grid::scen_file::{self, Problem};
use tidegate::grid::{TileMap, scen_file::ScenError};
use tidegate::{Index, Movement};
use tidegate_bench::suite::bundled;

use crate::api_error::{ApiError, ApiResult};
use crate::autosave::{Autosave, Session};
use crate::document::{Document, LARGEST, Origin};
use crate::saved::SavedFiles;

/// The most uploaded maps at once.
pub(crate) const MAX_UPLOADS: usize = 32;
/// The most tiles of an uploaded map.
pub(crate) const MAX_TILES: usize = 1 << 24;
/// The most tiles of all uploaded maps together.
const MAX_OPEN_TILES: u64 = 1 << 26;
/// Between the id of a map and the size of units that it is asked for.
const UNIT: char = '~';
const TIDE_SIGNATURE: &[u8] = b"\x89TIDE";

/// A map given at start.
#[derive(Debug)]
pub struct Opened {
    /// What it is called.
    pub name: String,
    /// Where its work is saved.
    pub folder: PathBuf,
    /// The map, with zones, gates and tables if it came with them.
    pub index: Index,
    /// Its problems, if any.
    pub problems: Vec<Problem>,
}

/// The maps in order: those given at start, bundled ones, uploads.
#[derive(Debug)]
pub(crate) struct Documents {
    documents: RwLock<Vec<Arc<Document>>>,
    /// Where bundled maps and uploads are saved.
    folder: PathBuf,
    /// Where unsaved work is kept.
    session: Option<Arc<Session>>,
}

impl Documents {
    /// The bundled maps and these.
    pub(crate) fn new(
        opened: Vec<Opened>,
        folder: PathBuf,
        session: Option<Session>,
    ) -> anyhow::Result<Documents> {
        let session = session.map(Arc::new);
        let shelf = Documents { documents: RwLock::default(), folder: folder.clone(), session };
        for Opened { name, folder, index, problems } in opened {
            shelf.add(&name, Origin::File, folder, index, problems);
        }
        for &(name, map, problems) in bundled() {
            let index = Index::new(TileMap::parse(map)?.grid(Movement::default()));
            let problems = scen_file::parse(problems)?;
            shelf.add(name, Origin::Bundled, folder.clone(), index, problems);
        }
        Ok(shelf)
    }

    fn add(
        &self,
        name: &str,
        origin: Origin,
        folder: PathBuf,
        index: Index,
        problems: Vec<Problem>,
    ) -> String {
        let mut documents = self.documents.write().unwrap_or_else(PoisonError::into_inner);
        let plain = plain(name);
        let taken = |id: &str| documents.iter().any(|d| d.id == id);
        let numbered = (2..).map(|n| format!("{plain}-{n}"));
        let id = std::iter::once(plain.clone()).chain(numbered).find(|id| !taken(id));
        let id = id.unwrap_or_else(|| plain.clone());
        let name = name.chars().take(80).collect();
        // Files are called after the map, not after how many maps of this name are open; only
        // two in one folder must not share them.
        let shared = documents.iter().any(|d| d.files.folder == folder && d.files.stem == plain);
        let files = SavedFiles::new(folder, if shared { id.clone() } else { plain });
        let autosave = self
            .session
            .clone()
            .map(|session| Autosave::new(session, &files.folder, &files.stem, index.grid()));
        let document = Document::new(id.clone(), name, origin, files, autosave, index, problems);
        documents.push(Arc::new(document));
        id
    }

    pub(crate) fn all(&self) -> Vec<Arc<Document>> {
        self.documents.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The map of an id; `ID~2` is the same for units of two tiles.
    pub(crate) fn get(&self, id: &str) -> ApiResult<Arc<Document>> {
        let (id, size) =
            id.split_once(UNIT).map_or((id, Some(1)), |(id, size)| (id, size_in(size)));
        let documents = self.documents.read().unwrap_or_else(PoisonError::into_inner);
        let found = documents.iter().find(|d| d.id == id);
        match (found, size) {
            (Some(found), Some(1)) => Ok(Arc::clone(found)),
            (Some(found), Some(size)) => Ok(found.for_unit(size)),
            _ => Err(ApiError::not_found("there is no such map")),
        }
    }

    /// Opens an uploaded map and gives it a name for addresses.
    pub(crate) fn upload(&self, name: &str, bytes: &[u8], movement: Movement) -> ApiResult<String> {
        let mut uploads = self.all();
        uploads.retain(|document| document.origin == Origin::Upload);
        if uploads.len() >= MAX_UPLOADS {
            return Err(ApiError::busy(format!("at most {MAX_UPLOADS} uploaded maps: close one")));
        }
        // Before anything is built that takes many times the size of the file.
        let check = |width: u32, height: u32| {
            let tiles = u64::from(width) * u64::from(height);
            if tiles > MAX_TILES as u64 {
                return Err(ApiError::refused(format!("a map has at most {MAX_TILES} tiles here")));
            }
            let open: u64 = uploads.iter().map(|document| document.tiles() as u64).sum();
            if open + tiles > MAX_OPEN_TILES {
                let text = format!("uploaded maps have at most {MAX_OPEN_TILES} tiles together");
                return Err(ApiError::busy(format!("{text}: close one")));
            }
            Ok(())
        };
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let index = if bytes.starts_with(TIDE_SIGNATURE) {
            let (width, height) = Index::size_in_bytes(bytes).map_err(ApiError::refused)?;
            check(width, height)?;
            Index::from_bytes_with(bytes, tidegate_sectors::ENGINES).map_err(ApiError::refused)?
        } else {
            // Without an ending the first word decides: .map files begin with `type`.
            let text = ending.is_empty() && !bytes.starts_with(b"type");
            let ending = if text { "txt" } else { ending };
            let map = TileMap::read_any(bytes, ending).map_err(ApiError::refused)?;
            check(map.width(), map.height())?;
            Index::new(map.grid(movement))
        };
        Ok(self.add(stem, Origin::Upload, self.folder.clone(), index, Vec::new()))
    }

    /// Closes an uploaded map.
    pub(crate) fn close(&self, id: &str) -> ApiResult<()> {
        let document = self.get(id)?;
        document.check_changeable()?;
        if document.origin != Origin::Upload {
            return Err(ApiError::refused("only uploaded maps can be closed"));
        }
        let mut documents = self.documents.write().unwrap_or_else(PoisonError::into_inner);
        documents.retain(|d| d.id != id);
        Ok(())
    }
}

/// Reads problems and checks that they lie on the map.
pub(crate) fn read_problems(document: &Document, bytes: &[u8]) -> Result<Vec<Problem>, ScenError> {
    let problems = scen_file::parse(bytes)?;
    let index = document.index();
    problems.iter().try_for_each(|problem| problem.check(index.grid()))?;
    Ok(problems)
}

/// The size of a larger unit, if it is one.
fn size_in(text: &str) -> Option<u8> {
    let size = text.parse().ok().filter(|size| (2..=LARGEST).contains(size))?;
    (text.len() == 1).then_some(size)
}

/// A name that is safe in addresses and file names.
fn plain(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let plain: String = name.chars().take(64).map(keep).collect();
    let plain = plain.trim_matches(['.', '-']);
    if plain.is_empty() { "map".to_owned() } else { plain.to_owned() }
}
