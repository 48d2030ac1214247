//! `tidegate decompose`: what it writes, and what it refuses.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn map(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tidegate-bench/suite/maps/bundled").join(name)
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.arg("decompose").args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn it_writes_every_kind_of_file() {
    let folder = TempDir::new().unwrap();
    let harbour = map("harbour.map");
    let output = run(
        &[
            harbour.to_str().unwrap(),
            "--json=z.json",
            "--png=z.png",
            "--svg=z.svg",
            "--depth=d.png",
            "--stages=s.png",
            "--film=f.png",
            "--labels",
            "--scale=4",
        ],
        folder.path(),
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("40 x 24 tiles"), "{text}");
    for picture in ["z.png", "d.png", "s.png", "f.png"] {
        let bytes = std::fs::read(folder.path().join(picture)).unwrap();
        assert_eq!(&bytes[1..4], b"PNG", "{picture}");
    }
    assert!(std::fs::read_to_string(folder.path().join("z.svg")).unwrap().starts_with("<svg"));
    let json = std::fs::read_to_string(folder.path().join("z.json")).unwrap();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["version"], 1);
    assert_eq!(value["map"]["width"], 40);
    assert_eq!(value["method"], "water");
    for field in ["id", "area", "centroid", "deepest", "outline", "gates"] {
        assert!(!value["zones"][0][field].is_null(), "zones have no {field}");
    }
    for field in ["id", "a", "b", "width", "zones", "source"] {
        assert!(!value["gates"][0][field].is_null(), "gates have no {field}");
    }
}

#[test]
fn settings_of_one_method_are_refused_for_the_other() {
    let folder = TempDir::new().unwrap();
    let maze = map("maze-129.map");
    let maze = maze.to_str().unwrap();
    assert!(run(&[maze, "--method", "rooms"], folder.path()).status.success());
    for wrong in [&["--lowres", "4"][..], &["--hallways"], &["--raw"], &["--film", "f.png"]] {
        let output = run(&[&[maze, "--method", "rooms"], wrong].concat(), folder.path());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(printed.contains("belong to --method water"), "{printed}");
    }
    assert!(!folder.path().join("f.png").exists());
}
