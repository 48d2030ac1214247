//! A benchmark in parts is the benchmark in one process, and what is no whole run is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

fn tidegate(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tidegate"))
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
}

fn done(folder: &Path, arguments: &str) -> String {
    let output = tidegate(folder, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "tidegate {arguments}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The rows of a table without the time of each, the one column that may differ.
fn rows(folder: &Path, file: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let times = text.lines().next().unwrap_or_default().split(',').position(|c| c == "nanos");
    let without_time = |line: &str| {
        let mut fields: Vec<&str> = line.split(',').collect();
        fields.remove(times.unwrap());
        fields.join(",")
    };
    text.lines().map(without_time).collect()
}

const BENCH: &str = "bench --engine astar --engine hpa --every 20";

/// Runs all parts and puts them together, the last part first.
fn in_parts(folder: &Path, parts: usize) -> String {
    let mut files = Vec::new();
    for part in 1..=parts {
        done(folder, &format!("{BENCH} --shard {part}/{parts} --csv {parts}-{part}.csv"));
        files.insert(0, format!("{parts}-{part}.csv"));
    }
    done(folder, &format!("merge {} -o {parts}.csv", files.join(" ")))
}

#[test]
fn parts_make_the_table_of_one_process() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    done(folder, &format!("{BENCH} --csv one.csv"));
    let one = rows(folder, "one.csv");
    let mut maps: Vec<&str> = one[1..].iter().map(|row| row.split(',').nth(1).unwrap()).collect();
    maps.dedup();
    assert!(maps.len() >= 3, "a suite of several maps");
    // More parts than maps: some have none.
    for parts in [1, 3, maps.len() + 2] {
        let said = in_parts(folder, parts);
        assert_eq!(rows(folder, &format!("{parts}.csv")), one, "{parts} parts");
        let (rows, maps) = (one.len() - 1, maps.len());
        assert!(said.contains(&format!("of {maps} maps from {parts} parts")), "{said}");
        assert!(said.replace(',', "").contains(&format!("{rows} rows")), "{said}");
    }
}

#[test]
fn what_is_no_whole_run_is_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let bench = "bench --map harbour --map caves-333x67 --every 50 --engine";
    for part in 1..=2 {
        done(folder, &format!("{bench} astar --shard {part}/2 --csv {part}.csv"));
    }
    done(folder, &format!("{bench} jps --shard 2/2 --csv jps.csv"));
    done(folder, &format!("{bench} astar --csv whole.csv"));
    fs::copy(folder.join("1.csv"), folder.join("again.csv")).unwrap();
    let text = fs::read_to_string(folder.join("1.csv")).unwrap();
    fs::write(folder.join("cut.csv"), &text[..text.len() - 30]).unwrap();
    let stray = text.clone() + &text.lines().last().unwrap().replacen("caves", "other", 1) + "\n";
    fs::write(folder.join("stray.csv"), stray).unwrap();
    fs::write(folder.join("old.csv"), "before\n").unwrap();
    for (files, what) in [
        ("1.csv", "1 of 2 parts are missing: 2/2"),
        ("1.csv again.csv 2.csv", "1.csv and again.csv are both part 1/2"),
        ("1.csv jps.csv", "jps.csv: it is part 2/2 of 2 maps run with jps, every 50"),
        ("whole.csv 2.csv", "whole.csv: it was not written by `tidegate bench --shard`"),
        ("nowhere.csv 2.csv", "nowhere.csv: No such file"),
        ("cut.csv 2.csv", "cut.csv: "),
        ("stray.csv 2.csv", "is of a map out of its order"),
    ] {
        let output = tidegate(folder, &format!("merge {files} -o old.csv"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{files}: {error}");
        assert!(error.contains(what), "{files}: {error}");
        assert_eq!(fs::read_to_string(folder.join("old.csv")).unwrap(), "before\n", "{files}");
    }
    let output = tidegate(folder, "merge 1.csv 2.csv -o 1.csv");
    assert_eq!(output.status.code(), Some(2), "an input is not written over");
    for shard in ["0/2", "3/2", "1", "a/b", "1/0"] {
        let output = tidegate(folder, &format!("bench --shard {shard}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(error.contains("is no part of a run: write 1/8 to 8/8"), "{error}");
    }
}
