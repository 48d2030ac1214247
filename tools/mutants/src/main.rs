//! Mutation testing with one build for all mutants:  tools/mutants/run SECONDS [OPTION VALUE]...
//!
//! cargo-mutants names the mutants (`list`). All that compile go into one copy of the library, where a number in the
//! environment says which one is alive (`rewrite`, `switch.rs`, `build`). Each test is run once to see which mutants it
//! reaches (`tests`); then each mutant meets the tests that reach it until one fails or SECONDS are over (`trial`).
//! `--only` takes mutants whose name holds a text, `--numbers` those whose numbers stand first in a file's lines;
//! tests that take longer than `--slowest` seconds (60) to record what they reach take no part. `--alone yes` runs those
//! that cannot be switched on, one build each (`alone`), instead of the others.

mod alone;
mod build;
mod list;
mod report;
mod rewrite;
mod tests;
mod trial;

use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail};

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let seconds: u64 = arguments.next().context("SECONDS")?.parse()?;
    let (mut only, mut numbers, mut slowest, mut is_alone) = (String::new(), None, 60.0, false);
    while let (Some(option), Some(value)) = (arguments.next(), arguments.next()) {
        match option.as_str() {
            "--only" => only = value,
            "--numbers" => numbers = Some(fs::read_to_string(value)?),
            "--alone" => is_alone = value == "yes",
            "--slowest" => slowest = value.parse()?,
            _ => bail!("no option {option}"),
        }
    }
    let wanted: Option<Vec<u32>> = numbers.map(|text| {
        text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
    });

    let mut mutants = list::list()?;
    let sources = build::sources(&mut mutants)?;
    build::check(&sources, &mut mutants)?;
    let programs = if is_alone { Vec::new() } else { build::programs()? };
    let tests = tests::tests(&programs, slowest)?;

    let mut trial = trial::Trial::new(&mutants, &tests)?;
    let is_chosen = |mutant: &&list::Mutant| {
        mutant.name.contains(&only)
            && wanted.as_ref().is_none_or(|numbers| numbers.contains(&mutant.number))
    };
    let chosen: Vec<&list::Mutant> = mutants.iter().filter(is_chosen).collect();
    let until = Instant::now() + Duration::from_secs(seconds);
    if is_alone {
        alone::run(&mut trial, &chosen, until)?
    } else {
        trial.run(&chosen, until)?
    }
    report::print(&trial, &chosen);
    Ok(())
}
