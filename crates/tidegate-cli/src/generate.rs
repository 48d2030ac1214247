//! `tidegate generate`: a map from a seed, with problems if asked.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::builder::PossibleValuesParser;
use tidegate::Movement;
use tidegate::generate::problems::problems as make_problems;
use tidegate::generate::{Kind, Options};
use tidegate::grid::scen_file;

use crate::{Done, arguments, output, progress, say};

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
    /// Share of walls in a random map [default: 25]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(0..=100))]
    percent: Option<u32>,
    /// Width of a maze's corridors [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    corridor: Option<u32>,
    /// The file to write: .map, .txt or .png
    #[arg(short, long, value_name = "FILE", value_parser = arguments::output())]
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
    for (option, given, its) in [
        ("--percent", args.percent.is_some(), Kind::Random),
        ("--corridor", args.corridor.is_some(), Kind::Maze),
    ] {
        let (its, kind) = (its.name(), kind.name());
        ensure!(!given || its == kind, "{option} is for {its} maps and does nothing for {kind}");
    }
    let (width, height) = args.size;
    let mut options = Options::new(kind, width, height, args.seed);
    options.percent = args.percent.unwrap_or(options.percent);
    options.corridor = args.corridor.unwrap_or(options.corridor);
    progress::now("making the map");
    let map = options.generate()?;
    let mut problems = Vec::new();
    let scenario = args.output.with_extension("map.scen");
    if let Some(count) = args.problems {
        progress::now("making problems");
        let name = args.output.with_extension("map");
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        ensure!(
            !name.contains(char::is_whitespace),
            "{name:?}: a scenario cannot name a map with a blank in its name"
        );
        problems = make_problems(&map.grid(Movement::default()), &name, count as usize, args.seed);
        ensure!(
            !problems.is_empty(),
            "there are no problems on this map: no two of its free tiles are connected; nothing \
             was written"
        );
    }
    crate::convert::write(&map, &args.output, 1)?;
    if let Some(count) = args.problems {
        output::write(&scenario, scen_file::write(&problems).as_bytes())?;
        let fewer = if problems.len() < count as usize { " (no more were found)" } else { "" };
        say::wrote(&scenario, &format!("{} problems{fewer}", problems.len()));
    }
    Ok(Done::Yes)
}
