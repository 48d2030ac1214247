//! `tidegate`: the program. Typed arguments, their meaning, the work, an exit code.

mod bench;
mod completions;
mod convert;
mod decompose;
mod demo;
mod generate;
mod index;
mod info;
mod load;
mod man;
mod path;
mod report;
mod studio;
mod verify;

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
pub(crate) use tidegate_bench::output;

const CODES: &str = "\
Exit codes: 0 done, 1 no path or a check failed, 2 bad input or usage.";

/// Regions, gates and exact paths for tile maps.
#[derive(Parser)]
#[command(name = "tidegate", version, about, after_help = CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// See the whole story on a bundled map
    Demo(demo::Args),
    /// Take a map apart into zones and gates
    Decompose(decompose::Args),
    /// Work out everything in advance and save it
    Index(index::Args),
    /// Check an index, its zones and its engines against the oracle
    Verify(verify::Args),
    /// Find a path on a map
    Path(path::Args),
    /// Measure engines on a suite of maps and problems
    Bench(bench::Args),
    /// Run the documents' experiments again and draw one page of them
    Report(report::Args),
    /// Look at maps and change them in the browser
    Studio(studio::Args),
    /// Tell what a map, index or scenario file holds
    Info(info::Args),
    /// Turn a map into another format (.map, .txt, .png)
    Convert(convert::Args),
    /// Make a map (and problems for it) from a seed
    Generate(generate::Args),
    /// Print completions for a shell
    Completions(completions::Args),
    /// Print the manual page, or write the pages of all commands
    Man(man::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Demo(args) => demo::run(args),
        Command::Decompose(args) => decompose::run(args),
        Command::Index(args) => index::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Path(args) => path::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Report(args) => report::run(args),
        Command::Studio(args) => studio::run(args),
        Command::Info(args) => info::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    };
    match result {
        Ok(done) => done.into(),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// How a command ended when nothing went wrong with the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// All is well.
    Yes,
    /// No path, or a check failed.
    No,
}

impl From<Done> for ExitCode {
    fn from(done: Done) -> ExitCode {
        match done {
            Done::Yes => ExitCode::SUCCESS,
            Done::No => ExitCode::from(1),
        }
    }
}

/// A reader that went away (`tidegate … | head`) is no failure of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}

/// Reads `X,Y`.
fn parse_tile(text: &str) -> Result<tidegate::Tile, String> {
    let number = |part: &str| part.trim().parse::<u16>().ok();
    let tile = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    let (x, y) = tile.ok_or("expected column and row as X,Y, each from 0 to 65535")?;
    Ok(tidegate::Tile::new(x, y))
}

/// Reads the name of a rule of movement.
fn parse_movement(text: &str) -> Result<tidegate::Movement, String> {
    tidegate::Movement::from_name(text).ok_or_else(|| {
        let names = tidegate::Movement::ALL.map(tidegate::Movement::name);
        format!("known rules are: {}", names.join(", "))
    })
}

/// Reads the name of an engine.
fn parse_engine(text: &str) -> Result<&'static dyn tidegate::engine::Engine, String> {
    tidegate_sectors::by_name(text).ok_or_else(|| {
        let names: Vec<_> = tidegate_sectors::ENGINES.iter().map(|e| e.name()).collect();
        format!("known engines are: {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::Cli;

    /// Every command shows examples, and every example is a command that is understood.
    #[test]
    fn examples_in_the_help_are_understood() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> =
                help.lines().filter_map(|line| line.strip_prefix("  tidegate ")).collect();
            assert!(!examples.is_empty(), "{} has no examples", command.get_name());
            for example in examples {
                // A redirection or, after two blanks, words that explain.
                let marks = [">", "|", "  "].map(|mark| example.find(mark));
                let end = marks.into_iter().flatten().min().unwrap_or(example.len());
                let words = example[..end].split_whitespace().map(|word| word.trim_matches('\''));
                let parsed = Cli::try_parse_from(std::iter::once("tidegate").chain(words));
                assert!(parsed.is_ok(), "tidegate {example}: {}", parsed.err().unwrap());
            }
        }
    }

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }
}
