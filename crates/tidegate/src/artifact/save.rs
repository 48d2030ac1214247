//! Replacing a file so that a crash leaves the old one or the new one, never a torn one.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Calls `write` with a new file beside `path`, syncs it and renames it over `path`.
/// If anything fails, `path` is as it was before and the new file is removed.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("{} names no file", path.display()))
    })?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (temporary, mut file) = create_beside(folder, name)?;
    let done =
        write(&mut file).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&temporary, path));
    drop(file);
    if done.is_err() {
        // The first error is the one to tell; a leftover file harms nobody.
        let _ = fs::remove_file(&temporary);
        return done;
    }
    sync_folder(folder)
}

fn create_beside(folder: &Path, name: &std::ffi::OsStr) -> io::Result<(PathBuf, File)> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let mut own = std::ffi::OsString::from(".");
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
