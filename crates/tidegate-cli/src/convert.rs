//! `tidegate convert`: a map in another format.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use tidegate::grid::TileMap;

use crate::{Done, arguments, load, output, progress, say};

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
    #[arg(value_parser = arguments::output())]
    output: PathBuf,
    /// Pixels per tile in a PNG [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    scale: Option<u32>,
}

pub(crate) fn run(args: Args) -> Result<Done> {
    arguments::all_different([&*args.input], [&*args.output])?;
    let is_png = ending(&args.output) == "png";
    ensure!(args.scale.is_none() || is_png, "--scale is for pictures: leave it out, or write .png");
    write(&load::map(&args.input)?, &args.output, args.scale.unwrap_or(1))?;
    Ok(Done::Yes)
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Writes a map in the format that the file's ending names, and says so.
pub(crate) fn write(map: &TileMap, path: &Path, scale: u32) -> Result<()> {
    progress::now(format!("writing {}", path.display()));
    let ending = ending(path);
    let bytes = match ending.as_str() {
        "map" => map.to_map_string().into_bytes(),
        "txt" => map.to_text().into_bytes(),
        "png" => map.to_png(scale)?,
        _ => bail!("{}: unknown ending {ending:?}; known are .map, .txt and .png", path.display()),
    };
    output::write(path, &bytes)?;
    let (width, height) = (map.width(), map.height());
    say::wrote(path, &format!("{width} x {height} tiles, {}", say::size(bytes.len() as u64)));
    Ok(())
}
