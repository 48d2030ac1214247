//! Files and their names: links, permissions, long and odd names, and what Ctrl-C leaves.
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    program(folder).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

fn hidden(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().flatten().map(|e| e.file_name());
    names.map(|n| n.to_string_lossy().into_owned()).filter(|n| n.starts_with('.')).collect()
}

#[test]
fn a_dangling_link_is_followed() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    fs::create_dir(place.join("far")).unwrap();
    symlink("far/hop", place.join("link.map")).unwrap();
    symlink("there.map", place.join("far/hop")).unwrap();
    let output = run(place, &["generate", "maze", "--size", "9x9", "-o", "link.map"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(fs::symlink_metadata(place.join("link.map")).unwrap().is_symlink());
    assert!(fs::symlink_metadata(place.join("far/there.map")).unwrap().is_file());
    symlink("b.map", place.join("a.map")).unwrap();
    symlink("a.map", place.join("b.map")).unwrap();
    let circle = run(place, &["generate", "maze", "--size", "9x9", "-o", "a.map"]);
    assert_eq!(circle.status.code(), Some(2), "{}", said(&circle));
}

#[test]
fn a_replaced_file_keeps_its_permissions() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("my.map");
    for mode in [0o600, 0o640, 0o666] {
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let output = run(folder.path(), &["generate", "maze", "--size", "9x9", "-o", "my.map"]);
        assert!(output.status.success(), "{}", said(&output));
        let now = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(now, mode, "{now:o} after, {mode:o} before");
        assert_ne!(fs::read(&file).unwrap(), b"old");
    }
}

#[test]
fn the_longest_names_are_written() {
    let folder = TempDir::new().unwrap();
    let name = format!("{}.map", "n".repeat(251));
    let output = run(folder.path(), &["generate", "maze", "--size", "9x9", "-o", &name]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(folder.path().join(name).exists());
}

#[test]
fn a_name_that_is_no_utf_8_stays_as_it_is() {
    let folder = TempDir::new().unwrap();
    let name = |more: &str| OsString::from_vec([&b"m\xff"[..], more.as_bytes()].concat());
    let mut command = program(folder.path());
    command.args(["generate", "maze", "--size", "21x21", "--problems", "4", "-o"]);
    let output = command.arg(name(".map")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(folder.path().join(name(".map.scen")).exists(), "{:?}", fs::read_dir(folder.path()));
    let bench =
        program(folder.path()).arg("bench").arg(name(".map")).args(["--engine", "astar"]).output();
    let bench = bench.unwrap();
    assert!(bench.status.success(), "{}", said(&bench));
}

#[test]
fn a_dash_is_no_file_to_write() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    fs::write(place.join("my.txt"), "....\n....\n").unwrap();
    for arguments in [
        &["index", "my.txt", "-o", "-"][..],
        &["convert", "my.txt", "-"],
        &["generate", "maze", "--size", "9x9", "-o", "-"],
        &["decompose", "my.txt", "--json", "-"],
        &["decompose", "my.txt", "--png", "-"],
        &["path", "my.txt", "--from", "0,0", "--to", "3,1", "--trace", "-"],
        &["bench", "my.txt", "--csv", "-"],
        &["demo", "-o", "-"],
        &["man", "-o", "-"],
        &["report", "--draw", "-o", "-"],
    ] {
        let output = run(place, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        let text = said(&output);
        assert!(text.contains("not written to standard output"), "{arguments:?}: {text}");
        assert!(!place.join("-").exists(), "{arguments:?}");
    }
    let output = run(place, &["decompose", "my.txt", "--json", "./-"]);
    assert!(output.status.success() && place.join("-").exists(), "{}", said(&output));
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    fs::write(place.join("my.txt"), "....\n....\n").unwrap();
    fs::write(place.join("my.txt.scen"), "version 1\n").unwrap();
    symlink("my.txt", place.join("link.txt")).unwrap();
    for arguments in [
        &["convert", "my.txt", "my.txt"][..],
        &["convert", "my.txt", "link.txt"],
        &["convert", "link.txt", "./my.txt"],
        &["index", "my.txt", "-o", "my.txt"],
        &["decompose", "my.txt", "--json", "my.txt"],
        &["decompose", "my.txt", "--json", "z", "--png", "./z"],
        &["path", "my.txt", "--from", "0,0", "--to", "3,1", "--png", "my.txt"],
        &["bench", "my.txt", "--csv", "my.txt.scen"],
        &["bench", "my.txt", "--csv", "rows", "--json", "rows"],
    ] {
        let output = run(place, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        let text = said(&output);
        let reasons = ["is read by this command", "would be written twice"];
        assert!(reasons.iter().any(|words| text.contains(words)), "{arguments:?}: {text}");
        assert_eq!(fs::read(place.join("my.txt")).unwrap(), b"....\n....\n", "{arguments:?}");
    }
    // Devices may be written twice.
    let twice = ["decompose", "my.txt", "--json", "/dev/null", "--svg", "/dev/null"];
    assert!(run(place, &twice).status.success());
}

/// Ctrl-C while rows are being written: nothing hidden stays, and the program ends by the signal,
/// so that a shell's loop over many maps ends too.
#[test]
fn ctrl_c_leaves_no_temporary_files() {
    use std::os::unix::process::ExitStatusExt as _;
    let folder = TempDir::new().unwrap();
    let made = ["generate", "rooms", "--size", "300x300", "-o", "m.map", "--problems", "100"];
    assert!(run(folder.path(), &made).status.success());
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let mut command = program(folder.path());
        command.args(["bench", "m.map", "--csv", "rows.csv", "--paths", "paths.jsonl"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let clock = Instant::now();
        while hidden(folder.path()).len() < 2 {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
            assert!(clock.elapsed() < Duration::from_secs(60), "it never began to write");
            std::thread::sleep(Duration::from_millis(2));
        }
        let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{name}: {status}");
        assert_eq!(hidden(folder.path()), [""; 0], "{name}");
        assert!(!folder.path().join("rows.csv").exists());
    }
}
