//! `tidegate`: the program. Typed arguments, their meaning, the work, an exit code.

mod arguments;
mod bench;
mod completions;
mod convert;
mod decompose;
mod demo;
mod estimate;
mod generate;
mod index;
mod info;
mod load;
mod man;
mod merge;
mod path;
mod progress;
mod report;
mod say;
mod stop;
mod studio;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
pub(crate) use tidegate_bench::output;

/// Regions, gates and exact paths for tile maps.
#[derive(Parser)]
#[command(name = "tidegate", version, about, after_help = after_help(), max_term_width = 100)]
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
    /// Put the parts of a benchmark that ran apart into one table
    Merge(merge::Args),
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

/// The engines, one line each, and the exit codes.
fn after_help() -> String {
    let mut text = String::from("Engines:\n");
    for engine in tidegate_sectors::ENGINES {
        text += &format!("  {:<20}  {}\n", engine.name(), engine.about());
    }
    text + "\nExit codes: 0 done, 1 no path or a check failed, 2 bad input or usage."
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    // The studio ends by itself when it is told to stop.
    if !matches!(command, Command::Studio(_)) {
        stop::remove_files_on_signals();
    }
    let result = match command {
        Command::Demo(args) => demo::run(args),
        Command::Decompose(args) => decompose::run(args),
        Command::Index(args) => index::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Path(args) => path::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Report(args) => report::run(args),
        Command::Studio(args) => studio::run(args),
        Command::Info(args) => info::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    };
    progress::end();
    match result.and_then(|done| say::end().map(|()| done)) {
        Ok(done) => done.into(),
        Err(error) => {
            say::note!("error: {error:#}");
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
