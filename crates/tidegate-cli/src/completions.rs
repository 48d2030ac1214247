//! `tidegate completions`: what a shell needs to complete commands and options.

use anyhow::Result;
use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::{Cli, Done, say};

const EXAMPLES: &str = "\
Examples:
  tidegate completions bash > ~/.local/share/bash-completion/completions/tidegate
  tidegate completions zsh > ~/.zfunc/_tidegate
  tidegate completions fish > ~/.config/fish/completions/tidegate.fish";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tidegate", &mut script);
    say::bytes(&script);
    Ok(Done::Yes)
}
