//! Reading maps of any kind from files.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use tidegate::artifact::SIGNATURE;
use tidegate::grid::TileMap;
use tidegate::grid::map_file::LetterCosts;
use tidegate::{Grid, Index, Movement};
use tidegate_bench::suite;

use crate::{arguments, progress};

/// How a map file is to be read; shared by all commands that take a map.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MapOptions {
    /// Rule of movement [default: no-corner-cutting]
    #[arg(long, value_name = "RULE", value_parser = arguments::movement())]
    pub(crate) movement: Option<Movement>,
    /// What letters cost to cross, for example '.=1,S=1.5,W=inf'
    #[arg(long, value_name = "LIST", value_parser = parse_costs)]
    pub(crate) costs: Option<LetterCosts>,
}

impl MapOptions {
    /// Refuses options where nothing is left for them to say.
    pub(crate) fn refuse(&self, path: &Path, why: &str) -> Result<()> {
        for (option, given) in
            [("--movement", self.movement.is_some()), ("--costs", self.costs.is_some())]
        {
            ensure!(!given, "{}: {why}; leave out {option}", path.display());
        }
        Ok(())
    }
}

fn parse_costs(text: &str) -> Result<LetterCosts, String> {
    LetterCosts::parse(text).map_err(|e| e.to_string())
}

/// Reads a file of sensible size.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    progress::now(format!("reading {}", path.display()));
    suite::read(path)
}

/// Reads a map: `.map`, PNG or plain text, told apart by what is in the file.
pub(crate) fn map(path: &Path) -> Result<TileMap> {
    parse(&bytes(path)?, path).with_context(|| path.display().to_string())
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
    let bytes = bytes(path)?;
    let shown = || path.display().to_string();
    if bytes.starts_with(&SIGNATURE) || path.extension().is_some_and(|e| e == "tide") {
        options.refuse(path, "an index has its rule of movement and its costs built in")?;
        return Index::from_bytes_with(&bytes, tidegate_sectors::ENGINES).with_context(shown);
    }
    let costs = options.costs.clone().unwrap_or_default();
    let map = parse(&bytes, path).with_context(shown)?;
    Ok(Index::new(map.grid_with(options.movement.unwrap_or_default(), &costs)))
}
