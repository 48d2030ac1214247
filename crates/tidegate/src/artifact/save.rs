//! Writing files so that a crash leaves the old one or the new one, never a torn one.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file being written: it takes its name only when it is complete.
///
/// The bytes go to a hidden neighbour of the file. [`NewFile::finish`] syncs it, gives it
/// its name and syncs the folder. A file that is dropped before leaves everything as it
/// was; a process killed before leaves the neighbour behind, which harms nobody. What is
/// no ordinary file (a device, a pipe) is written to directly and never replaced; where
/// the name is a link, the file it leads to is replaced and not the link.
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
    }
}

impl NewFile {
    /// Begins a file that will be called `path`.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        let path = match fs::metadata(path) {
            Ok(old) if old.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            Ok(old) if !old.is_file() => {
                let file = OpenOptions::new().write(true).open(path)?;
                return Ok(NewFile { file: BufWriter::new(file), names: None });
            }
            Ok(_) => fs::canonicalize(path)?,
            Err(_) => path.to_path_buf(),
        };
        let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "it names no file");
        let (neighbour, file) =
            create_beside(folder_of(&path), path.file_name().ok_or_else(no_name)?)?;
        Ok(NewFile { file: BufWriter::new(file), names: Some((Neighbour(neighbour), path)) })
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

fn create_beside(folder: &Path, name: &OsStr) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let mut own = OsString::from(".");
        own.push(name);
        own.push(format!(".{}-{number}.tmp", std::process::id()));
        let path = folder.join(own);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => return file.map(|file| (path, file)),
        }
    }
}

/// Makes the rename itself last. Only Unix lets a folder be synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
