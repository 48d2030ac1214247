//! `tidegate path`: what a query says, and how it goes around what is in the way.

use assert_cmd::Command;
use serde_json::Value;

/// Asks on a map of five by three free tiles; returns the exit code and the answer.
fn ask(more: &[&str]) -> (i32, Value) {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("open.txt");
    std::fs::write(&map, ".....\n.....\n.....\n").unwrap();
    let mut command = Command::cargo_bin("tidegate").unwrap();
    command.arg("path").arg(&map).args(["--from", "0,1", "--to", "4,1", "--json"]).args(more);
    let output = command.output().unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), answer)
}

#[test]
fn the_way_leads_around_blocked_tiles() {
    let (code, open) = ask(&[]);
    assert_eq!((code, open["straight"].as_u64(), open["diagonal"].as_u64()), (0, Some(4), Some(0)));
    // A diagonal step needs both tiles beside it free: two more straight steps.
    let (code, around) = ask(&["--block", "2,1:2,0"]);
    assert_eq!((code, around["status"].as_str()), (0, Some("found")));
    assert!(around["length"].as_f64() > open["length"].as_f64());
    let path = around["path"].as_array().unwrap();
    assert!(path.iter().any(|tile| *tile == serde_json::json!([2, 2])), "{around}");
    assert!(path.iter().all(|tile| *tile != serde_json::json!([2, 1])), "{around}");
}

#[test]
fn a_shut_map_has_no_way() {
    let (code, shut) = ask(&["--block", "2,0", "--block", "2,1", "--block", "2,2:2,9999"]);
    assert_eq!((code, shut["status"].as_str()), (1, Some("unreachable")));
}

#[test]
fn what_cannot_be_blocked_is_an_error() {
    assert_eq!(ask(&["--block", "2"]).0, 2);
    assert_eq!(ask(&["--block", "4,1"]).0, 2);
    // A unit does not block itself, and engines that know nothing of blocked tiles have help.
    assert_eq!(ask(&["--block", "0,1"]).0, 0);
    let (code, around) = ask(&["--engine", "labels", "--block", "2,1"]);
    assert_eq!((code, around["status"].as_str()), (0, Some("found")));
    assert!(around["length"].as_f64() > Some(4.0));
}

/// Engines that learn from queries once traced another search than the one they reported: the
/// second, after what they had learnt from the first.
#[test]
fn a_trace_is_of_the_search_that_is_told_of() {
    let map =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tidegate-bench/suite/maps/bundled/rts-256.map");
    let folder = tempfile::tempdir().unwrap();
    for engine in ["astar", "hpa-paper", "dsma", "maat", "maat-zones"] {
        let file = folder.path().join("trace.json");
        let mut command = Command::cargo_bin("tidegate").unwrap();
        command.args(["path", map, "--from", "20,20", "--to", "230,230", "--json"]);
        let output = command.args(["--engine", engine, "--trace"]).arg(&file).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let trace: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        let events = trace["events"].as_array().unwrap();
        let expanded = events.iter().filter(|event| event["type"] == "expand").count();
        assert_eq!(answer["expanded"].as_u64(), Some(expanded as u64), "{engine}");
    }
}
