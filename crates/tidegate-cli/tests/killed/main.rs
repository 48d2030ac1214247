//! The program killed at any moment: every file it writes is the old one or the new one, and
//! whatever it is told to do again, it does.
//!
//! `TIDEGATE_KILLS=1000 cargo test -p tidegate-cli --test killed -- --nocapture` kills it a
//! thousand times in each test; without the variable it is killed a few times only. Every
//! test asserts that some kills hit the middle of a write: they leave the hidden neighbour of
//! a file behind.

mod bench;
mod report;
mod save;
mod studio;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tidegate::rng::Rng;

/// How often to kill.
fn kills() -> usize {
    std::env::var("TIDEGATE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20)
}

/// The program with these arguments, in this folder, with nothing of the environment.
fn tidegate(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidegate"));
    command.args(arguments.split_whitespace()).current_dir(folder).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The files in some folders that were begun and are not finished.
fn unfinished(folders: &[&Path]) -> Vec<PathBuf> {
    let inside = |folder: &&Path| fs::read_dir(folder).into_iter().flatten();
    let files = folders.iter().flat_map(inside).map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|end| end == "tmp")).collect()
}

/// Waits for the moment to kill a program: any one of a run that takes so long, or as soon as
/// a file is begun.
fn wait_for_a_moment(child: &mut Child, folders: &[&Path], took: Duration, rng: &mut Rng) {
    if rng.chance(50) {
        std::thread::sleep(took.mul_f64(rng.below(1100) as f64 / 1000.0));
    } else {
        while unfinished(folders).is_empty() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
    }
}

/// What kills came to.
#[derive(Default)]
struct Count {
    runs: usize,
    killed: usize,
    /// Kills in the middle of a write.
    hits: usize,
}

impl Count {
    /// Whether another run is to be killed.
    fn goes_on(&mut self) -> bool {
        let (runs, killed, kills) = (self.runs, self.killed, kills());
        assert!(runs < 20 * kills + 100, "{killed} of {runs} runs could be killed");
        self.runs += 1;
        killed < kills
    }

    /// Counts a run that has ended, and removes what is left of a write that a kill has hit.
    fn add(&mut self, was_killed: bool, folders: &[&Path]) {
        let left = unfinished(folders);
        assert!(was_killed || left.is_empty(), "a run that ended by itself has left {left:?}");
        self.killed += usize::from(was_killed);
        self.hits += usize::from(!left.is_empty());
        left.iter().for_each(|file| fs::remove_file(file).unwrap());
    }

    /// Says what it came to.
    fn tell(&self, what: &str, rest: &str) {
        let Count { runs, killed, hits } = self;
        let runs = runs - 1;
        println!(
            "{what}: killed {killed} times in {runs} runs, {hits} times in the middle of a write: {rest}"
        );
        assert!(hits * 10 >= *killed, "only {hits} of {killed} kills hit the middle of a write");
    }
}
