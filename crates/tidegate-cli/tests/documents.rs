//! The documents are true: their commands run, their links lead somewhere, their figures
//! are those of the records.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn markdown() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [root(), root().join("docs")] {
        let entries = fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    files
}

/// The commands in a document's blocks marked `sh`. `cargo run --release --` stands for the
/// program itself; `cargo test` is what runs this.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
            continue;
        }
        let line = line.split(" #").next().unwrap_or("").trim();
        if !inside || line.is_empty() || line == "cargo test" {
            continue;
        }
        commands.push(line.replace("cargo run --release --", "tidegate"));
    }
    commands
}

/// Runs a document's commands one after the other, as a reader would, in an empty folder.
fn run_all(document: &str) {
    let folder = TempDir::new().unwrap();
    let commands = commands(&fs::read_to_string(root().join(document)).unwrap());
    assert!(!commands.is_empty(), "{document} has no commands");
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().map(|w| w.trim_matches('\'')).collect();
        let ["tidegate", arguments @ ..] = &words[..] else {
            panic!("{document}: {command}: only tidegate's own commands can be run here")
        };
        let output = Command::new(env!("CARGO_BIN_EXE_tidegate"))
            .args(arguments)
            .current_dir(folder.path())
            .env_remove("TIDEGATE_BENCH")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{document}: {command}\n{printed}");
    }
}

#[test]
fn the_commands_of_the_readme_run() {
    run_all("README.md");
}

#[test]
fn the_commands_of_the_guides_run() {
    for guide in ["games", "bots", "research"] {
        run_all(&format!("docs/guide-{guide}.md"));
    }
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for file in markdown() {
        let text = fs::read_to_string(&file).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let (path, part) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { file.clone() } else { file.with_file_name(path) };
            if !target.exists() {
                broken.push(format!("{}: {link}", file.display()));
            } else if !part.is_empty() {
                let text = fs::read_to_string(&target).unwrap_or_default();
                let mut heads = text.lines().filter(|line| line.starts_with('#'));
                if !heads.any(|head| anchor(head.trim_start_matches('#')) == part) {
                    broken.push(format!("{}: {link}", file.display()));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The figures in a document are what its records say.
#[test]
fn figures_are_those_of_the_records() {
    let folder = TempDir::new().unwrap();
    let mut refreshed = 0;
    for document in markdown() {
        let text = fs::read_to_string(&document).unwrap();
        if !text.contains("<!-- record: ") {
            continue;
        }
        refreshed += 1;
        let document = document.display();
        let file = folder.path().join("document.md");
        fs::write(&file, &text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_tidegate"))
            .args(["report", "--record"])
            .arg(root().join("record"))
            .arg("--refresh")
            .arg(&file)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{printed}");
        let fresh = fs::read_to_string(&file).unwrap();
        assert!(fresh == text, "{document}: run 'tidegate report --refresh {document}'");
    }
    assert!(refreshed >= 4, "{refreshed} documents with records");
}
