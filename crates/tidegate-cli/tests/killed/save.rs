//! Commands that write a file or several.

use std::fs;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tidegate::rng::Rng;

use crate::{Count, tidegate, wait_for_a_moment};

/// A command and the files it writes, always the same bytes.
const CASES: &[(&str, &[&str])] = &[
    ("index in.map -o out.tide --engine labels", &["out.tide"]),
    ("decompose in.map --json z.json --svg z.svg --png z.png", &["z.json", "z.svg", "z.png"]),
    ("convert in.map copy.png --scale 8", &["copy.png"]),
    ("generate caves --size 128x128 -o new.map --problems 100", &["new.map", "new.map.scen"]),
    ("path in.map --from 1,1 --to 90,90 --trace t.json --partial", &["t.json"]),
];

#[test]
fn a_killed_program_leaves_the_old_file_or_the_new_one() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let rows: Vec<String> = (0..96)
        .map(|y| (0..96).map(|x| if x % 16 == 8 && y % 16 != 3 { '@' } else { '.' }).collect())
        .collect();
    let map = format!("type octile\nheight 96\nwidth 96\nmap\n{}\n", rows.join("\n"));
    fs::write(folder.join("in.map"), map).unwrap();
    // What complete files look like, and how long a whole run takes here.
    let whole: Vec<(Duration, Vec<Vec<u8>>)> = CASES
        .iter()
        .map(|(arguments, files)| {
            let clock = Instant::now();
            assert!(tidegate(folder, arguments).status().unwrap().success(), "{arguments}");
            let took = clock.elapsed();
            (took, files.iter().map(|f| fs::read(folder.join(f)).unwrap()).collect())
        })
        .collect();
    let (mut rng, mut count) = (Rng::new(8), Count::default());
    let (mut old, mut new) = (0, 0);
    while count.goes_on() {
        let n = rng.below(CASES.len());
        let ((arguments, files), (took, contents)) = (CASES[n], &whole[n]);
        files.iter().for_each(|f| fs::write(folder.join(f), b"old").unwrap());
        let mut child = tidegate(folder, arguments).spawn().unwrap();
        wait_for_a_moment(&mut child, &[folder], *took, &mut rng);
        child.kill().unwrap();
        let was_killed = !child.wait().unwrap().success();
        for (file, whole) in files.iter().zip(contents) {
            let found = fs::read(folder.join(file)).unwrap();
            match &found[..] {
                b"old" => old += 1,
                bytes if bytes == whole => new += 1,
                bytes => panic!("{file} is torn: {} of {} bytes", bytes.len(), whole.len()),
            }
        }
        count.add(was_killed, &[folder]);
    }
    count.tell("save", &format!("{old} old files, {new} new ones, none torn"));
}
