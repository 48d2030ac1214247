//! Writing that fails: on every command that writes, at any length, on a full disk. The
//! old file stays, nothing else is left, and the message names the file.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A command with its arguments (`{}` is the folder) and the files it writes, the first
/// of them the one that fails first.
type Case = (&'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    (&["index", "{}/in.map", "-o", "{}/out.tide", "--engine", "gateway"], &["out.tide"]),
    (&["decompose", "{}/in.map", "--json", "{}/out.json"], &["out.json"]),
    (&["decompose", "{}/in.map", "--svg", "{}/out.svg"], &["out.svg"]),
    (&["decompose", "{}/in.map", "--png", "{}/out.png", "--scale", "4"], &["out.png"]),
    (&["decompose", "{}/in.map", "--depth", "{}/depth.png", "--scale", "4"], &["depth.png"]),
    (&["decompose", "{}/in.map", "--stages", "{}/stages.png", "--scale", "4"], &["stages.png"]),
    (&["decompose", "{}/in.map", "--film", "{}/film.png", "--scale", "4"], &["film.png"]),
    (&["path", "{}/in.map", "--from", "1,1", "--to", "9,9", "--png", "{}/way.png"], &["way.png"]),
    (
        &["path", "{}/in.map", "--from", "1,1", "--to", "9,9", "--trace", "{}/way.json"],
        &["way.json"],
    ),
    (&["convert", "{}/in.map", "{}/out.map"], &["out.map"]),
    (&["convert", "{}/in.map", "{}/out.txt"], &["out.txt"]),
    (&["convert", "{}/in.map", "{}/copy.png", "--scale", "9"], &["copy.png"]),
    (
        &["generate", "caves", "--size", "40x40", "-o", "{}/new.map", "--problems", "40"],
        &["new.map", "new.map.scen"],
    ),
    (&["bench", "--suite", "{}", "--engine", "astar", "--csv", "{}/rows.csv"], &["rows.csv"]),
    (
        &["bench", "--suite", "{}", "--engine", "astar", "--paths", "{}/paths.jsonl"],
        &["paths.jsonl"],
    ),
    (&["bench", "--suite", "{}", "--engine", "astar", "--json", "{}/sum.json"], &["sum.json"]),
];

const OLD: &[u8] = b"the old file";

fn lay_out(folder: &Path) {
    let program = env!("CARGO_BIN_EXE_tidegate");
    for part in ["maps/s", "scenarios/s"] {
        fs::create_dir_all(folder.join(part)).unwrap();
    }
    let map = folder.join("maps/s/a.map");
    let made = Command::new(program)
        .args(["generate", "rooms", "--size", "40x30", "--problems", "60", "-o"])
        .arg(&map)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    fs::rename(folder.join("maps/s/a.map.scen"), folder.join("scenarios/s/a.map.scen")).unwrap();
    // An open field for the single queries.
    let row = ".".repeat(40);
    let rows = vec![row; 30].join("\n");
    fs::write(folder.join("in.map"), format!("type octile\nheight 30\nwidth 40\nmap\n{rows}\n"))
        .unwrap();
}

/// Runs a command that may write at most so many KiB to a file. Returns its exit code and
/// what it said.
fn run_limited(arguments: &[&str], folder: &Path, kilobytes: Option<usize>) -> (i32, String) {
    let place = folder.to_string_lossy();
    let limit = kilobytes.map_or("unlimited".to_owned(), |k| k.to_string());
    // With the signal ignored, a write beyond the limit is an error as on a full disk.
    let output = Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"", "limited", &limit])
        .arg(env!("CARGO_BIN_EXE_tidegate"))
        .args(arguments.iter().map(|a| a.replace("{}", &place)))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

fn hidden(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().flatten().map(|e| e.file_name());
    names.map(|n| n.to_string_lossy().into_owned()).filter(|n| n.starts_with('.')).collect()
}

#[test]
fn a_write_that_fails_leaves_the_old_file_on_every_command() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    lay_out(folder);
    let mut failed = 0;
    for (arguments, files) in CASES {
        let command = arguments.join(" ");
        let (code, text) = run_limited(arguments, folder, None);
        assert_eq!(code, 0, "{command}: {text}");
        let largest = files.iter().map(|f| fs::metadata(folder.join(f)).unwrap().len()).max();
        let blocks = largest.unwrap().div_ceil(1024) as usize;
        // Nothing may be written, then a part, then all but the last block.
        for kilobytes in [0, blocks / 2, blocks - 1] {
            files.iter().for_each(|f| fs::write(folder.join(f), OLD).unwrap());
            let (code, text) = run_limited(arguments, folder, Some(kilobytes));
            assert_eq!(code, 2, "{command}, {kilobytes} KiB: {text}");
            let named = files.iter().any(|f| text.contains(f));
            assert!(named && text.contains("cannot write"), "{command}: {text}");
            let kept = |f: &&str| fs::read(folder.join(f)).unwrap() == OLD;
            assert!(files.iter().any(&kept), "{command}: nothing of the old is left");
            if kilobytes == 0 {
                assert!(files.iter().all(kept), "{command}: the old files are gone");
            }
            assert_eq!(hidden(folder), [""; 0], "{command}, {kilobytes} KiB");
            failed += 1;
        }
    }
    assert_eq!(failed, 3 * CASES.len());
}

/// A real full disk: a file system in memory of 16 KiB. Only an administrator may make
/// one; elsewhere the test says that it is skipped.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    struct Mounted<'a>(&'a Path);
    impl Drop for Mounted<'_> {
        fn drop(&mut self) {
            let _ = Command::new("umount").arg(self.0).status();
        }
    }
    let place = TempDir::new().unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=16k", "tidegate-test"])
        .arg(place.path())
        .output();
    if !mount.is_ok_and(|done| done.status.success()) {
        eprintln!("a_full_disk_leaves_the_old_file: skipped, no file system can be made here");
        return;
    }
    let mounted = Mounted(place.path());
    let work = TempDir::new().unwrap();
    lay_out(work.path());
    let file = mounted.0.join("out.tide");
    fs::write(&file, OLD).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tidegate"))
        .args(["index", "--engine", "labels", "--engine", "differential"])
        .arg(work.path().join("in.map"))
        .arg("-o")
        .arg(&file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("out.tide") && text.contains("No space left"), "{text}");
    assert_eq!(fs::read(&file).unwrap(), OLD);
    assert_eq!(hidden(mounted.0), [""; 0]);
}
