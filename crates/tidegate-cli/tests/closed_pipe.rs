//! A reader that goes away ends the talking, never the work: the files asked for are written.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs a line of bash in a folder with a map and an index. `tidegate` is the program.
fn bash(line: &str) -> (TempDir, Output) {
    let folder = TempDir::new().unwrap();
    let rows = [".".repeat(12), "....@@@@....".into(), ".".repeat(12)].join("\n");
    let map = format!("type octile\nheight 3\nwidth 12\nmap\n{rows}\n");
    fs::write(folder.path().join("my.map"), map).unwrap();
    let scenario = "version 1\n0\tmy.map\t12\t3\t0\t0\t3\t0\t3\n";
    fs::write(folder.path().join("my.map.scen"), scenario).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_tidegate"));
    // Who reads is gone before the program begins to speak.
    let program = format!("tidegate() {{ sleep 0.2; {} \"$@\"; }}", program.display());
    let line = format!("set -o pipefail; {program}; {line}");
    let output = Command::new("bash").args(["-c", &line]).current_dir(folder.path()).output();
    (folder, output.unwrap())
}

#[test]
fn files_are_written_though_nobody_reads() {
    for (command, files) in [
        ("index my.map -o out.tide", &["out.tide"][..]),
        ("index my.map -o out.tide --engine jps --engine hpa", &["out.tide"]),
        ("decompose my.map --json z.json --png z.png", &["z.json", "z.png"]),
        ("path my.map --from 0,0 --to 9,2 --png p.png --trace t.json", &["p.png", "t.json"]),
        (
            "bench my.map --engine astar --csv r.csv --paths p.jsonl --json s.json",
            &["r.csv", "p.jsonl", "s.json"],
        ),
        ("generate maze --size 21x21 -o m.map --problems 3", &["m.map", "m.map.scen"]),
        ("convert my.map my.txt", &["my.txt"]),
        ("man -o pages", &["pages/tidegate.1", "pages/tidegate-path.1"]),
        ("demo -o dm", &["dm/index.html", "dm/zones.png"]),
    ] {
        let (folder, output) = bash(&format!("tidegate {command} | true"));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{command} | true: {text}");
        let missing: Vec<_> = files.iter().filter(|f| !folder.path().join(f).exists()).collect();
        assert!(missing.is_empty(), "{command} | true: not written: {missing:?}");
    }
}

#[test]
fn the_exit_code_is_that_of_the_work() {
    for (line, code) in [
        // The answer is "no way": nobody reads it, and the code still says so.
        ("printf '.@.\\n.@.\\n' > shut.txt; tidegate path shut.txt --from 0,0 --to 2,0 | true", 1),
        ("tidegate info nosuch | true", 2),
        ("tidegate info my.map | true", 0),
        ("tidegate completions bash | true", 0),
        // A pipe that is named as the file to write is the work, not the talking.
        ("tidegate bench my.map --engine astar --csv /dev/stdout | true", 2),
        // No words get out at all: a failure with its code, never a panic.
        ("tidegate info nosuch 2> /dev/full", 2),
        ("tidegate path my.map --from 99,0 --to 0,0 2> /dev/full", 2),
        ("tidegate info my.map > /dev/full", 2),
        ("tidegate index my.map -o x.tide > /dev/full; code=$?; ls x.tide && exit $code", 2),
    ] {
        if line.contains("/dev/full") && !Path::new("/dev/full").exists() {
            eprintln!("{line}: skipped, this system has no /dev/full");
            continue;
        }
        let (_, output) = bash(line);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert!(!text.contains("panicked"), "{line}: {text}");
    }
}
