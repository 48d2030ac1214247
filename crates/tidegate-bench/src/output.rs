//! Writing files; an error names the file.

use std::path::Path;

use anyhow::{Context as _, Result};
use tidegate::artifact::NewFile;

/// Begins a file that takes its name when [`finish`] is called.
pub fn create(path: &Path) -> Result<NewFile> {
    NewFile::create(path).with_context(|| shown(path))
}

/// Completes a file.
pub fn finish(file: NewFile, path: &Path) -> Result<()> {
    file.finish().with_context(|| shown(path))
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    NewFile::replace(path, bytes).with_context(|| shown(path))
}

fn shown(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
