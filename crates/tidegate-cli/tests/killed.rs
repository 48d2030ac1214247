//! The program killed at any moment: every file it writes is the old one or the new one.
//!
//! `TIDEGATE_KILLS=1000 cargo test -p tidegate-cli --test killed -- --nocapture` kills it
//! a thousand times; without the variable it is killed a few times only.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tidegate::rng::Rng;

/// A command (`{}` is the folder) and the files it writes, always the same bytes.
type Case = (&'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    (&["index", "{}/in.map", "-o", "{}/out.tide", "--engine", "labels"], &["out.tide"]),
    (
        &[
            "decompose",
            "{}/in.map",
            "--json",
            "{}/z.json",
            "--svg",
            "{}/z.svg",
            "--png",
            "{}/z.png",
        ],
        &["z.json", "z.svg", "z.png"],
    ),
    (&["convert", "{}/in.map", "{}/copy.png", "--scale", "8"], &["copy.png"]),
    (
        &["generate", "caves", "--size", "128x128", "-o", "{}/new.map", "--problems", "100"],
        &["new.map", "new.map.scen"],
    ),
    (
        &[
            "path",
            "{}/in.map",
            "--from",
            "1,1",
            "--to",
            "90,90",
            "--trace",
            "{}/t.json",
            "--partial",
        ],
        &["t.json"],
    ),
];

fn command(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.args(arguments.iter().map(|a| a.replace("{}", &folder.to_string_lossy())));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_killed_program_leaves_the_old_file_or_the_new_one() {
    let kills = std::env::var("TIDEGATE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(30);
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
            assert!(command(arguments, folder).status().unwrap().success(), "{arguments:?}");
            let took = clock.elapsed();
            (took, files.iter().map(|f| fs::read(folder.join(f)).unwrap()).collect())
        })
        .collect();
    let mut rng = Rng::new(8);
    let (mut killed, mut old, mut new, mut left) = (0, 0, 0, 0);
    while killed < kills {
        let n = rng.below(CASES.len());
        let ((arguments, files), (took, contents)) = (CASES[n], &whole[n]);
        files.iter().for_each(|f| fs::write(folder.join(f), b"old").unwrap());
        let mut child = command(arguments, folder).spawn().unwrap();
        std::thread::sleep(took.mul_f64(rng.below(1100) as f64 / 1000.0));
        child.kill().unwrap();
        if !child.wait().unwrap().success() {
            killed += 1;
        }
        for (file, whole) in files.iter().zip(contents) {
            let found = fs::read(folder.join(file)).unwrap();
            match &found[..] {
                b"old" => old += 1,
                bytes if bytes == whole => new += 1,
                bytes => panic!("{file} is torn: {} of {} bytes", bytes.len(), whole.len()),
            }
        }
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.file_name().to_string_lossy().ends_with(".tmp") {
                fs::remove_file(entry.path()).unwrap();
                left += 1;
            }
        }
    }
    println!(
        "killed {killed} times: {old} old files, {new} new ones, none torn; {left} hidden leftovers"
    );
}
