//! `tidegate convert`: a map in another format.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::{Done, load, output};

const EXAMPLES: &str = "\
Examples:
  tidegate convert level.png level.map
  tidegate convert level.map level.txt";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map to read (.map, .png, .txt)
    input: PathBuf,
    /// The file to write; its ending says the format
    output: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let map = load::map(&args.input)?;
    let ending = args.output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let bytes = match ending.as_str() {
        "map" => map.to_map_string().into_bytes(),
        "txt" => map.to_text().into_bytes(),
        _ => bail!(
            "{}: unknown ending {ending:?}; known are .map, .txt and .png",
            args.output.display()
        ),
    };
    output::write(&args.output, &bytes)?;
    Ok(Done::Yes)
}
