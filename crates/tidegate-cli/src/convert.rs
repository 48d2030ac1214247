//! `tidegate convert`: a map in another format.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use tidegate::grid::TileMap;

use crate::{Done, load, output};

const EXAMPLES: &str = "\
Examples:
  tidegate convert level.png level.map
  tidegate convert level.map level.txt
  tidegate convert level.map level.png --scale 4";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The map to read (.map, .png, .txt)
    input: PathBuf,
    /// The file to write; its ending says the format
    output: PathBuf,
    /// Pixels per tile in a PNG
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: u32,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    write(&load::map(&args.input)?, &args.output, args.scale)?;
    Ok(Done::Yes)
}

/// Writes a map in the format that the file's ending names.
pub(crate) fn write(map: &TileMap, path: &Path, scale: u32) -> Result<()> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let bytes = match ending.as_str() {
        "map" => map.to_map_string().into_bytes(),
        "txt" => map.to_text().into_bytes(),
        "png" => map.to_png(scale)?,
        _ => bail!("{}: unknown ending {ending:?}; known are .map, .txt and .png", path.display()),
    };
    output::write(path, &bytes)
}
