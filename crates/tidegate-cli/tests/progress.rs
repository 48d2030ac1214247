//! Signs of life: on a terminal every long work shows what it does; elsewhere nothing but
//! results is said. What will take long is said first.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs the program on a terminal, as `script` makes one. `None` where there is no `script`.
fn on_a_terminal(folder: &Path, arguments: &str) -> Option<String> {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_tidegate"));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").current_dir(folder);
    let output = command.output().ok()?;
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stdout));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn plain(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.args(arguments.split_whitespace()).current_dir(folder).output().unwrap()
}

#[test]
fn work_shows_a_line_on_a_terminal() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    assert!(plain(place, "generate rts --size 128x128 --seed 7 -o m.map").status.success());
    for (arguments, words) in [
        ("index m.map -o m.tide --engine labels --engine gateway", "of 2 engines: "),
        ("path m.map --from 8,8 --to 97,101 --engine labels", "building the tables of labels"),
        ("decompose m.map", "finding zones and gates"),
        ("verify m.tide --queries 30", "comparing with the oracle: query "),
    ] {
        let Some(text) = on_a_terminal(place, arguments) else {
            eprintln!("work_shows_a_line_on_a_terminal: skipped, there is no `script` here");
            return;
        };
        assert!(text.contains(words), "{arguments}: {text:?}");
        // It goes away again: the line is cleared, and results stand by themselves.
        assert!(text.contains("\u{1b}[2K"), "{arguments}: {text:?}");
        if arguments.starts_with("decompose") {
            let output = plain(place, arguments);
            assert!(output.stderr.is_empty(), "{arguments}: {output:?}");
        }
    }
}

#[test]
fn what_takes_long_is_told_before_it_begins() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    // Open ground: quick to build, but the estimate does not know.
    let rows = format!("{}\n", ".".repeat(900)).repeat(900);
    fs::write(place.join("m.txt"), rows).unwrap();
    let output = plain(place, "index m.txt -o m.tide --engine labels");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("810,000 free tiles will take about 8 s"), "{printed}");
    // What is built already, or quickly, is not worth a word.
    for arguments in ["index m.tide -o n.tide --engine labels", "path m.txt --from 0,0 --to 9,9"] {
        let output = plain(place, arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}
