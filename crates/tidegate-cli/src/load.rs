//! Reading maps of any kind from files.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use tidegate::artifact::SIGNATURE;
use tidegate::grid::TileMap;
use tidegate::grid::map_file::LetterCosts;
use tidegate::{Grid, Index, Movement};
use tidegate_bench::suite;

/// How a map file is to be read; shared by all commands that take a map.
#[derive(Args, Clone, Debug)]
pub(crate) struct MapOptions {
    /// Rule of movement: no-corner-cutting, one-side-free or four-connected
    #[arg(long, value_name = "RULE", default_value = "no-corner-cutting", value_parser = crate::parse_movement)]
    pub(crate) movement: Movement,
    /// What letters cost to cross, for example '.=1,S=1.5,W=inf'
    #[arg(long, value_name = "LIST", value_parser = parse_costs)]
    pub(crate) costs: Option<LetterCosts>,
}

fn parse_costs(text: &str) -> Result<LetterCosts, String> {
    LetterCosts::parse(text).map_err(|e| e.to_string())
}

/// Reads a map: `.map`, PNG or plain text, told apart by what is in the file.
pub(crate) fn map(path: &Path) -> Result<TileMap> {
    let bytes = suite::read(path)?;
    parse(&bytes, path).with_context(|| path.display().to_string())
}

fn parse(bytes: &[u8], path: &Path) -> Result<TileMap> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    Ok(TileMap::read_any(bytes, &ending)?)
}

/// Reads a map and makes a grid of it; an index file gives the map it carries.
pub(crate) fn grid(path: &Path, options: &MapOptions) -> Result<Grid> {
    Ok(index(path, options)?.grid().clone())
}

/// Opens an index file, or begins an index of a map.
pub(crate) fn index(path: &Path, options: &MapOptions) -> Result<Index> {
    let bytes = suite::read(path)?;
    let shown = || path.display().to_string();
    if bytes.starts_with(&SIGNATURE) || path.extension().is_some_and(|e| e == "tide") {
        ensure!(
            options.costs.is_none(),
            "{}: an index has its costs built in; leave out --costs",
            path.display()
        );
        return Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).with_context(shown);
    }
    let costs = options.costs.clone().unwrap_or_default();
    let map = parse(&bytes, path).with_context(shown)?;
    Ok(Index::new(map.grid_with(options.movement, &costs)))
}
