//! The tests, one process each: what each of them reaches, and how long it takes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::build::{FOLDER, home};

/// One test of one test program.
pub struct Test {
    /// `PROGRAM::NAME`.
    pub name: String,
    program: PathBuf,
    /// Its processor time.
    pub seconds: f64,
    /// The places that it reaches, in order; none if it fails without a mutant.
    pub places: Vec<u32>,
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Passed,
    Failed,
    /// It was stopped after many times its usual time.
    Endless,
    /// It could not be built.
    Unviable,
}

/// What is kept of a test that takes longer than so many seconds.
const SLOW: &str = "more than ";

/// No mutant's number: see switch.rs.
const RECORDING: u32 = 1;

/// Limits of processor time, memory and time, then what the test used; a test has one core.
const SCRIPT: &str = r#"ulimit -t "$1"; ulimit -v 8000000; wall=$2; shift 2
timeout -s KILL "$wall" "$@" >/dev/null 2>&1; status=$?; times; exit $status"#;

impl Test {
    /// Runs it with this mutant.
    pub fn run(&self, mutant: u32) -> Result<(Outcome, f64)> {
        self.run_within(3.0 + 5.0 * self.seconds, mutant, Path::new("/dev/null"))
    }

    fn run_within(&self, limit: f64, mutant: u32, record: &Path) -> Result<(Outcome, f64)> {
        let name = self.name.split_once("::").context("a program's name")?.1;
        let output = Command::new("bash")
            .args([
                "-c",
                SCRIPT,
                "test",
                &format!("{limit:.0}"),
                &format!("{:.0}", 60.0 + 10.0 * limit),
            ])
            .arg(&self.program)
            .args([name, "--exact", "--test-threads=1"])
            .current_dir(home())
            .env("MUTANT", mutant.to_string())
            .env("MUTANT_REACHED", record)
            .env("RAYON_NUM_THREADS", "1")
            .env("RUST_BACKTRACE", "0")
            .env("PROPTEST_RNG_SEED", "1")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
            .output()?;
        let outcome = match output.status.code() {
            Some(0) => Outcome::Passed,
            Some(137) => Outcome::Endless,
            _ => Outcome::Failed,
        };
        // "0m0.012s 0m0.003s": the children's time is on the second line.
        let times = String::from_utf8_lossy(&output.stdout);
        let second = times.lines().nth(1).context("no times")?;
        let parts = second.split(['m', 's', ' ']).filter_map(|part| part.parse::<f64>().ok());
        let seconds = parts.zip([60.0, 1.0, 60.0, 1.0]).map(|(part, unit)| part * unit).sum();
        Ok((outcome, seconds))
    }

    /// Runs it without a mutant, unless that was done since the program was built. Recording takes about three times
    /// as long as the test alone; whether it is done in time is returned.
    fn measure(&mut self, slowest: f64) -> Result<bool> {
        let folder = env::current_dir()?.join(FOLDER).join("reached");
        fs::create_dir_all(&folder)?;
        let kept = folder.join(self.name.replace("::", "."));
        let age = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
        // A test that was too slow is measured again when there is more time.
        let text = fs::read_to_string(&kept).unwrap_or_default();
        let tried: f64 =
            text.strip_prefix(SLOW).map_or(Ok(f64::INFINITY), |tried| tried.trim().parse())?;
        if tried < slowest || age(&kept).ok() <= age(&self.program).ok() {
            let part = folder.join(".part");
            fs::write(&part, "")?;
            let (outcome, seconds) = self.run_within(slowest, RECORDING, &part)?;
            match outcome {
                Outcome::Passed => {
                    fs::write(&kept, format!("{seconds}\n{}", fs::read_to_string(&part)?))?
                }
                Outcome::Failed => {
                    eprintln!("{} fails without a mutant and takes no part", self.name);
                    fs::write(&kept, format!("{seconds}\n"))?;
                }
                Outcome::Endless | Outcome::Unviable => {
                    fs::write(&kept, format!("{SLOW}{slowest}\n"))?
                }
            }
        }
        let text = fs::read_to_string(&kept)?;
        if text.starts_with(SLOW) {
            return Ok(false);
        }
        let mut lines = text.lines();
        self.seconds = lines.next().context("a time")?.parse::<f64>()?.max(0.001);
        self.places =
            lines.flat_map(str::split_whitespace).map(str::parse).collect::<Result<_, _>>()?;
        self.places.sort_unstable();
        Ok(self.seconds <= slowest)
    }
}

/// All tests of these programs that take no longer than `slowest` seconds, measured.
pub fn tests(programs: &[(String, PathBuf)], slowest: f64) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for (program, path) in programs {
        let output =
            Command::new(path).args(["--list", "--format=terse"]).current_dir(home()).output()?;
        ensure!(output.status.success(), "{program} --list");
        for line in String::from_utf8(output.stdout)?.lines() {
            let Some(name) = line.strip_suffix(": test") else { continue };
            let name = format!("{program}::{name}");
            let mut test = Test { name, program: path.clone(), seconds: 0.0, places: Vec::new() };
            match test.measure(slowest)? {
                true => tests.push(test),
                false => eprintln!("{} takes more than {slowest} s and takes no part", test.name),
            }
        }
    }
    let total: f64 = tests.iter().map(|test| test.seconds).sum();
    eprintln!("{} tests, {total:.0} s", tests.len());
    Ok(tests)
}
