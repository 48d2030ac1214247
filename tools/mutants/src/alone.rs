//! Mutants that cannot be switched on at run time, for the compiler works them out: one build for each, without
//! optimisation and with few tests.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::build::{FOLDER, copy, put_library};
use crate::list::{Fate, Mutant};
use crate::rewrite::offset;
use crate::tests::Outcome;
use crate::trial::Trial;

/// A copy of its own: that of the others stays as it is built.
const TREE: &str = "target/mutants/alone-tree";

/// The quickest first, then the unit tests of the mutant's own file.
const TESTS: [&str; 4] = ["values", "unit tests", "world", "components"];

/// Builds each of these mutants and runs [`TESTS`] until one fails or the time is up.
pub fn run<'a>(trial: &mut Trial<'a>, chosen: &[&'a Mutant], until: Instant) -> Result<()> {
    copy(TREE)?;
    put_library(TREE, |_, text| text)?;
    for test in TESTS {
        ensure!(cargo(test, "cost")? == Outcome::Passed, "{test} fails without a mutant");
    }
    for &mutant in chosen.iter().filter(|mutant| mutant.fate == Fate::NotRun) {
        if trial.is_met(mutant) {
            continue;
        }
        if Instant::now() > until {
            eprintln!("the time is up");
            break;
        }
        let text = fs::read_to_string(&mutant.file)?;
        let (start, end) = (offset(&text, mutant.start), offset(&text, mutant.end));
        let changed = format!("{}{}{}", &text[..start], mutant.replacement, &text[end..]);
        put_library(TREE, |file, text| if file == mutant.file { changed.clone() } else { text })?;
        let module = mutant.name.split(".rs:").next().unwrap_or_default().replace('/', "::");
        for test in TESTS {
            let begin = Instant::now();
            let outcome = cargo(test, &module)?;
            trial.record(
                mutant,
                &format!("alone::{test}"),
                outcome,
                begin.elapsed().as_secs_f64(),
            )?;
            if outcome != Outcome::Passed {
                break;
            }
        }
    }
    Ok(())
}

/// Builds the copy and runs a test. A constant may be worked out without end, too.
fn cargo(test: &str, module: &str) -> Result<Outcome> {
    let target: PathBuf = std::env::current_dir()?.join(FOLDER).join("alone");
    let (chosen, filter) = match test {
        "unit tests" => (vec!["--lib"], vec!["--", module]),
        test => (vec!["--test", test], Vec::new()),
    };
    let run = |last: &[&str]| {
        Command::new("timeout")
            .args(["150", "cargo", "test", "--quiet", "--locked", "--package=tidegate"])
            .args(&chosen)
            .args(last)
            .current_dir(TREE)
            .env("CARGO_TARGET_DIR", &target)
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("RUSTFLAGS", "--cap-lints=allow")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("cargo")
    };
    for (arguments, bad) in [(&["--no-run"][..], Outcome::Unviable), (&filter, Outcome::Failed)] {
        match run(arguments)?.code() {
            Some(0) => {}
            Some(124) => return Ok(Outcome::Endless),
            _ => return Ok(bad),
        }
    }
    Ok(Outcome::Passed)
}
