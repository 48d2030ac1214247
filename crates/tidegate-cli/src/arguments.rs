//! Reading arguments: what several commands take, with the values they may have.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use tidegate::anyangle::Point;
use tidegate::engine::Engine;
use tidegate::labels::Form;
use tidegate::{Movement, Tile};

/// Reads `X,Y`.
pub(crate) fn tile(text: &str) -> Result<Tile, String> {
    let number = |part: &str| part.trim().parse::<u16>().ok();
    let tile = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    let (x, y) = tile.ok_or("expected column and row as X,Y, each from 0 to 65535")?;
    Ok(Tile::new(x, y))
}

/// Where a way begins or ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Tile(Tile),
    /// Given by decimals.
    Point(Point),
}

impl Place {
    /// The point, or the centre of the tile.
    pub(crate) fn point(self) -> Point {
        match self {
            Place::Tile(tile) => tile.into(),
            Place::Point(point) => point,
        }
    }

    /// The tile; decimals are no tile.
    pub(crate) fn tile(self) -> Result<Tile> {
        match self {
            Place::Tile(tile) => Ok(tile),
            Place::Point(point) => {
                bail!("{point} is a point, not a tile: give whole numbers, or --any-angle")
            }
        }
    }
}

/// Reads `X,Y`, whole numbers or decimals.
pub(crate) fn place(text: &str) -> Result<Place, String> {
    if !text.contains('.') {
        return tile(text).map(Place::Tile);
    }
    let number = |part: &str| part.trim().parse::<f64>().ok();
    let pair = text.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    let point = pair.and_then(|(x, y)| Point::from_tiles(x, y));
    point
        .map(Place::Point)
        .ok_or_else(|| "expected a point as X,Y in tiles, such as 3.25,7.5".into())
}

/// Reads the name of a rule of movement.
pub(crate) fn movement() -> impl TypedValueParser<Value = Movement> {
    PossibleValuesParser::new(Movement::ALL.map(Movement::name))
        .try_map(|name| Movement::from_name(&name).ok_or("there is no such rule"))
}

/// Reads the name of an engine.
pub(crate) fn engine() -> impl TypedValueParser<Value = &'static dyn Engine> {
    let value = |engine: &&dyn Engine| PossibleValue::new(engine.name()).help(engine.about());
    PossibleValuesParser::new(tidegate_sectors::ENGINES.iter().map(value).collect::<Vec<_>>())
        .try_map(|name| tidegate_sectors::by_name(&name).ok_or("there is no such engine"))
}

/// Reads the form of labels.
pub(crate) fn label_form() -> impl TypedValueParser<Value = Form> {
    PossibleValuesParser::new(["auto", "fast", "small"]).map(|name| match name.as_str() {
        "fast" => Form::Fast,
        "small" => Form::Small,
        _ => Form::Auto,
    })
}

/// Reads the name of a file or folder to write. `-` is none: many commands write several
/// files and also say something, which would be one muddle on standard output.
pub(crate) fn output() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.as_os_str() == "-" {
            return Err("files are not written to standard output: give a name (./- is a file \
                        called -)");
        }
        Ok(path)
    })
}

/// Refuses an output that is an input, or that is written twice. Devices may be both.
pub(crate) fn all_different<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let inputs: Vec<PathBuf> = inputs.into_iter().filter_map(real).collect();
    let mut written: Vec<PathBuf> = Vec::new();
    for output in outputs {
        let Some(real) = real(output) else { continue };
        if inputs.contains(&real) {
            bail!("{} is read by this command: write to another name", output.display());
        }
        if written.contains(&real) {
            bail!("{} would be written twice: give two names", output.display());
        }
        written.push(real);
    }
    Ok(())
}

/// The file behind a name, links followed; none for what is no file. A file that is not
/// there yet is known by its folder.
fn real(path: &Path) -> Option<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => real.is_file().then_some(real),
        Err(_) => {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(folder.join(path.file_name()?))
        }
    }
}

/// The file's name with more at its end: `my.map` and `.scen` give `my.map.scen`.
pub(crate) fn with_more(path: &Path, more: impl AsRef<OsStr>) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    PathBuf::from(name)
}
