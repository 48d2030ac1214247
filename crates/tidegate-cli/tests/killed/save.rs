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
    let unfinished = || -> Vec<_> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|file| file.extension().is_some_and(|e| e == "tmp")).collect()
    };
    let mut rng = Rng::new(8);
    let (mut runs, mut killed, mut old, mut new, mut hits) = (0, 0, 0, 0, 0);
    while killed < kills {
        runs += 1;
        assert!(runs < 20 * kills + 100, "{killed} of {runs} runs could be killed");
        let n = rng.below(CASES.len());
        let ((arguments, files), (took, contents)) = (CASES[n], &whole[n]);
        files.iter().for_each(|f| fs::write(folder.join(f), b"old").unwrap());
        let mut child = command(arguments, folder).spawn().unwrap();
        if runs % 2 == 0 {
            // At any moment of a whole run.
            std::thread::sleep(took.mul_f64(rng.below(1100) as f64 / 1000.0));
        } else {
            // As soon as a file is begun.
            while unfinished().is_empty() && child.try_wait().unwrap().is_none() {
                std::thread::yield_now();
            }
        }
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        for (file, whole) in files.iter().zip(contents) {
            let found = fs::read(folder.join(file)).unwrap();
            match &found[..] {
                b"old" => old += 1,
                bytes if bytes == whole => new += 1,
                bytes => panic!("{file} is torn: {} of {} bytes", bytes.len(), whole.len()),
            }
        }
        // A file that was begun and is left hit the program in the middle of a write.
        let left = unfinished();
        hits += usize::from(!left.is_empty());
        left.iter().for_each(|file| fs::remove_file(file).unwrap());
    }
    println!(
        "killed {killed} times in {runs} runs, {hits} times in the middle of a write: {old} old \
         files, {new} new ones, none torn"
    );
    assert!(hits * 10 >= kills, "only {hits} of {kills} kills hit the middle of a write");
}
