//! Unsaved work, kept on disk after every change and offered again when its map is opened next.
//!
//! A studio that runs has a number of its own, locked while it lives; the names of its files
//! carry it. So two studios never write one file, and work whose studio is gone, however it
//! ended, is told from work that somebody is still doing.

use std::cmp::Reverse;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tidegate::artifact::NewFile;
use tidegate::decompose::{GateLine, Method, Source};
use tidegate::{CellId, Decomposition, Grid};

use crate::document::{Numbers, Pair, Scene, Whole, difference, tile};
use crate::saved::read;

/// The version of the files; other versions have other names.
const VERSION: u32 = 1;
/// Studios that may run at once and keep their work.
const SESSIONS: u32 = 64;

/// A studio's number, and the folder where work is kept.
#[derive(Debug)]
pub(crate) struct Session {
    folder: PathBuf,
    number: u32,
    _lock: File,
}

impl Session {
    /// Takes the first number that no other studio has.
    pub(crate) fn begin(folder: &Path) -> io::Result<Session> {
        create_private(folder)?;
        for number in 1..=SESSIONS {
            let lock = File::options().create(true).append(true).open(lock_path(folder, number))?;
            if !is_held(&lock) {
                return Ok(Session { folder: folder.to_path_buf(), number, _lock: lock });
            }
        }
        Err(io::Error::other(format!("{SESSIONS} studios are running")))
    }

    /// Whether another studio that still runs has this number.
    fn is_anothers(&self, number: u32) -> bool {
        let other = || File::open(lock_path(&self.folder, number)).is_ok_and(|file| is_held(&file));
        number != self.number && other()
    }
}

fn lock_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("session-{number}.lock"))
}

/// Whether somebody holds a lock on a file; else it is locked for as long as `file` lives.
/// Where files cannot be locked, nobody does.
fn is_held(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Makes a folder for this user alone.
fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// What is kept of a map: how its walls differ from those of its file, and its gates.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    version: u32,
    /// For whoever looks into the folder.
    map: String,
    fingerprint: String,
    /// Seconds since 1970.
    time: u64,
    /// Tiles that are toggled: the first cell of a run and its length.
    toggled: Vec<(u32, u32)>,
    gates: Vec<(Pair, Pair, bool)>,
    method: String,
    raw_gates: u32,
    numbers: Numbers,
}

impl Record {
    fn new(map: String, original: &Grid, scene: &Scene) -> Record {
        let mut toggled: Vec<(u32, u32)> = Vec::new();
        for cell in difference(original, scene.grid()) {
            let cell = cell.index() as u32;
            match toggled.last_mut() {
                Some((first, length)) if *first + *length == cell => *length += 1,
                _ => toggled.push((cell, 1)),
            }
        }
        let pair = |tile: tidegate::Tile| (tile.x, tile.y);
        let gate = |line: GateLine| (pair(line.a()), pair(line.b()), line.source());
        let gates = scene.parts.lines().map(gate);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Record {
            version: VERSION,
            map,
            fingerprint: original.fingerprint().to_string(),
            time: now.as_secs(),
            toggled,
            gates: gates.map(|(a, b, source)| (a, b, source == Source::Manual)).collect(),
            method: scene.parts.method().name().to_owned(),
            raw_gates: scene.parts.raw_gates(),
            numbers: (*scene.numbers).clone(),
        }
    }

    /// The state that was kept, if this is a record of the map.
    fn whole(self, original: &Grid) -> Result<Whole, String> {
        if self.version != VERSION {
            return Err(format!("version {} is not known", self.version));
        }
        if self.fingerprint != original.fingerprint().to_string() {
            return Err("it is for another map".to_owned());
        }
        let mut grid = original.clone();
        for (first, length) in self.toggled {
            let end = first.checked_add(length).filter(|&end| end as usize <= grid.tiles());
            for cell in first..end.ok_or("a tile lies outside the map")? {
                let cell = CellId::from_index(cell as usize);
                grid.set_free(grid.tile(cell), !original.is_free_cell(cell));
            }
        }
        let source = |manual| if manual { Source::Manual } else { Source::Automatic };
        let lines =
            self.gates.iter().map(|&(a, b, by)| GateLine::new(tile(a), tile(b), source(by)));
        let parts = Decomposition::from_gates(&grid, lines).map_err(|error| error.to_string())?;
        let method = Method::from_name(&self.method).ok_or("the method is not known")?;
        let parts = parts.with_origin(method, self.raw_gates);
        let numbers = Some(self.numbers).filter(|numbers| numbers.fit(&parts));
        let numbers = numbers.unwrap_or_else(|| Numbers::new(&grid, &parts));
        Ok(Whole { grid: Arc::new(grid), parts: Arc::new(parts), numbers: Arc::new(numbers) })
    }
}

