//! `tidegate report`: what it runs, what it keeps, what it refuses. It is run in an empty
//! folder, with nothing but the maps inside the program.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn report(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tidegate"))
        .arg("report")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

#[test]
fn a_record_is_kept_continued_and_never_mixed() {
    let folder = TempDir::new().unwrap();
    let quick = ["--quick", "--only", "gates", "--only", "hpa-open", "--record", "r"];
    let first = report(folder.path(), &quick);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert!(said(&first).contains("gates          2 of 2 units"), "{}", said(&first));
    let file = folder.path().join("r/gates.csv");
    let kept = fs::read_to_string(&file).unwrap();
    let head = kept.lines().next().unwrap().strip_prefix("# ").unwrap();
    let head: serde_json::Value = serde_json::from_str(head).unwrap();
    assert_eq!(head["experiment"], "gates");
    assert_eq!(head["complete"], true);
    for field in ["machine", "commits", "date", "scale", "done"] {
        assert!(!head[field].is_null(), "{field}");
    }

    // Again: nothing is measured twice, and the file stays as it is.
    let again = report(folder.path(), &quick);
    assert!(said(&again).contains("all on record"), "{}", said(&again));
    assert_eq!(fs::read_to_string(&file).unwrap(), kept);

    // A run that was broken off after one map goes on with the other.
    let rows: Vec<&str> = kept.lines().collect();
    let mut torn = head.clone();
    torn["complete"] = false.into();
    torn["done"].as_array_mut().unwrap().truncate(1);
    fs::write(&file, format!("# {torn}\n{}\n{}\n", rows[1], rows[2])).unwrap();
    let on = report(folder.path(), &quick);
    assert!(said(&on).contains("gates          1 of 2 units"), "{}", said(&on));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), rows.len());

    // Another kind of run does not touch it.
    let before = fs::read_to_string(&file).unwrap();
    let other = report(folder.path(), &["--every", "50", "--only", "gates", "--record", "r"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(said(&other).contains("was made with: bundled, quick sample"), "{}", said(&other));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);

    // The page needs nothing but itself.
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("Table 3.1") && page.contains("<svg") && page.contains("</html>"));
    for outside in ["<script", "<link", "src=\"http", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_torn_record_and_an_unknown_name_are_told() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("r")).unwrap();
    fs::write(folder.path().join("r/gates.csv"), "set,map\n").unwrap();
    let torn = report(folder.path(), &["--quick", "--only", "gates", "--record", "r"]);
    assert_eq!(torn.status.code(), Some(2));
    assert!(said(&torn).contains("gates.csv"), "{}", said(&torn));
    let unknown = report(folder.path(), &["--only", "gate"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("no experiment \"gate\""), "{}", said(&unknown));
    let empty = report(folder.path(), &["--draw", "--record", "nothing"]);
    assert_eq!(empty.status.code(), Some(2));
    assert!(said(&empty).contains("there are no records in nothing"), "{}", said(&empty));
}
