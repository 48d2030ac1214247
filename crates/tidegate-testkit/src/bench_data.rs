//! Where the Moving AI benchmark data lies, if it is on this machine.

use std::path::PathBuf;

/// The benchmark folder: `$TIDEGATE_BENCH`, else `../shared/bench` beside the project.
/// Where neither exists this says so on standard error and returns `None`, and the
/// calling test has nothing to do.
pub fn folder(test: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let folder = std::env::var_os("TIDEGATE_BENCH").filter(|folder| !folder.is_empty());
    let folder = folder.map_or_else(beside, PathBuf::from);
    if folder.join("maps").is_dir() {
        return Some(folder);
    }
    eprintln!("{test}: skipped, no benchmark data (set TIDEGATE_BENCH to a folder with maps/)");
    None
}

/// The suite of generated maps that the project carries itself.
pub fn bundled_suite() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tidegate-bench/suite")
}
