//! Writing files so that a failure leaves the old one as it was.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tempfile::NamedTempFile;

/// A file being written: it takes its name only when it is complete.
pub struct Output {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Output {
    /// Begins a file that will be called `path`.
    pub fn create(path: &Path) -> Result<Output> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let shown = || format!("cannot write {}", path.display());
        anyhow::ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tidegate-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder).with_context(shown)?;
        Ok(Output { path: path.to_path_buf(), file: BufWriter::new(file) })
    }

    /// Gives the complete file its name.
    pub fn finish(self) -> Result<()> {
        let shown = || format!("cannot write {}", self.path.display());
        let file = self.file.into_inner().map_err(|e| e.into_error()).with_context(shown)?;
        file.as_file().sync_all().with_context(shown)?;
        let _: File = file.persist(&self.path).map_err(|e| e.error).with_context(shown)?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    output.finish()
}
