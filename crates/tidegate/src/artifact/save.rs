//! Writing files so that a crash leaves the old one or the new one, never a torn one.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Links that are followed to the file they lead to; more are a circle.
const MAX_LINKS: usize = 40;

/// The neighbours that exist now, for [`NewFile::remove_unfinished`].
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file being written: it takes its name only when it is complete.
///
/// The bytes go to a hidden neighbour of the file. [`NewFile::finish`] syncs it, gives it
/// its name and syncs the folder. A file that is dropped before leaves everything as it
/// was; a process killed before leaves the neighbour (`.tidegate-*.tmp`) behind, unless it
/// catches the signal and calls [`NewFile::remove_unfinished`]. What is no ordinary file (a
/// device, a pipe) is written to directly and never replaced; where the name is a link, the
/// file it leads to is replaced or made, and not the link. A file that is replaced keeps its
/// permissions.
///
/// ```
/// use std::io::Write;
/// use tidegate::artifact::NewFile;
/// # let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("notes.txt");
/// let mut file = NewFile::create(&path).unwrap();
/// file.write_all(b"whole").unwrap();
/// assert!(!path.exists());
/// file.finish().unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"whole");
/// ```
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<File>,
    /// The neighbour and the name it will take; `None` where there is nothing to replace.
    names: Option<(Neighbour, PathBuf)>,
}

/// A file that is removed unless it was renamed.
#[derive(Debug)]
struct Neighbour(PathBuf);

impl Drop for Neighbour {
    fn drop(&mut self) {
        // After a renaming there is nothing here any more.
        let _ = fs::remove_file(&self.0);
        unfinished().retain(|path| *path != self.0);
    }
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl NewFile {
    /// Begins a file that will be called `path`.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let path = follow_links(path)?;
        let old = match fs::metadata(&path) {
            Ok(old) if old.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            Ok(old) if !old.is_file() => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(NewFile { file: BufWriter::new(file), names: None });
            }
            Ok(old) => Some(old.permissions()),
            Err(_) => None,
        };
        if path.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
        }
        let (neighbour, file) = create_beside(folder_of(&path), old)?;
        Ok(NewFile { file: BufWriter::new(file), names: Some((neighbour, path)) })
    }

    /// Removes the neighbours of all files that are being written and lets no other begin:
    /// for a program that was told to stop and ends right after this.
    pub fn remove_unfinished() {
        let unfinished = unfinished();
        for path in unfinished.iter() {
            let _ = fs::remove_file(path);
        }
        // Whoever wants to begin another file waits until the program has ended.
        std::mem::forget(unfinished);
    }

    /// Gives the complete file its name.
    pub fn finish(self) -> io::Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Some((neighbour, path)) = self.names else { return Ok(()) };
        file.sync_all()?;
        fs::rename(&neighbour.0, &path)?;
        sync_folder(folder_of(&path))
    }

    /// Writes a whole file at once.
    pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = NewFile::create(path)?;
        file.write_all(bytes)?;
        file.finish()
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file that a name stands for, whether it exists or not.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        // What cannot be read as a link is the file itself, or is found out on opening it.
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        // A device may be a link to something that has no name, as /dev/stdout is to a pipe.
        if fs::metadata(&path).is_ok_and(|end| !end.is_file() && !end.is_dir()) {
            return Ok(path);
        }
        path = folder_of(&path).join(target);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its links lead in a circle"))
}

/// A new file with a short name of its own, and with the permissions of the old one.
fn create_beside(folder: &Path, old: Option<Permissions>) -> io::Result<(Neighbour, File)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if old.is_some() {
        // Nobody else may open it before it has the old file's permissions.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut unfinished = unfinished();
    let (neighbour, file) = loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".tidegate-{}-{number}.tmp", std::process::id()));
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
            Ok(file) => break (path, file),
        }
    };
    unfinished.push(neighbour.clone());
    drop(unfinished);
    let neighbour = Neighbour(neighbour);
    if let Some(old) = old.filter(|old| file.metadata().is_ok_and(|m| m.permissions() != *old)) {
        file.set_permissions(old)?;
    }
    Ok((neighbour, file))
}

/// Makes the rename itself last. Only Unix lets a folder be synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
