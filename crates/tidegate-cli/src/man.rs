//! `tidegate man`: manual pages.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::say::say;
use crate::{Cli, Done, arguments, output};

const EXAMPLES: &str = "\
Examples:
  tidegate man | man -l -
  tidegate man -o ~/.local/share/man/man1";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write the pages of all commands into this folder
    #[arg(short, long, value_name = "DIR", value_parser = arguments::output())]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let mut program = Cli::command();
    program.build();
    let Some(folder) = args.output else {
        crate::say::bytes(&page(program)?);
        return Ok(Done::Yes);
    };
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let commands: Vec<Command> = program.get_subcommands().cloned().collect();
    let mut pages = vec![("tidegate".to_string(), program)];
    for command in commands.into_iter().filter(|c| c.get_name() != "help") {
        pages.push((format!("tidegate-{}", command.get_name()), command));
    }
    let count = pages.len();
    for (name, command) in pages {
        output::write(&folder.join(format!("{name}.1")), &page(command)?)?;
    }
    say!("{count} pages in {}", folder.display());
    Ok(Done::Yes)
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(text)
}