/// Reads the bytes of a file of kept work for a map, as a studio does that finds it at its start: the walls
/// and zones in it, or why they are not taken. For tests that try files of every kind.
pub fn read_kept(bytes: &[u8], map: &Grid) -> Result<(Grid, Decomposition), String> {
    let record: Record = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let whole = record.whole(map)?;
    Ok(((*whole.grid).clone(), (*whole.parts).clone()))
}

/// Work of an earlier studio that was not saved.
#[derive(Clone, Debug)]
pub(crate) struct Recovery {
    pub(crate) file: PathBuf,
    /// Seconds since 1970.
    pub(crate) time: u64,
    pub(crate) whole: Arc<Whole>,
}

/// Where the unsaved work of one map is kept.
#[derive(Clone, Debug)]
pub(crate) struct Autosave {
    session: Arc<Session>,
    /// What the names of the files begin with.
    key: String,
    map: String,
}

impl Autosave {
    /// For the map of this name and folder; another map there has another name.
    pub(crate) fn new(session: Arc<Session>, folder: &Path, stem: &str, grid: &Grid) -> Autosave {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let map = folder.join(stem).display().to_string();
        let mut hash = blake3::Hasher::new();
        hash.update(&VERSION.to_le_bytes());
        hash.update(&grid.fingerprint().0);
        hash.update(map.as_bytes());
        let hash = hash.finalize().to_hex();
        Autosave { session, key: format!("{stem}-{}", &hash[..24]), map }
    }

    fn path(&self, number: u32) -> PathBuf {
        self.session.folder.join(format!("{}.{number}.json", self.key))
    }

    /// Keeps a state.
    pub(crate) fn store(&self, original: &Grid, scene: &Scene) -> Result<(), String> {
        let path = self.path(self.session.number);
        let record = Record::new(self.map.clone(), original, scene);
        let bytes = serde_json::to_vec(&record).map_err(|error| error.to_string())?;
        NewFile::replace(&path, &bytes).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Forgets what is kept: it was saved, or taken back.
    pub(crate) fn clear(&self) {
        let _ = fs::remove_file(self.path(self.session.number));
    }

    /// Work that was kept by studios that are gone: what lies where this one keeps its own, then
    /// the latest. Files that cannot be read are passed over.
    pub(crate) fn find(&self, original: &Grid) -> Vec<Recovery> {
        let numbers = (1..=SESSIONS).filter(|&number| self.path(number).exists());
        let gone = numbers.filter(|&number| !self.session.is_anothers(number));
        let found = gone.filter_map(|number| {
            let file = self.path(number);
            let record: Record = serde_json::from_slice(&read(&file).ok()?).ok()?;
            let (time, whole) = (record.time, record.whole(original).ok()?);
            Some(Recovery { file, time, whole: Arc::new(whole) })
        });
        let mut found: Vec<Recovery> = found.collect();
        let own = self.path(self.session.number);
        found.sort_by_key(|recovery| (recovery.file != own, Reverse(recovery.time)));
        found
    }

    /// Throws away what was offered, unless the work of now lies there.
    pub(crate) fn drop_recovery(&self, recovery: &Recovery, is_restored: bool) {
        if !is_restored || recovery.file != self.path(self.session.number) {
            let _ = fs::remove_file(&recovery.file);
        }
    }
}

/// Where programs keep what should outlive them: `$XDG_STATE_HOME/tidegate`, by default
/// `~/.local/state/tidegate`; on Windows `%LOCALAPPDATA%\tidegate`.
pub fn state_folder() -> Option<PathBuf> {
    let variable = |name: &str| {
        std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute())
    };
    let home = || Some(variable("HOME")?.join(".local/state"));
    let base = if cfg!(windows) { variable("LOCALAPPDATA") } else { None };
    Some(variable("XDG_STATE_HOME").or(base).or_else(home)?.join("tidegate"))
}
