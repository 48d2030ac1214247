//! `tidegate generate`: a map from a seed, with problems if asked.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;
use tidegate::Movement;
use tidegate::generate::problems::problems;
use tidegate::generate::{Kind, Options};
use tidegate::grid::scen_file;

use crate::{Done, output};

const EXAMPLES: &str = "\
Examples:
  tidegate generate rts --size 256x256 --seed 7 -o my.map
  tidegate generate maze --size 129x129 --corridor 2 -o maze.png
  tidegate generate random --size 128x128 --percent 30 -o r.map --problems 200

The same kind, size and seed give the same map on every machine. With --problems a scenario is
written beside the map (my.map.scen) with reference lengths.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What it looks like
    #[arg(value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    kind: String,
    /// Columns and rows
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: (u32, u32),
    /// Another seed, another map
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Share of walls in a random map
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=100))]
    percent: Option<u32>,
    /// Width of a maze's corridors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    corridor: Option<u32>,
    /// The file to write: .map, .txt or .png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Also write a scenario with this many problems
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    problems: Option<u32>,
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let size = text.split_once(['x', 'X']);
    let size = size.and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    size.ok_or_else(|| "expected columns and rows as WxH, for example 256x256".into())
}

pub(crate) fn run(args: Args) -> Result<Done> {
    let Some(kind) = Kind::from_name(&args.kind) else { bail!("unknown kind {:?}", args.kind) };
    let (width, height) = args.size;
    let mut options = Options::new(kind, width, height, args.seed);
    options.percent = args.percent.unwrap_or(options.percent);
    options.corridor = args.corridor.unwrap_or(options.corridor);
    let map = options.generate()?;
    crate::convert::write(&map, &args.output, 1)?;
    if let Some(count) = args.problems {
        let name = args.output.with_extension("map");
        let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let problems = problems(&map.grid(Movement::default()), &name, count as usize, args.seed);
        let file = args.output.with_file_name(format!("{name}.scen"));
        output::write(&file, scen_file::write(&problems).as_bytes())?;
    }
    Ok(Done::Yes)
}
