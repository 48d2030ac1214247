//! A benchmark in parts, and putting the parts together.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tidegate::rng::Rng;

use crate::{Count, tidegate, wait_for_a_moment};

const BENCH: &str =
    "bench --map harbour --map caves-333x67 --map maze-129 --every 20 --engine astar --engine jps";
const MERGE: &str = "merge first.csv second.csv -o all.csv";

/// A table without its times, in which alone two runs differ.
fn rows(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let header = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
    let times = header.split(',').position(|column| column == "nanos").expect("a whole header");
    let without_time = |line: &str| {
        let fields = line.split(',').enumerate().filter(|&(n, _)| n != times);
        fields.map(|(_, field)| field).collect::<Vec<_>>().join(",") + "\n"
    };
    let head =
        text.lines().take_while(|line| line.starts_with('#')).map(|line| line.to_owned() + "\n");
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(without_time);
    let end = if text.ends_with('\n') { "" } else { "torn" };
    head.chain(rows).collect::<String>() + end
}

#[test]
fn a_part_of_a_benchmark_and_the_whole_are_old_or_new() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let cases = [
        (format!("{BENCH} --shard 1/2 --csv 1.csv"), "1.csv"),
        (format!("{BENCH} --shard 2/2 --csv 2.csv"), "2.csv"),
        (MERGE.to_owned(), "all.csv"),
    ];
    let run = |(arguments, file): &(String, &str)| -> (Duration, String) {
        let clock = Instant::now();
        assert!(tidegate(folder, arguments).status().unwrap().success(), "{arguments}");
        (clock.elapsed(), rows(&folder.join(file)))
    };
    let parts: Vec<_> = cases[..2].iter().map(run).collect();
    for (from, to) in [("1.csv", "first.csv"), ("2.csv", "second.csv")] {
        fs::copy(folder.join(from), folder.join(to)).unwrap();
    }
    let whole = [parts, vec![run(&cases[2])]].concat();
    let (mut rng, mut count) = (Rng::new(9), Count::default());
    let (mut old, mut new, mut again) = (0, 0, 0);
    while count.goes_on() {
        let n = rng.below(cases.len());
        let ((arguments, file), (took, contents)) = (&cases[n], &whole[n]);
        fs::write(folder.join(file), "old").unwrap();
        let mut child = tidegate(folder, arguments).spawn().unwrap();
        wait_for_a_moment(&mut child, &[folder], *took, &mut rng);
        child.kill().unwrap();
        let was_killed = !child.wait().unwrap().success();
        if fs::read(folder.join(file)).unwrap() == b"old" {
            old += 1;
        } else {
            assert!(rows(&folder.join(file)) == *contents, "{file} is torn");
            new += 1;
        }
        // What a kill has left, also unfinished files, is in nobody's way.
        if rng.chance(10) {
            assert!(run(&cases[n]).1 == *contents, "{file} of another run differs");
            again += 1;
        }
        count.add(was_killed, &[folder]);
    }
    count.tell("bench and merge", &format!("{old} old files, {new} new ones, none torn; {again} whole runs after a kill, all as ever"));
}
