//! `tidegate path --trace`, read by the package that Posthoc reads expressions with.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// The checker, or `None` (and a word why) where Node or the package is missing.
fn checker(test: &str) -> Option<Command> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/posthoc");
    let node = Command::new("node").arg("--version").output();
    if !node.is_ok_and(|output| output.status.success()) {
        eprintln!("{test}: skipped, there is no node");
        return None;
    }
    if !folder.join("node_modules/string-template-parser").is_dir() {
        eprintln!("{test}: skipped, run 'npm install --prefix tools/posthoc' first");
        return None;
    }
    let mut command = Command::new("node");
    command.arg(folder.join("check.mjs"));
    Some(command)
}

fn path(folder: &Path, engine: &str, file: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tidegate"))
        .args(["path", "town.map", "--from", "0,0", "--to", "62,40", "--engine", engine])
        .args(["--trace", file])
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn posthoc_draws_every_event_of_a_trace() {
    let folder = TempDir::new().unwrap();
    let mut map = "type octile\nheight 48\nwidth 64\nmap\n".to_string();
    for y in 0..48 {
        let letter = |x: i32| if x % 16 == 15 && y % 24 != x % 7 { '@' } else { '.' };
        map.extend((0..64).map(letter).chain(['\n']));
    }
    std::fs::write(folder.path().join("town.map"), map).unwrap();
    let mut files = Vec::new();
    for engine in ["astar", "jps", "gateway", "hpa", "dsma"] {
        let file = format!("{engine}.trace.json");
        let output = path(folder.path(), engine, &file);
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{engine}: {printed}");
        assert!(printed.is_empty(), "{engine}: {printed}");
        files.push(file);
    }
    let Some(mut check) = checker("posthoc_draws_every_event_of_a_trace") else { return };
    let output = check.args(&files).current_dir(folder.path()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(printed.lines().count(), files.len(), "{printed}");
}
